"""Tapak Arwah Nusantara at the table: corrections, late words, seats, odd corners."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games.tapak_arwah.box import BOX
from companion.games.tapak_arwah.setup import Setup
from companion.rules.errors import BadSetup, CompanionError, NotNow, Refused
from companion.rules.layouts import Place, shifts
from companion.rules.session import Session
from companion.virtual import VirtualTable
from companion.words import Words


def table(*, silences: bool = True, rulings: dict[str, str] | None = None, **start: Any) -> Any:
    """A table before the ghost's roll. A is the ghost; `start` has things as `pawn_A`."""
    setup = Setup(seats=("Ana", "Budi"), first="ghost", rulings=rulings or {}, guide=False)
    game = BOX.begin(setup, BOX.content())
    for thing, place in start.items():
        game.put(thing.replace("__", "-").replace("_", "/"), place)
    return Session(game, "salt", silences=silences)


def layout(session: Session[Any], *things: str) -> list[Place]:
    now = session.game.layout()
    return [now[thing] for thing in things]


@pytest.mark.parametrize(
    ("thing", "place"),
    [
        ("pawn/A", 60),
        ("pawn/A", -1),
        ("pawn/A", "outside"),
        ("life/A", 0),
        ("life/A", 4),
        ("dice/A", 21),
        ("dice/A", "x"),
        ("skip/A", 2),
        ("no-buff/A", 1),
        ("no-attack/B", 1),
        ("hand/A/human-buff", 1),
        ("hand/A/ghost-buff", 13),
        ("before/A/shaking-knees", 1),
        ("before/A/sprint", 1),
        ("before/B/shaking-knees", 4),
        ("open/A", "amulet"),
        ("open/A", "drift"),
        ("discard/ghost-buff", 1),
        ("discard/nothing", 0),
        ("turn", "C"),
        ("round", 0),
        ("phase", "first"),
        ("phase", "lunch"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(thing: str, place: Place) -> None:
    session = table()
    before = session.digest()
    with pytest.raises(BadSetup):
        session.correct(thing, place)
    assert session.digest() == before


@pytest.mark.parametrize("thing", ["kart/A", "pawn/C", "deck", "skip", "turn/A"])
def test_what_does_not_exist_cannot_be_corrected(thing: str) -> None:
    with pytest.raises(Refused):
        table().correct(thing, 1)


def test_skip_and_extra_turn_are_never_there_together() -> None:
    session = table(skip_B=1)
    with pytest.raises(BadSetup, match="T14"):
        session.correct("extra-turn/B", 1)
    session.correct("skip/B", 0)
    session.correct("extra-turn/B", 2)
    session.game.check()
    assert layout(session, "skip/B", "extra-turn/B") == [0, 2]


def test_two_bars_set_by_hand_end_one_after_the_other() -> None:
    session = table(pawn_A=2, pawn_B=13, no__attack_A=2)
    game = session.game
    for roll_of_a, roll_of_b, left in ((4, 6, 1), (6, 4, 0)):
        session.answer(roll_of_a)
        assert layout(session, "no-attack/A") == [left]
        session.answer(roll_of_b)
        while session.prompt.seat != "A" or session.prompt.key != "roll":
            session.answer(next(iter(session.prompt.options())))
    game.check()


def test_cards_before_a_player_come_out_of_the_deck_and_go_to_the_discards() -> None:
    session = table()
    session.correct("before/B/shaking-knees", 2)
    assert session.game.state.decks["human-debuff"].draw == 11
    session.answer("done") if session.put_back else None
    session.correct("before/B/shaking-knees", 1)
    assert layout(session, "before/B/shaking-knees", "discard/human-debuff") == [1, 1]
    session.game.check()


def test_the_last_copy_is_not_laid_twice() -> None:
    session = table(before_B_thick__fog=1)
    with pytest.raises(BadSetup):
        session.correct("before/B/thick-fog", 2)


def test_the_table_may_say_who_begins_instead_of_rolling() -> None:
    game = BOX.begin(Setup(seats=("Ana", "Budi")), BOX.content())
    session: Session[Any] = Session(game)
    session.answer(3)
    session.correct("turn", "B")
    assert (session.prompt.key, session.prompt.seat) == ("roll", "B")
    session.answer(2)
    session.answer(4)
    assert layout(session, "round") == [2]


def test_a_correction_in_the_middle_of_an_attack_begins_the_move_again() -> None:
    session = table(pawn_A=9, pawn_B=13)
    session.answer(4)
    assert session.prompt.key == "attack"
    preview = session.correct("pawn/B", 14)
    assert preview.kept == 1
    assert (session.prompt.key, session.prompt.seat) == ("roll", "B")
    assert layout(session, "pawn/A", "pawn/B") == [13, 14]


def test_the_turn_corrected_in_the_middle_of_a_card_leaves_nothing_in_play() -> None:
    session = table(pawn_A=2, pawn_B=13, hand_A_ghost__buff=1)
    session.answer(4)
    session.answer("drift")
    session.undo()
    session.answer("yes")
    session.answer("done")
    session.correct("turn", "B")
    assert session.game.state.in_play == []
    session.game.check()


def test_leaving_gives_the_game_to_the_other_and_can_be_undone() -> None:
    session = table()
    session.leave("A", by="A")
    assert session.over
    assert session.game.state.ending.winners == ("B",)
    session.undo(by="A")
    while session.consent is not None:
        session.answer("yes")
    assert not session.over
    assert (session.prompt.key, session.prompt.seat) == ("roll", "A")
    with pytest.raises(BadSetup):
        session.leave("C")


def test_nobody_joins_and_changing_places_changes_no_turn() -> None:
    session = table()
    with pytest.raises(NotNow, match="for two"):
        session.join("C", "Cici")
    session.swap("A", "B")
    assert (session.prompt.key, session.prompt.seat) == ("roll", "A")
    session.answer(2)
    assert session.prompt.seat == "B"


def test_a_tap_out_of_turn_changes_nothing() -> None:
    session = table(pawn_A=9, pawn_B=13, hand_A_ghost__buff=1, hand_B_human__buff=1)
    session.answer(4)
    before = session.digest()
    for seat, choice in (("A", "drift"), ("B", 4), ("B", "sprint"), ("A", "pass"), ("B", "frozen")):
        with pytest.raises(CompanionError):
            session.answer(choice, seat)
    assert session.digest() == before


def test_a_late_card_puts_the_attack_right_before_the_next_real_act() -> None:
    """The ghost's roll is the next real act: after it the card is too late."""
    session = table(pawn_A=9, pawn_B=13, hand_B_human__buff=1)
    session.answer(4)
    session.answer("amulet")
    assert (session.prompt.key, session.prompt.seat) == ("roll", "B")
    session.undo()
    while session.consent is not None:
        session.answer("yes")
    if session.put_back:
        session.answer("done")
    session.answer(1)
    with pytest.raises(Refused):
        session.answer("amulet", "B")


def test_an_earlier_roll_is_amended_and_the_later_ones_stay() -> None:
    session = table(pawn_A=2, pawn_B=13)
    session.answer(4)
    session.answer(6)
    assert layout(session, "pawn/A", "pawn/B") == [6, 19]
    session.amend(0, 3)  # onto green: a debuff is turned up first
    while session.consent is not None:
        session.answer("yes")
    assert (session.prompt.key, session.prompt.seat) == ("debuff", "A")


def test_the_combat_of_the_human_against_a_barred_ghost_rolls_nothing() -> None:
    session = table(pawn_A=9, pawn_B=13, no__attack_A=1, hand_B_human__buff=1, silences=False)
    session.answer(4)
    assert session.prompt.seat == "B"
    assert session.prompt.key == "roll"


def test_open_cards_are_seen_by_all_and_bind_what_can_be_laid() -> None:
    session = table(pawn_A=2, pawn_B=13, hand_A_ghost__buff=1)
    session.game.put("open/A", "drift")
    assert [seat.hand for seat in session.game.view("B").seats] == [("drift",), ()]
    session.answer(4)
    assert list(session.prompt.options()) == ["drift", "pass"]


def test_dice_and_turned_up_cards_are_questions_of_chance() -> None:
    session = table(silences=False)
    people = VirtualTable(session.game, Random(5))
    asked: dict[str, set[bool]] = {}
    while not session.over:
        asked.setdefault(session.prompt.key, set()).add(session.prompt.chance)
        session.answer(people.answer(session.prompt))
    chance = {"roll", "attack", "counter", "defend", "debuff"}
    assert chance | {"card", "react"} <= set(asked)
    assert all(found == {key in chance} for key, found in asked.items())


def test_in_the_beginning_pawns_are_put_on_the_start_and_lives_are_taken() -> None:
    game, words = table().game, Words("en")
    wording = BOX.wording(game)
    to_do = [wording.instruct(shift) for shift in shifts({}, game.layout(), game.counted)]
    assert [words.say(one) for one in to_do if one is not None] == [
        "Ana: put your pawn on 0 start",
        "Ana: take 3 lives",
        "Budi: put your pawn on 0 start",
        "Budi: take 3 lives",
    ]
