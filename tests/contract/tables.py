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
}
"""For each game a few set-ups that between them use its switches."""

ALL = [(game, number) for game, setups in SETUPS.items() for number in range(len(setups))]


def begin(game: str, number: int) -> Game[Any]:
    box = open_box(game)
    setup = msgspec.convert(SETUPS[game][number], box.setup_type)
    return box.begin(setup, box.content())


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
