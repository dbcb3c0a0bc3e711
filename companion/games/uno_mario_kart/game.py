"""UNO Mario Kart as one class: the rules, and what the session, screens and corrections need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from companion.games.uno_mario_kart.content import STOCK
from companion.games.uno_mario_kart.happenings import TookBack
from companion.games.uno_mario_kart.rounds import FIRST_HAND
from companion.games.uno_mario_kart.setup import LEAST, MOST
from companion.games.uno_mario_kart.state import Phase
from companion.games.uno_mario_kart.table import LEFT, RIGHT
from companion.games.uno_mario_kart.turn import Turns
from companion.rules.bounds import number, one_of, put_right, seat_of
from companion.rules.cards import Hand
from companion.rules.errors import BadSetup, NotNow, RulesBug
from companion.rules.layouts import Layout, Place, hand_thing
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal
from companion.rules.setups import check_names
from companion.rules.views import CardBoard, PileView, SeatView, View

TAKE_BACK = "take-back"
MOST_ROUNDS = 999
"""The highest round that can be set; that many are never played."""
PLAYING = (Phase.TURN, Phase.DRAWN)
"""The phases in which a round is being played."""


class UnoMarioKart(Turns):
    """A game of UNO Mario Kart."""

    counted: ClassVar[frozenset[str]] = frozenset({"score", "hand", "pile", "round"})
    tracked: ClassVar[frozenset[str]] = frozenset(
        {"turn", "round", "dealer", "direction", "colour", "score", "uno"}
    )

    # -- beside the open question --------------------------------------------------------------

    def beside(self) -> Sequence[Prompt[Any]]:
        """§11 UNO and catching; taking back a card laid against the rules; scanning a hand."""
        return [*self.offer_calls(), *self._offer_take_back(), *self._offer_scans()]

    def _offer_take_back(self) -> Iterator[Prompt[str]]:
        """Ruling U22: anybody may ask for it, for anybody."""
        if self.state.phase in PLAYING:
            yield Prompt(TAKE_BACK, "", "7.1", tuple(self.state.seats))

    def _offer_scans(self) -> Iterator[Prompt[str]]:
        """Ruling U13: what is scanned can be shown to a challenger on a screen."""
        for seat in self.state.seats:
            yield self.offer_scan(seat, self.content.ids, "10")

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        """Call, catch, take back or scan."""
        match prompt.key:
            case "uno":
                self.call(prompt.seat)
            case "catch":
                self.catch(prompt.seat)
            case "take-back":
                self.take_back(str(choice))
            case _:
                self.scan(prompt.seat, str(choice), prompt.rule)

    def take_back(self, seat: str) -> None:
        """Ruling U22: a card laid against the rules goes back into the hand, and one is drawn."""
        with self.because(self.record(TookBack(rule="7.1", ruling="U22", seat=seat))):
            self.take(seat, 1, "7.1", "U22")

    # -- the real table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        """Whose turn and deal it is, which way round, the pile, the hands and the scores."""
        state = self.state
        layout: dict[str, Place] = {
            "round": state.round,
            "turn": self.active,
            "dealer": state.dealer,
            "direction": self.direction,
            "top": self.top or None,
            "colour": self.named or None,
            "pile": len(state.decks[STOCK].discard),
        }
        for seat in state.seats:
            layout[f"score/{seat}"] = state.scores[seat]
            layout[hand_thing(seat, STOCK)] = self.size(seat)
        return layout

    def put(self, thing: str, place: Place) -> Refusal | None:
        """Correct one thing; the names are those of `layout`."""
        layout = self.layout()
        if thing in layout and layout[thing] == place and self.state.phase is not Phase.DEAL:
            return None
        return put_right(
            thing,
            place,
            self.state.seats,
            plain={
                "round": self._put_round,
                "turn": self._put_turn,
                "dealer": self._put_dealer,
                "direction": self._put_direction,
                "top": self._put_top,
                "colour": self._put_colour,
                "pile": self._put_pile,
                "phase": self._put_phase,
            },
            of_seats={"score": self._put_score, "uno": self._put_uno},
            of_seats_named={"hand": self._put_hand},
        )

    def _put_turn(self, place: Place) -> None:
        """Whose turn it is; another's turn then starts anew."""
        seat = seat_of(place, self.state.seats)
        state = self.state
        if state.phase is Phase.DEAL:
            state.round, state.active, state.phase = 1, seat, Phase.TURN
        self._need_round()
        if seat != state.active:
            self.give_turn(seat)

    def _put_round(self, place: Place) -> None:
        self.state.round = number(place, 1, MOST_ROUNDS)

    def _put_dealer(self, place: Place) -> None:
        self.state.dealer = seat_of(place, self.state.seats)

    def _put_direction(self, place: Place) -> None:
        ways = {LEFT: 1, RIGHT: -1}
        self.state.direction = ways[one_of(place, tuple(ways))]

    def _put_top(self, place: Place) -> None:
        """Which card lies on the pile: another one than was said, or one from further down.

        The card that was said instead is unseen again, in the hand that it was said to come from.
        """
        card = one_of(place, self.content.ids)
        pile = self.state.decks[STOCK]
        if card == self.top:
            return
        if not pile.discard:
            if self.state.phase is not Phase.DEAL:  # the first card is still to be turned up
                self._need_round()
            pile.draw -= 1
            pile.discard.append(card)
        elif self.in_sight(card) < self.catalogue.totals[card]:
            pile.discard[-1] = card
        elif card in pile.discard:
            pile.discard.remove(card)
            pile.discard.append(card)
        else:
            raise BadSetup(N_("Every card of that kind is somewhere else already."))
        self.drop_wrong_scans(card)
        self.state.colour = self.content.kinds[card].colour or self.state.colour

    def _put_colour(self, place: Place) -> None:
        """The colour that was named; on a coloured card it is that card's."""
        own = self.content.kinds[self.top].colour if self.top else ""
        self.state.colour = one_of(place, (own,) if own else self.content.colours)

    def _put_pile(self, place: Place) -> None:
        """Say that the pile was shuffled into a new stock: its top card alone lies there now."""
        number(place, 1, 1)
        if self.top:
            self.reshuffle(STOCK, keep=1)

    def _put_phase(self, place: Place) -> None:
        """Whether it is a turn's beginning, or a card has just been drawn."""
        self._need_round()
        self.state.phase = Phase(one_of(place, PLAYING))

    def _put_score(self, seat: str, place: Place) -> None:
        self.state.scores[seat] = number(place, 0, self.state.target - 1)

    def _put_hand(self, seat: str, _deck: str, place: Place) -> None:
        """How many cards a seat holds; while a round is played everybody holds one."""
        least = int(self.state.phase in PLAYING)
        self.set_hand_count(seat, STOCK, number(place, least, self.catalogue.sizes[STOCK]))
        if seat in self.state.due and self.size(seat) != 1:
            self.state.due.remove(seat)

    def _put_uno(self, seat: str, place: Place) -> None:
        """§11 Whether UNO is still due from who has one card: "due", or "called"."""
        due = one_of(place, ("due", "called")) == "due"
        if self.size(seat) != 1:
            raise BadSetup(N_("UNO is due with one card only (§11)."))
        self.state.due = [other for other in self.state.due if other != seat]
        if due:
            self.state.due.append(seat)

    def _need_round(self) -> None:
        if self.state.phase not in PLAYING:
            raise BadSetup(N_("No round is being played now."))

    # -- seats ---------------------------------------------------------------------------------

    def leave(self, seat: str) -> None:
        """House rule: the hand is shuffled back into the stock; the turn or deal goes on."""
        state = self.state
        seat_of(seat, state.seats)
        self._need_free_seats()
        if len(state.seats) <= LEAST:
            raise BadSetup(N_("Two players are the least (§2)."))
        if state.active == seat:
            self.give_turn(self.next_seat(seat))
        if state.dealer == seat:  # the deal then passes to whom it would have passed
            state.dealer = state.seats[state.seats.index(seat) - 1]
        self.return_hand(seat, "2")
        state.due = [other for other in state.due if other != seat]
        state.seats.remove(seat)
        del state.hands[seat], state.scores[seat]

    def join(self, seat: str, name: str) -> None:
        """House rule: a newcomer sits down last in turn order, with seven cards and no points."""
        state = self.state
        self._need_free_seats()
        if len(state.seats) >= MOST:
            raise BadSetup(N_("Ten players are the most (§2)."))
        if state.decks[STOCK].draw < FIRST_HAND:
            raise BadSetup(N_("The stock has too few cards for another hand."))
        if seat in state.seats:
            raise BadSetup(N_("Seat {seat} is taken."), seat=seat)
        check_names((name, *(state.names[other] for other in state.seats)))
        state.seats.append(seat)
        state.names[seat] = name
        state.scores[seat] = 0
        state.hands[seat] = Hand({STOCK: 0}, [], [])
        self.draw(seat, STOCK, FIRST_HAND, "5.2")

    def _need_free_seats(self) -> None:
        if self.state.phase not in PLAYING:
            raise NotNow(N_("Seats change in the middle of a round, between two turns."))

    # -- looking -------------------------------------------------------------------------------

    @property
    def active(self) -> str:
        """Whose turn it is; before and after a round, who has to do something."""
        state = self.state
        match state.phase:
            case Phase.LOTS:
                return state.to_draw[0]
            case Phase.COUNT:
                return state.to_count[0] if state.to_count else state.active
            case _:
                return state.active or state.dealer

    def view(self, who: str | None) -> View:
        """What a seat, or everybody, may see."""
        state = self.state
        pile = state.decks[STOCK]
        return View(
            game=self.name,
            who=who,
            turn=state.turn,
            active=self.active,
            phase=state.phase.value,
            seats=tuple(self._seat_view(seat, who) for seat in state.seats),
            board=self._board_view(),
            piles=(PileView(STOCK, pile.draw, len(pile.discard), self.top),),
            winners=() if state.ending is None else state.ending.winners,
            layout=self.layout(),
        )

    def _seat_view(self, seat: str, who: str | None) -> SeatView:
        return self.seat_view(seat, who, {"score": self.state.scores[seat]})

    def _board_view(self) -> CardBoard:
        """The top card, the colour that was named on a wild one, the direction."""
        return CardBoard(self.top, self.named, self.direction)

    def check(self) -> None:
        """§4, 7, 11 No card made or lost; the top card's colour; UNO is due with one card.

        Raises BadSetup for a position that tells too little to be played on.
        """
        self.check_cards()
        state = self.state
        if any(self.size(seat) != 1 for seat in state.due):
            raise RulesBug("UNO is due from somebody who has not one card")
        if state.phase in PLAYING:
            if not self.top:
                raise BadSetup(N_("The pile: not begun"))
            if not state.colour:
                raise BadSetup(N_("Colour named: none"))
            own = self.content.kinds[self.top].colour
            if state.colour not in self.content.colours or own not in ("", state.colour):
                raise RulesBug(f"{state.colour} is to be followed on {self.top}")
