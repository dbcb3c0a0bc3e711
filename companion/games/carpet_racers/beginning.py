"""§2, 3, 4 Traps, first cards, chips, and the first clue."""

from __future__ import annotations

from companion.games.carpet_racers.content import DECK
from companion.games.carpet_racers.happenings import ChipInserted, DockFilled, NotPeeked
from companion.games.carpet_racers.state import Phase
from companion.games.carpet_racers.table import CHIP, DOCK, HAND, UNSEEN
from companion.games.carpet_racers.traps import Traps
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, elsewhere, impossible
from companion.rules.seals import is_seal


class Beginning(Traps):
    """§2, 3, 4."""

    async def set_up(self) -> None:
        """§2, 3 Traps on the track and the docks, chips into the controllers, cards to all."""
        state = self.state
        if state.to_fill:
            await self.fill_space(state.active, "2.8")
        elif state.to_dock:
            await self.fill_dock(state.active)
        elif state.to_insert:
            await self.insert_chip()
        else:
            self.deal()

    async def fill_dock(self, seat: str) -> None:
        """§2.9, ruling R25: a trap from the supply on the next dock, automatic ones included."""
        controller = self.state.to_dock[0]
        token = None
        if len(self.state.controllers[controller].dock) < DOCK:
            token = await self.draw_trap(self.holder(controller) or seat, "2.9", controller)
        del self.state.to_dock[0]
        if token is not None:
            self.state.controllers[controller].dock.append(token)
            self.record(DockFilled(rule="2.9", ruling="R25", controller=controller))

    def deal(self) -> None:
        """§2.6 Three cards for each player."""
        state = self.state
        for seat in state.seats:
            self.draw(seat, DECK, HAND, "2.6")
        state.to_look = list(state.seats)
        state.phase = Phase.START

    # -- §3 ------------------------------------------------------------------------------------

    async def insert_chip(self) -> None:
        """§3 A chip with a tag comes face down into a controller, whoever holds it."""
        controller = self.state.to_insert[0]
        seat = self.holder(controller) or self.state.active
        chip = await self.ask(self.offer_chip, seat, controller)
        del self.state.to_insert[0]
        if chip != UNSEEN:
            self.state.controllers[controller].chip = chip
            self.record(ChipInserted(rule="3", controller=controller))

    def offer_chip(self, seat: str, controller: str) -> Prompt[str]:
        """§3 The tag of the chip, face down."""
        return Prompt(
            "chip",
            seat,
            "3",
            (UNSEEN,),
            cannot=self.cannot_insert,
            args={"controller": controller},
            otherwise=no_chip,
            seals=CHIP,
        )

    def cannot_insert(self, chip: str) -> Refusal | None:
        """§3 A chip lies in one controller only."""
        if is_seal(chip) and any(one.chip == chip for one in self.state.controllers.values()):
            return impossible("3", N_("That chip lies in another controller already."))
        return None

    # -- §4 ------------------------------------------------------------------------------------

    async def first_clue(self) -> None:
        """§4 The next player looks into the controller of the player to the right."""
        seat = self.state.to_look[0]
        right = self.to_the_right(seat)
        if right:
            skipped = "R12" if self.beside_automatic(seat) else None
            await self.peek(seat, self.racer(right).controller, "4", skipped)
        else:
            self.record(NotPeeked(rule="4", ruling="R12", seat=seat))
        self.state.to_look.remove(seat)

    def to_the_right(self, seat: str) -> str:
        """§4, ruling R12: the player to the right; "" where there is nobody to look at.

        An automatic racer may bar it, or a clue that the table has corrected already.
        """
        if self.beside_automatic(seat) and self.ruling("R12") == "no_look":
            return ""
        right = self.state.seats[self.state.seats.index(seat) - 1]
        refusal = self.why_not_controller(seat, self.racer(right).controller)
        return "" if refusal or self.cannot_note(seat) else right

    def beside_automatic(self, seat: str) -> bool:
        """§4 Whether an automatic racer is on the right.

        They lie beside the board between the last player and the first.
        """
        return bool(self.automatic) and seat == self.state.seats[0]


def no_chip(choice: Choice) -> Refusal | None:
    """§3 Why another sealed thing is no answer where a chip is asked for."""
    return elsewhere("3", N_("That is no chip.")) if is_seal(choice) else None
