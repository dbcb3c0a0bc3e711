"""The events that only Tapak Arwah Nusantara has."""

from __future__ import annotations

from companion.rules.events import Event


class RolledForFirst(Event, frozen=True):
    """§3 What a player rolled for the first turn."""

    seat: str
    pips: int


class RolledATie(Event, frozen=True):
    """§3 Both rolled the same and roll again."""


class GoesFirst(Event, frozen=True):
    """§3 Who has the first turn."""

    seat: str


class RollChanged(Event, frozen=True):
    """§4.a, 5.5.1 Squares or cards change a roll; `result` is what counts."""

    seat: str
    pips: int
    result: int


class StoppedOn(Event, frozen=True):
    """§4.c A pawn has come to stand on a square, which works now."""

    seat: str
    square: int
    kind: str


class SquareSpent(Event, frozen=True):
    """Ruling T28: a square that has worked already in this chain of movements does nothing."""

    seat: str
    square: int


class DiceAdded(Event, frozen=True):
    """§5.5.1 A dice square changes the next roll; `dice` is the sum that waits now."""

    seat: str
    change: int
    dice: int


class CardLaid(Event, frozen=True):
    """§4.d, ruling T10 A card that lasts comes to lie before a player."""

    seat: str
    card: str


class DebuffRemoved(Event, frozen=True):
    """§5.3, 5.4 A debuff is removed from before a player."""

    seat: str
    card: str


class TurnSkipped(Event, frozen=True):
    """§5.6 A turn is skipped; it counts as a turn all the same (ruling T13)."""

    seat: str


class SkipCancelled(Event, frozen=True):
    """Ruling T14: a turn to skip and a turn to add cancel each other."""

    seat: str


class Attacked(Event, frozen=True):
    """§6 The ghost attacks the human."""

    seat: str
    other: str
    zone: str


class AttackBarred(Event, frozen=True):
    """§5.3 The pawns are together, yet there is no attack; the rule says why."""

    seat: str


class AttackCancelled(Event, frozen=True):
    """§6 A card has called an attack off."""

    seat: str
    card: str


class NotCancelled(Event, frozen=True):
    """§6 No card was laid against an attack."""

    seat: str


class Missed(Event, frozen=True):
    """§6.1 The ghost's roll has failed."""

    seat: str


class NotHitBack(Event, frozen=True):
    """§6.1 The human's roll to fight back has failed."""

    seat: str


class Withstood(Event, frozen=True):
    """§6.2 The human has withstood an attack."""

    seat: str


class LifeLost(Event, frozen=True):
    """§6 A life is lost; `lives` are left."""

    seat: str
    lives: int


class LifeGained(Event, frozen=True):
    """§4.d A life is won back; `lives` are there now."""

    seat: str
    lives: int


class NoEffect(Event, frozen=True):
    """§4.d A part of a card did nothing for a player."""

    seat: str
    card: str
