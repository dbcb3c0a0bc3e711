"""The plug may be pulled at any moment: same prompt, same digest, nothing shown is lost.

Whole companions as processes of their own are killed in `test_cuts`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.shelf import open_box
from companion.host import Table, new_table, resume_table
from companion.journal import Journal
from companion.rules.prompts import Choice
from companion.virtual import VirtualTable

ANSWERS = 60
SETUP = {"seats": ["Ana", "Budi", "Cici"], "laps": 9, "guide": False}


def begin(journal: Journal | None) -> Table:
    box = open_box("chaos-kart")
    return new_table(box, msgspec.convert(SETUP, box.setup_type), box.content(), journal)


def game_of(length: int) -> list[Choice]:
    """Answers of a game that virtual people played."""
    session = begin(None).session
    people = VirtualTable(session.game, Random(6))
    answers: list[Choice] = []
    for _ in range(length):
        answers.append(people.answer(session.prompt))
        session.answer(answers[-1])
    return answers


def look(table: Table) -> tuple[str, str, str]:
    """What must be the same after a power cut."""
    prompt = table.session.prompt
    return table.session.digest(), prompt.key, prompt.seat


def in_a_child_that_is_killed(act: Callable[[], tuple[str, ...]]) -> list[str]:
    """Run something in a forked process that is killed as soon as it has shown its outcome."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        try:
            os.write(into, "\n".join(act()).encode())
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(into)
    with os.fdopen(out) as pipe:
        shown = pipe.read().split("\n")
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    return shown


def test_killed_after_every_answer_the_game_goes_on_at_the_same_prompt(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    answers = game_of(ANSWERS)
    with Journal(file) as journal:
        number = begin(journal).number
    for answer in answers:

        def one_answer(answer: Choice = answer) -> tuple[str, ...]:
            table = resume_table(Journal(file), number)
            table.session.answer(answer)
            return look(table)

        shown = in_a_child_that_is_killed(one_answer)
        with Journal(file) as journal:
            assert journal.recovery is None
            assert list(look(resume_table(journal, number))) == shown
    with Journal(file) as journal:
        answered = [line for line in journal.load(number).lines if line.kind == "answer"]
        assert len(answered) == ANSWERS


@pytest.mark.parametrize("count", [1, 7, 23, 60])
def test_killed_in_one_go_after_some_answers(tmp_path: Path, count: int) -> None:
    file = tmp_path / "journal.db"
    answers = game_of(count)

    def many_answers() -> tuple[str, ...]:
        table = begin(Journal(file))
        for answer in answers:
            table.session.answer(answer)
        return look(table)

    shown = in_a_child_that_is_killed(many_answers)
    with Journal(file) as journal:
        assert list(look(resume_table(journal, 1))) == shown


def test_killed_while_an_undo_waits_for_consent_and_for_the_pieces(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"

    def undo() -> tuple[str, ...]:
        table = begin(Journal(file))
        table.session.answer("forward-3")
        table.session.answer("pass")
        table.session.undo(by="A")
        assert table.session.consent is not None
        return (table.session.digest(), *table.session.consent.needed)

    shown = in_a_child_that_is_killed(undo)
    with Journal(file) as journal:
        table = resume_table(journal, 1)
        assert table.session.consent is not None
        assert [table.session.digest(), *table.session.consent.needed] == shown

    def agree() -> tuple[str, ...]:
        table = resume_table(Journal(file), 1)
        table.session.answer("yes")
        return tuple(shift.thing for shift in table.session.put_back)

    listed = in_a_child_that_is_killed(agree)
    assert listed
    with Journal(file) as journal:
        table = resume_table(journal, 1)
        assert [shift.thing for shift in table.session.put_back] == listed


def test_one_hash_whatever_the_process(tmp_path: Path) -> None:
    """The same journal replayed in fresh processes, hash seeds differing, gives one digest."""
    file = tmp_path / "journal.db"
    with Journal(file) as journal:
        table = begin(journal)
        for answer in game_of(40):
            table.session.answer(answer)
        digest = table.session.digest()
    code = (
        "import sys; from companion.host import look_at; from companion.journal import Journal\n"
        "with Journal(sys.argv[1]) as journal: print(look_at(journal, 1).session.digest())"
    )
    for seed in ("0", "1", "77"):
        environment: dict[str, Any] = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", code, str(file)], env=environment, check=True,
            capture_output=True, text=True,
        )  # fmt: skip
        assert run.stdout.strip() == digest
