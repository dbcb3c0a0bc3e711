"""§3, 4, 7 Who begins, the turn with its steps a to d, and the end by a limit."""

from __future__ import annotations

from functools import partial

from companion.games.tapak_arwah.content import Until
from companion.games.tapak_arwah.effects import Dice
from companion.games.tapak_arwah.happenings import (
    GoesFirst,
    RollChanged,
    RolledATie,
    RolledForFirst,
    TurnSkipped,
)
from companion.games.tapak_arwah.markers import EXTRA_TURN, MARKERS, SKIP
from companion.games.tapak_arwah.squares import Squares
from companion.games.tapak_arwah.state import Phase
from companion.rules.events import TurnBegan, TurnEnded
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Choice, Prompt, Refusal, elsewhere


class Turn(Squares):
    """§3, 4, 7."""

    async def step(self) -> None:
        """§4 One step of the turn, with all that follows from it."""
        match self.state.phase:
            case Phase.FIRST:
                await self.decide_who_begins()
            case Phase.START:
                self.start_turn()
            case Phase.ROLL:
                await self.roll_and_move(self.state.active)
            case Phase.CARD:
                await self.use_a_card(self.state.active)
            case Phase.END:
                self.end_turn(self.state.active)

    # -- §2, 3 ---------------------------------------------------------------------------------

    async def decide_who_begins(self) -> None:
        """§3 Both roll; the higher roll has the first turn, a tie is rolled again.

        The step is over only after the attack of ruling T3: a correction in its midst keeps it.
        """
        first = self.state.first or await self.roll_for_first()
        if not first:
            return
        self.state.first = self.state.active = first
        self.record(GoesFirst(rule="3", seat=first))
        if self.ruling("T3") == "attack" and self.together():
            await self.contact(first)
        self.state.phase = Phase.START

    async def roll_for_first(self) -> str:
        """§3 Each player's roll; gives who has the higher one, "" for a tie."""
        rolls: dict[str, int] = {}
        for seat in tuple(self.state.seats):
            rolls[seat] = await self.ask(self.offer_first_roll, seat)
        for seat, pips in rolls.items():
            self.record(RolledForFirst(rule="3", seat=seat, pips=pips))
        best = max(rolls.values())
        winners = [seat for seat, pips in rolls.items() if pips == best]
        if len(winners) > 1:
            self.record(RolledATie(rule="3"))
            return ""
        return winners[0]

    def offer_first_roll(self, seat: str) -> Prompt[int]:
        """§3 What the die shows."""
        return Prompt("first", seat, "3", range(1, self.sides + 1), chance=True)

    # -- §4 ------------------------------------------------------------------------------------

    def start_turn(self) -> None:
        """§4, 5.6 A turn begins, and is over at once where it is to be skipped (ruling T13)."""
        state = self.state
        seat = state.active
        state.turn += 1
        state.phase = Phase.ROLL
        with self.because(self.record(TurnBegan(rule="4", seat=seat, turn=state.turn))):
            MARKERS.turn_starts(self, seat, self.pawn(seat).markers)
            for lying in self.pawn(seat).before:
                lying.starts += 1
            if self.count(seat, SKIP):
                state.phase = Phase.END
                self.record(TurnSkipped(rule="5.6", ruling="T13", seat=seat))
                self.lose(seat, SKIP, "5.6")

    # -- §4.a, 4.b, 4.c ------------------------------------------------------------------------

    async def roll_and_move(self, seat: str) -> None:
        """§4.a, 4.b, 4.c Roll once (ruling T21), move as far, let the square work."""
        pips = await self.ask(self.offer_roll, seat)
        self.state.phase = Phase.CARD
        await self.move(seat, self.steps_of(seat, int(pips)), "4.b", None)

    def offer_roll(self, seat: str) -> Prompt[Choice]:
        """§4.a What the die shows; cards come after it."""
        return Prompt(
            "roll",
            seat,
            "4.a",
            self.with_cards(seat, range(1, self.sides + 1)),
            partial(self.why_card_waits, seat),
            chance=True,
        )

    def change_of_roll(self, seat: str) -> int:
        """§5.5.1 By how much squares and cards change the next movement roll."""
        return self.pawn(seat).dice + sum(one.change for one in self.standing(seat, Dice))

    def steps_of(self, seat: str, pips: int) -> int:
        """§4.a, 5.5.1 The steps of a roll, 1 at the least; what waited for it is used up (T2)."""
        change = self.change_of_roll(seat)
        steps = max(1, pips + change)
        if change:
            self.record(RollChanged(rule="4.a", ruling="T2", seat=seat, pips=pips, result=steps))
        self.pawn(seat).dice = 0
        for lying in self.lies_until(seat, Until.ROLL):
            self.take_away(seat, lying, "4.d")
        return steps

    # -- §4.d ----------------------------------------------------------------------------------

    async def use_a_card(self, seat: str) -> None:
        """§4.d One buff, or none. Nobody is asked who can have none to use."""
        card = PASS
        if self.could_use_a_card(seat):
            card = await self.ask(self.offer_buffs, seat)
        self.state.phase = Phase.END
        if card != PASS:
            with self.because(self.play(seat, card, "4.d")):
                await self.work(card, seat)

    def could_use_a_card(self, seat: str) -> bool:
        """§4.d, 5.4 Whether by what everybody sees a player could hold a buff to use."""
        return self.why_no_buff(seat) is None and any(
            self.may_hold(seat, card) and self.why_not_buff(card) is None
            for card in self.content.buffs[self.role(seat)]
        )

    def offer_buffs(self, seat: str) -> Prompt[str]:
        """§4.d The buffs that may be used now, or none."""
        return Prompt(
            "card",
            seat,
            "4.d",
            self.content.turn_choices[self.role(seat)],
            self.why_not_buff,
            cannot=partial(self.cannot_lay, seat),
            source="hand",
            skippable=True,
            ends_turn=self.next_to_play(seat) != seat,
        )

    def why_not_buff(self, choice: str) -> Refusal | None:
        """§4.d, ruling T12 A card that waits for an attack is no card of step d."""
        if choice != PASS and self.content.cards[choice].trigger is not None:
            return elsewhere("6", N_("This card waits for an attack."), "T12")
        return None

    def next_to_play(self, seat: str) -> str:
        """§4, 5.5.4, 5.6 Who will be asked next once a seat's turn is over."""
        other = self.other(seat)
        if self.count(seat, EXTRA_TURN):
            return seat
        skips_alone = self.count(other, SKIP) and not self.count(seat, SKIP)
        return seat if skips_alone else other

    # -- §4, 7 ---------------------------------------------------------------------------------

    def end_turn(self, seat: str) -> None:
        """§4, 5.5.4 What ends with the turn; then the other's turn, or another one of the same."""
        self.end_lasting(seat)
        MARKERS.turn_ends(self, seat, self.pawn(seat).markers)
        self.record(TurnEnded(rule="4", seat=seat))
        self.state.phase = Phase.START
        if self.count(seat, EXTRA_TURN):
            self.lose(seat, EXTRA_TURN, "5.5.4", "T14")
            return
        self.state.active = self.other(seat)
        if self.state.active == self.state.first:
            self.end_round()

    def end_lasting(self, seat: str) -> None:
        """Ruling T10 Cards before a player that have lain there for all of their turns."""
        cards = self.content.cards
        for lying in list(self.pawn(seat).before):
            lasts = cards[lying.card].lasts
            if isinstance(lasts, int) and lying.starts >= lasts:
                self.take_away(seat, lying, "4.d")

    def end_round(self) -> None:
        """§7, ruling T22 At the limit of rounds more lives win; as many are a draw."""
        state = self.state
        if state.limit and state.round >= state.limit:
            best = max(pawn.lives for pawn in state.pawns.values())
            winners = tuple(seat for seat in state.seats if self.pawn(seat).lives == best)
            self.end(winners, "7", "limit" if len(winners) == 1 else "draw", "T22")
        state.round += 1

    # -- out of turn ---------------------------------------------------------------------------

    def out_of_turn(self, seat: str, choice: Choice) -> Refusal | None:
        """§4.d, 5.4 Why a seat cannot use a card while the other one is asked."""
        return self.why_card_waits(seat, choice) if seat in self.state.pawns else None
