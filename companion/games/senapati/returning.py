"""Cara 7, Per 11 to 13 From the Lane Phase to the Free Phase: all pieces come to the board."""

from __future__ import annotations

from functools import partial

from companion.games.senapati.content import SKILL
from companion.games.senapati.happenings import LanesWon, PhaseBegan, Returned
from companion.games.senapati.lanes import Lanes
from companion.games.senapati.state import Phase
from companion.games.senapati.table import is_rajasa, lane_of, owner
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, impossible

FREE_TURN, BONUS = "first-turn", "skill-card"
"""Rulings S8, S10 What more lanes won can be worth."""


class Returning(Lanes):
    """Cara 7."""

    def end_lane_phase(self) -> None:
        """Per 12, 13, Cara 7 Action cards are put away; then pieces come to the board in turn."""
        for seat in self.state.seats:
            self.return_hand(seat, "Per 13")
        self.reward_lanes()
        self.state.phase = Phase.RETURN
        self.state.to_return = list(self.pieces_to_return())

    def reward_lanes(self) -> None:
        """Rulings S8, S10: by default lanes won bring no more than the squares gained."""
        seats = self.state.seats
        won = [self.lanes_won(seat) for seat in seats]
        if min(won) == max(won):
            return
        best = seats[won.index(max(won))]
        if self.ruling("S8") == "bonus_skill":
            self.note_reward(best, "S8", BONUS)
            self.draw(best, SKILL, 1, "Cara 6", "S8")
        starts = {"S8": "winner_starts", "S10": "more_lanes_start"}
        ruling = next((r for r, variant in starts.items() if self.ruling(r) == variant), "")
        if ruling:
            self.note_reward(best, ruling, FREE_TURN)
            self.state.active = best

    def note_reward(self, seat: str, ruling: str, gain: str) -> None:
        """Rulings S8, S10: write down who has won more lanes and what that brings."""
        count = self.lanes_won(seat)
        self.record(LanesWon(rule="Cara 6", ruling=ruling, seat=seat, count=count, gain=gain))

    def pieces_to_return(self) -> list[str]:
        """Cara 7, Per 11, rulings S9, S11: both Rajasa, then beaten Senapati by lane."""
        seats = [self.state.active, self.other(self.state.active)]
        kings = [self.rajasa(seat) for seat in seats]
        if self.ruling("S9") == "start_squares":
            self.to_the_start()
            return kings
        return [*kings, *(piece for seat in seats for piece in self.lost(seat))]

    def to_the_start(self) -> None:
        """Ruling S9, a variant: every Senapati goes to its start square."""
        for seat in self.state.seats:
            for lane in self.field.lanes:
                piece, start = self.senapati(seat, lane), self.field.start(seat, lane)
                if self.cell(piece) != start:
                    self.enter(piece, start, "S9")

    async def return_piece(self) -> None:
        """Cara 7, rulings S9, S11: the next piece comes to its place; equals are chosen from."""
        piece = self.state.to_return[0]
        cells = self.places_for(piece)
        cell = cells[0] if len(cells) == 1 else await self.ask(self.offer_place, piece)
        self.state.to_return.remove(piece)
        self.enter(piece, cell, "S11" if is_rajasa(piece) else "S9")
        if not self.state.to_return:
            self.begin_free_phase()

    def offer_place(self, piece: str) -> Prompt[str]:
        """Rulings S9, S11: squares that are equally near."""
        return Prompt(
            "return",
            owner(piece),
            "Cara 7",
            tuple(self.places_for(piece)),
            args={"piece": piece},
            otherwise=partial(self.not_a_place, piece),
            where=self.field.cells_of,
        )

    def not_a_place(self, piece: str, choice: Choice) -> Refusal | None:
        """Rulings S9, S11: why a piece does not come back to another square."""
        if len(self.field.cells_of(choice)) != 1:
            return None
        ruling = "S11" if is_rajasa(piece) else "S9"
        return impossible("Cara 7", N_("It comes to the nearest free square."), ruling)

    def places_for(self, piece: str) -> list[str]:
        """Rulings S9, S11: the nearest free squares of the home row, else of the next rows."""
        seat = owner(piece)
        taken = set(self.state.pieces.values())
        column = self.home_column(piece)
        for own_row in range(1, self.field.board.rows + 1):
            row = self.field.row(seat, own_row)
            free = [f"{c}{row}" for c in self.field.grid.column_names if f"{c}{row}" not in taken]
            if free:
                away = {cell: abs(ord(cell[0]) - ord(column)) for cell in free}
                nearest = min(away.values())
                return [cell for cell in free if away[cell] == nearest]
        return []

    def home_column(self, piece: str) -> str:
        """Rulings S9, S11: a Senapati belongs to its lane, the Rajasa to its home."""
        board = self.field.board
        return board.rajasa if is_rajasa(piece) else board.lanes[lane_of(piece) - 1]

    def enter(self, piece: str, cell: str, ruling: str) -> None:
        """Cara 7 A piece comes to a square of the board."""
        back = Returned(rule="Cara 7", ruling=ruling, seat=owner(piece), piece=piece, end=cell)
        self.put_piece(piece, cell, back)

    def begin_free_phase(self) -> None:
        """Per 13, Cara 7, ruling S10: the Free Phase begins; by default turns go on in order."""
        state = self.state
        state.phase = Phase.FREE
        state.used_skill, state.quiet, state.positions = False, 0, {}
        state.free_since = state.turn
        self.record(
            PhaseBegan(rule="Per 13", ruling="S10", phase=Phase.FREE.value, seat=state.active)
        )
