"""The box of Chaos Kart: what the shelf, the host and the screens need to begin a game."""

from __future__ import annotations

from typing import Any

from companion.games.chaos_kart import content as files
from companion.games.chaos_kart import setup as setups
from companion.games.chaos_kart.game import ChaosKart
from companion.games.chaos_kart.markers import MARKERS
from companion.games.chaos_kart.wording import DECK_NAMES, MARKER_NAMES, KartWording
from companion.rules.box import Box, Texts
from companion.rules.content import schema_of
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import Field, seat_ids
from companion.rules.tags import TaggedThing, TagKind

CARDS, BOARD = "cards.toml", "board.toml"


class KartBox(Box[setups.Setup, ChaosKart]):
    """Chaos Kart on the shelf."""

    name = ChaosKart.name
    title = Named({"id": "Chaos Kart", "en": "Chaos Kart", "ja": "カオスカート"})
    seats = (setups.LEAST, setups.MOST)
    files = (CARDS, BOARD)
    setup_type = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards and track; raises BadContent when they cannot be used."""
        cards = files.read_cards(content[CARDS]).cards
        track = files.read_track(content[BOARD])
        found = list(files.advice(cards))
        if cards.sample or track.sample:
            found.append(
                Phrase(N_("Sample cards and track made for this project, not the real ones."))
            )
        return found

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for each content file."""
        return {CARDS: schema_of(files.Cards), BOARD: schema_of(files.Track)}

    def warnings(self, setup: setups.Setup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(setup)

    def begin(self, setup: setups.Setup, content: Texts) -> ChaosKart:
        """A new game. Raises BadSetup or BadContent."""
        cards, track = files.read_cards(content[CARDS]), files.read_track(content[BOARD])
        register = self.register()
        return ChaosKart(setups.new_state(setup, cards, track, register), cards, register)

    def wording(self, game: ChaosKart) -> KartWording:
        """The words for a game."""
        return KartWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """§2 Every card; the markers that defend (§16); the pawns, to choose an opponent."""
        groups = {deck: Phrase(name) for deck, name in DECK_NAMES.items()}
        catalogue = files.read_cards(content[CARDS]).catalogue
        return [*self.cards(catalogue, groups), *self._markers(), *self._pawns()]

    def _markers(self) -> list[TaggedThing]:
        """§15.4, 15.5 As many as can lie on a table at once."""
        group = Phrase(N_("markers"))
        return [
            self.thing(
                TagKind.TOKEN,
                marker,
                Phrase(N_("marker: {marker}"), {"marker": Phrase(MARKER_NAMES[marker])}),
                group,
                MARKERS.kinds[marker].cap * setups.MOST,
            )
            for marker in files.DEFENCE_MARKERS
        ]

    def _pawns(self) -> list[TaggedThing]:
        group = Phrase(N_("karts"))
        return [
            self.thing(TagKind.PIECE, seat, Phrase(N_("kart {seat}"), {"seat": seat}), group)
            for seat in seat_ids(setups.MOST)
        ]


BOX = KartBox()
