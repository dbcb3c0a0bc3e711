"""The whole visible state of a game of Carpet Racers.

What a chip or a face-down trap shows is not in it: a token without a tag is "", one with a tag its
seal (`companion.rules.seals`). Only what the rules have revealed is known.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.games.carpet_racers.board import Place
from companion.rules.cards import CardState


class Phase(StrEnum):
    """Where the game stands; the cursor of the outermost loop."""

    SET_UP = "set-up"
    START = "start"
    CARD = "card"
    MOVE = "move"
    TRAPS = "traps"
    BONUS = "bonus"
    CATAPULT = "catapult"
    EFFECT = "effect"
    TYRES = "tyres"
    NEW_CARDS = "new-cards"
    REVEAL = "reveal"
    FINAL = "final"


class Tags(StrEnum):
    """Which of the secret things carry tags."""

    NONE = "none"
    CHIPS = "chips"
    ALL = "chips and traps"


class Controller(msgspec.Struct):
    """§2.3, 3 A controller and its dock, whoever holds it."""

    chip: str = ""
    """The seal of the chip that lies in it."""
    dock: list[str] = []
    """§6.2.1 The traps on its dock, face down."""


class Racer(msgspec.Struct):
    """A player's controller and what lies before it."""

    controller: str
    boosts: dict[str, int] = {}
    """§6.3.2 By colour, which is a car."""
    stops: int = 0
    stretch: int = 0
    progress: int = 0
    """§6.3.1 Spaces up the progress track; 0 is the lowest."""
    clues: list[str] = []
    """§4, 6.3.1 The controllers that the player may look into, oldest clue first."""
    car: str = ""
    """§8.1 What the chip has turned out to be."""


class Leg(msgspec.Struct):
    """§6.1 A car's part of the movement, still to be driven."""

    car: str
    spaces: int


class Due(msgspec.Struct):
    """§6.2 A trap that a car has stopped on, still to be turned over."""

    space: int
    token: str


class CarpetState(CardState, kw_only=True):
    """A game of Carpet Racers."""

    racers: dict[str, Racer]
    controllers: dict[str, Controller]
    cars: dict[str, Place]
    laps: dict[str, int]
    """§2.4, 6.1.1 How often each car has crossed the line, one more in a race of two laps."""
    driven: dict[str, int]
    """Ruling R16 The spaces of each car from the line, along the way that it took."""
    crossed: dict[str, int]
    """§8.1 How often final moves took each car over the line, less than 0 for back."""
    traps: dict[str, list[str]] = {}
    """§6.2 The traps that lie face down, by the number of the space."""
    tags: Tags = Tags.NONE
    guide: bool = False
    """Whether the first turns explain their questions."""
    phase: Phase = Phase.SET_UP
    active: str
    turn: int = 0
    to_insert: list[str] = []
    """§3 The controllers that still get a chip with a tag."""
    to_dock: list[str] = []
    """§2.9 The controllers whose docks still get a trap."""
    to_look: list[str] = []
    """§4 Who has still to get the first clue."""
    to_fill: list[int] = []
    """§2.8, 6.5 Spaces that still get a trap from the supply."""
    moved: list[str] = []
    """§6.1 The two cars of this turn, in the order in which they move."""
    legs: list[Leg] = []
    due: list[Due] = []
    bonuses: list[int] = []
    """§6.3 Spaces whose track bonus is still to be got."""
    effects: int = 0
    """§6.4 How many effects of the card have been carried out."""
    no_effect: bool = False
    """§10 A trap has ended the card's effect for this turn."""
    no_draw: bool = False
    """§10 A trap has forbidden new cards for this turn."""
    to_finish: list[str] = []
    """§8.1 Whose final move is still to come."""
