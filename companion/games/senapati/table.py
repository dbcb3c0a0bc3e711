"""What all rules of Senapati and Rajasa share: looking at the board, pieces coming and going."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec

from companion.games.senapati.content import PLAYERS, SKILL, Content, Field, action_deck
from companion.games.senapati.happenings import Marked, MarkLifted, PieceMoved
from companion.games.senapati.state import Mark, SenapatiState
from companion.rules.cards import CardGame
from companion.rules.events import DrawIgnored, Event
from companion.rules.prompts import Refusal
from companion.rules.rulings import Register
from companion.rules.setups import seat_ids

RAJASA, SENAPATI = "rajasa", "senapati"
SEATS = seat_ids(PLAYERS)


def owner(piece: str) -> str:
    """Per 2 Whose piece it is."""
    return piece.split("/")[1]


def is_rajasa(piece: str) -> bool:
    """Per 2 Whether a piece is a Rajasa."""
    return piece.startswith(RAJASA)


def lane_of(piece: str) -> int:
    """Cara 4 The lane that a Senapati begins in."""
    return int(piece.rpartition("/")[2])


class Table(CardGame[SenapatiState]):
    """The state as the rules look at it."""

    name: ClassVar[str] = "senapati"
    deck_rule = "Per 4"
    deck_ruling = "S6"
    hand_rule = "Per 4"
    state: SenapatiState

    def __init__(
        self, state: SenapatiState, content: Content, field: Field, register: Register
    ) -> None:
        super().__init__(state, register)
        self.content = content
        self.field = field
        self.catalogue = content.catalogue
        senapati = [self.senapati(seat, lane) for seat in SEATS for lane in field.lanes]
        self.all_pieces = (*senapati, *(self.rajasa(seat) for seat in SEATS))
        """Per 2 Every piece in a fixed order: Senapati by lane, then Rajasa."""

    # -- looking -------------------------------------------------------------------------------

    def other(self, seat: str) -> str:
        """Per 1 The opponent."""
        return next(other for other in self.state.seats if other != seat)

    def senapati(self, seat: str, lane: int) -> str:
        """Per 2 The Senapati that begins in a lane."""
        return f"{SENAPATI}/{seat}/{lane}"

    def rajasa(self, seat: str) -> str:
        """Per 2 A player's Rajasa."""
        return f"{RAJASA}/{seat}"

    def cell(self, piece: str) -> str:
        """Where a piece stands, "" off the board."""
        return self.state.pieces[piece]

    def on_board(self, seat: str) -> Iterator[str]:
        """A player's pieces on the board, Senapati by lane, then the Rajasa."""
        return (p for p in self.all_pieces if self.cell(p) and owner(p) == seat)

    def taken(self) -> dict[str, str]:
        """The piece on every cell that has one: for looking at many cells at once."""
        return {cell: piece for piece, cell in self.state.pieces.items() if cell}

    def piece_at(self, cell: str) -> str:
        """The piece on a cell, "" for none."""
        return next((p for p, at in self.state.pieces.items() if at == cell), "")

    def lost(self, seat: str) -> list[str]:
        """Per 10, 16 A player's Senapati that are off the board, by lane."""
        every = (self.senapati(seat, lane) for lane in self.field.lanes)
        return [piece for piece in every if not self.cell(piece)]

    def skills_left(self) -> bool:
        """Ruling S13 Whether there is a skill card to take."""
        return self.state.decks[SKILL].draw > 0

    def is_marked(self, piece: str, mark: Mark) -> bool:
        """Per 18 Whether a skill card holds for a piece."""
        return piece in self.state.marks.get(mark, ())

    # -- doing ---------------------------------------------------------------------------------

    def put_piece(self, piece: str, end: str, event: Event) -> int:
        """Put a piece on a cell, "" for off the board, and write it down."""
        self.state.pieces[piece] = end
        return self.record(event)

    def go(self, piece: str, end: str, rule: str) -> int:
        """Per 14, 15 A piece goes to another square; gives the event's number."""
        moved = PieceMoved(
            rule=rule, seat=owner(piece), piece=piece, start=self.cell(piece), end=end
        )
        return self.put_piece(piece, end, moved)

    def mark(self, piece: str, mark: Mark) -> None:
        """Per 18 A skill card holds for a piece from now on."""
        self.state.marks.setdefault(mark.value, []).append(piece)
        self.record(Marked(rule="Per 18", seat=owner(piece), piece=piece, mark=mark.value))

    def lift_marks(self, seat: str, mark: Mark) -> None:
        """Per 18 The marks of a kind on a player's pieces are over."""
        held = self.state.marks.get(mark, [])
        for piece in [piece for piece in held if owner(piece) == seat]:
            held.remove(piece)
            self.record(MarkLifted(rule="Per 18", seat=seat, piece=piece, mark=mark.value))

    def forget_marks(self, piece: str) -> None:
        """Per 18 A piece that leaves the board has no marks."""
        for held in self.state.marks.values():
            if piece in held:
                held.remove(piece)

    def refill(self, deck: str) -> bool:
        """Per 4 An empty deck is made anew of the used cards; Per 18 skill cards are used once."""
        if deck == SKILL:
            return self.skills_left()
        return super().refill(deck)

    def draw(self, seat: str, deck: str, count: int, rule: str, ruling: str | None = None) -> int:
        """Per 4, 17, ruling S13: of skill cards there are only so many to be taken."""
        there = self.state.decks[deck].draw
        if deck != SKILL or count <= there:
            return super().draw(seat, deck, count, rule, ruling)
        super().draw(seat, deck, there, rule, ruling)
        self.record(DrawIgnored(rule=rule, ruling="S13", seat=seat, deck=deck))
        return there

    def cannot_hold(self, seat: str, card: str) -> Refusal | None:
        """Per 4 Of action cards; Per 18 of skill cards, which are used once."""
        return self._of_kind(card, super().cannot_hold(seat, card))

    def cannot_scan(self, seat: str, card: str) -> Refusal | None:
        """Per 4 Of action cards; Per 18 of skill cards."""
        return self._of_kind(card, super().cannot_scan(seat, card))

    def _of_kind(self, card: str, refusal: Refusal | None) -> Refusal | None:
        if refusal is None or self.catalogue.deck_of[card] != SKILL:
            return refusal
        return msgspec.structs.replace(refusal, rule="Per 18")

    def action_deck(self, seat: str) -> str:
        """Per 3 A player's own deck."""
        return action_deck(seat)
