"""Tags: what can carry one, and what one means. A tag is a choice that people tap, not type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import count

import msgspec

from companion.rules.phrases import N_, Phrase
from companion.rules.setups import seat_ids
from companion.rules.wording import Label

SPARES = 20
"""How many spare tags a thing may have besides those of its copies."""

Meaning = tuple[str, str, str, int]
"""What one tag can mean: game, kind, thing and copy."""


class TagKind(StrEnum):
    """What sort of thing carries a tag."""

    CARD = "card"
    TOKEN = "token"
    PIECE = "piece"
    SEAT = "seat"
    JUDGE = "judge"
    UNDO = "undo"


class TaggedThing(msgspec.Struct, frozen=True, kw_only=True):
    """Something of a box, or of the table itself, that can carry a tag on each of its copies."""

    game: str
    """The game's name, "" for what belongs to the table whatever is played."""
    kind: TagKind
    thing: str
    """The choice that a tap makes: a card's id, a seat, a marker."""
    name: Label
    group: Label
    """Where it lies, such as its deck."""
    copies: int = 1

    @property
    def key(self) -> tuple[str, str, str]:
        """The same thing, whatever it is called."""
        return self.game, self.kind.value, self.thing


class Tag(msgspec.Struct, frozen=True):
    """What a tag means: one copy, from 1 on, of one thing. A UID has one meaning, in all games.

    `uid` is in the form of `companion.portable.uid`.
    """

    uid: str
    game: str
    kind: TagKind
    thing: str
    copy: int = 1

    @property
    def key(self) -> tuple[str, str, str]:
        """The thing that is meant, as in `TaggedThing.key`."""
        return self.game, self.kind.value, self.thing

    @property
    def meaning(self) -> Meaning:
        """Everything but the UID."""
        return *self.key, self.copy


def short(uid: str) -> str:
    """A UID as it is shown: its last four digits. The whole would tell cards in hands apart."""
    return f"…{uid[-4:]}"


def free_copy(thing: TaggedThing, tags: Iterable[Tag]) -> int | None:
    """The first copy of a thing that has no tag, to bind one to it; None if all have."""
    taken = {tag.copy for tag in tags if tag.key == thing.key}
    return next((copy for copy in range(1, thing.copies + 1) if copy not in taken), None)


def next_copy(thing: TaggedThing, tags: Iterable[Tag]) -> int:
    """The copy to bind one more tag to: the first without one, else a spare beyond the copies.

    Where every copy has a tag, one of them is lost and nobody can say which; the spare takes
    nothing away from the others.
    """
    taken = {tag.copy for tag in tags if tag.key == thing.key}
    return next(copy for copy in count(1) if copy not in taken)


def table_things(seats: int) -> Iterator[TaggedThing]:
    """What belongs to the table whatever is played: so many seats, the judge, undo."""
    group = Phrase(N_("table"))
    for seat in seat_ids(seats):
        name = Phrase(N_("seat {seat}"), {"seat": seat})
        yield TaggedThing(game="", kind=TagKind.SEAT, thing=seat, name=name, group=group)
    for kind, text in ((TagKind.JUDGE, N_("judge")), (TagKind.UNDO, N_("undo"))):
        yield TaggedThing(game="", kind=kind, thing=kind.value, name=Phrase(text), group=group)
