"""The one model of what is to be shown. Every screen draws from it and knows no game.

`who` is the seat that looks, or None for what everybody at the table may see; nothing gets in here
but by `Session.log(who)`, `Log.seen_by(who)` and `Game.view(who)`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from companion.rules.events import Answered, Drew, Ended, Event
from companion.rules.layouts import Layout, Shift, hand_thing, in_order, shifts
from companion.rules.lines import (
    Answer,
    Correction,
    Entry,
    Interjection,
    Join,
    Kind,
    Leave,
    Splice,
    Swap,
    may_see,
)
from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import Choice, Prompt, Refusal
from companion.rules.seals import is_seal
from companion.rules.session import Session
from companion.rules.views import (
    Board,
    CardBoard,
    GraphBoard,
    PileView,
    RingBoard,
    SeatView,
    View,
)
from companion.rules.wording import Label, Wording
from companion.screens.reading import give_letters

RULES, CONSENT, PUT_BACK, OVER = "rules", "consent", "put back", "over"
"""What is open: a question of the rules, one of the session's own, or nothing any more."""

DONE, YES, NO = "done", "yes", "no"


class Option(msgspec.Struct, frozen=True):
    """Something that may be chosen, and the letter that stands for it ("" for a number)."""

    choice: Choice
    letter: str
    label: Label
    cells: tuple[str, ...] = ()
    """The cells of a board that it is about: one, or from and to."""


class Refused(msgspec.Struct, frozen=True):
    """A candidate that may not be chosen now, and why."""

    choice: Choice
    label: Label
    refusal: Refusal


class Happening(msgspec.Struct, frozen=True):
    """Something that happened, with its number for "why?" and the rule behind it."""

    number: int
    text: Phrase
    rule: str = ""
    ruling: str = ""


class SeatShown(msgspec.Struct, frozen=True):
    """A player's place at the table: where the piece is, the facts before the player."""

    seat: str
    name: str
    active: bool
    asked: bool
    where: Label | None
    facts: tuple[Phrase, ...]
    cards: int


class PieceShown(msgspec.Struct, frozen=True):
    """A piece that belongs to no seat: its letter in pictures, its name, the facts about it."""

    sign: str
    name: Label
    facts: tuple[Phrase, ...]


class Shown(msgspec.Struct, frozen=True):
    """All that a screen shows of one moment.

    `asked` is the name of who must act now, `active` of whose turn it is. `put_back` and `ending`
    are empty unless the table stands so.
    """

    who: str | None
    kind: str
    turn: int
    active: str
    asked: str
    seat: str
    """The seat asked, "" for the whole table."""
    phase: Phrase | None
    question: Phrase
    rule: str
    options: tuple[Option, ...]
    passing: Option | None
    """The option of doing nothing, where there is one."""
    also_asked: tuple[str, ...]
    guide: Phrase | None
    to_move: tuple[Phrase, ...]
    put_back: tuple[Phrase, ...]
    seats: tuple[SeatShown, ...]
    happened: tuple[Happening, ...]
    board: Board
    piles: tuple[PileView, ...]
    ending: Happening | None
    winners: tuple[str, ...]
    shows: tuple[Label, ...] = ()
    """The cards that the question shows to who looks."""
    middle: tuple[Phrase, ...] = ()
    """What lies in the middle of a table without a board."""
    pieces: tuple[PieceShown, ...] = ()
    """The pieces of a board that belong to no seat."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names: the only words that may be shortened to fit."""
        return tuple(seat.name for seat in self.seats)


class Watch:
    """Remembers the table as it was, to tell what is to be moved since the last line."""

    def __init__(self, session: Session[Any], wording: Wording, who: str | None = None) -> None:
        self.session = session
        self.wording = wording
        self.who = who
        self.moves: tuple[Shift, ...] = ()
        self.news: tuple[int, ...] | None = None
        """The numbers of what happened since the last look; None before the first."""
        self._layout = dict(self._now())
        self._line = self._count()
        self._log = session.log(who)

    def look(self) -> bool:
        """Take note of what changed since the last look; whether a line was added since."""
        line = self._count()
        if line == self._line:
            return False
        before, self._line = self._line, line
        if line[0] > before[0] and _all_hidden(self.session, self.who):
            return True
        self._note_news()
        now = dict(self._now())
        self.moves = () if self._by_hand() else tuple(self._moves(now, before[2]))
        self._layout = now
        return True

    def _moves(self, now: Layout, entries: int) -> list[Shift]:
        """What hands have to do, each place left before it is taken."""
        moves = shifts(self._layout, now, self.session.game.counted)
        added = self.session.entries[entries:]
        if added and self.session.history[-1].at >= entries:
            moves = self._with_draws(moves, self.session.event_at[entries])
        return in_order(moves)

    def _with_draws(self, moves: Sequence[Shift], since: int) -> list[Shift]:
        """The same with all cards drawn: a hand that also laid cards shows only the difference."""
        drawn: dict[str, int] = {}
        for event in self.session.game.log.events[since:]:
            if isinstance(event, Drew):
                thing = hand_thing(event.seat, event.deck)
                drawn[thing] = drawn.get(thing, 0) + event.count
        draws = [Shift(thing, 0, count) for thing, count in drawn.items()]
        return [*(shift for shift in moves if shift.kind != "hand"), *draws]

    def _note_news(self) -> None:
        """What is new in the log: a late card or an undo leaves most of it as it was."""
        now = self.session.game.log.seen_by(self.who).events
        same = _alike(self._log, now)
        old = self._log[same:]
        news: list[int] = []
        for number in range(same, len(now)):
            if now[number] in old:
                old.remove(now[number])
            else:
                news.append(number)
        self.news = tuple(news)
        self._log[same:] = now[same:]

    def instructions(self) -> tuple[Phrase, ...]:
        """What hands have to do, in the order of the layout."""
        told = (self.wording.instruct(shift) for shift in self.moves)
        return tuple(phrase for phrase in told if phrase is not None)

    def _now(self) -> Mapping[str, Any]:
        return self.session.view(self.who).layout

    def _count(self) -> tuple[int, int, int]:
        session = self.session
        return len(session.history), len(session.future), len(session.entries)

    def _by_hand(self) -> bool:
        """Whether the table set the pieces itself: a correction, or a list of its own to do."""
        come = self.session.history[-1].come if self.session.history else ()
        return bool(self.session.put_back) or any(isinstance(e, Correction) for e in come)


def show(
    session: Session[Any], wording: Wording, who: str | None = None, watch: Watch | None = None
) -> Shown:
    """What somebody is to be shown now."""
    view = session.view(who)
    asked = _question(session, wording, who, view)
    seat = asked.seat
    names = {one.seat: one.name for one in view.seats}
    return Shown(
        who=who,
        kind=asked.kind,
        turn=view.turn,
        active=names.get(view.active, view.active),
        asked=names.get(seat, seat),
        seat=seat,
        phase=wording.phase(view.phase) if view.phase else None,
        question=asked.text,
        rule=asked.rule,
        options=asked.options,
        passing=next((o for o in asked.options if o.choice == "pass"), None),
        also_asked=asked.also,
        guide=asked.guide,
        to_move=() if watch is None or asked.kind in (CONSENT, PUT_BACK) else watch.instructions(),
        put_back=tuple(wording.place(shift) for shift in session.put_back),
        seats=tuple(_seat(one, view, seat, wording) for one in view.seats),
        happened=tuple(_news(session, wording, who, watch)),
        board=view.board,
        piles=view.piles,
        ending=_ending(session, wording, who) if session.over else None,
        winners=tuple(names.get(winner, winner) for winner in view.winners),
        shows=asked.shows,
        middle=tuple(_middle(view, wording)),
        pieces=tuple(_pieces(view.board, wording)),
    )


# -- the open question -----------------------------------------------------------------------------


class _Question(msgspec.Struct, frozen=True):
    kind: str
    seat: str
    text: Phrase
    rule: str = ""
    options: tuple[Option, ...] = ()
    also: tuple[str, ...] = ()
    guide: Phrase | None = None
    shows: tuple[Label, ...] = ()


def _question(session: Session[Any], wording: Wording, who: str | None, view: View) -> _Question:
    if session.consent is not None:
        return _consent(session, wording, who)
    if session.put_back:
        text = Phrase(N_("Put back as listed, then say done"))
        return _Question(PUT_BACK, "", text, options=_own_options((DONE,), wording))
    prompts = session.prompts
    if not prompts:
        return _Question(OVER, "", Phrase(N_("The game is over")))
    prompt = next((p for p in prompts if p.seat == who), prompts[0])
    names = {one.seat: one.name for one in view.seats}
    if not _open_to(prompt, who):
        covered = Phrase(N_("A private question. Hand the device over"))
        return _Question(RULES, prompt.seat, covered, prompt.rule)
    return _Question(
        RULES,
        prompt.seat,
        wording.ask(prompt),
        prompt.rule,
        options_of(prompt, wording, names),
        tuple(names[p.seat] for p in prompts if p is not prompt and p.seat in names),
        wording.guide(prompt),
        shown_cards(session, wording, who),
    )


def shown_cards(
    session: Session[Any], wording: Wording, who: str | None, offer: Prompt[Any] | None = None
) -> tuple[Label, ...]:
    """The cards that the open question, or an offer beside it, shows to somebody."""
    return tuple(_shown_card(card, wording) for card in session.shown_to(who, offer))


def _shown_card(card: Choice, wording: Wording) -> Label:
    """A card that is shown; what is still under its seal has lost its tag."""
    label = wording.label(card)
    if is_seal(card):
        return Phrase(N_("{what}: look at it yourself, nobody knows its tag"), {"what": label})
    return label


def options_of(
    prompt: Prompt[Any], wording: Wording, names: Mapping[str, str]
) -> tuple[Option, ...]:
    """What may be chosen, each with its letter."""
    choices: list[Choice] = list(prompt.options())
    letters = give_letters(choices, names)
    return tuple(
        Option(choice, letter, wording.label(choice, prompt), prompt.where(choice))
        for choice, letter in zip(choices, letters, strict=True)
    )


def refused(session: Session[Any], wording: Wording, who: str | None = None) -> Iterator[Refused]:
    """The candidates of the open question that may not be chosen, made while you look."""
    if session.consent is not None or session.put_back:
        return
    prompts = session.prompts
    prompt = next((p for p in prompts if p.seat == who), prompts[0] if prompts else None)
    if prompt is None or not _open_to(prompt, who):
        return
    for choice in prompt.candidates:
        refusal = prompt.refusal_of(choice)
        if refusal is not None:
            yield Refused(choice, wording.label(choice, prompt), refusal)


def _own_options(choices: Sequence[str], wording: Wording) -> tuple[Option, ...]:
    letters = give_letters(choices, {})
    return tuple(
        Option(choice, letter, wording.label(choice))
        for choice, letter in zip(choices, letters, strict=True)
    )


def _consent(session: Session[Any], wording: Wording, who: str | None) -> _Question:
    consent = session.consent
    if consent is None:
        raise ValueError("no consent is open")
    entries = consent.splice.lost or consent.splice.come
    args = {
        "who": [wording.label(seat) for seat in consent.needed],
        "by": wording.label(consent.by) if consent.by else "",
        "what": tell_entries(entries, wording, who),
    }
    if consent.kind is Kind.AMEND:
        text = N_("Agree to amend: {what}?")
    elif consent.any_one:
        text = N_("Agree, any one of you, to take back: {what}?")
    else:
        text = N_("Agree to take back: {what}?")
    names = [session.game.state.names.get(seat, seat) for seat in consent.needed]
    options = _own_options((YES, NO), wording)
    if consent.any_one:
        asked = " / ".join(names)
        return _Question(CONSENT, asked, Phrase(text, args), options=options)
    also = tuple(names[1:])
    return _Question(CONSENT, consent.needed[0], Phrase(text, args), options=options, also=also)


def tell_entries(
    entries: Sequence[Entry], wording: Wording, who: str | None, most: int = 3
) -> list[Phrase]:
    """What people did, in short, without what nobody said aloud or only one may see."""
    told = [phrase for entry in entries if (phrase := tell_entry(entry, wording, who)) is not None]
    more = len(told) - most
    return told if more <= 0 else [*told[:most], Phrase(N_("{more} more"), {"more": more})]


def question_of(entry: Answer | Interjection) -> Prompt[Any]:
    """The question that an entry answered, as far as its words need it."""
    return Prompt(entry.prompt, entry.seat, "", ())


def tell_entry(entry: Entry, wording: Wording, who: str | None = None) -> Phrase | None:
    """One thing that a person did, in short, as far as `who` may know it; None for a silence."""
    if isinstance(entry, Answer) and entry.implied:
        return None
    if not may_see(entry, who):
        return Phrase(N_("{who}: a hidden act"), {"who": wording.label(entry.by)})
    if isinstance(entry, (Answer, Interjection)):
        return Phrase(
            N_("{who}: {choice}"),
            {
                "who": wording.label(entry.seat),
                "choice": wording.label(entry.choice, question_of(entry)),
            },
        )
    if isinstance(entry, Correction):
        return wording.place(Shift(entry.thing, None, entry.place))
    return _change(entry, wording)


def _change(entry: Entry, wording: Wording) -> Phrase:
    """A change of who sits where, or of another kind that is rare."""
    match entry:
        case Leave(seat=seat):
            return Phrase(N_("{who} leaves"), {"who": wording.label(seat)})
        case Join(name=name):
            return Phrase(N_("{who} joins"), {"who": name})
        case Swap(seat=seat, other=other):
            args = {"who": wording.label(seat), "other": wording.label(other)}
            return Phrase(N_("{who} and {other} change places"), args)
    return Phrase(N_("a change at the table"))


# -- what happened ---------------------------------------------------------------------------------


def happenings(
    session: Session[Any], wording: Wording, who: str | None, since: int = 0
) -> list[Happening]:
    """The events from the log's number `since` on that somebody may see, in words."""
    seen = session.game.log.seen_by(who)
    first = bisect_left(seen.numbers, since)
    return [happening(n, seen.events[n], wording) for n in range(first, len(seen.events))]


def happening(number: int, event: Event, wording: Wording) -> Happening:
    """An event in words."""
    return Happening(number, wording.tell(event), event.rule, event.ruling or "")


def _alike(before: Sequence[Event], after: Sequence[Event]) -> int:
    """How many events two logs have in common from the beginning; most often all of the first."""
    end = len(before)
    if not end or (len(after) >= end and after[end - 1] is before[-1]):
        return end
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _news(
    session: Session[Any], wording: Wording, who: str | None, watch: Watch | None
) -> list[Happening]:
    """What is new since the watch last looked, or else what the last act brought."""
    if watch is None or watch.news is None:
        return last_happenings(session, wording, who)
    events = session.game.log.seen_by(who).events
    return [
        happening(number, events[number], wording)
        for number in watch.news
        if number < len(events) and not isinstance(events[number], Answered)
    ]


def last_happenings(session: Session[Any], wording: Wording, who: str | None) -> list[Happening]:
    """What came of the last thing that people did; bare answers only where nothing else did."""
    shown = next((s for s in reversed(session.history) if not _is_hidden(s, who)), None)
    if shown is None or shown.at >= len(session.event_at):
        return []
    since = session.event_at[shown.at]
    events = session.game.log.seen_by(who).events
    found = happenings(session, wording, who, since)
    told = [one for one in found if not isinstance(events[one.number], Answered)]
    return told or found


def _is_hidden(splice: Splice, who: str | None) -> bool:
    """Whether a splice brought nothing that somebody may know of."""
    return bool(splice.come) and all(
        isinstance(entry, Interjection) and not may_see(entry, who) for entry in splice.come
    )


def _all_hidden(session: Session[Any], who: str | None) -> bool:
    return bool(session.history) and _is_hidden(session.history[-1], who)


def _open_to(prompt: Prompt[Any], who: str | None) -> bool:
    """Whether somebody may see what a question is about."""
    return not prompt.private or prompt.seat == who


def _ending(session: Session[Any], wording: Wording, who: str | None) -> Happening | None:
    events = session.log(who)
    for number in range(len(events) - 1, -1, -1):
        if isinstance(events[number], Ended):
            return happening(number, events[number], wording)
    return None


# -- the seats -------------------------------------------------------------------------------------


def _seat(one: SeatView, view: View, asked: str, wording: Wording) -> SeatShown:
    return SeatShown(
        seat=one.seat,
        name=one.name,
        active=one.seat == view.active,
        asked=one.seat == asked,
        where=_where(one.seat, view.board, wording),
        facts=tuple(wording.fact(kind, value) for kind, value in one.facts.items()),
        cards=sum(one.hand_counts.values()),
    )


def _middle(view: View, wording: Wording) -> Iterator[Phrase]:
    """What lies in the middle of a card game."""
    board = view.board
    if not isinstance(board, CardBoard):
        return
    if board.top:
        yield Phrase(N_("On top: {card}"), {"card": wording.label(board.top)})
    if board.follow:
        yield Phrase(N_("to follow: {what}"), {"what": wording.label(board.follow)})
    if board.direction:
        yield Phrase(N_("turns go {way}"), {"way": wording.label(board.direction)})
    for pile in view.piles:
        yield Phrase(N_("stock: {n}, pile: {pile}"), {"n": pile.draw, "pile": pile.discarded})


def _pieces(board: Board, wording: Wording) -> Iterator[PieceShown]:
    if isinstance(board, GraphBoard):
        for one in board.pieces:
            facts = tuple(wording.fact(kind, value) for kind, value in one.facts.items())
            yield PieceShown(one.sign, wording.label(one.piece), facts)


def _where(seat: str, board: Board, wording: Wording) -> Label | None:
    if isinstance(board, RingBoard):
        for square in board.squares:
            if seat in square.pieces:
                return wording.label(square.number)
        if seat in board.outside:
            return Phrase(N_("outside"))
    return None
