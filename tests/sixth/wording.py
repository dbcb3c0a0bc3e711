"""Firefly Night in words."""

from __future__ import annotations

from companion.rules import events
from companion.rules.cards import SCAN
from companion.rules.events import Event
from companion.rules.layouts import Shift, count_at
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Choice
from companion.rules.tabled import TabledWording, counted
from companion.rules.wording import Label
from tests.sixth.content import DECK
from tests.sixth.game import FireflyNight
from tests.sixth.happenings import Caught, Taken

FIREFLIES = Phrase(N_("{n} firefly"), plural=N_("{n} fireflies"))

SENTENCES: dict[type[Event], str] = {
    Caught: N_("{seat} catches {fireflies}."),
    Taken: N_("{by} takes a firefly from {seat}."),
    events.Laid: N_("{seat} lays {card}."),
    events.Ended: N_("It is dawn. Most fireflies: {winners}."),
}


class NightWording(TabledWording[FireflyNight]):
    """The words of one night."""

    questions = {
        "card": N_("Lay a card"),
        "whom": N_("Whose firefly is taken?"),
        SCAN: N_("Scan a card of your hand"),
    }
    usual = ("yes", "no", "done", SCAN)
    sentences = SENTENCES
    places = {"jar": N_("Fireflies of {who}: {n}")}
    tasks = {"jar": N_("{who}: now {fireflies} in your jar")}
    decks = {DECK: N_("deck")}
    facts = {"jar": FIREFLIES}

    def __init__(self, game: FireflyNight) -> None:
        super().__init__(game)
        self.card_names = game.catalogue.names
        self.additions |= {Caught: lambda e: {"fireflies": counted(FIREFLIES, e.count)}}
        self.to_do |= {"jar": self._fill_jar}

    def _fill_jar(self, shift: Shift) -> Phrase:
        return self.task("jar", shift, fireflies=counted(FIREFLIES, count_at(shift.end)))

    def detail(self, choice: Choice) -> Label | None:
        """What a card says."""
        card = self.game.cards.get(str(choice))
        return None if card is None else Named(card.text)
