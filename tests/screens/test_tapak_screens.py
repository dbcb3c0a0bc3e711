"""Tapak Arwah Nusantara on every screen: its pages fit, and hands find their way about."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.shelf import open_box
from companion.rules.lines import Line
from companion.rules.phrases import Phrase
from companion.rules.session import Session
from companion.screens.dialog import ask_setup
from companion.screens.oled import WIDTH, Pages, find_fonts, fit, missing_glyphs
from companion.screens.showing import Shown, Watch, show
from companion.screens.terminal import Terminal
from companion.virtual import VirtualTable
from companion.words import LANGUAGES, Words
from tests.screens.handsets import Hands
from tests.screens.tables import LONG_NAME, has_japanese_font, say

BOX = open_box("tapak-arwah")
needs_japanese = pytest.mark.skipif(
    not has_japanese_font(), reason="the bitmap font with Japanese is not installed: make fonts"
)
IN_EVERY_LANGUAGE = [
    pytest.param(language, marks=needs_japanese if language == "ja" else ())
    for language in LANGUAGES
]


def new_session(lines: list[Line] | None = None, **setup: Any) -> Session[Any]:
    values = {"seats": ("Ana", "Budi"), "first": "ghost", "guide": False, **setup}
    game = BOX.begin(msgspec.convert(values, BOX.setup_type), BOX.content())
    return Session(game, "salt", write=None if lines is None else lines.append)


@cache
def moments() -> tuple[Shown, ...]:
    """One moment for each kind of question and for the end, the fullest out of random games."""
    found: dict[str, Shown] = {}
    for seed in range(10):
        session = new_session(seats=(LONG_NAME, "Bo"), ghost="AB"[seed % 2], first="dice")
        session.silences = seed < 5
        wording = BOX.wording(session.game)
        watch, people = Watch(session, wording), VirtualTable(session.game, Random(seed))
        for _ in range(150):
            watch.look()
            shown = show(session, wording, None, watch)
            known = found.get(shown.question.text)
            if known is None or facts(shown) > facts(known):
                found[shown.question.text] = shown
            if session.over:
                break
            session.answer(people.answer(session.prompt))
    assert len(found) >= 9
    return tuple(found.values())


HINT = Phrase("◀ back")


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
        for sheet in sheets:
            for text, right in sheet.texts:
                assert right <= WIDTH, f"{text} ends at {right}"
                if pages.fonts.japanese:
                    assert missing_glyphs(text, pages.fonts) == set()


def test_the_standings_say_where_who_stands_and_what_lies_there() -> None:
    session = new_session()
    for thing, place in (("pawn/A", 20), ("no-attack/A", 1), ("before/B/shaking-knees", 1)):
        session.correct(thing, place)
        if session.put_back:
            session.answer("done")
    wording = BOX.wording(session.game)
    pages = Pages(Words("en"), find_fonts("en"))
    sheet = pages.book([pages.standing(show(session, wording))], 0, HINT)
    text = " ".join(" ".join(text.split()) for text, _ in sheet.texts)
    assert "● Ana 20 sacred ghost, 3 lives, night, no attack" in text
    sheet = pages.book([pages.standing(show(session, wording))], 1, HINT)
    text = " ".join(" ".join(text.split()) for text, _ in sheet.texts)
    assert "Budi 0 start human, 3 lives, day, Shaking Knees" in text


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_whatever_is_pushed_and_tapped_is_drawn(language: str, seed: int) -> None:
    chance = Random(seed)
    hands = Hands(new_session(), language, box=BOX)
    buttons = ("up", "down", "ok", "ok", "ok", "back", "hold ok", "hold back", "menu")
    cards = [thing.thing for thing in BOX.tagged(BOX.content())]
    for _ in range(150):
        if chance.random() < 0.2:
            hands.tap(chance.choice(cards), seat=chance.choice((None, "A", "B")))
        else:
            hands.push(chance.choice(buttons), seat=chance.choice((None, None, "A", "B")))
        assert hands.texts()


def test_a_turn_by_buttons_and_cards() -> None:
    session = new_session()
    session.game.put("hand/A/ghost-buff", 1)
    hands = Hands(session, box=BOX)
    hands.question()
    assert "Roll the die and move" in hands.text()
    hands.choose("2")
    hands.settle()
    hands.question()
    assert "Use a buff" in hands.text()
    hands.tap("drift")
    assert session.game.layout()["pawn/A"] == 5
    assert session.prompt.key == "debuff"
    hands.tap("bound")
    assert (session.prompt.key, session.prompt.seat) == ("roll", "B")
    assert session.game.layout()["skip/A"] == 1


def test_a_game_for_two_asks_for_two() -> None:
    lines = iter(["Ana", "Budi", "Budi", "ghost", "", "", "", ""])
    told: list[str] = []
    setup = ask_setup(BOX, Words("en"), lambda _: next(lines), told.append, pick=lambda s: s[0])
    assert told[0] == "Who plays? 2 players, in turn order."
    assert setup.seats == ("Ana", "Budi")
    assert BOX.begin(setup, BOX.content()).view(None).active == "B"


def terminal(language: str = "en") -> Terminal:
    session = new_session()
    return Terminal(session, BOX, BOX.wording(session.game), Words(language), oled=False)


@pytest.mark.parametrize(
    ("typed", "thing", "place"),
    [
        ("correct pawn Ana 20", "pawn/A", 20),
        ("correct pion Ana 20", "pawn/A", 20),
        ("correct コマ Ana 20", "pawn/A", 20),
        ("correct lives Budi 2", "life/B", 2),
        ("betulkan nyawa Budi 2", "life/B", 2),
        ("correct dice Ana -1", "dice/A", -1),
        ("betulkan dadu Ana -1", "dice/A", -1),
        ("correct hand Budi human 2", "hand/B/human-buff", 2),
        ("correct before Budi shaking-knees 1", "before/B/shaking-knees", 1),
        ("correct turn Budi", "turn", "B"),
        ("correct round 4", "round", 4),
        ("correct no-attack Ana 1", "no-attack/A", 1),
    ],
)
def test_corrections_are_typed_as_people_say_them(typed: str, thing: str, place: object) -> None:
    desk = terminal()
    say(desk, typed, "yes")
    assert desk.session.game.layout()[thing] == place


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_is_typed_in_every_language(language: str) -> None:
    desk = terminal(language)
    desk.session.game.put("hand/A/ghost-buff", 1)
    names = {thing.thing: thing.name for thing in BOX.tagged(BOX.content())}
    say(desk, "2", Words(language).say(names["drift"]), "bound")
    layout = desk.session.game.layout()
    assert (layout["pawn/A"], layout["skip/A"], layout["discard/ghost-buff"]) == (5, 1, 1)
