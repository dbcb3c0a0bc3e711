"""The game written by following `docs/add-a-game.md` is one like the others on the shelf."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.command import main
from companion.games.shelf import open_box
from companion.rules.errors import BadContent
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.contract.one_game import contract_for, put_on_the_shelf
from tests.contract.tables import begin
from tests.host.simulated import hands_at
from tests.scenarios import test_scenarios
from tests.sixth.box import BOX, CARDS
from tests.sixth.content import read_cards

NAME = BOX.name
SCENARIOS = Path(__file__).parent / "scenarios"
FILES = sorted(SCENARIOS.glob("*/*.toml"))
TABLES: list[dict[str, Any]] = [
    {"seats": ["Ana", "Budi"]},
    {"seats": ["Ana", "Budi", "Cici", "Dewi"], "first": "C", "rulings": {"F1": "spares_it"}},
]


@pytest.fixture(autouse=True)
def on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    put_on_the_shelf(monkeypatch, NAME, "tests.sixth.box", TABLES)
    monkeypatch.setattr(test_scenarios, "HERE", SCENARIOS)


def test_it_is_on_the_shelf() -> None:
    assert open_box(NAME) is BOX


@pytest.mark.parametrize("holds", contract_for(NAME, len(TABLES), test_scenarios))
def test_what_holds_for_every_game(holds: Callable[[], None]) -> None:
    holds()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenarios_come_out_as_they_say(file: Path) -> None:
    test_scenarios.test_comes_out_as_it_says(file)


def test_the_terminal_plays_it_to_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session: Session[Any] = Session(begin(NAME, 0))
    table, lines = VirtualTable(session.game, Random(2)), tmp_path / "lines.txt"
    said: list[str] = []
    while not session.over:
        said.append(str(table.answer(session.prompt)))
        session.answer(said[-1])
    lines.write_text("\n".join(said), encoding="utf-8")
    options = ["--players", "Ana,Budi", "--set", "first=A", "--language", "en"]
    journal = ["--journal", str(tmp_path / "journal.db"), "--script", str(lines)]
    assert main(["play", NAME, *options, *journal]) == 0
    assert "It is dawn. Most fireflies: " in capsys.readouterr().out


def test_taps_of_cards_and_seats_are_answers() -> None:
    with hands_at(game=NAME, first="A") as hands:
        hands.do("tap swarm", "tap firefly", "tap frog")
        assert hands.table.session.prompt.key == "whom"
        hands.do("tap seat A")
        assert hands.table.session.game.state.jars == {"A": 1, "B": 1, "C": 1}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "frog"', 'id = "scan"', "line 20, night 3.id: The id scan is taken"),
        ("count = 9", "count = 1", "at least 13 cards"),
        ('do = "take"', 'do = "steal"', "Allowed: catch, take"),
        ('do = "catch", count = .', 'do = "take"', "no night ends"),
    ],
)
def test_cards_that_cannot_be_are_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(BadContent) as caught:
        read_cards(re.sub(old, new, BOX.content()[CARDS]))
    assert said in str(caught.value)
