"""What is in a game's box: its set-up, its content files, its words, and how a game begins."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.resources import files
from typing import Any, ClassVar, Generic, TypeVar

from companion.rules.cards import CardCatalogue
from companion.rules.content import shipped
from companion.rules.game import Game
from companion.rules.phrases import Named, Phrase
from companion.rules.rulings import Register, register_of
from companion.rules.setups import Field, SeatSetup
from companion.rules.tags import TaggedThing, TagKind
from companion.rules.wording import Wording

SetupT = TypeVar("SetupT", bound=SeatSetup)
GameT = TypeVar("GameT", bound=Game[Any])

Texts = Mapping[str, str]
"""The content files of a game by name, such as `{"cards.toml": "…"}`."""


class Box(ABC, Generic[SetupT, GameT]):
    """One game as the shelf keeps it. Content is texts, so that a journal can carry it.

    A game's own box stands in `box.py` of its package; the files are in that package.
    """

    name: ClassVar[str]
    title: ClassVar[Named]
    seats: ClassVar[tuple[int, int]]
    """The least and the most players."""
    files: ClassVar[Sequence[str]]
    """The content files."""
    setup_type: type[SetupT]

    @property
    def package(self) -> str:
        """The package with the game's code and files."""
        return type(self).__module__.rpartition(".")[0]

    def content(self) -> dict[str, str]:
        """The texts of the content files that ship. Raises BadContent when one is missing."""
        return {name: shipped(self.package, name) for name in self.files}

    def register(self) -> Register:
        """The rulings and sections of the rulebook. Raises BadContent when they are missing."""
        return register_of(self.package)

    def version(self) -> str:
        """A hash of the rules' code and shipped content."""
        return rules_version(self.package)

    @abstractmethod
    def fields(self) -> Sequence[Field]:
        """What a table decides before the game."""

    @abstractmethod
    def check(self, content: Texts) -> list[Phrase]:
        """Advice on content files; raises BadContent when they cannot be used."""

    @abstractmethod
    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for each content file."""

    def warnings(self, setup: SetupT) -> list[Phrase]:
        """What a table should know about its set-up."""
        return []

    @abstractmethod
    def begin(self, setup: SetupT, content: Texts) -> GameT:
        """A new game. Raises BadSetup or BadContent."""

    @abstractmethod
    def wording(self, game: GameT) -> Wording:
        """The words for a game that `begin` made."""

    @abstractmethod
    def tagged(self, content: Texts) -> Sequence[TaggedThing]:
        """What can carry a tag, cards first, in the order in which one walks through the decks.

        Raises BadContent.
        """

    def thing(
        self, kind: TagKind, thing: str, name: Named | Phrase, group: Phrase, copies: int = 1
    ) -> TaggedThing:
        """Something of this game that can carry a tag."""
        return TaggedThing(
            game=self.name, kind=kind, thing=thing, name=name, group=group, copies=copies
        )

    def cards(self, catalogue: CardCatalogue, groups: Mapping[str, Phrase]) -> list[TaggedThing]:
        """Every card, deck by deck in the order of the groups, which are called as said there."""
        return [
            self.thing(TagKind.CARD, card, catalogue.names[card], group, catalogue.totals[card])
            for deck, group in groups.items()
            for card in catalogue.totals
            if catalogue.deck_of[card] == deck
        ]


AnyBox = Box[Any, Any]
"""A box of whichever game."""


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
