"""§2, 3 The cards as typed records: what each does is a list of effects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from companion.rules.cards import SCAN, deck_faults
from companion.rules.content import ContentId, Fault, Words, read_checked

DECK = "night"
LEAST_CARDS = 13
"""§1 Three for each of four players, and one to draw."""


class Catch(msgspec.Struct, frozen=True, tag_field="do", tag="catch", forbid_unknown_fields=True):
    """§2 Catch so many fireflies."""

    count: Annotated[int, msgspec.Meta(ge=1, le=5)]


class Take(msgspec.Struct, frozen=True, tag_field="do", tag="take", forbid_unknown_fields=True):
    """§3 Take one from another player."""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of card and what it does, in order."""

    id: ContentId
    count: Annotated[int, msgspec.Meta(ge=1, le=40)]
    name: Words
    text: Words
    effects: Annotated[tuple[Catch | Take, ...], msgspec.Meta(min_length=1)]


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`cards.toml`: the one deck."""

    night: tuple[Card, ...]
    sample: bool = False


def read_cards(text: str) -> Cards:
    """Cards from TOML. Raises BadContent with line, field and what is allowed."""
    return read_checked(text, Cards, "cards.toml", _card_faults)


def _card_faults(cards: Cards) -> Iterator[Fault]:
    yield from deck_faults({DECK: cards.night}, taken=(SCAN,))
    if sum(card.count for card in cards.night) < LEAST_CARDS:
        yield [DECK], f"at least {LEAST_CARDS} cards, for four hands and one to draw"
    if not any(isinstance(effect, Catch) for card in cards.night for effect in card.effects):
        yield [DECK], "at least one card that catches, else no night ends"
