"""A whole race told in plain text, and how many ways there are to play with two kinds of cards.

Both are compared with the files in `golden`. After a wanted change: UPDATE_GOLDEN=1 pytest …, then
read the difference.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.carpet_racers.setup import Setup
from companion.games.shelf import open_box
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.games.playthroughs import compare, told, ways

BOX = open_box("carpet-racers")

TWO_CARDS = """
[[car]]
id = "yellow"
letter = "Y"
name = { id = "Kuning", en = "Yellow", ja = "黄" }
[[car]]
id = "red"
letter = "R"
name = { id = "Merah", en = "Red", ja = "赤" }
[[car]]
id = "green"
letter = "G"
name = { id = "Hijau", en = "Green", ja = "緑" }
[[car]]
id = "blue"
letter = "L"
name = { id = "Biru", en = "Blue", ja = "青" }
[[car]]
id = "purple"
letter = "P"
name = { id = "Ungu", en = "Purple", ja = "紫" }
[[controller]]
id = "brown"
name = { id = "Cokelat", en = "Brown", ja = "茶" }
[[controller]]
id = "orange"
name = { id = "Jingga", en = "Orange", ja = "オレンジ" }
[[controller]]
id = "white"
name = { id = "Putih", en = "White", ja = "白" }
[[controller]]
id = "black"
name = { id = "Hitam", en = "Black", ja = "黒" }
[[controller]]
id = "pink"
name = { id = "Merah muda", en = "Pink", ja = "ピンク" }
[[card]]
cars = ["yellow", "red"]
move = 3
count = 10
effects = [{ do = "trap" }]
[[card]]
cars = ["green"]
move = 2
count = 10
effects = [{ do = "progress" }]
"""


def test_a_whole_race() -> None:
    rulings = {"R2": "in_lap_1"}
    setup = Setup(seats=("Ana", "Budi", "Cici"), track="playground", rulings=rulings)
    game = BOX.begin(setup, BOX.content())
    session: Session[Any] = Session(game, "salt")
    people = VirtualTable(game, Random(11))
    while not session.over:
        session.answer(people.answer(session.prompt))
    compare("carpet-game.txt", "\n".join(told(session)) + "\n")


def test_ways_to_play_with_two_kinds_of_cards() -> None:
    content = {**BOX.content(), "cards.toml": TWO_CARDS}
    lines = ["track depth sequences"]
    for track in ("living-room", "playground"):
        setup = Setup(seats=("Ana", "Budi", "Cici"), track=track)
        session: Session[Any] = Session(BOX.begin(setup, content), "salt")
        for depth in range(1, 6):
            lines.append(f"{track} {depth} {ways(session, depth)}")
    compare("carpet-ways.txt", "\n".join(lines) + "\n")
