"""§6.2 Traps that lie where cars have stopped."""

from __future__ import annotations

from functools import partial

from companion.games.carpet_racers.bonuses import Bonuses
from companion.games.carpet_racers.happenings import SpaceFull, TrapPlaced, TrapWorks
from companion.games.carpet_racers.state import Due, Phase
from companion.games.carpet_racers.table import TRAP, no_trap, unseal
from companion.rules.events import TurnedUp
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, impossible
from companion.rules.seals import is_seal


class Traps(Bonuses):
    """§6.2."""

    async def spring_trap(self, seat: str) -> None:
        """§6.2, ruling R6: one trap is turned over and works, whoever's car it was; then the next.

        It hits the active player alone.
        """
        if not self.waiting():
            self.begin_bonuses()
            return
        due = await self.choose_trap(seat)
        trap = await self.ask(self.offer_turned_over, seat, due.space, due.token)
        state = self.state
        state.due.remove(due)
        self.take_trap(due.space, due.token)
        state.in_play.append(trap)
        turned = self.record(TurnedUp(rule="6.2", deck=TRAP, card=trap))
        with self.because(turned):
            self.record(TrapWorks(rule="6.2", seat=seat, trap=trap))
            await self.carry_out(seat, self.content.traps[trap].effects, "6.2")
            self.discard_from_play(seat, trap, "6.2")

    def waiting(self) -> list[Due]:
        """§6.2 The traps that cars have stopped on and that still lie there."""
        state = self.state
        state.due = [due for due in state.due if due.token in self.traps_on(due.space)]
        return state.due

    async def choose_trap(self, seat: str) -> Due:
        """§6.2 Which trap is turned over first, where it makes a difference."""
        due = self.state.due
        spaces = {one.space for one in due}
        if len(spaces) == 1 and not self.tells_apart([one.token for one in due]):
            return due[0]
        said = await self.ask(self.offer_traps, seat)
        if isinstance(said, int):
            return self.trap_by_hand(said)
        return next(one for one in self.state.due if one.token == said)

    def trap_by_hand(self, space: int) -> Due:
        """§6.2 A trap on a space, of several there one that nobody can tell from the others."""
        due = [one for one in self.state.due if one.space == space]
        if len(due) > 1:
            unseal(self.traps_on(space))
            for one in due:
                one.token = one.token if one.token in self.traps_on(space) else ""
        return next((one for one in due if not one.token), due[0])

    def offer_traps(self, seat: str) -> Prompt[Choice]:
        """§6.2 The spaces whose traps work now; or the tag of one of these traps."""
        due = self.state.due
        spaces = tuple(dict.fromkeys(one.space for one in due))
        tokens = [one.token for one in due]
        seals = TRAP if self.tells_apart(tokens) else ""
        return Prompt(
            "trap",
            seat,
            "6.2",
            spaces,
            cannot=partial(self.cannot_spring, tokens),
            otherwise=no_trap,
            seals=seals,
            where=self.track.cells,
        )

    def cannot_spring(self, tokens: list[str], said: Choice) -> Refusal | None:
        """§6.2 Why a trap does not work now: no car has stopped on it."""
        if is_seal(said) and said not in tokens:
            return impossible("6.2", N_("No car of this turn has stopped on that trap."))
        return None

    def offer_turned_over(self, seat: str, space: int, token: str) -> Prompt[str]:
        """§6.2 What a trap shows that was turned over; one with a tag says it by itself."""
        return Prompt(
            "turned-over",
            seat,
            "6.2",
            self.trap_ids,
            cannot=self.cannot_turn_up,
            args={"space": space},
            source=f"deck/{TRAP}",
            chance=True,
            reveals=token,
        )

    def begin_bonuses(self) -> None:
        """§6.3, ruling R22: the spaces whose bonus is got, each once."""
        state = self.state
        spaces = dict.fromkeys(state.cars[car] for car in state.moved)
        state.bonuses = [
            space for space in spaces if isinstance(space, int) and self.track.bonuses[space]
        ]
        state.phase = Phase.BONUS

    # -- §2.8, 6.5 -----------------------------------------------------------------------------

    async def fill_space(self, seat: str, rule: str) -> None:
        """§2.8, 6.5 A trap from the supply on the next space, unless two lie there."""
        space = self.state.to_fill[0]
        token = None
        if self.has_room(space):
            token = await self.draw_trap(seat, rule, space)
        else:
            self.record(SpaceFull(rule=rule, space=space))
        del self.state.to_fill[0]
        if token is not None:
            self.put_trap(space, token)
            self.record(TrapPlaced(rule=rule, space=space))
