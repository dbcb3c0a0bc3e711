"""The journal's records: what people did, as entries, and the splices that put them in order.

The journal is a list of lines. Most are splices of the list of entries: at, how many go, which
come. An undo is a splice turned round and a line of its own; nothing is ever rewritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from companion.rules.layouts import Place
from companion.rules.prompts import Choice, Prompt

SILENCE = "silence"
"""How an answer came that nobody gave: the question carried a silence."""
SKIPPED = "skipped"
"""How an answer came that a later input of the same seat implied."""
OPENED = "opened"
"""How an answer came that lay under a seal: the companion gave it (`companion.rules.seals`)."""


class Answer(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """The answer to one question."""

    prompt: str
    seat: str
    choice: Choice
    via: str = ""
    forced: bool = False
    private: bool = False

    @property
    def by(self) -> str:
        """The seat that chose."""
        return self.seat

    @property
    def implied(self) -> bool:
        """Whether nobody said it aloud."""
        return self.via in (SILENCE, SKIPPED, OPENED)


class Interjection(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Something a seat did beside the open question."""

    prompt: str
    seat: str
    choice: Choice
    via: str = ""
    private: bool = False

    @property
    def by(self) -> str:
        """The seat that chose."""
        return self.seat


class Correction(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """The table is right: one thing is at another place than the companion thought."""

    thing: str
    place: Place
    by: str = ""
    reason: str = ""


class RulingChoice(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """The table decides a ruling otherwise from here on."""

    ruling: str
    choice: str
    by: str = ""


class Leave(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A player leaves."""

    seat: str
    by: str = ""


class Join(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A player joins under a seat id of their own."""

    seat: str
    name: str
    by: str = ""


class Swap(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """Two players change places in the turn order."""

    seat: str
    other: str
    by: str = ""


Entry = Answer | Interjection | Correction | RulingChoice | Leave | Join | Swap


def may_see(entry: Entry, who: str | None) -> bool:
    """Whether somebody may know what an entry says, rather than only that it is there."""
    return not (isinstance(entry, (Answer, Interjection)) and entry.private) or who == entry.by


def answer_to(
    prompt: Prompt[Any], choice: Choice, via: str = "", *, forced: bool = False
) -> Answer:
    """The entry for an answer to a question."""
    return Answer(prompt.key, prompt.seat, choice, via, forced, prompt.hides_answer)


class Splice(msgspec.Struct, frozen=True):
    """A change of the entry list that can be turned round."""

    at: int
    gone: tuple[Entry, ...]
    come: tuple[Entry, ...]

    @property
    def lost(self) -> list[Entry]:
        """The entries that go and do not come again."""
        stay = list(self.come)
        lost: list[Entry] = []
        for entry in self.gone:
            if entry in stay:
                stay.remove(entry)
            else:
                lost.append(entry)
        return lost

    def turned(self) -> Splice:
        """The same change backwards."""
        return Splice(self.at, self.come, self.gone)


class Kind(StrEnum):
    """What a line of the journal is."""

    ANSWER = "answer"
    BESIDE = "beside"
    AMEND = "amend"
    FORCE = "force"
    CORRECT = "correct"
    RULING = "ruling"
    SEATS = "seats"
    UNDO = "undo"
    REDO = "redo"
    ASKED = "asked"
    DECLINED = "declined"
    DONE = "done"
    REFUSED = "refused"
    RESUMED = "resumed"
    UNKNOWN = "unknown tap"


NO_SPLICE = frozenset(
    {Kind.ASKED, Kind.DECLINED, Kind.DONE, Kind.REFUSED, Kind.RESUMED, Kind.UNKNOWN}
)
"""Lines that change no entries."""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the journal; `digest` is that of the state after it."""

    n: int
    kind: Kind
    at: int = 0
    gone: int = 0
    come: tuple[Entry, ...] = ()
    by: str = ""
    via: str = ""
    question: str = ""
    rulings: tuple[str, ...] = ()
    refusal: str = ""
    digest: str = ""


class Header(msgspec.Struct, frozen=True):
    """What a game was started with, its content files included.

    `rules` is the version, a hash of the rules' code; `salt` goes into every digest.
    """

    game: str
    rules: str
    setup: msgspec.Raw
    salt: str
    silences: bool = True
    content: Mapping[str, str] = {}
    language: str = ""
    """The language that the table chose."""
