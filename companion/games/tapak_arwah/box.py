"""The box of Tapak Arwah Nusantara: what the shelf, the host and the screens need."""

from __future__ import annotations

from typing import Any

from companion.games.tapak_arwah import content as files
from companion.games.tapak_arwah import setup as setups
from companion.games.tapak_arwah.game import TapakArwah
from companion.games.tapak_arwah.wording import DECK_NAMES, TapakWording
from companion.rules.box import Texts, rules_version
from companion.rules.content import schema_of
from companion.rules.game import Game
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup
from companion.rules.tags import TaggedThing, TagKind

CARDS, BOARD = "cards.toml", "board.toml"


class TapakBox:
    """Tapak Arwah Nusantara on the shelf."""

    name = TapakArwah.name
    title = Named(
        {
            "id": "Tapak Arwah Nusantara",
            "en": "Tapak Arwah Nusantara",
            "ja": "タパック・アルワ・ヌサンタラ",
        }
    )
    seats = (setups.PLAYERS, setups.PLAYERS)
    setup_type: type[SeatSetup] = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def content(self) -> dict[str, str]:
        """The sample cards and the board."""
        return {name: files.shipped(name) for name in (CARDS, BOARD)}

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards and board; raises BadContent when they cannot be used."""
        cards = files.read_cards(content[CARDS]).file
        board = files.read_board(content[BOARD])
        found = list(files.advice(cards))
        if cards.sample:
            found.append(
                Phrase(
                    N_(
                        "Sample cards made for this project: of the real ones only two are public, "
                        "and those are in them."
                    )
                )
            )
        if board.sample:
            found.append(Phrase(N_("This is a sample board, not the real one.")))
        return found

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for each content file."""
        return {CARDS: schema_of(files.Cards), BOARD: schema_of(files.Board)}

    def register(self) -> Register:
        """The rulings and sections of the rulebook."""
        return files.register()

    def warnings(self, setup: SeatSetup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(_own(setup))

    def begin(self, setup: SeatSetup, content: Texts) -> Game[Any]:
        """A new game. Raises BadSetup or BadContent."""
        cards = files.read_cards(content[CARDS])
        track = files.Track(files.read_board(content[BOARD]))
        register = files.register()
        state = setups.new_state(_own(setup), cards, register)
        return TapakArwah(state, cards, track, register)

    def wording(self, game: Game[Any]) -> TapakWording:
        """The words for a game."""
        if not isinstance(game, TapakArwah):
            raise TypeError("the words of Tapak Arwah Nusantara are for its own games")
        return TapakWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """§1.2 Every card, deck by deck. Pawns, lives and the die are never a choice."""
        decks = files.read_cards(content[CARDS]).file.decks()
        return [
            TaggedThing(
                game=TapakArwah.name,
                kind=TagKind.CARD,
                thing=card.id,
                name=Named(card.name),
                group=Phrase(DECK_NAMES[deck]),
                copies=card.count,
            )
            for deck, cards in decks.items()
            for card in cards
        ]

    def version(self) -> str:
        """A hash of the rules' code and shipped content."""
        return rules_version(__package__ or "")


def _own(setup: SeatSetup) -> setups.Setup:
    if not isinstance(setup, setups.Setup):
        raise TypeError("Tapak Arwah Nusantara needs its own set-up")
    return setup


BOX = TapakBox()
