"""§20 What cards do: whom they concern, who may defend, and each effect in turn."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.chaos_kart.content import Token
from companion.games.chaos_kart.defence import HIT, Outcome
from companion.games.chaos_kart.effects import (
    Back,
    Bonus,
    Discard,
    Draw,
    Effect,
    Forward,
    GiveMarker,
    PlaceAt,
    RemoveMarker,
    Spot,
    Swap,
    UseSquare,
    Who,
)
from companion.games.chaos_kart.happenings import NoEffect
from companion.games.chaos_kart.movement import Movements
from companion.games.chaos_kart.moving import Movement, Way
from companion.games.chaos_kart.table import NO_CLAUSES, Source, Target
from companion.rules.phrases import N_
from companion.rules.prompts import Prompt, Refusal, elsewhere

_SPOTS = {
    Spot.NEXT_BEND: Token.BEND,
    Spot.NEXT_POWER_UP: Token.POWER_UP,
    Spot.NEXT_EVENT: Token.EVENT,
}


class CarryingOut(Movements):
    """§20."""

    async def carry_out(self, effects: Sequence[Effect], source: Source) -> None:
        """§16, 20 Find whom a card concerns, let them defend, then do its effects in order."""
        await self.do_all(*await self.left_after_defences(effects, source))

    async def left_after_defences(
        self, effects: Sequence[Effect], source: Source
    ) -> tuple[list[Target], Source]:
        """§16, 20.2 The effects with the seats they still concern; notes who used a defence."""
        targets = await self.find_targets(effects, source)
        outcomes = await self.answer_defences(targets, source)
        used = tuple(seat for seat, outcome in outcomes.items() if outcome.used)
        left = [
            (effect, [seat for seat in seats if not outcomes.get(seat, HIT).cancels(effect)])
            for effect, seats in targets
        ]
        return left, msgspec.structs.replace(source, used=(*source.used, *used))

    async def do_all(self, targets: Sequence[Target], source: Source) -> None:
        """§20 Each effect on each of its seats, in order."""
        for effect, seats in targets:
            for seat in seats:
                await self.do(effect, seat, source)

    # -- §20.2 whom ----------------------------------------------------------------------------

    async def find_targets(self, effects: Sequence[Effect], source: Source) -> list[Target]:
        """§20.2 The seats of each effect; one opponent is chosen once for the whole card."""
        chosen: dict[Who, list[str]] = {}
        targets: list[Target] = []
        for effect in effects:
            who = getattr(effect, "who", Who.SELF)
            if who not in chosen:
                chosen[who] = await self.whom(who, source)
                if not chosen[who]:
                    self.nothing(source.actor, source, "20.2", "A3")
            targets.append((effect, chosen[who]))
        return targets

    async def whom(self, who: Who, source: Source) -> list[str]:
        """§20.2 The seats that a card's words mean."""
        actor = source.actor
        match who:
            case Who.SELF:
                return [actor]
            case Who.OTHER:
                return [source.other] if source.other in self.state.seats else []
            case Who.ACTIVE:
                return [self.state.active]
            case Who.OPPONENT:
                return [await self.choose(actor, self.others(actor), "opponent")]
            case Who.OPPONENTS:
                return [seat for seat in self.from_active() if seat != actor]
            case Who.EVERYONE:
                return self.from_active()
            case Who.AHEAD | Who.BEHIND:
                ahead = who is Who.AHEAD
                near = self.nearest_ahead(actor) if ahead else self.nearest_behind(actor)
                return [] if near is None else [near]
            case _:
                return [await self.by_standing(who, actor)]

    async def by_standing(self, who: Who, actor: str) -> str:
        """§19 The leader or the last; of several outside the active player chooses one (A58)."""
        of_opponents = who in (Who.LEADING_OPPONENT, Who.LAST_OPPONENT)
        field = self.others(actor) if of_opponents else self.from_active()
        leading = who in (Who.LEADER, Who.LEADING_OPPONENT)
        best = self.leaders(field) if leading else self.stragglers(field)
        return await self.choose(self.state.active, best, "leader" if leading else "last")

    async def choose(self, seat: str, among: list[str], key: str) -> str:
        """One of several players, chosen by a seat; of one there is nothing to choose."""
        return among[0] if len(among) == 1 else await self.ask(self.offer_seats, seat, among, key)

    def offer_seats(self, seat: str, among: list[str], key: str) -> Prompt[str]:
        """§19, 20.2 A choice of one player."""
        rule = "20.2" if key == "opponent" else "19"
        return Prompt(
            key,
            seat,
            rule,
            self.state.seats,
            lambda choice: self._why_not_seat(choice, among, rule),
        )

    def _why_not_seat(self, choice: str, among: list[str], rule: str) -> Refusal | None:
        if choice in among:
            return None
        names = [self.state.names[seat] for seat in among]
        return elsewhere(rule, N_("Only one of these can be chosen: {names}."), names=names)

    # -- §16 defences --------------------------------------------------------------------------

    async def answer_defences(
        self, targets: Sequence[Target], source: Source
    ) -> dict[str, Outcome]:
        """§16 Each affected seat answers the card as a whole, in turn order (A48, A49)."""
        outcomes: dict[str, Outcome] = {}
        for seat in self.from_active():
            own = [effect for effect, seats in targets if seat in seats]
            if seat in source.answered:
                outcomes[seat] = Outcome(markers=source.spared, used=bool(source.spared))
            elif own:
                outcomes[seat] = await self.defend(seat, own, source)
                if outcomes[seat].reflected:
                    await self.turn_back(own, seat, source)
        return outcomes

    async def turn_back(self, effects: Sequence[Effect], seat: str, source: Source) -> None:
        """A reflecting card: what was meant for its player happens to the attacker."""
        back = [msgspec.structs.replace(e, who=Who.OTHER) for e in effects if hasattr(e, "who")]
        reflected = Source(
            source.card, seat, "14.2", source.actor, attack=True, answered=(*source.answered, seat)
        )
        await self.carry_out(back, reflected)

    # -- the effects ---------------------------------------------------------------------------

    async def do(self, effect: Effect, seat: str, source: Source) -> None:
        """§20 One effect on one seat."""
        match effect:
            case Forward() | Back():
                await self.move_by(effect, seat)
            case GiveMarker() | RemoveMarker():
                self.change_markers(effect, seat, source)
            case Draw():
                self.draw(seat, effect.deck, effect.count, source.rule)
            case Discard():
                await self.discard_chosen(seat, effect.count)
            case Swap():
                await self.swap(source.actor, seat, source)
            case PlaceAt():
                await self.place_at(seat, effect.to, source)
            case Bonus():
                self.state.bonus += effect.steps if seat == self.state.active else 0
            case UseSquare():
                self.use_power_up_token(seat)
                await self.use_event_token(seat)
            case _:
                self.nothing(seat, source, "14.2", None)

    async def move_by(self, effect: Forward | Back, seat: str) -> None:
        """§7.1, 7.3 A movement that a card other than a move card causes (ruling A14)."""
        steps = await self.steps_of(effect, seat)
        back = isinstance(effect, Back)
        await self.move(seat, steps, back=back, clauses=effect, rule="7.3" if back else "7.1")

    def change_markers(self, effect: GiveMarker | RemoveMarker, seat: str, source: Source) -> None:
        """§15 Get or lose markers; over the cap they are ignored and the rest goes on (A52)."""
        if isinstance(effect, GiveMarker):
            for _ in range(effect.count):
                self.gain(seat, effect.marker)
            return
        for _ in range(min(effect.count, self.count(seat, effect.marker))):
            self.lose(seat, effect.marker, source.rule)

    def nothing(self, seat: str, source: Source, rule: str, ruling: str | None) -> None:
        """Write down that a part of a card did nothing."""
        self.record(NoEffect(rule=rule, ruling=ruling, seat=seat, card=source.card))

    async def steps_of(self, effect: Forward | Back, seat: str) -> int:
        """§7.2 The number of squares; of a range the moving player chooses."""
        if isinstance(effect.steps, int):
            return effect.steps
        steps: int = await self.ask(self.offer_steps, seat, effect.steps)
        return steps

    def offer_steps(self, seat: str, steps: tuple[int, ...]) -> Prompt[int]:
        """§7.2 Any number in the range; one may not stop early (ruling A15)."""
        return Prompt("steps", seat, "7.2", range(steps[0], steps[1] + 1))

    async def discard_chosen(self, seat: str, count: int) -> None:
        """§17 Discard cards of one's own choice, as many as there are."""
        for _ in range(min(count, self.state.hands[seat].size())):
            card = await self.ask(self.offer_discard, seat, "17")
            self.discard_from_hand(seat, card, "17")

    def offer_discard(self, seat: str, rule: str) -> Prompt[str]:
        """§5.3, 5.8, 17 Any card of the hand."""
        return Prompt(
            "discard",
            seat,
            rule,
            self.content.hand_cards,
            lambda card: self.cannot_hold(seat, card),
            source="hand",
        )

    async def swap(self, seat: str, other: str, source: Source) -> None:
        """Ruling A10, A39, A65: two pawns change squares, each may be warded off by a guard."""
        mine, theirs = self.kart(seat).square, self.kart(other).square
        if seat == other or mine == theirs:
            self.nothing(seat, source, "20.2", None)
            return
        if mine is None or theirs is None:
            await self.swap_outside(seat, other, source)
            return
        for holder, intruder, square in ((other, seat, theirs), (seat, other, mine)):
            if holder not in source.used and await self.wards_off_swap(holder, intruder, square):
                return
        self.put_pawn(seat, theirs, "20.1", "A10")
        self.put_pawn(other, mine, "20.1", "A10")
        swapped = [
            Movement(pawn, Way.PLACED, start, [end], end, NO_CLAUSES, "20.1", self.kart(pawn).moves)
            for pawn, start, end in ((seat, mine, theirs), (other, theirs, mine))
        ]
        for movement in swapped:
            await self.settle(movement)

    async def wards_off_swap(self, holder: str, intruder: str, square: int) -> bool:
        """Ruling A39: the guard's owner stays, the other pawn goes one back from there."""
        if not await self.guards(holder, intruder, bump=False):
            return False
        start = self.kart(intruder).square
        end = self.one_back(intruder, holder, square, [start])
        if end is not None and end != start:
            if square != 0:  # only who is turned away at the start/finish has still to enter (A36)
                self.kart(intruder).entered = True
            await self.place(intruder, end, "15.5")
        return True

    async def swap_outside(self, seat: str, other: str, source: Source) -> None:
        """Ruling A65: a swap with a pawn outside does nothing, or sends the other one outside."""
        squares = [self.kart(seat).square, self.kart(other).square]
        if self.ruling("A65") == "no_effect" or squares == [None, None]:
            self.nothing(seat, source, "20.1", "A65")
            return
        inside, outside = (seat, other) if squares[1] is None else (other, seat)
        square = self.kart(inside).square
        if square is not None and not await self.wards_off_swap(inside, outside, square):
            self.put_pawn(inside, None, "20.1", "A65")
            self.kart(outside).entered = True
            await self.place(outside, square, "20.1")

    async def place_at(self, seat: str, to: Spot, source: Source) -> None:
        """Ruling A10: put a pawn on a named square."""
        here = self.kart(seat).square
        if here is None:
            self.nothing(seat, source, "20.1", "A65")
            return
        end = 0 if to is Spot.START_FINISH else self.next_token(here, _SPOTS[to])
        if end is None or end == here:
            self.nothing(seat, source, "20.1", None)
            return
        await self.place(seat, end, "20.1")

    def next_token(self, here: int, token: Token) -> int | None:
        """The next square forward with a token, this one not counted."""
        squares = (self.ring.forward(here, n) for n in range(1, self.state.squares))
        return next((square for square in squares if self.token(square) == token), None)
