"""One movement of a pawn: where it came from, the squares it stepped on, where it ended."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from companion.games.chaos_kart.effects import Clauses
from companion.rules.events import Square


class Way(StrEnum):
    """How a pawn moves: §7.1 forward, §7.3 back, or put somewhere (ruling A10)."""

    FORWARD = "forward"
    BACK = "back"
    PLACED = "placed"


class Movement(msgspec.Struct):
    """A movement while it is settled. Never kept in the state: a step holds no part of it."""

    seat: str
    way: Way
    start: Square
    path: list[int]
    """Squares stepped on in order, the last one included."""
    end: Square
    clauses: Clauses
    rule: str
    serial: int = 0
    """The pawn's count of moves after this one; a later one means it has moved on (A20)."""
    pushed: bool = False
    """Whether it was a bump that moved the pawn (ruling A17)."""
    settled: int = 0
    """Squares of the path whose line and traps are settled already (ruling A8)."""

    def visits(self) -> Iterator[tuple[int, bool]]:
        """§20.1 The squares entered, and whether the pawn stops there or only passes.

        A pawn turned away may end on a square it had passed: then it stops there, once.
        """
        last = -1
        for index, square in enumerate(self.path):
            if square == self.end:
                last = index
        for index, square in enumerate(self.path):
            if index != last:
                yield square, False
        if last >= 0:
            yield self.path[last], True

    @property
    def ends_on_path(self) -> bool:
        """Whether the pawn ends on a square it has stepped on, not where it started."""
        return self.end in self.path

    @property
    def moved(self) -> bool:
        """§7.5 Whether it was a movement at all."""
        return bool(self.path)

    @property
    def turned_away(self) -> bool:
        """§15.5 Whether guards sent the pawn back from where its steps led it."""
        if not self.path or self.path[-1] != self.end:
            return True
        return len(self.path) > 1 and self.path[-1] not in (0, self.path[-2] + 1)

    def turned_back_over_line(self) -> bool:
        """Whether a forward movement crossed the line and guards then turned it back behind it."""
        if self.way is not Way.FORWARD or 0 not in self.path or not self.turned_away:
            return False
        before_line = [self.start, *self.path[: self.path.index(0)]]
        return self.end in before_line or self.end == self.path[-1]

    def passed(self) -> list[int]:
        """§20.1 The squares passed."""
        return [square for square, stops in self.visits() if not stops]
