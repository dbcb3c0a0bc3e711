"""The whole visible state of a game of Tapak Arwah Nusantara."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.rules.cards import CardState
from companion.rules.markers import Markers

LIVES = 3
"""§2 Each player's lives, and the most that anybody can have (ruling T30)."""


class Role(StrEnum):
    """§2 The two sides."""

    GHOST = "ghost"
    HUMAN = "human"


class Phase(StrEnum):
    """§3, 4 Where the game stands; the cursor of the outermost loop."""

    FIRST = "first"
    START = "start"
    ROLL = "roll"
    CARD = "card"
    END = "end"


class Lying(msgspec.Struct):
    """§4.d, ruling T10 A card that lies before a player for a while."""

    card: str
    starts: int = 0
    """The starts of that player's turn since it was laid."""


class Pawn(msgspec.Struct):
    """§2 One player's pawn, lives, and what lies before the player."""

    square: int = 0
    lives: int = LIVES
    markers: Markers = {}
    dice: int = 0
    """§5.5.1 What dice squares have added to the next movement roll."""
    before: list[Lying] = []
    """Oldest first."""
    moves: int = 0
    """How often the pawn has been put on a square; tells one arrival from the next (ruling T4)."""
    asks: bool = True
    """Whether its player wants to be asked for reactions."""


class TapakState(CardState, kw_only=True):
    """A game of Tapak Arwah Nusantara."""

    pawns: dict[str, Pawn]
    ghost: str
    """The seat that plays the ghost; the other one is the human."""
    sides: int = 6
    """§4.a The sides of the die, before ruling T1 makes it a four-sided one."""
    limit: int = 0
    """Rounds after which the game ends, 0 for never (ruling T22)."""
    guide: bool = False
    """Whether the first turns explain their questions."""
    phase: Phase = Phase.FIRST
    active: str
    first: str = ""
    """§3 Who had the first turn."""
    turn: int = 0
    round: int = 1
    """A round ends when the turn comes back to who had the first one."""
