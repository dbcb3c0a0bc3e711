"""The board and the cards of Senapati and Rajasa: what ships, and what is refused."""

from __future__ import annotations

import pytest

from companion.games.senapati import content as files
from companion.games.senapati.box import BOARD, BOX, CARDS
from companion.games.senapati.content import read_board, read_cards
from companion.rules.content import LANGUAGES
from companion.rules.errors import BadContent
from companion.rules.tags import TagKind

SKILL = """
[[skill]]
id = "{id}"
count = 1
effects = [{effects}]
name = {{ id = "Uji", en = "Test", ja = "試し" }}
"""


def test_the_decks_are_those_of_the_rulebook() -> None:
    cards = read_cards(BOX.content()[CARDS])
    totals = cards.catalogue.totals
    for seat in ("a", "b"):
        own = {
            card: n
            for card, n in totals.items()
            if cards.catalogue.deck_of[card][-2:] == f"-{seat}"
        }
        assert own == {f"machete-{seat}": 5, f"shield-card-{seat}": 3, f"spear-{seat}": 2}
    assert cards.file.sample


def test_the_board_is_7_lanes_by_8_rows_and_the_senapati_start_face_to_face() -> None:
    field = read_board(BOX.content()[BOARD])
    assert (field.board.columns, field.board.rows, len(field.lanes)) == (7, 8, 7)
    assert [field.start("A", lane) for lane in (1, 7)] == ["a4", "g4"]
    assert [field.start("B", lane) for lane in (1, 7)] == ["a5", "g5"]
    assert field.board.rajasa == "d"


def test_another_reading_of_the_board_can_be_played() -> None:
    """8 columns by 7 rows, all pieces on the home row: the other reading of "8 x 7"."""
    text = """
columns = 8
rows = 7
lanes = ["a", "b", "c", "d", "f", "g", "h"]
start = [1, 1, 1, 1, 1, 1, 1]
rajasa = "e"
"""
    field = read_board(text)
    assert field.start("B", 5) == "f7"
    assert not list(files.advice(read_cards(BOX.content()[CARDS]), field))[1:]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('lanes = ["a", ', 'lanes = ["h", '), "there is no column h; allowed: a, b, c"),
        (('lanes = ["a", ', 'lanes = ["b", '), "column b is a lane already"),
        (("start = [4, ", "start = ["), "one row for each lane: 7 rows"),
        (("start = [4, ", "start = [5, "), "row 4 at most"),
        (('rajasa = "d"', 'rajasa = "i"'), "there is no column i"),
        (("defeat_row = 1", "defeat_row = 5"), "row 4 at most"),
        (("start = [4, 4, 4, 4", "start = [4, 4, 4, 1"), "starts on d1"),
        (("columns = 7", "columns = 2"), "columns"),
        (("columns = 7", "colums = 7"), "colums"),
    ],
)
def test_a_board_that_cannot_be_is_refused(change: tuple[str, str], told: str) -> None:
    text = BOX.content()[BOARD]
    assert change[0] in text
    with pytest.raises(BadContent, match=r"board\.toml, line") as refused:
        read_board(text.replace(*change))
    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('card = "spear"', 'card = "machete"'), "each of these once: machete, shield-card, spear"),
        (('card = "spear"', 'card = "bow"'), "bow"),
        (("count = 5", "count = 0"), "count"),
        (('en = "Machete", ', ""), "needs a text for en"),
        (('en = "Push one enemy Senapati back 1 square.", ', ""), "needs a text for en"),
        (('do = "pin"', 'do = "freeze"'), "Allowed: move, push, swap, pin, guard, revive, draw"),
    ],
)
def test_cards_that_cannot_be_are_refused(change: tuple[str, str], told: str) -> None:
    text = BOX.content()[CARDS]
    assert change[0] in text
    with pytest.raises(BadContent, match=r"cards\.toml, line") as refused:
        read_cards(text.replace(*change, 1))
    assert told in str(refused.value)


@pytest.mark.parametrize("taken", ["ambush", "sacrifice", "d4", "d4-d5", "machete-b"])
def test_a_skill_card_needs_an_id_of_its_own(taken: str) -> None:
    more = SKILL.format(id=taken, effects='{ do = "swap" }')
    with pytest.raises(BadContent, match="is taken"):
        read_cards(BOX.content()[CARDS] + more)


def test_a_deck_needs_more_cards_than_a_hand_and_there_must_be_skills() -> None:
    text = BOX.content()[CARDS]
    few = text.replace("count = 5", "count = 1").replace("count = 3", "count = 1", 1)
    with pytest.raises(BadContent, match="more than the 3 cards"):
        read_cards(few.replace("count = 2", "count = 1", 1))
    with pytest.raises(BadContent, match="at least one card"):
        read_cards("skill = []\n" + text.partition("# --- Skill")[0])


def test_advice_says_what_differs_from_the_rulebook_and_what_is_a_sample() -> None:
    content = BOX.content()
    told = [phrase.plain() for phrase in BOX.check(content)]
    assert len(told) == 2
    changed = content[CARDS].replace("count = 5", "count = 6")
    one_lane_less = content[BOARD].replace('"a", ', "", 1).replace("[4, ", "[", 1)
    told = [phrase.plain() for phrase in BOX.check({CARDS: changed, BOARD: one_lane_less})]
    assert told[0] == "6 of Machete in a deck: the rulebook has 5 (Per 3)."
    assert told[1] == "6 lanes: the rulebook has 7 Senapati each (Per 2)."


def test_every_card_and_act_can_carry_a_tag() -> None:
    things = BOX.tagged(BOX.content())
    cards = [thing for thing in things if thing.kind is TagKind.CARD]
    assert sum(thing.copies for thing in cards) == 20 + 16
    assert {thing.thing for thing in things} >= {"machete-a", "spear-b", "net", "swap", "sacrifice"}
    assert len({thing.key for thing in things}) == len(things)


def test_the_rulebook_and_the_rulings_are_told_in_three_languages() -> None:
    register = BOX.register()
    assert len(register.sections) == 12 + 19
    assert len(register.rulings) == 20
    texts = [section.title for section in register.sections.values()]
    texts += [section.text for section in register.sections.values()]
    for ruling in register.rulings.values():
        assert ruling.default == ruling.choice[0].name
        assert set(ruling.sections) <= set(register.sections)
        texts += [ruling.question, *(variant.text for variant in ruling.choice)]
    for text in texts:
        assert set(text) == set(LANGUAGES)
        assert all(word.strip() for word in text.values())
    wanted = ["S1", "S2", "S8", "S9", "S10", "S12", "S14", "S17"]
    assert [ruling.id for ruling in register.switches] == wanted
