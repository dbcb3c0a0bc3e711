"""Whole games with tags on what lies face down: the companion itself says what it was."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.equipping import things_of
from companion.games.shelf import open_box
from companion.host import Table, new_table, resume_table
from companion.journal import Journal
from companion.rules.events import Event, Reshuffled
from companion.rules.lines import OPENED, Answer
from companion.rules.prompts import Prompt
from companion.rules.seals import OVER, is_seal, sort_of
from companion.rules.tags import TagKind
from companion.simulation import SimulatedTags
from companion.virtual import VirtualTable
from tests.contract.tables import SETUPS
from tests.contract.test_seals import SEALED

TAGGED = [(game, number) for game, number in SEALED if "tags" in SETUPS[game][number]]
RESTARTS = 100
"""Answers after which the power is cut once more."""


class Pieces:
    """The real things on the table, each with its tag, and the people who tap them."""

    def __init__(self, table: Table, seed: int) -> None:
        self.book = SimulatedTags(things_of(table))
        self.random = Random(seed)
        self.tags = {
            table.seals.seal(tag): tag for tag in self.book.tags() if tag.kind is TagKind.SEALED
        }
        self.used: set[str] = set()
        """The seals on things that are not in the supply."""
        self.take(table)

    def take(self, table: Table) -> None:
        """Sit down at a table: the same one, perhaps after a restart."""
        self.table = table
        self.session = table.session
        table.seals.book = self.book
        people = getattr(self, "people", None)
        self.people = people or VirtualTable(self.session.game, self.random)
        self.people.game = self.session.game

    def answer(self) -> None:
        prompt = self.session.prompt
        before = len(self.session.game.log)
        if prompt.seals:
            seal = self.tapped(prompt)
            self.used.add(seal)
            self.session.answer(seal, prompt.seat)
        else:
            self.session.answer(self.people.answer(prompt), prompt.seat)
        self.shuffle(self.session.game.log.events[before:])

    def tapped(self, prompt: Prompt[Any]) -> str:
        """One of the things that lie where the question means, else one from the supply."""
        fits = [seal for seal in self.tags if prompt.why_not(seal) is None]
        lying = [seal for seal in fits if seal in self.lying()]
        return self.random.choice(lying or [seal for seal in fits if seal not in self.used] or fits)

    def lying(self) -> set[str]:
        state = self.session.snapshot()
        return {seal for seal in self.tags if seal.encode() in state}

    def shuffle(self, events: list[Event]) -> None:
        """What had been revealed is in the supply again."""
        for event in events:
            if isinstance(event, Reshuffled):
                self.used -= {seal for seal in self.used if sort_of(seal) == event.deck}
                self.used |= self.lying()

    def meant(self, seal: str) -> str:
        return self.tags[seal].thing.partition(OVER)[2]


@pytest.mark.parametrize(("game", "number"), TAGGED)
def test_a_sealed_game_asks_nothing_that_tags_can_tell(
    game: str, number: int, tmp_path: Path
) -> None:
    box = open_box(game)
    setup = msgspec.convert(SETUPS[game][number], box.setup_type)
    with Journal(tmp_path / "journal.db") as journal:
        pieces = Pieces(new_table(box, setup, box.content(), journal), seed=3)
        looks = 0
        for n in range(2000):
            if pieces.session.over:
                break
            prompt = pieces.session.prompt
            assert not prompt.reveals, "its tag is known"
            looks += check_eyes(pieces, prompt)
            pieces.answer()
            if n % RESTARTS == RESTARTS - 1:
                digest = pieces.session.digest()
                pieces.take(resume_table(journal, pieces.table.number))
                assert pieces.session.digest() == digest
        assert pieces.session.over
        assert looks
        opened = [e for e in pieces.session.entries if isinstance(e, Answer) and e.via == OPENED]
        assert opened
        assert not any(is_seal(entry.choice) for entry in opened)


def check_eyes(pieces: Pieces, prompt: Prompt[Any]) -> int:
    """Who is shown what by the open question; gives whether anything is."""
    mine = [pieces.meant(seal) for seal in prompt.shows if is_seal(seal)]
    if mine:
        assert pieces.session.shown_to(prompt.seat) == mine
        others = {None, *pieces.session.game.state.seats} - {prompt.seat}
        assert all(pieces.session.shown_to(who) == [] for who in others)
    return len(mine)
