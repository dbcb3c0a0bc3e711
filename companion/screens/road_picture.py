"""A branching track as a picture: a ring of cells, detours and what lies apart inside it.

Pieces are letters, black on white; tokens that lie face down are dots at the right of a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.rules.views import GraphBoard, SpaceView
from companion.screens.road_plan import Point, plan_of
from companion.screens.signs import MARKS, letter, lit

if TYPE_CHECKING:
    from companion.screens.oled import Sheet

LARGEST = 12
"""Pixels from one cell to the next, at the most."""
SMALL = 7
"""Pixels from one cell to the next at which dots are single ones."""
LETTER = (4, 6)
"""Pixels that a letter takes, with the gap after it."""


class Spot(NamedTuple):
    """A space, where its cell is, and whether it is one of the chosen."""

    view: SpaceView
    cell: Point
    chosen: bool


class RoadPicture:
    """A track at the left of a page, in so many pixels of its width."""

    def __init__(self, sheet: Sheet, board: GraphBoard, width: int) -> None:
        self.draw = sheet.draw
        self.board = board
        height = sheet.image.size[1] - 1
        start = int(board.spaces[0].place)
        self.plan = plan_of(start, board.steps, len(board.apart), width - 1, height)
        self.pitch = (
            min((width - 1) // self.plan.columns, LARGEST),
            min(height // self.plan.rows, LARGEST),
        )
        self.right = self.pitch[0] * self.plan.columns
        """The last column of pixels that the board takes."""
        self.low = self.pitch[1] * self.plan.rows
        self.letters = {piece.piece: piece.sign for piece in board.pieces}

    def paint(self, chosen: Sequence[str] = ()) -> None:
        """Draw the track, the chosen spaces inverted."""
        spots = list(self._spots(chosen))
        taken = sorted((one for one in spots if one.view.pieces), key=lambda one: not one.chosen)
        self._roads()
        for spot in spots:
            self._box(spot.cell)
        for spot in spots:
            self._content(spot)
        for spot in taken:
            left, top, right, low = self._room(spot)
            self.draw.rectangle((left - 1, top - 1, right + 1, low + 1), fill=0)
        self._start_line()
        for spot in taken:
            self._pieces(spot)
        for spot in spots:
            self._dots(spot)

    def _spots(self, chosen: Sequence[str]) -> Iterator[Spot]:
        places = self.plan.cells
        cells = [places[int(view.place)] for view in self.board.spaces]
        views = (*self.board.spaces, *self.board.apart)
        for view, cell in zip(views, (*cells, *self.plan.apart), strict=True):
            yield Spot(view, cell, str(view.place) in chosen)

    def _corner(self, cell: Point) -> tuple[int, int]:
        """The upper left pixel of a cell."""
        return int(cell[0] * self.pitch[0] + 0.5), int(cell[1] * self.pitch[1] + 0.5)

    def _middle(self, cell: Point) -> tuple[int, int]:
        x, y = self._corner(cell)
        return x + self.pitch[0] // 2, y + self.pitch[1] // 2

    def _roads(self) -> None:
        """The lines from the ring over the detours and back, and where the ring has a gap."""
        first, *_, last = self.plan.ring.values()
        for line in ((last, first), *(way.line for way in self.plan.ways)):
            self.draw.line([self._middle(point) for point in line], fill=1)

    def _box(self, cell: Point, *, fill: int = 0, grow: int = 0) -> None:
        x, y = self._corner(cell)
        right, low = x + self.pitch[0], y + self.pitch[1]
        self.draw.rectangle((x - grow, y - grow, right + grow, low + grow), fill=fill, outline=1)

    def _content(self, spot: Spot) -> None:
        """What is printed on a space, and whether it is chosen."""
        if spot.chosen:
            self._box(spot.cell, fill=1, grow=1)
        if not spot.view.pieces:
            x, y = self._middle(spot.cell)
            mark = list(lit(MARKS.get(spot.view.sign, ()), x - 1, y - 1))
            self.draw.point(mark, fill=int(not spot.chosen))

    def _start_line(self) -> None:
        """A bar where pieces come in behind the line, longer than the edge of a cell."""
        behind = {int(view.place) for view in self.board.spaces if view.line}
        for before, space in self.board.steps:
            if space in behind and before in self.plan.ring:
                (x, y), (to_x, to_y) = (self._middle(self.plan.cells[n]) for n in (before, space))
                long = self.pitch[0] // 2 + 2, self.pitch[1] // 2 + 2
                half = (1, long[1]) if y == to_y else (long[0], 1)
                x, y = (x + to_x) // 2, (y + to_y) // 2
                self.draw.rectangle((x - half[0], y - half[1], x + half[0], y + half[1]), fill=1)

    def _room(self, spot: Spot) -> tuple[int, int, int, int]:
        """What the pieces on a space take: the inside of its cell, or more where they need it.

        The first and the last column and row of pixels: left, top, right, low.
        """
        across, down = self._order(spot)
        width = max(self.pitch[0] - 1, LETTER[0] * across + 1)
        height = max(self.pitch[1] - 1, LETTER[1] * down + 1)
        x, y = self._corner(spot.cell)
        left = _within(x + (self.pitch[0] + 1 - width) // 2, width, self.right)
        top = _within(y + (self.pitch[1] + 1 - height) // 2, height, self.low)
        return left, top, left + width - 1, top + height - 1

    def _order(self, spot: Spot) -> tuple[int, int]:
        """How many letters stand side by side, and how many rows there are of them.

        They reach from the ring to its inside: down from above, and to the side from the sides.
        """
        count, (column, row) = len(spot.view.pieces), spot.cell
        if row in (0, self.plan.rows - 1) and column not in (0, self.plan.columns - 1):
            return min(count, 2), -(-count // 2)
        return count, 1

    def _pieces(self, spot: Spot) -> None:
        """The letters of the pieces that stand on a space: black on white, or in a white frame."""
        left, top, right, low = self._room(spot)
        if spot.chosen:
            self.draw.rectangle((left - 2, top - 2, right + 2, low + 2), fill=1)
        self.draw.rectangle((left, top, right, low), fill=int(not spot.chosen))
        across, down = self._order(spot)
        left += (right - left + 2 - LETTER[0] * across) // 2
        top += (low - top + 2 - LETTER[1] * down) // 2
        for number, piece in enumerate(spot.view.pieces):
            x, y = left + LETTER[0] * (number % across), top + LETTER[1] * (number // across)
            sign = letter(self.letters.get(piece, ""))
            self.draw.point(list(lit(sign, x, y)), fill=int(spot.chosen))

    def _dots(self, spot: Spot) -> None:
        """A dot for each token that lies on a space face down."""
        left, top = self._corner(spot.cell)
        size = 2 if min(self.pitch) > SMALL else 1
        on_black = bool(spot.view.pieces) == spot.chosen
        for number in range(spot.view.hidden):
            x, y = left + self.pitch[0] - size, top + (self.pitch[1] - size, 1)[number % 2]
            self.draw.rectangle((x, y, x + size - 1, y + size - 1), fill=int(on_black))


def _within(start: int, size: int, last: int) -> int:
    """Where something begins so that it does not reach beyond the picture."""
    return max(0, min(start, last + 1 - size))
