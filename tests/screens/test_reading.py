"""People's words become choices, in any language, whole or begun."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.cards import CardGame
from companion.rules.errors import NotUnderstood, WhichOne
from companion.rules.phrases import Named
from companion.rules.prompts import Choice, Prompt
from companion.screens.reading import (
    fold,
    give_letters,
    key_of,
    read_choice,
    read_number,
    read_seat,
    seat_called,
    shorten,
    split_seat,
)
from companion.screens.showing import Option
from tests.screens.tables import BOX, new_session

NAMES: dict[Choice, tuple[str, ...]] = {
    "forward-1": ("Maju 1", "Forward 1", "前進1"),
    "forward-12": ("Maju 12", "Forward 12", "前進12"),
    "back-1": ("Mundur 1", "Back 1", "後退1"),
    "shield": ("Perisai", "Shield", "シールド"),
    "cafe": ("Kafé", "Café Corner", "カフェ"),
    "pass": ("pass", "lewat", "パス"),
}
SEATS = {"A": "Ana", "B": "Budi", "C": "Budiman", "D": "Siti Rahma"}


def prompt(*candidates: Choice) -> Prompt[Any]:
    return Prompt("q", "A", "1", candidates or tuple(NAMES))


def options(*choices: Choice, seats: dict[str, str] | None = None) -> list[Option]:
    letters = give_letters(choices, seats or {})
    return [
        Option(choice, letter, Named({"en": str(choice)}))
        for choice, letter in zip(choices, letters, strict=True)
    ]


def read(text: str, *candidates: Choice) -> Choice:
    asked = prompt(*candidates)
    return read_choice(text, asked, options(*asked.candidates), NAMES)


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("forward-1", "forward-1"),
        ("Forward 1", "forward-1"),
        ("  FORWARD   1 ", "forward-1"),
        ("forward1", "forward-1"),
        ("ｆｏｒｗａｒｄ　１", "forward-1"),
        ("f 1", "forward-1"),
        ("maju 1", "forward-1"),
        ("前進1", "forward-1"),
        ("前進１２", "forward-12"),
        ("しーるど", "shield"),
        ("シールド", "shield"),
        ("sh", "shield"),
        ("cafe", "cafe"),
        ("KAFE", "cafe"),
        ("corner", "cafe"),
        ("lewat", "pass"),
        ("a", "forward-1"),
        ("f", "pass"),
    ],
)
def test_names_whole_or_begun_in_any_language(text: str, choice: Choice) -> None:
    assert read(text) == choice


def test_accents_of_kana_are_no_accents() -> None:
    assert fold("バ") != fold("ハ")
    assert fold("ｶﾞ") == fold("ガ") == fold("が")


def test_several_are_listed() -> None:
    with pytest.raises(WhichOne, match="fits several: forward-1, forward-12"):
        read("forw")
    with pytest.raises(WhichOne):
        read("1")


def test_a_slip_of_the_finger_is_understood_as_a_question() -> None:
    with pytest.raises(NotUnderstood, match="Did you mean shield"):
        read("sheild")


def test_what_is_not_understood_lists_what_may_be_said() -> None:
    with pytest.raises(NotUnderstood, match="You can say forward-1, back-1"):
        read("xyzzy", "forward-1", "back-1")
    many = tuple(f"card-{n}" for n in range(20))
    with pytest.raises(NotUnderstood, match="and 12 more"):
        read("xyzzy", *many)


def test_what_is_no_candidate_is_understood_too() -> None:
    assert read("shield", "forward-1") == "shield"


def test_a_candidate_comes_before_what_is_none() -> None:
    assert read("f", "pass", "forward-1") == "forward-1"


def test_numbers() -> None:
    assert read_choice("１２", prompt(*range(20)), options(*range(20)), NAMES) == 12
    assert read_number("-3") == -3
    assert read_number("three") is None
    assert read_number("9" * 50) is None


def test_a_player_called_by_a_letter_has_that_letter() -> None:
    seats = {"A": "B", "B": "A", "C": "Cici"}
    asked = prompt(*seats)
    listed = options(*seats, seats=seats)
    assert [option.letter for option in listed] == ["b", "a", "c"]
    names: dict[Choice, tuple[str, str]] = {s: (s, name) for s, name in seats.items()}
    assert read_choice("b", asked, listed, names) == "A"
    assert read_choice("A", asked, listed, names) == "B"
    assert read_choice("=A", asked, listed, names) == "A"
    assert read_seat("b", seats) == "A"
    assert seat_called("=B", seats) == "B"


def test_a_seat_whose_letter_is_somebodys_name_gets_another() -> None:
    seats = {"A": "Ana", "B": "Budi", "C": "b"}
    letters = give_letters(list(seats), seats)
    assert letters[0] == "a"
    assert letters[2] == "b"
    assert len(set(letters)) == 3


def test_letters_end_after_z() -> None:
    letters = give_letters([f"card-{n}" for n in range(30)], {})
    assert letters[25:] == ["z", "", "", "", ""]


@pytest.mark.parametrize(
    ("line", "seat", "rest"),
    [
        ("B dodge", "B", "dodge"),
        ("budi: dodge roll", "B", "dodge roll"),
        ("Budi：回避", "B", "回避"),
        ("Siti Rahma shield", "D", "shield"),
        ("siti rahma: shield", "D", "shield"),
        ("forward 3", None, "forward 3"),
        ("Budi", None, "Budi"),
        ("Budi:", None, "Budi:"),
        ("", None, ""),
    ],
)
def test_a_line_may_begin_with_a_player(line: str, seat: str | None, rest: str) -> None:
    assert split_seat(line, SEATS) == (seat, rest)


def test_players_by_name_id_or_beginning() -> None:
    assert read_seat("ana", SEATS) == "A"
    assert read_seat("c", SEATS) == "C"
    assert read_seat("siti", SEATS) == "D"
    assert read_seat("budi", SEATS) == "B"
    with pytest.raises(WhichOne, match="Budi, Budiman"):
        read_seat("bud", SEATS)
    with pytest.raises(NotUnderstood, match="Ana, Budi, Budiman, Siti Rahma"):
        read_seat("Eka", SEATS)
    with pytest.raises(NotUnderstood):
        read_seat("", SEATS)


def test_typed_texts_are_shown_short_and_harmless() -> None:
    assert shorten("a\x1b[31mb\n") == "a\ufffd[31mb"
    assert len(shorten("x" * 500)) == 40


@given(st.text(max_size=40))
def test_any_text_is_a_choice_or_a_clear_error(text: str) -> None:
    with suppress(WhichOne, NotUnderstood):
        assert read(text) in NAMES


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert key_of(key_of(text)) == key_of(text)


@given(
    st.lists(
        st.text(min_size=1, max_size=3).filter(lambda name: bool(name.strip())),
        min_size=2,
        max_size=8,
        unique_by=lambda name: name.strip().casefold(),
    )
)
def test_every_seat_has_a_letter_of_its_own(names: list[str]) -> None:
    seats = dict(zip("ABCDEFGH", names, strict=False))
    letters = give_letters(list(seats), seats)
    assert len(set(letters)) == len(seats)
    listed = options(*seats, seats=seats)
    words: dict[Choice, tuple[str, str]] = {s: (s, name) for s, name in seats.items()}
    for option in listed:
        assert read_choice(option.letter, prompt(*seats), listed, words) == option.choice


@pytest.mark.parametrize("language", ["id", "en", "ja"])
def test_every_card_is_understood_by_its_name(language: str) -> None:
    game = new_session().game
    assert isinstance(game, CardGame)
    names = BOX.wording(game).names()
    for card, named in game.catalogue.names.items():
        assert read_choice(named.in_language(language), None, (), names) == card
