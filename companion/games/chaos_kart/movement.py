"""§7, 8 and 5.6 Movements: step by step over the track, laps, and all they set off, in order."""

from __future__ import annotations

from companion.games.chaos_kart.bumps import Bumps
from companion.games.chaos_kart.effects import Clauses, Effect, Stage
from companion.games.chaos_kart.happenings import Entered, LapWithheld, NoEffect, StoodStill
from companion.games.chaos_kart.moving import Movement, Way
from companion.games.chaos_kart.table import NO_CLAUSES, Source
from companion.rules.events import LapCompleted, Square

Later = list[tuple[list[Effect], Source]]
"""Movements that traps caused and that come after the outer steps 2 and 3 (ruling A26)."""

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
        path = self.way(start, steps, back=back)
        if self.ruling("A8") == "step_by_step":
            await self.walk(seat, start, path, back=back, clauses=clauses, rule=rule)
            return
        end = await self.last_step(seat, start, path)
        way = Way.BACK if back else Way.FORWARD
        await self.arrive(Movement(seat, way, start, path, end, clauses, rule))

    def way(self, start: Square, steps: int, *, back: bool) -> list[int]:
        """§7.1, 7.3, 7.4 The squares a pawn steps on; from outside first the start/finish."""
        if back and start is not None:
            return [self.ring.back(start, n) for n in range(1, steps + 1)]
        first = 0 if start is None else self.ring.forward(start)
        return [self.ring.forward(first, n) for n in range(steps)]

    async def last_step(self, seat: str, start: Square, path: list[int]) -> Square:
        """§15.5 Where a path ends once guards were asked; takes refused squares off it."""
        if await self.stopped_on_way(seat, start, path, {}):
            return path[-1] if path else start
        if self.ruling("A63") == "at_step_4":
            return path[-1]
        return await self.turned_away(seat, path, start, {})

    async def place(self, seat: str, end: int, rule: str) -> None:
        """Ruling A10: put a pawn on a square; it enters and stops there, and passes nothing."""
        start = self.kart(seat).square
        path = [end]
        settled = await self.turned_away(seat, path, start, {}) if self._asks_early() else end
        await self.arrive(Movement(seat, Way.PLACED, start, path, settled, NO_CLAUSES, rule))

    def _asks_early(self) -> bool:
        return self.ruling("A63") == "before_last_step"

    async def arrive(self, movement: Movement) -> None:
        """Put the pawn at the movement's end and settle it."""
        if not movement.moved and movement.end == movement.start:
            self.record(StoodStill(rule="7.5", ruling="A38", seat=movement.seat))
            return
        if movement.way is Way.BACK:
            self.owe_crossings(movement.seat, movement.start, movement.path)
        self.put_pawn(movement.seat, movement.end, movement.rule)
        movement.serial = self.kart(movement.seat).moves
        self.note_passed(movement)
        await self.settle(movement)

    def note_passed(self, movement: Movement) -> None:
        """§13.1(3) Remember the squares that the active player has passed this turn."""
        if movement.seat == self.state.active:
            self.state.passed += movement.passed()

    # -- §5.6 ----------------------------------------------------------------------------------

    async def settle(self, movement: Movement) -> None:
        """§5.6 The six steps in order, or in the order that the card gives."""
        later: Later = []
        order = movement.clauses.order or ORDER
        for number, stage in enumerate(order):
            if stage in NO_LONGER_THERE and self.has_left(movement):
                continue
            await self.settle_stage(stage, movement, later)
            if later and not {Stage.TRAPS, Stage.BEND} & set(order[number + 1 :]):
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
                later += await self.spring_all(self.triggered(movement), movement.seat)
            case Stage.BEND:
                await self.hit_bend(movement)
            case Stage.BUMP:
                await self.settle_bumps(movement)
            case Stage.POWER_UP:
                self.use_power_up_token(movement.seat)
            case Stage.EVENT:
                await self.use_event_token(movement.seat)

    def has_left(self, movement: Movement) -> bool:
        """Ruling A20: whether the pawn was moved on, or never left its square."""
        moved_on = self.kart(movement.seat).moves != movement.serial
        return moved_on or not movement.ends_on_path

    async def carry_out_later(self, later: Later) -> None:
        """Ruling A26: the movements that traps caused, each with steps of its own."""
        for effects, source in later:
            await self.carry_out(effects, source)
        later.clear()

    # -- §8 ------------------------------------------------------------------------------------

    def check_lap(self, movement: Movement) -> None:
        """§8 A forward movement that passes or enters the start/finish gives one lap.

        The game ends at once when it was the last (rulings A5, A6, A9, A37).
        """
        if movement.way is not Way.FORWARD:
            return
        gained = False
        for square in movement.path[movement.settled :]:
            if square == 0:
                gained = self.cross_line(movement.seat, may_gain=not gained) or gained
        if movement.turned_back_over_line():
            self.kart(movement.seat).debt += 1

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

    async def walk(
        self,
        seat: str,
        start: Square,
        path: list[int],
        *,
        back: bool,
        clauses: Clauses,
        rule: str,
    ) -> None:
        """Ruling A8's variant: a trap on the way works at once and stops the pawn where it is.

        The line is checked as it is crossed; a cancelled trap stops nobody.
        """
        way = Way.BACK if back else Way.FORWARD
        done: list[int] = []
        later: Later = []
        for square in path[:-1]:
            done.append(square)
            if await self.may_not_pass(seat, start, done, {}):
                break
            if square == 0 and not back:
                self.cross_line(seat, may_gain=path.index(0) == len(done) - 1)
            if await self.stopped_by_trap(seat, square, later):
                await self.cut_short(Movement(seat, way, start, done, square, clauses, rule), later)
                return
        else:
            done.append(path[-1])
            if self.ruling("A63") == "before_last_step":
                await self.turned_away(seat, done, start, {})
        end = done[-1] if done else start
        await self.arrive(
            Movement(seat, way, start, done, end, clauses, rule, settled=len(path) - 1)
        )

    async def stopped_by_trap(self, seat: str, square: int, later: Later) -> bool:
        """Whether a trap that a passing pawn sets off stops it on this square."""
        for trap in list(self.state.traps):
            if trap.square != square or not self.sets_off(trap, seat, stops=False):
                continue
            sprung = await self.spring(trap, seat)
            if sprung is not None:
                later.append(sprung)
                return True
        return False

    async def cut_short(self, movement: Movement, later: Later) -> None:
        """Settle a movement that a trap has stopped: line and trap are settled already."""
        if movement.way is Way.BACK:
            self.owe_crossings(movement.seat, movement.start, movement.path)
        self.put_pawn(movement.seat, movement.end, "13.2", "A8")
        movement.serial = self.kart(movement.seat).moves
        self.note_passed(movement)
        await self.hit_bend(movement)
        await self.carry_out_later(later)
        for stage in (Stage.BUMP, Stage.POWER_UP, Stage.EVENT):
            if not self.has_left(movement):
                await self.settle_stage(stage, movement, later)
