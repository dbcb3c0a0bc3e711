"""What the journal's tests play with: a header, lines, and a game of so many lines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec

import companion
from companion.journal import Journal
from companion.rules.lines import Answer, Header, Kind, Line

HEADER = Header(
    game="chaos-kart",
    rules="v1",
    setup=msgspec.Raw(b'{"seats":["A","B"]}'),
    salt="salt",
    content={"cards.toml": "# cards\n" * 300, "board.toml": "squares = 20\n"},
)


def line(n: int, kind: Kind = Kind.ANSWER) -> Line:
    """A line that says its own number."""
    answer = Answer("move", "A" if n % 2 else "B", n, "tap")
    return Line(n, kind, at=n - 1, come=(answer,), by=answer.seat, digest=f"{n:024x}")


def state(n: int) -> bytes:
    """A state that fills more than one page of the file."""
    return f"state {n} ".encode() * 400


def play(journal: Journal, game: int, first: int, last: int) -> None:
    """Append lines `first` to `last`; every fifth begins a turn."""
    for n in range(first, last + 1):
        journal.append(game, line(n), state(n), n % 5 == 0, label=f"round {n // 5}")


def numbers(journal: Journal, game: int) -> list[int]:
    return [row.n for row in journal.load(game).lines]


def python(code: str, *args: str | Path) -> subprocess.Popen[str]:
    """Run code in another process, whose output is read line by line."""
    root = str(Path(companion.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, args)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([root, str(Path(__file__).parent)])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
