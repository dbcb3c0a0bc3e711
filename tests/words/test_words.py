"""What `Words` makes of phrases, names, numbers and lists."""

from __future__ import annotations

import subprocess
import sys

import pytest

from companion import words
from companion.rules.phrases import Named, Phrase
from companion.words import Words

CARDS = Phrase("{n} move card", {"n": 3}, "{n} move cards")
GEAR = Named({"id": "Gir", "en": "Gear", "ja": "ギア"})


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("id", "Budi mengambil 3 Kartu Gerak."),
        ("en", "Budi draws 3 move cards."),
        ("ja", "Budiが移動カード3枚を引く。"),
    ],
)
def test_phrases_inside_phrases_are_said_in_the_same_language(language: str, said: str) -> None:
    phrase = Phrase("{seat} draws {cards}.", {"seat": "Budi", "cards": CARDS})
    assert Words(language).say(phrase) == said


def test_the_plural_follows_the_number() -> None:
    said = [Words("en").say(Phrase(CARDS.text, {"n": n}, CARDS.plural)) for n in (0, 1, 2)]
    assert said == ["0 move cards", "1 move card", "2 move cards"]


@pytest.mark.parametrize(
    ("language", "said"), [("id", "Gir, 2, Ana"), ("en", "Gear, 2, Ana"), ("ja", "ギア、2、Ana")]
)
def test_lists_are_joined_as_the_language_does(language: str, said: str) -> None:
    assert Words(language).say(Phrase("{facts}", {"facts": [GEAR, 2, "Ana"]})) == said


def test_a_name_without_this_language_is_said_in_english() -> None:
    assert Words("ja").say(Named({"en": "Ana"})) == "Ana"


def test_names_are_said_as_they_are_even_with_braces() -> None:
    assert Words("en").say(Phrase("{seat} plays {card}.", {"seat": "{x}", "card": GEAR})) == (
        "{x} plays Gear."
    )


def test_words_and_numbers_are_said_as_they_are() -> None:
    assert (Words("ja").say("pass"), Words("ja").say(7), Words("ja").say("")) == ("pass", "7", "")
    assert Words("ja").say(Phrase("")) == ""


def test_a_message_without_translation_is_said_in_english() -> None:
    assert Words("id").say(Phrase("Nobody wrote {this}.", {"this": 1})) == "Nobody wrote 1."


def test_a_language_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="'fr'; allowed: id, en, ja"):
        Words("fr")


def test_english_needs_no_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "DOMAIN", "there-is-none")
    words._catalogue.cache_clear()
    try:
        assert Words("en").say(CARDS) == "3 move cards"
        assert Words("id").say(CARDS) == "3 move cards"
    finally:
        words._catalogue.cache_clear()


def test_catalogues_are_read_only_when_something_is_said() -> None:
    code = "import sys, companion.words as w; w.Words('ja'); print('gettext' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.stdout.strip() == "False", done.stderr
