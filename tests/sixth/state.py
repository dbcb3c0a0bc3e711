"""The whole visible state of a firefly night."""

from __future__ import annotations

from companion.rules.cards import CardState


class NightState(CardState, kw_only=True):
    """A night. `jars` counts the fireflies that each seat has."""

    jars: dict[str, int]
    first: str
    active: str
    turn: int = 0
    """0: the cards are still to be dealt."""
