"""§9 and 15.5 One pawn a square: guards turn pawns away, bumps push them back in a chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from companion.games.chaos_kart.happenings import Bumped, JudgeAsked, TurnedAway
from companion.games.chaos_kart.moving import Movement, Way
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

    async def turned_away(
        self, seat: str, path: list[int], start: Square, planned: Mapping[str, Square]
    ) -> Square:
        """§15.5 Where a pawn ends that is about to step on the last square of `path`.

        Guards are asked before that step (ruling A63), one after the other (A35). The refused
        square leaves the path: it is never entered. `planned` are squares pawns are on their way
        to.
        """
        wanted = path.pop()
        end: Square = wanted
        for _ in range(BOUNCE_LIMIT):
            holder = self.holder_of(end, seat, planned)
            if holder is None or end is None or not await self.guards(holder, seat):
                break
            end = self.one_back(seat, holder, end, [start, *path])
        else:
            end = await self.judged_square(seat)
        if end is not None and (end == wanted or end not in (start, *path)):
            path.append(end)
        return end

    async def stopped_on_way(
        self, seat: str, start: Square, path: list[int], planned: Mapping[str, Square]
    ) -> bool:
        """Ruling A33's variant: whether a guard on the way stops a pawn; cuts the path there."""
        for index in range(len(path) - 1):
            done = path[: index + 1]
            if await self.may_not_pass(seat, start, done, planned):
                path[:] = done
                return True
        return False

    async def may_not_pass(
        self, seat: str, start: Square, path: list[int], planned: Mapping[str, Square]
    ) -> bool:
        """Ruling A33's variant: whether a guard stops a pawn that only passes its square."""
        if self.ruling("A33") == "end_square_only":
            return False
        wanted = path[-1]
        if self.holder_of(wanted, seat, planned) is None:
            return False
        return await self.turned_away(seat, path, start, planned) != wanted

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

    async def judged_square(self, seat: str) -> int:
        """Ruling A34: the table says where a pawn ends that is turned away again and again."""
        self.record(JudgeAsked(rule="15.5", ruling="A34", seat=seat))
        square: int = await self.ask(self.offer_judge_square, seat)
        return square

    def offer_judge_square(self, seat: str) -> Prompt[int]:
        """A free square, by agreement of the table."""
        squares = range(self.state.squares)
        return Prompt("judge-square", seat, "15.5", squares, lambda s: self.why_not_free(seat, s))

    def why_not_free(self, seat: str, square: int) -> Refusal | None:
        """§9 A square on which another pawn stands is not free."""
        if self.occupant(square, besides=seat) is not None:
            return refuse("9", N_("Another pawn stands there."))
        return None

    # -- §9.1, 9.2 -----------------------------------------------------------------------------

    async def settle_bumps(self, movement: Movement) -> None:
        """§5.6(4), 9 Bump whoever stands on the end square; by some cards also who was passed."""
        seat, clauses = movement.seat, movement.clauses
        if clauses.bumps_passed:
            for square in movement.passed():
                passed = self.occupant(square, besides=seat)
                if passed is not None:
                    await self.bump(passed, seat, clauses.bump_back)
        while (holder := self.occupant(self.kart(seat).square, besides=seat)) is not None:
            if self.ruling("A63") == "at_step_4" and await self.guards(holder, seat):
                await self.repel(movement, holder)
                return
            await self.bump(holder, seat, clauses.bump_back)

    async def repel(self, movement: Movement, holder: str) -> None:
        """§15.5 under the variant of A63 that asks at step 4: one back, a movement of its own."""
        seat, square = movement.seat, self.kart(movement.seat).square
        if square is None:
            return
        end = self.one_back(seat, holder, square, [movement.start, *movement.passed()])
        path = [] if end is None else [end]
        await self.arrive(Movement(seat, Way.BACK, square, path, end, NO_CLAUSES, "15.5"))

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
            rule = "9.1" if push.by == by else "9.2"
            with self.because(self.record(Bumped(rule=rule, seat=push.seat, by=push.by))):
                self.owe_crossings(push.seat, push.start, push.path)
                self.put_pawn(push.seat, push.end, rule)
            push.serial = self.kart(push.seat).moves
        if self.ruling("A17") == "nothing":
            return
        for push in pushes:
            await self.settle_pushed(push)

    async def plan_chain(self, victim: str, by: str, distance: int) -> list[Push]:
        """§9.2 Who is pushed where; only the first by more than one square (ruling A32)."""
        pushes: dict[str, Push] = {}
        planned: dict[str, Square] = {}
        pushed: str | None = victim
        while pushed is not None:
            start = planned.get(pushed, self.kart(pushed).square)
            if start is None:
                break
            path = [self.ring.back(start, n) for n in range(1, distance + 1)]
            if await self.stopped_on_way(pushed, start, path, planned):
                end: Square = path[-1] if path else start
            else:
                end = await self.turned_away(pushed, path, start, planned)
            if end is None:
                break
            before = pushes.pop(pushed, None)
            if before is not None:
                start, path = before.start, [*before.path, *path]
            pushes[pushed] = Push(pushed, by, start, path, end)
            planned[pushed] = end
            by, distance = pushed, 1
            pushed = self.holder_of(end, pushed, planned)
        return list(pushes.values())

    async def settle_pushed(self, push: Push) -> None:
        """Ruling A17: what a pushed pawn sets off on its way, for its own player."""
        if self.kart(push.seat).moves != push.serial:
            return
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
        """Ruling A6: note each backward crossing, the step from 0 to the last square."""
        squares = [square for square in (start, *path) if square is not None]
        steps = pairwise(squares)
        self.kart(seat).debt += sum(1 for before, after in steps if after > before)
