"""Boards that pieces travel along. A ring has squares 0 … n-1; graphs and grids can follow."""

from __future__ import annotations

import msgspec


class Ring(msgspec.Struct, frozen=True):
    """A closed track of `size` squares, numbered forward from 0, the start/finish."""

    size: int

    def forward(self, square: int, steps: int = 1) -> int:
        """The square so many steps forward."""
        return (square + steps) % self.size

    def back(self, square: int, steps: int = 1) -> int:
        """The square so many steps back."""
        return (square - steps) % self.size

    def distance(self, start: int, end: int) -> int:
        """Steps forward from one square to another: 0 … size-1."""
        return (end - start) % self.size

    def to_line(self, square: int) -> int:
        """Steps forward to the next crossing of the line: 1 … size; from square 0 a whole lap."""
        return self.size - square
