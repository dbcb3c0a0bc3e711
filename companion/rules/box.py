"""What is in a game's box: its set-up, its content files, its words, and how a game begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files
from typing import Any, Protocol

from companion.rules.game import Game
from companion.rules.phrases import Named, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup
from companion.rules.tags import TaggedThing
from companion.rules.wording import Wording

Texts = Mapping[str, str]
"""The content files of a game by name, such as `{"cards.toml": "…"}`."""


class Box(Protocol):
    """One game as the shelf keeps it. Content is texts, so that a journal can carry it."""

    name: str
    title: Named
    seats: tuple[int, int]
    """The least and the most players."""
    setup_type: type[SeatSetup]

    def fields(self) -> Sequence[Field]:
        """What a table decides before the game."""

    def content(self) -> dict[str, str]:
        """The texts of the content files that ship."""

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on content files; raises BadContent when they cannot be used."""

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for each content file."""

    def register(self) -> Register:
        """The rulings and sections of the rulebook."""

    def warnings(self, setup: SeatSetup) -> list[Phrase]:
        """What a table should know about its set-up."""

    def begin(self, setup: SeatSetup, content: Texts) -> Game[Any]:
        """A new game. Raises BadSetup or BadContent."""

    def wording(self, game: Game[Any]) -> Wording:
        """The words for a game that `begin` made."""

    def tagged(self, content: Texts) -> Sequence[TaggedThing]:
        """What can carry a tag, cards first, in the order in which one walks through the decks.

        Raises BadContent.
        """

    def version(self) -> str:
        """A hash of the rules' code and shipped content."""


def rules_version(package: str) -> str:
    """A hash of the kernel's and a game's own files: the version that a journal notes."""
    digest = blake2b(digest_size=8)
    for name in ("companion.rules", package):
        for filename, data in sorted(_sources(name)):
            digest.update(filename.encode() + b"\0" + data)
    return digest.hexdigest()


def _sources(package: str) -> Iterator[tuple[str, bytes]]:
    for entry in files(package).iterdir():
        if entry.name.endswith((".py", ".toml")):
            yield entry.name, entry.read_bytes()
