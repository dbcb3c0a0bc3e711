"""§4 The cards as typed records, read from TOML and checked, and what follows from them.

`cards.toml` has the real cards: they are printed in the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Annotated

import msgspec

from companion.rules.cards import CardCatalogue
from companion.rules.content import (
    Fault,
    Words,
    id_faults,
    read_checked,
    words_faults,
)
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, Refusal, refuse

STOCK = "stock"
"""The one deck."""
DECK_SIZE = 112
"""§4"""
DRAW = "draw"
"""§7 The choice of taking a card instead of laying one."""
WORDS = frozenset({DRAW, PASS, "challenge", "yes", "no", "uno", "catch", "take-back", "scan"})
"""Choices that are no cards, so no card may be called so."""

NO_MATCH = refuse("7.1", N_("It has neither the colour nor the number or symbol to be followed."))

Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]*$")]
Copies = Annotated[int, msgspec.Meta(ge=1, le=40)]
Points = Annotated[int, msgspec.Meta(ge=0, le=200)]


class Action(StrEnum):
    """§8 What a card does beyond being laid."""

    DRAW_TWO = "draw-two"
    REVERSE = "reverse"
    SKIP = "skip"
    ITEM_BOX = "wild-item-box"
    DRAW_FOUR = "wild-draw-four"


class Item(StrEnum):
    """§4, 9 The sign in a card's corner, used when an Item Box flips it."""

    MUSHROOM = "mushroom"
    BANANA = "banana"
    SHELL = "green-shell"
    LIGHTNING = "lightning"
    BOB_OMB = "bob-omb"


class Colour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """§4 A colour and the item that all its cards show."""

    id: Id
    name: Words
    item: Item


class Symbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """§4 A number or action that every colour has; `copies` in each colour."""

    id: Id
    name: Words
    copies: Copies
    points: Points
    action: Action | None = None
    text: Words | None = None


class Wild(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """§4 A card without a colour."""

    id: Id
    name: Words
    copies: Copies
    points: Points
    action: Action
    item: Item
    text: Words | None = None


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`cards.toml`: colours, the symbols that all of them have, and wild cards."""

    colour: Annotated[tuple[Colour, ...], msgspec.Meta(min_length=1)]
    symbol: Annotated[tuple[Symbol, ...], msgspec.Meta(min_length=1)]
    wild: tuple[Wild, ...]


class Kind(msgspec.Struct, frozen=True):
    """What a card is; `colour` "" for a wild one."""

    colour: str
    symbol: str
    action: Action | None
    item: Item
    points: int
    text: Words | None

    @property
    def rank(self) -> int:
        """§5.1 What it counts when drawing for the deal: actions and wild cards as 0."""
        return 0 if self.action is not None else self.points


class Content:
    """The cards of a game and what the rules look up in them."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.colours = tuple(colour.id for colour in cards.colour)
        self.colour_names = {colour.id: Named(colour.name) for colour in cards.colour}
        self.kinds = dict(_kinds(cards))
        self.catalogue = CardCatalogue(
            {**_coloured_totals(cards), **{wild.id: wild.copies for wild in cards.wild}},
            dict.fromkeys(self.kinds, STOCK),
            dict(_names(cards)),
        )
        self.highest = max(kind.points for kind in self.kinds.values())
        """§13 What the dearest card is worth."""
        self.ids = tuple(self.kinds)
        self.lay_choices = dict.fromkeys((*self.ids, DRAW))
        self.drawn_choices = dict.fromkeys((*self.ids, PASS))
        self.chance_choices = dict.fromkeys(self.ids)
        self.no_match = {
            (colour, symbol): self._no_match(colour, symbol).get
            for colour in ("", *self.colours)
            for symbol in {kind.symbol for kind in self.kinds.values()}
        }
        """§7.1, 7.2 For a colour and symbol to be followed, why a card does not follow them."""

    def _no_match(self, colour: str, symbol: str) -> dict[str, Refusal]:
        return {
            card: NO_MATCH
            for card, kind in self.kinds.items()
            if kind.colour and kind.colour != colour and kind.symbol != symbol
        }

    def count_choices(self, most: int) -> tuple[str | int, ...]:
        """§13 What may be said of a hand of so many points at the most: a total, or a card."""
        return _totals_and_cards(most, self.ids)


@lru_cache(maxsize=32)
def _totals_and_cards(most: int, ids: tuple[str, ...]) -> tuple[str | int, ...]:
    return (*range(most + 1), *ids)


def _kinds(cards: Cards) -> Iterator[tuple[str, Kind]]:
    for colour in cards.colour:
        for one in cards.symbol:
            kind = Kind(colour.id, one.id, one.action, colour.item, one.points, one.text)
            yield f"{colour.id}-{one.id}", kind
    for wild in cards.wild:
        yield wild.id, Kind("", wild.id, wild.action, wild.item, wild.points, wild.text)


def _coloured_totals(cards: Cards) -> Mapping[str, int]:
    return {f"{c.id}-{one.id}": one.copies for c in cards.colour for one in cards.symbol}


def _names(cards: Cards) -> Iterator[tuple[str, Named]]:
    for colour in cards.colour:
        for one in cards.symbol:
            yield f"{colour.id}-{one.id}", Named(_coloured_name(colour.name, one.name))
    for wild in cards.wild:
        yield wild.id, Named(wild.name)


def _coloured_name(colour: Words, symbol: Words) -> dict[str, str]:
    """The words of a card: "Red 5", "5 merah", "赤5"."""
    english = f"{colour['en'].capitalize()} {symbol['en']}"
    return {
        "id": f"{symbol['id']} {colour['id']}",
        "en": english,
        "ja": f"{colour['ja']}{symbol['ja']}",
    }


@lru_cache(maxsize=4)
def read_cards(text: str, filename: str = "cards.toml") -> Content:
    """The cards from TOML. Raises BadContent with line, field and what is allowed."""
    return Content(read_checked(text, Cards, filename, _card_faults))


def _card_faults(cards: Cards) -> Iterator[Fault]:
    every = [
        ((table, number), one)
        for table in ("colour", "symbol", "wild")
        for number, one in enumerate(getattr(cards, table))
    ]
    yield from id_faults((((*path, "id"), one.id) for path, one in every), WORDS)
    for path, one in every:
        yield from words_faults((*path, "name"), one.name)
        yield from words_faults((*path, "text"), getattr(one, "text", None))


def advice(content: Content) -> Iterator[Phrase]:
    """What an owner should know of cards that differ from the rulebook's list."""
    size = content.catalogue.sizes[STOCK]
    if size != DECK_SIZE:
        yield Phrase(
            N_("{n} cards: the rulebook's deck has {size} (§4)."), {"n": size, "size": DECK_SIZE}
        )
