"""Chaos Kart as one class: the rules, and what the session, screens and corrections need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from companion.games.chaos_kart.content import MOVE, POWER_UP, TrapText
from companion.games.chaos_kart.markers import MARKERS
from companion.games.chaos_kart.setup import LEAST, MOST
from companion.games.chaos_kart.state import Kart, Phase, Trap
from companion.games.chaos_kart.turn import FIRST_HAND, Turn
from companion.rules.bounds import number, one_of, put_right, seat_of
from companion.rules.cards import SCAN, Hand
from companion.rules.errors import BadSetup, RulesBug
from companion.rules.layouts import Layout, Place, hand_thing
from companion.rules.markers import Marker
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, allow
from companion.rules.setups import check_names
from companion.rules.views import RingBoard, SeatView, SquareView, View

OUTSIDE = "outside"
UPRIGHT, TURNED = "upright", "turned"
SHIELD = "shield"


class ChaosKart(Turn):
    """A game of Chaos Kart."""

    counted: ClassVar[frozenset[str]] = frozenset({"lap", "hand", "discard", *MARKERS.kinds})

    # -- beside the open question --------------------------------------------------------------

    def beside(self) -> Sequence[Prompt[Any]]:
        """Any seat may scan a card it holds, or say whether it wants to be asked for passives."""
        prompts: list[Prompt[Any]] = []
        for seat in self.state.seats:
            prompts.append(self.offer_scan(seat, self.content.hand_cards))
            prompts.append(Prompt("passives", seat, "14.2", ("on", "off"), allow, private=True))
        return prompts

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        """Take a scanned card, or a player's wish about questions for passive cards."""
        if prompt.key == SCAN:
            self.scan(prompt.seat, str(choice), prompt.rule)
        else:
            self.kart(prompt.seat).asks = choice == "on"

    # -- the real table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        """Pawns, laps, markers, hands, traps, piles and whose turn it is."""
        state = self.state
        layout: dict[str, Place] = {"turn": state.active}
        for seat in state.seats:
            kart, hand = state.karts[seat], state.hands[seat]
            layout[f"kart/{seat}"] = OUTSIDE if kart.square is None else kart.square
            layout[f"lap/{seat}"] = kart.laps
            for marker in MARKERS.kinds:
                layout[f"{marker}/{seat}"] = self._marker_place(kart, marker)
            for deck in (MOVE, POWER_UP):
                layout[hand_thing(seat, deck)] = hand.counts.get(deck, 0)
            layout[f"trap/{seat}"] = None
        for trap in state.traps:
            layout[f"trap/{trap.owner}"] = f"{trap.card}@{trap.square}"
        for deck, pile in sorted(state.decks.items()):
            layout[f"discard/{deck}"] = len(pile.discard)
        return layout

    def _marker_place(self, kart: Kart, marker: str) -> Place:
        held = kart.markers.get(marker, [])
        if marker != SHIELD:
            return len(held)
        return None if not held else (TURNED if held[0].starts else UPRIGHT)

    def put(self, thing: str, place: Place) -> Refusal | None:
        """Correct one thing; the names are those of `layout`."""
        return put_right(
            thing,
            place,
            self.state.seats,
            plain={"turn": self._put_turn, "phase": self._put_phase},
            named={"discard": self.put_discards},
            of_seats={
                "kart": self._put_kart,
                "lap": self._put_laps,
                "trap": self._put_trap,
                "open": self.open_card,
                **{marker: partial(self._put_marker, marker) for marker in MARKERS.kinds},
            },
            of_seats_named={"hand": self._put_hand},
        )

    def _put_kart(self, seat: str, place: Place) -> None:
        kart = self.kart(seat)
        if place in (OUTSIDE, None):
            kart.square, kart.entered = None, False
        else:
            square = number(place, 0, self.state.squares - 1)
            other = self.occupant(square, besides=seat)
            if other is not None:
                raise BadSetup(
                    N_("{who} stands on square {square}; one pawn a square (§9)."),
                    who=self.state.names[other],
                    square=square,
                )
            kart.square, kart.entered = square, True
        kart.moves += 1

    def _put_laps(self, seat: str, place: Place) -> None:
        self.kart(seat).laps = number(place, 0, self.target - 1)

    def _put_marker(self, marker: str, seat: str, place: Place) -> None:
        markers = self.kart(seat).markers
        turn = self.state.turn
        if marker == SHIELD and place in (UPRIGHT, TURNED):
            markers[SHIELD] = [Marker(int(place == TURNED), turn)]
            return
        count = number(place or 0, 0, MARKERS.kinds[marker].cap)
        held = markers.pop(marker, [])[:count]
        held += [Marker(starts=1, turn=turn) for _ in range(count - len(held))]
        if held:
            markers[marker] = held

    def _put_hand(self, seat: str, deck: str, place: Place) -> None:
        deck = one_of(deck, (MOVE, POWER_UP))
        self.set_hand_count(seat, deck, number(place, 0, 200))

    def _put_trap(self, seat: str, place: Place) -> None:
        """Take a seat's trap away, move it, or lay one that is taken out of the deck."""
        old = next((trap for trap in self.state.traps if trap.owner == seat), None)
        card, _, square = str(place or "").partition("@")
        if card:
            text = self._trap_text(card)
            at = number(square, 1, self.state.squares - 1)
            if old is not None and old.card == card:
                old.square = at
                return
            if self.in_sight(card) >= self.catalogue.totals[card] or not self.refill(POWER_UP):
                raise BadSetup(N_("No such card is left in the deck."))
            self.state.decks[POWER_UP].draw -= 1
            self.state.traps.append(Trap(seat, card, at, text.uses))
            self.drop_wrong_scans(card)
        if old is not None:
            self.remove_trap(old, "13.4")

    def _trap_text(self, card: str) -> TrapText:
        text = self.content.power_ups[card].trap if card in self.content.power_ups else None
        if text is None:
            names = [c.id for c in self.content.cards.power_up if c.trap is not None]
            raise BadSetup(N_("{card} is no trap. Allowed: {names}."), card=card, names=names)
        return text

    def _put_turn(self, place: Place) -> None:
        """Whose turn it is; another's turn then starts anew."""
        seat = seat_of(place, self.state.seats)
        if seat == self.state.active and self.state.phase is not Phase.SETUP:
            return
        self.discard_used(self.state.active)
        self.state.active = seat
        self.state.phase = Phase.START

    def _put_phase(self, place: Place) -> None:
        """Which phase of the turn it is."""
        self.state.phase = Phase(one_of(place, [p.value for p in Phase if p is not Phase.SETUP]))

    # -- seats ---------------------------------------------------------------------------------

    def leave(self, seat: str) -> None:
        """House rule: a player's pawn, markers and trap go; unseen cards go back into the decks."""
        state = self.state
        seat_of(seat, state.seats)
        if len(state.seats) <= LEAST:
            raise BadSetup(N_("Two players are the least (§1)."))
        self._put_trap(seat, None)
        self.return_hand(seat, "1")
        if state.active == seat:
            self.discard_used(seat)
            state.active, state.phase = self.others(seat)[0], Phase.START
        state.seats.remove(seat)
        del state.hands[seat], state.karts[seat]

    def join(self, seat: str, name: str) -> None:
        """House rule: a newcomer sits down last in turn order, outside, with three move cards."""
        state = self.state
        if len(state.seats) >= MOST or state.squares <= len(state.seats) + 1:
            raise BadSetup(N_("There is no room for another pawn (§1, §2.1)."))
        if seat in state.seats:
            raise BadSetup(N_("Seat {seat} is taken."), seat=seat)
        check_names((name, *(state.names[other] for other in state.seats)))
        state.seats.append(seat)
        state.names[seat] = name
        state.karts[seat] = Kart(markers={})
        state.hands[seat] = Hand({MOVE: 0}, [], [])
        self.draw(seat, MOVE, FIRST_HAND, "4")

    # -- looking -------------------------------------------------------------------------------

    def view(self, who: str | None) -> View:
        """What a seat, or everybody, may see."""
        state = self.state
        return View(
            game=self.name,
            who=who,
            turn=state.turn,
            active=state.active,
            phase=state.phase.value,
            seats=tuple(self._seat_view(seat, who) for seat in state.seats),
            board=self._board_view(),
            piles=self.pile_views(),
            winners=() if state.ending is None else state.ending.winners,
            layout=self.layout(),
        )

    def _seat_view(self, seat: str, who: str | None) -> SeatView:
        kart = self.kart(seat)
        facts: dict[str, int | str] = {"lap": kart.laps}
        for marker in MARKERS.kinds:
            place = self._marker_place(kart, marker)
            if place:
                facts[marker] = place
        return self.seat_view(seat, who, facts)

    def _board_view(self) -> RingBoard:
        traps = {trap.square: trap.owner for trap in self.state.traps}
        pieces: dict[int | None, list[str]] = {}
        for seat in self.state.seats:
            pieces.setdefault(self.kart(seat).square, []).append(seat)
        squares = tuple(
            SquareView(n, tuple(pieces.get(n, ())), self.token(n), traps.get(n, ""))
            for n in range(self.state.squares)
        )
        return RingBoard(squares, tuple(pieces.get(None, ())), piece="kart")

    def check(self) -> None:
        """§9 One pawn a square; no card made or lost; laps and markers within their bounds.

        A win ends a movement before its bump (§8), so squares differ only while the race is on.
        """
        self.check_cards()
        standing = [kart.square for kart in self.state.karts.values() if kart.square is not None]
        if len(set(standing)) != len(standing) and self.state.ending is None:
            raise RulesBug("two pawns on one square")
        for seat in self.state.seats:
            for marker, kind in MARKERS.kinds.items():
                if self.count(seat, marker) > kind.cap:
                    raise RulesBug(f"{seat} has too many {marker} markers")
