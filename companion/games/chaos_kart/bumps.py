"""§9 and 15.5 One pawn a square: guards turn pawns away, bumps push them back in a chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from companion.games.chaos_kart.effects import Clauses
from companion.games.chaos_kart.happenings import Bumped, JudgeAsked, TurnedAway
from companion.games.chaos_kart.moving import Landing, Movement, Way
from companion.games.chaos_kart.table import NO_CLAUSES
from companion.games.chaos_kart.tokens import Tokens
from companion.rules.events import Square
from companion.rules.phrases import N_
from companion.rules.prompts import Prompt, Refusal, refuse

BOUNCE_LIMIT = 10
"""Ruling A34: pawns turned away in one go before the table is asked."""


class Push(msgspec.Struct):
    """One pawn of a chain: who pushes it, and its way back."""

    seat: str
    by: str
    start: int
    path: list[int]
    end: int
    serial: int = 0


class Bumps(Tokens):
    """§9, 15.5."""

    async def land(
        self,
        seat: str,
        path: Sequence[int],
        start: Square,
        planned: Mapping[str, Square],
        *,
        bump: bool = True,
    ) -> Landing:
        """§15.5 Where a pawn ends that is about to step on the last square of `path`.

        Guards are asked before that step (ruling A63), one after the other (A35). `planned` are
        squares that pawns are on their way to; without `bump` the pawn only passes there.
        """
        *passed, wanted = path
        end: Square = wanted
        over_line = False
        asked: list[str] = []
        for _ in range(BOUNCE_LIMIT):
            holder = self.holder_of(end, seat, planned)
            if holder is None or end is None:
                break
            asked.append(holder)
            if not await self.guards(holder, seat, bump=bump or len(asked) > 1):
                break
            over_line = over_line or (end == 0 and end != wanted)
            end = self.one_back(seat, holder, end, [start, *passed])
        else:
            end = await self.judged_square(seat, planned)
        if end is None:
            passed = []
        elif end == wanted or end not in (start, *passed):
            passed.append(end)
        return Landing(passed, end, end != wanted, over_line, tuple(asked))

    async def stopped_on_way(
        self, seat: str, path: Sequence[int], start: Square, planned: Mapping[str, Square]
    ) -> Landing | None:
        """Ruling A33's variant: where a guard on the way stops a pawn; None when none does."""
        for index in range(1, len(path)):
            landing = await self.may_not_pass(seat, path[:index], start, planned)
            if landing is not None:
                return landing
        return None

    async def may_not_pass(
        self, seat: str, path: Sequence[int], start: Square, planned: Mapping[str, Square]
    ) -> Landing | None:
        """Ruling A33's variant: where a pawn ends that a guard does not let pass; else None."""
        if self.ruling("A33") == "end_square_only":
            return None
        if self.holder_of(path[-1], seat, planned) is None:
            return None
        landing = await self.land(seat, path, start, planned, bump=False)
        return landing if landing.refused else None

    def holder_of(self, square: Square, seat: str, planned: Mapping[str, Square]) -> str | None:
        """Who stands on a square once pawns on their way have arrived."""
        if square is None:
            return None
        for other in self.state.seats:
            if other != seat and planned.get(other, self.kart(other).square) == square:
                return other
        return None

    def one_back(self, seat: str, holder: str, square: int, way: Sequence[Square]) -> Square:
        """§15.5(2) One square back from the guarded one; by a variant of A34 whence it came."""
        if self.ruling("A34") == "where_it_came_from":
            end = way[way.index(square) - 1] if square in way[1:] else way[-1]
        else:
            end = self.ring.back(square)
        self.record(
            TurnedAway(rule="15.5", ruling="A34", seat=seat, holder=holder, square=square, end=end)
        )
        return end

    async def judged_square(self, seat: str, planned: Mapping[str, Square]) -> int:
        """Ruling A34: the table says where a pawn ends that is turned away again and again."""
        self.record(JudgeAsked(rule="15.5", ruling="A34", seat=seat))
        square: int = await self.ask(self.offer_judge_square, seat, planned)
        return square

    def offer_judge_square(self, seat: str, planned: Mapping[str, Square]) -> Prompt[int]:
        """A free square, by agreement of the table."""
        squares = range(self.state.squares)
        return Prompt(
            "judge-square", seat, "15.5", squares, lambda s: self.why_not_free(seat, s, planned)
        )

    def why_not_free(self, seat: str, square: int, planned: Mapping[str, Square]) -> Refusal | None:
        """§9 A square on which another pawn stands, or will, is not free."""
        if self.holder_of(square, seat, planned) is not None:
            return refuse("9", N_("Another pawn stands there."))
        return None

    # -- §9.1, 9.2 -----------------------------------------------------------------------------

    async def settle_bumps(self, movement: Movement) -> None:
        """§5.6(4), 9 Bump whoever stands on the end square; by some cards also who was passed."""
        seat, distance = movement.seat, movement.clauses.bump_back
        if movement.clauses.bumps_passed:
            await self.bump_passed(movement)
        while (holder := self.occupant(self.kart(seat).square, besides=seat)) is not None:
            if self.has_left(movement):
                return
            late = self.ruling("A63") == "at_step_4" and holder not in movement.asked
            if late and await self.guards(holder, seat):
                await self.repel(movement, holder)
                return
            await self.bump(holder, seat, distance)

    async def bump_passed(self, movement: Movement) -> None:
        """§9 By its card a movement bumps whom it only passes; each may ward off the bump."""
        for square in movement.passed():
            passed = self.occupant(square, besides=movement.seat)
            if passed is None or self.has_left(movement):
                continue
            if not await self.guards(passed, movement.seat):
                await self.bump(passed, movement.seat, movement.clauses.bump_back)

    def has_left(self, movement: Movement) -> bool:
        """Ruling A20: whether the pawn was moved on, or never left its square."""
        moved_on = self.kart(movement.seat).moves != movement.serial
        return moved_on or not movement.ends_on_path

    async def repel(self, movement: Movement, holder: str) -> None:
        """§15.5 under the variant of A63 that asks at step 4: one back, a movement of its own."""
        seat, square = movement.seat, self.kart(movement.seat).square
        if square is None:
            return
        end = self.one_back(seat, holder, square, [movement.start, *movement.passed()])
        clauses = Clauses(bump_back=movement.clauses.bump_back)
        path = [] if end is None else [end]
        await self.arrive(Movement(seat, Way.BACK, square, path, end, clauses, "15.5"))

    async def arrive(self, movement: Movement) -> None:
        """Put a pawn at the end of a movement and settle it; see `movement`."""
        raise NotImplementedError

    async def bump(self, victim: str, by: str, distance: int) -> None:
        """§9.1, 9.2 Push a pawn back, and whoever stands there, until all squares differ.

        The guards along the chain are asked first, then it moves as one change (ruling A41); what
        awaits the pushed pawns follows in the order of the pushes (A64).
        """
        pushes = await self.plan_chain(victim, by, distance)
        for push in reversed(pushes):
            self.push_back(push, "9.1" if push.by == by else "9.2")
        for push in pushes:
            await self.bump_whom_joined(push)
        if self.ruling("A17") != "nothing":
            for push in pushes:
                await self.settle_pushed(push)

    def push_back(self, push: Push, rule: str) -> None:
        """§9.1, 9.3 Put a pushed pawn back; over the line it gets no lap."""
        with self.because(self.record(Bumped(rule=rule, seat=push.seat, by=push.by))):
            self.owe_crossings(push.seat, push.start, [*push.path, push.end])
            self.put_pawn(push.seat, push.end, rule)
        push.serial = self.kart(push.seat).moves

    async def bump_whom_joined(self, push: Push) -> None:
        """§9.2 Until all squares differ: two pawns had stood there, one just arriving."""
        while self.kart(push.seat).moves == push.serial:
            other = self.occupant(push.end, besides=push.seat)
            if other is None:
                return
            await self.bump(other, push.seat, 1)

    async def plan_chain(self, victim: str, by: str, distance: int) -> list[Push]:
        """§9.2 Who is pushed where; only the first by more than one square (ruling A32)."""
        pushes: dict[str, Push] = {}
        planned: dict[str, Square] = {}
        pushed: str | None = victim
        while pushed is not None:
            start = planned.get(pushed, self.kart(pushed).square)
            if start is None:
                break
            way = [self.ring.back(start, n) for n in range(1, distance + 1)]
            landing = await self.stopped_on_way(pushed, way, start, planned)
            landing = landing or await self.land(pushed, way, start, planned)
            if landing.end is None:
                break
            path, before = landing.path, pushes.pop(pushed, None)
            if before is not None:
                start, path = before.start, [*before.path, *path]
            pushes[pushed] = Push(pushed, by, start, path, landing.end)
            planned[pushed] = landing.end
            by, distance = pushed, 1
            pushed = self.holder_of(landing.end, pushed, planned)
        return [push for push in pushes.values() if push.end != push.start]

    async def settle_pushed(self, push: Push) -> None:
        """Rulings A17, A64: what a pushed pawn sets off on its way, for its own player."""
        movement = Movement(
            push.seat,
            Way.BACK,
            push.start,
            push.path,
            push.end,
            NO_CLAUSES,
            "9.1",
            serial=push.serial,
            pushed=True,
        )
        await self.settle(movement)

    async def settle(self, movement: Movement) -> None:
        """§5.6 Settle all that a movement sets off; see `movement`."""
        raise NotImplementedError

    def owe_crossings(self, seat: str, start: Square, path: Sequence[int]) -> None:
        """Ruling A6: note each backward crossing, the step from 0 to the last square.

        Sent back whence it came, a pawn has not crossed after all.
        """
        kart = self.kart(seat)
        squares = [square for square in (start, *path) if square is not None]
        for before, after in pairwise(squares):
            went_back = self.ring.distance(after, before) < self.ring.distance(before, after)
            if went_back and after > before:
                kart.debt += 1
            elif not went_back and after < before:
                kart.debt = max(0, kart.debt - 1)
