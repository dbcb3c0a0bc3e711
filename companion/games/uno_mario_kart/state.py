"""The whole visible state of a game of UNO Mario Kart."""

from __future__ import annotations

from enum import StrEnum

from companion.rules.cards import CardState


class Phase(StrEnum):
    """Where the game stands; the cursor of the outermost loop."""

    LOTS = "draw-for-deal"
    DEAL = "deal"
    START = "start-card"
    TURN = "turn"
    DRAWN = "drawn-card"
    COUNT = "count"


class UnoState(CardState, kw_only=True):
    """A game. Of a round: whose turn, which way round, what must be followed."""

    target: int
    """§14 Points to win."""
    guide: bool = False
    """Whether the first turns explain what may be done."""
    scores: dict[str, int]
    phase: Phase = Phase.DEAL
    dealer: str
    lots: dict[str, str] = {}
    """§5.1 The cards drawn for the first deal."""
    to_draw: list[str] = []
    """§5.1 Who has still to draw one."""
    round: int = 0
    turn: int = 0
    active: str = ""
    direction: int = 1
    """1: to the left, in the order of the seats; -1: to the right."""
    colour: str = ""
    """§7 The colour to be followed: the top card's or, on a wild one, the one named."""
    under: str = ""
    """§10 The colour to be followed before the last card was laid (ruling U11)."""
    previous: str = ""
    """Who had the turn before this one (ruling U3)."""
    skipped: str = ""
    """Who has just lost a turn to the top card."""
    due: list[str] = []
    """§11 Who has one card left, has not called UNO and can still be caught."""
    called: str = ""
    """§11 Who has called UNO just before laying the last card but one."""
    winner: str = ""
    """§12 Who has won the round that is being counted, "" if the stock ended it (ruling U17)."""
    to_count: list[str] = []
    """§13 Whose cards are still to be counted."""
    points: dict[str, int] = {}
    """§13 What the hands counted so far are worth."""
