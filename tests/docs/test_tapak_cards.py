"""What docs/cards-tapak-arwah.md says of cards and board is so."""

from __future__ import annotations

import tomllib

import pytest

from companion.games.tapak_arwah import content, effects
from companion.games.tapak_arwah.content import read_board, read_cards
from companion.rules.errors import BadContent
from tests.docs.reading import ROOT, Block, marked, said_below

CARDS = ROOT / "docs" / "cards-tapak-arwah.md"
DECKS = ("ghost_buff", "ghost_debuff", "human_buff", "human_debuff")


def whole(text: str) -> str:
    """A file of cards from an example of single ones. Its lines keep their numbers."""
    given = tomllib.loads(text)
    return text + "".join(
        f'[[{deck}]]\nid = "base-{number}"\ncount = 1\neffects = [{{ do = "skip" }}]\n'
        'name = { id = "-", en = "-", ja = "-" }\n'
        for number, deck in enumerate(DECKS)
        if deck not in given
    )


@pytest.mark.parametrize("block", marked(CARDS, "tapak-cards"), ids=lambda block: block.where)
def test_cards_can_be_played(block: Block) -> None:
    assert read_cards(whole(block.text)).cards


@pytest.mark.parametrize("block", marked(CARDS, "tapak-board"), ids=lambda block: block.where)
def test_boards_can_be_played(block: Block) -> None:
    assert read_board(block.text).side


@pytest.mark.parametrize("block", marked(CARDS, "tapak-mistake"), ids=lambda block: block.where)
def test_mistakes_are_told_as_written(block: Block) -> None:
    with pytest.raises(BadContent) as error:
        read_cards(whole(block.text))
    assert str(error.value).splitlines() == said_below(CARDS, block)


def test_every_effect_and_every_word_is_documented() -> None:
    text = CARDS.read_text(encoding="utf-8")
    said = {effect.__struct_config__.tag for effect in effects.Effect.__args__}
    for words in (
        *(effects.Who, effects.Landmark, effects.Way, effects.CardSort),
        *(content.Until, content.Trigger, content.Kind, content.Zone),
    ):
        said |= {word.value for word in words}
    for record in (content.Card, content.Board, content.Side, *effects.Effect.__args__):
        said |= set(record.__struct_fields__)
    assert (
        sorted(word for word in said if f"`{word}`" not in text and f'"{word}"' not in text) == []
    )
