"""The box of UNO Mario Kart: what the shelf, the host and the screens need to begin a game."""

from __future__ import annotations

from typing import Any

from companion.games.uno_mario_kart import content as files
from companion.games.uno_mario_kart import setup as setups
from companion.games.uno_mario_kart.calls import CATCH, UNO
from companion.games.uno_mario_kart.content import DRAW, STOCK
from companion.games.uno_mario_kart.game import UnoMarioKart
from companion.games.uno_mario_kart.wording import DECK_NAME, OPTIONS, UnoWording
from companion.rules.box import Box, Texts
from companion.rules.content import schema_of
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS
from companion.rules.setups import Field, seat_ids
from companion.rules.tags import TaggedThing, TagKind

CARDS = "cards.toml"


class UnoBox(Box[setups.Setup, UnoMarioKart]):
    """UNO Mario Kart on the shelf."""

    name = UnoMarioKart.name
    title = Named({"id": "UNO Mario Kart", "en": "UNO Mario Kart", "ja": "UNO マリオカート"})
    seats = (setups.LEAST, setups.MOST)
    files = (CARDS,)
    setup_type = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards; raises BadContent when they cannot be used."""
        return list(files.advice(files.read_cards(content[CARDS])))

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for the cards."""
        return {CARDS: schema_of(files.Cards)}

    def warnings(self, setup: setups.Setup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(setup)

    def begin(self, setup: setups.Setup, content: Texts) -> UnoMarioKart:
        """A new game. Raises BadSetup or BadContent."""
        cards, register = files.read_cards(content[CARDS]), self.register()
        return UnoMarioKart(setups.new_state(setup, cards, register), cards, register)

    def wording(self, game: UnoMarioKart) -> UnoWording:
        """The words for a game."""
        return UnoWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """§4 Every card; colours to name; what is said instead of laying one; the players."""
        cards = files.read_cards(content[CARDS])
        colours, acts = Phrase(N_("colours")), Phrase(N_("acts"))
        return [
            *self.cards(cards.catalogue, {STOCK: DECK_NAME}),
            *(
                self.thing(TagKind.TOKEN, colour, name, colours)
                for colour, name in cards.colour_names.items()
            ),
            *(
                self.thing(TagKind.TOKEN, word, Phrase(OPTIONS[word]), acts)
                for word in (UNO, CATCH, DRAW, PASS)
            ),
            *self._players(),
        ]

    def _players(self) -> list[TaggedThing]:
        group = Phrase(N_("players"))
        return [
            self.thing(TagKind.PIECE, seat, Phrase(N_("player {seat}"), {"seat": seat}), group)
            for seat in seat_ids(setups.MOST)
        ]


BOX = UnoBox()
