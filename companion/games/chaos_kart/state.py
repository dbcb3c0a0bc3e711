"""The whole visible state of a Chaos Kart game."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.rules.cards import CardState
from companion.rules.events import Square
from companion.rules.markers import Markers


class Phase(StrEnum):
    """§5 Where in a turn the game stands; the cursor of the outermost loop."""

    SETUP = "setup"
    START = "start"
    REPAIR = "repair"
    BEFORE = "before-move"
    MOVE = "move"
    AFTER = "after-move"
    END = "end"


PHASES = tuple(Phase)


class Kart(msgspec.Struct):
    """§2.2, 2.5 One player's pawn and the markers before the player."""

    square: Square = None
    laps: int = 0
    markers: Markers = {}
    entered: bool = False
    """Whether it has come onto the track over the start/finish (rulings A5, A36)."""
    debt: int = 0
    """Backward crossings not yet driven over again (ruling A6)."""
    moves: int = 0
    """How often it has been put on another square; tells a movement that it is over (A20)."""
    asks: bool = True
    """Whether its player wants to be asked for passive cards."""


class Trap(msgspec.Struct):
    """§13 A trap on the board."""

    owner: str
    card: str
    square: int
    uses: int


class KartState(CardState, kw_only=True):
    """A game of Chaos Kart."""

    karts: dict[str, Kart]
    squares: int
    target: int
    """§3 Laps to win, before ruling A5 raises it."""
    direction: str = "clockwise"
    guide: bool = False
    """Whether the first turns explain their phases."""
    tokens: list[str]
    """§2.3 The token on each square, "" for none."""
    traps: list[Trap] = []
    """Oldest first."""
    phase: Phase = Phase.SETUP
    active: str = ""
    turn: int = 0
    active_played: bool = False
    """§5.4 Whether an active power-up was played this turn."""
    bonus: int = 0
    """Squares added to this turn's move card (ruling A14)."""
    passed: list[int] = []
    """§13.1 Squares the active player has passed this turn."""
    barred: bool = False
    """§5.8 Whether being stunned has barred the move phase of this turn."""
    events: int = 0
    """Event cards turned up this turn (ruling A57)."""
    events_open: int = 0
    """Event cards being carried out now, one inside the other (ruling A57)."""
