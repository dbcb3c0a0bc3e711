"""A whole game told in plain text, and how many ways there are to begin one.

Both are compared with the files in `golden`. After a wanted change: UPDATE_GOLDEN=1 pytest …, then
read the difference.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.senapati.box import BOARD, BOX
from companion.games.senapati.setup import Setup
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.games.playthroughs import compare, told, ways

TINY_BOARD = """
columns = 3
rows = 4
lanes = ["a"]
start = [2]
rajasa = "c"
"""


def test_a_whole_game() -> None:
    game = BOX.begin(Setup(seats=("Ana", "Budi")), BOX.content())
    session: Session[Any] = Session(game, "salt")
    people = VirtualTable(game, Random(3))
    while not session.over:
        session.answer(people.answer(session.prompt))
    compare("senapati-game.txt", "\n".join(told(session)) + "\n")


def test_ways_to_play_a_tiny_board() -> None:
    """One lane on 3 by 4 squares: first a push or an advance, then the pieces run free."""
    lines = ["rulings depth sequences"]
    content = {**BOX.content(), BOARD: TINY_BOARD}
    for rulings in ({}, {"S1": "defeat_row", "S9": "start_squares"}):
        game = BOX.begin(Setup(seats=("Ana", "Budi"), rulings=rulings), content)
        session: Session[Any] = Session(game, "salt")
        for depth in range(1, 5):
            lines.append(f"{len(rulings)} {depth} {ways(session, depth)}")
    compare("senapati-ways.txt", "\n".join(lines) + "\n")
