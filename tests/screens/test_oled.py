"""Nothing runs off the small picture; the verb and the buttons are always there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.rules.phrases import Phrase
from companion.rules.prompts import Refusal
from companion.screens.oled import (
    ELLIPSIS,
    HEIGHT,
    WIDTH,
    Font,
    Pages,
    Sheet,
    find_fonts,
    fit,
    missing_glyphs,
    paged,
    shorten,
    wrap,
)
from companion.screens.pixels import NoFont
from companion.screens.showing import RULES, Shown, show
from companion.words import LANGUAGES, Words
from tests.screens.tables import BOX, LONG_NAME, has_japanese_font, new_session, play_at_random

NAMES = (LONG_NAME, "Wulandari Kusumawardhani Puteri", "Bo")
HINT = Phrase("hold ◀: undo")
WITHOUT_FONT: tuple[Path, ...] = ()

needs_japanese = pytest.mark.skipif(
    not has_japanese_font(), reason="the bitmap font with Japanese is not installed: make fonts"
)
IN_EVERY_LANGUAGE = [
    pytest.param(language, marks=needs_japanese if language == "ja" else ())
    for language in LANGUAGES
]


@cache
def moments() -> tuple[Shown, ...]:
    """One moment for each kind of question and for the end, out of random games."""
    found: dict[str, Shown] = {}
    for seed in range(12):
        for shown in play_at_random(new_session(NAMES), seed, 150):
            text = f"{shown.kind} {shown.question.text}"
            longest = found.get(text)
            if longest is None or len(shown.question.plain()) > len(longest.question.plain()):
                found[text] = shown
    assert len(found) > 10
    return tuple(found.values())


def pages(language: str) -> Pages:
    return Pages(Words(language), find_fonts(language))


def check(sheet: Sheet) -> list[str]:
    """Every text is inside the picture; gives the texts."""
    assert sheet.image.size == (WIDTH, HEIGHT)
    assert sheet.image.mode == "1"
    for text, right in sheet.texts:
        assert right <= WIDTH, f"{text} ends at {right}"
    assert sheet.top <= sheet.foot + 1 or not sheet.texts
    return [text for text, _ in sheet.texts]


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_long_names_and_questions_fit(language: str) -> None:
    drawn = pages(language)
    for shown in moments():
        for selected in {0, len(shown.options) // 2, max(0, len(shown.options) - 1)}:
            texts = check(drawn.now(shown, selected))
            if shown.kind != RULES:
                continue
            verb = wrap(drawn.words.say(shown.question), drawn.fonts.small)[0]
            assert any(line[:4] == verb[:4] for line in texts), "the verb is gone"
            assert any("OK" in line for line in texts), "the button's hint is gone"
            assert any(line.startswith("→") for line in texts), "the selected option is gone"
            assert texts[0].startswith(shown.asked[:8]), "who is asked is gone"


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_questions_are_cut_nowhere_but_in_names(language: str) -> None:
    drawn = pages(language)
    for shown in moments():
        lines = fit(shown.question, drawn.words, shown.names, drawn.fonts.small, 2)
        assert len(lines) <= 2, lines
        if ELLIPSIS in "".join(lines):
            assert any(name[:3] in "".join(lines) for name in NAMES)


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_the_other_pages_fit(language: str) -> None:
    drawn = pages(language)
    for shown in moments():
        for page in range(4):
            check(drawn.book([drawn.standing(shown)], page, HINT))
            check(drawn.book([drawn.to_move(shown)], page, HINT))
    long = Phrase("{word} " * 30, {"word": LONG_NAME})
    assert "§15.3" in check(drawn.refused(Refusal("15.3", long)))


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_all_glyphs_are_there(language: str) -> None:
    drawn = pages(language)
    if not drawn.fonts.japanese:
        pytest.skip("the bitmap font is not installed: make fonts")
    texts = "".join(text for s in moments() for text, _ in drawn.now(s).texts)
    assert missing_glyphs(texts, drawn.fonts) == set()
    assert missing_glyphs("✗ ok\u3000", drawn.fonts) == {"✗"}


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_consent_and_what_to_put_back_fit(language: str) -> None:
    session = new_session(NAMES)
    wording = BOX.wording(session.game)
    for _ in play_at_random(session, 4, 30):
        pass
    drawn = pages(language)
    seen = set()
    for _ in range(25):
        session.undo()
        while session.consent is not None or session.put_back:
            shown = show(session, wording)
            seen.add(shown.kind)
            for page in range(3):
                texts = check(drawn.now(shown, page))
                assert any("●" in text for text in texts)
            session.answer("yes" if session.consent is not None else "done")
        if not session.history:
            break
    assert seen == {"consent", "put back"}


def test_markup_in_names_is_drawn_as_it_is() -> None:
    session = new_session(("<i onclick=1>Bo", 'Bo" title="x'))
    shown = show(session, BOX.wording(session.game))
    texts = check(pages("en").now(shown))
    assert texts[0] == "<i onclick=1>Bo"


def test_without_the_font_latin_languages_have_the_built_in_one() -> None:
    for language in ("id", "en"):
        drawn = Pages(Words(language), find_fonts(language, WITHOUT_FONT))
        for shown in moments():
            texts = check(drawn.now(shown))
            if shown.kind == RULES:
                assert any("OK" in text for text in texts)
            check(drawn.book([drawn.standing(shown)], 0, HINT))


def test_without_the_font_japanese_is_refused_with_the_mend() -> None:
    with pytest.raises(NoFont, match="make fonts"):
        find_fonts("ja", WITHOUT_FONT)


def test_a_damaged_font_file_is_named(tmp_path: Path) -> None:
    for size in (10, 12):
        (tmp_path / f"b{size}.pcf.gz").write_bytes(b"nothing")
    with pytest.raises(NoFont, match=r"b10\.pcf\.gz"):
        find_fonts("en", (tmp_path,))


def test_fonts_are_unpacked_once_for_all_games_and_languages() -> None:
    if not find_fonts("id").japanese:
        pytest.skip("the bitmap font is not installed: make fonts")
    assert find_fonts("id").small is find_fonts("ja").small is find_fonts("en").small


def plain_font() -> Font:
    return find_fonts("en", WITHOUT_FONT).small


@given(st.text(max_size=80), st.integers(20, WIDTH))
def test_wrapped_lines_are_never_too_wide_and_nothing_is_lost(text: str, width: int) -> None:
    font = plain_font()
    lines = wrap(text, font, width)
    assert all(font.width(line) <= width or len(line) == 1 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.text(max_size=40), st.integers(0, WIDTH))
def test_shortened_names_fit(text: str, width: int) -> None:
    font = plain_font()
    assert font.fits(shorten(text, font, width), width)


def test_blocks_stay_together_on_a_page() -> None:
    assert paged([["a", "b"], ["c", "d"], ["e", "f"]], 3) == [["a", "b"], ["c", "d"], ["e", "f"]]
    assert paged([["a"], ["b"], ["c"]], 2) == [["a", "b"], ["c"]]
    assert paged([list("abcde")], 2) == [["a", "b"], ["c", "d"], ["e"]]
    assert paged([], 2) == [[]]


def test_drawing_puts_something_on_the_picture() -> None:
    image = pages("en").now(moments()[0]).image
    assert isinstance(image, Image.Image)
    assert image.getbbox() == (0, 0, WIDTH, HEIGHT) or image.getbbox() is not None
