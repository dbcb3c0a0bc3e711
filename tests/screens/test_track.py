"""The track of a board in signs: pieces, tokens, zones and what the signs mean."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.shelf import open_box
from companion.rules.session import Session
from companion.rules.views import RingBoard, SquareView, ZoneView
from companion.screens.breaking import columns_of
from companion.screens.showing import show
from companion.screens.telling import Teller, square_sign, track
from companion.words import LANGUAGES, Words


def teller(game: str, language: str = "en") -> tuple[Teller, Session[Any]]:
    box = open_box(game)
    setup = msgspec.convert({"seats": ["Ana", "Budi"]}, box.setup_type)
    session: Session[Any] = Session(box.begin(setup, box.content()))
    return Teller(session, box.wording(session.game), Words(language), None), session


@pytest.mark.parametrize(
    ("square", "sign"),
    [
        (SquareView(0), "|"),
        (SquareView(3), "·"),
        (SquareView(3, token="bend"), "b"),
        (SquareView(3, token="dice+1", sign="+"), "+"),
        (SquareView(3, trap="A", token="bend"), "!"),
        (SquareView(3, ("B",), "bend"), "B"),
        (SquareView(3, ("A", "B")), "&"),
    ],
)
def test_a_square_is_one_sign(square: SquareView, sign: str) -> None:
    assert square_sign(square) == sign


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_zone_stands_above_its_first_square(language: str) -> None:
    told, session = teller("tapak-arwah", language)
    board = session.game.view(None).board
    assert isinstance(board, RingBoard)
    zones, squares, numbers = told.track(board)
    assert (squares, numbers) == tuple(track(board))
    names = [told.say(told.wording.label(zone.zone)) for zone in board.zones]
    ends = [0]
    for zone, name in zip(board.zones, names, strict=True):
        at = zones.index(name, ends[-1])
        assert columns_of(zones[:at]) == zone.start + 2
        ends.append(at + 1)


def test_zones_too_narrow_for_their_names_move_on() -> None:
    told, _ = teller("tapak-arwah")
    zones = (ZoneView("day", 0), ZoneView("night", 1), ZoneView("day", 20))
    board = RingBoard(tuple(SquareView(n) for n in range(30)), zones=zones)
    assert told.track(board)[0] == "  day night           day"


def test_a_track_without_zones_has_no_line_for_them() -> None:
    told, session = teller("chaos-kart")
    board = session.game.view(None).board
    assert told.track(board) == track(board)


def test_the_signs_are_explained_as_far_as_they_are_there() -> None:
    told, session = teller("tapak-arwah")
    lines = told.table(show(session, told.wording))
    assert any("c = cursed ground" in line for line in lines)
    assert any("& = several" in line for line in lines)
    assert not any("! = " in line for line in lines)
    session.answer(3)
    session.answer(2)
    session.answer(4)
    lines = told.table(show(session, told.wording))
    assert not any("& = " in line for line in lines)


def test_what_the_lines_of_the_players_say_is_not_said_again() -> None:
    for game in ("chaos-kart", "tapak-arwah"):
        told, session = teller(game)
        lines = told.table(show(session, told.wording))
        assert not any("awn of Ana" in line for line in lines), lines
