"""§8 The chips are revealed, boosts and stops move the cars, and somebody has won."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.carpet_racers.beginning import Beginning
from companion.games.carpet_racers.board import Place
from companion.games.carpet_racers.happenings import ChipRevealed, Drove, StandsAt
from companion.games.carpet_racers.state import Phase
from companion.rules.phrases import N_
from companion.rules.prompts import Prompt, Refusal, impossible

Rank = tuple[int, int]
"""Laps and the spaces from the line: how far a car has come."""


class Finish(Beginning):
    """§8."""

    # -- §8.1 ----------------------------------------------------------------------------------

    async def reveal_chip(self) -> None:
        """§8.1 The players open their controllers, one after the other."""
        seat = next((one for one in self.state.seats if not self.racer(one).car), "")
        if not seat:
            self.state.to_finish = list(self.state.seats)
            self.state.phase = Phase.FINAL
            return
        left = [car for car in self.car_ids if self.cannot_be(car) is None]
        car = left[0] if len(left) == 1 else await self.ask(self.offer_car, seat)
        self.racer(seat).car = car
        self.controller(seat).chip = ""  # what was sealed is known now
        self.record(ChipRevealed(rule="8.1", seat=seat, car=car))

    def offer_car(self, seat: str) -> Prompt[str]:
        """§8.1 The car on a player's chip; one with a tag says it by itself."""
        return Prompt(
            "reveal",
            seat,
            "8.1",
            self.car_ids,
            cannot=self.cannot_be,
            chance=True,
            reveals=self.controller(seat).chip,
        )

    def cannot_be(self, car: str) -> Refusal | None:
        """§3 Every chip shows another car."""
        if all(racer.car != car for racer in self.state.racers.values()):
            return None
        return impossible("3", N_("That car’s chip was in another controller."))

    async def final_move(self) -> None:
        """§8.1 A car goes forward for each matching boost, then back for each stop.

        Nothing on its way works (ruling R18); its owner chooses the way (R17).
        """
        if not self.state.to_finish:
            self.decide()
        seat = self.state.to_finish[0]
        car = self.racer(seat).car
        boosts, stops = self.boosts_of(seat), self.racer(seat).stops
        forward = await self.way_forward(seat, car, boosts, _never)
        turn = forward[-1] if forward else self.state.cars[car]
        back = await self.way_back(seat, turn, stops)
        del self.state.to_finish[0]
        ended = self.boost_forward(car, forward) if forward else []
        if back:
            self.stop_back(car, back, ended)

    def boosts_of(self, seat: str) -> int:
        """§8.1 A player's boosts of the colour of the own car."""
        return self.held(seat, self.racer(seat).car)

    async def way_back(self, seat: str, place: Place, spaces: int) -> list[Place]:
        """§8.1, ruling R17: the places back; where ways merge the owner chooses."""
        way: list[Place] = []
        while len(way) < spaces:
            before = self.track.previous(place)
            place = before[0]
            if len(before) > 1:
                place = await self.ask(self.offer_ways_back, seat, before, spaces - len(way))
            way.append(place)
        return way

    def offer_ways_back(self, seat: str, ways: tuple[Place, ...], left: int) -> Prompt[Place]:
        """§8.1, ruling R17: the ways back from a merge."""
        return Prompt("way-back", seat, "8.1", ways, args={"n": left}, where=self.track.cells)

    def boost_forward(self, car: str, way: Sequence[Place]) -> list[int]:
        """§8.1 Boosts move a car; its lap marker stays (ruling R18).

        Gives the spaces of each lap that has ended on this way.
        """
        state = self.state
        ended: list[int] = []
        self._put_car(car, way, None)
        for place in way:
            if self.track.crosses(place):
                ended.append(state.driven[car])
                state.driven[car] = 0
                state.crossed[car] += 1
            state.driven[car] += 1
        return ended

    def stop_back(self, car: str, way: Sequence[Place], ended: list[int]) -> None:
        """§8.1 Stops take a car back, over the line too (rulings R17, R18).

        Back in a lap that boosts have just ended it has come as far as it had, else the shortest
        way (R16). Takes these laps out of `ended`.
        """
        state = self.state
        place = state.cars[car]
        self._put_car(car, way, "R17")
        for before in way:
            state.driven[car] -= 1
            if self.track.crosses(place):
                state.driven[car] = ended.pop() if ended else self.track.from_line(before)
                state.crossed[car] -= 1
            place = before

    def _put_car(self, car: str, way: Sequence[Place], ruling: str | None) -> None:
        start = self.state.cars[car]
        self.state.cars[car] = way[-1]
        self.record(
            Drove(rule="8.1", ruling=ruling, car=car, start=start, end=way[-1], spaces=len(way))
        )

    # -- §8.2 ----------------------------------------------------------------------------------

    def decide(self) -> None:
        """§8.2 The furthest wins; ties by matching boosts, then by stops, then shared."""
        ranks = {seat: self.rank(self.racer(seat).car) for seat in self.state.seats}
        for seat, (_, spaces) in ranks.items():
            car = self.racer(seat).car
            lap = self.lap(car, self.state.crossed[car])
            stands = StandsAt(rule="8.2", ruling="R16", seat=seat, car=car, lap=lap, spaces=spaces)
            self.record(stands)
        best = max(ranks.values())
        if self.ruling("R15") == "nobody" and self.automatic_is_ahead_of(best):
            self.end((), "8.2", "automatic", "R15")
        first = [seat for seat, rank in ranks.items() if rank == best]
        boosts = _best(first, self.boosts_of)
        stops = _best(boosts, lambda seat: -self.racer(seat).stops)
        self.end(tuple(stops), "8.2", _reason(first, boosts, stops))

    def automatic_is_ahead_of(self, best: Rank) -> bool:
        """Ruling R15 Whether a car is further than all players' cars."""
        return any(self.rank(car) > best for car in self.car_ids)

    def rank(self, car: str) -> Rank:
        """§8.2, ruling R16: how far a car has come."""
        state = self.state
        spaces = state.driven[car]
        if self.ruling("R16") == "to_the_merge":
            merge = self.track.merge_after(state.cars[car])
            left = self.track.graph.distance(state.cars[car], merge)
            spaces = self.track.from_line(merge) - left
        return state.laps[car] + state.crossed[car], spaces


def _never(_place: Place) -> bool:
    """Ruling R18 No place ends a final move."""
    return False


def _best(seats: Sequence[str], worth: Callable[[str], int]) -> list[str]:
    """The seats for which something is worth most."""
    most = max(worth(seat) for seat in seats)
    return [seat for seat in seats if worth(seat) == most]


def _reason(first: Sequence[str], boosts: Sequence[str], stops: Sequence[str]) -> str:
    """§8.2 What has decided the race."""
    if len(first) == 1:
        return "furthest"
    if len(boosts) == 1:
        return "boosts"
    return "stops" if len(stops) == 1 else "shared"
