"""Carpet Racers on every screen: its pages fit, and hands and words find their way about."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.shelf import open_box
from companion.rules.phrases import Phrase
from companion.rules.session import Session
from companion.screens.oled import WIDTH, Pages, find_fonts, fit, missing_glyphs
from companion.screens.showing import Shown, Watch, show
from companion.screens.terminal import Terminal
from companion.virtual import VirtualTable
from companion.words import LANGUAGES, Words
from tests.screens.handsets import Hands
from tests.screens.tables import LONG_NAME, has_japanese_font, say

BOX = open_box("carpet-racers")
NAMES = ("Ana", "Budi", "Cici")
HINT = Phrase("◀ back")
IN_EVERY_LANGUAGE = [
    pytest.param(
        language,
        marks=pytest.mark.skipif(
            language == "ja" and not has_japanese_font(),
            reason="the bitmap font with Japanese is not installed: make fonts",
        ),
    )
    for language in LANGUAGES
]


def new_session(**setup: Any) -> Session[Any]:
    values = {"seats": NAMES, "guide": False, **setup}
    return Session(BOX.begin(msgspec.convert(values, BOX.setup_type), BOX.content()), "salt")


def terminal(language: str = "en", who: str | None = None, **setup: Any) -> Terminal:
    session = new_session(**setup)
    wording = BOX.wording(session.game)
    return Terminal(session, BOX, wording, Words(language), who=who, oled=False)


@cache
def moments() -> tuple[Shown, ...]:
    """One moment for each kind of question and for the end, the fullest out of random games."""
    found: dict[str, Shown] = {}
    for seed in range(6):
        tags = ("none", "chips and traps")[seed % 2]
        track = ("playground", "living-room")[seed // 2 % 2]
        session = new_session(seats=(LONG_NAME, "Bo", "Cici"), tags=tags, track=track)
        wording = BOX.wording(session.game)
        watch, people = Watch(session, wording), VirtualTable(session.game, Random(seed))
        for _ in range(400):
            watch.look()
            shown = show(session, wording, None, watch)
            known = found.get(shown.question.text)
            if known is None or facts(shown) > facts(known):
                found[shown.question.text] = shown
            if session.over:
                break
            session.answer(people.answer(session.prompt))
    assert len(found) >= 18
    return tuple(found.values())


def facts(shown: Shown) -> int:
    return sum(len(seat.facts) for seat in shown.seats)


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_all_pages_fit(language: str) -> None:
    words = Words(language)
    pages = Pages(words, find_fonts(language))
    for shown in moments():
        assert len(fit(shown.question, words, shown.names, pages.fonts.small, 2)) <= 2
        sheets = [pages.now(shown, selected) for selected in (0, len(shown.options) - 1)]
        sheets += [pages.book([pages.standing(shown)], page, HINT) for page in range(3)]
        sheets += [pages.book([pages.to_move(shown)], 0, HINT)]
        for text, right in (line for sheet in sheets for line in sheet.texts):
            assert right <= WIDTH, f"{text} ends at {right}"
            if pages.fonts.japanese:
                assert missing_glyphs(text, pages.fonts) == set()


@pytest.mark.parametrize("tags", ["none", "chips and traps"])
@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_whatever_is_pushed_and_tapped_is_drawn(language: str, tags: str) -> None:
    chance = Random(7)
    hands = Hands(new_session(tags=tags, track="playground"), language, box=BOX)
    buttons = ("up", "down", "ok", "ok", "ok", "back", "hold ok", "hold back", "menu")
    cards = list(BOX.begin(BOX.setup_type(seats=NAMES), BOX.content()).content.cards)
    for _ in range(200):
        if chance.random() < 0.2:
            hands.tap(chance.choice(cards), seat=chance.choice((None, *"ABC")))
        else:
            hands.push(chance.choice(buttons), seat=chance.choice((None, None, *"ABC")))
        assert hands.texts()


def test_a_turn_is_a_tap_and_two_presses() -> None:
    """The card, the split, what becomes of the boost; the rest comes by itself."""
    session = new_session()
    hands = Hands(session, box=BOX)
    hands.question()
    hands.tap("yellow-red-6")
    assert session.prompt.key == "split"
    hands.choose("Yellow 1 + Red 5")
    hands.settle()
    hands.choose("Red")
    hands.settle()
    assert session.game.layout()["boost/A/red"] == 1
    assert session.prompt.key == "discard"
    hands.tap("yellow-blue-4", seat="B")
    assert (session.prompt.key, session.prompt.seat) == ("split", "B")


@pytest.mark.parametrize(
    ("typed", "thing", "place"),
    [
        ("correct car red 12", "car/red", 12),
        ("betulkan mobil merah 12", "car/red", 12),
        ("correct car red castle-3", "car/red", "castle-3"),
        ("correct lap red 2", "lap/red", 2),
        ("correct stops Ana 3", "stop/A", 3),
        ("correct boost Ana red 2", "boost/A/red", 2),
        ("correct stretch Budi 2", "stretch/B", 2),
        ("correct progress Budi 4", "progress/B", 4),
        ("correct trap 12 2", "trap/12", 2),
        ("correct dock brown 0", "dock/brown", 0),
        ("correct clue Ana pink 2", "clue/A/pink", 2),
        ("correct controller Ana pink", "controller/A", "pink"),
        ("correct hand Budi card 4", "hand/B/card", 4),
        ("correct turn Budi", "turn", "B"),
    ],
)
def test_corrections_are_typed_as_people_say_them(typed: str, thing: str, place: object) -> None:
    desk = terminal(track="playground")
    say(desk, typed, "yes")
    assert desk.session.game.layout()[thing] == place


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_is_typed_in_every_language(language: str) -> None:
    desk = terminal(language)
    words, wording = Words(language), desk.wording
    red = words.say(wording.label("red"))
    say(desk, words.say(wording.label("yellow-grey-4")), red, f"{red} 2", red, "")
    layout = desk.session.game.layout()
    assert (layout["car/red"], layout["car/yellow"], layout["boost/A/red"]) == (3, 3, 1)


@pytest.mark.parametrize(
    ("typed", "yellow"),
    [("red 2", 5), ("r 2", 5), ("red2", 5), ("yellow 4", 5), ("yellow 4 + red 2", 5), ("c", 4)],
)
def test_shared_spaces_are_typed_for_either_car_or_as_the_list_says(
    typed: str, yellow: int
) -> None:
    desk = terminal()
    say(desk, "yellow-red-6")
    assert "d) Yellow 4 + Red 2" in desk.screen()
    assert "Red 2 + Yellow 4" not in desk.screen()
    say(desk, typed)
    assert desk.session.game.layout()["car/yellow"] == yellow


def test_a_fork_says_which_car_is_there() -> None:
    desk = terminal()
    say(desk, "correct car red 12", "yes", "yellow-red-6", "red 2")
    assert "Red: which way? 2 to go" in desk.screen()


def test_of_traps_with_tags_one_is_tapped() -> None:
    desk = terminal(tags="chips and traps")
    say(desk, *["no tag"] * 16)
    say(desk, "correct car red 5", "yes")
    desk.session.game.state.traps["7"] = ["seal:trap/a", ""]
    say(desk, "yellow-red-6", "red 2")
    assert "Tap the trap that is first" in desk.screen()
    assert "7: no tag" in desk.screen()
    say(desk, "7", "stop")
    assert desk.session.game.state.traps["7"] == ["seal:trap/a"]


def test_the_second_of_two_boosts_is_another_question() -> None:
    desk = terminal()
    say(desk, "correct progress Ana 7", "yes", "correct car red 3", "yes")
    desk.session.game.state.traps.pop("4")
    say(desk, "yellow-red-6", "red 1")
    assert "Boost 1 of 2: which colour?" in desk.screen()
    say(desk, "green")
    assert "Boost 2 of 2: which colour?" in desk.screen()
    say(desk, "green")
    assert "Take a boost: which colour?" in desk.screen()


def test_what_is_optional_is_seen_beside_a_long_list() -> None:
    desk = terminal()
    say(desk, "yellow-red-6", "yellow 1", "green")
    assert "Enter) end turn" in desk.screen()
    say(desk, "")
    assert desk.session.prompt.seat == "B"


def test_a_peek_is_read_on_the_own_screen_alone() -> None:
    chips = {f"seal:chip/{n}": car for n, car in enumerate(("yellow", "red", "green", "blue"))}
    desk, own = terminal(tags="chips"), terminal(tags="chips", who="A")
    for screen in (desk, own):
        screen.session.open_seal = chips.get
        for seal in [*chips, "unseen"]:
            screen.session.answer(seal)
    assert "Shown to you: Green" in own.screen()
    assert "Green" not in desk.screen().split("▶ Ana")[1]
    for screen in (desk, own):
        for _ in NAMES:
            screen.session.answer("seen")
    assert "Green" in say(own, "look-again")
    assert "Green" not in desk.handle("look-again")


@pytest.mark.parametrize("seed", range(2))
def test_a_race_to_the_end_by_the_letters_of_the_options(seed: int) -> None:
    desk = terminal(seats=("Ana", "Budi"), rulings={"R2": "in_lap_1", "R1": "at_once"})
    people = VirtualTable(desk.session.game, Random(seed))
    while not desk.session.over:
        choice = people.answer(desk.session.prompt)
        shown = {option.choice: option for option in desk.shown().options}
        say(desk, shown[choice].letter or str(choice))
    assert "wins" in desk.screen() or "share" in desk.screen()
