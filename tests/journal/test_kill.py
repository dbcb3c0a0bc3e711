"""The process is killed at any moment: what was shown as done is there afterwards."""

from __future__ import annotations

import random
from pathlib import Path

from companion.journal import Journal

from .playing import HEADER, line, python, state

ROUNDS = 20

PLAY = """
import sys
from companion.journal import Journal
from companion.rules.lines import Kind
from playing import line, state
with Journal(sys.argv[1]) as journal:
    first = journal.games()[0].lines + 1
    for n in range(first, 10**6):
        kind = Kind.REFUSED if n % 4 == 0 else Kind.ANSWER
        journal.append(1, line(n, kind), state(n), n % 5 == 0, label=f"line {n}")
        print(f"shown {n}", flush=True)
"""


def shown_until_killed(path: Path, after: int) -> int:
    """Let a process write, kill it once it has shown so many lines; the last one it showed."""
    with python(PLAY, path) as writer:
        assert writer.stdout is not None
        seen = [writer.stdout.readline() for _ in range(after)]
        writer.kill()
        seen += writer.stdout  # what it managed to show until the kill arrived
    whole = [row for row in seen if row.endswith("\n")]
    return int(whole[-1].removeprefix("shown "))


def test_every_line_shown_before_a_kill_is_there(path: Path) -> None:
    chance = random.Random(20)
    with Journal(path) as journal:
        assert journal.begin(HEADER) == 1
    for _ in range(ROUNDS):
        last = shown_until_killed(path, chance.randint(1, 40))
        with Journal(path) as journal:
            assert journal.recovery is None
            lines = journal.load(1).lines
            assert [row.n for row in lines] == list(range(1, len(lines) + 1))
            assert last <= len(lines) <= last + 1, "at most the line not yet shown is more"
            assert journal.latest_snapshot(1) == (len(lines), state(len(lines)))
            assert journal.games()[0].label == f"line {len(lines)}"
            assert lines[-1].come == line(len(lines)).come


BEGIN = """
import sys
from companion.journal import Journal
from playing import HEADER
print("start", flush=True)
with Journal(sys.argv[1]) as journal:
    for _ in range(10**6):
        print(journal.begin(HEADER), flush=True)
"""


def test_a_kill_while_the_journal_is_made_leaves_one_that_opens(tmp_path: Path) -> None:
    for number in range(6):
        path = tmp_path / f"{number}.db"
        with python(BEGIN, path) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            for _ in range(number // 3):
                writer.stdout.readline()
            writer.kill()
            begun = len(list(writer.stdout)) + number // 3
        with Journal(path) as journal:
            assert journal.recovery is None
            assert len(journal.games()) in (begun, begun + 1)
