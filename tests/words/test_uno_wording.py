"""Everything in UNO Mario Kart has words, and they fit the small display."""

from __future__ import annotations

import pytest

from companion.games.shelf import open_box
from companion.games.uno_mario_kart.content import read_cards
from companion.rules.layouts import Shift
from companion.rules.phrases import Named, Phrase
from companion.rules.wording import Label
from tests.contract.tables import Players

BOX = open_box("uno-mario-kart")


def plain(label: Label | None) -> str:
    if label is None:
        return ""
    return label.plain() if isinstance(label, Phrase) else label.in_language("en")


@pytest.mark.parametrize(
    ("shift", "told"),
    [
        (Shift("hand/A/stock", 3, 5), "Ana: take 2 cards"),
        (Shift("hand/A/stock", 5, 4), ""),
        (Shift("pile", 30, 1), "Shuffle the pile but for its top card: it is the new stock"),
        (Shift("pile", 30, 0), ""),
        (Shift("round", 1, 2), "Ana: shuffle all cards and deal everybody 7"),
        (Shift("direction", "left", "right"), ""),
    ],
)
def test_what_hands_have_to_do(shift: Shift, told: str) -> None:
    players = Players("uno-mario-kart", 0, seed=1)
    assert plain(BOX.wording(players.session.game).instruct(shift)) == told


def test_card_names_are_there_in_every_language() -> None:
    for name in read_cards(BOX.content()["cards.toml"]).catalogue.names.values():
        assert isinstance(name, Named)
        assert set(name.words) == {"id", "en", "ja"}
