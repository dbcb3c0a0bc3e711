"""Carpet Racers on simulated chips: cards are tapped, the rest is chosen by buttons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import Journal
from tests.host.simulated import Hands, hands_at, journal_at


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with journal_at(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def hands(journal: Journal) -> Iterator[Hands]:
    with hands_at(journal, game="carpet-racers", first="A", tags="none") as at:
        yield at


def test_a_turn_is_a_tap_and_a_few_presses(hands: Hands, journal: Journal) -> None:
    """A card; the first way to split it; the first colour; and the next player's card."""
    hands.do("tap yellow + red 6")
    game = hands.table.session.game
    assert hands.table.session.prompt.key == "split"
    hands.choose()
    hands.choose()
    layout = game.layout()
    assert (layout["car/yellow"], layout["car/red"]) == (2, 6)
    assert layout["boost/A/yellow"] == 1
    assert hands.table.session.prompt.key == "discard"
    hands.do("tap green + grey 5")
    assert (game.layout()["turn"], game.layout()["discard/card"]) == ("B", 2)
    vias = [line.via for line in journal.load(hands.table.number).lines]
    assert vias == ["tag", "handset", "handset", "tag"]


def test_a_fork_is_chosen_on_the_picture_of_the_track(hands: Hands) -> None:
    hands.table.session.correct("car/yellow", 12)
    hands.do("tap yellow + red 3")
    hands.choose()
    assert hands.table.session.prompt.key == "way"
    hands.do("press down ok")
    assert hands.table.session.game.layout()["car/yellow"] == 31
