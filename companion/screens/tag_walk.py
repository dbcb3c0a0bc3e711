"""What can have a tag, copy by copy, in the order in which one walks through it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.rules.errors import NotUnderstood
from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import Choice
from companion.rules.tags import Meaning, Tag, TaggedThing, TagKind
from companion.rules.wording import Label
from companion.screens.reading import read_choice, shorten


class Slot(msgspec.Struct, frozen=True):
    """One copy of a thing: what one tag is for."""

    thing: TaggedThing
    copy: int

    @property
    def meaning(self) -> Meaning:
        """What its tag means."""
        return *self.thing.key, self.copy

    @property
    def optional(self) -> bool:
        """Whether a game can be played by tags without this one: it is no card."""
        return self.thing.kind is not TagKind.CARD

    @property
    def phrase(self) -> Phrase:
        """What it is called."""
        if self.thing.copies == 1:
            return Phrase("{name}", {"name": self.thing.name})
        return Phrase(
            N_("{name}, copy {copy} of {copies}"),
            {"name": self.thing.name, "copy": self.copy, "copies": self.thing.copies},
        )

    def tag(self, uid: str) -> Tag:
        """The tag that a UID becomes."""
        return Tag(uid, self.thing.game, self.thing.kind, self.thing.thing, self.copy)


class Progress(msgspec.Struct, frozen=True):
    """How many copies have tags, out of how many."""

    done: int
    total: int


class Walk:
    """All slots in order, which of them have tags, and how far one has come."""

    def __init__(self, things: Sequence[TaggedThing]) -> None:
        self.things = things
        self.slots = [Slot(thing, copy + 1) for thing in things for copy in range(thing.copies)]
        self._place = {slot.meaning: place for place, slot in enumerate(self.slots)}
        self._bound: frozenset[Meaning] = frozenset()
        self._skipped: set[Meaning] = set()
        self._at = 0

    def look(self, tags: Iterable[Tag]) -> None:
        """Note which copies have tags."""
        self._bound = frozenset(tag.meaning for tag in tags)

    def is_bound(self, slot: Slot) -> bool:
        """Whether a copy has a tag."""
        return slot.meaning in self._bound

    def is_open(self, slot: Slot) -> bool:
        """Whether a copy is still to be tapped: it has no tag and was not skipped."""
        return not self.is_bound(slot) and slot.meaning not in self._skipped

    @property
    def next(self) -> Slot | None:
        """The first open copy from here on, round to the beginning; None if there is none."""
        ahead = (*self.slots[self._at :], *self.slots[: self._at])
        return next((slot for slot in ahead if self.is_open(slot)), None)

    def go_to(self, slot: Slot) -> None:
        """Go on from this copy, also if it was skipped."""
        self._at = self._place[slot.meaning]
        self._skipped.discard(slot.meaning)

    def go_past(self, slot: Slot) -> None:
        """Go on after this copy."""
        self._at = self._place[slot.meaning] + 1

    def skip(self, slots: Iterable[Slot]) -> None:
        """Pass these over."""
        self._skipped.update(slot.meaning for slot in slots)

    def ask_again(self, slots: Iterable[Slot]) -> None:
        """Do not pass them over any longer."""
        self._skipped.difference_update(slot.meaning for slot in slots)

    def copies(self, thing: TaggedThing) -> list[Slot]:
        """All copies of a thing."""
        first = self._place[*thing.key, 1]
        return self.slots[first : first + thing.copies]

    def copy(self, thing: TaggedThing, copy: int) -> Slot:
        """One of them. Raises NotUnderstood."""
        if not 1 <= copy <= thing.copies:
            raise NotUnderstood(
                N_("There is no copy {copy} of {name}: 1 to {copies}."),
                copy=copy,
                name=thing.name,
                copies=thing.copies,
            )
        return self.copies(thing)[copy - 1]

    def count(self, slots: Iterable[Slot]) -> Progress:
        """How many of these have tags."""
        bound = [self.is_bound(slot) for slot in slots]
        return Progress(sum(bound), len(bound))

    def groups(self) -> Iterator[tuple[Label, Progress]]:
        """How far each deck or other group is, in order."""
        slots: dict[str, list[Slot]] = {}
        for slot in self.slots:
            slots.setdefault(_id(slot.thing.group), []).append(slot)
        for group in slots.values():
            yield group[0].thing.group, self.count(group)

    def called(self, tag: Tag) -> Phrase:
        """What a tag means, also where that is not in this walk."""
        place = self._place.get(tag.meaning)
        if place is not None:
            return self.slots[place].phrase
        args = {"thing": tag.thing, "game": tag.game or "*", "copy": tag.copy}
        return Phrase(N_("{thing} of {game}, copy {copy}"), args)

    def find(self, text: str) -> list[TaggedThing]:
        """The thing of a name, in any language, or all of the group of that name.

        An id that several things have means the first of them: a card, not a marker called so.
        Raises NotUnderstood or WhichOne with what is allowed.
        """
        found = {"/".join(thing.key): [thing] for thing in self.things}
        labels: dict[Choice, Label] = {"/".join(thing.key): thing.name for thing in self.things}
        names = {key: _said(label) for key, label in labels.items()}
        first = {thing.thing: thing for thing in reversed(self.things)}
        for name, thing in first.items():
            names["/".join(thing.key)].append(name)
        for thing in self.things:
            key = f"group/{_id(thing.group)}"
            found.setdefault(key, []).append(thing)
            labels[key] = thing.group
            names[key] = _said(thing.group)
        try:
            return found[str(read_choice(text, None, (), names, labels.__getitem__))]
        except NotUnderstood as error:
            if "names" in error.phrase.args:  # it says what may have been meant
                raise
            raise NotUnderstood(
                N_("“{typed}” is nothing that can have a tag here."), typed=shorten(text)
            ) from None


def _id(label: Label) -> str:
    """What tells labels apart, whatever the language."""
    return label.plain() if isinstance(label, Phrase) else label.in_language("en")


def _said(label: Label) -> list[str]:
    """What a thing is called in each language."""
    from companion.words import LANGUAGES, Words

    return [Words(language).say(label) for language in LANGUAGES]
