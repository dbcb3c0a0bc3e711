"""Questions before a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from companion.games.chaos_kart.setup import Setup
from companion.screens.dialog import ask_language, ask_setup
from companion.words import Words
from tests.screens.tables import BOX


class Table:
    """People who type one line after the other."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.told: list[str] = []

    def read(self, question: str) -> str:
        self.told.append(question)
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        return line

    def write(self, text: str) -> None:
        self.told.append(text)

    def setup(self, language: str = "en") -> Setup:
        made = ask_setup(BOX, Words(language), self.read, self.write, pick=last)
        assert isinstance(made, Setup)
        assert next(self.lines, None) is None, "a line was left over"
        return made


def last(seats: Sequence[str]) -> str:
    return seats[-1]


def test_enter_takes_the_usual() -> None:
    table = Table("Ana", "Budi", "", "", "", "", "", "")
    assert table.setup() == Setup(seats=("Ana", "Budi"), laps=2, first="B", guide=True)


def test_everything_can_be_chosen() -> None:
    table = Table("Ana", "Budi", "", "5", "2", "ana", "no", "")
    made = table.setup()
    assert made == Setup(
        seats=("Ana", "Budi"), laps=5, direction="counter-clockwise", first="A", guide=False
    )


def test_several_names_may_stand_in_a_line() -> None:
    table = Table("Ana, Budi、Cici,", "ana", "", "", "", "", "", "")
    assert table.setup().seats == ("Ana", "Budi", "Cici")
    assert any("Two players are called" in told for told in table.told)


def test_the_longest_table_needs_no_empty_line() -> None:
    names = [f"Player {n}" for n in range(8)]
    assert Table(*names, "2", "", "", "", "").setup().seats == tuple(names)


def test_wrong_answers_are_asked_again_with_the_reason() -> None:
    table = Table(
        "Ana",
        "ana",
        "",
        "Budi",
        "x\x07y",
        "",
        "0",
        "many",
        "1",
        "sideways",
        "counter",
        "Eka",
        "random",
        "perhaps",
        "yes",
        "",
    )
    made = table.setup()
    assert (made.laps, made.direction, made.first) == (1, "counter-clockwise", "B")
    told = "\n".join(table.told)
    assert "Two players are called Ana" in told
    assert "At least 2 players" in told
    assert "printable" in told
    assert "Allowed: 1 to 99" in told
    assert "clockwise, counter-clockwise" in told
    assert "Eka” is nobody here. These are: Ana, Budi." in told
    assert "Answer yes or no." in told


def test_rulings_are_asked_only_of_those_who_want() -> None:
    table = Table(
        "Ana",
        "Budi",
        "",
        "1",
        "",
        "A",
        "",
        "rulings",
        "A6 nonsense",
        "a6",
        "A1 one_deck",
        "a6 reentry",
        "A5 lap_on_entry",
        "",
    )
    made = table.setup()
    assert made.rulings == {"A6": "reentry", "A5": "lap_on_entry"}
    told = "\n".join(table.told)
    assert "Recommended: ruling A6 = reentry" in told
    assert "● printed" in told
    assert "has no variant nonsense" in told
    assert "A1 cannot be chosen" in told
    assert "laps to win are raised by one: 2" in told


def test_what_cannot_be_played_together_is_asked_anew() -> None:
    content = {**BOX.content(), "board.toml": "squares = 3"}
    table = Table(
        *("Ana", "Budi", "Cici", "", "", "", "", ""), *("Ana", "Budi", "", "2", "", "", "", "")
    )
    made = ask_setup(BOX, Words("en"), table.read, table.write, pick=last, content=content)
    assert made.seats == ("Ana", "Budi")
    assert any("too few for 3 pawns" in told for told in table.told)


def test_markup_in_names_is_taken_as_it_is() -> None:
    assert Table("<i onclick=1>Bo", "{who}", "", "2", "", "", "", "").setup().seats[1] == "{who}"


@pytest.mark.parametrize("language", ["id", "ja"])
def test_other_languages(language: str) -> None:
    table = Table("Ana", "Budi", "", "", "", "", "ya" if language == "id" else "はい", "")
    assert table.setup(language).guide


@pytest.mark.parametrize(
    ("typed", "language"), [("", "en"), ("1", "id"), ("ja", "ja"), ("日本", "ja"), ("BAHASA", "id")]
)
def test_the_language(typed: str, language: str) -> None:
    table = Table("klingon", typed)
    assert ask_language(Words("en"), table.read, table.write).language == language
