"""Corrections in words: "kart Ana 5", "shield Budi turned", "hand B power-up 2", "turn Cici"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.rules.errors import NotUnderstood, WhichOne
from companion.rules.layouts import Layout, Place
from companion.rules.phrases import N_
from companion.screens.commands import BECAUSE
from companion.screens.reading import (
    Names,
    exactly,
    fold,
    read_number,
    read_seat,
    seat_called,
    shorten,
)

NOWHERE = frozenset(map(fold, {"none", "nothing", "away", "-", "tidak", "kosong", "なし"}))
"""The place of what is not on the table."""


def split_reason(text: str) -> tuple[str, str]:
    """A correction and the reason given for it."""
    words = text.split()
    for at, word in enumerate(words):
        if at and fold(word) in map(fold, BECAUSE):
            return " ".join(words[:at]), " ".join(words[at + 1 :])
    return text, ""


def read_correction(
    text: str,
    layout: Layout,
    seats: Mapping[str, str],
    names: Names,
    things: Mapping[str, Iterable[str]],
) -> tuple[str, Place]:
    """The thing and the place that a correction names. The game judges whether it can be.

    `things` are further words for kinds and places, such as those of other languages. Raises
    NotUnderstood or WhichOne with what is allowed.
    """
    called = {fold(word): thing for thing, words in things.items() for word in words}
    words = text.split()
    words = [called.get(fold(word), word) for word in words]
    kinds = list(dict.fromkeys(thing.partition("/")[0] for thing in layout))
    kind = _one_of(words[0], kinds, unknown=True)
    thing, rest = kind, words[1:]
    if thing not in layout and rest:
        owner, rest = _owner(rest, kind, layout, seats)
        thing = f"{kind}/{owner}"
        more = [key.split("/", 2)[2] for key in layout if key.startswith(thing + "/")]
        if more and rest:
            thing, rest = f"{thing}/{_one_of(rest[0], more)}", rest[1:]
    if not rest:
        raise NotUnderstood(
            N_("“{typed}” names no place. Say it so: correct {thing} <place>."),
            typed=shorten(text),
            thing=words_of(thing),
        )
    return thing, _place(" ".join(rest), thing in layout and "/" not in thing, seats, names)


def words_of(thing: str) -> str:
    """How a thing of the layout is typed."""
    return thing.replace("/", " ")


def place_word(place: Place) -> str:
    """How a place is typed."""
    return "none" if place is None else str(place)


def _owner(
    words: Sequence[str], kind: str, layout: Layout, seats: Mapping[str, str]
) -> tuple[str, list[str]]:
    """Whose thing it is: a player by name, which may be several words, else an owner as it is."""
    for count in range(len(words), 0, -1):
        seat = seat_called(" ".join(words[:count]), seats)
        if seat is not None:
            return seat, list(words[count:])
    owners = {key.split("/")[1] for key in layout if key.startswith(kind + "/")}
    if words[0] in owners or not owners or not owners & set(seats):
        return words[0], list(words[1:])
    return read_seat(words[0], seats), list(words[1:])


def _place(text: str, of_table: bool, seats: Mapping[str, str], names: Names) -> Place:
    """A number, nowhere, a player, a card by name, or a word that the game knows."""
    number = read_number(text)
    if number is not None:
        return number
    if fold(text) in NOWHERE:
        return None
    if of_table:
        return read_seat(text, seats)
    card, at, square = text.partition("@")
    found = [choice for choice in exactly(card, names) if choice not in seats]
    return f"{found[0]}{at}{square.strip()}" if len(found) == 1 else text


def _one_of(word: str, allowed: Iterable[str], *, unknown: bool = False) -> str:
    """The one of the allowed words that a word is or begins; with `unknown`, else itself."""
    every = list(dict.fromkeys(allowed))
    typed = fold(word)
    found = [one for one in every if fold(one) == typed] or [
        one for one in every if fold(one).startswith(typed)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise WhichOne(
            N_("“{typed}” fits several: {names}. Which one?"), typed=shorten(word), names=found
        )
    if unknown:
        return word
    raise NotUnderstood(
        N_("“{typed}” is not understood. You can say {options}."),
        typed=shorten(word),
        options=every,
    )
