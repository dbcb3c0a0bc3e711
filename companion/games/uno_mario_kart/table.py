"""What all rules of UNO Mario Kart share: looking at the table, drawing cards, whose turn it is."""

from __future__ import annotations

from typing import ClassVar, NoReturn

from companion.games.uno_mario_kart.content import STOCK, Content
from companion.games.uno_mario_kart.state import Phase, UnoState
from companion.rules.cards import CardGame
from companion.rules.rulings import Register

LEFT, RIGHT = "left", "right"


class Table(CardGame[UnoState]):
    """The state as the rules look at it."""

    name: ClassVar[str] = "uno-mario-kart"
    deck_rule = "7.3"
    deck_ruling = "U17"
    hand_rule = "7"
    state: UnoState

    def __init__(self, state: UnoState, content: Content, register: Register) -> None:
        super().__init__(state, register)
        self.content = content
        self.catalogue = content.catalogue

    # -- looking -------------------------------------------------------------------------------

    def size(self, seat: str) -> int:
        """How many cards a seat holds."""
        return self.state.hands[seat].counts[STOCK]

    def in_sight(self, card: str) -> int:
        """How many copies of a card lie on the pile or were just turned up; no hand is open."""
        state = self.state
        return state.decks[STOCK].discard.count(card) + state.in_play.count(card)

    @property
    def top(self) -> str:
        """The top card of the pile, "" before the first."""
        pile = self.state.decks[STOCK].discard
        return pile[-1] if pile else ""

    @property
    def named(self) -> str:
        """The colour that was named for a wild card on top, "" on any other."""
        top = self.top
        return "" if not top or self.content.kinds[top].colour else self.state.colour

    def next_seat(self, seat: str, steps: int = 1) -> str:
        """The seat so many places on in the direction of play, or back for less than 0."""
        seats = self.state.seats
        return seats[(seats.index(seat) + self.state.direction * steps) % len(seats)]

    def others(self, seat: str) -> list[str]:
        """The opponents of a seat in the direction of play, beginning with the next."""
        return [self.next_seat(seat, steps) for steps in range(1, len(self.state.seats))]

    @property
    def direction(self) -> str:
        """Which way round the turns go."""
        return LEFT if self.state.direction == 1 else RIGHT

    # -- turns ---------------------------------------------------------------------------------

    def give_turn(self, seat: str) -> None:
        """It is a seat's turn now; also the same one's again. An early call is over (§11)."""
        state = self.state
        state.called = ""
        if state.active != seat:
            state.previous = state.active
            state.active = seat
        state.turn += 1
        state.phase = Phase.TURN

    # -- the stock -----------------------------------------------------------------------------

    def refill(self, deck: str) -> bool:
        """Ruling U17: an empty stock is made anew of the pile but for its top card."""
        pile = self.state.decks[deck]
        if pile.draw == 0 and len(pile.discard) > 1 and self.ruling("U17") == "reshuffle":
            self.reshuffle(deck, keep=1)
        return pile.draw > 0

    def take(self, seat: str, count: int, rule: str, ruling: str | None = None) -> int:
        """Draw cards, as many as there are; gives how many.

        Who has more than one card again has no UNO to call (rulings U16, U23). Where the stock
        ends the round (ruling U17), that happens here and nothing after it does.
        """
        state = self.state
        taken = self.draw(seat, STOCK, count, rule, ruling)
        if seat in state.due and self.size(seat) != 1:
            state.due.remove(seat)
        if taken < count and self.ruling("U17") == "round_ends":
            self.stop_round()
        return taken

    def stop_round(self) -> NoReturn:
        """Ruling U17; see `rounds`."""
        raise NotImplementedError
