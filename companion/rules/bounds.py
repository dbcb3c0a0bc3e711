"""What can be, for set-ups and corrections: a value, or an error that says what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

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


def put_right(
    thing: str,
    place: Place,
    seats: Collection[str],
    *,
    plain: Mapping[str, Callable[[Place], None]],
    named: Mapping[str, Callable[[str, Place], None]],
    of_seats: Mapping[str, Callable[[str, Place], None]],
) -> Refusal | None:
    """Correct one thing of a layout by what is there for its kind.

    `plain` things are called by their kind alone, such as "turn"; `named` ones have a name besides,
    such as "discard/event"; things `of_seats` belong to one, such as "kart/A" or "hand/A/move".
    """
    kind, slash, rest = thing.partition("/")
    if kind in plain and not slash:
        plain[kind](place)
    elif kind in named:
        named[kind](rest, place)
    elif kind not in of_seats:
        return impossible(
            "",
            N_("{thing} cannot be corrected. These can: {kinds}."),
            thing=thing,
            kinds=sorted({*plain, *named, *of_seats}.difference(UNTOLD)),
        )
    elif rest.partition("/")[0] not in seats:
        return impossible(
            "", N_("{thing} names no seat. Allowed: {seats}."), thing=thing, seats=list(seats)
        )
    else:
        of_seats[kind](rest, place)
    return None
