"""The box of Firefly Night."""

from __future__ import annotations

from typing import Any

from companion.rules.box import Box, Texts
from companion.rules.cards import CardCatalogue
from companion.rules.content import schema_of
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import Field
from companion.rules.tags import TaggedThing
from tests.sixth import setup as setups
from tests.sixth.content import DECK, Cards, read_cards
from tests.sixth.game import FireflyNight
from tests.sixth.wording import NightWording

CARDS = "cards.toml"


class NightBox(Box[setups.Setup, FireflyNight]):
    """Firefly Night on the shelf."""

    name = FireflyNight.name
    title = Named({"id": "Malam Kunang-kunang", "en": "Firefly Night", "ja": "ホタルの夜"})
    seats = (setups.LEAST, setups.MOST)
    files = (CARDS,)
    setup_type = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards; raises BadContent when they cannot be used."""
        sample = read_cards(content[CARDS]).sample
        return [Phrase(N_("These are sample cards."))] if sample else []

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for the cards."""
        return {CARDS: schema_of(Cards)}

    def begin(self, setup: setups.Setup, content: Texts) -> FireflyNight:
        """A new game. Raises BadSetup or BadContent."""
        cards, register = read_cards(content[CARDS]), self.register()
        return FireflyNight(setups.new_state(setup, cards, register), cards, register)

    def wording(self, game: FireflyNight) -> NightWording:
        """The words for a night."""
        return NightWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """Every card. Whom a frog takes from is said with the seats' own tags."""
        catalogue = CardCatalogue.of_decks({DECK: read_cards(content[CARDS]).night})
        return self.cards(catalogue, {DECK: Phrase(N_("deck"))})


BOX = NightBox()
