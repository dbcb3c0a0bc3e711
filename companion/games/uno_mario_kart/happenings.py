"""The events that only UNO Mario Kart has."""

from __future__ import annotations

from companion.rules.events import Event


class LotsTied(Event, frozen=True):
    """§5.1 Several have drawn the highest card and draw again."""

    seats: tuple[str, ...]


class DealerChosen(Event, frozen=True):
    """§5.1 The highest card deals first."""

    seat: str


class RoundBegan(Event, frozen=True):
    """§5.2 A round begins: everybody is dealt a hand."""

    round: int
    dealer: str


class ColourNamed(Event, frozen=True):
    """§5.3, 8.5, 9.5 The colour to be followed."""

    seat: str
    colour: str


class DirectionTurned(Event, frozen=True):
    """§6.1, 8.2 The turns go the other way round now."""

    direction: str


class TurnLost(Event, frozen=True):
    """§6, 8, 10 A player is passed over."""

    seat: str


class ItemUsed(Event, frozen=True):
    """§9 The item of the flipped card works."""

    seat: str
    card: str
    item: str


class NothingFlipped(Event, frozen=True):
    """Ruling U17: no card was left for an Item Box to flip."""

    seat: str


class OpponentChosen(Event, frozen=True):
    """§9.3 Whom the green shell hits."""

    seat: str
    other: str


class Challenged(Event, frozen=True):
    """§10 A Wild Draw Four is challenged."""

    seat: str
    by: str


class ChallengeDecided(Event, frozen=True):
    """§10.1, 10.2 Whether a challenge was right."""

    seat: str
    by: str
    right: bool


class UnoCalled(Event, frozen=True):
    """§11 A player has called UNO."""

    seat: str


class Caught(Event, frozen=True):
    """§11 A player forgot to call UNO; `by` is who noticed, "" if nobody knows who."""

    seat: str
    by: str


class TookBack(Event, frozen=True):
    """Ruling U22: a card laid against the rules goes back into the hand."""

    seat: str


class StockEnded(Event, frozen=True):
    """Ruling U17: the stock is empty, which ends the round."""


class WentOut(Event, frozen=True):
    """§12 A player has laid the last card of the hand."""

    seat: str


class HandCounted(Event, frozen=True):
    """§13 What a hand is worth."""

    seat: str
    points: int


class RoundWon(Event, frozen=True):
    """§13 A player scores the round; `score` is the new total."""

    seat: str
    points: int
    score: int


class RoundTied(Event, frozen=True):
    """Ruling U17: several hands are the lowest, so nobody scores."""

    seats: tuple[str, ...]
