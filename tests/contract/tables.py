"""Tables of every game on the shelf, for tests that hold for all games."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from companion.games.shelf import open_box
from companion.rules.errors import CompanionError
from companion.rules.game import Game
from companion.rules.lines import Line
from companion.rules.session import Session
from companion.virtual import VirtualTable

SETUPS: dict[str, Sequence[dict[str, Any]]] = {
    "carpet-racers": [
        {"seats": ["Ana", "Budi", "Cici"]},
        {"seats": ["Ana", "Budi", "Cici", "Dewi", "Eka"], "track": "playground", "first": "C"},
        {"seats": ["Ana", "Budi"], "track": "playground"},
        {"seats": ["Ana", "Budi", "Cici", "Dewi"], "tags": "chips and traps"},
        {
            "seats": ["Ana", "Budi", "Cici"],
            "track": "playground",
            "tags": "chips",
            "rulings": {
                "R1": "at_once",
                "R2": "in_lap_1",
                "R8": "forced",
                "R12": "no_look",
                "R15": "nobody",
                "R16": "to_the_merge",
            },
        },
    ],
    "chaos-kart": [
        {"seats": ["Ana", "Budi"], "laps": 1},
        {"seats": ["Ana", "Budi", "Cici"], "laps": 2, "first": "B"},
        {"seats": ["A1", "B1", "C1", "D1", "E1"], "laps": 1, "direction": "counter-clockwise"},
        {"seats": [f"P{n}" for n in range(8)], "laps": 1, "rulings": {"A6": "reentry"}},
        {
            "seats": ["Ana", "Budi", "Cici", "Dewi"],
            "laps": 1,
            "rulings": {
                "A5": "lap_on_entry",
                "A6": "lap_debt",
                "A8": "step_by_step",
                "A26": "first_trap",
                "A33": "anti_senggol_blocks_passing",
                "A34": "where_it_came_from",
                "A42": "immediate",
                "A47": "any_negative",
                "A57": "one_extra",
                "A65": "goes_outside",
            },
        },
        {
            "seats": ["Ana", "Budi", "Cici"],
            "laps": 1,
            "rulings": {"A17": "traps_only", "A34": "where_it_came_from", "A63": "at_step_4"},
        },
    ],
    "senapati": [
        {"seats": ["Ana", "Budi"]},
        {
            "seats": ["Ana", "Budi"],
            "first": "B",
            "rulings": {
                "S1": "defeat_row",
                "S2": "within_two",
                "S8": "winner_starts",
                "S9": "start_squares",
                "S12": "as_action",
                "S14": "sacrifice_saves",
                "S17": "third_repetition",
            },
        },
        {
            "seats": ["Ana", "Budi"],
            "rulings": {
                "S2": "within_three",
                "S8": "bonus_skill",
                "S10": "more_lanes_start",
                "S17": "thirty_turns",
            },
        },
    ],
    "tapak-arwah": [
        {"seats": ["Ana", "Budi"]},
        {"seats": ["Ana", "Budi"], "ghost": "B", "first": "human", "rounds": 30},
        {
            "seats": ["Ana", "Budi"],
            "first": "ghost",
            "rulings": {"T1": "four_sided", "T2": "at_once", "T3": "attack", "T6": "attack_first"},
        },
        {
            "seats": ["Ana", "Budi"],
            "die": 8,
            "rulings": {
                "T1": "no_effect",
                "T2": "also_combat",
                "T3": "start_safe",
                "T8": "own_turn_only",
            },
        },
    ],
    "uno-mario-kart": [
        {"seats": ["Ana", "Budi"], "target": 60},
        {"seats": ["Ana", "Budi", "Cici", "Dewi"], "target": 100, "start": "draw cards"},
        {"seats": [f"P{n}" for n in range(10)], "target": 150, "start": "first player"},
        {
            "seats": ["Ana", "Budi"],
            "target": 60,
            "rulings": {
                "U2": "others",
                "U3": "last_turn",
                "U4": "flip_first",
                "U5": "recursive",
                "U9": "acts_as_skip",
                "U16": "own_next_turn",
                "U17": "round_ends",
                "U23": "after_item",
            },
        },
        {
            "seats": ["Ana", "Budi", "Cici", "Dewi", "Eka"],
            "target": 100,
            "rulings": {"U3": "next_player", "U4": "flip_first", "U16": "own_next_turn"},
        },
    ],
}
"""For each game a few set-ups that between them use its switches."""

ALL = [(game, number) for game, setups in SETUPS.items() for number in range(len(setups))]


def begin(game: str, number: int) -> Game[Any]:
    box = open_box(game)
    setup = msgspec.convert(SETUPS[game][number], box.setup_type)
    begun: Game[Any] = box.begin(setup, box.content())
    return begun


class Players:
    """A session with virtual people who answer, and sometimes do other things."""

    def __init__(self, game: str, number: int, seed: int, *, silences: bool = True) -> None:
        self.random = Random(seed)
        self.lines: list[Line] = []
        self.session: Session[Any] = Session(
            begin(game, number), "salt", silences=silences, write=self.lines.append
        )
        self.table = VirtualTable(self.session.game, Random(seed))

    def answer(self) -> None:
        """Give one answer that real cards allow."""
        self.session.answer(self.table.answer(self.session.prompt))

    def answer_any(self) -> None:
        """Give one allowed answer, whatever cards are really where."""
        self.session.answer(self.random.choice(list(self.session.prompt.options())))

    def settle(self) -> None:
        """Agree to whatever is asked, put everything back."""
        while self.session.consent is not None:
            self.session.answer("yes")
        if self.session.put_back:
            self.session.answer("done")

    def dare(self, act: Any) -> bool:
        """Try something; whether it was allowed."""
        try:
            act()
        except CompanionError:
            return False
        return True
