"""The box of Carpet Racers: what the shelf, the host and the screens need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.carpet_racers import content as files
from companion.games.carpet_racers import setup as setups
from companion.games.carpet_racers.board import Mode, TrackFile
from companion.games.carpet_racers.content import CARDS, DECK, TRAPS, Content
from companion.games.carpet_racers.game import CarpetRacers
from companion.games.carpet_racers.table import CHIP, TRAP
from companion.games.carpet_racers.wording import DECK_NAMES, CarpetWording
from companion.rules.box import Box, Texts
from companion.rules.content import schema_of
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import Field
from companion.rules.tags import TaggedThing, sealed_thing


class CarpetBox(Box[setups.Setup, CarpetRacers]):
    """Carpet Racers on the shelf."""

    name = CarpetRacers.name
    title = Named({"id": "Carpet Racers", "en": "Carpet Racers", "ja": "カーペット・レーサーズ"})
    seats = (setups.LEAST, setups.MOST)
    files = (CARDS, TRAPS, *(mode.file for mode in Mode))
    setup_type = setups.Setup

    def fields(self) -> list[Field]:
        """What a table decides before the game."""
        return setups.fields()

    def check(self, content: Texts) -> list[Phrase]:
        """Advice on cards, traps and tracks; raises BadContent when they cannot be used."""
        return list(files.advice(content))

    def schemas(self) -> dict[str, dict[str, Any]]:
        """A JSON Schema for each content file."""
        tracks = {mode.file: schema_of(TrackFile) for mode in Mode}
        return {CARDS: schema_of(files.Cards), TRAPS: schema_of(files.Traps), **tracks}

    def warnings(self, setup: setups.Setup) -> list[Phrase]:
        """What a table should know about its set-up."""
        return setups.warnings(setup)

    def begin(self, setup: setups.Setup, content: Texts) -> CarpetRacers:
        """A new game. Raises BadSetup or BadContent."""
        register = self.register()
        setups.check(setup, register)
        read = files.read_content(content, Mode(setup.track))
        return CarpetRacers(setups.new_state(setup, read), read, register)

    def wording(self, game: CarpetRacers) -> CarpetWording:
        """The words for a game."""
        return CarpetWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        """Every card; chips and traps, which lie face down and stay sealed."""
        read = files.read_content(content, Mode.LIVING_ROOM)
        cards = self.cards(read.catalogue, {DECK: Phrase(DECK_NAMES[DECK])})
        return [*cards, *self._sealed(read)]

    def _sealed(self, content: Content) -> Iterator[TaggedThing]:
        chips, traps = Phrase(N_("chips")), Phrase(DECK_NAMES[TRAP])
        for car in content.cars:
            name = Phrase(N_("chip: {name}"), {"name": content.names[car]})
            yield sealed_thing(self.name, CHIP, car, name, chips)
        for trap, count in content.trap_totals.items():
            name = Phrase(N_("trap: {name}"), {"name": content.names[trap]})
            yield sealed_thing(self.name, TRAP, trap, name, traps, count)


BOX = CarpetBox()
