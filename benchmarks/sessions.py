"""A session's own cost: answering, undoing and replaying, without the disk."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.play import SEED, begin
from companion.games.shelf import open_box
from companion.rules.lines import Line
from companion.rules.session import Session


def measures(name: str, answers: int) -> Iterator[str]:
    """Answer, undo and replay at a number of answers."""
    lines, times = _play(name, answers)
    early, late = median(times[20:120]), median(times[-100:])
    yield (
        f"{name}: answer to new prompt: {late * 1e6:,.0f} us at {answers:,} answers, "
        f"{late / early:.2f} times that of the first hundred (budget 1,000 us)"
    )
    session, spent = _replay(name, lines)
    yield f"{name}: replay of {len(lines):,} lines: {spent * 1e3:,.1f} ms, every digest checked"
    undo = median(_take_back(session) for _ in range(50))
    yield f"{name}: undo at {answers:,} answers: {undo * 1e6:,.0f} us (budget 1,000 us)"


def _play(name: str, answers: int) -> tuple[list[Line], list[float]]:
    """Give random allowed answers, taking back the end of a game, and time each answer."""
    lines: list[Line] = []
    times: list[float] = []
    session = _begin(name, lines)
    random = Random(SEED)
    while len(lines) < answers:
        if session.over:
            _take_back(session)
        options = list(session.prompt.options())
        choice = options[int(random.random() * len(options))]
        started = perf_counter()
        session.answer(choice)
        times.append(perf_counter() - started)
    return lines, times


def _take_back(session: Session[Any]) -> float:
    """Undo; gives the time of the undo itself, without consents and putting back."""
    started = perf_counter()
    session.undo()
    spent = perf_counter() - started
    while session.consent is not None:
        started = perf_counter()
        session.answer("yes")
        spent = perf_counter() - started
    if session.put_back:
        session.answer("done")
    return spent


def _begin(name: str, lines: list[Line]) -> Session[Any]:
    box = open_box(name)
    return Session(begin(box, box.content()), "salt", write=lines.append)


def _replay(name: str, lines: list[Line]) -> tuple[Session[Any], float]:
    session = _begin(name, [])
    started = perf_counter()
    session.reenact(lines)
    return session, perf_counter() - started
