"""The box of Tapak Arwah Nusantara: what the shelf, the host and the screens need."""

from __future__ import annotations

from typing import Any

from companion.games.tapak_arwah import content as files
from companion.games.tapak_arwah import setup as setups
from companion.games.tapak_arwah.game import TapakArwah
from companion.games.tapak_arwah.wording import DECK_NAMES, TapakWording
from companion.rules.box import Box, Texts
from companion.rules.content import schema_of
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import Field
from companion.rules.tags import TaggedThing

CARDS, BOARD = "cards.toml", "board.toml"


class TapakBox(Box[setups.Setup, TapakArwah]):
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
    files = (CARDS, BOARD)
    setup_type = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

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

    def warnings(self, setup: setups.Setup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(setup)

    def begin(self, setup: setups.Setup, content: Texts) -> TapakArwah:
        """A new game. Raises BadSetup or BadContent."""
        cards = files.read_cards(content[CARDS])
        track = files.Track(files.read_board(content[BOARD]))
        register = self.register()
        return TapakArwah(setups.new_state(setup, cards, register), cards, track, register)

    def wording(self, game: TapakArwah) -> TapakWording:
        """The words for a game."""
        return TapakWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """§1.2 Every card, deck by deck. Pawns, lives and the die are never a choice."""
        groups = {deck: Phrase(name) for deck, name in DECK_NAMES.items()}
        return self.cards(files.read_cards(content[CARDS]).catalogue, groups)


BOX = TapakBox()
