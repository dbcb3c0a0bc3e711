"""What docs/cards-carpet-racers.md says of cards, traps and tracks is so."""

from __future__ import annotations

import tomllib

import pytest

from companion.games.carpet_racers import board, content, effects
from companion.games.carpet_racers.board import Mode, Track, TrackFile, read_track
from companion.games.carpet_racers.box import BOX
from companion.games.carpet_racers.content import CARDS, TRAPS, read_cards, read_traps
from companion.rules.errors import BadContent
from tests.docs.reading import ROOT, Block, marked, said_below

PAGE = ROOT / "docs" / "cards-carpet-racers.md"
SAMPLE = BOX.content()
PLACES = {
    "cards": effects.OF_CARDS,
    "spaces": effects.OF_SPACES,
    "progress track": effects.OF_PROGRESS,
    "castles": effects.OF_CASTLES,
    "traps": effects.OF_TRAPS,
}
"""The columns of the table of effects."""


def with_cars(text: str) -> str:
    """A file of cards from an example of single ones, which keep their lines."""
    cars = SAMPLE[CARDS][SAMPLE[CARDS].index("[[car]]") : SAMPLE[CARDS].index("[[card]]")]
    filler = '[[card]]\ncars = ["blue", "purple"]\nmove = 2\neffects = []\ncount = 20\n'
    return text + cars + filler


def track_of(text: str) -> TrackFile:
    return read_track(text, Mode(tomllib.loads(text)["mode"]))


@pytest.mark.parametrize("block", marked(PAGE, "carpet-cards"), ids=lambda block: block.where)
def test_cards_can_be_played(block: Block) -> None:
    cards = read_cards(with_cars(block.text)).card
    assert [(card.id, card.name["en"]) for card in cards[:3]] == [
        ("yellow-red-4", "Yellow + Red 4, boost, trap"),
        ("yellow-red-tyre", "Yellow + Red 4, progress, blue tyre"),
        ("green-grey-6", "Green + Grey 6"),
    ]


@pytest.mark.parametrize("block", marked(PAGE, "carpet-traps"), ids=lambda block: block.where)
def test_traps_can_be_played(block: Block) -> None:
    assert BOX.check({**SAMPLE, TRAPS: block.text})
    assert read_traps(block.text).trap


@pytest.mark.parametrize("block", marked(PAGE, "carpet-track"), ids=lambda block: block.where)
def test_tracks_can_be_played(block: Block) -> None:
    file = track_of(block.text)
    assert Track(file).graph.forks()
    assert BOX.check({**SAMPLE, file.mode.file: block.text})


@pytest.mark.parametrize("block", marked(PAGE, "carpet-mistake"), ids=lambda block: block.where)
def test_mistakes_in_cards_are_told_as_written(block: Block) -> None:
    with pytest.raises(BadContent) as error:
        read_cards(with_cars(block.text))
    assert str(error.value).splitlines() == said_below(PAGE, block)


@pytest.mark.parametrize(
    "block", marked(PAGE, "carpet-track-mistake"), ids=lambda block: block.where
)
def test_mistakes_in_tracks_are_told_as_written(block: Block) -> None:
    with pytest.raises(BadContent) as error:
        track_of(block.text)
    assert str(error.value).splitlines() == said_below(PAGE, block)


def test_the_table_says_where_each_effect_can_stand() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [line.strip("| ").split("|") for line in text.splitlines() if line.startswith("| `")]
    said = {row[0].strip(" `"): [cell.strip() for cell in row[3:]] for row in rows if len(row) > 4}
    for effect in effects.Effect.__args__:
        cells = said[effects.tag_of(effect)]
        cells += [""] * (len(PLACES) - len(cells))
        assert [cell == "yes" for cell in cells] == [effect in kinds for kinds in PLACES.values()]


def test_every_field_and_every_word_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    said = {word.value for words in (board.Mode, board.Tyre) for word in words}
    records = (
        *(content.Car, content.Controller, content.Card, content.Cards, content.Trap),
        *(content.Traps, board.Space, board.Bonus, board.Sandbox, board.TrackFile),
    )
    for record in (*records, *effects.Effect.__args__):
        said |= set(record.__struct_fields__)
    assert sorted(word for word in said if f"`{word}`" not in text) == []
