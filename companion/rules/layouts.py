"""Where things are on the real table, and what differs between two tables.

One layout serves for what to move now, what to put back after an undo, what an audit checks and
what a correction can name.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import msgspec

Place = str | int | None
"""A square or a count, a named place ("outside", "turned"), or None for not there."""

Layout = Mapping[str, Place]
"""Every thing by its name, `kind/owner` or `kind/owner/more`, and its place."""


class Shift(msgspec.Struct, frozen=True):
    """One thing that is, or must be, somewhere else than before."""

    thing: str
    start: Place
    end: Place

    @property
    def kind(self) -> str:
        """The first part of the thing's name."""
        return self.thing.partition("/")[0]

    @property
    def owner(self) -> str:
        """The second part of the thing's name; "" where it has none."""
        return (self.thing.split("/") + [""])[1]

    @property
    def last(self) -> str:
        """The last part of the thing's name, such as the deck of a hand."""
        return self.thing.rpartition("/")[2]

    @property
    def more(self) -> int:
        """How many more there are than before, of a thing that is counted."""
        return count_at(self.end) - count_at(self.start)


def count_at(place: Place) -> int:
    """A count from a layout; what is not there, or no count, is none."""
    return place if isinstance(place, int) else 0


def shifts(before: Layout, after: Layout, counted: Container[str] = frozenset()) -> list[Shift]:
    """What moved between two layouts, in the order of the second.

    Of the `counted` kinds, none is the same as not there at all.
    """
    things = [*after, *(thing for thing in before if thing not in after)]
    found = (Shift(thing, before.get(thing), after.get(thing)) for thing in things)
    return [
        shift
        for shift in found
        if shift.start != shift.end
        and not (shift.kind in counted and not shift.start and not shift.end)
    ]


def hand_thing(seat: str, deck: str) -> str:
    """The name of the cards of a deck in a seat's hand."""
    return f"hand/{seat}/{deck}"


def in_order(moves: Sequence[Shift]) -> list[Shift]:
    """Moves in an order for real hands: a place is left before another thing takes it.

    Numbers are places of one kind of thing only; places with names, such as the cells of a board,
    of all. Things that change places come as they are: one of them is held in the hand.
    """
    left = list(moves)
    ordered: list[Shift] = []
    while left:
        taken = {_spot(shift, shift.start) for shift in left}
        free = (shift for shift in left if _spot(shift, shift.end) not in taken)
        ordered.append(next(free, left[0]))
        left.remove(ordered[-1])
    return ordered


def _spot(shift: Shift, place: Place) -> tuple[str, Place]:
    """A place as it can be taken by one thing only."""
    return ("" if isinstance(place, str) else shift.kind), place
