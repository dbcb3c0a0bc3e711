"""The box of Senapati and Rajasa: what the shelf, the host and the screens need."""

from __future__ import annotations

from typing import Any

from companion.games.senapati import content as files
from companion.games.senapati import setup as setups
from companion.games.senapati.content import SACRIFICE, SKILL, SWAP, action_deck
from companion.games.senapati.game import Senapati
from companion.games.senapati.wording import DECK_NAMES, OPTIONS, SenapatiWording
from companion.rules.box import Box, Texts
from companion.rules.content import schema_of
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import Field, seat_ids
from companion.rules.tags import TaggedThing, TagKind

CARDS, BOARD = "cards.toml", "board.toml"


class SenapatiBox(Box[setups.Setup, Senapati]):
    """Senapati and Rajasa on the shelf."""

    name = Senapati.name
    title = Named(
        {"id": "Senapati dan Rajasa", "en": "Senapati and Rajasa", "ja": "セナパティとラジャサ"}
    )
    seats = (files.PLAYERS, files.PLAYERS)
    files = (CARDS, BOARD)
    setup_type = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards and board; raises BadContent when they cannot be used."""
        cards, board = files.read_cards(content[CARDS]), files.read_board(content[BOARD])
        return list(files.advice(cards, board))

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for each content file."""
        return {CARDS: schema_of(files.Cards), BOARD: schema_of(files.Board)}

    def warnings(self, setup: setups.Setup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(setup)

    def begin(self, setup: setups.Setup, content: Texts) -> Senapati:
        """A new game. Raises BadSetup or BadContent."""
        cards, board = files.read_cards(content[CARDS]), files.read_board(content[BOARD])
        register = self.register()
        state = setups.new_state(setup, cards, board, register)
        return Senapati(state, cards, board, register)

    def wording(self, game: Senapati) -> SenapatiWording:
        """The words for a game."""
        return SenapatiWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """Per 3, 17 Every card, deck by deck, and what is done instead of laying one."""
        groups = {
            action_deck(seat): Phrase(N_("action cards of seat {seat}"), {"seat": seat})
            for seat in seat_ids(files.PLAYERS)
        }
        groups[SKILL] = Phrase(DECK_NAMES[SKILL])
        acts = Phrase(N_("acts"))
        return [
            *self.cards(files.read_cards(content[CARDS]).catalogue, groups),
            *(
                self.thing(TagKind.TOKEN, word, Phrase(OPTIONS[word]), acts)
                for word in (SWAP, SACRIFICE)
            ),
        ]


BOX = SenapatiBox()
