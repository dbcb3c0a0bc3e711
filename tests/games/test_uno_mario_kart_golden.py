"""A whole game told in plain text, and how many ways there are to play a tiny one.

Both are compared with the files in `golden`. After a wanted change: UPDATE_GOLDEN=1 pytest …, then
read the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.games.shelf import open_box
from companion.games.uno_mario_kart.setup import Setup
from companion.rules.prompts import Choice, Prompt
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.games.playthroughs import compare, told, ways

BOX = open_box("uno-mario-kart")

TINY_CARDS = """
[[colour]]
id = "red"
name = { id = "merah", en = "red", ja = "赤" }
item = "mushroom"
[[symbol]]
id = "1"
name = { id = "1", en = "1", ja = "1" }
copies = 13
points = 1
[[wild]]
id = "wild-draw-four"
name = { id = "Wild", en = "Wild", ja = "ワイルド" }
copies = 2
points = 50
action = "wild-draw-four"
item = "bob-omb"
[[wild]]
id = "wild-item-box"
name = { id = "Item Box", en = "Item Box", ja = "アイテム" }
copies = 1
points = 50
action = "wild-item-box"
item = "bob-omb"
"""


class Eager(VirtualTable):
    """People who lay a card when they can."""

    def options(self, prompt: Prompt[Any]) -> Sequence[Choice]:
        found = list(super().options(prompt))
        return found[:-1] if len(found) > 1 and prompt.key in ("turn", "drawn") else found


def test_a_whole_game() -> None:
    setup = Setup(seats=("Ana", "Budi", "Cici"), start="draw cards", target=100)
    game = BOX.begin(setup, BOX.content())
    session: Session[Any] = Session(game, "salt")
    people = Eager(game, Random(4))
    while not session.over:
        session.answer(people.answer(session.prompt))
        if session.races and people.random() < 0.7:
            session.answer("uno" if people.random() < 0.5 else "catch")
    compare("uno-game.txt", "\n".join(told(session)) + "\n")


def test_ways_to_play_a_tiny_deck() -> None:
    session: Session[Any] = Session(
        BOX.begin(Setup(seats=("Ana", "Budi")), {"cards.toml": TINY_CARDS}), "salt"
    )
    lines = ["depth sequences"]
    lines += [f"{depth} {ways(session, depth)}" for depth in range(1, 7)]
    compare("uno-ways.txt", "\n".join(lines) + "\n")
