"""One movement of a pawn: where it came from, the squares it stepped on, where it ended."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from companion.games.chaos_kart.effects import Clauses
from companion.games.chaos_kart.table import Source, Target
from companion.rules.events import Square

Later = list[tuple[list[Target], Source]]
"""Movements that traps caused and that come after the outer steps 2 and 3 (ruling A26)."""


class Way(StrEnum):
    """How a pawn moves: §7.1 forward, §7.3 back, or put somewhere (ruling A10)."""

    FORWARD = "forward"
    BACK = "back"
    PLACED = "placed"


class Landing(msgspec.Struct, frozen=True):
    """§15.5 Where guards let a pawn end that is about to come onto a square."""

    path: list[int]
    """The squares stepped on; a refused one is never entered."""
    end: Square
    refused: bool = False
    over_line: bool = False
    """Whether it had stepped forward onto the line and was sent back behind it (ruling A37)."""
    asked: tuple[str, ...] = ()
    """Who has had the choice of turning it away."""


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
    gained: bool = False
    """Whether it has given its one lap (ruling A9)."""
    met: list[str] = []
    """The owners of the traps that it has set off so far (rulings A8, A26)."""
    over_line: bool = False
    asked: tuple[str, ...] = ()
    """As its landing says."""

    def take(self, landing: Landing) -> None:
        """End where guards let it end."""
        self.path, self.end = landing.path, landing.end
        self.over_line, self.asked = landing.over_line, landing.asked

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

    def passed(self) -> list[int]:
        """§20.1 The squares passed."""
        return [square for square, stops in self.visits() if not stops]
