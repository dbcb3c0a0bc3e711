"""A disk that is full, write-protected or broken: said, survived, nothing half written."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.journal import CannotOpen, Journal, NotWritten, Recovery
from companion.rules.errors import CompanionError, Refused
from companion.rules.game import Game, State
from companion.rules.layouts import Layout
from companion.rules.lines import Kind
from companion.rules.prompts import Prompt
from companion.rules.rulings import Register
from companion.rules.session import Session

from .playing import HEADER, line, numbers, play, state

Fault = Callable[[Journal], Any]


@contextmanager
def full(journal: Journal) -> Iterator[None]:
    """No page more than the file has."""
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        journal._db.execute("PRAGMA max_page_count = 1073741823")


@contextmanager
def broken(journal: Journal) -> Iterator[None]:
    """Every write beyond the first bytes of a file fails, as on a failing disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def protected(journal: Journal) -> Iterator[None]:
    journal._db.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        journal._db.execute("PRAGMA query_only = OFF")


@contextmanager
def failing_at(journal: Journal, action: int) -> Iterator[None]:
    """SQLite refuses one kind of statement, in the middle of the transaction."""

    def answer(asked: int, *_: str | None) -> int:
        return sqlite3.SQLITE_DENY if asked == action else sqlite3.SQLITE_OK

    journal._db.set_authorizer(answer)
    try:
        yield
    finally:
        journal._db.set_authorizer(None)


def without_update(journal: Journal) -> Any:
    return failing_at(journal, sqlite3.SQLITE_UPDATE)


def without_delete(journal: Journal) -> Any:
    return failing_at(journal, sqlite3.SQLITE_DELETE)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (full, "the disk is full. Make room"),
        (broken, "the disk failed"),
        (protected, "write-protected"),
        (without_update, "not authorized"),
        (without_delete, "not authorized"),
    ],
)
def test_what_was_not_written_is_said_and_can_be_written_again(
    path: Path, fault: Fault, said: str
) -> None:
    with Journal(path) as journal:
        game = journal.begin(HEADER)
        play(journal, game, 1, 7)
        with fault(journal):
            for _ in range(3):
                with pytest.raises(NotWritten, match=said) as caught:
                    journal.append(game, line(8), state(8) * 20, label="new")
                assert isinstance(caught.value, OSError)
                assert isinstance(caught.value, CompanionError)
                assert caught.value.phrase.plain() == str(caught.value)
            assert numbers(journal, game) == list(range(1, 8))
            assert journal.latest_snapshot(game) == (7, state(7))
            assert journal.games()[0].label == "round 1"
        journal.append(game, line(8), state(8) * 20, label="new")
        play(journal, game, 9, 12)
    with Journal(path) as journal:
        assert journal.recovery is None
        assert numbers(journal, game) == list(range(1, 13))


def test_a_refusal_that_cannot_be_written_leaves_the_next_commit_synced(journal: Journal) -> None:
    game = journal.begin(HEADER)
    with broken(journal), pytest.raises(NotWritten):
        journal.append(game, line(1, Kind.REFUSED))
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
    journal.append(game, line(1, Kind.REFUSED))
    assert numbers(journal, game) == [1]


def test_beginning_and_finishing_say_it_too(journal: Journal) -> None:
    game = journal.begin(HEADER)
    with protected(journal):
        with pytest.raises(NotWritten):
            journal.begin(HEADER)
        with pytest.raises(NotWritten):
            journal.begin_from(HEADER, b"state")
        with pytest.raises(NotWritten):
            journal.finish(game)
    assert [(each.id, each.finished) for each in journal.games()] == [(game, False)]


def test_an_error_of_the_caller_leaves_nothing_half_written(journal: Journal) -> None:
    game = journal.begin(HEADER)
    with pytest.raises(TypeError):
        journal.append(game, line(1), "no bytes")  # type: ignore[arg-type]
    assert numbers(journal, game) == []
    play(journal, game, 1, 2)


# -- with the session ----------------------------------------------------------------------------


class Counting(Game[State]):
    """Seat A says numbers; the state keeps them all."""

    name = "counting"

    async def step(self) -> None:
        self.state.names["sum"] += str(await self.ask(self.number))

    def number(self) -> Prompt[int]:
        return Prompt("number", "A", "1", range(10))

    def layout(self) -> Layout:
        return {"sum/A": self.state.names["sum"]}


def test_the_session_takes_back_what_was_not_written(journal: Journal) -> None:
    game = journal.begin(HEADER)
    counting = Counting(State(seats=["A"], names={"A": "Ann", "sum": ""}), Register((), ()))
    session = Session(counting, "salt")
    session.write = lambda row: journal.append(game, row, session.snapshot())
    for number in (1, 2, 3):
        session.answer(number)
    before, question = session.digest(), session.question_id()
    with protected(journal):
        with pytest.raises(NotWritten):
            session.answer(4)
        assert (session.digest(), session.question_id()) == (before, question)
        with pytest.raises(NotWritten):
            session.undo()
        assert (session.digest(), session.question_id()) == (before, question)
        with pytest.raises(Refused):
            session.answer(99)
    session.answer(5)
    assert session.game.state.names["sum"] == "1235"
    assert numbers(journal, game) == [1, 2, 3, 4]

    recording = journal.load(game)
    again = Session(
        Counting(State(seats=["A"], names={"A": "Ann", "sum": ""}), Register((), ())), "salt"
    )
    again.reenact(recording.lines)
    assert again.digest() == session.digest()
    assert journal.latest_snapshot(game) == (session.number, session.snapshot())


# -- at the start --------------------------------------------------------------------------------


def test_no_room_for_a_recovery_is_said_and_the_damaged_file_stays(path: Path) -> None:
    with Journal(path) as journal:
        play(journal, journal.begin(HEADER), 1, 30)
    damaged = bytearray(path.read_bytes())
    damaged[2 * 4096 : 3 * 4096] = bytes(4096)
    path.write_bytes(damaged)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3 * 4096, hard))
    try:
        for _ in range(2):
            with pytest.raises(CannotOpen):
                Journal(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == damaged
    others = {file.name for file in path.parent.iterdir()} - {path.name}
    assert others <= {"journal.db.lock", "journal.db-shm", "journal.db-wal"}
    with Journal(path) as journal:
        assert isinstance(journal.recovery, Recovery)
