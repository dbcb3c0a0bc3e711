"""The set-up of Senapati and Rajasa."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.senapati.box import BOARD, BOX
from companion.games.senapati.setup import Setup
from companion.games.shelf import open_box
from companion.rules.errors import BadSetup
from companion.rules.session import Session


def begin(**values: Any) -> Session[Any]:
    setup = msgspec.convert({"seats": ["Ana", "Budi"], **values}, Setup)
    return Session(BOX.begin(setup, BOX.content()), "salt")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"seats": ["Ana"]}, "for two"),
        ({"seats": ["Ana", "Budi", "Cici"]}, "for two"),
        ({"seats": ["Ana", "ana"]}, "called Ana"),
        ({"first": "C"}, "Allowed: A, B"),
        ({"rulings": {"S3": "contact"}}, "S3 cannot be chosen"),
        ({"rulings": {"S2": "never"}}, "S2 has no variant never"),
    ],
)
def test_what_cannot_be_is_refused(values: dict[str, Any], told: str) -> None:
    with pytest.raises(BadSetup, match=told):
        begin(**values)


def test_nobody_starts_on_the_row_of_defeat() -> None:
    content = BOX.content()
    low = {**content, BOARD: content[BOARD].replace("4, 4, 4, 4", "1, 4, 4, 4")}
    setup = Setup(seats=("Ana", "Budi"), rulings={"S1": "defeat_row"})
    with pytest.raises(BadSetup, match="row 1 or behind"):
        BOX.begin(setup, low)
    BOX.begin(Setup(seats=("Ana", "Budi")), low)


def test_who_is_first_begins_the_lane_phase() -> None:
    for seat in ("A", "B"):
        session = begin(first=seat)
        assert (session.prompt.key, session.prompt.seat) == ("action", seat)
        assert session.game.view(None).phase == "lane"


def test_only_a_setting_that_is_not_in_the_rulebook_is_warned_of() -> None:
    assert BOX.warnings(Setup(seats=("Ana", "Budi"))) == []
    [told] = BOX.warnings(Setup(seats=("Ana", "Budi"), rulings={"S17": "thirty_turns"}))
    assert "S17" in told.plain()


def test_the_guide_speaks_in_the_first_turns_of_each_phase_only() -> None:
    session = begin()
    wording = open_box("senapati").wording(session.game)
    told = []
    for turn in range(6):
        told.append(wording.guide(session.prompt) is not None)
        seat = session.prompt.seat.lower()
        session.answer(f"machete-{seat}")
        session.answer(turn // 2 + 1)
    assert told == [True, True, True, True, False, False]
    session.game.state.guide = False
    assert wording.guide(session.prompt) is None


def test_a_piece_taken_does_not_bring_the_guide_back() -> None:
    session = begin()
    session.correct("phase", "free")
    session.answer("done")
    wording = open_box("senapati").wording(session.game)
    told = []
    for move in ("d1-d2", "d8-d7", "d2-d1", "d7-d8", "d4-d5", "c5-d5"):
        told.append(wording.guide(session.prompt) is not None)
        session.answer(move)
    told.append(wording.guide(session.prompt) is not None)
    assert told == [True, True, True, True, False, False, False]
