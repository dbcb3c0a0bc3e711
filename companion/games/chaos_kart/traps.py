"""§13 Traps: where they may be laid, what sets them off, what then happens."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.chaos_kart.content import (
    On,
    Placement,
    PowerUp,
    Token,
    TrapTrigger,
    moves_pawns,
)
from companion.games.chaos_kart.defence import Defence
from companion.games.chaos_kart.happenings import TrapLaid, TrapRemoved, TrapSprung
from companion.games.chaos_kart.moving import Later, Movement
from companion.games.chaos_kart.state import Trap
from companion.games.chaos_kart.table import Source, Target
from companion.rules.phrases import N_
from companion.rules.prompts import Prompt, Refusal, refuse

_ON = {On.BEND: Token.BEND, On.POWER_UP: Token.POWER_UP, On.EVENT: Token.EVENT}


class Traps(Defence):
    """§13."""

    # -- §13.1 laying --------------------------------------------------------------------------

    def offer_trap_square(self, seat: str, card: str) -> Prompt[int]:
        """§13.1 The squares on which a trap may be laid."""
        place = self._place(card)
        return Prompt(
            "trap-square",
            seat,
            "13.1",
            range(self.state.squares),
            lambda square: self.why_not_trap(seat, square, place),
            {"card": card},
        )

    def why_not_trap(self, seat: str, square: int, place: Placement) -> Refusal | None:
        """§13.1 Why a trap may not be laid on a square: its own conditions, or the usual ones."""
        if square == 0:
            return refuse("13.1", N_("No trap on the start/finish."))
        if not place.occupied and self.occupant(square, besides="") is not None:
            return refuse("13.1", N_("A pawn stands there."), "A24")
        if not place.with_trap and any(trap.square == square for trap in self.kept_traps(seat)):
            return refuse("13.1", N_("Another trap lies there."), "A24")
        return self._why_not_condition(seat, square, place)

    def kept_traps(self, seat: str) -> list[Trap]:
        """§13.4 The traps that stay when a seat lays a new one."""
        return [trap for trap in self.state.traps if trap.owner != seat]

    def _why_not_condition(self, seat: str, square: int, place: Placement) -> Refusal | None:
        token = self.token(square)
        if place.on is On.NO_TOKEN and token:
            return refuse("13.1", N_("This card needs a square without a token."))
        if place.on in _ON and token != _ON[place.on]:
            return refuse("13.1", N_("This card needs another token on the square."))
        if place.ahead is not None and not 1 <= self._ahead(seat, square) <= place.ahead:
            return refuse("13.1", N_("At most {n} squares ahead of your pawn."), n=place.ahead)
        if place.passed and square not in self.state.passed:
            return refuse("13.1", N_("Only on a square you have just passed."))
        return None

    def _ahead(self, seat: str, square: int) -> int:
        here = self.kart(seat).square
        return square + 1 if here is None else self.ring.distance(here, square)

    def _place(self, card: str) -> Placement:
        trap = self.content.power_ups[card].trap
        return Placement() if trap is None else trap.place

    def why_no_square(self, seat: str, card: PowerUp) -> Refusal | None:
        """§13.1, ruling A30: a trap that has no legal square is not played at all."""
        if card.trap is None:
            return None
        place = card.trap.place
        squares = range(self.state.squares)
        if any(self.why_not_trap(seat, square, place) is None for square in squares):
            return None
        return refuse("13.1", N_("There is no square where this trap may be laid."), "A30")

    async def lay_trap(self, seat: str, card: str) -> None:
        """§13.1, 13.4 Lay a trap; an older one of the same player is discarded first."""
        square = await self.ask(self.offer_trap_square, seat, card)
        for old in [trap for trap in self.state.traps if trap.owner == seat]:
            self.remove_trap(old, "13.4")
        self.state.in_play.remove(card)
        text = self.content.power_ups[card].trap
        uses = text.uses if text is not None else 1
        self.state.traps.append(Trap(seat, card, square, uses))
        self.record(TrapLaid(rule="13.1", seat=seat, card=card, square=square))

    def remove_trap(self, trap: Trap, rule: str) -> None:
        """§13.3 Take a trap off the board onto the discard pile."""
        self.state.traps.remove(trap)
        self.record(TrapRemoved(rule=rule, seat=trap.owner, card=trap.card, square=trap.square))
        self.discard(trap.owner, trap.card, "board", rule)

    # -- §13.2 setting off ---------------------------------------------------------------------

    def triggered(self, movement: Movement) -> list[Trap]:
        """§13.2 The traps that a movement sets off, in the order of its path, oldest first.

        By ruling A28: *passes* is in between, *stops* the last square, *enters* both.
        """
        found: list[Trap] = []
        if movement.met and self.ruling("A26") == "first_trap":
            return found
        for square, stops in movement.visits():
            if movement.settled and not stops:
                continue
            found += [
                trap
                for trap in self.state.traps
                if trap.square == square
                and trap not in found
                and trap.owner not in movement.met
                and self.sets_off(trap, movement.seat, stops=stops)
            ]
        return found

    def sets_off(self, trap: Trap, seat: str, *, stops: bool) -> bool:
        text = self.content.power_ups[trap.card].trap
        if text is None or (trap.owner == seat and not text.hits_owner):
            return False
        if text.trigger is TrapTrigger.PASSES:
            return not stops
        return stops or text.trigger is not TrapTrigger.STOPS

    async def spring(self, trap: Trap, seat: str) -> tuple[list[Target], Source] | None:
        """§13.2, 13.3 A trap works on a pawn: defence, then what moves nobody.

        Gives the movements that are still to come (ruling A26), or None when it was cancelled;
        a cancelled trap is used up too (ruling A29).
        """
        text = self.content.power_ups[trap.card].trap
        if text is None or self.lying(trap) is None:
            return None
        source = Source(trap.card, seat, "13.2", trap.owner, answered=(seat,))
        sprung = self.record(
            TrapSprung(rule="13.2", seat=seat, owner=trap.owner, card=trap.card, square=trap.square)
        )
        with self.because(sprung):
            outcome = await self.defend(seat, text.effects, source, trap=True)
            self._use_up(trap)
            source = msgspec.structs.replace(source, spared=outcome.markers)
            if outcome.all:
                return None
            targets, source = await self.left_after_defences(text.effects, source)
            await self.do_all([t for t in targets if not moves_pawns(t[0])], source)
        return [target for target in targets if moves_pawns(target[0])], source

    def lying(self, trap: Trap) -> Trap | None:
        """The trap as it lies on the board now; None when it is gone."""
        for now in self.state.traps:
            if (now.owner, now.card, now.square) == (trap.owner, trap.card, trap.square):
                return now
        return None

    def _use_up(self, trap: Trap) -> None:
        """§13.3 Count one use; after the last the trap is discarded."""
        lying = self.lying(trap)
        if lying is not None:
            lying.uses -= 1
            if lying.uses <= 0:
                self.remove_trap(lying, "13.3")

    async def spring_some(self, traps: Sequence[Trap], movement: Movement, later: Later) -> bool:
        """§5.6(2) Traps in order, by a variant of A26 only the first; whether any worked.

        The movements they cause go to `later`.
        """
        if self.ruling("A26") == "first_trap":
            traps = traps[:1]
        worked = False
        for trap in traps:
            movement.met.append(trap.owner)
            sprung = await self.spring(trap, movement.seat)
            if sprung is not None:
                worked = True
                later.append(sprung)
        return worked
