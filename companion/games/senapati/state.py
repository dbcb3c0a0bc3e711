"""The whole visible state of a game of Senapati and Rajasa."""

from __future__ import annotations

from enum import StrEnum

from companion.rules.cards import CardState


class Phase(StrEnum):
    """Where the game stands; the cursor of the outermost loop."""

    DEAL = "deal"
    LANE = "lane"
    RETURN = "return"
    FREE = "free"


class Mark(StrEnum):
    """What a skill card may lay on a piece for a while."""

    PINNED = "pinned"
    """It cannot move until the end of its owner's next turn."""
    GUARDED = "guarded"
    """It cannot be taken until its owner's next turn begins."""


class SenapatiState(CardState, kw_only=True):
    """A game. Pieces are called as the layout calls them: "senapati/A/3", "rajasa/B"."""

    phase: Phase = Phase.DEAL
    active: str
    turn: int = 1
    guide: bool = False
    """Whether the first turns explain what may be done."""
    pieces: dict[str, str]
    """The cell of every piece; "" for one that is not on the board."""
    to_return: list[str] = []
    """Cara 7 The pieces that have still to come back before the Free Phase begins, in order."""
    used_skill: bool = False
    """Whether a skill card was used in this turn (ruling S12)."""
    marks: dict[str, list[str]] = {}
    """By mark, the pieces that have it."""
    positions: dict[str, int] = {}
    """How often each position has come up since a piece last left the board (ruling S17)."""
    repeated: bool = False
    """Whether a draw is to be offered because a position has come up again (ruling S17)."""
    quiet: int = 0
    """Turns since a piece was last taken (ruling S17); -1 in the turn that takes one."""
    free_since: int = 0
    """The turn in which the Free Phase began."""
