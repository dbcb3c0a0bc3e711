"""What docs/cards-senapati.md says of cards and board is so."""

from __future__ import annotations

import pytest

from companion.games.senapati import content, effects
from companion.games.senapati.box import BOX
from companion.games.senapati.content import read_board, read_cards
from companion.rules.errors import BadContent
from tests.docs.reading import ROOT, Block, marked, said_below

CARDS = ROOT / "docs" / "cards-senapati.md"


def whole(text: str) -> str:
    """A file of cards from an example of skill cards. Its lines keep their numbers."""
    actions = BOX.content()["cards.toml"].partition("[[action]]")[2].partition("# --- Skill")[0]
    return f"{text}\n[[action]]{actions}"


@pytest.mark.parametrize("block", marked(CARDS, "senapati-cards"), ids=lambda block: block.where)
def test_cards_can_be_played(block: Block) -> None:
    assert read_cards(whole(block.text)).skills


@pytest.mark.parametrize("block", marked(CARDS, "senapati-board"), ids=lambda block: block.where)
def test_boards_can_be_played(block: Block) -> None:
    assert read_board(block.text).lanes


@pytest.mark.parametrize("block", marked(CARDS, "senapati-mistake"), ids=lambda block: block.where)
def test_mistakes_are_told_as_written(block: Block) -> None:
    with pytest.raises(BadContent) as error:
        read_cards(whole(block.text))
    assert str(error.value).splitlines() == said_below(CARDS, block)


def test_every_effect_and_every_word_is_documented() -> None:
    text = CARDS.read_text(encoding="utf-8")
    said = {effect.__struct_config__.tag for effect in effects.Effect.__args__}
    for words in (effects.Sort, effects.Pattern, content.Action):
        said |= {word.value for word in words}
    for record in (
        *(content.ActionCard, content.SkillCard, content.Board),
        *effects.Effect.__args__,
    ):
        said |= set(record.__struct_fields__)
    assert sorted(word for word in said if f"`{word}`" not in text) == []
