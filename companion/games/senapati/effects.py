"""Per 18 What skill cards do, as data. Each effect is a typed record that runs one rule.

A card lists effects in TOML; `do` says which: `{ do = "push", steps = 1 }`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

Steps = Annotated[int, msgspec.Meta(ge=1, le=8)]
Count = Annotated[int, msgspec.Meta(ge=1, le=9)]


class Sort(StrEnum):
    """Which pieces an effect is for."""

    SENAPATI = "senapati"
    RAJASA = "rajasa"
    ANY = "any"


class Pattern(StrEnum):
    """Which ways a piece goes."""

    PLUS = "plus"
    CROSS = "cross"
    BOTH = "both"


class Move(msgspec.Struct, frozen=True, tag_field="do", tag="move", forbid_unknown_fields=True):
    """Move one of one's own pieces up to so many squares in a straight line."""

    piece: Sort = Sort.SENAPATI
    pattern: Pattern = Pattern.PLUS
    steps: Steps = 1
    jumps: bool = False
    """Whether pieces in between do not stop it."""
    captures: bool = True
    """Whether it may end on a piece of the opponent."""


class Push(msgspec.Struct, frozen=True, tag_field="do", tag="push", forbid_unknown_fields=True):
    """Push one enemy Senapati towards its own side, as far as the way is free."""

    steps: Steps = 1


class Swap(msgspec.Struct, frozen=True, tag_field="do", tag="swap", forbid_unknown_fields=True):
    """Two of one's own pieces change places."""


class Pin(msgspec.Struct, frozen=True, tag_field="do", tag="pin", forbid_unknown_fields=True):
    """One enemy piece cannot move in its owner's next turn."""

    piece: Sort = Sort.SENAPATI


class Guard(msgspec.Struct, frozen=True, tag_field="do", tag="guard", forbid_unknown_fields=True):
    """One of one's own pieces cannot be taken until one's next turn."""

    piece: Sort = Sort.SENAPATI


class Revive(msgspec.Struct, frozen=True, tag_field="do", tag="revive", forbid_unknown_fields=True):
    """One of one's own Senapati that are out of the game comes back to the home row."""


class Draw(msgspec.Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Take further skill cards."""

    count: Count = 1


Effect = Move | Push | Swap | Pin | Guard | Revive | Draw
