"""Corrections, seats and views of Senapati and Rajasa."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.senapati.box import BOX
from companion.games.senapati.game import Senapati
from companion.games.senapati.state import Phase
from companion.rules.errors import BadSetup, CompanionError, RulesBug
from companion.rules.grids import Grid
from companion.rules.layouts import Place
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.session import Session
from companion.rules.views import GridBoard
from tests.contract.tables import SETUPS, Players

SCENARIO = """
game = "senapati"
title = "a table"
setup = { seats = ["Ana", "Budi"], guide = false }
play = []
[start]
"""
CELLS = tuple(Grid(7, 8).cells())
FREE = SCENARIO + 'phase = "free"\n'


def at(start: str = "", text: str = FREE) -> Session[Any]:
    return Playing(read_scenario(text + start, "table.toml"), BOX).session


@pytest.mark.parametrize(
    ("text", "thing", "place"),
    [
        (SCENARIO, "senapati/A/3", "c5"),  # the enemy's square
        (SCENARIO, "senapati/A/3", "c6"),  # behind the enemy
        (SCENARIO, "senapati/A/3", "d3"),  # another lane
        (SCENARIO, "senapati/A/8", "d3"),
        (SCENARIO, "rajasa/A", "d1"),  # not before the Free Phase
        (SCENARIO, "hand/A/action-a", 2),
        (SCENARIO, "hand/A/action-b", 1),
        (SCENARIO, "hand/A/skill", 1),
        (SCENARIO, "discard/action-a", 3),
        (SCENARIO, "discard/trash", 0),
        (SCENARIO, "open/A", "machete-b"),
        (SCENARIO, "pinned/A/3", "on"),
        (SCENARIO, "turn", "C"),
        (SCENARIO, "phase", "return"),
        (FREE, "rajasa/A", None),
        (FREE, "rajasa/A", "a4"),
        (FREE, "senapati/A/3", "z9"),
        (FREE, "senapati/A/3", 5),
        (FREE, "hand/A/skill", 99),
        (FREE, "guarded/A/3", "upside down"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(text: str, thing: str, place: Place) -> None:
    session = at(text=text)
    before = session.digest()
    with pytest.raises(BadSetup):
        session.correct(thing, place)
    assert session.digest() == before


def test_what_is_no_thing_is_refused_with_what_there_is() -> None:
    with pytest.raises(CompanionError, match="senapati"):
        at().correct("dragon/A", "d4")


@pytest.mark.parametrize(
    ("thing", "place"),
    [
        ("senapati/A/3", "c6"),
        ("senapati/A/3", None),
        ("rajasa/B", "d6"),
        ("turn", "B"),
        ("hand/B/skill", 2),
        ("pinned/A/rajasa", "on"),
        ("guarded/B/4", "on"),
        ("discard/action-a", 0),
    ],
)
def test_what_the_table_agrees_on_is_so(thing: str, place: Place) -> None:
    session = at()
    session.correct(thing, place)
    assert session.game.layout().get(thing) == place
    session.game.check()


def test_a_mark_goes_with_its_piece_and_can_be_taken_away() -> None:
    session = at('"pinned/A/3" = "on"\n"guarded/A/4" = "on"\n')
    session.correct("senapati/A/3", None)
    assert session.put_back == [], "a mark lies nowhere on the table"
    assert "pinned/A/3" not in session.game.layout()
    session.correct("guarded/A/4", None)
    assert "guarded/A/4" not in session.game.layout()


def test_when_the_table_closes_the_last_lane_the_free_phase_begins() -> None:
    lanes = "".join(f'"senapati/B/{lane}" = "none"\n' for lane in range(1, 7))
    session = at(lanes, SCENARIO)
    session.correct("senapati/B/7", None)
    while session.put_back:
        session.answer("done")
    assert session.game.state.phase is Phase.FREE
    session.game.check()


def test_a_piece_that_the_table_sets_need_not_be_asked_about() -> None:
    lost = "".join(f'"senapati/A/{lane}" = "none"\n' for lane in (1, 2, 3, 5))
    lost += "".join(f'"senapati/B/{lane}" = "none"\n' for lane in (6, 7))
    session = at(lost + '"senapati/B/4" = "d8"\n', SCENARIO)
    session.answer("machete-a")
    assert session.game.state.phase is Phase.RETURN
    piece = session.game.state.to_return[0]
    assert piece == "senapati/B/4"
    session.correct(piece, "f6")
    assert piece not in session.game.state.to_return
    session.game.check()


def test_a_correction_in_the_middle_of_a_skill_uses_the_card_up() -> None:
    session = at('"hand/A/skill" = 1\n')
    session.answer("change-places")
    assert session.game.state.in_play == ["change-places"]
    session.correct("discard/skill", 0)
    while session.put_back or session.consent is not None:
        session.answer("done" if session.put_back else "yes")
    session.game.check()
    assert session.prompt.key in ("act", "skill-swap")


def test_the_board_shows_every_piece_with_its_owner_and_mark() -> None:
    session = at('"pinned/B/2" = "on"\n"senapati/A/4" = "none"\n')
    board = session.game.view(None).board
    assert isinstance(board, GridBoard)
    cells = {cell.name: cell for cell in board.cells}
    assert len(cells) == 56
    assert (cells["b5"].seat, cells["b5"].piece, cells["b5"].mark) == ("B", "senapati", "pinned")
    assert (cells["d1"].seat, cells["d1"].great) == ("A", True)
    assert cells["d4"].seat == ""


def test_piles_and_facts_are_those_of_the_phase() -> None:
    lanes, free = at(text=SCENARIO).game.view(None), at().game.view(None)
    assert [pile.deck for pile in lanes.piles] == ["action-a", "action-b"]
    assert [pile.deck for pile in free.piles] == ["skill"]
    assert dict(lanes.seats[0].facts) == {"lanes": 0}
    assert dict(free.seats[0].facts) == {"pieces": 8}


def test_players_may_swap_their_places_at_the_table() -> None:
    session = at()
    session.swap("A", "B")
    assert session.game.state.seats == ["B", "A"]
    session.answer("d4-d3")
    assert session.prompt.seat == "B"


def test_broken_states_are_noticed() -> None:
    game = at().game
    assert isinstance(game, Senapati)
    game.check()
    pieces, marks, hand = "senapati/A/1", "pinned", "action-a"
    for change in (
        {"pieces": {pieces: "d1"}},
        {"pieces": {pieces: "j9"}},
        {"marks": {marks: [pieces]}, "pieces": {pieces: ""}},
    ):
        broken = at().game
        for name, values in change.items():
            getattr(broken.state, name).update(values)
        with pytest.raises(RulesBug):
            broken.check()
    broken = at().game
    broken.state.hands["A"].counts[hand] = 1
    with pytest.raises(RulesBug):
        broken.check()
    lanes = at(text=SCENARIO).game
    lanes.state.pieces.update({"senapati/A/1": "", "senapati/B/1": ""})
    with pytest.raises(RulesBug, match="both"):
        lanes.check()


@pytest.mark.parametrize("number", range(len(SETUPS["senapati"])))
def test_people_who_do_anything_at_any_time_break_nothing(number: int) -> None:
    """Corrections, undo and redo at every question, in every phase."""
    for seed in range(3):
        players = Players("senapati", number, seed)
        for _ in range(150):
            do_anything(players, Random(players.random.random()))
            players.settle()
            if not players.session.run.in_step:
                players.session.game.check()


def do_anything(players: Players, chance: Random) -> None:
    session = players.session
    act = chance.random()
    if act < 0.15:
        cells: list[Place] = [None, *CELLS, 0, 1, 2, "on", "A", "B"]
        thing, place = chance.choice(list(session.game.layout())), chance.choice(cells)
        players.dare(lambda: session.correct(thing, place))
    elif act < 0.25:
        players.dare(session.undo)
    elif act < 0.3:
        players.dare(session.redo)
    elif not session.over:
        players.answer_any()
