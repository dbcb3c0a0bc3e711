"""§1, 3, 4 What a table may choose, and what it is told when it may not."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chaos_kart.box import BOX
from companion.games.chaos_kart.setup import Setup
from companion.rules.errors import BadSetup

NAMES = ("Ana", "Budi", "Cici", "Dewi", "Eko", "Fitri", "Gita", "Hadi", "Ika")


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("laps", [1, 2, 3, 7, 99])
def test_two_to_eight_players_and_any_number_of_laps(players: int, laps: int) -> None:
    game = BOX.begin(Setup(seats=NAMES[:players], laps=laps), BOX.content())
    assert len(game.state.seats) == players
    game.check()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"seats": NAMES[:1]}, "1 players: allowed are 2 to 8"),
        ({"seats": NAMES}, "9 players: allowed are 2 to 8"),
        ({"laps": 0}, "any number from 1"),
        ({"direction": "left"}, "clockwise, counter-clockwise"),
        ({"first": "Z"}, "Allowed: A, B"),
        ({"seats": ("Ana", "ana")}, "Two players are called"),
        ({"seats": ("Ana", " ")}, "no name"),
        ({"seats": ("Ana", "x" * 200)}, "no name"),
        ({"seats": ("Ana", "a\nb")}, "no name"),
        ({"rulings": {"A6": "maybe"}}, "printed, reentry, lap_debt"),
        ({"rulings": {"A1": "one_deck"}}, "These can: A5, A6"),
        ({"rulings": {"Z9": "x"}}, "These can: A5, A6"),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_allowed(choices: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup) as caught:
        BOX.begin(Setup(**{"seats": ("Ana", "Budi"), **choices}), BOX.content())
    assert said in str(caught.value)


def test_more_squares_than_pawns() -> None:
    small = {**BOX.content(), "board.toml": "squares = 4"}
    BOX.begin(Setup(seats=NAMES[:3]), small).check()
    with pytest.raises(BadSetup, match="at least 5"):
        BOX.begin(Setup(seats=NAMES[:4]), small)


@pytest.mark.parametrize(
    ("players", "laps", "rulings", "warned"),
    [
        (2, 1, {}, True),
        (4, 2, {}, False),
        (5, 2, {}, True),
        (8, 3, {}, True),
        (2, 1, {"A6": "reentry"}, False),
        (8, 1, {"A6": "lap_debt"}, False),
    ],
)
def test_the_letter_of_8_1_is_warned_of(
    players: int, laps: int, rulings: dict[str, str], warned: bool
) -> None:
    warnings = BOX.warnings(Setup(seats=NAMES[:players], laps=laps, rulings=rulings))
    assert any("reentry" in warning.plain() for warning in warnings) == warned


def test_a_lap_on_entry_says_that_the_laps_are_raised() -> None:
    warnings = BOX.warnings(Setup(seats=NAMES[:3], laps=2, rulings={"A5": "lap_on_entry"}))
    assert any("raised by one: 3" in warning.plain() for warning in warnings)


def test_the_other_way_round_turns_the_tokens_with_the_squares() -> None:
    board = 'squares = 10\n[[token]]\nsquare = 3\ntoken = "bend"'
    content = {**BOX.content(), "board.toml": board}
    there = BOX.begin(Setup(seats=NAMES[:2]), content).state
    back = BOX.begin(Setup(seats=NAMES[:2], direction="counter-clockwise"), content).state
    assert there.tokens.index("bend") == 3
    assert back.tokens.index("bend") == 7


def test_a_set_up_describes_itself() -> None:
    by_name = {field.name: field for field in BOX.fields()}
    assert set(by_name) == {"laps", "direction", "first", "guide"}
    assert by_name["direction"].choices == ("clockwise", "counter-clockwise")
    assert by_name["first"].default == "random"
