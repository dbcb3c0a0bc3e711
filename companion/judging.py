"""The judge's desk in a terminal: plays a scenario file and explains each step with its rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.games.shelf import open_box
from companion.host import table_of
from companion.journal import Reader
from companion.rules.errors import BadSetup, NotNow, Refused
from companion.rules.events import Event
from companion.rules.phrases import N_, Phrase
from companion.rules.scenarios import Played, Playing, Step, explain, from_session, read_scenario
from companion.words import Words


def judge(file: Path, words: Words, write: Callable[[str], None]) -> int:
    """Play a file; gives 0 when all comes out as it says, else 1.

    Raises BadSetup or BadContent, saying what is allowed.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetup(
            N_("{file} cannot be read: {error}"), file=str(file), error=str(error)
        ) from error
    scenario = read_scenario(text, file.name)
    playing = Playing(scenario, open_box(scenario.game))
    write(f"{scenario.id} {scenario.title}".strip())
    faults = 0
    for number, step in enumerate(scenario.play, start=1):
        played = playing.play_step(step)
        write(_heading(number, step))
        for line in _account(played, playing, words):
            write(line)
        if played.faults:
            write(explain(playing, played))
        faults += len(played.faults)
    verdict = N_("All comes out as the scenario says.") if not faults else N_("Faults: {n}.")
    write(words.say(Phrase(verdict, {"n": faults})))
    return 1 if faults else 0


def as_scenario(journal: Path, number: int) -> str:
    """A game of a journal so far, as a scenario file. Raises NotNow, NoSuchGame, DifferentRules."""
    with Reader(journal) as reader:
        recording = reader.load(number)
        if recording.start is not None:
            raise NotNow(
                N_("Game {number} went on from a stored state; it has no beginning."), number=number
            )
        table = table_of(recording, None)
        table.session.reenact(recording.lines)
    title = f"Game {number} of the journal"
    shipped = table.box.content()
    own = {
        name: text for name, text in recording.header.content.items() if text != shipped.get(name)
    }
    return from_session(table.session, table.box.name, table.setup(), own, title)


def _heading(number: int, step: Step) -> str:
    """What a step does, in the file's own words."""
    said = step.say if isinstance(step.say, tuple) else (step.say,)
    done = [step.by, step.do, step.beside, *(str(choice) for choice in said)]
    done += [f"{thing} → {place}" for thing, place in step.correct.items()]
    return f"{number}. " + " ".join(part for part in (*done, step.note) if part)


def _account(played: Played, playing: Playing, words: Words) -> list[str]:
    """What came of it, each with its rule."""
    lines = [
        f"   {words.say(playing.wording.tell(event))} ({_source(event)})"
        for event in played.events
        if event.rule
    ]
    error = played.refusal
    if error is not None:
        rule = f" (§{error.refusal.rule})" if isinstance(error, Refused) else ""
        lines.append(f"   ✗ {words.say(error.phrase)}{rule}")
    return lines


def _source(event: Event) -> str:
    return f"§{event.rule}" + (f", {event.ruling}" if event.ruling else "")
