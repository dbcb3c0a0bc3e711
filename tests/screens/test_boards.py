"""A board of rows and columns on every screen, and moves by buttons in few presses."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.shelf import open_box
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.session import Session
from companion.rules.views import CellView, GridBoard
from companion.screens.boards import (
    Picture,
    grid_legend,
    grid_lines,
    groups_of,
    looking_sheet,
    on_board,
)
from companion.screens.handset.board import BoardPage, Destinations
from companion.screens.oled import HEIGHT, WIDTH, Pages, Sheet, find_fonts
from companion.screens.showing import Shown, Watch, show
from companion.screens.terminal import Terminal
from companion.virtual import VirtualTable
from companion.words import LANGUAGES, Words
from tests.screens.handsets import Hands
from tests.screens.tables import LONG_NAME, has_japanese_font, new_session, say

BOX = open_box("senapati")
IN_EVERY_LANGUAGE = [
    pytest.param(
        language,
        marks=pytest.mark.skipif(
            language == "ja" and not has_japanese_font(),
            reason="the bitmap font with Japanese is not installed: make fonts",
        ),
    )
    for language in LANGUAGES
]
TABLE = """
game = "senapati"
title = "a table"
setup = { seats = ["Ana", "Budi"], guide = false }
play = []
[start]
"""
FREE = """
phase = "free"
"senapati/B/4" = "none"
"senapati/A/4" = "d5"
"pinned/B/2" = "on"
"""
BOARD = GridBoard(
    ("a", "b", "c"),
    ("2", "1"),
    (
        CellView("a2", "B", "king", great=True),
        CellView("b2"),
        CellView("c2", "B", "man", mark="held"),
        CellView("a1", "A", "man"),
        CellView("b1"),
        CellView("c1", "A", "king", great=True),
    ),
)


def at(start: str) -> Session[Any]:
    return Playing(read_scenario(TABLE + start, "table.toml"), BOX).session


def shown_at(start: str) -> Shown:
    session = at(start)
    return show(session, BOX.wording(session.game))


# -- text ------------------------------------------------------------------------------------------


def test_the_board_in_signs() -> None:
    assert grid_lines(BOARD) == ["    a  b  c", "  2 B  ·  b*", "  1 a  ·  A"]
    assert grid_legend(BOARD) == {"A B": ["king"], "a b": ["man"], "*": ["held"]}


def test_the_terminal_shows_the_board_and_what_its_signs_mean() -> None:
    session = at(FREE)
    terminal = Terminal(session, BOX, BOX.wording(session.game), Words("en"), oled=False)
    screen = terminal.screen().splitlines()
    assert "  5 b  b* b  a  b  b  b" in screen
    assert "  8 ·  ·  ·  B  ·  ·  ·" in screen
    table = say(terminal, "standings")
    assert "A B = Rajasa   a b = Senapati   * = held" in table
    assert "Senapati 3 of Ana" not in table


def test_the_terminal_takes_from_and_to() -> None:
    session = at(FREE)
    terminal = Terminal(session, BOX, BOX.wording(session.game), Words("en"), oled=False)
    told = terminal.handle("d5 e6")
    assert "Not allowed (§Per 14)" in told
    say(terminal, "Ana: d5 d6")
    assert session.game.layout()["senapati/A/4"] == "d6"
    say(terminal, "B: c5-c6")
    assert session.game.layout()["senapati/B/3"] == "c6"


def test_a_seat_before_a_number_is_no_square() -> None:
    session = at("")
    terminal = Terminal(session, BOX, BOX.wording(session.game), Words("en"), oled=False)
    say(terminal, "A: machete", "A: 6")
    assert session.game.layout()["senapati/B/6"] == "f6"


def test_items_of_the_rulebook_are_looked_up_by_their_list_and_number() -> None:
    session = at("")
    terminal = Terminal(session, BOX, BOX.wording(session.game), Words("en"), oled=False)
    assert say(terminal, "rules Per 8").startswith("§Per 8 ")
    assert say(terminal, "rules cara 10").startswith("§Cara 10 ")
    told = say(terminal, "rules tombak")
    assert told.count("Push one enemy Senapati back 2 squares.") == 1


# -- choosing --------------------------------------------------------------------------------------


def test_moves_of_one_piece_are_one_line_to_choose_first() -> None:
    shown = shown_at(FREE)
    assert on_board(shown)
    groups = groups_of(shown)
    assert [group.cells for group in groups if len(group.options) > 1] == [
        ("a4",), ("b4",), ("c4",), ("d5",), ("e4",), ("f4",), ("g4",), ("d1",),
    ]  # fmt: skip
    assert sum(len(group.options) for group in groups) == len(shown.options)
    assert [group.options[0].choice for group in groups][-1] == "sacrifice"


def test_off_a_board_every_option_is_by_itself() -> None:
    session = new_session()
    shown = show(session, open_box("chaos-kart").wording(session.game))
    assert not on_board(shown)
    assert [group.options for group in groups_of(shown)] == [(one,) for one in shown.options]


def test_a_move_needs_few_presses() -> None:
    session = at(FREE)
    hands = Hands(session, box=BOX)
    hands.push("down", "down", "down", "ok")
    assert isinstance(hands.handset.top, Destinations)
    hands.push("down", "ok")
    assert session.game.layout()["senapati/A/4"] == "e5"
    assert session.prompt.seat == "B"


def test_back_leads_from_where_to_to_where_from() -> None:
    session = at(FREE)
    hands = Hands(session, box=BOX)
    hands.push("down", "ok", "back", "up", "ok", "hold down", "up", "ok")
    assert session.prompt.seat == "B"
    assert session.game.layout()["senapati/A/1"] != "a4"
    assert session.game.layout()["senapati/A/2"] == "b4"


def test_what_is_no_move_is_chosen_at_once() -> None:
    session = at(FREE)
    hands = Hands(session, box=BOX)
    hands.push("up", "ok")
    assert session.prompt.key == "sacrifice"


def test_lanes_are_chosen_on_the_board() -> None:
    session = at("")
    hands = Hands(session, box=BOX)
    hands.push("ok", "down", "down", "ok")
    assert session.game.layout()["senapati/B/3"] == "c6"


def test_the_board_is_a_page_of_the_menu() -> None:
    hands = Hands(at(FREE), box=BOX)
    hands.push("menu")
    page = hands.texts()
    assert any("Board" in text for text in page)
    hands.push("down", "ok")
    assert isinstance(hands.handset.top, BoardPage)
    texts = hands.texts()
    assert texts[0] == "Ana"
    assert "Budi" in texts
    hands.push("down")
    assert not isinstance(hands.handset.top, BoardPage)


def test_a_table_is_set_up_by_the_picture_and_then_the_rest() -> None:
    hands = Hands(at(""), box=BOX, unpacked=True)
    assert isinstance(hands.handset.top, BoardPage)
    assert hands.texts()[-1] == "● go on"
    hands.wait(1.0)
    hands.push("ok")
    assert [text for text in hands.texts() if text.startswith("-")] == [
        "- Ana: take 3 action",
        "- Budi: take 3 action",
    ]
    hands.push("ok")
    assert hands.texts()[:2] == ["Ana", "Lane Phase"]


def test_the_picture_of_the_set_up_goes_by_itself() -> None:
    hands = Hands(at(""), box=BOX, unpacked=True)
    hands.wait(1.0)
    hands.wait(19.0)
    assert isinstance(hands.handset.top, BoardPage)
    hands.wait(2.0)
    assert not isinstance(hands.handset.top, BoardPage)


def test_pieces_and_squares_are_corrected_by_buttons() -> None:
    session = at("")
    hands = Hands(session, box=BOX)
    hands.push("menu", *["down"] * 3, "ok", *["down"] * 3, "ok")
    assert next(text.strip(" →") for text in hands.texts() if "Senapati" in text) == (
        "Senapati 3 of Ana: c4"
    )
    hands.push("down", "ok", "ok")
    assert session.game.layout()["senapati/A/3"] == "c3"


def test_a_game_without_such_a_board_has_no_page_of_it() -> None:
    hands = Hands(new_session())
    hands.push("menu")
    assert not any("Board" in text for text in hands.texts())


# -- the picture -----------------------------------------------------------------------------------


def dots(sheet: Sheet, right: int, bottom: int) -> list[str]:
    pixels = sheet.image.crop((0, 0, right, bottom))
    return [
        "".join("#" if pixels.getpixel((x, y)) else "." for x in range(right))
        for y in range(bottom)
    ]


def test_the_picture_pixel_by_pixel() -> None:
    """Budi's pieces are rings, Ana's are filled; the chosen one is black on white."""
    sheet = Sheet(find_fonts("en"))
    picture = Picture(sheet, BOARD, ["A", "B"])
    picture.paint(["a1"])
    assert picture.pitch == 9
    assert dots(sheet, picture.right + 1, 26) == [
        ".....#........#........#........#",
        ".................................",
        ".................................",
        "##......#.#.#..............###...",
        "..#.....#####.............#...#..",
        ".#......#...#.............#...#..",
        "#.......#...#.............#...#..",
        "###.....#####..............###...",
        "........................########.",
        ".....##########........#........#",
        ".....##########..................",
        ".....##########..................",
        ".#...####...###...........#.#.#..",
        "##...###.....##...........#####..",
        ".#...###.....##...........#####..",
        ".#...###.....##...........#####..",
        "###..####...###...........#####..",
        ".....##########..................",
        ".....##########........#........#",
        ".................................",
        "..........#.......##........##...",
        ".........#.#......#.#......#.....",
        ".........###......##.......#.....",
        ".........#.#......#.#......#.....",
        ".........#.#......##........##...",
        ".................................",
    ]


def test_every_page_fits_whatever_happens() -> None:
    pages = Pages(Words("id"), find_fonts("id"))
    for shown in moments():
        for selected in range(len(groups_of(shown)) or 1):
            sheet = pages.now(shown, selected)
            assert sheet.image.size == (WIDTH, HEIGHT)
            assert all(right <= WIDTH for _, right in sheet.texts)


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_the_chosen_line_and_the_buttons_are_always_there(language: str) -> None:
    words = Words(language)
    pages = Pages(words, find_fonts(language))
    for shown in moments():
        if on_board(shown):
            groups = groups_of(shown)
            for selected, group in enumerate(groups):
                texts = [text for text, _ in pages.now(shown, selected).texts]
                assert texts[-1] == f"▲▼● {selected + 1}/{len(groups)}"
                said = words.say(group.label)
                assert any(said.startswith(text.rstrip("…")) for text in texts[1:-1])
        looking = looking_sheet(pages, shown, group_hint())
        assert all(right <= WIDTH for _, right in looking.texts)


def group_hint() -> Any:
    from companion.screens.handset.stack import BACK_HINT

    return BACK_HINT


@cache
def moments() -> tuple[Shown, ...]:
    """One moment for each kind of question, out of random games."""
    found: dict[str, Shown] = {}
    for seed in range(4):
        setup = {"seats": (LONG_NAME, "Bo"), "guide": False}
        game = BOX.begin(msgspec.convert(setup, BOX.setup_type), BOX.content())
        session: Session[Any] = Session(game, "salt")
        wording = BOX.wording(game)
        watch, people = Watch(session, wording), VirtualTable(game, Random(seed))
        while not session.over:
            watch.look()
            shown = show(session, wording, None, watch)
            known = found.get(shown.question.text)
            if known is None or len(known.options) < len(shown.options):
                found[shown.question.text] = shown
            session.answer(people.answer(session.prompt))
    assert len(found) >= 8
    return tuple(found.values())
