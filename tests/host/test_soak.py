"""People play on and on: neither memory nor files grow, and an answer costs what it did at first.

On simulated chips, in time that is driven. SOAK=10000 plays so many answers.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from PIL.Image import Image

from benchmarks.soak import LongTable, long_table, readings
from companion.host import Table, resume_table
from companion.journal import Journal
from companion.rules.session import Session
from companion.screens.handset import Handset

SHORT = 200
ANSWERS = int(os.environ.get("SOAK", SHORT))
TENTH = ANSWERS // 10
LONG = ANSWERS > SHORT
"""Then times and the memory of the whole process mean something."""

pytestmark = pytest.mark.soak


def alive() -> Counter[type]:
    """How many tables there are, with what belongs to them, and pictures."""
    gc.collect()
    kinds = (Table, Session, Handset, Image)
    return Counter(kind for one in gc.get_objects() for kind in kinds if type(one) is kind)


def opened() -> int:
    """How many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def blocks(table: LongTable, answers: int) -> int:
    """How many pieces of memory Python has given out once so many answers were given."""
    while table.answers < answers:
        table.answer()
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.parametrize("game", ["chaos-kart", "uno-mario-kart"])
def test_what_is_alive_stays_as_it_is(tmp_path: Path, game: str) -> None:
    with long_table(game, tmp_path) as table:
        first = blocks(table, TENTH)
        then, files, threads = alive(), opened(), threading.active_count()
        last = blocks(table, ANSWERS)
        now = alive()
        assert {kind: now[kind] for kind in (Table, Session, Handset)} == {
            kind: then[kind] for kind in (Table, Session, Handset)
        }
        assert now[Image] <= then[Image] + 5
        assert (opened(), threading.active_count()) == (files, threads)
        # Some thirty pieces an answer are the journal of the game that is played, for its undo.
        assert last - first < 100 * (ANSWERS - TENTH)
        digest, number = table.table.session.digest(), table.table.number
    with Journal(tmp_path / "journal.db") as journal:
        assert resume_table(journal, number).session.digest() == digest


def test_the_last_answers_cost_what_the_first_did(tmp_path: Path) -> None:
    with long_table("chaos-kart", tmp_path) as table:
        at = [TENTH * n for n in (1, 2, 9, 10)]
        one, two, nine, ten = readings(table, at)
        # A log that is emptied now and then makes some steps longer than others.
        assert ten.disk - nine.disk < 2 * (two.disk - one.disk) + 500_000
        if LONG:
            assert ten.seconds < 2 * two.seconds
            assert ten.memory < 1.3 * one.memory
