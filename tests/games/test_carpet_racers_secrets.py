"""Who drives which car is the game: two tables that differ only in what is hidden look the same."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.carpet_racers.box import BOX
from companion.games.carpet_racers.game import CarpetRacers
from companion.games.carpet_racers.setup import Setup
from companion.rules.seals import is_seal
from companion.rules.session import Session
from tests.contract.eyes import everything
from tests.contract.tables import Players

NAMES = ("Ana", "Budi", "Cici")
CARS = ("yellow", "red", "green", "blue", "purple")
CHIPS = tuple(f"seal:chip/{letter}" for letter in "vwxyz")


def sealed(chips: Mapping[str, str], tags: str = "chips") -> Session[Any]:
    """A table with the chips in its controllers, and a book that says what they are."""
    game = BOX.begin(Setup(seats=NAMES, tags=tags), BOX.content())
    session: Session[Any] = Session(game, "salt")
    session.open_seal = chips.get
    return session


def insert(session: Session[Any], chips: tuple[str, ...] = CHIPS) -> None:
    """Put the chips into the five controllers, one after the other."""
    for chip in chips:
        session.answer(chip)


def book(order: list[str]) -> dict[str, str]:
    """What lies under the chips' seals."""
    return dict(zip(CHIPS, order, strict=True))


@given(order=st.permutations(CARS), other=st.permutations(CARS), chance=st.randoms())
def test_which_chip_lies_where_is_nowhere_to_be_seen(
    order: list[str], other: list[str], chance: Random
) -> None:
    """The same answers at two tables with other chips: nobody's view, log or question differs."""
    tables = [sealed(book(order)), sealed(book(other))]
    for table in tables:
        insert(table)
    for _ in range(12):
        one, two = tables
        for who in (None, "A", "B", "C"):
            assert everything(one, who) == everything(two, who)
        choice = chance.choice(list(one.prompt.options()))
        for table in tables:
            table.answer(choice)


@given(order=st.permutations(CHIPS), other=st.permutations(CHIPS))
def test_the_order_in_which_chips_are_tapped_is_nowhere_to_be_seen(
    order: list[str], other: list[str]
) -> None:
    seen = []
    for chips in (order, other):
        table = sealed({})
        insert(table, tuple(chips))
        for _ in NAMES:
            table.answer("seen")
        seen.append([everything(table, who) for who in (None, "A", "B", "C")])
    assert seen[0] == seen[1]


def test_a_peek_is_for_one_pair_of_eyes() -> None:
    session = sealed(book(list(CARS)))
    insert(session)
    for seat, car in (("A", "green"), ("B", "yellow"), ("C", "red")):
        assert (session.prompt.key, session.prompt.seat) == ("sight", seat)
        for who in (None, "A", "B", "C"):
            assert session.shown_to(who) == ([car] if who == seat else [])
        session.answer("seen")


def test_a_first_clue_that_was_noted_by_hand_is_not_noted_again() -> None:
    session = sealed(book(list(CARS)))
    insert(session)
    session.correct("clue/A/white", 1)
    assert (session.prompt.key, session.prompt.seat) == ("sight", "B")
    assert game_of(session).racer("A").clues == ["white"]
    session.game.check()


def test_who_has_a_clue_may_look_again_until_the_end() -> None:
    session = sealed(book(list(CARS)))
    insert(session)
    for _ in NAMES:
        session.answer("seen")
    again = [offer for offer in session.game.beside() if offer.key == "look-again"]
    assert [(o.seat, o.args["controller"]) for o in again] == [
        ("A", "white"),
        ("B", "brown"),
        ("C", "orange"),
    ]
    assert session.shown_to("A", again[0]) == ["green"]
    assert session.shown_to("B", again[0]) == session.shown_to(None, again[0]) == []
    session.correct("phase", "reveal")
    assert session.over
    assert all(is_seal(one.chip) is (at in ("black", "pink")) for at, one in _controllers(session))


def _controllers(session: Session[Any]) -> list[tuple[str, Any]]:
    return list(session.game.state.controllers.items())


def test_players_see_the_traps_of_their_own_dock_alone() -> None:
    session = sealed({"seal:trap/own": "no-draw", "seal:trap/b": "stop"}, "chips and traps")
    for number in range(6):
        session.answer(f"seal:trap/{number}")
    for token in ("own", "b", "c", "d", "e"):
        session.answer(f"seal:trap/{token}")
    mine = next(offer for offer in session.game.beside() if offer.key == "own-dock")
    assert mine.seat == "A"
    assert session.shown_to("A", mine) == ["no-draw"]
    assert session.shown_to("B", mine) == session.shown_to(None, mine) == []


def game_of(session: Session[Any]) -> CarpetRacers:
    """The game of a session, as what it is."""
    assert isinstance(session.game, CarpetRacers)
    return session.game


def with_docks(*tokens: str) -> Session[Any]:
    """A table with tagged traps of which Ana has these on her dock; her turn has begun."""
    session = sealed({}, "chips and traps")
    while session.prompt.key != "card":
        session.answer(next(iter(session.prompt.options())))
    game_of(session).controller("A").dock[:] = tokens
    return session


@pytest.mark.parametrize(
    ("said", "left", "laid"),
    [
        ("seal:trap/b", ["seal:trap/a"], ["seal:trap/b"]),
        ("unseen", [""], [""]),
    ],
)
def test_of_a_trap_laid_without_its_tag_nobody_can_tell_which_it_was(
    said: str, left: list[str], laid: list[str]
) -> None:
    session = with_docks("seal:trap/a", "seal:trap/b")
    for choice in ("blue-grey-3", "red", "red-1", "lay-2", said):
        session.answer(choice)
    assert game_of(session).controller("A").dock == left
    assert game_of(session).traps_on(2) == laid


def test_a_trap_without_a_tag_is_the_one_that_is_laid_without_one() -> None:
    session = with_docks("seal:trap/a", "")
    for choice in ("blue-grey-3", "red", "red-1", "lay-2", "unseen"):
        session.answer(choice)
    assert game_of(session).controller("A").dock == ["seal:trap/a"]
    assert game_of(session).traps_on(2) == [""]


@pytest.mark.parametrize(
    ("tokens", "said", "asked", "left"),
    [
        (("seal:trap/a", "seal:trap/b"), "seal:trap/b", "seal:trap/b", ["seal:trap/a"]),
        (("seal:trap/a", "seal:trap/b"), 2, "", [""]),
        (("seal:trap/a", ""), 2, "", ["seal:trap/a"]),
    ],
)
def test_of_two_traps_the_one_that_is_meant_is_turned_over(
    tokens: tuple[str, str], said: str | int, asked: str, left: list[str]
) -> None:
    session = with_docks()
    session.game.state.traps["2"] = list(tokens)
    for choice in ("blue-grey-3", "red", "red-1"):
        session.answer(choice)
    assert session.prompt.key == "trap"
    session.answer(said)
    assert (session.prompt.key, session.prompt.reveals) == ("turned-over", asked)
    session.answer("stop")
    assert game_of(session).traps_on(2) == left


def test_what_an_untagged_table_answers_before_the_end_tells_no_chip() -> None:
    """No question before the end has a chip for an answer, and no peek asks what was seen."""
    players = Players("carpet-racers", 0, seed=4)
    session = players.session
    while session.prompt.key != "reveal":
        assert session.prompt.key not in ("sight", "chip")
        assert not session.prompt.reveals
        players.answer()
    assert all(not racer.car for racer in session.game.state.racers.values())
