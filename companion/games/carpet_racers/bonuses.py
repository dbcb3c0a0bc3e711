"""§6.2.1, 6.3 to 6.4, 10 What cards, spaces, castles and traps give, one method an effect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import ClassVar

from companion.games.carpet_racers import effects
from companion.games.carpet_racers.effects import Effect
from companion.games.carpet_racers.happenings import (
    Advanced,
    DrawForbidden,
    EffectForbidden,
    HandLimitRaised,
    Looked,
    NoBoost,
    NothingToLookAt,
    NotPeeked,
    Peeked,
    ProgressEnds,
    TrapBonusLost,
    TrapLaid,
    TrapTaken,
)
from companion.games.carpet_racers.movement import Movement
from companion.games.carpet_racers.state import Tags
from companion.games.carpet_racers.table import (
    CLUES,
    DOCK,
    STOP,
    STRETCH,
    TRAP,
    UNSEEN,
    no_trap,
    unseal,
)
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, SEEN, Choice, Prompt, Refusal, allow, impossible, refuse
from companion.rules.seals import is_seal

TAKE, LAY = "take", "lay-"
"""The choices of a trap bonus; the second is followed by the number of a space."""


class Bonuses(Movement):
    """§6.2.1, 6.3.1, 6.3.2, 10."""

    async def carry_out(self, seat: str, some: Sequence[Effect], rule: str) -> None:
        """§10 The effects of a card, space, castle or trap, one after the other."""
        for effect in some:
            await self.EFFECTS[type(effect)](self, seat, effect, rule)

    # -- §6.3.1 --------------------------------------------------------------------------------

    async def progress(self, seat: str, effect: effects.Progress, rule: str) -> None:
        """§6.3.1 One space up, and what is shown there; nothing at the end (ruling R14)."""
        racer = self.racer(seat)
        if racer.progress >= len(self.track.progress):
            self.record(ProgressEnds(rule="6.3.1", ruling="R14", seat=seat))
            return
        racer.progress += 1
        given = self.track.progress[racer.progress - 1]
        advanced = Advanced(rule="6.3.1", seat=seat, progress=racer.progress)
        with self.because(self.record(advanced)):
            await self.carry_out(seat, given, "6.3.1")

    async def hand_limit(self, seat: str, effect: effects.HandLimit, rule: str) -> None:
        """§6.6 A player may hold more cards; `limit` looks how far the progress token is."""
        self.record(HandLimitRaised(rule="6.6", seat=seat, cards=effect.cards))

    async def look_inside(self, seat: str, effect: effects.LookInside, rule: str) -> None:
        """§6.3.1 Look into another controller, a new one (ruling R13), and take its clue."""
        if not any(self.offer_controllers(seat).options()):
            self.record(NotPeeked(rule="6.3.1", seat=seat))
            return
        controller = await self.ask(self.offer_controllers, seat)
        ruling = None if self.holder(controller) else "R13"
        await self.peek(seat, controller, "6.3.1", ruling)

    def offer_controllers(self, seat: str) -> Prompt[str]:
        """§6.3.1 The controllers."""
        return Prompt(
            "controller",
            seat,
            "6.3.1",
            self.controller_ids,
            partial(self.why_not_controller, seat),
            cannot=lambda _controller: self.cannot_note(seat),
        )

    def why_not_controller(self, seat: str, controller: str) -> Refusal | None:
        """§3, 6.3.1, ruling R13: not the own controller, and none that is known already."""
        racer = self.racer(seat)
        if controller == racer.controller:
            return impossible("3", N_("Nobody looks into the own controller until the end."))
        if controller in racer.clues:
            return impossible(
                "6.3.1", N_("You have its clue: look there whenever you like."), "R13"
            )
        return None

    def cannot_note(self, seat: str) -> Refusal | None:
        """§6.3.1 A dock has room for three clues."""
        if len(self.racer(seat).clues) < CLUES:
            return None
        return impossible("6.3.1", N_("Three clues are the most."))

    async def peek(self, seat: str, controller: str, rule: str, ruling: str | None = None) -> None:
        """§4, 6.3.1 Look into a controller; a chip with a tag is shown to that player alone."""
        if self.state.controllers[controller].chip:
            await self.ask(self.offer_sight, seat, controller, rule)
        self.racer(seat).clues.append(controller)
        self.record(Peeked(rule=rule, ruling=ruling, seat=seat, controller=controller))

    def offer_sight(self, seat: str, controller: str, rule: str) -> Prompt[str]:
        """§4, 6.3.1 The chip that lies in a controller, for one player's eyes."""
        chip = self.state.controllers[controller].chip
        return Prompt(
            "sight",
            seat,
            rule,
            (SEEN,),
            args={"controller": controller},
            private=True,
            shows=(chip,) if chip else (),
        )

    # -- §6.3.2 --------------------------------------------------------------------------------

    async def boost(self, seat: str, effect: effects.Boost, rule: str) -> None:
        """§6.3.2 Take boosts, each of any colour that is left (ruling R19)."""
        for number in range(1, effect.count + 1):
            left = [car for car in self.car_ids if self.boosts_left(car) > 0]
            if not left:
                self.record(NoBoost(rule="6.3.2", ruling="R19", seat=seat))
                return
            car = left[0]
            if len(left) > 1:
                car = await self.ask(self.offer_boosts, seat, rule, number, effect.count)
            self.gain(seat, car, 1, rule)

    def offer_boosts(self, seat: str, rule: str, number: int, count: int) -> Prompt[str]:
        """§6.3.2 The colours of boosts; it is the one with a number out of so many."""
        args = {"n": number, "count": count}
        return Prompt("boost", seat, rule, self.car_ids, cannot=self.cannot_boost, args=args)

    def cannot_boost(self, car: str) -> Refusal | None:
        """Ruling R19 A colour that has run out."""
        if self.boosts_left(car) > 0:
            return None
        return impossible("6.3.2", N_("No boost of that colour is left. Choose another."), "R19")

    async def lose_boost(self, seat: str, effect: effects.LoseBoost, rule: str) -> None:
        """§10, ruling R27: discard boosts of one's own choice; without any, nothing."""
        for _ in range(effect.count):
            held = tuple(self.racer(seat).boosts)
            if not held:
                self.record(NoBoost(rule="10", seat=seat))
                return
            car = held[0] if len(held) == 1 else await self.ask(self.offer_own_boosts, seat)
            self.lose(seat, car, 1, "10", "R27")

    def offer_own_boosts(self, seat: str) -> Prompt[str]:
        """§10, ruling R27: the colours of the boosts that a player has."""
        held = self.racer(seat).boosts
        return Prompt("lose-boost", seat, "10", tuple(car for car in self.car_ids if car in held))

    # -- §6.2.1 --------------------------------------------------------------------------------

    async def take_or_lay(self, seat: str, effect: effects.TakeOrLay, rule: str) -> None:
        """§6.2.1 Take a trap or lay one, as often as the bonus says (rulings R8, R9, R24)."""
        for number in range(1, effect.count + 1):
            offer = self.offer_trap_bonus(seat, effect, number)
            if not any(choice != PASS for choice in offer.options()):
                full = len(self.controller(seat).dock) >= DOCK
                ruling = "R9" if full else "R24"
                self.record(TrapBonusLost(rule="6.2.1", ruling=ruling, seat=seat))
                return
            said = await self.ask(self.offer_trap_bonus, seat, effect, number)
            if said == PASS:
                return
            if said == TAKE:
                await self.take(seat)
            else:
                await self.lay_trap(seat, int(said.removeprefix(LAY)))

    def offer_trap_bonus(self, seat: str, effect: effects.TakeOrLay, number: int) -> Prompt[str]:
        """§6.2.1 Take a trap, or lay one where a car has stopped that moved in this turn.

        It may be left alone by ruling R8, or where a card says so. `number` counts them.
        """
        spaces = dict.fromkeys(self.state.cars[car] for car in self.state.moved)
        lays = tuple(f"{LAY}{space}" for space in spaces if self.track.holds_traps(space))
        forced = self.ruling("R8") == "forced" and not effect.optional
        return Prompt(
            "trap-bonus",
            seat,
            "6.2.1",
            (TAKE, *lays, PASS),
            _why_not_declined if forced else allow,
            cannot=partial(self.cannot_trap, seat),
            args={"n": number, "count": effect.count},
            skippable=not forced,
        )

    def cannot_trap(self, seat: str, choice: str) -> Refusal | None:
        """§6.2.1 Why a trap cannot be taken, or laid on a space."""
        if choice == PASS:
            return None
        dock = self.controller(seat).dock
        if choice == TAKE:
            if len(dock) >= DOCK:
                return impossible("6.2.1", N_("The dock is full: three traps."))
            return None if self.trap_is_left() else NO_TRAP
        if not dock:
            return impossible("6.2.1", N_("No trap lies on your dock."))
        if not self.has_room(int(choice.removeprefix(LAY))):
            return impossible("6.2.1", N_("Two traps lie there already."))
        return None

    def trap_is_left(self) -> bool:
        """Ruling R24 Whether there is a trap to take."""
        pile = self.state.decks[TRAP]
        return bool(pile.draw or pile.discard)

    async def take(self, seat: str) -> None:
        """§6.2.1 A trap from the supply comes to the dock; its player has looked at it."""
        token = await self.draw_trap(seat, "6.2.1", self.racer(seat).controller)
        if token is not None:
            dock = self.controller(seat).dock
            dock.append(token)
            self.record(TrapTaken(rule="6.2.1", seat=seat, held=len(dock)))

    async def lay_trap(self, seat: str, space: int) -> None:
        """§6.2.1 A trap goes from the dock to a space; which one, only tags can tell."""
        dock = self.controller(seat).dock
        token = dock[0]
        if self.tells_apart(dock):
            said = await self.ask(self.offer_dock, seat)
            dock = self.controller(seat).dock
            token = said if is_seal(said) else unseal(dock)
        dock.remove(token)
        self.put_trap(space, token)
        self.record(TrapLaid(rule="6.2.1", seat=seat, space=space))

    def tells_apart(self, tokens: Sequence[str]) -> bool:
        """Whether it matters which of some face-down traps is meant: they carry tags."""
        return self.state.tags is Tags.ALL and len(set(tokens)) > 1

    def offer_dock(self, seat: str) -> Prompt[str]:
        """§6.2.1 The tag of the trap that is laid."""
        return Prompt(
            "lay",
            seat,
            "6.2.1",
            (UNSEEN,),
            cannot=partial(self.cannot_lay, seat),
            otherwise=no_trap,
            seals=TRAP,
        )

    def cannot_lay(self, seat: str, said: str) -> Refusal | None:
        """§6.2.1 A trap that is laid comes from the own dock."""
        if is_seal(said) and said not in self.controller(seat).dock:
            return impossible("6.2.1", N_("That trap does not come from your dock."))
        return None

    # -- §6.3, 10 ------------------------------------------------------------------------------

    async def look(self, seat: str, effect: effects.Look, rule: str) -> None:
        """§6.3, ruling R23: look at a trap on the board; the companion notes only where."""
        if not self.state.traps:
            self.record(NothingToLookAt(rule="6.3", ruling="R23", seat=seat))
            return
        space = await self.ask(self.offer_looks, seat)
        if space != PASS:
            self.record(Looked(rule="6.3", ruling="R23", seat=seat, space=int(space)))

    def offer_looks(self, seat: str) -> Prompt[Choice]:
        """§6.3 The spaces with traps."""
        spaces: tuple[Choice, ...] = tuple(sorted(map(int, self.state.traps)))
        return Prompt("look", seat, "6.3", (*spaces, PASS), skippable=True, where=self.track.cells)

    async def stretch(self, seat: str, effect: effects.Stretch, rule: str) -> None:
        """§9 Take stretch tokens; there is no limit."""
        self.gain(seat, STRETCH, effect.count, rule)

    async def stop(self, seat: str, effect: effects.Stop, rule: str) -> None:
        """§6.3.2, 10 Take stops, counted without tokens when there are none (ruling R19)."""
        ruling = "R19" if self.stops_left() < effect.count else None
        self.gain(seat, STOP, effect.count, rule, ruling)

    def stops_left(self) -> int:
        """Ruling R19 How many stops are in the supply."""
        return self.content.file.stops - sum(racer.stops for racer in self.state.racers.values())

    async def no_card_effect(self, seat: str, effect: effects.NoCardEffect, rule: str) -> None:
        """§10 The card has no effect in this turn."""
        self.state.no_effect = True
        self.record(EffectForbidden(rule="10", seat=seat))

    async def forbid_draw(self, seat: str, effect: effects.NoDraw, rule: str) -> None:
        """§10 No new cards in this turn."""
        self.state.no_draw = True
        self.record(DrawForbidden(rule="10", seat=seat))

    EFFECTS: ClassVar[dict[type[Effect], Callable[..., Awaitable[None]]]] = {
        effects.Progress: progress,
        effects.Boost: boost,
        effects.TakeOrLay: take_or_lay,
        effects.Look: look,
        effects.HandLimit: hand_limit,
        effects.LookInside: look_inside,
        effects.Stretch: stretch,
        effects.Stop: stop,
        effects.LoseBoost: lose_boost,
        effects.NoCardEffect: no_card_effect,
        effects.NoDraw: forbid_draw,
    }


def _why_not_declined(choice: str) -> Refusal | None:
    """§6.2.1, ruling R8: the bonus must be used."""
    if choice == PASS:
        return refuse("6.2.1", N_("A trap is taken or laid if it can be."), "R8")
    return None


NO_TRAP = impossible("6.2", N_("No trap is left to take."), "R24")
