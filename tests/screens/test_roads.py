"""A branching track on every screen: in signs, as a picture, and to choose a way on."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.carpet_racers.board import PRINTED
from companion.games.shelf import open_box
from companion.rules.phrases import Named, Phrase
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.session import Session
from companion.rules.views import GraphBoard, PieceView, SpaceView
from companion.screens.boards import groups_of, looking_sheet, on_board
from companion.screens.breaking import columns_of
from companion.screens.handset.board import BoardPage
from companion.screens.oled import HEIGHT, WIDTH, Pages, Sheet, find_fonts
from companion.screens.road_picture import RoadPicture
from companion.screens.road_plan import Plan, plan_of, shape_of
from companion.screens.roads import apart_signs, road_groups
from companion.screens.showing import PieceShown, Shown, Watch, show
from companion.screens.signs import CAPITALS, MARKS, NUMBERS, letter
from companion.screens.telling import Teller
from companion.screens.terminal import Terminal
from companion.virtual import VirtualTable
from companion.words import LANGUAGES, Words
from tests.screens.handsets import Hands
from tests.screens.tables import LONG_NAME, has_japanese_font, say

BOX = open_box("carpet-racers")
SIDES = ("living-room", "playground")
NARROW, WIDE = 60, 84
"""Pixels for a picture of a track."""
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
BOARD = GraphBoard(
    spaces=(
        SpaceView(1, ("red", "blue")),
        SpaceView(2, line=True),
        SpaceView(3, token="bonus", sign="+", hidden=2),
        SpaceView(4, ("green",), hidden=1),
        *(SpaceView(number) for number in range(5, 13)),
        SpaceView(13, ("white",)),
    ),
    steps=(
        *((number, number + 1) for number in range(1, 12)),
        (12, 1),
        (3, 13),
        (13, 6),
    ),
    pieces=(
        PieceView("red", "R", {"lap": 2}),
        PieceView("blue", "L", {"lap": 1}),
        PieceView("green", "G", {"lap": 1}),
        PieceView("white", "W", {"lap": 1}),
    ),
    apart=(SpaceView("castle-1", token="bonus", sign="+"), SpaceView("castle-2", ("pink",))),
)
"""Twelve spaces round, and a detour of one space from 3 to 6."""


GOLDEN = [
    ".........########################",
    ".#######.#########......#.......#",
    ".#######.#########......#.......#",
    ".#######.#########......#.......#",
    ".###..##.#########......#.......#",
    ".##.####.#########......#.......#",
    ".##.#.##.#########......#.......#",
    ".##.#.##.#########......#.......#",
    ".###..##.#########......#.......#",
    ".#######.#########......#.......#",
    ".#####...#########......#.......#",
    ".#####...#########......#.......#",
    ".........########################",
    "#.....############..#...#.......#",
    "#.....###...........#...#.......#",
    "#.......#...........#...#.......#",
    "#.......#...........#...#.......#",
    "#...#...#...........#...#.......#",
    "#..###..####............#.......#",
    "#...#...#....#######....#.......#",
    "#.......#....#######....#.......#",
    "#.......#....#######....#.......#",
    "#.....###....##.#.##....#.......#",
    "#.....###....##.#.##....#.......#",
    "#########....##...##....#########",
    "#.......#....##...##....#.......#",
    "#.......#....##.#.##....#.......#",
    "#.......#....#######....#.......#",
    "#.......#....#######....#.......#",
    "#.......#....#######....#.......#",
    "#.......#...............#.......#",
    "#.......#...............#.......#",
    "#.......#...............#.......#",
    "#.......#...............#.......#",
    "#.......#...............#.......#",
    "###########.............#.......#",
    "#################################",
    "###########.....#.......#.......#",
    "#########.......#.......#.......#",
    "#########.......#.......#.......#",
    "#..##.###.......#.......#.......#",
    "#.#.#.###.......#.......#.......#",
    "#..##.###.......#.......#.......#",
    "#.#.#.###.......#.......#.......#",
    "#.#.#...#.......#.......#.......#",
    "#########.......#.......#.......#",
    "#########.......#.......#.......#",
    "#########.......#.......#.......#",
    "..........#######################",
]
"""Clockwise from space 1 below at the left, over the line above it; space 5 is chosen."""


def at(start: str = "", side: str = "living-room", answers: str = "") -> Session[Any]:
    table = (
        'game = "carpet-racers"\ntitle = "a table"\n'
        f'setup = {{ seats = ["Ana", "Budi", "Cici"], track = "{side}", guide = false }}\n'
        f"play = [{answers}]\n[start]\n{start}"
    )
    return Playing(read_scenario(table, "table.toml"), BOX).session


def board_of(session: Session[Any]) -> GraphBoard:
    board = session.view(None).board
    assert isinstance(board, GraphBoard)
    return board


def steps_of(*ways: str) -> tuple[tuple[int, int], ...]:
    """Steps along ways such as "1 2 3 1"."""
    roads = [[int(space) for space in way.split()] for way in ways]
    return tuple(pair for road in roads for pair in pairwise(road))


# -- text ------------------------------------------------------------------------------------------


def test_a_track_in_signs() -> None:
    assert list(road_groups(BOARD)) == [
        ["1: RL |· +!!< G! ·", "6: · · · · ·", "11: · ·"],
        ["3 → 13: W", "→ 6"],
    ]
    assert apart_signs(BOARD) == ["1: +", "2: ?"]


def test_a_shortcut_without_spaces_of_its_own_is_told_and_drawn() -> None:
    steps = steps_of("1 2 3 4 5 6 1", "2 5")
    spaces = tuple(SpaceView(number) for number in range(1, 7))
    assert list(road_groups(GraphBoard(spaces, steps))) == [
        ["1: · ·< · · ·", "6: ·"],
        ["2 → 5"],
    ]
    plan = plan_of(1, steps, 0, NARROW, HEIGHT)
    (way,) = plan.ways
    assert way.spaces == ()
    assert (way.line[0], way.line[-1]) == (plan.ring[2], plan.ring[5])


def test_the_terminal_tells_the_track_and_what_its_signs_mean() -> None:
    session = at('"car/red" = 4\n"car/green" = 31', "living-room")
    terminal = Terminal(session, BOX, BOX.wording(session.game), Words("en"), oled=False)
    screen = terminal.screen().splitlines()
    assert "  12 → 31: G · o!   → 18" in screen
    assert any("1: YLP |· · R! ·   6: r" in line for line in screen)
    assert any("R = Red, lap 1" in line for line in screen)
    table = say(terminal, "standings")
    for meaning in ("| = start line", "< = the road forks", "+ = boost bonus", "r = red tyre"):
        assert meaning in table
    assert "Traps on space" not in table


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_lines_are_as_wide_as_the_terminal(columns: int, language: str) -> None:
    session = at("", "playground")
    teller = Teller(session, BOX.wording(session.game), Words(language), None)
    lines = teller.track(board_of(session), columns)
    assert all(columns_of(line) <= columns for line in lines), lines
    assert "".join(lines).count("!") == 6


# -- the plan of a picture -------------------------------------------------------------------------


def check(plan: Plan, spaces: int) -> None:
    """Every space has its place on the ring or inside it."""
    cells = plan.cells
    assert len(cells) == spaces
    assert len(set(plan.ring.values())) == len(plan.ring)
    for x, y in plan.ring.values():
        assert x in (0, plan.columns - 1) or y in (0, plan.rows - 1)
    for x, y in (*(point for way in plan.ways for point in way.points), *plan.apart):
        assert 0 < x < plan.columns - 1
        assert 0 < y < plan.rows - 1


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("side", SIDES)
def test_nothing_crowds_anything_in_the_pictures_of_the_samples(side: str, width: int) -> None:
    board = board_of(at("", side))
    plan = plan_of(1, board.steps, len(board.apart), width, HEIGHT - 1)
    check(plan, len(board.spaces))
    assert plan.faults()[0] == 0
    assert len(plan.apart) == len(board.apart)
    for x, y in plan.apart:
        assert all(max(abs(x - cx), abs(y - cy)) >= 2 for cx, cy in plan.cells.values())


def test_the_longest_way_round_is_the_ring() -> None:
    plan = plan_of(1, steps_of("1 2 3 4 5 1", "2 6 7 8 9 4"), 0, NARROW, HEIGHT)
    assert list(plan.ring) == [1, 2, 6, 7, 8, 9, 4, 5]
    assert [way.spaces for way in plan.ways] == [(3,)]


@pytest.mark.parametrize(
    ("steps", "spaces"),
    [
        (steps_of("1 2 3 1"), 3),
        (steps_of("1 2 3 1", "1 4 5 3", "4 6 3"), 6),
        (steps_of("1 2 3 4 1", "1 5 3", "2 6 7 8 1", "7 9 4"), 9),
        (steps_of(" ".join(map(str, range(1, 100))) + " 1"), 99),
        (steps_of(" ".join(map(str, range(1, 60))) + " 1", "5 60 61 62 63 64 65 66 67 68 40"), 68),
        (steps_of("1 2 3 4 5 6 7 8 1", "1 4 7", "3 8"), 8),
        (steps_of("1 2 3 4 5 6 7 8 9 10 1", "1 11 3", "1 12 13 4", "2 14 15 16 9"), 16),
    ],
)
@pytest.mark.parametrize("apart", [0, 5])
def test_any_track_can_be_drawn(
    steps: tuple[tuple[int, int], ...], spaces: int, apart: int
) -> None:
    plan = plan_of(1, steps, apart, NARROW, HEIGHT - 1)
    assert len(plan.cells) == spaces
    assert len(plan.apart) == apart
    views = tuple(SpaceView(number, line=number == 2, hidden=2) for number in plan.cells)
    castles = tuple(SpaceView(f"castle-{number}") for number in range(apart))
    sheet = Sheet(find_fonts("en"))
    board = GraphBoard(tuple(sorted(views, key=lambda v: v.place != 1)), steps, (), castles)
    picture = RoadPicture(sheet, board, NARROW)
    picture.paint(["2"])
    assert picture.right < NARROW


@pytest.mark.parametrize("spaces", range(3, 61))
def test_a_ring_has_room_for_every_space(spaces: int) -> None:
    columns, rows = shape_of(spaces, NARROW, HEIGHT)
    assert 2 * (columns + rows) - 4 >= spaces
    assert columns * rows < 64 * NARROW


# -- the picture -----------------------------------------------------------------------------------


def dots(sheet: Sheet, right: int, bottom: int) -> list[str]:
    pixels = sheet.image.crop((0, 0, right, bottom))
    return [
        "".join("#" if pixels.getpixel((x, y)) else "." for x in range(right))
        for y in range(bottom)
    ]


def test_the_picture_pixel_by_pixel() -> None:
    sheet = Sheet(find_fonts("en"))
    board = msgspec.structs.replace(BOARD, apart=())
    picture = RoadPicture(sheet, board, 36)
    picture.paint(["5"])
    assert picture.pitch == (8, 12)
    assert dots(sheet, picture.right + 1, 49) == GOLDEN


# -- on the display --------------------------------------------------------------------------------


def test_a_chosen_space_with_pieces_looks_otherwise_than_all_others() -> None:
    pictures = []
    for chosen in ([], ["1"], ["4"]):
        sheet = Sheet(find_fonts("en"))
        RoadPicture(sheet, BOARD, NARROW).paint(chosen)
        pictures.append(sheet.image.tobytes())
    assert len(set(pictures)) == 3


def test_every_letter_of_a_car_and_every_sign_can_be_drawn() -> None:
    assert all(letter(chr(code)) for code in range(ord("F"), ord("Z") + 1))
    assert {sign for sign, _ in PRINTED.values()} == set(MARKS)
    for sign in (*CAPITALS.values(), *NUMBERS.values()):
        assert (len(sign), {len(row) for row in sign}) == (5, {3})
    assert len({tuple(sign) for sign in CAPITALS.values()}) == 26


def test_a_table_is_set_up_by_the_picture() -> None:
    hands = Hands(at(), box=BOX, unpacked=True)
    assert isinstance(hands.handset.top, BoardPage)
    assert hands.texts()[::2][:5] == ["Y Yellow", "R Red", "G Green", "L Blue", "P Purple"]
    assert hands.texts()[-1] == "● go on"
    hands.wait(1.0)
    hands.push("ok")
    told = " ".join(hands.texts())
    assert "Yellow" not in told


def test_the_board_is_a_page_of_the_menu() -> None:
    hands = Hands(at('"lap/red" = 3'), box=BOX)
    hands.push("menu", "down", "ok")
    assert isinstance(hands.handset.top, BoardPage)
    texts = hands.texts()
    assert texts[texts.index("R Red") + 1] == "lap 3"
    hands.push("down")
    assert not isinstance(hands.handset.top, BoardPage)


def test_long_names_and_facts_of_cars_are_cut() -> None:
    words, fonts = Words("en"), find_fonts("en")
    long = Named({"en": "The yellow bus with the rusty door"})
    facts = (Phrase("lap 3 of many more laps"), Phrase("on fire"))
    shown = msgspec.structs.replace(
        show(at(), BOX.wording(at().game)),
        pieces=tuple(PieceShown("Y", long, facts) for _ in range(9)),
    )
    texts = looking_sheet(Pages(words, fonts), shown, Phrase("back")).texts
    assert all(right <= WIDTH for _, right in texts)
    assert [text for text, _ in texts[:2]] == ["Y T…", "lap 3 of…"]
    assert len(texts) == 2 * 5 + 1


def test_a_way_is_chosen_on_the_picture() -> None:
    session = at('"car/yellow" = 11')
    hands = Hands(session, box=BOX)
    session.answer("yellow-red-4")
    session.answer("yellow-3")
    hands.handset.look()
    shown = hands.handset.shown
    assert on_board(shown)
    assert [group.cells for group in groups_of(shown)] == [("13",), ("31",)]
    main = hands.handset.picture()
    hands.push("down")
    assert hands.handset.picture().tobytes() != main.tobytes()
    hands.push("ok")
    assert session.game.layout()["car/yellow"] == 32


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_every_page_fits_whatever_happens(language: str) -> None:
    words = Words(language)
    pages = Pages(words, find_fonts(language))
    for shown in moments():
        for selected in range(len(groups_of(shown)) or 1):
            sheet = pages.now(shown, selected)
            assert sheet.image.size == (WIDTH, HEIGHT)
            assert all(right <= WIDTH for _, right in sheet.texts)


def test_the_chosen_line_and_the_buttons_are_always_there() -> None:
    words = Words("en")
    pages = Pages(words, find_fonts("en"))
    drawn = [shown for shown in moments() if on_board(shown)]
    assert drawn
    for shown in drawn:
        groups = groups_of(shown)
        for selected, group in enumerate(groups):
            texts = [text for text, _ in pages.now(shown, selected).texts]
            assert texts[-1] == f"▲▼● {selected + 1}/{len(groups)}"
            said = words.say(group.label)
            assert any(said.startswith(text.rstrip("…")) for text in texts[1:-1])


@cache
def moments() -> tuple[Shown, ...]:
    """One moment for each kind of question, out of random games on both sides of the board."""
    found: dict[str, Shown] = {}
    for seed, side in enumerate(SIDES):
        setup = {"seats": (LONG_NAME, "Bo", "Cici"), "guide": False, "track": side}
        game = BOX.begin(msgspec.convert(setup, BOX.setup_type), BOX.content())
        session: Session[Any] = Session(game, "salt")
        wording = BOX.wording(session.game)
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
