"""Tapak Arwah Nusantara as one class: the rules, and what session, screens, corrections need."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from companion.games.tapak_arwah.content import BUFF_DECKS, Kind
from companion.games.tapak_arwah.markers import EXTRA_TURN, MARKERS, NO_ATTACK, NO_BUFF, SKIP
from companion.games.tapak_arwah.state import LIVES, Lying, Pawn, Phase, Role
from companion.games.tapak_arwah.turn import Turn
from companion.rules.bounds import number, one_of, put_right, seat_of
from companion.rules.cards import SCAN
from companion.rules.errors import BadSetup, NotNow, RulesBug
from companion.rules.layouts import Layout, Place, hand_thing
from companion.rules.markers import Marker
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal
from companion.rules.views import RingBoard, SeatView, SquareView, View, ZoneView

SIGNS = {
    Kind.START: "|",
    Kind.WHITE: "·",
    Kind.GREEN: "g",
    Kind.PURPLE: "p",
    Kind.SACRED: "s",
    Kind.CURSED: "c",
    Kind.TRAP: "t",
    Kind.DICE_PLUS_1: "+",
    Kind.DICE_PLUS_2: "#",
    Kind.DICE_MINUS_1: "-",
    Kind.DICE_MINUS_2: "=",
    Kind.FORWARD_1: ">",
    Kind.FORWARD_2: "»",
    Kind.FORWARD_3: "}",
    Kind.BACK_1: "<",
    Kind.BACK_2: "«",
    Kind.BACK_3: "{",
    Kind.SWAP: "x",
    Kind.EXTRA_TURN: "*",
}
"""Every kind of square in one letter, the same in all languages."""

MARKERS_OF = {
    Role.GHOST: (SKIP, EXTRA_TURN, NO_ATTACK),
    Role.HUMAN: (SKIP, EXTRA_TURN, NO_BUFF),
}
"""§5.3, 5.4 The bar that each role can have, beside turns to skip and to add."""

BARS = (NO_ATTACK, NO_BUFF)

MOST_DICE = 20
"""The greatest change of a roll that a correction may name."""
BEFORE = "before"


class TapakArwah(Turn):
    """A game of Tapak Arwah Nusantara."""

    counted: ClassVar[frozenset[str]] = frozenset(
        {"dice", "hand", "discard", BEFORE, *MARKERS.kinds}
    )
    tracked: ClassVar[frozenset[str]] = frozenset({"turn", "round", "dice", *MARKERS.kinds})

    # -- beside the open question --------------------------------------------------------------

    def beside(self) -> Sequence[Prompt[Any]]:
        """Any seat may scan a buff it holds; the human may say whether to be asked to react."""
        prompts: list[Prompt[Any]] = []
        for seat in self.state.seats:
            prompts.append(self.offer_scan(seat, self.content.buffs[self.role(seat)]))
        prompts.append(Prompt("passives", self.human, "6", ("on", "off"), private=True))
        return prompts

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        """Take a scanned card, or the human's wish about questions for reactions."""
        if prompt.key == SCAN:
            self.scan(prompt.seat, str(choice), prompt.rule)
        else:
            self.pawn(prompt.seat).asks = choice == "on"

    # -- the real table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        """Whose turn, the round, pawns, lives, what waits for each, cards before them, piles."""
        state = self.state
        layout: dict[str, Place] = {"turn": state.active, "round": state.round}
        for seat in state.seats:
            pawn, role = self.pawn(seat), self.role(seat)
            layout[f"pawn/{seat}"] = pawn.square
            layout[f"life/{seat}"] = pawn.lives
            for marker in MARKERS_OF[role]:
                layout[f"{marker}/{seat}"] = self.count(seat, marker)
            layout[f"dice/{seat}"] = pawn.dice
            deck = self.buff_deck(seat)
            layout[hand_thing(seat, deck)] = state.hands[seat].counts.get(deck, 0)
            for card in self.content.lasting[role]:
                layout[f"{BEFORE}/{seat}/{card}"] = self.lying(seat, card)
        for deck, pile in sorted(state.decks.items()):
            layout[f"discard/{deck}"] = len(pile.discard)
        return layout

    def lying(self, seat: str, card: str) -> int:
        """Ruling T10 How many copies of a card lie before a seat."""
        return sum(one.card == card for one in self.pawn(seat).before)

    def put(self, thing: str, place: Place) -> Refusal | None:
        """Correct one thing; the names are those of `layout`."""
        return put_right(
            thing,
            place,
            self.state.seats,
            plain={"turn": self._put_turn, "round": self._put_round, "phase": self._put_phase},
            named={"discard": self.put_discards},
            of_seats={
                "pawn": self._put_pawn,
                "life": self._put_lives,
                "dice": self._put_dice,
                "open": self.open_card,
                **{marker: partial(self._put_marker, marker) for marker in MARKERS.kinds},
            },
            of_seats_named={"hand": self._put_hand, BEFORE: self._put_before},
        )

    def _put_pawn(self, seat: str, place: Place) -> None:
        pawn = self.pawn(seat)
        pawn.square = number(place, 0, self.track.size - 1)
        pawn.moves += 1

    def _put_lives(self, seat: str, place: Place) -> None:
        self.pawn(seat).lives = number(place, 1, LIVES)

    def _put_dice(self, seat: str, place: Place) -> None:
        self.pawn(seat).dice = number(place, -MOST_DICE, MOST_DICE)

    def _put_marker(self, marker: str, seat: str, place: Place) -> None:
        """Set a marker; a bar that is set holds now, and to the end of the next own turn."""
        if marker not in MARKERS_OF[self.role(seat)]:
            raise BadSetup(
                N_("The {role} has no such thing. Allowed: {names}."),
                role=self.role(seat).value,
                names=list(MARKERS_OF[self.role(seat)]),
            )
        count = number(place or 0, 0, MARKERS.kinds[marker].cap)
        opposite = {SKIP: EXTRA_TURN, EXTRA_TURN: SKIP}.get(marker, "")
        if count and opposite and self.count(seat, opposite):
            raise BadSetup(N_("A turn to skip and a turn to add cancel each other (ruling T14)."))
        held = self.pawn(seat).markers.pop(marker, [])[:count]
        if len(held) < count:
            held = [Marker(turn=self.state.turn - 1) for _ in range(count)]
        if marker in BARS and len(held) > 1:
            held[0].starts = 1  # the first bar ends with the next turn of its own, the second after
        if held:
            self.pawn(seat).markers[marker] = held

    def _put_hand(self, seat: str, deck: str, place: Place) -> None:
        one_of(deck, (self.buff_deck(seat),))
        self.set_hand_count(seat, deck, number(place, 0, 200))

    def _put_before(self, seat: str, card: str, place: Place) -> None:
        """Lay copies of a card before a seat out of the deck, or discard them from there."""
        lasting = self.content.lasting[self.role(seat)]
        if card not in lasting:
            raise BadSetup(
                N_("{card} cannot lie there. Allowed: {names}."), card=card, names=list(lasting)
            )
        there = self.lying(seat, card)
        count = number(place or 0, 0, self.catalogue.totals[card])
        for _ in range(count - there):
            self._lay_from_deck(seat, card)
        for _ in range(there - count):
            newest = next(one for one in reversed(self.pawn(seat).before) if one.card == card)
            self.take_away(seat, newest, "4.d")

    def _lay_from_deck(self, seat: str, card: str) -> None:
        deck = self.catalogue.deck_of[card]
        if self.in_sight(card) >= self.catalogue.totals[card] or not self.refill(deck):
            raise BadSetup(N_("No such card is left in the deck."))
        self.state.decks[deck].draw -= 1
        self.pawn(seat).before.append(Lying(card))
        self.drop_wrong_scans(card)

    def _put_turn(self, place: Place) -> None:
        """Whose turn it is; another's turn then starts anew. Nobody has begun: that one does."""
        state = self.state
        seat = seat_of(place, state.seats)
        if state.phase is not Phase.FIRST and seat == state.active:
            return
        self.clear_play()
        state.first = state.first or seat
        state.active = seat
        state.phase = Phase.START

    def clear_play(self) -> None:
        """Cards that a correction leaves in the middle of their work go to the discards."""
        for card in list(self.state.in_play):
            self.discard_from_play(self.owner(card), card, "4.d")

    def _put_round(self, place: Place) -> None:
        self.state.round = number(place, 1, self.state.limit or 10**6)

    def _put_phase(self, place: Place) -> None:
        """Which step of the turn it is; with it the first turn has begun."""
        phase = Phase(one_of(place, [p.value for p in Phase if p is not Phase.FIRST]))
        self.state.first = self.state.first or self.state.active
        self.state.phase = phase

    # -- seats ---------------------------------------------------------------------------------

    def leave(self, seat: str) -> None:
        """House rule: the game is for two, so whoever leaves gives it up and the other wins."""
        seat_of(seat, self.state.seats)
        self.end((self.other(seat),), "2", "left")

    def join(self, seat: str, name: str) -> None:
        """§2 Two players, no more."""
        raise NotNow(N_("This game is for two; nobody else can join (§2)."))

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
        pawn, role = self.pawn(seat), self.role(seat)
        facts: dict[str, int | str] = {
            "role": role.value,
            "life": pawn.lives,
            "zone": self.zone(pawn.square).value,
        }
        facts |= {m: self.count(seat, m) for m in MARKERS_OF[role] if self.count(seat, m)}
        if pawn.dice:
            facts["dice"] = pawn.dice
        for lying in pawn.before:
            facts[f"{BEFORE}/{lying.card}"] = self.lying(seat, lying.card)
        return self.seat_view(seat, who, facts)

    def _board_view(self) -> RingBoard:
        pieces: dict[int, list[str]] = {}
        for seat in self.state.seats:
            pieces.setdefault(self.pawn(seat).square, []).append(seat)
        squares = tuple(
            SquareView(n, tuple(pieces.get(n, ())), kind.value, sign=SIGNS[kind])
            for n, kind in enumerate(self.track.kinds)
        )
        zones = tuple(ZoneView(zone.value, start) for start, zone in self.track.sides)
        return RingBoard(squares, zones=zones, piece="pawn")

    def check(self) -> None:
        """§1.1, 2, 5 Squares, lives and markers within their bounds; no card made or lost."""
        self.check_cards()
        for seat in self.state.seats:
            pawn = self.pawn(seat)
            if not 0 <= pawn.square < self.track.size:
                raise RulesBug(f"{seat} is off the board")
            least = 1 if self.state.ending is None else 0
            if not least <= pawn.lives <= LIVES:
                raise RulesBug(f"{seat} has {pawn.lives} lives")
            if self.count(seat, SKIP) and self.count(seat, EXTRA_TURN):
                raise RulesBug(f"{seat} has a turn to skip and one to add")
            self._check_markers(seat, pawn)

    def _check_markers(self, seat: str, pawn: Pawn) -> None:
        for marker in pawn.markers:
            if marker not in MARKERS_OF[self.role(seat)]:
                raise RulesBug(f"{seat} cannot have {marker}")
            if self.count(seat, marker) > MARKERS.kinds[marker].cap:
                raise RulesBug(f"{seat} has too many {marker} markers")
        for deck in BUFF_DECKS:
            if deck != self.buff_deck(seat) and self.state.hands[seat].counts.get(deck):
                raise RulesBug(f"{seat} holds cards of the other side")
