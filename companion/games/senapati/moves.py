"""Cara 8 to 10, Per 14 to 16 Moving and taking in the Free Phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.senapati.happenings import Taken
from companion.games.senapati.returning import Returning
from companion.games.senapati.state import Mark
from companion.games.senapati.table import is_rajasa, owner
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Refusal, impossible, refuse

Taking = Mapping[str, str]
"""Taken cells, each with its piece."""


class Moves(Returning):
    """Cara 9, 10."""

    def moves_of(self, seat: str) -> Iterator[str]:
        """Cara 9 From every own piece to every square around it; not all of these are allowed."""
        for piece in self.on_board(seat):
            cell = self.cell(piece)
            for other in self.field.around[cell]:
                yield f"{cell}-{other}"

    # -- Per 14, 15 ----------------------------------------------------------------------------

    def why_not_move(self, taken: Taking, start: str, end: str) -> Refusal | None:
        """Per 14, 15, 18 Whether a piece goes that way, and no skill card is against it."""
        piece, there = taken[start], taken.get(end, "")
        refusal = self.why_not_pattern(piece, start, end)
        if refusal is not None:
            return refusal
        if self.is_marked(piece, Mark.PINNED):
            return refuse("Per 18", N_("A skill card holds this piece in this turn."))
        if there and self.is_marked(there, Mark.GUARDED):
            return refuse("Per 18", N_("A skill card guards the piece there."))
        return None

    def why_not_pattern(self, piece: str, start: str, end: str) -> Refusal | None:
        """Per 14 A Senapati goes one square in the pattern +; Per 15 a Rajasa any way."""
        far = end not in self.field.around[start]
        if is_rajasa(piece):
            if far:
                return refuse("Per 15", N_("The Rajasa moves one square."))
        elif far or not self.field.straight(start, end):
            return refuse("Per 14", N_("A Senapati moves one square: up, down, left or right."))
        return None

    def cannot_move(self, seat: str, taken: Taking, start: str, end: str) -> Refusal | None:
        """Cara 9 One's own piece; ruling S16: not onto another one of one's own."""
        piece, there = taken.get(start, ""), taken.get(end, "")
        if not piece or owner(piece) != seat:
            return impossible("Cara 9", N_("No piece of yours stands on {cell}."), cell=start)
        if there and owner(there) == seat:
            rule = "Per 15" if is_rajasa(piece) else "Per 14"
            return impossible(rule, N_("A piece of your own stands on {cell}."), "S16", cell=end)
        return None

    def no_such_move(self, seat: str, choice: Choice) -> Refusal | None:
        """Cara 9, Per 14, 15 Why a move beyond the squares around a piece is none."""
        cells = self.field.cells_of(choice)
        if len(cells) < 2:
            return None
        taken = self.taken()
        return self.cannot_move(seat, taken, *cells) or self.why_not_move(taken, *cells)

    def can_move(self, seat: str) -> bool:
        """Per 19, Cara 12 Whether a player owns a piece that can move."""
        taken = self.taken()
        moves = (move.split("-") for move in self.moves_of(seat))
        return any(
            not self.cannot_move(seat, taken, *cells) and not self.why_not_move(taken, *cells)
            for cells in moves
        )

    # -- Per 16 --------------------------------------------------------------------------------

    def move(self, seat: str, start: str, end: str, rule: str = "") -> None:
        """Cara 9, 10, Per 14 to 16 Move a piece; an enemy on the square reached is taken."""
        piece, there = self.piece_at(start), self.piece_at(end)
        if there:
            self.take(there, by=seat)
        with self.because(self.go(piece, end, rule or self.rule_of(piece))):
            if there:
                self.write_taken(there, seat, end)

    def rule_of(self, piece: str) -> str:
        """Per 14, 15 The rule that a piece moves by."""
        return "Per 15" if is_rajasa(piece) else "Per 14"

    def take(self, piece: str, by: str) -> None:
        """Per 16, Cara 10 A piece leaves the board for good."""
        self.state.pieces[piece] = ""
        self.forget_marks(piece)
        self.state.quiet = -1
        self.state.positions = {}

    def write_taken(self, piece: str, by: str, cell: str) -> None:
        """Per 16 Write down what was taken; Per 19, Cara 12 with the Rajasa the game is won."""
        seat = owner(piece)
        taken = Taken(rule="Per 16", seat=seat, piece=piece, by=by, start=cell)
        with self.because(self.record(taken)):
            if is_rajasa(piece):
                self.end((by,), "Per 19", "rajasa")
