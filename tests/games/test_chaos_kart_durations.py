"""§15 How long each marker stays, by when and in whose turn it was got. Field case E01."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chaos_kart.box import BOX
from companion.games.chaos_kart.game import ChaosKart
from companion.games.chaos_kart.setup import Setup
from companion.rules.events import MarkerLost
from companion.rules.session import Session

BARE_TRACK = "squares = 40"


def table(**rulings: str) -> Session[Any]:
    setup = Setup(seats=("Ana", "Budi", "Cici"), laps=9, rulings=rulings)
    game = BOX.begin(setup, {**BOX.content(), "board.toml": BARE_TRACK})
    return Session(game, "salt")


def game_of(session: Session[Any]) -> ChaosKart:
    game = session.game
    assert isinstance(game, ChaosKart)
    return game


def end_turn(session: Session[Any]) -> None:
    """Pass whatever is asked until the turn is another's."""
    turn = session.game.state.turn
    while session.game.state.turn == turn:
        options = list(session.prompt.options())
        session.answer("pass" if "pass" in options else options[0])


def turns_until_gone(session: Session[Any], seat: str, marker: str, most: int = 9) -> int | None:
    """Turns that end before a seat's marker is gone: 0 in this turn; None when it stays."""
    for turns in range(most):
        end_turn(session)
        if not game_of(session).count(seat, marker):
            return turns
    return None


# Seats take turns A, B, C; it is A's first turn. Turns are counted from the one of the gain.
@pytest.mark.parametrize(
    ("marker", "seat", "when", "gone", "rule"),
    [
        ("silenced", "A", "before", 0, "15.6.1"),
        ("silenced", "A", "after", 0, "15.6.1"),
        ("silenced", "B", "before", 1, "15.6.1"),
        ("silenced", "C", "after", 2, "15.6.1"),
        ("stunned", "A", "before", 3, "5.8"),
        ("stunned", "A", "after", 3, "5.8"),
        ("stunned", "B", "before", 1, "5.8"),
        ("stunned", "C", "after", 2, "5.8"),
        ("shield", "A", "before", 5, "15.4.1"),
        ("shield", "A", "after", 5, "15.4.1"),
        ("shield", "B", "before", 3, "15.4.1"),
        ("damaged", "A", "before", None, ""),
        ("bump-guard", "B", "after", None, ""),
    ],
)
def test_when_a_marker_goes(marker: str, seat: str, when: str, gone: int | None, rule: str) -> None:
    session = table()
    if when == "after":
        session.answer("pass")
        assert session.prompt.key == "after-move"
    game_of(session).gain(seat, marker)
    assert turns_until_gone(session, seat, marker) == gone
    lost = [event for event in session.game.log.events if isinstance(event, MarkerLost)]
    assert [event.rule for event in lost] == ([rule] if rule else [])


def test_a_stun_of_ones_own_turn_acts_at_once_under_the_variant() -> None:
    session = table(A42="immediate")
    game_of(session).gain("A", "stunned")
    assert turns_until_gone(session, "A", "stunned") is not None


@pytest.mark.parametrize(
    ("marker", "cap"),
    [("damaged", 2), ("stunned", 1), ("bump-guard", 2), ("silenced", 1), ("shield", 1)],
)
def test_over_its_cap_a_marker_is_ignored_or_replaced(marker: str, cap: int) -> None:
    session = table()
    game = game_of(session)
    for _ in range(cap + 2):
        game.gain("B", marker)
    assert game.count("B", marker) == cap


def test_a_new_shield_starts_afresh() -> None:
    session = table()
    game = game_of(session)
    game.gain("A", "shield")
    for _ in range(3):
        end_turn(session)
    assert session.game.layout()["shield/A"] == "turned"
    game.gain("A", "shield")
    assert session.game.layout()["shield/A"] == "upright"
    assert turns_until_gone(session, "A", "shield") == 5
