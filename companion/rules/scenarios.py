"""Scenarios: a position, the answers in order, and what must come out. Short TOML files.

The rulebook's examples, the tests and the judge's desk are all this one thing. A scenario names
things as the game's layout does (`kart/A`, `lap/A`), and every step may say what it expects.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.rules.box import AnyBox, Texts
from companion.rules.content import fault, read_toml
from companion.rules.errors import BadSetup, CompanionError, Refused
from companion.rules.events import Event
from companion.rules.game import Game
from companion.rules.layouts import Place
from companion.rules.lines import (
    OPENED,
    Answer,
    Correction,
    Entry,
    Interjection,
    Join,
    Leave,
    RulingChoice,
    Swap,
    may_see,
)
from companion.rules.phrases import N_
from companion.rules.prompts import Choice
from companion.rules.session import Session

Say = Choice | tuple[Choice, ...]


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The question that must be open: its key, and whom it asks."""

    key: str
    seat: str = ""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing done at the table, and what must come of it.

    `say` is an answer (several in a row as a list), by seat `by`. `do` is "undo", "redo", "done",
    "yes" or "no"; `correct` and `ruling` set something right; `beside` takes up an offer beside
    the question by its key, with `say`. A step without any of them only looks.
    """

    by: str = ""
    say: Say = ()
    do: str = ""
    beside: str = ""
    correct: Mapping[str, Place] = {}
    ruling: Mapping[str, str] = {}
    force: Say = ()
    leave: str = ""
    join: Mapping[str, str] = {}
    """Who sits down: the seat's id and the name."""
    swap: tuple[str, ...] = ()
    """Two seats that change places."""
    note: str = ""
    refused: str = ""
    """The rule that refuses it; nothing changes then."""
    forced_by_nobody: bool = False
    """The refusal must be one that the table cannot force."""
    expect: Mapping[str, Place] = {}
    events: tuple[Mapping[str, Any], ...] = ()
    """Events that happen, in this order, by any of their fields; `event` is their name."""
    no_event: tuple[str, ...] = ()
    question: Question | None = None
    not_asked: str = ""
    """The key of a question that must not have been asked in this step."""
    allowed: tuple[Choice, ...] = ()
    refuses: Mapping[str, str] = {}
    """Choices that the open question refuses, each with its rule."""
    put_back: Mapping[str, Place] = {}
    """What must be listed to be put back, exactly."""
    sees: Mapping[str, tuple[str, ...]] = {}
    """For a viewer ("table" for everybody) the cards seen in hands, as "B dodge"."""
    shows: Mapping[str, tuple[Choice, ...]] = {}
    """For a viewer what the open question shows, seals opened."""
    winners: tuple[str, ...] = ()


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario file. `start` sets things of the layout before the first question."""

    game: str
    title: str
    setup: Mapping[str, Any]
    play: tuple[Step, ...]
    id: str = ""
    sections: tuple[str, ...] = ()
    """The sections of the rulebook that it shows."""
    rulings: tuple[str, ...] = ()
    """The rulings that it shows."""
    source: str = ""
    start: Mapping[str, Place] = {}
    content: Mapping[str, str] = {}
    """Content files that differ from the shipped ones, as TOML texts."""
    seals: Mapping[str, str] = {}
    """What lies under the seals that the answers name, such as `"seal:chip/1" = "red"`."""
    silences: bool = True


class Played(msgspec.Struct, frozen=True):
    """A step as it was played: the events it brought and what did not come out as expected."""

    step: Step
    events: tuple[Event, ...]
    faults: tuple[str, ...]
    refusal: CompanionError | None = None


class Playing:
    """A scenario being played. Raises BadSetup or BadContent when it cannot be set up."""

    def __init__(self, scenario: Scenario, box: AnyBox) -> None:
        self.scenario = scenario
        content: Texts = {**box.content(), **scenario.content}
        try:
            setup = msgspec.convert(scenario.setup, box.setup_type)
        except msgspec.ValidationError as error:
            raise BadSetup(N_("The scenario's set-up: {error}"), error=str(error)) from error
        box.register().check(getattr(setup, "rulings", {}))
        game = box.begin(setup, content)
        for thing, place in _each_seat(scenario.start, game.state.seats):
            _put(game, thing, place)
        game.check()
        self.game = game
        self.wording = box.wording(game)
        self.session: Session[Any] = Session(game, scenario.id, silences=scenario.silences)
        self.session.open_seal = scenario.seals.get

    def play(self) -> list[Played]:
        """Play every step; the faults of each tell what did not come out."""
        return [self.play_step(step) for step in self.scenario.play]

    def play_step(self, step: Step) -> Played:
        """Play one step."""
        before = list(self.game.log.events)
        digest = self.session.digest()
        refusal: CompanionError | None = None
        try:
            self._act(step)
        except CompanionError as error:
            refusal = error
        events = _new(before, self.game.log.events)
        faults = [*self._refusal_faults(step, refusal, digest), *self._faults(step, events)]
        return Played(step, events, tuple(faults), refusal)

    # -- doing ---------------------------------------------------------------------------------

    def _act(self, step: Step) -> None:
        session, by = self.session, step.by
        if step.beside:
            session.interject(step.beside, by, _list(step.say)[0])
        else:
            for choice in _list(step.say):
                session.answer(choice, by or None)
        for choice in _list(step.force):
            session.force(choice, by=by)
        for thing, place in step.correct.items():
            session.correct(thing, None if place == "none" else place, by=by)
        for ruling, choice in step.ruling.items():
            session.choose_ruling(ruling, choice, by=by)
        self._change_seats(step)
        if step.do == "undo":
            session.undo(by=by)
        elif step.do == "redo":
            session.redo(by=by)
        elif step.do:
            session.answer(step.do, by or None)

    def _change_seats(self, step: Step) -> None:
        if step.leave:
            self.session.leave(step.leave, by=step.by)
        for seat, name in step.join.items():
            self.session.join(seat, name, by=step.by)
        if step.swap:
            self.session.swap(step.swap[0], step.swap[-1], by=step.by)

    # -- checking ------------------------------------------------------------------------------

    def _refusal_faults(
        self, step: Step, error: CompanionError | None, digest: str
    ) -> Sequence[str]:
        if error is None:
            return [f"must be refused by §{step.refused}, was accepted"] if step.refused else []
        if not step.refused:
            return [f"was refused: {error}"]
        faults: list[str] = []
        rule = error.refusal.rule if isinstance(error, Refused) else type(error).__name__
        if rule != step.refused:
            faults.append(f"must be refused by §{step.refused}, was by §{rule}: {error}")
        if step.forced_by_nobody and isinstance(error, Refused) and error.refusal.can_be_forced:
            faults.append("the refusal must be one that nobody can force")
        if self.session.digest() != digest:
            faults.append("was refused, yet something changed")
        return faults

    def _faults(self, step: Step, events: Sequence[Event]) -> list[str]:
        return [
            *self._place_faults(step),
            *_event_faults(step, events),
            *self._question_faults(step),
            *self._put_back_faults(step),
            *self._sight_faults(step),
            *self._show_faults(step),
        ]

    def _place_faults(self, step: Step) -> list[str]:
        layout = self.game.layout()
        faults = [
            f"{thing} must be {place!r}, is {layout.get(thing)!r}"
            for thing, place in step.expect.items()
            if layout.get(thing) != (None if place == "none" else place)
        ]
        ending = self.game.state.ending
        winners = () if ending is None else ending.winners
        if step.winners and winners != step.winners:
            faults.append(f"winners must be {step.winners}, are {winners}")
        return faults

    def _question_faults(self, step: Step) -> list[str]:
        faults: list[str] = []
        prompts = self.session.prompts
        prompt = prompts[0] if prompts else None
        if step.question is not None:
            wanted = (step.question.key, step.question.seat)
            found = (prompt.key, prompt.seat if wanted[1] else "") if prompt else ("", "")
            if found != wanted:
                faults.append(f"the open question must be {wanted}, is {found}")
        if prompt is None:
            return faults
        refusals = {choice: prompt.why_not(choice) for choice in step.allowed}
        faults += [
            f"{choice} must be allowed, {r.reason.plain()}" for choice, r in refusals.items() if r
        ]
        for name, rule in step.refuses.items():
            choice: Choice = int(name) if name.isdigit() else name
            refusal = prompt.why_not(choice)
            if refusal is None or refusal.rule != rule:
                got = refusal.rule if refusal else "nothing"
                faults.append(f"{choice} must be refused by §{rule}, is by {got}")
        return faults

    def _put_back_faults(self, step: Step) -> list[str]:
        found = {shift.thing: shift.end for shift in self.session.put_back}
        wanted = {thing: None if p == "none" else p for thing, p in step.put_back.items()}
        return [f"to put back must be {wanted}, is {found}"] if wanted and wanted != found else []

    def _sight_faults(self, step: Step) -> list[str]:
        faults: list[str] = []
        for who, wanted in step.sees.items():
            view = self.game.view(None if who == "table" else who)
            found = tuple(f"{seat.seat} {card}" for seat in view.seats for card in seat.hand)
            if found != wanted:
                faults.append(f"{who} must see {wanted} in hands, sees {found}")
        return faults

    def _show_faults(self, step: Step) -> list[str]:
        faults: list[str] = []
        for who, wanted in step.shows.items():
            found = tuple(self.session.shown_to(None if who == "table" else who))
            if found != wanted:
                faults.append(f"{who} must be shown {wanted}, is shown {found}")
        return faults


ACTS = ("say", "do", "correct", "ruling", "force", "leave", "join", "swap")
"""What a step may do, one of them at the most; `beside` goes with `say`."""


def read_scenario(text: str, filename: str) -> Scenario:
    """A scenario from TOML. Raises BadContent with line, field and what is allowed."""
    scenario = read_toml(text, Scenario, filename)
    for number, step in enumerate(scenario.play):
        acts = [act for act in ACTS if getattr(step, act) not in ((), "", {})]
        if len(acts) > 1:
            raise fault(text, filename, ["play", number], f"one act a step, not {', '.join(acts)}")
    return scenario


def explain(playing: Playing, played: Played) -> str:
    """What a failure shows: the table, the open question and the events with their rules."""
    layout = playing.game.layout()
    lines = [f"{thing} = {place}" for thing, place in layout.items() if place]
    session = playing.session
    prompts = session.prompts
    if session.consent is not None:
        lines.append(f"asked: whether {session.consent.needed} agree")
    elif session.put_back:
        lines.append(f"asked: to put back {[shift.thing for shift in session.put_back]}")
    elif prompts:
        asked = playing.wording.ask(prompts[0]).plain()
        lines.append(f"asked: {prompts[0].seat} {prompts[0].key} (§{prompts[0].rule}) {asked}")
    for event in played.events:
        ruling = f", ruling {event.ruling}" if event.ruling else ""
        lines.append(f"- {playing.wording.tell(event).plain()} (§{event.rule}{ruling})")
    return "\n".join([*(f"FAULT {fault}" for fault in played.faults), *lines])


def from_session(
    session: Session[Any], game: str, setup: Mapping[str, Any], content: Texts, title: str
) -> str:
    """A table's game so far as the text of a scenario: a dispute to be judged elsewhere."""
    lines = [f"game = {_toml(game)}", f"title = {_toml(title)}"]
    if not session.silences:
        lines.append("silences = false")
    lines += [f"setup = {_toml(setup)}", "", "[content]"]
    lines += [f"{_toml(name)} = {_toml(text)}" for name, text in content.items()]
    for entry in session.entries:
        if isinstance(entry, Answer) and not may_see(entry, None):
            break
        lines += _play_lines(entry)
    return "\n".join(lines) + "\n"


def _play_lines(entry: Entry) -> list[str]:
    """An entry as a step. What only one seat may know, such as a scan, stays out.

    So a game whose course depends on private answers can be judged only up to the first of them.
    """
    silent = isinstance(entry, Answer) and entry.implied and entry.via != OPENED
    if silent or not may_see(entry, None):
        return []
    step = {key: value for key, value in _step_of(entry).items() if value != ""}
    return (
        ["", "[[play]]", *(f"{key} = {_toml(value)}" for key, value in step.items())]
        if step
        else []
    )


def _step_of(entry: Entry) -> dict[str, Any]:
    match entry:
        case Interjection():
            return {"by": entry.seat, "beside": entry.prompt, "say": entry.choice}
        case Answer():
            return {"by": entry.seat, "force" if entry.forced else "say": entry.choice}
        case Correction():
            place = "none" if entry.place is None else entry.place
            return {"by": entry.by, "correct": {entry.thing: place}}
        case RulingChoice():
            return {"by": entry.by, "ruling": {entry.ruling: entry.choice}}
        case Leave():
            return {"by": entry.by, "leave": entry.seat}
        case Join():
            return {"by": entry.by, "join": {entry.seat: entry.name}}
        case Swap():
            return {"by": entry.by, "swap": [entry.seat, entry.other]}
        case _:
            return {}


def _toml(value: object) -> str:
    """A value in TOML; its strings are JSON's."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(str(k))} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, str) and "\n" in value and "'''" not in value:
        return f"'''\n{value}'''"
    return json.dumps(value, ensure_ascii=False)


def _each_seat(start: Mapping[str, Place], seats: Sequence[str]) -> list[tuple[str, Place]]:
    """The things of a start, `*` standing for every seat."""
    things: list[tuple[str, Place]] = []
    for thing, place in start.items():
        names = [thing.replace("*", seat) for seat in seats] if "*" in thing else [thing]
        things += [(name, None if place == "none" else place) for name in names]
    return things


def _put(game: Game[Any], thing: str, place: Place) -> None:
    """Put a thing where the start says. Raises BadSetup, naming it, when it cannot be."""
    try:
        refusal = game.put(thing, place)
    except BadSetup as error:
        raise BadSetup(N_("start, {thing}: {reason}"), thing=thing, reason=error.phrase) from error
    if refusal is not None:
        raise BadSetup(N_("start, {thing}: {reason}"), thing=thing, reason=refusal.reason)


def _list(say: Say) -> tuple[Choice, ...]:
    return say if isinstance(say, tuple) else (say,)


def _new(before: Sequence[Event], after: Sequence[Event]) -> tuple[Event, ...]:
    """The events from the first that differs: an undo or amendment changes earlier ones."""
    same = 0
    for old, now in zip(before, after, strict=False):
        if old != now:
            break
        same += 1
    return tuple(after[same:])


def _event_faults(step: Step, events: Sequence[Event]) -> list[str]:
    found = [_fields(event) for event in events]
    faults: list[str] = []
    place = 0
    for wanted in step.events:
        at = next((n for n in range(place, len(found)) if _matches(wanted, found[n])), None)
        if at is None:
            names = [f["event"] for f in found]
            faults.append(f"no event {dict(wanted)} (in this order) among {names}")
        else:
            place = at + 1
    faults += [
        f"there must be no {name}"
        for name in step.no_event
        if any(f["event"] == name for f in found)
    ]
    asked = {f["prompt"] for f in found if f["event"] == "Answered"}
    if step.not_asked in asked:
        faults.append(f"{step.not_asked} must not be asked")
    return faults


def _fields(event: Event) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    return {"event": fields.pop("type"), **fields}


def _matches(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    return all(found.get(key) == value for key, value in wanted.items())
