"""Set-up records that describe themselves, so that every screen can ask for them."""

from __future__ import annotations

from collections.abc import Container, Mapping

import msgspec

from companion.rules.errors import BadSetup
from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import Choice

NAME_LENGTH = 40
"""The most characters of a player's name."""


class SeatSetup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every set-up has: the players' names in turn order, and rulings that differ."""

    seats: tuple[str, ...]
    rulings: Mapping[str, str] = {}


class Field(msgspec.Struct, frozen=True):
    """One thing to decide: its question, its default, and what is allowed.

    `choices` are allowed words, `least` and `most` bound a number, `seat` asks for a player
    ("random" too).
    """

    name: str
    label: Phrase
    default: Choice | bool
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    seat: bool = False


def seat_ids(count: int) -> list[str]:
    """The seats' ids in turn order, from A on."""
    return [chr(ord("A") + number) for number in range(count)]


def free_seat(used: Container[str]) -> str:
    """The first seat that nobody has or had."""
    return next(seat for seat in map(chr, range(ord("A"), 0x2000)) if seat not in used)


def check_names(names: tuple[str, ...]) -> None:
    """Raise BadSetup when names are empty, too long, the same, or look like commands."""
    for name in names:
        if not name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
            raise BadSetup(
                N_("{name} is no name: 1 to {most} printable characters."),
                name=repr(name),
                most=NAME_LENGTH,
            )
    folded = [name.strip().casefold() for name in names]
    for name in names:
        if folded.count(name.strip().casefold()) > 1:
            raise BadSetup(N_("Two players are called {name}. Give each a name."), name=name)
