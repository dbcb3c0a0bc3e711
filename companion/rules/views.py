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
    sign: str = ""
    """The one letter for the token where a picture has no more room; "" for its first letter."""


class ZoneView(msgspec.Struct, frozen=True):
    """A stretch of a track with a name of its own, from a square on to the next zone's."""

    zone: str
    start: int


class RingBoard(msgspec.Struct, frozen=True, tag="ring"):
    """A closed track, squares in forward order from the start/finish, and who is outside.

    `zones` part it, in order, where the game has such; `piece` is the kind of the layout that
    stands on the squares.
    """

    squares: tuple[SquareView, ...]
    outside: tuple[str, ...] = ()
    zones: tuple[ZoneView, ...] = ()
    piece: str = ""


class CellView(msgspec.Struct, frozen=True):
    """One cell of a grid: its name, and the piece that stands there."""

    name: str
    seat: str = ""
    """Whose piece it is, "" for an empty cell."""
    piece: str = ""
    """What kind of piece, said by the wording's `label`."""
    great: bool = False
    """Whether it is a piece to be told from the many, such as a king."""
    mark: str = ""
    """What holds for the piece for a while, said by the wording's `label`."""


class GridBoard(msgspec.Struct, frozen=True, tag="grid"):
    """A board of rows and columns; `cells` row by row from the top.

    `columns` and `rows` are their names, left to right and top to bottom.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[CellView, ...]


class SpaceView(msgspec.Struct, frozen=True):
    """One space of a branching track: what is printed or lies there and which pieces stand on it.

    `place` is its number or name, said by the wording's `label`; `token` too, `sign` is the letter
    for it where there is no more room. `hidden` counts the tokens that lie there face down. `line`:
    a piece that comes here has crossed the start line.
    """

    place: int | str
    pieces: tuple[str, ...] = ()
    token: str = ""
    sign: str = ""
    hidden: int = 0
    line: bool = False


class PieceView(msgspec.Struct, frozen=True):
    """A piece that belongs to no seat: its letter in pictures, and what holds for it."""

    piece: str
    sign: str
    facts: Mapping[str, int | str] = {}


class GraphBoard(msgspec.Struct, frozen=True, tag="graph"):
    """A branching track: spaces, the start first, and the steps between them.

    Of several steps from one space the first leads along the main road. `apart` are spaces beside
    the track, from the nearest on, `zone` is what they are together. `kinds` are the kinds of the
    layout that can be seen on it.
    """

    spaces: tuple[SpaceView, ...]
    steps: tuple[tuple[int, int], ...]
    pieces: tuple[PieceView, ...] = ()
    apart: tuple[SpaceView, ...] = ()
    zone: str = ""
    kinds: tuple[str, ...] = ()


class CardBoard(msgspec.Struct, frozen=True, tag="cards"):
    """No squares: what lies in the middle of a card game, and which way round the turns go.

    `top` is the card on the pile, `follow` what must be followed where that is not the card's own
    ("" for nothing), `direction` the way round; all are said by the wording's `label`.
    """

    top: str
    follow: str = ""
    direction: str = ""


Board = RingBoard | GridBoard | GraphBoard | CardBoard


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
