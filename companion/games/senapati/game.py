"""Senapati and Rajasa as one class: the rules, and what the session, screens, corrections need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, ClassVar

from companion.games.senapati.content import HAND, SACRIFICE, SKILL, SWAP
from companion.games.senapati.free import FreePhase
from companion.games.senapati.state import Mark, Phase
from companion.games.senapati.table import RAJASA, SENAPATI, is_rajasa, lane_of, owner
from companion.rules.bounds import number, one_of, put_right, seat_of
from companion.rules.errors import BadSetup, NotNow, RulesBug
from companion.rules.layouts import Layout, Place, hand_thing
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, elsewhere
from companion.rules.views import CellView, GridBoard, PileView, SeatView, View


class Senapati(FreePhase):
    """A game of Senapati and Rajasa."""

    counted: ClassVar[frozenset[str]] = frozenset({"hand", "discard"})
    tracked: ClassVar[frozenset[str]] = frozenset({"turn", *Mark})

    async def step(self) -> None:
        """Per 5 One decision of the phase that the game is in."""
        match self.state.phase:
            case Phase.DEAL:
                self.begin_lane_phase()
            case Phase.LANE if self.all_closed():
                self.end_lane_phase()
            case Phase.LANE:
                await self.lane_turn(self.state.active)
            case Phase.RETURN:
                await self.return_piece()
            case Phase.FREE:
                await self.free_turn(self.state.active)

    # -- beside the open question --------------------------------------------------------------

    def beside(self) -> Sequence[Prompt[Any]]:
        """Ruling S19 Hands are secret; who likes may scan cards for one's own eyes."""
        return [self.offer_scan(seat, self._cards_to_scan(seat)) for seat in self.state.seats]

    def _cards_to_scan(self, seat: str) -> tuple[str, ...]:
        if self.state.phase in (Phase.DEAL, Phase.LANE):
            return tuple(self.content.action_ids[seat])
        return self.content.skill_ids

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        """Take a scanned card."""
        self.scan(prompt.seat, str(choice), prompt.rule)

    def out_of_turn(self, seat: str, choice: Choice) -> Refusal | None:
        """Cara 1, 8 Turns alternate."""
        rule = "Cara 1" if self.state.phase is Phase.LANE else "Cara 8"
        known = choice in self.catalogue.totals or choice in (SWAP, SACRIFICE)
        if seat in self.state.seats and (known or self.field.cells_of(choice)):
            return elsewhere(rule, N_("It is the other player’s turn."))
        return None

    # -- the real table ------------------------------------------------------------------------

    def layout(self) -> Layout:
        """Whose turn it is, every piece and its marks, the hands and the used cards."""
        state = self.state
        layout: dict[str, Place] = {"turn": state.active}
        for piece in self.all_pieces:
            layout[piece] = self.cell(piece) or None
        for mark in Mark:
            for piece in state.marks.get(mark, ()):
                which = RAJASA if is_rajasa(piece) else lane_of(piece)
                layout[f"{mark.value}/{owner(piece)}/{which}"] = "on"
        for seat in state.seats:
            counts = state.hands[seat].counts
            for deck in (self.action_deck(seat), SKILL):
                layout[hand_thing(seat, deck)] = counts.get(deck, 0)
        for deck, pile in sorted(state.decks.items()):
            layout[f"discard/{deck}"] = len(pile.discard)
        return layout

    def put(self, thing: str, place: Place) -> Refusal | None:
        """Correct one thing; the names are those of `layout`."""
        layout = self.layout()
        if thing in layout and layout[thing] == place:
            return None
        return put_right(
            thing,
            place,
            self.state.seats,
            plain={"turn": self._put_turn, "phase": self._put_phase},
            named={"discard": self.put_discards},
            of_seats={RAJASA: self._put_rajasa, "open": self.open_card},
            of_seats_named={
                SENAPATI: self._put_senapati,
                "hand": self._put_hand,
                **{mark.value: partial(self._put_mark, mark) for mark in Mark},
            },
        )

    def _put_turn(self, place: Place) -> None:
        """Whose turn it is; it then starts anew."""
        state = self.state
        state.active = one_of(place, state.seats)
        state.used_skill = state.repeated = False

    def _put_phase(self, place: Place) -> None:
        """Which phase it is: hands are dealt, or action cards put away."""
        phase = Phase(one_of(place, [p.value for p in Phase if p is not Phase.RETURN]))
        if self.state.phase is Phase.DEAL and phase is not Phase.DEAL:
            self.begin_lane_phase()
        if self.state.phase is Phase.LANE and phase is Phase.FREE:
            for seat in self.state.seats:
                self.return_hand(seat, "Per 13")
                self._place_rajasa(seat)
            self.state.free_since = self.state.turn
        self.state.phase = phase

    def _place_rajasa(self, seat: str) -> None:
        piece = self.rajasa(seat)
        self.state.pieces[piece] = self.cell(piece) or self.places_for(piece)[0]

    def _put_senapati(self, seat: str, lane: str, place: Place) -> None:
        """A Senapati on a free square, or off the board; in the Lane Phase within its lane."""
        piece = f"{SENAPATI}/{seat}/{lane}"
        one_of(piece, [p for p in self.all_pieces if not is_rajasa(p)])
        cell = "" if place in (None, "none") else str(place)
        allowed = self._cells_for(piece)
        if not cell and self._may_be_lost(piece):
            self.forget_marks(piece)
        else:
            one_of(cell, allowed)
        self.state.pieces[piece] = cell
        self._forget_return(piece)

    def _put_rajasa(self, seat: str, place: Place) -> None:
        """A Rajasa on a free square; it is off the board in the Lane Phase only."""
        piece = self.rajasa(seat)
        one_of(piece, [p for p in self.all_pieces if is_rajasa(p)])
        if self.state.phase in (Phase.DEAL, Phase.LANE):
            raise BadSetup(N_("The Rajasa comes to the board in the Free Phase (ruling S11)."))
        self.state.pieces[piece] = one_of(place, self._cells_for(piece))
        self._forget_return(piece)

    def _forget_return(self, piece: str) -> None:
        """A piece that the table has put on the board need not come back any more."""
        waiting = self.state.to_return
        if piece in waiting:
            waiting.remove(piece)
            if not waiting:
                self.begin_free_phase()

    def _cells_for(self, piece: str) -> list[str]:
        """The squares where a piece could stand now."""
        taken = {cell for p, cell in self.state.pieces.items() if p != piece}
        cells = [cell for cell in self.field.cells if cell not in taken]
        if self.state.phase not in (Phase.DEAL, Phase.LANE):
            return cells
        seat = owner(piece)
        lane = lane_of(piece)
        enemy = self.cell(self.senapati(self.other(seat), lane))
        limit = self.field.own_row(seat, enemy) if enemy else self.field.board.rows + 1
        return [
            cell
            for cell in cells
            if cell[0] == self.field.board.lanes[lane - 1]
            and self.defeat_row() < self.field.own_row(seat, cell) < limit
        ]

    def _may_be_lost(self, piece: str) -> bool:
        """Per 10 In a lane one of the two stays; Cara 7 all come back, and can then be taken."""
        if self.state.phase not in (Phase.DEAL, Phase.LANE):
            return self.state.phase is Phase.FREE
        return bool(self.cell(self.senapati(self.other(owner(piece)), lane_of(piece))))

    def _put_mark(self, mark: Mark, seat: str, which: str, place: Place) -> None:
        """Whether a skill card holds for a piece: "on", or not there."""
        piece = self.rajasa(seat) if which == RAJASA else f"{SENAPATI}/{seat}/{which}"
        pieces = [p for p in self.all_pieces if self.cell(p)]
        one_of(piece, pieces if self.state.phase is Phase.FREE else [])
        held = self.state.marks.setdefault(mark.value, [])
        if place in (None, "none"):
            self.state.marks[mark.value] = [p for p in held if p != piece]
        elif one_of(place, ("on",)) and piece not in held:
            held.append(piece)

    def _put_hand(self, seat: str, deck: str, place: Place) -> None:
        """Skill cards of a hand; of action cards there are always three, or none (Per 4, 13)."""
        one_of(deck, (self.action_deck(seat), SKILL))
        if deck == SKILL and self.state.phase in (Phase.RETURN, Phase.FREE):
            most = self.catalogue.sizes[SKILL]
            self.set_hand_count(seat, SKILL, number(place, 0, most))
            return
        count = self.state.hands[seat].counts.get(deck, 0)
        number(place, count, count)

    # -- seats ---------------------------------------------------------------------------------

    def leave(self, seat: str) -> None:
        """House rule: the game is for two, so whoever leaves gives it up and the other wins."""
        seat_of(seat, self.state.seats)
        self.end((self.other(seat),), "Per 1", "left")

    def join(self, seat: str, name: str) -> None:
        """Per 1 Two players, no more."""
        raise NotNow(N_("This game is for two; nobody else can join (Per 1)."))

    # -- looking -------------------------------------------------------------------------------

    def view(self, who: str | None) -> View:
        """What a seat, or everybody, may see."""
        state = self.state
        return View(
            game=self.name,
            who=who,
            turn=state.turn,
            active=owner(state.to_return[0]) if state.to_return else state.active,
            phase=state.phase.value,
            seats=tuple(self._seat_view(seat, who) for seat in state.seats),
            board=self._board_view(),
            piles=tuple(self._pile_views()),
            winners=() if state.ending is None else state.ending.winners,
            layout=self.layout(),
        )

    def _seat_view(self, seat: str, who: str | None) -> SeatView:
        lanes = self.state.phase in (Phase.DEAL, Phase.LANE)
        facts: dict[str, int | str] = {"pieces": len(list(self.on_board(seat)))}
        if lanes:
            facts = {"lanes": self.lanes_won(seat)}
        return self.seat_view(seat, who, facts)

    def _pile_views(self) -> Iterator[PileView]:
        """The decks of the phase."""
        lanes = self.state.phase in (Phase.DEAL, Phase.LANE)
        for deck, pile in sorted(self.state.decks.items()):
            if lanes != (deck == SKILL):
                top = (pile.discard or [""])[-1]
                yield PileView(deck, pile.draw, len(pile.discard), top)

    def _board_view(self) -> GridBoard:
        """Every cell with the piece on it."""
        at = {cell: piece for piece, cell in self.state.pieces.items() if cell}
        grid = self.field.grid
        cells = tuple(self._cell_view(cell, at.get(cell, "")) for cell in self.field.cells)
        return GridBoard(grid.column_names, grid.row_names, cells)

    def _cell_view(self, cell: str, piece: str) -> CellView:
        if not piece:
            return CellView(cell)
        mark = next((mark.value for mark in Mark if self.is_marked(piece, mark)), "")
        great = is_rajasa(piece)
        return CellView(cell, owner(piece), RAJASA if great else SENAPATI, great, mark)

    def check(self) -> None:
        """Per 1 to 4, 10 Pieces on squares of their own, hands of three, no card made or lost."""
        self.check_cards()
        state = self.state
        cells = [cell for cell in state.pieces.values() if cell]
        if len(set(cells)) < len(cells) or not self.field.known.issuperset(cells):
            raise RulesBug("two pieces on one square, or one beyond the board")
        lanes = state.phase is Phase.LANE
        for seat in state.seats:
            held = state.hands[seat].counts.get(self.action_deck(seat), 0)
            if held != (HAND if lanes else 0):
                raise RulesBug(f"{seat} holds {held} action cards")
        if lanes and any(self._is_empty(lane) for lane in self.field.lanes):
            raise RulesBug("a lane has lost both its Senapati")
        for held_pieces in state.marks.values():
            if any(not self.cell(piece) for piece in held_pieces):
                raise RulesBug("a piece off the board is marked")

    def _is_empty(self, lane: int) -> bool:
        return not any(self.cell(self.senapati(seat, lane)) for seat in self.state.seats)
