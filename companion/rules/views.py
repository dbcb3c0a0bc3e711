"""What a person may see. `Game.view` is the only way from a state to people.

Everything in here is public or belongs to the viewer; screens draw it without knowing the game.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.rules.layouts import Layout


class SquareView(msgspec.Struct, frozen=True):
    """One square: what is printed or laid there and which pieces stand on it."""

    number: int
    pieces: tuple[str, ...] = ()
    token: str = ""
    trap: str = ""
    """The seat whose trap lies here."""


class RingBoard(msgspec.Struct, frozen=True, tag="ring"):
    """A closed track, squares in forward order from the start/finish, and who is outside."""

    squares: tuple[SquareView, ...]
    outside: tuple[str, ...]


class GridBoard(msgspec.Struct, frozen=True, tag="grid"):
    """A board of rows and columns; `cells` row by row from the top."""

    columns: int
    cells: tuple[SquareView, ...]


class GraphBoard(msgspec.Struct, frozen=True, tag="graph"):
    """A branching track: squares and the steps between them."""

    squares: tuple[SquareView, ...]
    steps: tuple[tuple[int, int], ...]


Board = RingBoard | GridBoard | GraphBoard


class SeatView(msgspec.Struct, frozen=True):
    """What a viewer sees before a seat. `hand` only for the viewer's own scans and open cards."""

    seat: str
    name: str
    facts: Mapping[str, int | str]
    """Counts and marker faces by kind, in the order they are shown."""
    hand_counts: Mapping[str, int]
    hand: tuple[str, ...] = ()


class PileView(msgspec.Struct, frozen=True):
    """A deck: cards left, cards discarded, and the top of the discards."""

    deck: str
    draw: int
    discarded: int
    top: str = ""


class View(msgspec.Struct, frozen=True):
    """One person's view of the table. `who` is a seat, or None for what everybody sees."""

    game: str
    who: str | None
    turn: int
    active: str
    phase: str
    seats: tuple[SeatView, ...]
    board: Board
    piles: tuple[PileView, ...]
    winners: tuple[str, ...] = ()
    layout: Layout = {}
