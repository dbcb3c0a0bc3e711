"""§5, 6, 9.1 The turn: a card, its steps, and the catapult between them."""

from __future__ import annotations

from functools import partial

from companion.games.carpet_racers.board import CASTLE, castle
from companion.games.carpet_racers.content import DECK
from companion.games.carpet_racers.finish import Finish
from companion.games.carpet_racers.happenings import (
    BonusGot,
    DrawForbidden,
    EffectForbidden,
    Landed,
    Launched,
    NoCard,
)
from companion.games.carpet_racers.state import Phase
from companion.games.carpet_racers.table import STRETCH
from companion.rules.events import TurnBegan, TurnEnded
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Choice, Prompt, Refusal, elsewhere


class Turn(Finish):
    """§5, 6, 9.1."""

    async def step(self) -> None:
        """§6 One step of the turn, or of what comes before and after all turns."""
        state = self.state
        match state.phase:
            case Phase.SET_UP:
                await self.set_up()
            case Phase.START:
                await self.start_turn()
            case Phase.REVEAL:
                await self.reveal_chip()
            case Phase.FINAL:
                await self.final_move()
            case _:
                await self.turn_step(state.active)

    async def turn_step(self, seat: str) -> None:
        """§6 The card and the steps 1 to 6."""
        match self.state.phase:
            case Phase.CARD:
                await self.play_a_card(seat)
            case Phase.MOVE if not self.state.legs:
                await self.split_movement(seat)
            case Phase.MOVE:
                await self.drive_leg(seat)
            case Phase.TRAPS:
                await self.spring_trap(seat)
            case Phase.BONUS:
                await self.track_bonus(seat)
            case Phase.CATAPULT:
                await self.catapult(seat)
            case Phase.EFFECT:
                await self.card_effect(seat)
            case Phase.TYRES:
                await self.tyres(seat)
            case Phase.NEW_CARDS:
                await self.new_cards(seat)

    # -- §5, 6 ---------------------------------------------------------------------------------

    async def start_turn(self) -> None:
        """§5 A turn begins; who has joined since has the first clue before it."""
        state = self.state
        if state.to_look:
            await self.first_clue()
            return
        state.turn += 1
        state.phase = Phase.CARD
        self.record(TurnBegan(rule="5", seat=state.active, turn=state.turn))

    async def play_a_card(self, seat: str) -> None:
        """§6 Exactly one card; who has none goes on to step 6."""
        if not self.state.hands[seat].size():
            self.record(NoCard(rule="6", seat=seat))
            self.state.phase = Phase.NEW_CARDS
            return
        card = await self.ask(self.offer_cards, seat)
        self.play(seat, card, "6")
        self.state.phase = Phase.MOVE

    def offer_cards(self, seat: str) -> Prompt[str]:
        """§6 The cards that the player could hold."""
        cannot = partial(self.cannot_hold, seat)
        return Prompt("card", seat, "6", self.card_ids, cannot=cannot, source="hand")

    # -- §6.3 ----------------------------------------------------------------------------------

    async def track_bonus(self, seat: str) -> None:
        """§6.3 The bonus of a space where a car has stopped; of two in any order (ruling R22)."""
        state = self.state
        if not state.bonuses:
            state.phase = Phase.CATAPULT
            return
        space = state.bonuses[0]
        if len(state.bonuses) > 1:
            space = await self.ask(self.offer_bonuses, seat)
        self.state.bonuses.remove(space)
        got = BonusGot(rule="6.3", ruling=self.both_stop(), seat=seat, space=space)
        with self.because(self.record(got)):
            await self.carry_out(seat, self.track.bonuses[space], "6.3")

    def both_stop(self) -> str | None:
        """Ruling R22 decides where two cars have stopped on spaces with a bonus."""
        given = [car for car in self.state.moved if self.track.bonuses[self.state.cars[car]]]
        return "R22" if len(given) > 1 else None

    def offer_bonuses(self, seat: str) -> Prompt[int]:
        """§6.3, ruling R22: which bonus is first."""
        return Prompt("bonus", seat, "6.3", tuple(self.state.bonuses), where=self.track.cells)

    # -- §9.1 ----------------------------------------------------------------------------------

    async def catapult(self, seat: str) -> None:
        """§9.1 Step 3.5: a car that has stopped on a catapult flies to a sandcastle."""
        waiting = [car for car in self.state.moved if self.stops_car(self.state.cars[car])]
        if not waiting:
            self.state.phase = Phase.EFFECT
            return
        car = waiting[0] if len(waiting) == 1 else await self.ask(self.offer_launch, seat)
        pips = await self.ask(self.offer_die, seat, car)
        with self.because(self.record(Launched(rule="9.1", car=car, pips=pips))):
            await self.fly(seat, car, pips)

    async def fly(self, seat: str, car: str, pips: int) -> None:
        """§9.1 To the castle that the die shows, or further by stretch tokens; then its bonus."""
        number = pips
        if pips < len(self.track.castles) and self.racer(seat).stretch:
            said = await self.ask(self.offer_stretch, seat, car, pips)
            number = pips if said == PASS else int(said.removeprefix(CASTLE))
        if number > pips:
            self.lose(seat, STRETCH, number - pips, "9.1")
        self.land(car, castle(number))
        await self.carry_out(seat, self.track.bonuses[castle(number)], "9.1")

    def offer_launch(self, seat: str) -> Prompt[str]:
        """§9.1 Which of two cars flies first."""
        cars = tuple(car for car in self.state.moved if self.stops_car(self.state.cars[car]))
        return Prompt("launch", seat, "9.1", cars)

    def offer_die(self, seat: str, car: str) -> Prompt[int]:
        """§9.1 What the catapult die shows."""
        faces = tuple(sorted(set(self.track.die)))
        return Prompt("die", seat, "9.1", faces, args={"car": car}, chance=True)

    def offer_stretch(self, seat: str, car: str, pips: int) -> Prompt[str]:
        """§9.1 How much further the car flies, one castle for each stretch token."""
        last = min(len(self.track.castles), pips + self.racer(seat).stretch)
        further = tuple(castle(number) for number in range(pips + 1, last + 1))
        args = {"car": car, "n": pips}
        return Prompt(
            "stretch",
            seat,
            "9.1",
            (*further, PASS),
            args=args,
            skippable=True,
            where=self.track.cells,
        )

    def land(self, car: str, place: str) -> None:
        """§9.1, ruling R5: a car flies to a castle, however many are there already."""
        self.state.cars[car] = place
        self.state.driven[car] += 1
        self.record(Landed(rule="9.1", car=car, castle=place))

    # -- §6.4 ----------------------------------------------------------------------------------

    async def card_effect(self, seat: str) -> None:
        """§6.4 One effect of the card after the other, unless a trap has forbidden them."""
        state = self.state
        some = self.played.effects
        if state.no_effect:
            self.record(EffectForbidden(rule="6.4", ruling="R10", seat=seat))
        if state.no_effect or state.effects >= len(some):
            self.begin_tyres()
            return
        state.effects += 1
        await self.carry_out(seat, some[state.effects - 1 : state.effects], "6.4")

    # -- §6.5 ----------------------------------------------------------------------------------

    def begin_tyres(self) -> None:
        """§6.5, ruling R10: the spaces that get a trap."""
        tyre = self.played.tyre
        self.state.to_fill = list(self.track.tyres[tyre]) if tyre is not None else []
        self.state.phase = Phase.TYRES

    async def tyres(self, seat: str) -> None:
        """§6.5 Each space with tyres of the card's colour gets a trap."""
        state = self.state
        if state.to_fill:
            await self.fill_space(seat, "6.5")
        else:
            state.phase = Phase.NEW_CARDS

    # -- §6.6 ----------------------------------------------------------------------------------

    async def new_cards(self, seat: str) -> None:
        """§6.6 Discard the card and one more if wanted, draw up to the limit, end the turn."""
        extra = PASS
        if self.state.hands[seat].size():
            extra = await self.ask(self.offer_discards, seat)
        self.clear_play()
        if extra != PASS:
            self.discard_from_hand(seat, extra, "6.6")
        self.draw_up(seat)
        self.end_turn(seat)

    def offer_discards(self, seat: str) -> Prompt[str]:
        """§6.6 One more card, or none."""
        return Prompt(
            "discard",
            seat,
            "6.6",
            (*self.card_ids, PASS),
            cannot=partial(self.cannot_discard, seat),
            source="hand",
            skippable=True,
            ends_turn=True,
        )

    def cannot_discard(self, seat: str, choice: str) -> Refusal | None:
        """§6.6 Why a player cannot hold a card."""
        return None if choice == PASS else self.cannot_hold(seat, choice)

    def draw_up(self, seat: str) -> None:
        """§6.6, ruling R11: up to the limit; where a trap forbids it, one into an empty hand."""
        held = self.state.hands[seat].size()
        count = self.limit(seat) - held
        ruling = None
        if self.state.no_draw:
            count, ruling = int(not held), "R11"
            self.record(DrawForbidden(rule="6.6", ruling=ruling, seat=seat))
        if count > 0:
            self.draw(seat, DECK, count, "6.6", ruling)

    def end_turn(self, seat: str) -> None:
        """§5, 8 The turn is over, and with it the race if a marker is in the last column."""
        self.forget_turn()
        self.record(TurnEnded(rule="5", seat=seat))
        if self.finished():
            self.end_race()
            return
        self.state.active = self.next_seat(seat)
        self.state.phase = Phase.START

    # -- out of turn ---------------------------------------------------------------------------

    def out_of_turn(self, seat: str, choice: Choice) -> Refusal | None:
        """§5 Turns go clockwise."""
        if seat in self.state.racers and choice in self.content.cards:
            return elsewhere("5", N_("You play a card in your own turn."))
        return None
