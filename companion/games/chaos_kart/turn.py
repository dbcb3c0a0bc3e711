"""§4 to 6 The set-up and the turn with its eight phases."""

from __future__ import annotations

from companion.games.chaos_kart.carrying_out import CarryingOut
from companion.games.chaos_kart.content import MOVE, POWER_UP, REPAIR, PowerUp
from companion.games.chaos_kart.happenings import Capped, PhaseBarred
from companion.games.chaos_kart.markers import DAMAGE_CAP, DAMAGED, MARKERS, SILENCED, STUNNED
from companion.games.chaos_kart.state import PHASES, Phase
from companion.games.chaos_kart.table import Source
from companion.rules.events import TurnBegan, TurnEnded
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Choice, Prompt, Refusal, elsewhere, refuse

FIRST_HAND = 3
"""§4(7) Move cards that each player starts with."""
HAND_LIMIT = 7
"""§17"""


class Turn(CarryingOut):
    """§4, 5, 6."""

    async def step(self) -> None:
        """§5 One phase of the turn, with all that follows from its decision."""
        match self.state.phase:
            case Phase.SETUP:
                self.set_up()
            case Phase.START:
                self.start_turn()
            case Phase.REPAIR:
                await self.repair_phase(self.state.active)
            case Phase.BEFORE:
                await self.action_before_move(self.state.active)
            case Phase.MOVE:
                await self.move_phase(self.state.active)
            case Phase.AFTER:
                await self.action_after_move(self.state.active)
            case Phase.END:
                await self.end_turn(self.state.active)

    def next_phase(self) -> None:
        """§5 Move the cursor on; done as soon as a phase's question is answered."""
        self.state.phase = PHASES[PHASES.index(self.state.phase) + 1]

    # -- §4 ------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """§4(7, 8) Everybody takes three move cards; the first player begins."""
        for seat in self.state.seats:
            self.draw(seat, MOVE, FIRST_HAND, "4")
        self.next_phase()

    # -- §5.1, 5.2 -----------------------------------------------------------------------------

    def start_turn(self) -> None:
        """§5.1, 5.2 Check the markers, then draw one move card, stunned or not."""
        state = self.state
        state.turn += 1
        state.active_played = state.barred = False
        state.bonus = state.events = 0
        state.passed = []
        began = self.record(TurnBegan(rule="5.1", seat=state.active, turn=state.turn))
        with self.because(began):
            MARKERS.turn_starts(self, state.active, self.kart(state.active).markers)
            self.draw(state.active, MOVE, 1, "5.2")
        self.next_phase()

    # -- §5.3 ----------------------------------------------------------------------------------

    async def repair_phase(self, seat: str) -> None:
        """§5.3, 15.2.2 Discard one card to lose one damaged marker; once a turn (ruling A51)."""
        may = self.is_damaged(seat) and self.state.hands[seat].size() > 0
        if not may or await self.ask(self.offer_repair, seat) == PASS:
            self.next_phase()
            return
        card = await self.ask(self.offer_discard, seat, "5.3")
        self.next_phase()
        self.discard_from_hand(seat, card, "5.3")
        self.lose(seat, DAMAGED, "15.2.2", "A51")

    def offer_repair(self, seat: str) -> Prompt[str]:
        """§5.3 Whether to repair."""
        return Prompt("repair", seat, "5.3", (REPAIR, PASS), skippable=True)

    # -- §5.4, 5.7 -----------------------------------------------------------------------------

    async def action_before_move(self, seat: str) -> None:
        """§5.4 At most one active power-up before moving."""
        card = PASS
        if self.could_play_active(seat):
            card = await self.ask(self.offer_active, seat)
        self.next_phase()
        if card != PASS:
            await self.play_active(seat, card)

    async def action_after_move(self, seat: str) -> None:
        """§5.7 An active power-up after moving, if none was played before; or end the turn."""
        card = await self.ask(self.offer_active, seat)
        self.next_phase()
        if card != PASS:
            await self.play_active(seat, card)

    def could_play_active(self, seat: str) -> bool:
        """§5.4, 15.6 Whether it is worth asking for an active power-up."""
        return (
            self.state.hands[seat].counts.get(POWER_UP, 0) > 0
            and not self.state.active_played
            and not self.count(seat, SILENCED)
        )

    def offer_active(self, seat: str) -> Prompt[str]:
        """§5.4, 5.7 The active power-ups that may be played now."""
        before = self.state.phase is Phase.BEFORE
        return Prompt(
            "before-move" if before else "after-move",
            seat,
            "5.4" if before else "5.7",
            self.content.turn_choices,
            lambda card: self.why_not_active(seat, card),
            source="hand",
            skippable=True,
            ends_turn=not before,
        )

    def why_not_active(self, seat: str, choice: str) -> Refusal | None:
        """§5.4, 5.7, 6, 15.6 Why a card cannot be played as the turn's active power-up."""
        if choice == PASS:
            return None
        card = self.content.power_ups.get(choice)
        if card is None:
            return self.why_not_now(choice)
        if card.passive:
            return elsewhere("14.2", N_("The trigger of this passive card is not met."))
        return (
            self.cannot_hold(seat, choice)
            or self.why_barred(seat)
            or self.why_no_square(seat, card)
        )

    def why_barred(self, seat: str) -> Refusal | None:
        """§6, 15.6 Why no active power-up may be played at all."""
        if self.count(seat, SILENCED):
            return refuse("15.6", N_("Silenced: no active power-up this turn."))
        if self.state.active_played:
            return refuse("5.7", N_("One active power-up a turn, and it has been played."))
        return None

    def why_not_now(self, choice: str) -> Refusal:
        """§5, 6 What belongs to another phase of the turn, or to no hand."""
        if choice in self.content.events:
            return elsewhere("6", N_("Event cards are never played from a hand."))
        if choice == REPAIR:
            return elsewhere("5.3", N_("Repair once a turn, after drawing and before acting."))
        if self.state.phase is Phase.AFTER:
            return elsewhere("6", N_("One move card a turn, and the move phase is over."))
        return elsewhere("5.4", N_("Only an active power-up can be played now."))

    async def play_active(self, seat: str, card: str) -> None:
        """§14.1 Play an active power-up; cancelled or not, it is the turn's one (ruling A62)."""
        self.state.active_played = True
        text = self.content.power_ups[card]
        with self.because(self.play(seat, card, "14.1")):
            if text.trap is not None:
                await self.lay_trap(seat, card)
            else:
                source = Source(card, seat, "14.1", attack=text.attack)
                await self.carry_out(text.effects, source)

    # -- §5.5 ----------------------------------------------------------------------------------

    async def move_phase(self, seat: str) -> None:
        """§5.5 At most one move card; stunned, none (§15.3)."""
        if self.stun_acts(seat) and not self.state.barred:
            self.state.barred = True
            self.record(PhaseBarred(rule="15.3", ruling="A42", seat=seat))
            return
        choice = await self.ask(self.offer_move_cards, seat)
        if choice == PASS:
            self.next_phase()
            return
        if choice in self.content.power_ups:  # the table has forced one; the move is still to come
            await self.play_active(seat, choice)
            return
        card = self.content.moves[choice]
        steps = card.steps
        if not isinstance(steps, int):
            steps = await self.ask(self.offer_steps, seat, steps)
        self.next_phase()
        with self.because(self.play(seat, choice, "5.5")):
            steps = self.capped(seat, steps + self.state.bonus)
            rule = "7.3" if card.back else "7.1"
            await self.move(seat, steps, back=card.back, clauses=card, rule=rule)

    def offer_move_cards(self, seat: str) -> Prompt[str]:
        """§5.5 The move cards that may be played, or none."""
        return Prompt(
            "move",
            seat,
            "5.5",
            self.content.turn_choices,
            lambda card: self.why_not_move_card(seat, card),
            source="hand",
            skippable=self.state.barred,
        )

    def why_not_move_card(self, seat: str, choice: str) -> Refusal | None:
        """§5.5, 15.3 Why a card cannot be played in the move phase."""
        if choice == PASS:
            return None
        if choice == REPAIR or choice in self.content.events:
            return self.why_not_now(choice)
        card = self.content.power_ups.get(choice)
        if card is not None:
            return self._why_no_power_up(seat, card)
        stunned = self.stun_acts(seat)
        return self.cannot_hold(seat, choice) or (
            refuse("15.3", N_("Stunned: no move card this turn."), "A42") if stunned else None
        )

    def _why_no_power_up(self, seat: str, card: PowerUp) -> Refusal:
        if card.passive:
            return elsewhere("14.2", N_("The trigger of this passive card is not met."))
        later = elsewhere(
            "5.5", N_("Only a move card can be played now; power-ups before or after.")
        )
        return self.cannot_hold(seat, card.id) or self.why_barred(seat) or later

    def capped(self, seat: str, steps: int) -> int:
        """§15.2 Damage caps what a move card moves, last of all (rulings A13, A14)."""
        if not self.is_damaged(seat) or steps <= DAMAGE_CAP:
            return steps
        self.record(Capped(rule="15.2", ruling="A14", seat=seat, printed=steps, steps=DAMAGE_CAP))
        return DAMAGE_CAP

    # -- §5.8 ----------------------------------------------------------------------------------

    async def end_turn(self, seat: str) -> None:
        """§5.8 Used cards to the discards, hand down to seven, markers that end, next player."""
        if self.state.in_play:
            self.discard_used(seat)
            return
        if self.state.hands[seat].size() > HAND_LIMIT:
            card = await self.ask(self.offer_discard, seat, "5.8")
            self.discard_from_hand(seat, card, "5.8")
            return
        self.end_markers(seat)
        self.record(TurnEnded(rule="5.8", seat=seat))
        self.state.active = self.others(seat)[0]
        self.state.phase = Phase.START

    def discard_used(self, seat: str) -> None:
        """§5.8(1) The cards used this turn go to the discards of their decks (ruling A54)."""
        for card in list(self.state.in_play):
            self.discard_from_play(seat, card, "5.8")

    def end_markers(self, seat: str) -> None:
        """§5.8(3), 15.3, 15.6.1 Stunned goes once it has barred a move phase; silenced goes."""
        if self.state.barred and self.count(seat, STUNNED):
            self.lose(seat, STUNNED, "5.8", "A43")
        MARKERS.turn_ends(self, seat, self.kart(seat).markers)

    # -- §14.1 ---------------------------------------------------------------------------------

    def out_of_turn(self, seat: str, choice: Choice) -> Refusal | None:
        """§5.5, 14.1, 14.2 Why a seat cannot lay a card while another one is asked."""
        if seat not in self.state.seats:
            return None
        if choice in self.content.moves:
            return elsewhere("5.5", N_("A move card can only be played in your own move phase."))
        if choice == REPAIR:
            return elsewhere("5.3", N_("Damage is repaired in one's own turn only."))
        card = self.content.power_ups.get(str(choice))
        if card is None:
            return None
        if card.passive:
            return elsewhere("14.2", N_("The trigger of this passive card is not met."))
        return elsewhere("14.1", N_("An active power-up can only be played in your own turn."))
