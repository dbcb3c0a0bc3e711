"""Per 1, 2, 3, 17 The board and the cards as typed records, read from TOML and checked.

`board.toml` says where everything begins; the drawing of the real board is not public. Of
`cards.toml` the action cards are the real ones, the skill cards a sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated

import msgspec

from companion.games.senapati.effects import Effect
from companion.rules.cards import SCAN, CardCatalogue, deck_faults
from companion.rules.content import (
    ContentId,
    Fault,
    Words,
    read_checked,
    words_faults,
)
from companion.rules.grids import CROSS, LETTERS, MOST, PLUS, Grid
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import seat_ids

HAND = 3
"""Per 4 Action cards in a hand."""
LANES = 7
"""Per 2 Senapati of each player."""
SKILL = "skill"
"""Per 17 The deck of skill cards."""
SWAP, SACRIFICE = "swap", "sacrifice"
"""Choices that are neither cards nor squares."""
YES, NO = "yes", "no"
PLAYERS = 2
"""Per 1"""

Copies = Annotated[int, msgspec.Meta(ge=1, le=40)]
Column = Annotated[str, msgspec.Meta(pattern=r"^[a-i]$")]
Row = Annotated[int, msgspec.Meta(ge=1, le=MOST)]

_PLACE = re.compile(r"[a-i][1-9](-[a-i][1-9])?")


# -- the board -------------------------------------------------------------------------------------


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`board.toml`: how large the board is, and where the pieces begin.

    Rows are counted from each player's own side; row 1 is the home row.
    """

    columns: Annotated[int, msgspec.Meta(ge=3, le=MOST)]
    rows: Annotated[int, msgspec.Meta(ge=4, le=MOST)]
    lanes: Annotated[tuple[Column, ...], msgspec.Meta(min_length=1, max_length=MOST)]
    start: tuple[Row, ...]
    """The row on which each lane's two Senapati begin."""
    rajasa: Column
    """The column of the home row where both Rajasa come to stand."""
    defeat_row: Row = 1
    """The row on which a Senapati is lost where ruling S1 says that there is one."""
    sample: bool = False


class Field:
    """The board as the rules look at it. The first seat has row 1, the second one the top row."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.grid = Grid(board.columns, board.rows)
        self.cells = tuple(self.grid.cells())
        self.lanes = tuple(range(1, len(board.lanes) + 1))
        self.around = {cell: tuple(self._around(cell)) for cell in self.cells}
        """The cells around each, those along rows and columns first."""
        self.known = frozenset(self.cells)

    def _around(self, cell: str) -> Iterator[str]:
        for direction in (*PLUS, *CROSS):
            other = self.grid.step(cell, direction)
            if other:
                yield other

    def row(self, seat: str, own_row: int) -> int:
        """The row of the board that a seat counts so from its own side."""
        return own_row if seat == FIRST else self.board.rows + 1 - own_row

    def own_row(self, seat: str, cell: str) -> int:
        """Per 7, 8 How far a cell is from a seat's own side; 1 is its home row."""
        return self.row(seat, self.grid.row(cell))

    def start(self, seat: str, lane: int) -> str:
        """Per 2 The start square of a Senapati."""
        row = self.row(seat, self.board.start[lane - 1])
        return f"{self.board.lanes[lane - 1]}{row}"

    def straight(self, cell: str, other: str) -> bool:
        """Per 14 Whether two cells lie in one row or column."""
        return cell[0] == other[0] or cell[1] == other[1]

    def cells_of(self, choice: object) -> tuple[str, ...]:
        """The cells that a choice names: "d4", or from and to, "d4-d5"; none for anything else."""
        cells = tuple(str(choice).split("-"))
        return cells if len(cells) <= PLAYERS and self.known.issuperset(cells) else ()


FIRST = seat_ids(PLAYERS)[0]


# -- the cards -------------------------------------------------------------------------------------


class Action(StrEnum):
    """Per 3 The kinds of action cards."""

    MACHETE = "machete"
    SHIELD = "shield-card"
    SPEAR = "spear"


PUSHES = {Action.MACHETE: 1, Action.SPEAR: 2}
"""Per 7, 9 How far a card pushes."""
COUNTS = {Action.MACHETE: 5, Action.SHIELD: 3, Action.SPEAR: 2}
"""Per 3 How many of each a deck has."""


class ActionCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Per 3 An action card; both players have a deck of their own with so many of it."""

    card: Action
    count: Copies
    name: Words
    text: Words = {}


class SkillCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Per 17, 18 A skill card and what it does, one effect after the other."""

    id: ContentId
    count: Copies
    name: Words
    effects: Annotated[tuple[Effect, ...], msgspec.Meta(min_length=1)]
    text: Words = {}


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`cards.toml`. `sample` labels skill cards that are not the real ones."""

    action: tuple[ActionCard, ...]
    skill: tuple[SkillCard, ...]
    sample: bool = False


class Content:
    """The cards and what the rules look up in them."""

    def __init__(self, cards: Cards) -> None:
        self.file = cards
        self.skills = {card.id: card for card in cards.skill}
        self.skill_ids = tuple(self.skills)
        self.actions = {card.card: card for card in cards.action}
        self.action_ids = {
            seat: {action_id(card, seat): card for card in self.actions}
            for seat in seat_ids(PLAYERS)
        }
        """Each player's own action cards by id."""
        self.action_of = {
            card: action for own in self.action_ids.values() for card, action in own.items()
        }
        self.catalogue = self._catalogue()

    def _catalogue(self) -> CardCatalogue:
        totals = {card.id: card.count for card in self.file.skill}
        deck_of = dict.fromkeys(totals, SKILL)
        names = {card.id: Named(card.name) for card in self.file.skill}
        for seat, own in self.action_ids.items():
            for card, action in own.items():
                totals[card] = self.actions[action].count
                deck_of[card] = action_deck(seat)
                names[card] = Named(self.actions[action].name)
        return CardCatalogue(totals, deck_of, names)

    def text(self, card: str) -> Words:
        """What a card says."""
        action = self.action_of.get(card)
        return self.actions[action].text if action else self.skills[card].text


def action_deck(seat: str) -> str:
    """Per 3 A player's own deck."""
    return f"action-{seat.lower()}"


def action_id(card: Action, seat: str) -> str:
    """Per 3 An action card of a player's own deck."""
    return f"{card.value}-{seat.lower()}"


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def read_cards(text: str, filename: str = "cards.toml") -> Content:
    """Cards from TOML; raises BadContent with line, field and what is allowed."""
    return Content(read_checked(text, Cards, filename, _card_faults))


@lru_cache(maxsize=8)
def read_board(text: str, filename: str = "board.toml") -> Field:
    """A board from TOML; raises BadContent with line, field and what is allowed."""
    return Field(read_checked(text, Board, filename, _board_faults))


def _board_faults(board: Board) -> Iterator[Fault]:
    columns = LETTERS[: board.columns]
    for number, lane in enumerate(board.lanes):
        if lane not in columns:
            yield ["lanes"], f"there is no column {lane}; allowed: {', '.join(columns)}"
        if lane in board.lanes[:number]:
            yield ["lanes"], f"column {lane} is a lane already; each is one lane at the most"
    if len(board.start) != len(board.lanes):
        yield ["start"], f"one row for each lane: {len(board.lanes)} rows"
    if max(board.start, default=0) * 2 > board.rows:
        yield ["start"], f"the two Senapati of a lane start apart: row {board.rows // 2} at most"
    if board.rajasa not in columns:
        yield ["rajasa"], f"there is no column {board.rajasa}; allowed: {', '.join(columns)}"
    if board.defeat_row * 2 > board.rows:
        yield ["defeat_row"], f"on one's own half: row {board.rows // 2} at most"
    for lane, row in zip(board.lanes, board.start, strict=False):
        if (lane, row) == (board.rajasa, 1):
            yield ["rajasa"], f"a Senapati starts on {lane}1; the Rajasa has a square of its own"


def _card_faults(cards: Cards) -> Iterator[Fault]:
    kinds = [card.card for card in cards.action]
    if sorted(kinds) != sorted(Action):
        yield ["action"], f"each of these once: {', '.join(Action)} (Per 3)"
    if sum(card.count for card in cards.action) <= HAND:
        yield ["action"], f"a deck needs more than the {HAND} cards of a hand (Per 4)"
    for number, action in enumerate(cards.action):
        yield from words_faults(["action", number, "name"], action.name)
        yield from words_faults(["action", number, "text"], action.text or None)
    yield from _skill_faults(cards.skill)


def _skill_faults(skills: Sequence[SkillCard]) -> Iterator[Fault]:
    taken = {SWAP, SACRIFICE, SCAN, YES, NO, "pass", "done"}
    taken |= {action_id(card, seat) for card in Action for seat in seat_ids(PLAYERS)}
    taken |= {card.id for card in skills if _PLACE.fullmatch(card.id)}
    yield from deck_faults({"skill": skills}, taken)


def advice(content: Content, field: Field) -> Iterator[Phrase]:
    """What an owner should know, though it can be played."""
    for action, card in content.actions.items():
        if card.count != COUNTS[action]:
            yield Phrase(
                N_("{n} of {card} in a deck: the rulebook has {count} (Per 3)."),
                {"n": card.count, "card": Named(card.name), "count": COUNTS[action]},
            )
    if len(field.lanes) != LANES:
        yield Phrase(
            N_("{n} lanes: the rulebook has {count} Senapati each (Per 2)."),
            {"n": len(field.lanes), "count": LANES},
        )
    if content.file.sample:
        yield Phrase(N_("The skill cards are a sample: the real ones are not public."))
    if field.board.sample:
        yield Phrase(
            N_("The places on the board are our reading: the drawing of the real one is lost.")
        )


# -- what ships ------------------------------------------------------------------------------------
