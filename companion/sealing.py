"""The seals of one game: made of taps, and opened by the book of tags when the rules allow it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.journal import Reader, Recording
from companion.rules.errors import CompanionError
from companion.rules.lines import Answer, Interjection
from companion.rules.seals import SEAL, is_seal, seal_of, under
from companion.rules.tags import Tag, TagKind


class Tags(Protocol):
    """Knows all tags. The journal does, and the book of simulated ones."""

    def tags(self) -> Sequence[Tag]: ...


class Seals:
    """The seals of a game that has this secret. `book` None: nobody knows what lies under them."""

    def __init__(self, game: str, salt: str, book: Tags | None) -> None:
        self.game = game
        self.salt = salt
        self.book = book

    def seal(self, tag: Tag) -> str:
        """The seal on a thing that lies face down."""
        return seal_of(tag, self.salt)

    def open(self, seal: str) -> str | None:
        """What lies under a seal; None where the book does not know or cannot be read."""
        try:
            tags = () if self.book is None else self.book.tags()
        except CompanionError:
            return None
        mine = (tag for tag in tags if (tag.game, tag.kind) == (self.game, TagKind.SEALED))
        return under(seal, mine, self.salt)


def sealed_games(journal: Reader) -> frozenset[str]:
    """The games of which one is open in which something was sealed. Raises Unreadable.

    So long nobody may ask which of their things a tag is on.
    """
    open_games = [game for game in journal.games() if not game.finished]
    return frozenset(game.game for game in open_games if _has_seals(journal.load(game.id)))


def _has_seals(recording: Recording) -> bool:
    given = (
        is_seal(entry.choice)
        for line in recording.lines
        for entry in line.come
        if isinstance(entry, (Answer, Interjection))
    )
    return SEAL.encode() in (recording.start or b"") or any(given)
