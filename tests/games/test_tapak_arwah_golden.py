"""A whole game told in plain text, and how many ways there are to play a tiny one.

Both are compared with the files in `golden`. After a wanted change: UPDATE_GOLDEN=1 pytest …, then
read the difference.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.shelf import open_box
from companion.games.tapak_arwah.setup import Setup
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.games.playthroughs import compare, told, ways

BOX = open_box("tapak-arwah")

TINY_BOARD = """
[[side]]
zone = "day"
squares = ["start", "green"]
[[side]]
zone = "night"
squares = ["sacred", "purple"]
"""
TINY_CARDS = """
[[ghost_buff]]
id = "gust"
count = 1
effects = [{ do = "forward", steps = 1 }]
name = { id = "Angin", en = "Gust", ja = "風" }
[[ghost_debuff]]
id = "bound"
count = 1
effects = [{ do = "skip" }]
name = { id = "Terikat", en = "Bound", ja = "縛り" }
[[human_buff]]
id = "amulet"
count = 1
trigger = "attacked"
effects = [{ do = "cancel" }]
name = { id = "Jimat", en = "Amulet", ja = "お守り" }
[[human_debuff]]
id = "knees"
count = 2
lasts = 1
effects = [{ do = "dice", change = -1 }]
name = { id = "Lutut", en = "Knees", ja = "膝" }
"""


def test_a_whole_game() -> None:
    game = BOX.begin(Setup(seats=("Ana", "Budi"), ghost="B"), BOX.content())
    session: Session[Any] = Session(game, "salt")
    people = VirtualTable(game, Random(27))
    while not session.over:
        session.answer(people.answer(session.prompt))
    compare("tapak-game.txt", "\n".join(told(session)) + "\n")


def test_ways_to_play_a_tiny_game() -> None:
    content = {"cards.toml": TINY_CARDS, "board.toml": TINY_BOARD}
    lines = ["silences depth sequences"]
    for silences in (True, False):
        setup = Setup(seats=("Ana", "Budi"), first="ghost", die=4)
        session: Session[Any] = Session(BOX.begin(setup, content), "salt", silences=silences)
        for depth in range(1, 6):
            count = ways(session, depth)
            lines.append(f"{'silent' if silences else 'aloud'} {depth} {count}")
    compare("tapak-ways.txt", "\n".join(lines) + "\n")
