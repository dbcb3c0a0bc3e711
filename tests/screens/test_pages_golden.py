"""Every page of the handset in every language, pixel for pixel: tests/screens/golden/*/*.png.

    UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/screens/test_pages_golden.py

draws them anew; look at what git says has changed before you commit it.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.games.shelf import open_box
from companion.journal.errors import cannot_open
from companion.rules.tags import TagKind
from companion.screens.handset import OpenGame
from companion.screens.handset.boot import Trouble
from companion.screens.oled import find_fonts
from companion.screens.pixels import braille
from companion.words import LANGUAGES, Words
from tests.screens.handsets import AT_THE_GUARD, DEVICES, STUNNED, Hands, at, started, tiny_hands
from tests.screens.tables import BOX, has_japanese_font, new_session
from tests.screens.test_handset import secret, uncovered
from tests.screens.test_roads import at as on_track
from tests.screens.test_setting_up import Asked

GOLDEN = Path(__file__).parent / "golden"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))

pytestmark = pytest.mark.skipif(
    not has_japanese_font(), reason="the bitmap font with Japanese is not installed: make fonts"
)

Draw = Callable[[str], Image.Image]
PAGES: dict[str, Draw] = {}


def page(draw: Callable[[str], Hands | Asked | Image.Image]) -> None:
    """One page, by the name of the function that leads to it in a language."""

    def drawn(language: str) -> Image.Image:
        found = draw(language)
        if isinstance(found, Image.Image):
            return found
        return (found.handset if isinstance(found, Hands) else found.setup).picture()

    PAGES[draw.__name__.replace("_", "-")] = drawn


def after(scenario: str, language: str, *buttons: str, tap: str = "") -> Hands:
    """A position where something was tapped and then buttons were used."""
    hands = at(scenario, language)
    if tap:
        hands.tap(tap)
    hands.push(*buttons)
    return hands


# -- a game ----------------------------------------------------------------------------------------


@page
def set_up_the_table(language: str) -> Hands:
    return Hands(new_session(), language, unpacked=True)


@page
def question(language: str) -> Hands:
    return after(AT_THE_GUARD, language, "down", "down", "down", "down")


@page
def question_after_an_act(language: str) -> Hands:
    return after(AT_THE_GUARD, language, tap="forward-4")


@page
def question_of_who_speaks(language: str) -> Hands:
    hands = at(AT_THE_GUARD, language)
    hands.tap("B", "seat")
    return hands


@page
def question_private(language: str) -> Hands:
    return Hands(secret().session, language, secret().handset.wording, things=())


@page
def whose(language: str) -> Hands:
    hands = Hands(tiny_hands(total=5).session, language, tiny_hands().handset.wording, things=())
    hands.tap("yes")
    return hands


@page
def now_on_the_table(language: str) -> Hands:
    hands = after(AT_THE_GUARD, language, tap="forward-4")
    hands.tap("stubborn-mule")
    return hands


@page
def refused(language: str) -> Hands:
    return after(STUNNED, language, tap="forward-2")


@page
def refused_why(language: str) -> Hands:
    return after(STUNNED, language, "hold ok", tap="forward-2")


@page
def why(language: str) -> Hands:
    return now_with(language, "hold ok")


@page
def missed(language: str) -> Hands:
    return now_with(language, "back")


@page
def buttons(language: str) -> Hands:
    return now_with(language, "back", *["down"] * 30)


@page
def standings(language: str) -> Hands:
    return now_with(language, "menu", "ok")


def now_with(language: str, *buttons: str) -> Hands:
    """After a turn in which much has happened."""
    hands = after(AT_THE_GUARD, language, tap="forward-4")
    hands.tap("stubborn-mule")
    hands.settle()
    hands.push(*buttons)
    return hands


@page
def consent(language: str) -> Hands:
    hands = uncovered()
    other = Hands(hands.session, language)
    other.push("hold back")
    return other


@page
def put_back(language: str) -> Hands:
    hands = after(AT_THE_GUARD, language, tap="forward-4")
    hands.tap("pass")
    hands.push("hold back")
    return hands


@page
def the_end(language: str) -> Hands:
    hands = started(language)
    while not hands.session.over:
        choices = list(hands.session.prompt.options())
        forward = [choice for choice in choices if str(choice).startswith("forward")]
        hands.session.answer((forward or choices)[-1])
    hands.handset.look()
    hands.settle()
    return hands


# -- tags, menu, devices ---------------------------------------------------------------------------


@page
def unknown_tag(language: str) -> Hands:
    hands = at(AT_THE_GUARD, language)
    hands.tap(kind="unknown", tail="5E0A")
    return hands


@page
def unknown_tag_registered(language: str) -> Hands:
    hands = unknown_at(language)
    hands.push("ok", "hold down", "down")
    return hands


def unknown_at(language: str) -> Hands:
    hands = at(AT_THE_GUARD, language)
    hands.tap(kind="unknown", tail="5E0A")
    return hands


@page
def two_tags(language: str) -> Hands:
    hands = at(AT_THE_GUARD, language)
    hands.tap(kind="crowd")
    return hands


@page
def menu(language: str) -> Hands:
    return after(STUNNED, language, "back", "menu", tap="forward-2")


@page
def rules(language: str) -> Hands:
    hands = at(AT_THE_GUARD, language)
    hands.tap(kind="judge")
    return hands


@page
def correct(language: str) -> Hands:
    hands = from_menu(language, "Correct…")
    hands.push("down")
    return hands


@page
def correct_confirm(language: str) -> Hands:
    hands = from_menu(language, "Correct…", "Pawn of {who}: {square}")
    hands.push("hold down", "ok")
    return hands


@page
def beside(language: str) -> Hands:
    return from_menu(language, "Beside the question…")


@page
def beside_private(language: str) -> Hands:
    return from_menu(language, "Beside the question…", "{who}: {what}")


@page
def devices(language: str) -> Hands:
    return from_menu(language, "Devices")


@page
def address(language: str) -> Hands:
    return from_menu(language, "Join by phone")


@page
def languages(language: str) -> Hands:
    hands = from_menu(language)
    hands.choose("Bahasa")
    return hands


@page
def new_game(language: str) -> Hands:
    return from_menu(language, "New game…")


@page
def players(language: str) -> Hands:
    return from_menu(language, "Players")


@page
def player_leaves(language: str) -> Hands:
    hands = from_menu(language, "Players")
    hands.push("ok")
    return hands


@page
def switch_off(language: str) -> Hands:
    return from_menu(language, "Switch off…")


def from_menu(language: str, *lines: str) -> Hands:
    """A page that the menu leads to."""
    hands = at(AT_THE_GUARD, language)
    hands.menu(*lines)
    return hands


@page
def starting(language: str) -> Image.Image:
    return at(AT_THE_GUARD, language).handset.panels.started(DEVICES).image


@page
def stopped(language: str) -> Image.Image:
    return at(AT_THE_GUARD, language).handset.panels.stopped().image


@page
def screen_test(language: str) -> Image.Image:
    return at(AT_THE_GUARD, language).handset.panels.edges().image


# -- a track that forks ---------------------------------------------------------------------------


def racing(language: str, *answers: str, side: str = "living-room") -> Hands:
    """Yellow is about to come to a fork."""
    hands = Hands(on_track('"car/yellow" = 11', side), language, box=open_box("carpet-racers"))
    for answer in answers:
        hands.session.answer(answer)
    hands.handset.look()
    return hands


@page
def track_split(language: str) -> Hands:
    return racing(language, "yellow-red-4")


@page
def track_way(language: str) -> Hands:
    hands = racing(language, "yellow-red-4", "yellow-3")
    hands.push("down")
    return hands


@page
def track_board(language: str) -> Hands:
    hands = racing(language, side="playground")
    hands.push("menu", "down", "ok")
    return hands


# -- before a game ---------------------------------------------------------------------------------


def asked(language: str, *buttons: str) -> Asked:
    found = Asked(language, open_games=[OpenGame(7, BOX.title, "5 · Ana")])
    found.push(*buttons)
    return found


@page
def cannot_start(language: str) -> Image.Image:
    words, fonts = Words(language), find_fonts(language)
    full = cannot_open(Path("/var/lib/companion/journal.db"), OSError(errno.ENOSPC, "full"))
    return Trouble(words, fonts, full.phrase, buttons=True).picture()


@page
def setup_language(language: str) -> Asked:
    return asked(language)


@page
def setup_go_on(language: str) -> Asked:
    return asked(language, "ok")


@page
def setup_players(language: str) -> Asked:
    return asked(language, "ok", "down", "ok")


@page
def setup_start(language: str) -> Asked:
    return asked(language, "ok", "down", "ok", "down", "ok")


@page
def setup_options(language: str) -> Asked:
    return asked(language, "ok", "down", "ok", "ok", "down", "ok", "down")


@page
def setup_option(language: str) -> Asked:
    return asked(language, "ok", "down", "ok", "ok", "down", "ok", "ok")


@page
def setup_no_tags_yet(language: str) -> Asked:
    found = asked(language)
    found.tap("forward-1", TagKind.CARD)
    return found


# -- comparing -------------------------------------------------------------------------------------


def file_of(name: str, language: str) -> Path:
    return GOLDEN / language / f"{name}.png"


def told(name: str, expected: Image.Image, drawn: Image.Image) -> str:
    """Both pictures as text, and where they differ."""
    box = ImageChops.logical_xor(expected, drawn).getbbox()
    return "\n".join(
        [
            f"{name} differs within {box} (left, top, right, bottom).",
            "Expected:",
            *braille(expected),
            "Drawn:",
            *braille(drawn),
            "If it should look like this: UPDATE_GOLDEN=1",
        ]
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_page_is_as_it_was(name: str, language: str) -> None:
    drawn = PAGES[name](language)
    file = file_of(name, language)
    if UPDATE:
        file.parent.mkdir(parents=True, exist_ok=True)
        drawn.save(file, optimize=True)
    assert file.is_file(), f"{file} is missing: UPDATE_GOLDEN=1"
    with Image.open(file) as opened:
        expected = opened.convert("1")
    if expected.tobytes() != drawn.tobytes():
        pytest.fail(told(f"{language}/{name}", expected, drawn), pytrace=False)


def test_every_picture_has_its_page() -> None:
    known = {file_of(name, language) for name in PAGES for language in LANGUAGES}
    assert set(GOLDEN.glob("*/*.png")) == known


def test_a_difference_is_told_as_text() -> None:
    drawn = at(AT_THE_GUARD).handset.picture()
    other = drawn.copy()
    other.putpixel((3, 60), 1 - int(bool(other.getpixel((3, 60)))))
    assert "differs within (3, 60, 4, 61)" in told("en/question", drawn, other)
