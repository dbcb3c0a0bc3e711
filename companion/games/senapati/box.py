"""The box of Senapati and Rajasa: what the shelf, the host and the screens need."""

from __future__ import annotations

from typing import Any

from companion.games.senapati import content as files
from companion.games.senapati import setup as setups
from companion.games.senapati.content import SACRIFICE, SKILL, SWAP, action_deck
from companion.games.senapati.game import Senapati
from companion.games.senapati.wording import DECK_NAMES, OPTIONS, SenapatiWording
from companion.rules.box import Texts, rules_version
from companion.rules.content import schema_of
from companion.rules.game import Game
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, seat_ids
from companion.rules.tags import TaggedThing, TagKind

CARDS, BOARD = "cards.toml", "board.toml"


class SenapatiBox:
    """Senapati and Rajasa on the shelf."""

    name = Senapati.name
    title = Named(
        {"id": "Senapati dan Rajasa", "en": "Senapati and Rajasa", "ja": "セナパティとラジャサ"}
    )
    seats = (files.PLAYERS, files.PLAYERS)
    setup_type: type[SeatSetup] = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def content(self) -> dict[str, str]:
        """The cards and the board."""
        return {name: files.shipped(name) for name in (CARDS, BOARD)}

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards and board; raises BadContent when they cannot be used."""
        cards, board = files.read_cards(content[CARDS]), files.read_board(content[BOARD])
        return list(files.advice(cards, board))

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for each content file."""
        return {CARDS: schema_of(files.Cards), BOARD: schema_of(files.Board)}

    def register(self) -> Register:
        """The rulings and items of the rulebook."""
        return files.register()

    def warnings(self, setup: SeatSetup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(_own(setup))

    def begin(self, setup: SeatSetup, content: Texts) -> Game[Any]:
        """A new game. Raises BadSetup or BadContent."""
        cards, board = files.read_cards(content[CARDS]), files.read_board(content[BOARD])
        register = files.register()
        state = setups.new_state(_own(setup), cards, board, register)
        return Senapati(state, cards, board, register)

    def wording(self, game: Game[Any]) -> SenapatiWording:
        """The words for a game."""
        if not isinstance(game, Senapati):
            raise TypeError("the words of Senapati and Rajasa are for its own games")
        return SenapatiWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """Per 3, 17 Every card, deck by deck, and what is done instead of laying one."""
        cards = files.read_cards(content[CARDS])
        catalogue = cards.catalogue
        groups = {
            action_deck(seat): Phrase(N_("action cards of seat {seat}"), {"seat": seat})
            for seat in seat_ids(files.PLAYERS)
        }
        groups[SKILL] = Phrase(DECK_NAMES[SKILL])
        things = [
            _thing(TagKind.CARD, card, catalogue.names[card], group, catalogue.totals[card])
            for deck, group in groups.items()
            for card in catalogue.totals
            if catalogue.deck_of[card] == deck
        ]
        acts = Phrase(N_("acts"))
        return things + [
            _thing(TagKind.TOKEN, word, Phrase(OPTIONS[word]), acts) for word in (SWAP, SACRIFICE)
        ]

    def version(self) -> str:
        """A hash of the rules' code and shipped content."""
        return rules_version(__package__ or "")


def _thing(
    kind: TagKind, thing: str, name: Named | Phrase, group: Phrase, copies: int = 1
) -> TaggedThing:
    return TaggedThing(
        game=Senapati.name, kind=kind, thing=thing, name=name, group=group, copies=copies
    )


def _own(setup: SeatSetup) -> setups.Setup:
    if not isinstance(setup, setups.Setup):
        raise TypeError("Senapati and Rajasa needs its own set-up")
    return setup


BOX = SenapatiBox()
