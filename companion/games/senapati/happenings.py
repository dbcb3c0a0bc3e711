"""The events that only Senapati and Rajasa has. Cells are by name, "" for off the board."""

from __future__ import annotations

from companion.rules.events import Event


class PhaseBegan(Event, frozen=True):
    """Per 5 The Lane Phase or the Free Phase begins; `seat` is who has the first turn."""

    phase: str
    seat: str


class Pushed(Event, frozen=True):
    """Per 7, 9 A Senapati of `seat` is pushed back."""

    seat: str
    piece: str
    by: str
    start: str
    end: str


class Advanced(Event, frozen=True):
    """Per 8 A Senapati goes forward."""

    seat: str
    piece: str
    start: str
    end: str


class Beaten(Event, frozen=True):
    """Per 10 A Senapati is lost for the Lane Phase; `by` has won the lane."""

    seat: str
    piece: str
    by: str
    lane: int


class ShieldSwapped(Event, frozen=True):
    """Per 8 One of three shield cards is exchanged for a card of the deck."""

    seat: str


class LanesWon(Event, frozen=True):
    """Ruling S8 or S10 Who has won more lanes has an advantage: `gain` says which."""

    seat: str
    count: int
    gain: str


class Returned(Event, frozen=True):
    """Cara 7 A piece comes, or comes back, to the board."""

    seat: str
    piece: str
    end: str


class PieceMoved(Event, frozen=True):
    """Per 14, 15 A piece goes from one square to another."""

    seat: str
    piece: str
    start: str
    end: str


class Taken(Event, frozen=True):
    """Per 16 A piece of `seat` is out of the game."""

    seat: str
    piece: str
    by: str
    start: str


class Sacrificed(Event, frozen=True):
    """Per 17 A Senapati is given up for a skill card."""

    seat: str
    piece: str
    start: str


class Marked(Event, frozen=True):
    """Per 18 A skill card lays a mark on a piece."""

    seat: str
    piece: str
    mark: str


class MarkLifted(Event, frozen=True):
    """Per 18 A mark of a skill card is over."""

    seat: str
    piece: str
    mark: str


class NoEffect(Event, frozen=True):
    """Per 18 A part of a skill card finds nothing to do."""

    seat: str
    card: str


class Repeated(Event, frozen=True):
    """Ruling S17 A position has come up again."""

    times: int


class DrawAnswered(Event, frozen=True):
    """Ruling S17 Whether both agree to a draw."""

    agreed: bool
