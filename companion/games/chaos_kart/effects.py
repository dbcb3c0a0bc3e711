"""§20 The effects that cards name, as data. Each is a typed record that runs one rule.

A card, token or trap lists effects in TOML; `do` says which:
`{ do = "marker", who = "opponent", marker = "damaged" }`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=1, le=200)]
Range = Annotated[
    tuple[Annotated[int, msgspec.Meta(ge=0, le=200)], ...], msgspec.Meta(min_length=2, max_length=2)
]
"""The least and the most of a choice."""


class Who(StrEnum):
    """§20.2 Whom an effect concerns, seen from the player it acts for."""

    SELF = "self"
    """Who played the card, whom the trap hit, who turned up the event."""
    OTHER = "other"
    """The other party: who attacked or bumped, or who owns the trap."""
    ACTIVE = "active"
    OPPONENT = "opponent"
    """One opponent, chosen."""
    OPPONENTS = "opponents"
    EVERYONE = "everyone"
    LEADER = "leader"
    LAST = "last"
    LEADING_OPPONENT = "leading-opponent"
    LAST_OPPONENT = "last-opponent"
    AHEAD = "ahead"
    BEHIND = "behind"


class MarkerName(StrEnum):
    """§15 The markers that effects can give."""

    DAMAGED = "damaged"
    STUNNED = "stunned"
    SHIELD = "shield"
    BUMP_GUARD = "bump-guard"
    SILENCED = "silenced"


class HandDeck(StrEnum):
    """§17 The decks whose cards come into hands."""

    MOVE = "move"
    POWER_UP = "power-up"


class Spot(StrEnum):
    """Where `place` puts a pawn. `next` counts forward from where it stands."""

    START_FINISH = "start-finish"
    NEXT_BEND = "next-bend"
    NEXT_POWER_UP = "next-power-up"
    NEXT_EVENT = "next-event"


class Stage(StrEnum):
    """§5.6 The steps that settle a movement."""

    LAP = "lap"
    TRAPS = "traps"
    BEND = "bend"
    BUMP = "bump"
    POWER_UP = "power-up"
    EVENT = "event"


class Clauses(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a card adds to a movement it causes."""

    bend: tuple[Effect, ...] = ()
    """§20.3 What happens if this movement hits a bend."""
    bump_back: Count = 1
    """§20.4 How far the pawn goes back that this movement bumps."""
    bumps_passed: bool = False
    """§9 Whether pawns that are only passed are bumped too."""
    order: tuple[Stage, ...] = ()
    """§5.6 A special order of the steps; all six must be named."""


class Forward(Clauses, frozen=True, tag_field="do", tag="forward"):
    """§7.1, 7.2 Move forward, a number of squares or a range that the mover chooses from."""

    steps: Count | Range
    who: Who = Who.SELF


class Back(Clauses, frozen=True, tag_field="do", tag="back"):
    """§7.3 Move back."""

    steps: Count | Range
    who: Who = Who.SELF


class _Effect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class GiveMarker(_Effect, frozen=True, tag_field="do", tag="marker"):
    """§15 Get a marker."""

    marker: MarkerName
    who: Who = Who.SELF
    count: Count = 1


class RemoveMarker(_Effect, frozen=True, tag_field="do", tag="remove"):
    """§15 Lose a marker."""

    marker: MarkerName
    who: Who = Who.SELF
    count: Count = 1


class Draw(_Effect, frozen=True, tag_field="do", tag="draw"):
    """§10, 18 Draw cards."""

    deck: HandDeck
    who: Who = Who.SELF
    count: Count = 1


class Discard(_Effect, frozen=True, tag_field="do", tag="discard"):
    """§17 Discard cards of one's own choice from the hand."""

    who: Who = Who.SELF
    count: Count = 1


class Swap(_Effect, frozen=True, tag_field="do", tag="swap"):
    """Swap places with another pawn: no forward movement, passes nothing (ruling A10)."""

    who: Who


class PlaceAt(_Effect, frozen=True, tag_field="do", tag="place"):
    """Put the pawn on a square: no forward movement, passes nothing (ruling A10)."""

    to: Spot
    who: Who = Who.SELF


class Bonus(_Effect, frozen=True, tag_field="do", tag="bonus"):
    """Add squares to this turn's move card; damage still caps the sum (ruling A14)."""

    steps: Count


class UseSquare(_Effect, frozen=True, tag_field="do", tag="use-square"):
    """§7.5 Use the token one stands on without having moved, as the card says so."""

    who: Who = Who.SELF


class Cancel(_Effect, frozen=True, tag_field="do", tag="cancel"):
    """§14.3 Cancel what the passive card's trigger names."""


class Reflect(_Effect, frozen=True, tag_field="do", tag="reflect"):
    """Cancel an attack and turn it against the attacker."""


Effect = (
    Forward
    | Back
    | GiveMarker
    | RemoveMarker
    | Draw
    | Discard
    | Swap
    | PlaceAt
    | Bonus
    | UseSquare
    | Cancel
    | Reflect
)

MOVING = (Forward, Back, Swap, PlaceAt)
"""Effects that move a pawn."""


def harms(effect: Effect) -> bool:
    """Whether an effect is bad for whom it concerns (ruling A47)."""
    if isinstance(effect, GiveMarker):
        return effect.marker in (MarkerName.DAMAGED, MarkerName.STUNNED, MarkerName.SILENCED)
    if isinstance(effect, RemoveMarker):
        return effect.marker in (MarkerName.SHIELD, MarkerName.BUMP_GUARD)
    return isinstance(effect, (Back, Discard, Swap))
