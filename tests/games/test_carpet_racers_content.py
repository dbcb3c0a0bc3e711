"""§1, 7, 9 What ships, and wrong files: told with file, line, field and what is allowed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import pytest

from companion.games.carpet_racers import effects
from companion.games.carpet_racers.board import PRINTED, Mode, Track, Tyre, read_track
from companion.games.carpet_racers.box import BOX
from companion.games.carpet_racers.content import CARDS, TRAPS, read_cards, read_content, read_traps
from companion.games.carpet_racers.effects import Effect
from companion.rules.errors import BadContent
from companion.rules.tags import TagKind

WORDS = 'name = { id = "x", en = "x", ja = "x" }'
CARS = "red", "yellow", "green", "blue", "white"
GOOD_CARDS = "".join(
    f'[[car]]\nid = "{car}"\nletter = "{letter}"\n'
    f'name = {{ id = "{car}", en = "{car.title()}", ja = "{car}" }}\n\n'
    for car, letter in zip(CARS, "RYGLW", strict=True)
) + "".join(f'[[controller]]\nid = "hand-{number}"\n{WORDS}\n\n' for number in range(1, 6))
FIRST_CARD = GOOD_CARDS.count("\n") + 1
GOOD_CARDS += """\
[[card]]
cars = ["yellow", "red"]
move = 4
effects = [{ do = "boost", count = 2 }]
tyre = "red"
count = 12

[[card]]
cars = ["blue"]
move = 3
effects = []
count = 12
"""
GOOD_TRAPS = f"""\
[[trap]]
id = "halt"
count = 20
effects = [{{ do = "stop" }}]
{WORDS}

[[trap]]
id = "gift"
count = 12
effects = [{{ do = "boost" }}, {{ do = "no-draw" }}]
{WORDS}
"""
GOOD_ROOM = """\
mode = "living-room"
start = 1

[[space]]
number = 1
[[space]]
number = 2
line = true
[[space]]
number = 3
next = [4, 6]
[[space]]
number = 4
bonus = [{ do = "look" }]
[[space]]
number = 5
next = [1]
tyre = "red"
[[space]]
number = 6
next = [5]
tyre = "blue"

[[progress]]
effects = [{ do = "controller" }]
[[progress]]
effects = [{ do = "controller" }, { do = "hand-limit" }]
"""
GOOD_GROUND = (
    GOOD_ROOM.replace('"living-room"', '"playground"').replace(
        "number = 6\nnext = [5]\ntyre", "number = 6\n[[space]]\nnumber = 7\ncatapult = true\n\n#"
    )
    + """
[sandbox]
exit = 5
die = [1, 2, 3]
[[sandbox.castle]]
effects = [{ do = "stop", count = 2 }]
"""
    + "[[sandbox.castle]]\neffects = []\n" * 4
)
GOOD: Mapping[str, str] = {
    CARDS: GOOD_CARDS,
    TRAPS: GOOD_TRAPS,
    Mode.LIVING_ROOM.file: GOOD_ROOM,
    Mode.PLAYGROUND.file: GOOD_GROUND,
}


def told(texts: Mapping[str, str]) -> str:
    """The error that files are refused with."""
    with pytest.raises(BadContent) as caught:
        BOX.check(texts)
    return str(caught.value)


def shipped(mode: Mode) -> Track:
    return read_content(BOX.content(), mode).track


# -- what ships ------------------------------------------------------------------------------------


def test_everything_that_ships_is_labelled_a_sample() -> None:
    advice = [phrase.plain() for phrase in BOX.check(BOX.content())]
    assert advice == [
        "Sample cards made for this project: the real ones are not public.",
        "Sample traps made for this project: the real ones are not public.",
        "living-room.toml: a sample track, not the real one.",
        "playground.toml: a sample track, not the real one.",
    ]


def test_there_are_as_many_as_the_rulebook_counts() -> None:
    """§1 45 cards, 32 traps, 13 boosts of each colour, 24 stops."""
    content = read_content(BOX.content(), Mode.LIVING_ROOM)
    assert sum(content.catalogue.totals.values()) == 45
    assert sum(content.trap_totals.values()) == 32
    cards = content.file
    assert (cards.boosts, cards.stops) == (13, 24)
    assert len(content.cars) == len(content.controllers) == 5


def test_the_samples_use_every_effect_wherever_it_can_stand() -> None:
    content, ground = (read_content(BOX.content(), mode) for mode in Mode)
    given = {
        "cards": [e for card in content.cards.values() for e in card.effects],
        "traps": [e for trap in content.traps.values() for e in trap.effects],
        "spaces": [e for s in ground.track.spaces.values() for e in s.bonus],
    }
    used = {name: {type(effect) for effect in found} for name, found in given.items()}
    assert used["cards"] == set(effects.OF_CARDS)
    assert used["traps"] == set(effects.OF_TRAPS)
    assert used["spaces"] == set(effects.OF_SPACES)
    shown = {type(e) for track in (content.track, ground.track) for f in track.progress for e in f}
    assert shown == set(effects.OF_PROGRESS)
    every = set().union(*used.values(), shown)
    assert every | {effects.Stop} == set(Effect.__args__)


def test_the_sample_cards_move_every_pair_and_every_car_with_the_grey_one() -> None:
    cards = read_cards(BOX.content()[CARDS]).card
    assert set(Counter(card.cars for card in cards).values()) == {3}
    assert len({card.cars for card in cards}) == 15
    assert {card.tyre for card in cards} == {None, *Tyre}


@pytest.mark.parametrize("mode", Mode)
def test_the_sample_tracks_have_what_the_rulebook_says(mode: Mode) -> None:
    """§2.8 Six traps at the set-up; §6.5 two spaces of each tyre; §7 a detour."""
    track = shipped(mode)
    assert len(track.trapped) == 6
    assert sum(bool(track.spaces[number].bonus) for number in track.trapped) == 5
    assert [len(spaces) for spaces in track.tyres.values()] == [2, 2]
    assert track.graph.forks()
    assert 30 <= len(track.spaces) <= 40
    fifth = track.progress[4]
    assert fifth == (effects.HandLimit(cards=4),)


def test_a_detour_of_the_living_room_is_shorter_and_one_is_longer() -> None:
    track = shipped(Mode.LIVING_ROOM)
    lengths = {
        fork: [track.graph.distance(branch, 1) for branch in track.next(fork)]
        for fork in track.graph.forks()
    }
    assert [main - detour for main, detour in lengths.values()] == [2, -1]


def test_the_two_castles_of_the_rulebooks_example() -> None:
    track = shipped(Mode.PLAYGROUND)
    assert track.bonuses["castle-1"] == (effects.Stop(count=2),)
    assert track.bonuses["castle-3"] == (effects.Boost(count=1),)
    assert set(track.die) <= set(range(1, 6))


# -- looking things up -----------------------------------------------------------------------------


def test_the_sandbox_is_one_step_between_catapult_and_exit() -> None:
    """R18, R26 All castles are alike; one backs from them onto the catapult."""
    track = shipped(Mode.PLAYGROUND)
    (catapult,) = track.catapults
    assert track.castles == ("castle-1", "castle-2", "castle-3", "castle-4", "castle-5")
    assert {track.next(castle) for castle in track.castles} == {(20,)}
    assert {track.previous(castle) for castle in track.castles} == {(catapult,)}
    assert track.next(catapult) == ("castle-1",)
    assert track.previous(20) == ("castle-1",)
    assert track.previous(12) == (11, 34)
    assert not any(track.holds_traps(place) for place in (catapult, *track.castles))
    assert track.holds_traps(20)
    assert {track.from_line(castle) for castle in track.castles} == {track.from_line(20) - 1}


def test_spaces_are_counted_from_the_line() -> None:
    track = shipped(Mode.LIVING_ROOM)
    assert [track.from_line(place) for place in (2, 3, 1)] == [1, 2, 28]
    assert [track.from_line(place) for place in (17, 33, 18)] == [16, 14, 15]
    assert [place for place in track.spaces if track.crosses(place)] == [2]


def test_a_board_for_screens_has_everything_that_lies_open() -> None:
    content = read_content(BOX.content(), Mode.PLAYGROUND)
    cars = dict.fromkeys(content.cars, 1) | {"red": "castle-2"}
    board = content.board_view(cars, {9: 2}, dict.fromkeys(cars, 1))
    start = board.spaces[0]
    assert (start.place, start.pieces) == (1, ("yellow", "green", "blue", "purple"))
    assert [space.place for space in board.spaces if space.hidden] == [9]
    assert [space.place for space in board.spaces if space.line] == [2]
    assert board.apart[1].pieces == ("red",)
    assert (19, 20) in board.steps
    assert {space.token for space in (*board.spaces, *board.apart)} <= {"", *PRINTED}
    assert [piece.sign for piece in board.pieces] == ["Y", "R", "G", "L", "P"]


def test_the_start_is_the_first_space_on_screens_wherever_it_stands_in_the_file() -> None:
    text = GOOD_ROOM.replace("start = 1", "start = 5").replace(
        "number = 1\n", "number = 1\nline = true\n"
    )
    track = Track(
        read_track(text.replace("number = 2\nline = true", "number = 2"), Mode("living-room"))
    )
    assert track.in_order == (5, 1, 2, 3, 4, 6)


# -- names -----------------------------------------------------------------------------------------


def test_cards_are_called_by_what_they_move() -> None:
    cards = read_cards(GOOD_CARDS).card
    assert [card.id for card in cards] == ["red-yellow-4", "blue-grey-3"]
    assert [card.name["en"] for card in cards] == ["Red + Yellow 4", "Blue + Grey 3"]


def test_cards_that_move_the_same_are_called_by_what_else_they_do() -> None:
    other = (
        '\n[[card]]\nid = "second"\ncars = ["red", "yellow"]\nmove = 4\neffects = [{ do = "look" }]'
    )
    names = [card.name["en"] for card in read_cards(GOOD_CARDS + other).card]
    assert names == ["Red + Yellow 4, boost ×2, red tyre", "Blue + Grey 3", "Red + Yellow 4, look"]


def test_a_card_may_have_a_name_and_an_id_of_its_own() -> None:
    text = GOOD_CARDS.replace("move = 3\n", f'move = 3\nid = "slow"\n{WORDS}\n')
    card = read_cards(text).card[1]
    assert (card.id, card.name["en"]) == ("slow", "x")


# -- wrong files -----------------------------------------------------------------------------------


def test_good_files_are_good() -> None:
    advice = [phrase.plain() for phrase in BOX.check(GOOD)]
    assert advice == [
        "living-room.toml: 1 space gets a trap at the set-up; the rulebook says 6.",
        "playground.toml: 1 space gets a trap at the set-up; the rulebook says 6.",
        "There are 24 cards; the game comes with 45.",
    ]


def test_other_numbers_than_the_rulebooks_are_advised_against() -> None:
    texts = {**GOOD, TRAPS: GOOD_TRAPS.replace("count = 20", "count = 1")}
    assert "There are 13 traps; the game comes with 32." in [p.plain() for p in BOX.check(texts)]
    texts = {
        **GOOD,
        "living-room.toml": GOOD_ROOM.replace('do = "controller" }, {', 'do = "boost" }, {'),
    }
    assert any(
        "1 controller on the progress track" in phrase.plain() for phrase in BOX.check(texts)
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "said"),
    [
        ('id = "red"', 'id = "Red"', 2, "car 1.id", "regex"),
        ('id = "yellow"', 'id = "red"', 7, "car 2.id", "red is taken"),
        ('id = "yellow"', 'id = "grey"', 7, "car 2.id", "grey is taken"),
        ('id = "hand-2"', 'id = "red"', 31, "controller 2.id", "red is taken"),
        ('letter = "R"', 'letter = "B"', 3, "car 1.letter", "[F-Z]"),
        ('letter = "R"', 'letter = "Y"', 8, "car 2.letter", "Y is taken"),
        ('en = "Red"', 'en = ""', 4, "car 1.name", "needs a text for en"),
        ('letter = "R"\n', "", 1, "car 1", "letter"),
        (
            '["yellow", "red"]',
            '["yellow", "pink"]',
            1,
            "card 1.cars",
            "allowed: red, yellow, green",
        ),
        ('["yellow", "red"]', '["red", "red"]', 1, "card 1.cars", "two different cars"),
        ('["yellow", "red"]', "[]", 1, "card 1.cars", ">= 1"),
        ("move = 4", "move = 1", 2, "card 1.move", ">= 2"),
        ("move = 4\n", "", 0, "card 1", "move"),
        ('do = "boost"', 'do = "boots"', 3, "card 1.effects 1.do", "progress, boost, trap, look"),
        (
            'do = "boost", count = 2',
            'do = "no-draw"',
            3,
            "card 1.effects 1",
            "no-draw is nothing for",
        ),
        ('tyre = "red"', 'tyre = "green"', 4, "card 1.tyre", "red, blue"),
        ("count = 12", "counts = 12", 0, "card 1", "count"),
        ("count = 12", "count = 1", 0, "card", "20 cards at the least"),
        (
            '["blue"]\nmove = 3',
            '["red", "yellow"]\nmove = 4',
            7,
            "card 2.id",
            "red-yellow-4 is taken",
        ),
        ('["blue"]', '["blue"]\nid = "hand-1"', 9, "card 2.id", "hand-1 is taken"),
        ('["blue"]', '["blue"]\nid = "pass"', 9, "card 2.id", "pass is taken"),
    ],
)
def test_wrong_cards_are_refused_with_line_and_field(
    old: str, new: str, line: int, field: str, said: str
) -> None:
    assert old in GOOD_CARDS
    message = told({**GOOD, CARDS: GOOD_CARDS.replace(old, new, 1)})
    expected = line + (FIRST_CARD if field.startswith("card ") or field == "card" else 0)
    assert re.match(rf"cards\.toml, line {expected}, {field}: ", message), message
    assert said in message


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "said"),
    [
        (
            'do = "stop"',
            'do = "look"',
            4,
            "trap 1.effects 1",
            "look is nothing for traps; allowed: stop",
        ),
        ('[{ do = "stop" }]', "[]", 4, "trap 1.effects", ">= 1"),
        ('id = "gift"', 'id = "halt"', 8, "trap 2.id", "halt is taken"),
        ('id = "gift"', 'id = "red"', 8, "trap 2.id", "red is taken"),
        ("count = 20", "count = 0", 3, "trap 1.count", ">= 1"),
        ("count = 20", "", 1, "trap 1", "count"),
        ('ja = "x"', 'jp = "x"', 5, "trap 1.name", "ja"),
    ],
)
def test_wrong_traps_are_refused(old: str, new: str, line: int, field: str, said: str) -> None:
    assert old in GOOD_TRAPS
    message = told({**GOOD, TRAPS: GOOD_TRAPS.replace(old, new, 1)})
    assert re.match(rf"traps\.toml, line {line}, {field}: ", message), message
    assert said in message


def test_there_are_traps_for_every_space_and_dock() -> None:
    texts = {**GOOD, TRAPS: GOOD_TRAPS.replace("count = 20", "count = 1").replace("12", "4")}
    assert "the set-up with living-room.toml needs 6 traps at the least" in told(texts)


def test_a_tyre_of_a_card_is_on_every_track() -> None:
    ground = GOOD_GROUND.replace('tyre = "red"', "")
    message = told({**GOOD, "playground.toml": ground})
    assert "card 1.tyre: no space of playground.toml has that tyre" in message


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "said"),
    [
        ("number = 5", "number = 4", 16, "space 5.number", "4 is taken"),
        ("number = 5", "number = 0", 16, "space 5.number", ">= 1"),
        ("next = [4, 6]", "next = [4, 60]", 11, "space 3.next", "no space 60"),
        ("next = [4, 6]", "next = [4, 4]", 11, "space 3.next", "each once"),
        ("next = [4, 6]", "next = [3]", 11, "space 3.next", "each once"),
        ("next = [4, 6]", "", 19, "space 6", "no road leads to space 6"),
        ("number = 6\nnext = [5]", "number = 6", 19, "space 6.next", "no space 7; say with next"),
        ("number = 6\nnext = [5]", "number = 8\nnext = [5]", 11, "space 3.next", "no space 6"),
        ("start = 1", "start = 9", 2, "start", "no space 9"),
        ("start = 1", "start = 2", 2, "start", "before the line"),
        ("line = true", "", 4, "space", "line = true"),
        ("number = 1\n", "number = 1\nline = true\n", 2, "start", "before the line"),
        ("number = 4\n", "number = 4\nline = true\n", 14, "space 4.line", "one line a lap"),
        (
            "number = 2\nline = true",
            "number = 2\n[[space]]\nnumber = 9\n",
            8,
            "space 3.next",
            "no space 10",
        ),
        (
            'do = "look"',
            'do = "stretch"',
            14,
            "space 4.bonus 1",
            "allowed: progress, boost, trap, look",
        ),
        ('do = "look"', 'do = "stop"', 14, "space 4.bonus 1", "stop is nothing for spaces"),
        ('bonus = [{ do = "look" }]', "", 4, "space", "at least one space needs a bonus"),
        (
            'do = "controller"',
            'do = "progress"',
            25,
            "progress 1.effects 1",
            "progress is nothing for",
        ),
        ('tyre = "blue"', "catapult = true", 22, "space 6.catapult", "only a playground"),
        ('mode = "living-room"', 'mode = "playground"', 1, "mode", "has the mode living-room"),
        ('mode = "living-room"', 'mode = "garden"', 1, "mode", "living-room, playground"),
        ("number = 1\n", "number = 1\ncolour = 2\n", 4, "space 1", "number, next, line, bonus"),
    ],
)
def test_a_wrong_living_room_is_refused(
    old: str, new: str, line: int, field: str, said: str
) -> None:
    assert old in GOOD_ROOM
    message = told({**GOOD, "living-room.toml": GOOD_ROOM.replace(old, new, 1)})
    assert message.startswith(f"living-room.toml, line {line}, {field}: "), message
    assert said in message


def test_a_mistake_in_spaces_of_one_line_each_is_found_in_its_line() -> None:
    spaces = """\
space = [
    { number = 1, bonus = [{ do = "look" }, { do = "boost" }] },
    { number = 2, line = true },
    { number = 3, next = [1],
      bonus = [{ do = "look" },
               { do = "stop" }] },
]
"""
    spaces = re.sub(r"\n {6,}", " ", spaces)
    text = GOOD_ROOM[: GOOD_ROOM.index("[[space]]")] + spaces
    message = told({**GOOD, "living-room.toml": text + "progress = [{ effects = [] }]"})
    assert message.startswith("living-room.toml, line 7, space 3.bonus 2: stop is nothing"), message


def test_every_road_crosses_the_line() -> None:
    text = GOOD_ROOM.replace("next = [1]", "next = [1, 3]")
    assert "from here one can go round without crossing the line" in told(
        {**GOOD, "living-room.toml": text}
    )


def test_a_detour_that_ends_nowhere_is_refused() -> None:
    text = GOOD_ROOM.replace("number = 6\nnext = [5]", "number = 6\nnext = [7]").replace(
        "\n[[progress]]", "[[space]]\nnumber = 7\nnext = [6]\n\n[[progress]]", 1
    )
    message = told({**GOOD, "living-room.toml": text})
    assert "space 6.next: no road leads from space 6 back to the start, 1" in message


@pytest.mark.parametrize(
    ("old", "new", "field", "said"),
    [
        ("catapult = true", "", "space", "needs a space with catapult = true"),
        ("catapult = true", "catapult = true\nnext = [5]", "space 7.next", "the sandbox follows"),
        ("catapult = true", "catapult = true\ntrap = true", "space 7.catapult", "no trap can lie"),
        ("catapult = true", 'catapult = true\ntyre = "red"', "space 7.catapult", "no trap can lie"),
        ("start = 1", "start = 7", "start", "is a catapult"),
        ("exit = 5", "exit = 55", "sandbox.exit", "no space 55"),
        ("exit = 5", "exit = 7", "sandbox.exit", "is a catapult"),
        ("exit = 5", "exit = 6", "space 6.next", "no road leads"),
        ("die = [1, 2, 3]", "die = [1, 2, 6]", "sandbox.die 3", "<= 5"),
        ("die = [1, 2, 3]", "die = [1]", "sandbox.die", ">= 2"),
        ('"stop", count = 2', '"controller"', "sandbox.castle 1.effects 1", "nothing for castles"),
        ("[[sandbox.castle]]\neffects = []\n", "", "sandbox.castle", ">= 5"),
    ],
)
def test_a_wrong_playground_is_refused(old: str, new: str, field: str, said: str) -> None:
    assert old in GOOD_GROUND
    message = told({**GOOD, "playground.toml": GOOD_GROUND.replace(old, new, 1)})
    assert message.startswith("playground.toml, line "), message
    assert f", {field}: " in message, message
    assert said in message


def test_a_sandbox_belongs_to_the_playground() -> None:
    sandbox = GOOD_GROUND[GOOD_GROUND.index("[sandbox]") :]
    assert "only a playground has a sandbox" in told(
        {**GOOD, "living-room.toml": GOOD_ROOM + sandbox}
    )
    without = GOOD_GROUND[: GOOD_GROUND.index("[sandbox]")]
    assert "needs a [sandbox]" in told({**GOOD, "playground.toml": without})


# -- for editors, tags and hashes ------------------------------------------------------------------


def test_schemas_are_for_editors() -> None:
    schemas = BOX.schemas()
    assert set(schemas) == set(GOOD)
    assert {effect.__name__ for effect in effects.OF_TRAPS} <= set(schemas[TRAPS]["$defs"])


def test_cards_chips_and_traps_can_carry_tags() -> None:
    kinds = Counter(thing.kind for thing in BOX.tagged(BOX.content()))
    assert kinds == {TagKind.CARD: 45, TagKind.SEALED: 5 + len(read_traps(GOOD_TRAPS).trap) + 4}
