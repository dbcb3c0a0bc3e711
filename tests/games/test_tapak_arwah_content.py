"""§1, 4.d, 5 What ships, and wrong files: told with file, line, field and what is allowed."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from companion.games.tapak_arwah.box import BOX
from companion.games.tapak_arwah.content import Kind, Track, Until, read_board, read_cards
from companion.games.tapak_arwah.effects import STANDING, Effect, Landmark, Who
from companion.games.tapak_arwah.state import Role
from companion.rules.errors import BadContent
from companion.rules.phrases import Phrase

WORDS = 'name = { id = "x", en = "x", ja = "x" }'
GOOD = f"""\
[[ghost_buff]]
id = "gust"
count = 2
effects = [{{ do = "forward", steps = 3 }}]
{WORDS}

[[ghost_debuff]]
id = "chain"
count = 1
lasts = 2
effects = [{{ do = "dice", change = -1 }}]
{WORDS}

[[human_buff]]
id = "charm"
count = 1
trigger = "attacked"
effects = [{{ do = "cancel" }}]
{WORDS}

[[human_debuff]]
id = "frozen"
count = 1
effects = [{{ do = "skip" }}]
{WORDS}
"""


def test_the_sample_is_labelled_and_has_the_two_public_cards() -> None:
    content = read_cards(BOX.content()["cards.toml"])
    assert content.file.sample
    assert any("Sample" in advice.plain() for advice in BOX.check(BOX.content()))
    sure, trap = content.cards["unstoppable"], content.cards["back-to-trap"]
    assert content.catalogue.deck_of["unstoppable"] == "ghost-buff"
    assert content.catalogue.deck_of["back-to-trap"] == "human-debuff"
    assert sure.lasts is Until.ATTACK
    assert [type(effect).__name__ for effect in (*sure.effects, *trap.effects)] == [
        "Unstoppable",
        "GoTo",
    ]


def test_the_samples_use_every_effect() -> None:
    cards = read_cards(BOX.content()["cards.toml"]).cards.values()
    used = {type(effect) for card in cards for effect in card.effects}
    assert used == set(Effect.__args__)
    assert {card.before for card in cards} == set(Who)
    assert {card.lasts for card in cards} >= {None, 1, 2, *Until}


def test_the_board_is_the_real_one() -> None:
    """§1.1 Sixty squares; how many of each kind there are."""
    board = read_board(BOX.content()["board.toml"])
    track = Track(board)
    assert not board.sample
    assert track.size == 60
    assert track.sides == ((0, "day"), (15, "night"), (30, "day"), (45, "night"))
    assert Counter(track.kinds) == {
        Kind.START: 1,
        Kind.GREEN: 8,
        Kind.PURPLE: 8,
        Kind.WHITE: 6,
        Kind.SACRED: 4,
        Kind.CURSED: 4,
        Kind.TRAP: 3,
        Kind.DICE_MINUS_1: 9,
        Kind.DICE_PLUS_1: 4,
        Kind.DICE_PLUS_2: 3,
        Kind.SWAP: 2,
        Kind.EXTRA_TURN: 2,
        Kind.FORWARD_1: 1,
        Kind.FORWARD_2: 2,
        Kind.BACK_1: 1,
        Kind.BACK_2: 2,
    }
    assert [n for n, kind in enumerate(track.kinds) if kind is Kind.TRAP] == [15, 30, 45]
    assert [track.zones[n] for n in (0, 14, 15, 29, 30, 44, 45, 59)] == [
        *("day", "day", "night", "night", "day", "day", "night", "night")
    ]


def test_every_square_that_a_card_can_name_is_a_square() -> None:
    assert {square.value for square in Landmark} <= {kind.value for kind in Kind}


def test_a_small_set_of_ones_own_is_read() -> None:
    content = read_cards(GOOD)
    assert content.catalogue.totals == {"gust": 2, "chain": 1, "charm": 1, "frozen": 1}
    assert content.lasting == {Role.GHOST: ("chain",), Role.HUMAN: ()}


def test_a_lasting_card_may_lie_before_the_other_side() -> None:
    text = GOOD.replace("lasts = 2\n", 'lasts = 2\nbefore = "other"\n')
    assert read_cards(text).lasting == {Role.GHOST: (), Role.HUMAN: ("chain",)}


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "said"),
    [
        ("count = 2", "count = 0", 3, "ghost_buff 1.count", ">= 1"),
        ("count = 2", "copies = 2", 1, "ghost_buff 1", "count"),
        ('id = "gust"', 'id = "Gust"', 2, "id", "regex"),
        ('id = "gust"', 'id = "pass"', 2, "id", "taken"),
        ('id = "chain"', 'id = "gust"', 8, "ghost_debuff 1.id", "taken"),
        ('do = "forward"', 'do = "fly"', 4, "effects 1.do", "forward, back, go-to"),
        ("steps = 3", "steps = 0", 4, "steps", ">= 1"),
        ('do = "forward", steps = 3', 'do = "cancel"', 4, "effects 1", 'trigger = "attacked"'),
        ('{ do = "forward", steps = 3 }', "", 4, "effects", "at least one effect"),
        ("lasts = 2", "lasts = 0", 10, "lasts", ">= 1"),
        ("lasts = 2", 'lasts = "ever"', 10, "lasts", "attack, roll"),
        ("lasts = 2\n", "", 10, "effects 1", "lasts"),
        ('effects = [{ do = "skip" }]', 'lasts = 1\neffects = [{ do = "skip" }]', 25, "1", "lasts"),
        ('do = "dice", change = -1', 'do = "dice", change = 9', 11, "change", "<= 5"),
        ("count = 2", 'count = 2\ntrigger = "attacked"', 4, "trigger", "buff of the human"),
        ('trigger = "attacked"', 'trigger = "hit"', 17, "trigger", "attacked"),
        ('trigger = "attacked"', 'trigger = "attacked"\nlasts = 1', 18, "lasts", "at once"),
        ('do = "skip"', 'do = "skip", who = "me"', 24, "who", "self, other"),
        ("count = 2", 'count = 2\nbefore = "other"', 4, "before", "lasts"),
        ('en = "x"', 'en = ""', 5, "name", "needs a text for en"),
        ('en = "x"', 'de = "x", en = "x"', 5, "name", "de is no language"),
    ],
)
def test_a_wrong_card_is_refused_with_line_and_field(
    old: str, new: str, line: int, field: str, said: str
) -> None:
    assert old in GOOD
    with pytest.raises(BadContent) as caught:
        read_cards(GOOD.replace(old, new, 1), "mine.toml")
    message = str(caught.value)
    assert re.match(rf"mine\.toml, line {line}, ", message), message
    assert field in message
    assert said in message


@pytest.mark.parametrize("effect", ["no-attack", "unstoppable"])
def test_what_only_the_ghost_does_lies_before_the_ghost(effect: str) -> None:
    there = GOOD.replace('do = "dice", change = -1', f'do = "{effect}"')
    read_cards(there)
    with pytest.raises(BadContent, match="before the ghost"):
        read_cards(there.replace("lasts = 2\n", 'lasts = 2\nbefore = "other"\n'))


def test_a_deck_needs_a_card() -> None:
    with pytest.raises(BadContent, match="at least one card"):
        read_cards("ghost_buff = []\n" + GOOD[GOOD.index("[[ghost_debuff]]") :])


def test_two_cards_of_one_name_are_advised_against() -> None:
    advice = [phrase.plain() for phrase in BOX.check({**BOX.content(), "cards.toml": GOOD})]
    assert advice == ["Several cards are called x; give each its own."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "side"),
        ("side = []", "side"),
        ('[[side]]\nzone = "dusk"\nsquares = ["start"]', "day, night"),
        ('[[side]]\nzone = "day"\nsquares = ["start", "swamp"]', "line 3, side 1.squares"),
        ('[[side]]\nzone = "day"\nsquares = ["white", "start"]', "the first square"),
        ('[[side]]\nzone = "day"\nsquares = ["start", "start"]', "the first square"),
        ('[[side]]\nzone = "day"\nsquares = ["start"]', "at least two squares"),
        ('colour = 1\n[[side]]\nzone = "day"\nsquares = ["start"]', "side, sample"),
    ],
)
def test_a_wrong_board_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadContent) as caught:
        read_board(text, "board.toml")
    assert said in str(caught.value)


def test_a_sample_board_says_so() -> None:
    board = 'sample = true\n[[side]]\nzone = "day"\nsquares = ["start", "white"]'
    advice = BOX.check({**BOX.content(), "board.toml": board})
    assert any("sample board" in phrase.plain() for phrase in advice)


def test_schemas_are_for_editors() -> None:
    schemas = BOX.schemas()
    assert set(schemas) == {"cards.toml", "board.toml"}
    assert {effect.__name__ for effect in STANDING} <= set(schemas["cards.toml"]["$defs"])


def test_every_card_can_carry_a_tag_on_every_copy() -> None:
    tagged = BOX.tagged(BOX.content())
    totals = read_cards(BOX.content()["cards.toml"]).catalogue.totals
    assert {one.thing: one.copies for one in tagged} == totals
    assert isinstance(tagged[0].group, Phrase)
    assert tagged[0].group.plain() == "ghost buffs"
