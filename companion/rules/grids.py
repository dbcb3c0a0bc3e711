"""A board of rows and columns: names of cells, steps between them, distances."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

MOST = 9
"""The most rows or columns: each has a name of one letter or digit."""

LETTERS = "abcdefghi"

Direction = tuple[int, int]
"""Columns to the right and rows up."""

PLUS: tuple[Direction, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Up, right, down, left."""
CROSS: tuple[Direction, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
"""The four diagonals."""


class Grid(msgspec.Struct, frozen=True):
    """A board; a cell is called by the letter of its column and the number of its row, "d4".

    Row 1 is the lowest, column "a" the leftmost one.
    """

    columns: int
    rows: int

    @property
    def column_names(self) -> tuple[str, ...]:
        """The letters of the columns, left to right."""
        return tuple(LETTERS[: self.columns])

    @property
    def row_names(self) -> tuple[str, ...]:
        """The numbers of the rows, top to bottom."""
        return tuple(str(row) for row in range(self.rows, 0, -1))

    def cells(self) -> Iterator[str]:
        """All cells row by row from the top."""
        return (column + row for row in self.row_names for column in self.column_names)

    def row(self, cell: str) -> int:
        """The row of a cell, from 1."""
        return int(cell[1])

    def step(self, cell: str, direction: Direction, steps: int = 1) -> str:
        """The cell so many steps away in a direction, "" beyond the edge."""
        column = LETTERS.index(cell[0]) + direction[0] * steps
        row = int(cell[1]) + direction[1] * steps
        if 0 <= column < self.columns and 1 <= row <= self.rows:
            return f"{LETTERS[column]}{row}"
        return ""

    def distance(self, cell: str, other: str) -> int:
        """Steps between two cells where a step may be diagonal."""
        across = abs(LETTERS.index(cell[0]) - LETTERS.index(other[0]))
        return max(across, abs(int(cell[1]) - int(other[1])))
