"""What a table may set right by hand, one method a kind of thing."""

from __future__ import annotations

from functools import partial

from companion.games.carpet_racers.board import Place as Spot
from companion.games.carpet_racers.content import DECK
from companion.games.carpet_racers.state import Due, Phase
from companion.games.carpet_racers.table import (
    BOOST,
    CHEQUERED,
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
from companion.games.carpet_racers.turn import Turn
from companion.rules.bounds import number, one_of, put_right, seat_of
from companion.rules.errors import BadSetup
from companion.rules.layouts import Place
from companion.rules.phrases import N_
from companion.rules.prompts import Refusal

NONE = "none"
MOST_TOKENS = 99
"""The most stops or stretch tokens that a correction may name."""
PHASES = (Phase.CARD, Phase.REVEAL)
"""The phases that a scenario or a correction may begin with."""


class Correcting(Turn):
    """Corrections, by the names of the layout."""

    def put(self, thing: str, place: Place) -> Refusal | None:
        """Correct one thing; the names are those of `layout`."""
        return put_right(
            thing,
            place,
            self.state.seats,
            plain={"turn": self._put_turn, "phase": self._put_phase},
            named={
                "car": self._put_car_at,
                "lap": self._put_lap,
                "dock": self._put_dock,
                TRAP: self._put_traps,
                "discard": self.put_discards,
            },
            of_seats={
                CONTROLLER: self._put_controller,
                STOP: partial(self._put_tokens, STOP),
                STRETCH: partial(self._put_tokens, STRETCH),
                PROGRESS: self._put_progress,
                REVEALED: self._put_revealed,
                "open": self.open_card,
            },
            of_seats_named={
                BOOST: self._put_boosts,
                CLUE: self._put_clue,
                "hand": self._put_hand,
            },
        )

    def _put_turn(self, place: Place) -> None:
        """Whose turn it is; another's turn then starts anew."""
        state = self.state
        seat = seat_of(place, state.seats)
        if state.phase in (Phase.REVEAL, Phase.FINAL):
            raise BadSetup(N_("The race is over: nobody has a turn any more."))
        if seat == state.active:
            return
        if state.phase is not Phase.SET_UP:
            self.clear_play()
            self.forget_turn()
            state.phase = Phase.START
        state.active = seat

    def _put_phase(self, place: Place) -> None:
        """A card is to be played now, or the chips are revealed; the game is set up before."""
        phase = Phase(one_of(place, [phase.value for phase in PHASES]))
        state = self.state
        if state.phase is Phase.SET_UP:
            self._set_up_at_once()
        self.clear_play()
        self.forget_turn()
        state.to_look = []
        state.turn = max(1, state.turn)
        state.phase = phase

    def _set_up_at_once(self) -> None:
        """§2 Traps and cards as the set-up lays them; tags are not asked for."""
        state = self.state
        spaces = [space for space in state.to_fill if self.has_room(space)]
        docks = [state.controllers[one].dock for one in state.to_dock]
        docks = [dock for dock in docks if len(dock) < DOCK]
        self._take_from_supply(len(spaces) + len(docks))
        for space in spaces:
            self.put_trap(space, "")
        for dock in docks:
            dock.append("")
        state.to_fill, state.to_dock, state.to_insert = [], [], []
        for seat in state.seats:
            self.draw(seat, DECK, HAND - self.state.hands[seat].size(), "2.6")

    def _put_car_at(self, car: str, place: Place) -> None:
        """A car on a space, or on a castle by its name; it came there the shortest way (R16)."""
        one_of(car, self.car_ids)
        spots: dict[str, Spot] = {str(spot): spot for spot in self.track.graph.after}
        spot = spots[one_of(str(place), list(spots))]
        state = self.state
        if spot == state.cars[car]:
            return
        first = spot not in {state.cars[moved] for moved in state.moved}
        state.cars[car] = spot
        state.driven[car] = self._driven_to(spot)
        if car in state.moved:
            self._stopped_there(spot if first else None)

    def _stopped_there(self, spot: Spot | None) -> None:
        """§6.2, 6.3 Traps and bonuses still to come are those where the moved cars stand now.

        `spot` is where a car stands besides.
        """
        state = self.state
        stand = {state.cars[car] for car in state.moved}
        state.due = [due for due in state.due if due.space in stand]
        state.bonuses = [space for space in state.bonuses if space in stand]
        if not isinstance(spot, int):
            return
        if state.phase is Phase.TRAPS:
            state.due += [Due(spot, token) for token in self.traps_on(spot)]
        elif state.phase is Phase.BONUS and self.track.bonuses[spot]:
            state.bonuses.append(spot)

    def _driven_to(self, spot: Spot) -> int:
        """Ruling R26 All castles are one space before the exit."""
        if spot in self.track.castles:
            return self.track.from_line(self.track.next(spot)[0]) - 1
        return self.track.from_line(spot)

    def _put_lap(self, car: str, place: Place) -> None:
        one_of(car, self.car_ids)
        before = CHEQUERED - self.goal
        self.state.laps[car] = number(place, before, CHEQUERED) - before

    def _put_dock(self, controller: str, place: Place) -> None:
        """Traps of a dock: more come from the supply, fewer go back there unseen."""
        one_of(controller, self.controller_ids)
        dock = self.state.controllers[controller].dock
        count = number(_none(place), 0, DOCK)
        self._take_from_supply(count - len(dock))
        self._resize(dock, count)

    def _put_traps(self, space: str, place: Place) -> None:
        """Traps on a space: more come from the supply, fewer go back there unseen."""
        spaces = [str(one) for one in self.track.spaces if self.track.holds_traps(one)]
        one_of(space, spaces)
        count = number(_none(place), 0, MOST_TRAPS)
        there = list(self.state.traps.get(space, ()))
        self._take_from_supply(count - len(there))
        self._resize(there, count)
        self.state.traps.pop(space, None)
        if there:
            self.state.traps[space] = there

    def _take_from_supply(self, more: int) -> None:
        pile = self.state.decks[TRAP]
        if more > pile.draw and pile.discard:
            self.reshuffle(TRAP)
        if more > pile.draw:
            raise BadSetup(N_("No such trap is left in the supply."))
        pile.draw -= more

    def _resize(self, tokens: list[str], count: int) -> None:
        """Take the newest tokens away, or add some that nobody knows."""
        del tokens[count:]
        tokens.extend([""] * (count - len(tokens)))

    def _put_controller(self, seat: str, place: Place) -> None:
        """§2 Which controller a player holds; who held that one gets the player's."""
        controller = one_of(place, self.controller_ids)
        mine, other = self.racer(seat), self.holder(controller)
        if other:
            self.racer(other).controller = mine.controller
        mine.controller = controller
        for one in self.state.racers.values():
            one.clues = [clue for clue in one.clues if clue != one.controller]

    def _put_boosts(self, seat: str, car: str, place: Place) -> None:
        one_of(car, self.car_ids)
        most = self.held(seat, car) + self.boosts_left(car)
        self.set_held(seat, car, number(_none(place), 0, most))

    def _put_tokens(self, token: str, seat: str, place: Place) -> None:
        if token == STRETCH and not self.track.castles:
            raise BadSetup(N_("Stretch tokens are for the playground only (§9)."))
        self.set_held(seat, token, number(_none(place), 0, MOST_TOKENS))

    def _put_progress(self, seat: str, place: Place) -> None:
        self.racer(seat).progress = number(place, 0, len(self.track.progress))

    def _put_clue(self, seat: str, controller: str, place: Place) -> None:
        """A clue on a dock: in its slot, the next free one at the most, or not there."""
        racer = self.racer(seat)
        one_of(controller, [c for c in self.controller_ids if c != racer.controller])
        others = [clue for clue in racer.clues if clue != controller]
        if _none(place):
            if len(others) >= CLUES:
                raise BadSetup(N_("Three clues are the most."))
            slot = number(place, 1, min(CLUES, len(others) + 1))
            others.insert(slot - 1, controller)
        racer.clues = others

    def _put_revealed(self, seat: str, place: Place) -> None:
        """§8.1 Which car a player's chip has turned out to be, once controllers are open."""
        if self.state.phase not in (Phase.REVEAL, Phase.FINAL):
            raise BadSetup(N_("The controllers are still closed (§3)."))
        car = one_of(place, self.car_ids)
        other = next((s for s, racer in self.state.racers.items() if racer.car == car), "")
        if other:
            self.racer(other).car = self.racer(seat).car
        self.racer(seat).car = car

    def _put_hand(self, seat: str, deck: str, place: Place) -> None:
        one_of(deck, (DECK,))
        self.set_hand_count(seat, DECK, number(place, 0, self.catalogue.sizes[DECK]))


def _none(place: Place) -> Place:
    """The count of what is not there."""
    return 0 if place in (None, NONE) else place
