"""§6.3, 6.4, 10 The effects that cards, spaces, castles and traps name, as data.

Each is a typed record that runs one rule. A file lists them in TOML, `do` says which:
`{ do = "boost", count = 2 }`. Not every effect can stand everywhere: see the tuples below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import msgspec

from companion.rules.content import Fault

Count = Annotated[int, msgspec.Meta(ge=1, le=5)]


class _Effect(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"
):
    """What all effects are: small records, told apart by `do`."""


class Progress(_Effect, frozen=True, tag="progress"):
    """Move the own token one space up the progress track and get what is shown there."""


class Boost(_Effect, frozen=True, tag="boost"):
    """Get boosts of colours of one's own choice."""

    count: Count = 1


class TakeOrLay(_Effect, frozen=True, tag="trap"):
    """Take a new trap or lay one of the own dock; with `count` 2 so twice, in any mixture.

    `optional`: it may be left alone, even where ruling R8 makes other trap bonuses a must.
    """

    count: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    optional: bool = False


class Look(_Effect, frozen=True, tag="look"):
    """Look secretly at one trap of the board."""


class HandLimit(_Effect, frozen=True, tag="hand-limit"):
    """Hold so many cards from now on."""

    cards: Annotated[int, msgspec.Meta(ge=3, le=9)] = 4


class LookInside(_Effect, frozen=True, tag="controller"):
    """Look into a controller that is not one's own, and take its clue."""


class Stretch(_Effect, frozen=True, tag="stretch"):
    """Get stretch tokens (playground mode)."""

    count: Count = 1


class Stop(_Effect, frozen=True, tag="stop"):
    """Receive stops."""

    count: Count = 1


class LoseBoost(_Effect, frozen=True, tag="lose-boost"):
    """Discard boosts; ignored where there are none."""

    count: Count = 1


class NoCardEffect(_Effect, frozen=True, tag="no-card-effect"):
    """The card played this turn has no effect."""


class NoDraw(_Effect, frozen=True, tag="no-draw"):
    """No new cards at the end of this turn."""


Effect = (
    Progress
    | Boost
    | TakeOrLay
    | Look
    | HandLimit
    | LookInside
    | Stretch
    | Stop
    | LoseBoost
    | NoCardEffect
    | NoDraw
)

OF_CARDS = (Progress, Boost, TakeOrLay, Look)
"""§6.4 What cards do."""
OF_SPACES = (*OF_CARDS, Stretch)
"""§6.3 What spaces with a track bonus give."""
OF_PROGRESS = (Boost, TakeOrLay, Look, HandLimit, LookInside, Stretch)
"""§6.3.1 What the spaces of the progress track give; never progress, which would not end."""
OF_CASTLES = (*OF_SPACES, Stop)
"""§9.1 What sandcastles give."""
OF_TRAPS = (Stop, Boost, LoseBoost, Progress, NoCardEffect, NoDraw)
"""§10 What traps do."""


def tag_of(effect: Effect | type[Effect]) -> str:
    """What a file calls an effect."""
    return str(effect.__struct_config__.tag)


def tags_of(kinds: Iterable[type[Effect]]) -> str:
    """What a file calls some effects, for lists of what is allowed."""
    return ", ".join(map(tag_of, kinds))


def effect_faults(
    path: Sequence[str | int],
    effects: Iterable[Effect],
    kinds: tuple[type[Effect], ...],
    where: str,
    key: str = "effects",
) -> Iterator[Fault]:
    """Which effects cannot stand there."""
    for number, effect in enumerate(effects):
        if not isinstance(effect, kinds):
            reason = f"{tag_of(effect)} is nothing for {where}; allowed: {tags_of(kinds)}"
            yield (*path, key, number), reason
