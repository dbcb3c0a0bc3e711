"""Everything in Senapati and Rajasa has words, and people may say it as they like."""

from __future__ import annotations

import pytest

from companion.games.senapati.game import Senapati
from companion.games.shelf import open_box
from companion.rules.layouts import Shift
from companion.rules.phrases import Phrase
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.wording import Label
from companion.screens.reading import read_choice
from tests.contract.tables import Players

BOX = open_box("senapati")

FREE = """
game = "senapati"
title = "the Free Phase"
setup = { seats = ["Ana", "Budi"], guide = false }
play = []
[start]
phase = "free"
"""


def plain(label: Label | None) -> str:
    if label is None:
        return ""
    return label.plain() if isinstance(label, Phrase) else label.in_language("en")


@pytest.mark.parametrize(
    ("shift", "told"),
    [
        (Shift("senapati/B/3", "c5", "c6"), "Senapati 3 of Budi: to c6"),
        (Shift("senapati/B/3", "c8", None), "Senapati 3 of Budi: off the board"),
        (Shift("rajasa/A", None, "d1"), "Rajasa of Ana: to d1"),
        (Shift("rajasa/A", None, None), ""),
        (Shift("hand/A/action-a", 0, 3), "Ana: take 3 action cards"),
        (Shift("hand/A/action-a", 3, 0), "Ana: put the action cards away"),
        (Shift("hand/A/skill", 1, 2), "Ana: take 1 skill card"),
        (Shift("hand/A/skill", 1, 0), ""),
        (Shift("discard/action-b", 8, 0), "Budi: shuffle the used cards, they are the new deck"),
        (Shift("discard/skill", 8, 0), "Shuffle the used skill cards, they are the new deck"),
        (Shift("discard/action-b", 1, 2), ""),
        (Shift("turn", "A", "B"), ""),
    ],
)
def test_what_hands_have_to_do(shift: Shift, told: str) -> None:
    players = Players("senapati", 0, seed=1)
    assert plain(BOX.wording(players.session.game).instruct(shift)) == told


@pytest.mark.parametrize(
    ("shift", "told"),
    [
        (Shift("senapati/B/3", None, "c6"), "Senapati 3 of Budi: c6"),
        (Shift("senapati/B/3", "c6", None), "Senapati 3 of Budi: off the board"),
        (Shift("rajasa/A", "d1", None), "Rajasa of Ana: off the board"),
        (Shift("discard/action-b", 1, 2), "Used action cards of Budi: 2"),
        (Shift("discard/skill", 1, 2), "Used skill cards: 2"),
        (Shift("pinned/A/rajasa", None, "on"), "Rajasa of Ana: cannot move in the next turn"),
        (Shift("guarded/A/2", "on", None), "Senapati 2 of Ana: nothing special"),
        (Shift("phase", None, "free"), "Phase: Free Phase"),
        (Shift("nothing", None, 3), "nothing: 3"),
    ],
)
def test_where_things_are(shift: Shift, told: str) -> None:
    players = Players("senapati", 0, seed=1)
    assert plain(BOX.wording(players.session.game).place(shift)) == told


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("d4 d5", "d4-d5"),
        ("D4-D5", "d4-d5"),
        ("d4 e5", "d4-e5"),
        ("d4 d7", "d4-d7"),
        ("d5 d4", "d5-d4"),
        ("sacrifice", "sacrifice"),
        ("korbankan", "sacrifice"),
        ("犠牲", "sacrifice"),
        ("Sergapan", "ambush"),
        ("待ち伏せ", "ambush"),
    ],
)
def test_a_move_is_typed_as_from_and_to_also_one_against_the_rules(typed: str, meant: str) -> None:
    playing = Playing(read_scenario(FREE, "free.toml"), BOX)
    prompt = playing.session.prompt
    assert read_choice(typed, prompt, (), BOX.wording(playing.session.game).names()) == meant


@pytest.mark.parametrize(
    ("typed", "meant"), [("parang", "machete-a"), ("槍", "spear-a"), ("tukar perisai", "swap")]
)
def test_a_card_is_ones_own_though_both_decks_have_it(typed: str, meant: str) -> None:
    session = Players("senapati", 0, seed=1).session
    assert read_choice(typed, session.prompt, (), BOX.wording(session.game).names()) == meant


@pytest.mark.parametrize("typed", ["3", "lane 3", "lajur 3", "レーン3"])
def test_a_lane_is_typed_by_its_number(typed: str) -> None:
    session = Players("senapati", 0, seed=1).session
    session.answer("machete-a")
    assert read_choice(typed, session.prompt, (), BOX.wording(session.game).names()) == 3


def test_a_choice_of_another_question_has_a_label_too() -> None:
    session = Players("senapati", 0, seed=1).session
    session.answer("machete-a")
    words = BOX.wording(session.game)
    assert plain(words.label("b5-b4", session.prompt)) == "b5 → b4"
    assert plain(words.label(99, session.prompt)) == "lane 99"
    assert plain(words.label(3, session.prompt)) == "lane 3: c5"


def test_a_move_that_takes_a_piece_says_so() -> None:
    session = Playing(read_scenario(FREE, "free.toml"), BOX).session
    words = BOX.wording(session.game)
    assert plain(words.label("d4-d5", session.prompt)) == "d4 → d5: takes Senapati 4"
    assert plain(words.label("d4-d3", session.prompt)) == "d4 → d3"


def test_every_card_says_what_it_does() -> None:
    game = Players("senapati", 0, seed=1).session.game
    words = BOX.wording(game)
    assert isinstance(game, Senapati)
    assert all(plain(words.detail(card)) for card in game.catalogue.names)
    assert words.detail("d4-d5") is None
