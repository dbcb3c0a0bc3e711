"""Firefly Night: the rules, and what the session, screens and corrections need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from companion.rules.bounds import number, one_of, put_right, seat_of
from companion.rules.cards import CardCatalogue, CardGame
from companion.rules.errors import RulesBug
from companion.rules.layouts import Layout, Place, hand_thing
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, impossible, refuse
from companion.rules.rulings import Register
from companion.rules.views import CardBoard, View
from tests.sixth.content import DECK, Cards, Catch
from tests.sixth.happenings import Caught, Taken
from tests.sixth.state import NightState

HAND, ENOUGH, MOST_FIREFLIES = 3, 7, 99


class FireflyNight(CardGame[NightState]):
    """A firefly night."""

    name: ClassVar[str] = "firefly-night"
    counted: ClassVar[frozenset[str]] = frozenset({"jar", "hand", "discard"})
    deck_rule = "2"
    hand_rule = "2"

    def __init__(self, state: NightState, cards: Cards, register: Register) -> None:
        super().__init__(state, register)
        self.cards = {card.id: card for card in cards.night}
        self.catalogue = CardCatalogue.of_decks({DECK: cards.night})

    # -- the rules -----------------------------------------------------------------------------

    async def step(self) -> None:
        """§1, 2 The deal, then one turn after the other."""
        if self.state.turn == 0:
            self.deal()
            return
        seat = self.state.active
        card = await self.ask(self.offer_card, seat)
        with self.because(self.lay(seat, card, "2")):
            await self.carry_out(seat, card)
        self.draw(seat, DECK, 1, "2")
        self.next_turn(seat)

    def deal(self) -> None:
        """§1 Three cards for everybody."""
        for seat in self.state.seats:
            self.draw(seat, DECK, HAND, "1")
        self.state.turn = 1

    def offer_card(self, seat: str) -> Prompt[str]:
        """§2 Any card of the hand."""
        cannot = partial(self.cannot_hold, seat)
        return Prompt("card", seat, "2", self.cards, cannot=cannot, source="hand")

    async def carry_out(self, seat: str, card: str) -> None:
        """§2 What the card says, in order."""
        for effect in self.cards[card].effects:
            if isinstance(effect, Catch):
                self.state.jars[seat] += effect.count
                self.record(Caught(rule="2", seat=seat, count=effect.count))
            else:
                await self.take(seat)

    async def take(self, by: str) -> None:
        """§3 Take a firefly; nobody is asked from whom where there is no choice."""
        open_to = list(self.offer_whom(by).options())
        if not open_to:
            return
        seat = open_to[0] if len(open_to) == 1 else await self.ask(self.offer_whom, by)
        self.state.jars[seat] -= 1
        self.state.jars[by] += 1
        self.record(Taken(rule="3", seat=seat, by=by))

    def offer_whom(self, by: str) -> Prompt[str]:
        """§3 Any other player with a firefly."""
        others = tuple(seat for seat in self.state.seats if seat != by)
        return Prompt("whom", by, "3", others, self.why_spare, cannot=self.cannot_take)

    def why_spare(self, seat: str) -> Refusal | None:
        """§3, ruling F1: the last firefly."""
        if self.state.jars[seat] == 1 and self.ruling("F1") == "spares_it":
            return refuse("3", N_("A frog spares the last firefly."), "F1")
        return None

    def cannot_take(self, seat: str) -> Refusal | None:
        """§3 There must be a firefly."""
        return None if self.state.jars[seat] else impossible("3", N_("There is no firefly."))

    def next_turn(self, seat: str) -> None:
        """§2, 4 The next player in turn order; when a round is over, perhaps it is dawn."""
        state = self.state
        state.active = state.seats[(state.seats.index(seat) + 1) % len(state.seats)]
        state.turn += 1
        most = max(state.jars.values())
        if state.active == state.first and most >= ENOUGH:
            self.end(tuple(s for s in state.seats if state.jars[s] == most), "4", "dawn")

    # -- beside the open question --------------------------------------------------------------

    def beside(self) -> Sequence[Prompt[Any]]:
        """Everybody may scan cards of the own hand, to see them on a screen."""
        return [self.offer_scan(seat, self.cards) for seat in self.state.seats]

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        """Scan a card."""
        self.scan(prompt.seat, str(choice), prompt.rule)

    # -- the real table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        """Whose turn it is, every jar and hand, the discards."""
        state = self.state
        return {
            "turn": state.active,
            **{f"jar/{s}": state.jars[s] for s in state.seats},
            **{hand_thing(s, DECK): state.hands[s].size() for s in state.seats},
            f"discard/{DECK}": len(state.decks[DECK].discard),
        }

    def put(self, thing: str, place: Place) -> Refusal | None:
        """Correct one thing; the names are those of `layout`."""
        return put_right(
            thing,
            place,
            self.state.seats,
            plain={"turn": self._put_turn},
            named={"discard": self.put_discards},
            of_seats={"jar": self._put_jar},
            of_seats_named={"hand": self._put_hand},
        )

    def _put_turn(self, place: Place) -> None:
        """Whose turn it is; the cards are dealt then."""
        self.state.active = seat_of(place, self.state.seats)
        self.state.turn = max(1, self.state.turn)

    def _put_jar(self, seat: str, place: Place) -> None:
        self.state.jars[seat] = number(place, 0, MOST_FIREFLIES)

    def _put_hand(self, seat: str, deck: str, place: Place) -> None:
        self.set_hand_count(seat, one_of(deck, (DECK,)), number(place, 1, HAND))

    def view(self, who: str | None) -> View:
        """What a seat, or everybody, may see: of hands only what the viewer has scanned."""
        state = self.state
        top = (state.decks[DECK].discard or [""])[-1]
        return View(
            game=self.name,
            who=who,
            turn=state.turn,
            active=state.active,
            phase="",
            seats=tuple(self.seat_view(s, who, {"jar": state.jars[s]}) for s in state.seats),
            board=CardBoard(top),
            piles=self.pile_views(),
            winners=() if state.ending is None else state.ending.winners,
            layout=self.layout(),
        )

    def check(self) -> None:
        """§2, 3 No card is made or lost, and no jar owes a firefly."""
        self.check_cards()
        if min(self.state.jars.values()) < 0:
            raise RulesBug("a jar owes a firefly")
