"""What can be, for set-ups and corrections: a value, or an error that says what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any, TypeVarTuple, Unpack

from companion.rules.errors import BadSetup
from companion.rules.layouts import Place
from companion.rules.phrases import N_
from companion.rules.prompts import Refusal, impossible

UNTOLD = ("phase", "open")
"""Things of the layout that only scenarios put; people are not told of them."""


def number(value: object, least: int, most: int) -> int:
    """A whole number from `least` to `most`, also as people write it. Raises BadSetup."""
    text = str(value)
    if text.removeprefix("-").isdecimal() and least <= int(text) <= most:
        return int(text)
    raise BadSetup(
        N_("{place} cannot be. Allowed: {least} to {most}."), place=text, least=least, most=most
    )


def one_of(value: object, allowed: Collection[str]) -> str:
    """One of the allowed words. Raises BadSetup."""
    if value in allowed:
        return str(value)
    raise BadSetup(
        N_("{place} cannot be. Allowed: {allowed}."), place=str(value), allowed=list(allowed)
    )


def seat_of(value: object, seats: Collection[str]) -> str:
    """One of the seats. Raises BadSetup."""
    if value in seats:
        return str(value)
    raise BadSetup(
        N_("There is no seat {seat}. Allowed: {seats}."), seat=str(value), seats=list(seats)
    )


Of = TypeVarTuple("Of")
Puts = Mapping[str, Callable[[Unpack[Of], Place], None]]
"""By kind of thing, what sets one of these: given what is in its name, and its place."""
NONE: Mapping[str, Any] = MappingProxyType({})
"""No things of that sort."""


def put_right(
    thing: str,
    place: Place,
    seats: Collection[str],
    *,
    plain: Puts[()],
    named: Puts[str] = NONE,
    of_seats: Puts[str] = NONE,
    of_seats_named: Puts[str, str] = NONE,
) -> Refusal | None:
    """Correct one thing of a layout by what is there for its kind.

    `plain` things are called by their kind alone, such as "turn"; `named` ones have a name besides,
    such as "discard/event"; those `of_seats` belong to one, such as "kart/A"; and the last ones
    have a name besides, such as "hand/A/move".
    """
    kind, _, rest = thing.partition("/")
    seat, _, name = rest.partition("/")
    if kind in named:
        named[kind](rest, place)
    elif kind in plain and not rest:
        plain[kind](place)
    elif kind not in {*of_seats, *of_seats_named} or (name and kind in of_seats):
        kinds = {*plain, *named, *of_seats, *of_seats_named}.difference(UNTOLD)
        text = N_("{thing} cannot be corrected. These can: {kinds}.")
        return impossible("", text, thing=thing, kinds=sorted(kinds))
    elif seat not in seats:
        text = N_("{thing} names no seat. Allowed: {seats}.")
        return impossible("", text, thing=thing, seats=list(seats))
    elif kind in of_seats:
        of_seats[kind](seat, place)
    else:
        of_seats_named[kind](seat, name, place)
    return None
