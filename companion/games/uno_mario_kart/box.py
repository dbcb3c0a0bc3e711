"""The box of UNO Mario Kart: what the shelf, the host and the screens need to begin a game."""

from __future__ import annotations

from typing import Any

from companion.games.uno_mario_kart import content as files
from companion.games.uno_mario_kart import setup as setups
from companion.games.uno_mario_kart.calls import CATCH, UNO
from companion.games.uno_mario_kart.content import DRAW
from companion.games.uno_mario_kart.game import UnoMarioKart
from companion.games.uno_mario_kart.wording import DECK_NAME, OPTIONS, UnoWording
from companion.rules.box import Texts, rules_version
from companion.rules.content import schema_of
from companion.rules.game import Game
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, seat_ids
from companion.rules.tags import TaggedThing, TagKind

CARDS = "cards.toml"


class UnoBox:
    """UNO Mario Kart on the shelf."""

    name = UnoMarioKart.name
    title = Named({"id": "UNO Mario Kart", "en": "UNO Mario Kart", "ja": "UNO マリオカート"})
    seats = (setups.LEAST, setups.MOST)
    setup_type: type[SeatSetup] = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def content(self) -> dict[str, str]:
        """The cards."""
        return {CARDS: files.shipped(CARDS)}

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards; raises BadContent when they cannot be used."""
        return list(files.advice(files.read_cards(content[CARDS])))

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for the cards."""
        return {CARDS: schema_of(files.Cards)}

    def register(self) -> Register:
        """The rulings and sections of the rulebook."""
        return files.register()

    def warnings(self, setup: SeatSetup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(_own(setup))

    def begin(self, setup: SeatSetup, content: Texts) -> UnoMarioKart:
        """A new game. Raises BadSetup or BadContent."""
        cards, register = files.read_cards(content[CARDS]), files.register()
        return UnoMarioKart(setups.new_state(_own(setup), cards, register), cards, register)

    def wording(self, game: Game[Any]) -> UnoWording:
        """The words for a game."""
        if not isinstance(game, UnoMarioKart):
            raise TypeError("the words of UNO Mario Kart are for its own games")
        return UnoWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """§4 Every card; colours to name; what is said instead of laying one; the players."""
        cards = files.read_cards(content[CARDS])
        catalogue = cards.catalogue
        things = [
            _thing(TagKind.CARD, card, catalogue.names[card], DECK_NAME, copies)
            for card, copies in catalogue.totals.items()
        ]
        colours = Phrase(N_("colours"))
        things += [
            _thing(TagKind.TOKEN, colour, name, colours)
            for colour, name in cards.colour_names.items()
        ]
        acts = Phrase(N_("acts"))
        things += [
            _thing(TagKind.TOKEN, word, Phrase(OPTIONS[word]), acts)
            for word in (UNO, CATCH, DRAW, PASS)
        ]
        players = Phrase(N_("players"))
        return things + [
            _thing(TagKind.PIECE, seat, Phrase(N_("player {seat}"), {"seat": seat}), players)
            for seat in seat_ids(setups.MOST)
        ]

    def version(self) -> str:
        """A hash of the rules' code and shipped content."""
        return rules_version(__package__ or "")


def _thing(
    kind: TagKind, thing: str, name: Named | Phrase, group: Phrase, copies: int = 1
) -> TaggedThing:
    return TaggedThing(
        game=UnoMarioKart.name, kind=kind, thing=thing, name=name, group=group, copies=copies
    )


def _own(setup: SeatSetup) -> setups.Setup:
    if not isinstance(setup, setups.Setup):
        raise TypeError("UNO Mario Kart needs its own set-up")
    return setup


BOX = UnoBox()
