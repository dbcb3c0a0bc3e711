"""§7, 8 and 5.6 Movements: step by step over the track, laps, and all they set off, in order."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.chaos_kart.bumps import Bumps
from companion.games.chaos_kart.effects import Clauses, Stage
from companion.games.chaos_kart.happenings import (
    Entered,
    LapCompleted,
    LapWithheld,
    NoEffect,
    StoodStill,
)
from companion.games.chaos_kart.moving import Landing, Later, Movement, Way
from companion.games.chaos_kart.table import NO_CLAUSES
from companion.rules.events import Square

ORDER = tuple(Stage)
"""§5.6 Lap, traps, bend, bump, power-up token, event token."""

NO_LONGER_THERE = frozenset({Stage.BUMP, Stage.POWER_UP, Stage.EVENT})
"""Steps that lapse once the pawn has been moved on (ruling A20)."""


class Movements(Bumps):
    """§5.6, 7, 8."""

    # -- §7 ------------------------------------------------------------------------------------

    async def move(self, seat: str, steps: int, *, back: bool, clauses: Clauses, rule: str) -> None:
        """§7.1, 7.3 Move a pawn forward or back and settle what follows."""
        start = self.kart(seat).square
        if steps == 0:
            self.record(StoodStill(rule="7.5", seat=seat))
            return
        if back and start is None:
            self.record(NoEffect(rule="7.3", ruling="A16", seat=seat, card=""))
            return
        way = self.way(start, steps, back=back)
        kind = Way.BACK if back else Way.FORWARD
        movement = Movement(seat, kind, start, [], start, clauses, rule)
        if self.ruling("A8") == "step_by_step":
            await self.walk(movement, way)
            return
        landing = await self.stopped_on_way(seat, way, start, {})
        movement.take(landing or await self.last_step(movement, way))
        await self.arrive(movement)

    def way(self, start: Square, steps: int, *, back: bool) -> list[int]:
        """§7.1, 7.3, 7.4 The squares a pawn steps on; from outside first the start/finish."""
        if back and start is not None:
            return [self.ring.back(start, n) for n in range(1, steps + 1)]
        first = 0 if start is None else self.ring.forward(start)
        return [self.ring.forward(first, n) for n in range(steps)]

    async def last_step(self, movement: Movement, way: list[int]) -> Landing:
        """§15.5 Where the last square of a way lets a pawn end; by a variant of A63 at step 4."""
        if self.ruling("A63") == "at_step_4":
            return Landing(way, way[-1])
        return await self.land(movement.seat, way, movement.start, {})

    async def place(self, seat: str, end: int, rule: str) -> None:
        """Ruling A10: put a pawn on a square; it enters and stops there, and passes nothing."""
        start = self.kart(seat).square
        movement = Movement(seat, Way.PLACED, start, [], start, NO_CLAUSES, rule)
        movement.take(await self.last_step(movement, [end]))
        await self.arrive(movement)

    async def arrive(self, movement: Movement) -> None:
        """Put the pawn at the movement's end and settle it."""
        if not movement.moved and movement.end == self.kart(movement.seat).square:
            self.record(StoodStill(rule="7.5", ruling="A35", seat=movement.seat))
            return
        self.come_to_rest(movement)
        await self.settle(movement)

    def come_to_rest(self, movement: Movement) -> None:
        """Put the pawn where its movement ends, if it does not stand there from its last step."""
        if movement.way is Way.BACK:
            way = [*movement.path, *([] if movement.end is None else [movement.end])]
            self.owe_crossings(movement.seat, movement.start, way)
        if not movement.settled or self.kart(movement.seat).square != movement.end:
            self.put_pawn(movement.seat, movement.end, movement.rule)
        movement.serial = self.kart(movement.seat).moves
        self.note_passed(movement)

    def note_passed(self, movement: Movement) -> None:
        """§13.1(3) Remember the squares that the active player has passed this turn."""
        if movement.seat == self.state.active:
            self.state.passed += movement.passed()

    # -- §5.6 ----------------------------------------------------------------------------------

    async def settle(self, movement: Movement) -> None:
        """§5.6 The six steps in order, or in the order that the card gives."""
        await self.settle_stages(movement, movement.clauses.order or ORDER, [])

    async def settle_stages(
        self, movement: Movement, stages: Sequence[Stage], later: Later
    ) -> None:
        """§5.6 Some steps in order; the movements that traps caused follow on steps 2 and 3."""
        for number, stage in enumerate(stages):
            if stage in NO_LONGER_THERE and self.has_left(movement):
                continue
            await self.settle_stage(stage, movement, later)
            if not {Stage.TRAPS, Stage.BEND} & set(stages[number + 1 :]):
                await self.carry_out_later(later)

    async def settle_stage(self, stage: Stage, movement: Movement, later: Later) -> None:
        """§5.6 One of the six steps."""
        traps_only = movement.pushed and self.ruling("A17") == "traps_only"
        if traps_only and stage is not Stage.TRAPS:
            return
        match stage:
            case Stage.LAP:
                self.check_lap(movement)
            case Stage.TRAPS:
                await self.spring_some(self.triggered(movement), movement, later)
            case Stage.BEND:
                await self.hit_bend(movement)
            case Stage.BUMP:
                await self.settle_bumps(movement)
            case Stage.POWER_UP:
                self.use_power_up_token(movement.seat)
            case Stage.EVENT:
                await self.use_event_token(movement.seat)

    async def carry_out_later(self, later: Later) -> None:
        """Ruling A26: the movements that traps caused, each with steps of its own."""
        for targets, source in later:
            await self.do_all(targets, source)
        later.clear()

    # -- §8 ------------------------------------------------------------------------------------

    def check_lap(self, movement: Movement) -> None:
        """§8 A forward movement that passes or enters the start/finish gives one lap.

        The game ends at once when it was the last (rulings A5, A6, A9, A37).
        """
        if movement.way is not Way.FORWARD:
            return
        for square in movement.path[movement.settled :]:
            self.check_line(movement, square)
        if movement.over_line:
            self.kart(movement.seat).debt += 1

    def check_line(self, movement: Movement, square: int) -> None:
        """§8 One step of a forward movement; a lap at the most once for all of it (A9)."""
        if square == 0 and self.cross_line(movement.seat, may_gain=not movement.gained):
            movement.gained = True

    def cross_line(self, seat: str, *, may_gain: bool) -> bool:
        """§8, 8.1 One forward step onto the start/finish; whether it gave a lap."""
        kart = self.kart(seat)
        if not kart.entered:
            kart.entered = True
            self.record(Entered(rule="7.4", ruling="A5", seat=seat))
            return self.ruling("A5") == "lap_on_entry" and self.gain_lap(seat, "8", "A5")
        if kart.debt and self.owes_lap(seat):
            kart.debt = kart.debt - 1 if self.ruling("A6") == "lap_debt" else 0
            self.record(LapWithheld(rule="8.1", ruling="A6", seat=seat))
            return False
        if not may_gain:
            return False
        again = kart.debt > 0
        kart.debt = max(0, kart.debt - 1)
        return self.gain_lap(seat, "8.1" if again else "8", "A6" if again else None)

    def owes_lap(self, seat: str) -> bool:
        """Ruling A6: whether a forward crossing only makes up for one backward."""
        variant = self.ruling("A6")
        return variant == "lap_debt" or (variant == "reentry" and self.kart(seat).laps == 0)

    def gain_lap(self, seat: str, rule: str, ruling: str | None) -> bool:
        """§8, 15.1 Get a lap card; the last one wins at once."""
        kart = self.kart(seat)
        kart.laps += 1
        lap = self.record(LapCompleted(rule=rule, ruling=ruling, seat=seat, laps=kart.laps))
        if kart.laps >= self.target:
            with self.because(lap):
                self.end((seat,), "8", "laps")
        return True

    # -- ruling A8, step by step ---------------------------------------------------------------

    async def walk(self, movement: Movement, way: list[int]) -> None:
        """Ruling A8's variant: a trap on the way works at once and stops the pawn where it is.

        The line is checked as it is crossed; a cancelled trap stops nobody.
        """
        seat, start = movement.seat, movement.start
        for square in way[:-1]:
            landing = await self.may_not_pass(seat, [*movement.path, square], start, {})
            if landing is not None:
                movement.take(landing)
                await self.arrive(movement)
                return
            self.step_onto(movement, square)
            moves = self.kart(seat).moves
            later: Later = []
            stopped = await self.sprung_here(movement, square, later)
            if self.kart(seat).moves != moves:  # a card laid against the trap took it elsewhere
                await self.carry_out_later(later)
                return
            if stopped:
                await self.stop_here(movement, square, later)
                return
        movement.take(await self.last_step(movement, [*movement.path, way[-1]]))
        await self.arrive(movement)

    def step_onto(self, movement: Movement, square: int) -> None:
        """Ruling A8's variant: one step, with the line."""
        self.put_pawn(movement.seat, square, movement.rule, "A8")
        movement.path.append(square)
        movement.end = square
        movement.settled = len(movement.path)
        if movement.way is Way.FORWARD:
            self.check_line(movement, square)

    async def sprung_here(self, movement: Movement, square: int, later: Later) -> bool:
        """Whether a trap that a passing pawn sets off stops it here."""
        if self.ruling("A26") == "first_trap" and movement.met:
            return False
        passing = [
            trap
            for trap in self.state.traps
            if trap.square == square and self.sets_off(trap, movement.seat, stops=False)
        ]
        return await self.spring_some(passing, movement, later)

    async def stop_here(self, movement: Movement, square: int, later: Later) -> None:
        """Ruling A8's variant: the trap's square is the end, if nobody guards it (§15.5)."""
        walked = list(movement.path)
        landing = await self.last_step(movement, walked)
        movement.end, movement.asked = landing.end, landing.asked
        if landing.end is not None and landing.end not in (movement.start, *walked):
            movement.path.append(landing.end)
        movement.over_line = landing.over_line or (landing.refused and square == 0)
        self.come_to_rest(movement)
        await self.settle_stages(movement, movement.clauses.order or ORDER, later)
