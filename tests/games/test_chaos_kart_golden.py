"""A whole game told in plain text, and how many ways there are to play tiny positions.

Both are compared with the files beside this one. After a wanted change: UPDATE_GOLDEN=1 pytest …,
then read the difference.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.chaos_kart.setup import Setup
from companion.games.shelf import open_box
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.games.playthroughs import compare, told, ways

BOX = open_box("chaos-kart")


TINY_CARDS = """
[[move]]
id = "forward-1"
count = 3
steps = 1
name = { id = "Maju 1", en = "Forward 1", ja = "前進1" }
[[move]]
id = "forward-1-2"
count = 5
steps = [1, 2]
name = { id = "Maju 1–2", en = "Forward 1–2", ja = "前進1–2" }
[[power_up]]
id = "shove"
count = 1
type = "attack"
effects = [{ do = "back", who = "opponent", steps = 1 }]
name = { id = "Dorong", en = "Shove", ja = "押し" }
[[power_up]]
id = "nope"
count = 1
type = "defence"
trigger = "attacked"
effects = [{ do = "cancel" }]
name = { id = "Tolak", en = "Nope", ja = "だめ" }
[[event]]
id = "event-back-1"
count = 1
effects = [{ do = "back", steps = 1 }]
name = { id = "Mundur 1", en = "Back 1", ja = "後退1" }
"""
TINY_TRACK = """
squares = 4
token = [{ square = 1, token = "power-up" }, { square = 2, token = "event" }]
"""


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game(players: int) -> None:
    names = ("Ana", "Budi", "Cici", "Dewi")[:players]
    game = BOX.begin(Setup(seats=names, laps=1, rulings={"A6": "reentry"}), BOX.content())
    session: Session[Any] = Session(game, "salt")
    people = VirtualTable(game, Random(players))
    while not session.over:
        session.answer(people.answer(session.prompt))
    compare(f"game-of-{players}.txt", "\n".join(told(session)) + "\n")


def test_ways_to_play_tiny_positions() -> None:
    content = {"cards.toml": TINY_CARDS, "board.toml": TINY_TRACK}
    lines = ["players silences depth sequences"]
    for players in (2, 3):
        for silences in (True, False):
            game = BOX.begin(Setup(seats=("Ana", "Budi", "Cici")[:players], laps=1), content)
            session: Session[Any] = Session(game, "salt", silences=silences)
            for depth in range(1, 6):
                count = ways(session, depth)
                lines.append(f"{players} {'silent' if silences else 'aloud'} {depth} {count}")
    compare("ways.txt", "\n".join(lines) + "\n")
