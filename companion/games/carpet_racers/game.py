"""Carpet Racers as one class: the rules, and what the session, screens and corrections need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from companion.games.carpet_racers.board import Place as Spot
from companion.games.carpet_racers.content import DECK
from companion.games.carpet_racers.correcting import Correcting
from companion.games.carpet_racers.setup import LEAST
from companion.games.carpet_racers.state import Phase, Racer
from companion.games.carpet_racers.table import (
    BOOST,
    CLUE,
    CLUES,
    CONTROLLER,
    DOCK,
    HAND,
    MOST_TRAPS,
    PROGRESS,
    REVEALED,
    STOP,
    STRETCH,
    TRAP,
)
from companion.rules.bounds import seat_of
from companion.rules.cards import Hand
from companion.rules.errors import BadSetup, NotNow, RulesBug
from companion.rules.layouts import Layout, Place, hand_thing
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt
from companion.rules.setups import check_names
from companion.rules.views import SeatView, View

AGAIN, OWN_DOCK = "look-again", "own-dock"
"""What may be done beside the open question."""
PLAYING = (Phase.START, Phase.CARD)
"""Between two turns, when seats may change."""


class CarpetRacers(Correcting):
    """A game of Carpet Racers."""

    counted: ClassVar[frozenset[str]] = frozenset(
        {BOOST, STOP, STRETCH, PROGRESS, "dock", TRAP, "hand", "discard"}
    )

    tracked: ClassVar[frozenset[str]] = frozenset({"turn", REVEALED})

    # -- beside the open question --------------------------------------------------------------

    def beside(self) -> Sequence[Prompt[Any]]:
        """Who likes may scan cards of the own hand, and look again where that is allowed."""
        prompts: list[Prompt[Any]] = []
        for seat in self.state.seats:
            prompts.append(self.offer_scan(seat, self.card_ids))
            prompts += self._offer_looks_again(seat)
        return prompts

    def _offer_looks_again(self, seat: str) -> Iterator[Prompt[Any]]:
        """§2.9, 6.3.1 The chips of which a player has the clue, and the traps of the own dock."""
        for clue in self.racer(seat).clues:
            chip = self.state.controllers[clue].chip
            if chip:
                yield Prompt(
                    AGAIN, seat, "6.3.1", (), private=True, shows=(chip,), args={CONTROLLER: clue}
                )
        traps = tuple(token for token in self.controller(seat).dock if token)
        if traps:
            yield Prompt(OWN_DOCK, seat, "2.9", (), private=True, shows=traps)

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        """Take a scanned card."""
        self.scan(prompt.seat, str(choice), prompt.rule)

    # -- the real table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        """Whose turn it is, cars and markers, what lies before everybody, traps and discards.

        Traps are counts: what they show is nowhere.
        """
        state = self.state
        layout: dict[str, Place] = {"turn": state.active}
        for car in self.car_ids:
            layout[f"car/{car}"] = state.cars[car]
        for car in self.car_ids:
            layout[f"lap/{car}"] = self.lap(car)
        for seat in state.seats:
            layout |= self._before(seat)
        for controller in self.controller_ids:
            layout[f"dock/{controller}"] = len(state.controllers[controller].dock)
        for space in self.track.spaces:
            if self.track.holds_traps(space):
                layout[f"{TRAP}/{space}"] = len(self.traps_on(space))
        for deck, pile in sorted(state.decks.items()):
            layout[f"discard/{deck}"] = len(pile.discard)
        return layout

    def _before(self, seat: str) -> dict[str, Place]:
        """What lies before one player."""
        racer = self.racer(seat)
        layout: dict[str, Place] = {f"{CONTROLLER}/{seat}": racer.controller}
        for car in self.car_ids:
            layout[f"{BOOST}/{seat}/{car}"] = racer.boosts.get(car, 0)
        layout[f"{STOP}/{seat}"] = racer.stops
        if self.track.castles:
            layout[f"{STRETCH}/{seat}"] = racer.stretch
        layout[f"{PROGRESS}/{seat}"] = racer.progress
        for clue in self.controller_ids:
            if clue != racer.controller:
                slot = racer.clues.index(clue) + 1 if clue in racer.clues else None
                layout[f"{CLUE}/{seat}/{clue}"] = slot
        if racer.car:
            layout[f"{REVEALED}/{seat}"] = racer.car
        layout[hand_thing(seat, DECK)] = self.state.hands[seat].counts.get(DECK, 0)
        return layout

    # -- seats ---------------------------------------------------------------------------------

    def leave(self, seat: str) -> None:
        """House rule: who leaves leaves an automatic racer behind; chip and dock stay as they are.

        Boosts, stops and stretch tokens go back to the supply, the cards into the deck.
        """
        state = self.state
        seat_of(seat, state.seats)
        self._need_free_seats()
        if len(state.seats) <= LEAST:
            raise BadSetup(N_("Two players are the least."))
        if state.active == seat:
            state.active = self.next_seat(seat)
            state.phase = Phase.START
        self.return_hand(seat, "2.3")
        state.to_look = [other for other in state.to_look if other != seat]
        state.seats.remove(seat)
        del state.hands[seat], state.racers[seat]

    def join(self, seat: str, name: str) -> None:
        """House rule: a newcomer takes over an automatic racer, gets cards and a first clue."""
        state = self.state
        self._need_free_seats()
        if not self.automatic:
            raise BadSetup(N_("All five controllers have players."))
        pile = state.decks[DECK]
        if pile.draw + len(pile.discard) < HAND:
            raise BadSetup(N_("The deck has too few cards for another hand."))
        if seat in state.seats:
            raise BadSetup(N_("Seat {seat} is taken."), seat=seat)
        check_names((name, *(state.names[other] for other in state.seats)))
        state.racers[seat] = Racer(self.automatic[0])
        state.seats.append(seat)
        state.names[seat] = name
        state.hands[seat] = Hand({DECK: 0}, [], [])
        state.to_look.append(seat)
        state.turn -= int(state.phase is Phase.CARD)  # it begins anew, after the first clue
        state.phase = Phase.START
        self.draw(seat, DECK, HAND, "2.6")

    def _need_free_seats(self) -> None:
        if self.state.phase not in PLAYING:
            raise NotNow(N_("Seats change between two turns."))

    # -- looking -------------------------------------------------------------------------------

    @property
    def asked(self) -> str:
        """Whose turn it is; at the end, who reveals a chip or moves a car."""
        state = self.state
        match state.phase:
            case Phase.REVEAL:
                return next((s for s in state.seats if not self.racer(s).car), state.active)
            case Phase.FINAL if state.to_finish:
                return state.to_finish[0]
            case _:
                return state.active

    def view(self, who: str | None) -> View:
        """What a seat, or everybody, may see."""
        state = self.state
        hidden: dict[Spot, int] = {int(at): len(there) for at, there in state.traps.items()}
        laps = {car: self.lap(car) for car in self.car_ids}
        return View(
            game=self.name,
            who=who,
            turn=state.turn,
            active=self.asked,
            phase=state.phase.value,
            seats=tuple(self._seat_view(seat, who) for seat in state.seats),
            board=self.content.board_view(state.cars, hidden, laps),
            piles=self.pile_views(),
            winners=() if state.ending is None else state.ending.winners,
            layout=self.layout(),
        )

    def _seat_view(self, seat: str, who: str | None) -> SeatView:
        racer = self.racer(seat)
        facts: dict[str, int | str] = {CONTROLLER: racer.controller}
        if racer.car:
            facts["car"] = racer.car
        facts |= {
            f"{BOOST}/{car}": racer.boosts[car] for car in self.car_ids if car in racer.boosts
        }
        if racer.stops:
            facts[STOP] = racer.stops
        if racer.stretch:
            facts[STRETCH] = racer.stretch
        facts[PROGRESS] = racer.progress
        facts["dock"] = len(self.controller(seat).dock)
        facts |= {f"{CLUE}/{clue}": slot for slot, clue in enumerate(racer.clues, start=1)}
        return self.seat_view(seat, who, facts)

    # -- invariants ----------------------------------------------------------------------------

    def check(self) -> None:
        """§2, 6.2.1, 6.3.1 Cars on the track, tokens within their numbers, none made or lost."""
        self.check_cards()
        state = self.state
        for car, place in state.cars.items():
            if place not in self.track.spaces and place not in self.track.castles:
                raise RulesBug(f"{car} is off the track")
            if self.boosts_left(car) < 0:
                raise RulesBug(f"too many boosts of {car}")
        for space, there in state.traps.items():
            if not 0 < len(there) <= MOST_TRAPS or not self.track.holds_traps(int(space)):
                raise RulesBug(f"{len(there)} traps on {space}")
        if any(len(one.dock) > DOCK for one in state.controllers.values()):
            raise RulesBug("too many traps on a dock")
        for seat in state.seats:
            self._check_racer(seat, self.racer(seat))

    def _check_racer(self, seat: str, racer: Racer) -> None:
        if racer.controller in racer.clues or len(set(racer.clues)) < len(racer.clues):
            raise RulesBug(f"{seat} has a clue of the own controller, or one twice")
        if len(racer.clues) > CLUES:
            raise RulesBug(f"{seat} has too many clues")
        if not 0 <= racer.progress <= len(self.track.progress):
            raise RulesBug(f"{seat} is off the progress track")
