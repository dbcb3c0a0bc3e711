"""The deck of UNO Mario Kart, its set-up, its tags and its words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.uno_mario_kart import content as files
from companion.games.uno_mario_kart.box import BOX
from companion.games.uno_mario_kart.content import STOCK, Action, Item
from companion.games.uno_mario_kart.game import UnoMarioKart
from companion.games.uno_mario_kart.setup import Setup
from companion.rules.errors import BadContent, BadSetup
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.tags import TagKind

CARDS = files.read_cards(BOX.content()["cards.toml"])


def begin(**setup: Any) -> UnoMarioKart:
    values = {"seats": ["Ana", "Budi", "Cici"], **setup}
    return BOX.begin(msgspec.convert(values, Setup), BOX.content())


# -- §4 --------------------------------------------------------------------------------------------


def total(**wanted: Any) -> int:
    totals = CARDS.catalogue.totals
    return sum(
        totals[card]
        for card, kind in CARDS.kinds.items()
        if all(getattr(kind, name) == value for name, value in wanted.items())
    )


def test_there_are_112_cards() -> None:
    assert CARDS.catalogue.sizes == {STOCK: 112}
    assert [total(colour=colour, action=None) for colour in CARDS.colours] == [19] * 4
    for action in (Action.DRAW_TWO, Action.REVERSE, Action.SKIP):
        assert total(action=action) == 8
        assert [total(action=action, colour=colour) for colour in CARDS.colours] == [2] * 4
    assert total(action=Action.DRAW_FOUR) == 4
    assert total(action=Action.ITEM_BOX) == 8


def test_every_card_shows_its_item() -> None:
    items = {"red": "mushroom", "yellow": "banana", "green": "green-shell", "blue": "lightning"}
    for kind in CARDS.kinds.values():
        assert kind.item == Item(items.get(kind.colour, "bob-omb"))


def test_numbers_count_as_printed_actions_20_wild_cards_50() -> None:
    for card, kind in CARDS.kinds.items():
        number = card.rpartition("-")[2]
        wanted = int(number) if number.isdigit() else 20 if kind.colour else 50
        assert kind.points == wanted, card
        assert kind.rank == (int(number) if number.isdigit() else 0)


def test_another_deck_is_advised_of() -> None:
    assert list(files.advice(CARDS)) == []
    text = BOX.content()["cards.toml"].replace("copies = 8", "copies = 9")
    assert "113" in next(iter(BOX.check({"cards.toml": text}))).plain()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('id = "yellow"', 'id = "red"', "taken"),
        ('id = "reverse"', 'id = "draw"', "taken"),
        ("copies = 1", "copies = 0", "copies"),
        ('item = "banana"', 'item = "star"', "mushroom"),
        ('action = "skip"', 'action = "jump"', "reverse"),
        ('ja = "赤"', 'ja = ""', "needs a text for ja"),
        ('ja = "赤"', 'ja = "赤", fr = "rouge"', "no language here"),
    ],
)
def test_a_bad_file_is_refused_with_what_is_allowed(old: str, new: str, says: str) -> None:
    text = BOX.content()["cards.toml"].replace(old, new, 1)
    with pytest.raises(BadContent, match=says):
        files.read_cards(text)


# -- the set-up ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "setup",
    [
        {"seats": ["Ana"]},
        {"seats": [f"P{n}" for n in range(11)]},
        {"target": 0},
        {"start": "roll dice"},
        {"who": "D"},
        {"seats": ["Ana", "ana"]},
        {"rulings": {"U2": "nobody"}},
        {"rulings": {"U14": "must_play"}},
    ],
)
def test_what_cannot_be_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        begin(**setup)


def test_two_players_are_told_that_the_rulebook_has_no_rule_for_them() -> None:
    two = Setup(seats=("Ana", "Budi"))
    assert "ruling U9" in BOX.warnings(two)[0].plain()
    assert (
        "Skip"
        in BOX.warnings(msgspec.structs.replace(two, rulings={"U9": "acts_as_skip"}))[0].plain()
    )
    assert BOX.warnings(Setup(seats=("Ana", "Budi", "Cici"))) == []


@pytest.mark.parametrize(
    ("start", "says"),
    [("turn = 'A'", "The pile: not begun"),
     ("turn = 'A'\ntop = 'wild-item-box'", "Colour named: none")],
)  # fmt: skip
def test_a_position_says_what_lies_on_top_and_which_colour_counts(start: str, says: str) -> None:
    setup = "setup = { seats = ['Ana', 'Budi'] }"
    text = f"game = '{BOX.name}'\ntitle = 'x'\n{setup}\n[start]\n{start}\n[[play]]"
    scenario = read_scenario(text, "x.toml")
    with pytest.raises(BadSetup, match=says):
        Playing(scenario, BOX)


def test_whoever_is_named_first_player_sits_left_of_the_dealer() -> None:
    assert begin(start="first player", who="A").state.dealer == "C"
    assert begin(start="first player", who="B").state.dealer == "A"
    assert begin(start="dealer", who="B").state.dealer == "B"


# -- tags ------------------------------------------------------------------------------------------


def test_everything_that_is_said_can_be_tapped() -> None:
    things = BOX.tagged(BOX.content())
    assert sum(one.copies for one in things if one.kind is TagKind.CARD) == 112
    tapped = {one.thing for one in things}
    assert {"uno", "catch", "draw", "pass", "red", "A", "J"} <= tapped
    assert len({one.key for one in things}) == len(things)


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("red 5", "red-5"),
        ("5 merah", "red-5"),
        ("merah 5", "red-5"),
        ("赤5", "red-5"),
        ("yellow +2", "yellow-draw-two"),
        ("kuning 2", "yellow-2"),
        ("+4", "wild-draw-four"),
        ("item box", "wild-item-box"),
        ("青リバース", "blue-reverse"),
        ("draw", "draw"),
        ("ambil", "draw"),
    ],
)
def test_a_card_by_any_of_its_names(typed: str, card: str) -> None:
    from companion.screens.reading import exactly

    assert exactly(typed, BOX.wording(begin()).names()) == [card]


def test_a_card_says_what_it_does_and_which_item_it_shows() -> None:
    wording = BOX.wording(begin())
    shown = [wording.detail(card) for card in ("red-5", "blue-skip", "wild-item-box", "draw")]
    told = ["" if label is None else label.plain() for label in shown]  # type: ignore[union-attr]
    assert told[0] == "Item: mushroom"
    assert told[1].endswith("Item: lightning")
    assert told[2].endswith("Item: Bob-omb")
    assert told[3] == ""
