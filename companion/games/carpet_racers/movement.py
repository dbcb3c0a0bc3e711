"""§6.1, 6.1.1, 7 Two cars share the spaces of a card."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache, partial

from companion.games.carpet_racers.board import Place
from companion.games.carpet_racers.happenings import (
    CatapultReached,
    Drove,
    LapMarked,
    RaceOver,
    RestLost,
)
from companion.games.carpet_racers.state import Due, Leg, Phase
from companion.games.carpet_racers.table import Table
from companion.rules.game import StepOver
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, elsewhere, refuse

BETWEEN = "-"
"""Stands between the car and its spaces in a choice such as "red-2"."""
MOST_SPACES = 99

Stops = Callable[[Place], bool]


class Splits(Collection[str]):
    """How two cars may share some spaces, each way of it as a car and its part: "red-2".

    Each may be said of either car. Where nothing depends on which of them moves first it is listed
    only once, by the first car; else both ways.
    """

    def __init__(self, cars: Sequence[str], total: int, ordered: bool) -> None:
        said = [f"{car}{BETWEEN}{n}" for car in cars for n in range(1, total)]
        self.said = frozenset(said)
        self.listed = tuple(said if ordered else said[: total - 1])

    def __contains__(self, choice: object) -> bool:
        return choice in self.said

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    def __len__(self) -> int:
        return len(self.listed)


splits = lru_cache(maxsize=256)(Splits)


class Movement(Table):
    """§6.1, 6.1.1, 7."""

    # -- §6.1 ----------------------------------------------------------------------------------

    async def split_movement(self, seat: str) -> None:
        """§6.1 Which two cars move, which of them first, and how far each."""
        given = self.played.cars
        second = given[-1] if len(given) > 1 else await self.ask(self.offer_second, seat)
        listed = self.offer_split(seat, given[0], second).candidates
        said = next(iter(listed))
        if len(listed) > 1:
            said = await self.ask(self.offer_split, seat, given[0], second)
        car, spaces = parse_leg(said)
        other = second if car == given[0] else given[0]
        rest = max(0, self.played.move - spaces)
        self.state.legs = [Leg(car, spaces), *([Leg(other, rest)] if rest else [])]
        self.state.moved = [leg.car for leg in self.state.legs]

    def offer_second(self, seat: str) -> Prompt[str]:
        """§6.1 The car that the grey one stands for."""
        return Prompt("second-car", seat, "6.1", self.car_ids, self.why_not_second)

    def why_not_second(self, car: str) -> Refusal | None:
        """§6.1, ruling R3: two different cars move."""
        if car == self.played.cars[0]:
            return refuse("6.1", N_("Two different cars move."), "R3")
        return None

    def offer_split(self, seat: str, first: str, second: str) -> Prompt[str]:
        """§6.1 The car that moves first with its spaces; the other one takes the rest."""
        cars = (first,) if first == second else (first, second)
        total = self.played.move
        ordered = self.ruling("R1") == "at_once"  # else both orders end alike, on a catapult too
        return Prompt(
            "split",
            seat,
            "6.1",
            splits(cars, total, ordered),
            args={"n": total, "first": first, "second": second},
            otherwise=partial(self.why_not_split, cars),
        )

    def why_not_split(self, cars: Sequence[str], said: Choice) -> Refusal | None:
        """§6.1, ruling R3: why the spaces cannot be shared so."""
        car, spaces = parse_leg(said)
        if car not in self.car_ids:
            return None
        if car not in cars:
            return elsewhere("6.1", N_("That car does not move in this turn."))
        total = self.played.move
        if spaces < 1:
            return elsewhere("6.1", N_("Each of the two cars goes one space at the least."), "R3")
        if spaces == total:
            return refuse("6.1", N_("Each of the two cars goes one space at the least."), "R3")
        text = N_("The two cars go {n} spaces in all, never backwards.")
        return elsewhere("6.1", text, n=total)

    async def drive_leg(self, seat: str) -> None:
        """§6.1 One of the cars moves its spaces; at forks it takes the way that is chosen (§7)."""
        leg = self.state.legs[0]
        car, spaces = leg.car, leg.spaces
        way = await self.way_forward(seat, car, spaces, self.stops_car)
        del self.state.legs[0]
        if way:
            self.drive(car, way, "6.1")
        if len(way) < spaces:
            self.stop_at_catapult(car, spaces - len(way))
        if not self.state.legs:
            self.end_moves()

    def stops_car(self, place: Place) -> bool:
        """§9 Whether a car's movement ends here, however many spaces it has left."""
        return place in self.track.catapults

    def drive(self, car: str, way: Sequence[Place], rule: str) -> None:
        """§6.1, 6.1.1 Move a car along a way, and its marker each time it passes the line."""
        state = self.state
        way = self.until_the_end(car, way)
        start = state.cars[car]
        state.cars[car] = way[-1]
        drove = Drove(rule=rule, car=car, start=start, end=way[-1], spaces=len(way))
        with self.because(self.record(drove)):
            for place in way:
                state.driven[car] += 1
                if self.track.crosses(place):
                    state.driven[car] = 1
                    self.mark_lap(car)

    def until_the_end(self, car: str, way: Sequence[Place]) -> Sequence[Place]:
        """§8, ruling R1: where the race ends at once, a car comes no further than over the line."""
        if self.ruling("R1") != "at_once":
            return way
        lines = [number for number, place in enumerate(way) if self.track.crosses(place)]
        crossings = self.goal - self.state.laps[car]
        return way[: lines[crossings - 1] + 1] if 0 < crossings <= len(lines) else way

    def mark_lap(self, car: str) -> None:
        """§6.1.1, 8 A lap marker moves one column on; the last column ends the race (R1, R2)."""
        state = self.state
        state.laps[car] += 1
        marked = LapMarked(rule="6.1.1", ruling="R2", car=car, lap=self.lap(car))
        with self.because(self.record(marked)):
            if state.laps[car] >= self.goal:
                self.record(RaceOver(rule="8", ruling="R1", car=car))
                if self.ruling("R1") == "at_once":
                    self.end_race()
                    raise StepOver

    def stop_at_catapult(self, car: str, left: int) -> None:
        """§9, ruling R20: what a catapult leaves over goes to the other car, if that can move."""
        state = self.state
        reached = CatapultReached(rule="9", ruling="R20", car=car, left=left)
        with self.because(self.record(reached)):
            other = next((one for one in state.moved if one != car), car)
            if self.stops_car(state.cars[other]):
                state.legs = []
                self.record(RestLost(rule="9", ruling="R20", left=left))
            elif state.legs:
                state.legs[0].spaces += left
            else:
                state.legs = [Leg(other, left)]

    def end_moves(self) -> None:
        """§6.2, rulings R6, R7: now the traps work that lie where the cars have stopped."""
        state = self.state
        spaces = dict.fromkeys(state.cars[car] for car in state.moved)
        state.due = [
            Due(space, token)
            for space in spaces
            if isinstance(space, int)
            for token in self.traps_on(space)
        ]
        state.phase = Phase.TRAPS

    # -- §7 ------------------------------------------------------------------------------------

    async def way_forward(self, seat: str, car: str, spaces: int, stops: Stops) -> list[Place]:
        """§7 The places that a car comes over; `stops` says where its movement ends early."""
        way: list[Place] = []
        place = self.state.cars[car]
        while len(way) < spaces and not stops(place):
            following = self.track.next(place)
            place = following[0]
            if len(following) > 1:
                place = await self.ask(self.offer_ways, seat, car, following, spaces - len(way))
            way.append(place)
        return way

    def offer_ways(self, seat: str, car: str, ways: Sequence[Place], left: int) -> Prompt[Place]:
        """§7 The ways at a fork."""
        return Prompt("way", seat, "7", ways, args={"car": car, "n": left}, where=self.track.cells)


def parse_leg(said: Choice) -> tuple[str, int]:
    """A car and its spaces out of a choice such as "red-2"; ("", 0) for anything else."""
    car, _, spaces = str(said).rpartition(BETWEEN)
    return (car, min(int(spaces), MOST_SPACES)) if spaces.isdecimal() else ("", 0)
