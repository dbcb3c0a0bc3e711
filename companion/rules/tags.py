"""Tags: what can carry one, and what one means. A tag is a choice that people tap, not type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from itertools import count

import msgspec

from companion.rules.phrases import N_, Phrase
from companion.rules.seals import OVER
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
    SEALED = "sealed"
    """Lies face down: a tap says only which sort it is, the part of `thing` before the slash."""
    SEAT = "seat"
    """Says who acts; where a player is to be chosen, it is the answer."""
    JUDGE = "judge"
    """Looks the rule up."""
    UNDO = "undo"


class TaggedThing(msgspec.Struct, frozen=True, kw_only=True):
    """Something of a box, or of the table itself, that can carry a tag on each of its copies."""

    game: str
    """The game's name, "" for what belongs to the table whatever is played."""
    kind: TagKind
    thing: str
    """The choice that a tap makes: a card's id, a seat, a marker. See `sealed_thing` for more."""
    name: Label
    group: Label
    """Where it lies, such as its deck."""
    copies: int = 1

    @property
    def key(self) -> tuple[str, str, str]:
        """The same thing, whatever it is called."""
        return self.game, self.kind.value, self.thing


def sealed_thing(
    game: str, sort: str, thing: str, name: Label, group: Label, copies: int = 1
) -> TaggedThing:
    """Something that lies face down, such as the "red" one of the sort "chip".

    A tap makes its seal the choice; once the rules reveal it, `thing` is what it was.
    """
    return TaggedThing(
        game=game,
        kind=TagKind.SEALED,
        thing=f"{sort}{OVER}{thing}",
        name=name,
        group=group,
        copies=copies,
    )


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


def is_hidden(tag: Tag, sealed: Collection[str]) -> bool:
    """Whether nobody may be told what a tag means, of whose game in `sealed` one is open."""
    return tag.kind is TagKind.SEALED and tag.game in sealed


HIDDEN = Phrase(N_("sealed as long as a game with it is open"))
"""What is said of such a tag instead."""


def short(uid: str) -> str:
    """A UID as it is shown: its last four digits. The whole would tell cards in hands apart."""
    return f"…{uid[-4:]}"


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
