"""§1, 4.d, 5 The cards and the board as typed records, read from TOML and checked.

`cards.toml` is a sample but for two cards; an owner of the game gives a file of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Annotated

import msgspec

from companion.games.tapak_arwah.effects import (
    OF_THE_GHOST,
    STANDING,
    Cancel,
    CardSort,
    Effect,
    Who,
)
from companion.games.tapak_arwah.state import Role
from companion.rules.cards import CardCatalogue, deck_faults
from companion.rules.content import (
    ContentId,
    Fault,
    Words,
    read_checked,
    same_names,
)
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import PASS

Copies = Annotated[int, msgspec.Meta(ge=1, le=100)]
Turns = Annotated[int, msgspec.Meta(ge=1, le=9)]


class Until(StrEnum):
    """What ends a card that lies before a player, other than turns."""

    ATTACK = "attack"
    """The next attack, once it is over."""
    ROLL = "roll"
    """The player's next movement roll."""


class Trigger(StrEnum):
    """When a card may be laid outside step d (ruling T12)."""

    ATTACKED = "attacked"


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """§4.d One card. With `lasts` it lies before a player, else it happens and is discarded.

    `lasts` counts the player's own turns to come, or names what ends the card.
    """

    id: ContentId
    count: Copies
    name: Words
    effects: tuple[Effect, ...]
    text: Words = {}
    lasts: Turns | Until | None = None
    before: Who = Who.SELF
    """Before whom a lasting card lies."""
    trigger: Trigger | None = None

    def has(self, kind: type[Effect]) -> bool:
        """Whether one of its effects is of a kind."""
        return any(isinstance(effect, kind) for effect in self.effects)


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The four decks of `cards.toml`. `sample` labels cards that are not the real ones."""

    ghost_buff: tuple[Card, ...]
    ghost_debuff: tuple[Card, ...]
    human_buff: tuple[Card, ...]
    human_debuff: tuple[Card, ...]
    sample: bool = False

    def decks(self) -> dict[str, tuple[Card, ...]]:
        """The cards by deck."""
        return {
            deck_of(Role.GHOST, CardSort.BUFF): self.ghost_buff,
            deck_of(Role.GHOST, CardSort.DEBUFF): self.ghost_debuff,
            deck_of(Role.HUMAN, CardSort.BUFF): self.human_buff,
            deck_of(Role.HUMAN, CardSort.DEBUFF): self.human_debuff,
        }


def deck_of(role: Role, sort: CardSort) -> str:
    """Ruling T23 The name of a role's own deck."""
    return f"{role}-{sort}"


DECKS = tuple(deck_of(role, sort) for role in Role for sort in CardSort)
BUFF_DECKS = tuple(deck_of(role, CardSort.BUFF) for role in Role)


class Kind(StrEnum):
    """§5 The kinds of squares."""

    START = "start"
    WHITE = "white"
    GREEN = "green"
    PURPLE = "purple"
    SACRED = "sacred"
    CURSED = "cursed"
    TRAP = "trap"
    DICE_PLUS_1 = "dice+1"
    DICE_PLUS_2 = "dice+2"
    DICE_MINUS_1 = "dice-1"
    DICE_MINUS_2 = "dice-2"
    FORWARD_1 = "forward-1"
    FORWARD_2 = "forward-2"
    FORWARD_3 = "forward-3"
    BACK_1 = "back-1"
    BACK_2 = "back-2"
    BACK_3 = "back-3"
    SWAP = "swap"
    EXTRA_TURN = "extra-turn"


DICE = {Kind.DICE_PLUS_1: 1, Kind.DICE_PLUS_2: 2, Kind.DICE_MINUS_1: -1, Kind.DICE_MINUS_2: -2}
"""§5.5.1 By how much a dice square changes a roll."""
MOVES = {
    Kind.FORWARD_1: 1,
    Kind.FORWARD_2: 2,
    Kind.FORWARD_3: 3,
    Kind.BACK_1: -1,
    Kind.BACK_2: -2,
    Kind.BACK_3: -3,
}
"""§5.5.2 How far a square moves a pawn on."""


class Zone(StrEnum):
    """§6 What decides how an attack goes."""

    DAY = "day"
    NIGHT = "night"


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of the board from its corner on (ruling T7)."""

    zone: Zone
    squares: Annotated[tuple[Kind, ...], msgspec.Meta(min_length=1, max_length=100)]


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """§1.1 `board.toml`: the sides in their order, clockwise from the start."""

    side: Annotated[tuple[Side, ...], msgspec.Meta(min_length=1, max_length=12)]
    sample: bool = False


class Track:
    """The board as the rules look at it: the kind and the zone of every square."""

    def __init__(self, board: Board) -> None:
        self.kinds = tuple(kind for side in board.side for kind in side.squares)
        self.zones = tuple(side.zone for side in board.side for _ in side.squares)
        starts = [0]
        for side in board.side[:-1]:
            starts.append(starts[-1] + len(side.squares))
        self.sides = tuple(
            (start, side.zone) for start, side in zip(starts, board.side, strict=True)
        )
        """The first square of every side, with its zone."""
        self.size = len(self.kinds)


class Content:
    """The cards and what the rules look up in them."""

    def __init__(self, cards: Cards) -> None:
        self.file = cards
        decks = cards.decks()
        self.cards = {card.id: card for deck in decks.values() for card in deck}
        self.catalogue = CardCatalogue.of_decks(cards.decks())
        self.buffs = {role: _ids(decks[deck_of(role, CardSort.BUFF)]) for role in Role}
        self.debuffs = {role: _ids(decks[deck_of(role, CardSort.DEBUFF)]) for role in Role}
        self.turn_choices = {role: (*self.buffs[role], PASS) for role in Role}
        self.lasting = {role: tuple(self._lasting_before(role)) for role in Role}
        """The cards that can lie before each role."""

    def _lasting_before(self, role: Role) -> Iterator[str]:
        for deck, cards in self.file.decks().items():
            for card in cards:
                if card.lasts is not None and _lies_before(deck, card) is role:
                    yield card.id


def _ids(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(card.id for card in cards)


def _lies_before(deck: str, card: Card) -> Role:
    """The role before which a lasting card of a deck lies."""
    own = Role(deck.partition("-")[0])
    return own if card.before is Who.SELF else other_role(own)


def other_role(role: Role) -> Role:
    """The other side."""
    return Role.HUMAN if role is Role.GHOST else Role.GHOST


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def read_cards(text: str, filename: str = "cards.toml") -> Content:
    """Cards from TOML; raises BadContent with line, field and what is allowed."""
    return Content(read_checked(text, Cards, filename, _card_faults))


def read_board(text: str, filename: str = "board.toml") -> Board:
    """A board from TOML; raises BadContent with line, field and what is allowed."""
    return read_checked(text, Board, filename, _board_faults)


def advice(cards: Cards) -> Iterator[Phrase]:
    """What is odd about a set of cards, though it can be played."""
    yield from same_names(Named(card.name) for deck in cards.decks().values() for card in deck)


def _card_faults(cards: Cards) -> Iterator[Fault]:
    yield from deck_faults(cards.decks(), taken=(PASS,))
    for deck, deck_cards in cards.decks().items():
        for number, card in enumerate(deck_cards):
            here: list[str | int] = [deck.replace("-", "_"), number]
            yield from _sort_faults(here, deck, card)
            yield from _effect_faults(here, deck, card)


def _sort_faults(path: list[str | int], deck: str, card: Card) -> Iterator[Fault]:
    """What a card of this deck cannot be."""
    if not card.effects:
        yield [*path, "effects"], "a card needs at least one effect"
    if card.trigger and deck != deck_of(Role.HUMAN, CardSort.BUFF):
        yield [*path, "trigger"], "only a buff of the human can answer an attack (§6)"
    if card.trigger and card.lasts is not None:
        yield [*path, "lasts"], "a card that answers an attack happens at once"
    if card.before is Who.OTHER and card.lasts is None:
        yield [*path, "before"], "only a card that lasts lies before somebody"


def _effect_faults(path: list[str | int], deck: str, card: Card) -> Iterator[Fault]:
    for number, effect in enumerate(card.effects):
        here = [*path, "effects", number]
        if isinstance(effect, STANDING) != (card.lasts is not None):
            names = "dice, no-attack, no-buff, unstoppable"
            yield here, f"a card that lasts, and no other, has the effects {names}"
        if isinstance(effect, Cancel) and card.trigger is None:
            yield here, 'only a card with trigger = "attacked" can cancel'
        if isinstance(effect, OF_THE_GHOST) and _lies_before(deck, card) is not Role.GHOST:
            yield here, "this means something only before the ghost, who is the one to attack (§6)"


def _board_faults(board: Board) -> Iterator[Fault]:
    kinds = [kind for side in board.side for kind in side.squares]
    if kinds[0] is not Kind.START or kinds.count(Kind.START) > 1:
        yield ["side", 0, "squares"], "the first square, and no other, is the start (§1.1)"
    if len(kinds) < 2:
        yield ["side", 0, "squares"], "a board needs at least two squares"


# -- what ships ------------------------------------------------------------------------------------
