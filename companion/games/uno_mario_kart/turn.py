"""§7, 8, 10 A turn, the action cards, and the challenge of a Wild Draw Four."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar

from companion.games.uno_mario_kart.content import DRAW, STOCK, Action
from companion.games.uno_mario_kart.happenings import Challenged, ChallengeDecided
from companion.games.uno_mario_kart.items import Items
from companion.games.uno_mario_kart.rounds import Rounds
from companion.games.uno_mario_kart.state import Phase
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Choice, Prompt, Refusal, elsewhere

CHALLENGE, YES, NO = "challenge", "yes", "no"


class Turns(Items):
    """§7, 8, 10."""

    def step(self) -> Coroutine[Any, Any, None]:
        """One decision with all that follows from it."""
        return self.STEPS[self.state.phase](self)

    # -- §7 ------------------------------------------------------------------------------------

    async def take_turn(self) -> None:
        """§7 Lay a card, or draw one."""
        seat = self.state.active
        choice = await self.ask(self.offer_turn, seat)
        self.act(seat)
        if choice == DRAW:
            self.draw_one(seat)
            return
        action = self.lay_card(seat, choice)
        if action is not None:
            await self.ACTIONS[action](self, seat)

    def offer_turn(self, seat: str) -> Prompt[str]:
        """§7.1, 7.2, 7.3 The cards that may be laid now, or drawing."""
        return Prompt(
            "turn",
            seat,
            "7",
            self.content.lay_choices,
            self.why_not_lay(),
            cannot=self.cannot_lay,
            source="hand",
        )

    def why_not_lay(self) -> Callable[[str], Refusal | None]:
        """§7.1, 7.2 A card must have the colour, number or symbol of the top card, or be wild."""
        content = self.content
        top = self.state.decks[STOCK].discard[-1]
        return content.no_match[self.state.colour, content.kinds[top].symbol]

    def cannot_lay(self, choice: str) -> Refusal | None:
        """§7 Why whose turn it is cannot hold a card, by what everybody knows."""
        return None if choice in NOT_CARDS else self.cannot_hold(self.state.active, choice)

    def act(self, seat: str) -> None:
        """§11 An act of a player closes windows for UNO (ruling U16)."""
        state = self.state
        if state.due:
            self.close_window(seat)
        state.skipped = ""

    def draw_one(self, seat: str) -> None:
        """§7.3 Take one card from the stock; it may be laid at once."""
        if self.take(seat, 1, "7.3"):
            self.state.phase = Phase.DRAWN
        else:
            self.give_turn(self.next_seat(seat))

    async def drawn_card(self) -> None:
        """§7.3, ruling U14: lay the drawn card and no other, or end the turn."""
        seat = self.state.active
        choice = await self.ask(self.offer_drawn, seat)
        self.act(seat)
        if choice == PASS:
            self.give_turn(self.next_seat(seat))
            return
        action = self.lay_card(seat, choice)
        if action is not None:
            await self.ACTIONS[action](self, seat)

    def offer_drawn(self, seat: str) -> Prompt[str]:
        """§7.3 The drawn card, or the end of the turn."""
        return Prompt(
            "drawn",
            seat,
            "7.3",
            self.content.drawn_choices,
            self.why_not_lay(),
            cannot=self.cannot_lay,
            source="drawn",
            skippable=True,
            ends_turn=True,
        )

    # -- §8 ------------------------------------------------------------------------------------

    def lay_card(self, seat: str, card: str) -> Action | None:
        """§7.1, 7.2, 8 Lay a card; gives the action to be done. §12 The last one ends the round."""
        kind = self.content.kinds[card]
        rule = "7.1" if kind.colour else "7.2"
        self.log.cause = self.lay(seat, card, rule)  # of all until the next answer
        state = self.state
        left = state.hands[seat].counts[STOCK]
        if left == 1 and not self.due_after_item(kind.action):
            self.must_call(seat)
        state.under = state.colour
        state.colour = kind.colour or state.colour
        if left == 0 and self.ends_at_once(kind.action):
            self.go_out(seat)
        if kind.action is None:
            self.give_turn(self.next_seat(seat))
        return kind.action

    def due_after_item(self, action: Action | None) -> bool:
        """Ruling U23: whether UNO is due only once the item has worked."""
        return action is Action.ITEM_BOX and self.ruling("U23") == "after_item"

    def ends_at_once(self, action: Action | None) -> bool:
        """§12, rulings U4, U19: only what makes the next player draw is still done."""
        if action is Action.ITEM_BOX:
            return self.ruling("U4") == "round_ends"
        return action not in (Action.DRAW_TWO, Action.DRAW_FOUR)

    async def draw_two(self, seat: str) -> None:
        """§8.1 The next player draws two and loses the turn; no stacking (ruling U15)."""
        other = self.next_seat(seat)
        self.take(other, 2, "8.1")
        self.out_if_empty(seat)
        self.give_turn(self.pass_over(other, "8.1"))

    def out_if_empty(self, seat: str) -> None:
        """§12 With the last card, the round ends once the next player has drawn."""
        if not self.size(seat):
            self.go_out(seat)

    async def reverse(self, seat: str) -> None:
        """§8.2 The turns go the other way round; of two players see ruling U9."""
        other = self.next_seat(seat)
        two = len(self.state.seats) == 2
        self.turn_direction("8.2", "U9" if two else None)
        if two and self.ruling("U9") == "acts_as_skip":
            self.give_turn(self.pass_over(other, "8.2", "U9"))
        else:
            self.give_turn(self.next_seat(seat))

    async def skip(self, seat: str) -> None:
        """§8.3 The next player is passed over."""
        self.give_turn(self.pass_over(self.next_seat(seat), "8.3"))

    async def draw_four(self, seat: str) -> None:
        """§8.5 Name a colour; the next player draws four and loses the turn, or challenges."""
        if self.size(seat):  # nobody follows the last card of a round
            await self.name_colour(seat, "8.5")
        other = self.next_seat(seat)
        answer = await self.ask(self.offer_challenge, other, seat)
        self.act(other)
        if answer == CHALLENGE:
            await self.challenge(other, seat)
            return
        self.take(other, 4, "8.5")
        self.out_if_empty(seat)
        self.give_turn(self.pass_over(other, "8.5"))

    ACTIONS: ClassVar[dict[Action, Callable[[Turns, str], Awaitable[None]]]] = {
        Action.DRAW_TWO: draw_two,
        Action.REVERSE: reverse,
        Action.SKIP: skip,
        Action.ITEM_BOX: Items.item_box,
        Action.DRAW_FOUR: draw_four,
    }

    # -- §10 -----------------------------------------------------------------------------------

    def offer_challenge(self, seat: str, by: str) -> Prompt[str]:
        """§10 Challenge the card before the first of the four is drawn (ruling U24), or draw."""
        return Prompt(
            "challenge",
            seat,
            "10",
            (PASS, CHALLENGE),
            args={"by": by},
            skippable=True,
            ends_turn=True,
            otherwise=self.why_not_stack,
        )

    def why_not_stack(self, choice: Choice) -> Refusal | None:
        """§8.5, ruling U15: why no card is laid on a Wild Draw Four by who is to draw."""
        return LOST_TURNS[Action.DRAW_FOUR] if choice in self.content.kinds else None

    async def challenge(self, seat: str, by: str) -> None:
        """§10, rulings U11, U13: `by` shows the hand to the challenger alone.

        The challenger says whether it has the colour that was to be followed before.
        """
        right = False
        with self.because(self.record(Challenged(rule="10", seat=by, by=seat))):
            if self.size(by):  # an empty hand holds no colour (ruling U19)
                right = await self.ask(self.offer_shown, seat, by) == YES
            decided = ChallengeDecided(
                rule="10.1" if right else "10.2", ruling="U12", seat=by, by=seat, right=right
            )
            with self.because(self.record(decided)):
                self.settle_challenge(seat, by, right=right)

    def settle_challenge(self, seat: str, by: str, *, right: bool) -> None:
        """§10.1, 10.2, ruling U12: if right, `by` draws four and the challenger has the turn.

        If wrong, the challenger draws six in all and loses the turn.
        """
        if right:
            self.take(by, 4, "10.1", "U12")
            self.give_turn(seat)
            return
        self.take(seat, 6, "10.2", "U12")
        self.out_if_empty(by)
        self.give_turn(self.pass_over(seat, "10.2", "U12"))

    def offer_shown(self, seat: str, by: str) -> Prompt[str]:
        """§10, ruling U13: only the challenger sees the hand and says what is in it."""
        return Prompt(
            "shown",
            seat,
            "10",
            (YES, NO),
            args={"by": by, "colour": self.state.under},
            private=True,
            shows=tuple(self.state.hands[by].scanned),
        )

    STEPS: ClassVar[dict[Phase, Callable[[Turns], Coroutine[Any, Any, None]]]] = {
        Phase.LOTS: Rounds.draw_for_deal,
        Phase.DEAL: Rounds.deal,
        Phase.START: Rounds.start_card,
        Phase.TURN: take_turn,
        Phase.DRAWN: drawn_card,
        Phase.COUNT: Rounds.count_hand,
    }

    # -- out of turn ---------------------------------------------------------------------------

    def out_of_turn(self, seat: str, choice: Choice) -> Refusal | None:
        """§7, 8 Why a seat cannot lay or draw while another one is asked."""
        if choice not in self.content.lay_choices or seat not in self.state.seats:
            return None
        if seat == self.state.skipped:
            action = self.content.kinds[self.top].action
            return LOST_TURNS.get(action, NOT_YOUR_TURN) if action else NOT_YOUR_TURN
        return NOT_YOUR_TURN


NOT_CARDS = frozenset({DRAW, PASS})

NO_STACKING = N_("You draw and your turn is lost: no card is laid on top of that, no stacking.")
PASSED_OVER = N_("You are passed over this time.")
LOST_TURNS = {
    Action.DRAW_TWO: elsewhere("8.1", NO_STACKING, "U15"),
    Action.DRAW_FOUR: elsewhere("8.5", NO_STACKING, "U15"),
    Action.SKIP: elsewhere("8.3", PASSED_OVER),
    Action.REVERSE: elsewhere("8.2", PASSED_OVER, "U9"),
}
"""Why who has lost the turn to the top card cannot lay one."""
NOT_YOUR_TURN = elsewhere("7", N_("Cards are laid in one's own turn only."))
