"""§2, 13, 14 The cards and the board as typed records, read from TOML and checked.

`cards.toml` and `board.toml` here are samples; an owner of the game gives files of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from typing import Annotated

import msgspec

from companion.games.chaos_kart.effects import (
    MOVING,
    Back,
    Cancel,
    Clauses,
    Count,
    Effect,
    Forward,
    MarkerName,
    Range,
    Reflect,
    Stage,
)
from companion.rules.cards import CardCatalogue, deck_faults
from companion.rules.content import (
    ContentId,
    Fault,
    Words,
    read_checked,
    same_names,
    shipped,
)
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS

MOVE, POWER_UP, EVENT = "move", "power-up", "event"
REPAIR = "repair"
"""§5.3 The choice of discarding a card to repair damage."""
DEFENCE_MARKERS = (MarkerName.SHIELD.value, MarkerName.BUMP_GUARD.value)
"""§16 The choices of spending a marker."""
DECK_SIZES = {MOVE: 72, POWER_UP: 36, EVENT: 36}
"""§2.4"""


class Trigger(StrEnum):
    """§14.2 When a passive card may be laid."""

    ATTACKED = "attacked"
    TRAPPED = "trapped"
    DAMAGED = "damaged"
    STUNNED = "stunned"
    BUMPED = "bumped"
    BEND = "bend"


class TrapTrigger(StrEnum):
    """§13.2 What sets a trap off, by §20.1."""

    PASSES = "passes"
    STOPS = "stops"
    ENTERS = "enters"
    PASSES_OR_STOPS = "passes-or-stops"


class On(StrEnum):
    """Which token must lie on a trap's square."""

    ANYTHING = "anything"
    NO_TOKEN = "no-token"
    BEND = "bend"
    POWER_UP = "power-up"
    EVENT = "event"


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """§13.1 Where a trap may be laid. Without conditions: any empty square but start/finish."""

    on: On = On.ANYTHING
    ahead: Count | None = None
    """At most so many squares ahead of its owner."""
    passed: bool = False
    """Only on a square its owner has just passed."""
    occupied: bool = False
    """Whether a pawn may stand there (ruling A24)."""
    with_trap: bool = False
    """Whether another trap may lie there (ruling A25)."""


class TrapText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """§13 What is printed on a trap."""

    trigger: TrapTrigger
    effects: tuple[Effect, ...]
    place: Placement = Placement()
    uses: Count = 1
    """§13.3 How often it works before it is discarded."""
    hits_owner: bool = False
    """§13.5"""


class PowerUpType(StrEnum):
    """§14 What kind of power-up a card is; its timing is another matter (ruling A2)."""

    ATTACK = "attack"
    TRAP = "trap"
    DEFENCE = "defence"
    UTILITY = "utility"


class _Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: ContentId
    count: Count
    name: Words
    text: Words = {}


class MoveCard(Clauses, frozen=True, kw_only=True):
    """§7 A move card: forward (or back) a number of squares, or a range to choose from."""

    id: ContentId
    count: Count
    name: Words
    text: Words = {}
    steps: Count | Range
    back: bool = False

    @property
    def plain(self) -> bool:
        """Whether it says nothing but how far forward: people call it by its number."""
        special = self.back or self.bend or self.bumps_passed or self.order
        return isinstance(self.steps, int) and self.bump_back == 1 and not special


class PowerUp(_Card, frozen=True, kw_only=True):
    """§14 A power-up: active, or passive with its trigger; a trap has its own text.

    `attack` marks what shields and cancelling cards answer (rulings A47, M7).
    """

    type: PowerUpType
    effects: tuple[Effect, ...] = ()
    trigger: Trigger | None = None
    trap: TrapText | None = None

    @property
    def passive(self) -> bool:
        """Whether the card waits for a trigger."""
        return self.trigger is not None

    @property
    def attack(self) -> bool:
        """Whether it is an attack in the sense of shields."""
        return self.type is PowerUpType.ATTACK


class EventCard(_Card, frozen=True, kw_only=True):
    """§11 An event card."""

    effects: tuple[Effect, ...]


AnyCard = MoveCard | PowerUp | EventCard


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The three decks of `cards.toml`. `sample` labels cards that are not the real ones."""

    move: tuple[MoveCard, ...]
    power_up: tuple[PowerUp, ...]
    event: tuple[EventCard, ...]
    sample: bool = False

    def decks(self) -> dict[str, tuple[AnyCard, ...]]:
        """The cards by deck."""
        return {MOVE: self.move, POWER_UP: self.power_up, EVENT: self.event}


class Token(StrEnum):
    """§2.3 The tokens of the track."""

    POWER_UP = "power-up"
    EVENT = "event"
    BEND = "bend"


class TokenPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token on a square."""

    square: int
    token: Token


class Track(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """§2.1, 2.3 `board.toml`: a ring of squares, 0 the start/finish, clockwise, and its tokens."""

    squares: Annotated[int, msgspec.Meta(ge=3, le=200)]
    token: tuple[TokenPlace, ...] = ()
    sample: bool = False


class Content:
    """The cards and what the rules look up in them."""

    def __init__(self, cards: Cards, text: str) -> None:
        self.cards = cards
        self.moves = {card.id: card for card in cards.move}
        self.power_ups = {card.id: card for card in cards.power_up}
        self.events = {card.id: card for card in cards.event}
        self.catalogue = CardCatalogue.of_decks(cards.decks())
        self.hand_cards = (*self.moves, *self.power_ups)
        self.turn_choices = (*self.hand_cards, PASS, REPAIR, *self.events)
        others = (card for card in self.hand_cards if card not in DEFENCE_MARKERS)
        self.defence_choices = (*others, PASS, *DEFENCE_MARKERS)
        self.event_cards = tuple(self.events)
        self.passives = {
            trigger: tuple(card.id for card in cards.power_up if card.trigger is trigger)
            for trigger in Trigger
        }
        self.version = blake2b(text.encode(), digest_size=8).hexdigest()


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def read_cards(text: str, filename: str = "cards.toml") -> Content:
    """Cards from TOML; raises BadContent with line, field and what is allowed."""
    return Content(read_checked(text, Cards, filename, _card_faults), text)


def read_track(text: str, filename: str = "board.toml") -> Track:
    """A track from TOML; raises BadContent with line, field and what is allowed."""
    return read_checked(text, Track, filename, _track_faults)


def advice(cards: Cards) -> Iterator[Phrase]:
    """What is odd about a set of cards, though it can be played."""
    for deck, deck_cards in cards.decks().items():
        count = sum(card.count for card in deck_cards)
        if count != DECK_SIZES[deck]:
            yield Phrase(
                N_("The {deck} deck has {n} cards; §2.4 says {size}."),
                {"deck": deck, "n": count, "size": DECK_SIZES[deck]},
            )
    yield from same_names(Named(card.name) for deck in cards.decks().values() for card in deck)


def _card_faults(cards: Cards) -> Iterator[Fault]:
    yield from deck_faults(cards.decks(), taken=(PASS, REPAIR))
    for number, move in enumerate(cards.move):
        yield from _clause_faults(["move", number], move)
        yield from _steps_faults(["move", number, "steps"], move.steps)
    for number, power_up in enumerate(cards.power_up):
        yield from _power_up_faults(["power_up", number], power_up)
    for number, event in enumerate(cards.event):
        yield from _effects_faults(["event", number, "effects"], event.effects, passive=False)


def _power_up_faults(path: list[str | int], card: PowerUp) -> Iterator[Fault]:
    if (card.type is PowerUpType.TRAP) != (card.trap is not None):
        yield [*path, "type"], 'a card of type "trap", and no other, has a [power_up.trap]'
    if card.trap is not None:
        if card.effects or card.trigger:
            yield path, "a trap has its effects under trap, and no trigger of the card's own"
        yield from _effects_faults([*path, "trap", "effects"], card.trap.effects, passive=False)
        return
    if not card.effects:
        yield [*path, "effects"], "a card that is no trap needs at least one effect"
    yield from _effects_faults([*path, "effects"], card.effects, passive=card.passive)
    if card.passive and card.id in DEFENCE_MARKERS:
        yield [*path, "id"], f"{card.id} is a marker; a passive card needs another id"
    if card.trigger is Trigger.BUMPED and any(moves_pawns(effect) for effect in card.effects):
        yield [*path, "effects"], "a card laid against a bump cannot move pawns as well"
    reflects = any(isinstance(effect, Reflect) for effect in card.effects)
    if reflects and card.trigger is not Trigger.ATTACKED:
        yield [*path, "trigger"], 'only a card with trigger = "attacked" can reflect'


def _effects_faults(
    path: list[str | int], effects: tuple[Effect, ...], *, passive: bool
) -> Iterator[Fault]:
    for number, effect in enumerate(effects):
        here = [*path, number]
        if isinstance(effect, (Cancel, Reflect)) and not passive:
            yield here, "only a passive card (one with a trigger) can cancel or reflect"
        if isinstance(effect, (Forward, Back)):
            yield from _clause_faults(here, effect)
            yield from _steps_faults([*here, "steps"], effect.steps)


def _clause_faults(path: list[str | int], clauses: Clauses) -> Iterator[Fault]:
    if clauses.order and sorted(clauses.order) != sorted(Stage):
        yield [*path, "order"], f"names each step once: {', '.join(Stage)}"
    yield from _effects_faults([*path, "bend"], clauses.bend, passive=False)


def _steps_faults(path: list[str | int], steps: int | Range) -> Iterator[Fault]:
    if isinstance(steps, tuple) and steps[0] >= steps[1]:
        yield path, "a range goes from the smaller to the larger number, such as [1, 3]"


def _track_faults(track: Track) -> Iterator[Fault]:
    taken: set[int] = set()
    for number, place in enumerate(track.token):
        here: list[str | int] = ["token", number, "square"]
        if place.square == 0:
            yield here, "no token lies on the start/finish, square 0 (§2.3)"
        elif not 0 < place.square < track.squares:
            yield here, f"there is no square {place.square}; allowed: 1 to {track.squares - 1}"
        elif place.square in taken:
            yield here, f"square {place.square} has a token already, one at the most (§2.3)"
        taken.add(place.square)


# -- what ships ------------------------------------------------------------------------------------


def sample_cards() -> Content:
    """The sample decks that ship."""
    return read_cards(shipped(__package__, "cards.toml"))


def sample_track() -> Track:
    """The sample track that ships."""
    return read_track(shipped(__package__, "board.toml"))


def moves_pawns(effect: Effect) -> bool:
    """Whether an effect moves a pawn."""
    return isinstance(effect, MOVING)
