"""§2, 3 What a table may choose, and what it is told when it may not."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tapak_arwah.box import BOX
from companion.games.tapak_arwah.setup import Setup
from companion.rules.errors import BadSetup
from companion.rules.session import Session

NAMES = ("Ana", "Budi")


@pytest.mark.parametrize("ghost", ["A", "B"])
@pytest.mark.parametrize(
    ("first", "key", "seat"), [("dice", "first", "A"), ("ghost", "roll", ""), ("human", "roll", "")]
)
def test_who_is_the_ghost_and_who_begins(ghost: str, first: str, key: str, seat: str) -> None:
    game = BOX.begin(Setup(seats=NAMES, ghost=ghost, first=first), BOX.content())
    prompt = Session(game).prompt
    human = "B" if ghost == "A" else "A"
    assert prompt.key == key
    assert prompt.seat == (seat or {"ghost": ghost, "human": human}[first])
    assert [seat.facts["role"] for seat in game.view(None).seats] == (
        ["ghost", "human"] if ghost == "A" else ["human", "ghost"]
    )
    game.check()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"seats": NAMES[:1]}, "1 players: this game is for two"),
        ({"seats": (*NAMES, "Cici")}, "3 players"),
        ({"ghost": "C"}, "Allowed: A, B"),
        ({"first": "A"}, "Allowed: dice, ghost, human"),
        ({"rounds": -1}, "Allowed: 0 to 999"),
        ({"die": 3}, "Allowed: 4 to 20"),
        ({"die": 21}, "Allowed: 4 to 20"),
        ({"seats": ("Ana", "ana")}, "Two players are called"),
        ({"rulings": {"T1": "six_is_four"}}, "reroll, four_sided, no_effect"),
        ({"rulings": {"T4": "every_turn"}}, "T1, T2, T3, T6, T8"),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_allowed(choices: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup) as caught:
        BOX.begin(Setup(**{"seats": NAMES, **choices}), BOX.content())
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("rulings", "warned"),
    [
        ({}, []),
        ({"T1": "no_effect"}, ["(ruling T1)"]),
        ({"T3": "attack"}, ["(T3)"]),
        ({"T1": "four_sided", "T3": "start_safe"}, []),
    ],
)
def test_what_changes_the_odds_is_told(rulings: dict[str, str], warned: list[str]) -> None:
    warnings = [phrase.plain() for phrase in BOX.warnings(Setup(seats=NAMES, rulings=rulings))]
    assert len(warnings) == len(warned)
    assert all(word in text for word, text in zip(warned, warnings, strict=True))


@pytest.mark.parametrize(
    ("die", "rulings", "sides", "in_combat"),
    [
        (6, {}, 6, 4),
        (4, {}, 4, 4),
        (8, {}, 8, 4),
        (8, {"T1": "no_effect"}, 8, 8),
        (6, {"T1": "four_sided"}, 4, 4),
    ],
)
def test_the_sides_of_the_die_are_a_setting(
    die: int, rulings: dict[str, str], sides: int, in_combat: int
) -> None:
    game = BOX.begin(Setup(seats=NAMES, first="ghost", die=die, rulings=rulings), BOX.content())
    game.put("pawn/A", 9)
    game.put("pawn/B", 13)
    session = Session(game)
    assert list(session.prompt.options()) == list(range(1, sides + 1))
    session.answer(4)
    assert session.prompt.key == "attack"
    assert list(session.prompt.options()) == list(range(1, in_combat + 1))


def test_the_odds_that_are_told_are_those_of_six_sides() -> None:
    assert BOX.warnings(Setup(seats=NAMES, die=8, rulings={"T1": "no_effect"})) == []


def test_a_set_up_describes_itself() -> None:
    by_name = {field.name: field for field in BOX.fields()}
    assert list(by_name) == ["ghost", "first", "rounds", "die", "guide"]
    assert by_name["ghost"].seat
    assert by_name["first"].choices == ("dice", "ghost", "human")
