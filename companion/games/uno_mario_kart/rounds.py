"""§5, 6, 12 to 14 The deal, the first card, the end of a round, its score, the game's end."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from companion.games.uno_mario_kart.content import STOCK, Action
from companion.games.uno_mario_kart.happenings import (
    ColourNamed,
    DealerChosen,
    DirectionTurned,
    HandCounted,
    LotsTied,
    RoundBegan,
    RoundTied,
    RoundWon,
    StockEnded,
    TurnLost,
    WentOut,
)
from companion.games.uno_mario_kart.state import Phase
from companion.games.uno_mario_kart.table import Table
from companion.rules.game import StepOver
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, impossible

FIRST_HAND = 7
"""§5.2"""


class Rounds(Table):
    """§5, 6, 12, 13, 14."""

    # -- §5 ------------------------------------------------------------------------------------

    async def draw_for_deal(self) -> None:
        """§5.1 Everybody draws a card; the highest deals first, ties draw again (ruling U20)."""
        seat = self.state.to_draw[0]
        card = await self.ask(self.offer_lot, seat)
        state = self.state
        state.to_draw.remove(seat)
        state.lots[seat] = card
        with self.because(self.turn_up(card, "5.1")):
            if not state.to_draw:
                self.compare_lots()

    def offer_lot(self, seat: str) -> Prompt[str]:
        """§5.1 The card that somebody draws for the deal."""
        return self._card_off_the_stock("lot", seat, "5.1")

    def compare_lots(self) -> None:
        """§5.1, ruling U20: the highest of the cards drawn, actions and wild ones as 0."""
        state = self.state
        ranks = {seat: self.content.kinds[card].rank for seat, card in state.lots.items()}
        highest = [seat for seat in state.seats if ranks.get(seat) == max(ranks.values())]
        state.lots = {}
        if len(highest) > 1:
            state.to_draw = highest
            self.record(LotsTied(rule="5.1", ruling="U20", seats=tuple(highest)))
            return
        state.dealer = highest[0]
        state.phase = Phase.DEAL
        self.record(DealerChosen(rule="5.1", seat=highest[0]))

    async def deal(self) -> None:
        """§5.2 Shuffle and deal everybody seven cards."""
        state = self.state
        state.round += 1
        state.direction = 1
        state.active = state.dealer
        state.colour = state.under = state.previous = state.skipped = state.called = ""
        state.due = []
        began = self.record(RoundBegan(rule="5.2", round=state.round, dealer=state.dealer))
        with self.because(began):
            self.gather(STOCK, "5.2")
            for seat in self.others(state.dealer):
                self.draw(seat, STOCK, FIRST_HAND, "5.2")
            self.draw(state.dealer, STOCK, FIRST_HAND, "5.2")
        state.phase = Phase.START

    async def start_card(self) -> None:
        """§5.3 Turn up the first card; a Wild Draw Four goes back, and another is turned up."""
        dealer = self.state.dealer
        card = await self.ask(self.offer_start_card, dealer)
        kind = self.content.kinds[card]
        if kind.action is Action.DRAW_FOUR:
            with self.because(self.turn_up(card, "5.3")):
                self.put_back(card, "5.3")
            return
        turned = self.turn_up(card, "5.3", discarded=True)
        self.state.colour = kind.colour
        if kind.action is Action.ITEM_BOX:
            await self.name_colour(dealer, "5.3", "U7")
        with self.because(turned):
            self.begin_play(kind.action)

    def offer_start_card(self, dealer: str) -> Prompt[str]:
        """§5.3 The card that is turned up to begin the pile."""
        return self._card_off_the_stock("start-card", dealer, "5.3")

    def _card_off_the_stock(self, key: str, seat: str, rule: str) -> Prompt[str]:
        return Prompt(
            key,
            seat,
            rule,
            self.content.chance_choices,
            cannot=self.cannot_turn_up,
            source=f"deck/{STOCK}",
            chance=True,
        )

    def cannot_turn_up(self, card: str) -> Refusal | None:
        """§4 Why a card cannot be on top of the stock: all of its kind lie in sight."""
        if self.in_sight(card) < self.catalogue.totals[card]:
            return None
        return ALL_IN_SIGHT

    def cannot_hold(self, seat: str, card: str) -> Refusal | None:
        """§4 Why a seat cannot hold a card; the pile keeps its top card when it is reshuffled."""
        return self.cannot_turn_up(card) if self.size(seat) else super().cannot_hold(seat, card)

    async def name_colour(self, seat: str, rule: str, ruling: str | None = None) -> None:
        """§5.3, 8.5, 9.5 Somebody names the colour to be followed."""
        colour = await self.ask(self.offer_colours, seat, rule)
        self.state.colour = colour
        self.record(ColourNamed(rule=rule, ruling=ruling, seat=seat, colour=colour))

    def offer_colours(self, seat: str, rule: str) -> Prompt[str]:
        """§5.3, 8.5, 9.5 Any colour."""
        return Prompt("colour", seat, rule, self.content.colours)

    # -- §6 ------------------------------------------------------------------------------------

    def begin_play(self, action: Action | None) -> None:
        """§6 Whoever sits to the dealer's left begins, but for what the first card does.

        Ruling U8: actions on the first card act.
        """
        state = self.state
        first = self.next_seat(state.dealer)
        match action:
            case Action.REVERSE:
                self.turn_direction("6.1", "U8")
                first = state.dealer
            case Action.DRAW_TWO:
                self.take(first, 2, "6.2", "U8")
                first = self.pass_over(first, "6.2", "U8")
            case Action.SKIP:
                first = self.pass_over(first, "6.3", "U8")
        state.active = first
        state.turn += 1
        state.phase = Phase.TURN

    def turn_direction(self, rule: str, ruling: str | None = None) -> None:
        """§6.1, 8.2 The turns go the other way round."""
        self.state.direction *= -1
        self.record(DirectionTurned(rule=rule, ruling=ruling, direction=self.direction))

    def pass_over(self, seat: str, rule: str, ruling: str | None = None) -> str:
        """§6, 8, 10 A player loses the turn; gives who is next."""
        self.state.skipped = seat
        self.record(TurnLost(rule=rule, ruling=ruling, seat=seat))
        return self.next_seat(seat)

    # -- §12 -----------------------------------------------------------------------------------

    def go_out(self, seat: str) -> NoReturn:
        """§12 Who has laid the last card ends the round; the others' cards are counted."""
        with self.because(self.record(WentOut(rule="12", seat=seat))):
            self.state.winner = seat
            self._count(self.others(seat))

    def stop_round(self) -> NoReturn:
        """Ruling U17 as `round_ends`: the lowest hand scores; everybody's cards are counted."""
        with self.because(self.record(StockEnded(rule="12", ruling="U17"))):
            self.state.winner = ""
            self._count([self.state.active, *self.others(self.state.active)])

    def _count(self, seats: list[str]) -> NoReturn:
        """§13 Some hands are to be counted, one after the other; an empty one is worth nothing."""
        state = self.state
        state.due, state.called, state.skipped = [], "", ""
        state.points = {seat: 0 for seat in seats if not self.size(seat)}
        state.to_count = [seat for seat in seats if self.size(seat)]
        state.phase = Phase.COUNT
        if not state.to_count:
            self.score_round()
        raise StepOver

    # -- §13 -----------------------------------------------------------------------------------

    async def count_hand(self) -> None:
        """§13 A player lays down the cards that are left, one by one, or says what they come to."""
        seat = self.state.to_count[0]
        said = await self.ask(self.offer_count, seat)
        state = self.state
        if isinstance(said, int):
            state.points[seat] = state.points.get(seat, 0) + said
        else:
            self.discard_from_hand(seat, said, "13")
            state.points[seat] = state.points.get(seat, 0) + self.content.kinds[said].points
            if self.size(seat):
                return
        state.to_count.remove(seat)
        self.record(HandCounted(rule="13", seat=seat, points=state.points[seat]))
        if not state.to_count:
            self.score_round()

    def offer_count(self, seat: str) -> Prompt[Choice]:
        """§13 A card of the hand, or the total of all that are left."""
        most = self.content.highest * self.size(seat)
        return Prompt(
            "count",
            seat,
            "13",
            self.content.count_choices(most),
            cannot=partial(self.cannot_count, seat),
            args={"n": self.size(seat)},
            source="hand",
        )

    def cannot_count(self, seat: str, said: Choice) -> Refusal | None:
        """§13 Why a card cannot be among those that are left."""
        return None if isinstance(said, int) else self.cannot_hold(seat, said)

    def score_round(self) -> None:
        """§13 The winner scores what all the others hold; then §14, or the next deal."""
        state = self.state
        winner = state.winner or self.lowest_hand()
        if winner:
            points = sum(points for seat, points in state.points.items() if seat != winner)
            state.scores[winner] += points
            score = state.scores[winner]
            ruling = None if state.winner else "U17"
            won = RoundWon(rule="13", ruling=ruling, seat=winner, points=points, score=score)
            with self.because(self.record(won)):
                self.end_game(winner)
        self.pass_deal()

    def pass_deal(self) -> None:
        """§5.4 The next round is dealt by whoever sits to the left."""
        state = self.state
        place = state.seats.index(state.dealer) + 1
        state.dealer = state.seats[place % len(state.seats)]
        state.phase = Phase.DEAL

    def lowest_hand(self) -> str:
        """Ruling U17: whose hand is the lowest; "" where several are."""
        points = self.state.points
        lowest = [seat for seat in points if points[seat] == min(points.values())]
        if len(lowest) == 1:
            return lowest[0]
        self.record(RoundTied(rule="13", ruling="U17", seats=tuple(lowest)))
        return ""

    # -- §14 -----------------------------------------------------------------------------------

    def end_game(self, seat: str) -> None:
        """§14 Who has reached the points to win has won."""
        if self.state.scores[seat] >= self.state.target:
            self.end((seat,), "14", "points")


ALL_IN_SIGHT = impossible(
    "4",
    N_(
        "Every card of that kind lies in sight already. If the stock was reshuffled, correct the "
        "pile to 1."
    ),
)
