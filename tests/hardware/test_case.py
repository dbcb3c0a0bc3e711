"""The case: its files are up to date, can be printed, and hold what they are for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import pytest

from scripts.case import DRAWING, FOLDER, PRINTED, VIEWS, head, mark
from scripts.wiring import PICTURES, source_of
from tests.hardware.solids import Point, Solid, read_drawing, read_stl

TINY = 0.013
"""Millimetres by which points are beside where triangles may meet."""
READER_BOARD = 1.6
SOCKET = 1.5
"""The middle of the Pi's sockets above its board."""

every_file = pytest.mark.parametrize("name", PRINTED)


class Case:
    """Base and lid for a model of the Pi, asked in the coordinates of the drawing."""

    def __init__(self, model: str) -> None:
        end = "" if model == "zero" else f"-{model}"
        self.base = read_stl(FOLDER / f"base{end}.stl")[1]
        self.lid = read_stl(FOLDER / f"lid{end}.stl")[1]
        self.set: dict[str, Any] = read_drawing(DRAWING, model)

    def __getattr__(self, name: str) -> Any:
        return self.set[name]

    def in_base(self, x: float, y: float, z: float) -> bool:
        return (x + TINY, y + TINY, z) in self.base

    def in_lid(self, x: float, y: float, z: float) -> bool:
        """`z` from the lid's lower side. The file has the lid as it is printed, turned over."""
        return (x + TINY, self.inner_depth - y + TINY, self.roof - z) in self.lid

    def solid(self, x: float, y: float, z: float) -> bool:
        return self.in_base(x, y, z) or self.in_lid(x, y, z - self.inner_height)

    def on_board(self, at: tuple[float, float]) -> tuple[float, float]:
        return (self.board_x + self.board[0] - at[0], self.board_y + self.board[1] - at[1])

    def reader_holes(self) -> Iterator[tuple[float, float]]:
        left, right = self.reader_hole_insets
        for x, gap in zip(
            (self.reader_x - self.reader[0] / 2 + left, self.reader_x + self.reader[0] / 2 - right),
            self.reader_hole_gaps,
            strict=True,
        ):
            yield from ((x, self.row_reader - gap / 2), (x, self.row_reader + gap / 2))


@pytest.fixture(scope="module", params=["zero", "b"])
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def block(x: float, y: float, z: float, size: Iterable[float], step: float = 2.5) -> list[Point]:
    """Points all through a box, from its lowest corner on."""
    width, depth, height = size
    return [
        (x + u, y + v, z + w)
        for u, v, w in product(_steps(width, step), _steps(depth, step), _steps(height, step))
    ]


def _steps(length: float, step: float) -> list[float]:
    number = max(2, math.ceil(length / step))
    return [length * (k + 0.5) / number for k in range(number)]


def ring(at: tuple[float, float], radius: float) -> list[tuple[float, float]]:
    return [
        (at[0] + radius * math.cos(turn), at[1] + radius * math.sin(turn))
        for turn in (0.1 + k * math.tau / 8 for k in range(8))
    ]


# -- the files -------------------------------------------------------------------------------------


@every_file
def test_files_are_up_to_date(name: str) -> None:
    assert read_stl(FOLDER / f"{name}.stl")[0] == head(*PRINTED[name]), "make case"


@pytest.mark.parametrize("name", VIEWS)
def test_pictures_are_up_to_date(name: str) -> None:
    assert source_of(PICTURES / f"{name}.png") == mark(VIEWS[name][0]), "make case"


@every_file
def test_files_can_be_printed(name: str) -> None:
    _, body = read_stl(FOLDER / f"{name}.stl")
    assert body.open_edges() == 0
    assert body.volume > 500
    assert min(point[2] for triangle in body.triangles for point in triangle) == pytest.approx(
        -2 if name.startswith("base") else 0, abs=0.001
    )


def test_a_hole_in_a_body_would_be_found() -> None:
    _, body = read_stl(FOLDER / "clip.stl")
    assert Solid(body.triangles[1:]).open_edges() == 3
    assert Solid((a, c, b) for a, b, c in body.triangles).volume < 0


def test_halves_are_as_large_as_drawn(case: Case) -> None:
    width, depth = case.inner_width + 2 * case.wall, case.inner_depth + 2 * case.wall
    height = case.floor_thickness + case.inner_height
    assert case.base.size == pytest.approx((width, depth, height), abs=0.01)
    assert case.lid.size[:2] == pytest.approx((width, depth), abs=0.01)


# -- what goes inside ------------------------------------------------------------------------------


def test_the_pi_fits_onto_its_posts(case: Case) -> None:
    size = (*case.board, case.board_thickness)
    for point in block(case.board_x, case.board_y, case.standoff + 0.05, size):
        assert not case.solid(*point), point
    for hole in map(case.on_board, case.board_holes):
        assert not case.in_base(*hole, case.standoff - 1)
        assert all(case.in_base(x, y, case.standoff - 0.5) for x, y in ring(hole, 2))


def test_a_plug_fits_onto_every_pin_of_the_pi(case: Case) -> None:
    # Twice 20 contacts, 2.54 mm apart, on the side away from the sockets; on them housings of 14 mm
    # on a header of 2.5 mm, and the bends of the wires.
    x, y = case.on_board((58, case.board[1]))
    above = case.standoff + case.board_thickness
    for point in block(x, y, above, (51, 6, case.inner_height - above - 0.1)):
        assert not case.solid(*point), point
    assert case.inner_height - above > 2.5 + 14 + 5


def test_every_socket_of_the_pi_can_be_reached(case: Case) -> None:
    z = case.standoff + case.board_thickness + SOCKET
    for middle, width, _ in case.sockets:
        x, _ = case.on_board((middle, 0))
        assert all(
            not case.in_base(x + beside, case.inner_depth + depth, z)
            for beside in (-width / 2 + 0.5, 0, width / 2 - 0.5)
            for depth in (-0.5, case.wall / 2, case.wall + 0.5)
        )
    assert case.in_base(case.inner_width / 2, case.inner_depth + case.wall / 2, 20)


def test_usb_and_ethernet_look_out_at_the_end_of_a_large_pi() -> None:
    large = Case("b")
    for y in (6, 28, 50):
        assert not large.in_base(-large.wall / 2, large.board_y + y, large.standoff + 12)
    assert Case("zero").in_base(-1.2, 80, 12)


def test_the_reader_fits_onto_its_posts_under_a_thin_roof(case: Case) -> None:
    corner = (case.reader_x - case.reader[0] / 2, case.row_reader - case.reader[1] / 2)
    below = -case.reader_gap - READER_BOARD - 0.05
    for point in block(*corner, below, (*case.reader, READER_BOARD)):
        assert not case.in_lid(*point), point
    for hole in case.reader_holes():
        assert not case.in_lid(*hole, -case.reader_gap + 1)
        assert all(case.in_lid(x, y, -case.reader_gap + 0.5) for x, y in ring(hole, 2.2))
    antenna = corner[0] + 24, case.row_reader + 6
    assert not case.in_lid(*antenna, case.roof - case.thin_roof - 0.1)
    assert case.in_lid(*antenna, case.roof - case.thin_roof + 0.1)


def test_the_display_fits_and_is_seen(case: Case) -> None:
    corner = (case.oled_x - case.oled[0] / 2, case.row_reader - case.oled[1] / 2)
    height = case.oled_glass + case.oled_board
    for point in block(*corner, -height, (*case.oled, height)):
        assert not case.in_lid(*point), point
    middle = (
        case.oled_x + case.oled_window_shift[0],
        case.row_reader + case.oled_window_shift[1],
    )
    width, depth = 21.8, 10.9  # what shines of 0.96 inches
    for point in block(middle[0] - width / 2, middle[1] - depth / 2, -1, (width, depth, 4)):
        assert not case.in_lid(*point), point
    assert case.in_lid(middle[0] + case.oled_window[0] / 2 + 3, middle[1], 1)


def test_four_buttons_and_their_nuts_fit(case: Case) -> None:
    for number in range(4):
        at = case.inner_width / 2 + (number - 1.5) * case.button_pitch, case.row_buttons
        assert all(not case.in_lid(x, y, 1) for x, y in (at, *ring(at, 5.9)))
        assert all(case.in_lid(x, y, 1) for x, y in ring(at, 6.4))
        for radius in (6.5, case.button_room):
            assert all(not case.solid(x, y, case.inner_height - 2) for x, y in ring(at, radius))


def test_no_two_things_lie_in_one_place(case: Case) -> None:
    """Seen from above: the Pi, the reader, the display with its clip, and the buttons."""
    clip = case.oled[0] / 2 + 4.7 + 3.5
    buttons = 1.5 * case.button_pitch + case.button_room
    rooms = [
        (case.board_x, case.board_y, *case.on_board((0, 0))),
        _room(case.reader_x, case.row_reader, case.reader[0] / 2, case.reader[1] / 2),
        _room(case.oled_x, case.row_reader, clip, case.oled[1] / 2 + 1.5),
        _room(case.inner_width / 2, case.row_buttons, buttons, case.button_room),
    ]
    for number, one in enumerate(rooms):
        assert one[0] >= 0
        assert one[1] >= 0
        assert one[2] <= case.inner_width
        assert one[3] <= case.inner_depth
        for other in rooms[number + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1]
            assert apart or other[3] <= one[1], (one, other)


def _room(x: float, y: float, width: float, depth: float) -> tuple[float, float, float, float]:
    return x - width, y - depth, x + width, y + depth


def test_the_lid_is_screwed_onto_the_posts_of_the_base(case: Case) -> None:
    for post in case.posts:
        at = post[0], post[1]
        assert not case.in_base(*at, case.inner_height - 5)
        assert all(case.in_base(x, y, case.inner_height - 5) for x, y in ring(at, 2.5))
        assert all(not case.in_lid(x, y, z) for x, y in ring(at, 1.5) for z in (-2, 0.2, 1.8))


def test_the_lid_goes_onto_the_base(case: Case) -> None:
    for x, y in product(_steps(case.inner_width + 4, 2), _steps(case.inner_depth + 4, 2)):
        for z in (-0.4, -1.6, -2.8):
            both = case.in_lid(x - 2, y - 2, z) and case.in_base(
                x - 2, y - 2, case.inner_height + z
            )
            assert not both, (x, y, z)


def test_cables_can_leave(case: Case) -> None:
    x, top = case.inner_width - 20, case.inner_height
    assert all(
        not case.solid(x, case.inner_depth + depth, top + z)
        for depth in (-1, 1.2, 3)
        for z in (-0.5, -3, -5.5)
    )
