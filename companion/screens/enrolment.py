"""Giving tags their meanings, tap after tap: what to tap next, and what came of a tap.

A conversation without input and output, for a terminal and for a display alike. Where it stands is
worked out from the tags that are stored already, so it can be left and taken up at any time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from companion.rules.errors import NotUnderstood
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import HIDDEN, Tag, TaggedThing, TagKind, is_hidden, short
from companion.rules.wording import Label
from companion.screens.reading import read_number
from companion.screens.tag_walk import Progress, Slot, Walk


class TagBook(Protocol):
    """Where the tags are kept: what it has taken is on the disk when the call returns."""

    def tags(self, game: str | None = None) -> list[Tag]:
        """All tags."""

    def tag(self, uid: str) -> Tag | None:
        """What a UID means."""

    def bind(self, tag: Tag, *, move: bool = False) -> list[Tag]:
        """Give a UID a meaning; gives the tags that had to go for it."""

    def bind_all(
        self, new: Iterable[Tag], *, move: bool = False, forget: Iterable[str] = ()
    ) -> list[Tag]:
        """Forget some UIDs and give others their meanings, all or nothing."""


class What(StrEnum):
    """What came of a tap or a command."""

    BOUND = "bound"
    ALREADY = "already"
    """The tag means what is asked for, on this or another copy."""
    TAKEN = "taken"
    """It means something else; `Enrolment.yes` moves it."""
    CROWDED = "crowded"
    TOLD = "told"
    """What a tag means was asked, and said."""
    UNKNOWN = "unknown"
    """The tag means nothing yet, and nothing is asked for."""
    WHICH_COPY = "which copy"
    """All copies have tags: the lost one is to be named, or found by tapping the others."""
    WENT = "went"
    """Something else is asked for now; no tag has changed."""
    UNDONE = "undone"
    NOTHING = "nothing"
    """There is nothing to undo, skip, move or replace."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of it, and how to say so."""

    what: What
    phrase: Phrase


class Enrolment:
    """One walk through the things of a game, in their order, copy by copy.

    Cards are what has to be tapped; whatever else can carry a tag comes after and is optional.
    Any call may raise NotWritten: then nothing was changed, and the same can be done again.
    What lies face down in the games `sealed`, of which one is open, stays as it is and untold.
    """

    def __init__(
        self, things: Sequence[TaggedThing], book: TagBook, sealed: Collection[str] = ()
    ) -> None:
        self.book = book
        self.sealed = sealed
        self.walk = Walk(
            [t for t in things if t.kind is not TagKind.SEALED or t.game not in sealed]
        )
        self.walk.look(book.tags())
        self._history: list[tuple[Slot, str, list[Tag]]] = []
        """What was bound here, by which UID, and what had to go for it."""
        self._looking_up = False
        self._moving: str | None = None
        """The UID that is moved if that is wanted."""
        self._replacing: Slot | None = None
        """A copy whose tag is lost."""
        self._missing: list[Slot] = []
        """Copies one of which has lost its tag."""

    # -- what to do ----------------------------------------------------------------------------

    @property
    def next(self) -> Slot | None:
        """What is to be tapped; None if there is nothing more, or a lost copy is looked for."""
        return None if self._missing else self._replacing or self.walk.next

    @property
    def progress(self) -> Progress:
        """How far the cards are; once something else is asked for, how far all the rest is."""
        slot = self.next
        optional = slot is not None and slot.optional
        return self.walk.count(s for s in self.walk.slots if s.optional == optional)

    def groups(self) -> Iterator[tuple[Label, Progress]]:
        """How far each deck or other group is, in order."""
        return self.walk.groups()

    @property
    def prompt(self) -> Phrase:
        """What to do now, in a line."""
        slot = self.next
        if self._looking_up:
            return Phrase(N_("Tap what you want to look up."))
        if self._missing:
            return self._which_copy()
        if slot is None:
            return self._over()
        progress = self.progress
        text = N_("Tap: {slot} — {done}/{total}")
        if self._replacing is not None:
            text = N_("Tap the new tag: {slot}")
        elif slot.optional:
            text = N_("If you like, tap: {slot} — {done}/{total}")
        return Phrase(text, {"slot": slot.phrase, "done": progress.done, "total": progress.total})

    # -- taps ----------------------------------------------------------------------------------

    def tapped(self, uid: str) -> Outcome:
        """A tag was tapped: it gets the meaning that is asked for, unless it has another."""
        self._moving = None
        slot = self.next
        was = self.book.tag(uid)
        hidden = was is not None and is_hidden(was, self.sealed)
        if hidden or self._looking_up or (slot is None and not self._missing):
            self._looking_up = False
            return self.which(uid)
        if slot is None:
            return self._not_missing(uid, was)
        if was is None:
            return self._bind(slot, uid)
        called = self.walk.called(was)
        if was.key == slot.thing.key or self._was_last(uid):
            return _say(What.ALREADY, N_("This is {was} already."), was=called)
        self._moving = uid
        text = N_("This is {was}. Move it to {slot}?")
        return _say(What.TAKEN, text, was=called, slot=slot.phrase)

    def crowded(self) -> Outcome:
        """Several tags were tapped at once."""
        self._moving = None
        return _say(What.CROWDED, N_("Several tags at once: tap one alone."))

    def which(self, uid: str) -> Outcome:
        """What a tag means; changes nothing."""
        was = self.book.tag(uid)
        if was is None:
            return _say(What.UNKNOWN, N_("{uid} means nothing yet."), uid=short(uid))
        if is_hidden(was, self.sealed):
            return _say(What.TOLD, N_("{uid}: {why}"), uid=short(uid), why=HIDDEN)
        return _say(What.TOLD, N_("{uid} is {was}."), uid=short(uid), was=self.walk.called(was))

    # -- commands ------------------------------------------------------------------------------

    def look_up(self) -> Outcome:
        """The next tap only asks what a tag means."""
        self._moving, self._looking_up = None, True
        return self._went()

    def yes(self) -> Outcome:
        """Move the tag that was tapped last and means something else."""
        uid, slot = self._moving, self.next
        if uid is None or slot is None:
            return _say(What.NOTHING, N_("Nothing was asked."))
        return self._bind(slot, uid, move=True)

    def no(self) -> Outcome:
        """Leave that tag what it is."""
        self._moving = None
        return self._went()

    def skip(self, *, all_copies: bool = False) -> Outcome:
        """Pass over what is asked for, until the next walk; or end looking for a lost tag."""
        slot = self.walk.next
        if self._looking_up or self._replacing is not None or self._missing:
            self._calm()
            return self._went()
        self._calm()
        if slot is None:
            return _say(What.NOTHING, N_("Nothing is asked for."))
        self.walk.skip(self.walk.copies(slot.thing) if all_copies else [slot])
        return _say(What.WENT, N_("Skipped: {slot}"), slot=slot.phrase)

    def undo(self) -> Outcome:
        """Take back what was bound last in this walk; whatever had to go for it comes back."""
        if not self._history:
            return _say(What.NOTHING, N_("There is nothing to undo."))
        slot, uid, gone = self._history[-1]
        self.book.bind_all(gone, move=True, forget=[uid])
        self._history.pop()
        self._calm()
        self.walk.look(self.book.tags())
        self.walk.go_to(slot)
        return _say(What.UNDONE, N_("Taken back: {slot}"), slot=slot.phrase)

    def jump(self, text: str) -> Outcome:
        """Go to a card, another thing or a deck by its name, "boost 2" to a certain copy.

        Where all copies have tags, one of these is taken as lost, to be replaced. Raises
        NotUnderstood or WhichOne with what is allowed.
        """
        name, _, number = text.strip().rpartition(" ")
        copy = read_number(number)
        if copy is not None and not name and self._missing:
            return self.replace(copy)
        try:
            return self.go(self.walk.find(text))
        except NotUnderstood:
            found = self.walk.find(name) if name and copy is not None else []
            if copy is None or len(found) != 1:
                raise
            return self._go_to_copy(found[0], copy)

    def go(self, things: Sequence[TaggedThing]) -> Outcome:
        """Go to the first copy of these that has no tag; if all have, one may be lost."""
        self._calm()
        slots = [slot for thing in things for slot in self.walk.copies(thing)]
        self.walk.ask_again(slots)
        first = next(filter(self.walk.is_open, slots), None)
        if first is not None:
            self.walk.go_to(first)
        elif len(things) > 1:
            return _say(What.NOTHING, N_("All of {group} have tags."), group=things[0].group)
        elif len(slots) == 1:
            self._replacing = slots[0]
        else:
            self._missing = slots
            return Outcome(What.WHICH_COPY, self._which_copy())
        return self._went()

    def replace(self, copy: int) -> Outcome:
        """The tag of this copy is lost: of the thing that is looked for, or that is asked for."""
        slot = self._missing[0] if self._missing else self.next
        if slot is None:
            return _say(What.NOTHING, N_("Say first which card it is."))
        return self._go_to_copy(slot.thing, copy)

    # -- inside --------------------------------------------------------------------------------

    def _calm(self) -> None:
        """Leave whatever was begun beside the walk."""
        self._looking_up, self._moving, self._replacing, self._missing = False, None, None, []

    def _was_last(self, uid: str) -> bool:
        """Whether this tag was bound a moment ago: tapped twice, it is not to be moved on."""
        return bool(self._history) and self._history[-1][1] == uid

    def _bind(self, slot: Slot, uid: str, *, move: bool = False) -> Outcome:
        gone = self.book.bind(slot.tag(uid), move=move)
        self._history.append((slot, uid, gone))
        if self._replacing is None:
            self.walk.go_past(slot)
        self._calm()
        self.walk.look(self.book.tags())
        lost = [short(old.uid) for old in gone if old.uid != uid]
        if lost:
            text = N_("{slot}: done. The tag {lost} counts no longer.")
            return _say(What.BOUND, text, slot=slot.phrase, lost=lost)
        return _say(What.BOUND, N_("{slot}: done."), slot=slot.phrase)

    def _not_missing(self, uid: str, was: Tag | None) -> Outcome:
        """A tap while a lost tag is looked for: what is there is crossed out."""
        if was is not None and was.key != self._missing[0].thing.key:
            return self.which(uid)
        if was is not None:
            self._missing = [slot for slot in self._missing if slot.copy != was.copy]
        if len(self._missing) == 1:
            self._replacing, self._missing = self._missing[0], []
            return self._went()
        return Outcome(What.WHICH_COPY, self._which_copy())

    def _which_copy(self) -> Phrase:
        return Phrase(
            N_("All {name} have tags. Which is lost: {copies}? Say its number, or tap the others."),
            {
                "name": self._missing[0].thing.name,
                "copies": [slot.copy for slot in self._missing],
            },
        )

    def _go_to_copy(self, thing: TaggedThing, copy: int) -> Outcome:
        slot = self.walk.copy(thing, copy)
        self._calm()
        if self.walk.is_bound(slot):
            self._replacing = slot
        else:
            self.walk.go_to(slot)
        return self._went()

    def _over(self) -> Phrase:
        every = self.walk.count(self.walk.slots)
        text = N_("{done} of {total} have tags; the others were skipped.")
        if every.done == every.total:
            text = N_("All {total} have tags.")
        return Phrase(text, {"done": every.done, "total": every.total})

    def _went(self) -> Outcome:
        return Outcome(What.WENT, self.prompt)


def _say(what: What, text: str, **args: object) -> Outcome:
    return Outcome(what, Phrase(text, args))
