"""§4.d The effects that cards name, as data. Each is a typed record that runs one rule.

A card lists effects in TOML; `do` says which: `{ do = "back", who = "other", steps = 2 }`. Those of
`STANDING` hold as long as their card lies before a player; all others happen at once.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=1, le=60)]
Change = Annotated[int, msgspec.Meta(ge=-5, le=5)]


class Who(StrEnum):
    """Whom an effect concerns, seen from the player whose card it is."""

    SELF = "self"
    OTHER = "other"


class Landmark(StrEnum):
    """§5 The squares that a card can send a pawn to."""

    START = "start"
    GREEN = "green"
    PURPLE = "purple"
    SACRED = "sacred"
    CURSED = "cursed"
    TRAP = "trap"
    SWAP = "swap"
    EXTRA_TURN = "extra-turn"


class Way(StrEnum):
    """Which way to look for a square."""

    FORWARD = "forward"
    BACK = "back"


class CardSort(StrEnum):
    """§4.d The two sorts of cards that each role has."""

    BUFF = "buff"
    DEBUFF = "debuff"


class _Effect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    who: Who = Who.SELF


class Forward(_Effect, frozen=True, tag_field="do", tag="forward"):
    """Move forward; the square reached works (ruling T25)."""

    steps: Count


class Back(_Effect, frozen=True, tag_field="do", tag="back"):
    """Move back; the square reached works (ruling T25)."""

    steps: Count


class GoTo(_Effect, frozen=True, tag_field="do", tag="go-to"):
    """Move to the nearest square of a kind, the one underfoot not counted (rulings T20, T25)."""

    square: Landmark
    way: Way


class Swap(msgspec.Struct, frozen=True, tag_field="do", tag="swap", forbid_unknown_fields=True):
    """The two pawns change places; neither square works, nobody attacks (ruling T15)."""


class Skip(_Effect, frozen=True, tag_field="do", tag="skip"):
    """Skip the next turn, as by a trap (§5.6)."""


class ExtraTurn(_Effect, frozen=True, tag_field="do", tag="extra-turn"):
    """Another whole turn, as by the square (§5.5.4)."""


class Draw(_Effect, frozen=True, tag_field="do", tag="draw"):
    """Take buffs unseen, or turn up debuffs one after the other."""

    card: CardSort
    count: Count = 1


class Discard(_Effect, frozen=True, tag_field="do", tag="discard"):
    """Discard buffs of one's own choice."""

    count: Count = 1


class GainLife(_Effect, frozen=True, tag_field="do", tag="gain-life"):
    """Get a life back, three at the most (ruling T30)."""


class LoseLife(_Effect, frozen=True, tag_field="do", tag="lose-life"):
    """Lose a life without an attack."""


class RemoveDebuff(_Effect, frozen=True, tag_field="do", tag="remove-debuff"):
    """Remove one debuff that lies before a player, as on sacred and cursed ground."""


class Cancel(msgspec.Struct, frozen=True, tag_field="do", tag="cancel", forbid_unknown_fields=True):
    """Cancel the attack that the card answers."""


class Dice(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="do",
    tag="dice",
    forbid_unknown_fields=True,
):
    """Movement rolls are changed by so much, to 1 at the least (ruling T2)."""

    change: Change


class NoAttack(
    msgspec.Struct, frozen=True, tag_field="do", tag="no-attack", forbid_unknown_fields=True
):
    """The ghost cannot attack."""


class NoBuff(
    msgspec.Struct, frozen=True, tag_field="do", tag="no-buff", forbid_unknown_fields=True
):
    """No buff can be used."""


class Unstoppable(
    msgspec.Struct, frozen=True, tag_field="do", tag="unstoppable", forbid_unknown_fields=True
):
    """Attacks cannot be cancelled."""


Effect = (
    Forward
    | Back
    | GoTo
    | Swap
    | Skip
    | ExtraTurn
    | Draw
    | Discard
    | GainLife
    | LoseLife
    | RemoveDebuff
    | Cancel
    | Dice
    | NoAttack
    | NoBuff
    | Unstoppable
)

STANDING = (Dice, NoAttack, NoBuff, Unstoppable)
"""Effects that hold as long as their card lies before a player."""
OF_THE_GHOST = (NoAttack, Unstoppable)
"""Effects that mean something only before the ghost, who is the one to attack (ruling T5)."""
