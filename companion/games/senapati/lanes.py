"""Cara 1 to 6, Per 3 to 12 The Lane Phase: action cards push Senapati along their lanes."""

from __future__ import annotations

from functools import partial

from companion.games.senapati.content import HAND, PUSHES, SWAP, Action, action_id
from companion.games.senapati.happenings import (
    Advanced,
    Beaten,
    PhaseBegan,
    Pushed,
    ShieldSwapped,
)
from companion.games.senapati.state import Phase
from companion.games.senapati.table import Table, lane_of, owner
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, elsewhere, impossible, refuse

FACING = {"adjacent": 1, "within_two": 2, "within_three": 3}
"""Ruling S2 How few rows apart two Senapati are face to face."""


class Lanes(Table):
    """Cara 1 to 6."""

    # -- Cara 1, Per 4, 5 ----------------------------------------------------------------------

    def begin_lane_phase(self) -> None:
        """Cara 1, Per 4, 5 Everybody takes three action cards; the Lane Phase comes first."""
        for seat in self.state.seats:
            self.draw(seat, self.action_deck(seat), HAND, "Per 4")
        self.state.phase = Phase.LANE
        self.record(
            PhaseBegan(rule="Per 5", ruling="S10", phase=Phase.LANE.value, seat=self.state.active)
        )

    # -- Cara 2, 3, Per 6 ----------------------------------------------------------------------

    async def lane_turn(self, seat: str) -> None:
        """Cara 2, 3, Per 6 Use one action card and take a new one; that ends the turn."""
        card = await self.ask(self.offer_action, seat)
        if card == SWAP:
            self.swap_shield(seat)
        else:
            lane = await self.choose_lane(seat, card)
            self.use(seat, card, lane)
        self.draw(seat, self.action_deck(seat), 1, "Per 4", "S6")
        self.next_lane_turn()

    def offer_action(self, seat: str) -> Prompt[str]:
        """Cara 2 The action cards of one's own deck, or the swap of a shield card."""
        shield = action_id(Action.SHIELD, seat)
        return Prompt(
            "action",
            seat,
            "Cara 2",
            (*self.content.action_ids[seat], SWAP),
            partial(self.why_not_action, seat),
            cannot=partial(self.cannot_play, seat),
            source="hand",
            otherwise=self.not_an_action,
            needs={SWAP: (shield,) * HAND},
        )

    def why_not_action(self, seat: str, choice: str) -> Refusal | None:
        """Per 8 A card that could move nothing in any lane stays in the hand."""
        if choice == SWAP:
            return None
        offer = self.offer_lane(seat, choice)
        refusals = [offer.why_not(lane) for lane in self.field.lanes]
        if None in refusals:
            return None
        forcible = any(refusal and refusal.can_be_forced for refusal in refusals)
        say_no = refuse if forcible else impossible
        return say_no("Per 8", N_("In every open lane two Senapati stand face to face."), "S2")

    def cannot_play(self, seat: str, choice: str) -> Refusal | None:
        """Per 4, 8 Why a seat cannot hold a card, or three shield cards, as far as all know."""
        if choice != SWAP:
            return self.cannot_hold(seat, choice)
        shield = action_id(Action.SHIELD, seat)
        hand = self.state.hands[seat]
        others = sum(card != shield for card in hand.open)
        seen = self.in_sight(shield) - hand.open.count(shield)
        if not others and self.catalogue.totals[shield] - seen >= HAND:
            return None
        return impossible("Per 8", N_("Only three shield cards in a hand allow a swap."), "S5")

    def not_an_action(self, choice: Choice) -> Refusal | None:
        """Per 3, 5, 17 Cards of the other player's deck, skill cards and moves."""
        if choice in self.content.action_of:
            return elsewhere("Per 3", N_("That card is from the other player’s deck."))
        if choice in self.content.skills:
            return elsewhere("Per 17", N_("Skill cards belong to the Free Phase."))
        if self.field.cells_of(choice):
            return elsewhere("Cara 8", N_("Pieces are moved freely in the Free Phase only."))
        return None

    # -- the lane ------------------------------------------------------------------------------

    async def choose_lane(self, seat: str, card: str) -> int:
        """Cara 2 The lane in which a card works; not asked where there is only one."""
        lanes: list[int] = list(self.offer_lane(seat, card).options())
        if len(lanes) == 1:
            return lanes[0]
        lane: int = await self.ask(self.offer_lane, seat, card)
        return lane

    def offer_lane(self, seat: str, card: str) -> Prompt[int]:
        """Cara 2 The lanes; a card moves the Senapati of one of them."""
        advance = self.content.action_of[card] is Action.SHIELD
        return Prompt(
            "advance" if advance else "push",
            seat,
            "Cara 2",
            self.field.lanes,
            partial(self.why_not_lane, seat, card),
            args={"card": card},
            cannot=partial(self.cannot_lane, seat, card),
            where=partial(self.where_lane, seat, card),
        )

    def target(self, seat: str, card: str, lane: int) -> str:
        """Per 7, 8, 9 The Senapati that a card moves: one's own, or the enemy's."""
        own = self.content.action_of[card] is Action.SHIELD
        return self.senapati(seat if own else self.other(seat), lane)

    def where_lane(self, seat: str, card: str, lane: int) -> tuple[str, ...]:
        """The cell of the Senapati that a card would move in a lane."""
        cell = self.cell(self.target(seat, card, lane))
        return (cell,) if cell else ()

    def why_not_lane(self, seat: str, card: str, lane: int) -> Refusal | None:
        """Per 8, ruling S2: a shield card not where two Senapati are face to face."""
        if (
            self.content.action_of[card] is Action.SHIELD
            and self.gap(lane) <= FACING[self.ruling("S2")]
        ):
            return refuse("Per 8", N_("The two Senapati of this lane are face to face."), "S2")
        return None

    def cannot_lane(self, seat: str, card: str, lane: int) -> Refusal | None:
        """Per 10, 11, Cara 4, 5 A finished lane is out of reach; Per 8 no two on a square."""
        if not self.cell(self.target(seat, card, lane)):
            return impossible(
                "Per 11", N_("Lane {lane}: that Senapati is lost until the Free Phase."), lane=lane
            )
        if self.is_closed(lane):
            return impossible(
                "Per 10", N_("Lane {lane} is finished and stays as it is."), "S18", lane=lane
            )
        if self.content.action_of[card] is Action.SHIELD and self.gap(lane) == 1:
            return impossible("Per 8", N_("The square in front of it is taken."), "S2")
        return None

    def gap(self, lane: int) -> int:
        """Ruling S2 Rows between the two Senapati of a lane; 1: no empty square."""
        one, two = (self.cell(self.senapati(seat, lane)) for seat in self.state.seats)
        if not one or not two:
            return self.field.board.rows
        return self.field.grid.distance(one, two)

    # -- Per 4, 6 ------------------------------------------------------------------------------

    def use(self, seat: str, card: str, lane: int) -> None:
        """Per 6 Lay a card on one's used cards; it works in its lane."""
        action = self.content.action_of[card]
        piece = self.target(seat, card, lane)
        with self.because(self.lay(seat, card, "Per 6")):
            if action is Action.SHIELD:
                self.advance(piece)
            else:
                self.push(seat, piece, PUSHES[action], "Per 7" if PUSHES[action] == 1 else "Per 9")

    # -- Per 7, 9 ------------------------------------------------------------------------------

    def push(self, by: str, piece: str, steps: int, rule: str) -> None:
        """Per 7, 9, rulings S3, S4: an enemy Senapati goes back; nobody need touch it."""
        seat, start = owner(piece), self.cell(piece)
        row = self.field.own_row(seat, start) - steps
        end = "" if row <= self.defeat_row() else f"{start[0]}{self.field.row(seat, row)}"
        pushed = Pushed(rule=rule, seat=seat, piece=piece, by=by, start=start, end=end)
        with self.because(self.put_piece(piece, end, pushed)):
            if not end:
                self.beat(by, piece)

    def defeat_row(self) -> int:
        """Per 10, Cara 4, ruling S1: the row that is lost ground; 0 is beyond the board."""
        return self.field.board.defeat_row if self.ruling("S1") == "defeat_row" else 0

    # -- Per 8 ---------------------------------------------------------------------------------

    def advance(self, piece: str) -> None:
        """Per 8 One's own Senapati goes one square towards the enemy."""
        seat, start = owner(piece), self.cell(piece)
        end = f"{start[0]}{self.field.row(seat, self.field.own_row(seat, start) + 1)}"
        advanced = Advanced(rule="Per 8", seat=seat, piece=piece, start=start, end=end)
        self.put_piece(piece, end, advanced)

    def swap_shield(self, seat: str) -> None:
        """Per 8, ruling S5: one of three shield cards is laid with the used ones."""
        swapped = ShieldSwapped(rule="Per 8", ruling="S5", seat=seat)
        with self.because(self.record(swapped)):
            self.discard_from_hand(seat, action_id(Action.SHIELD, seat), "Per 8")

    # -- Per 10, 11 ----------------------------------------------------------------------------

    def beat(self, by: str, piece: str) -> None:
        """Per 10, 11, Cara 4 A Senapati is lost for this phase, and its lane is finished."""
        lane = lane_of(piece)
        self.record(
            Beaten(rule="Per 10", ruling="S1", seat=owner(piece), piece=piece, by=by, lane=lane)
        )

    def is_closed(self, lane: int) -> bool:
        """Per 10 A lane is finished when one of its two Senapati is lost."""
        return any(not self.cell(self.senapati(seat, lane)) for seat in self.state.seats)

    def lanes_won(self, seat: str) -> int:
        """Cara 6 How many lanes a player has won."""
        return len(self.lost(self.other(seat)))

    # -- Per 12 --------------------------------------------------------------------------------

    def all_closed(self) -> bool:
        """Per 12, Cara 6, ruling S7: the phase is over when every lane has a winner."""
        return all(map(self.is_closed, self.field.lanes))

    def next_lane_turn(self) -> None:
        """Cara 1 Turns alternate."""
        self.state.active = self.other(self.state.active)
        self.state.turn += 1
