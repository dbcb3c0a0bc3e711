"""The box of Chaos Kart: what the shelf, the host and the screens need to begin a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.chaos_kart import content as files
from companion.games.chaos_kart import setup as setups
from companion.games.chaos_kart.game import ChaosKart
from companion.games.chaos_kart.markers import MARKERS
from companion.games.chaos_kart.wording import DECK_NAMES, MARKER_NAMES, KartWording
from companion.rules.box import Texts, rules_version
from companion.rules.content import schema_of
from companion.rules.game import Game
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, seat_ids
from companion.rules.tags import TaggedThing, TagKind

CARDS, BOARD = "cards.toml", "board.toml"


class KartBox:
    """Chaos Kart on the shelf."""

    name = ChaosKart.name
    title = Named({"id": "Chaos Kart", "en": "Chaos Kart", "ja": "カオスカート"})
    seats = (setups.LEAST, setups.MOST)
    setup_type: type[SeatSetup] = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def content(self) -> dict[str, str]:
        """The sample cards and track."""
        return {name: files.shipped(name) for name in (CARDS, BOARD)}

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

    def register(self) -> Register:
        """The rulings and sections of the rulebook."""
        return files.register()

    def warnings(self, setup: SeatSetup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(_own(setup))

    def begin(self, setup: SeatSetup, content: Texts) -> Game[Any]:
        """A new game. Raises BadSetup or BadContent."""
        cards, track = files.read_cards(content[CARDS]), files.read_track(content[BOARD])
        register = files.register()
        state = setups.new_state(_own(setup), cards, track, register)
        return ChaosKart(state, cards, register)

    def wording(self, game: Game[Any]) -> KartWording:
        """The words for a game."""
        if not isinstance(game, ChaosKart):
            raise TypeError("the words of Chaos Kart are for its own games")
        return KartWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """§2 Every card; the markers that defend (§16); the pawns, to choose an opponent."""
        cards = files.read_cards(content[CARDS]).cards
        return [*_cards(cards), *_markers(), *_pawns()]

    def version(self) -> str:
        """A hash of the rules' code and shipped content."""
        return rules_version(__package__ or "")


def _cards(cards: files.Cards) -> Iterator[TaggedThing]:
    for deck, deck_cards in cards.decks().items():
        for card in deck_cards:
            yield TaggedThing(
                game=ChaosKart.name,
                kind=TagKind.CARD,
                thing=card.id,
                name=Named(card.name),
                group=Phrase(DECK_NAMES[deck]),
                copies=card.count,
            )


def _markers() -> Iterator[TaggedThing]:
    """§15.4, 15.5 As many as can lie on a table at once."""
    for marker in files.DEFENCE_MARKERS:
        yield TaggedThing(
            game=ChaosKart.name,
            kind=TagKind.TOKEN,
            thing=marker,
            name=Phrase(N_("marker: {marker}"), {"marker": Phrase(MARKER_NAMES[marker])}),
            group=Phrase(N_("markers")),
            copies=MARKERS.kinds[marker].cap * setups.MOST,
        )


def _pawns() -> Iterator[TaggedThing]:
    for seat in seat_ids(setups.MOST):
        yield TaggedThing(
            game=ChaosKart.name,
            kind=TagKind.PIECE,
            thing=seat,
            name=Phrase(N_("kart {seat}"), {"seat": seat}),
            group=Phrase(N_("karts")),
        )


def _own(setup: SeatSetup) -> setups.Setup:
    if not isinstance(setup, setups.Setup):
        raise TypeError("Chaos Kart needs its own set-up")
    return setup


BOX = KartBox()
