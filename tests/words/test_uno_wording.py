"""Everything in UNO Mario Kart has words, and they fit the small display."""

from __future__ import annotations

import inspect
from random import Random

import pytest

from companion.games.shelf import open_box
from companion.games.uno_mario_kart import happenings, wording
from companion.games.uno_mario_kart.content import read_cards
from companion.rules.events import Event
from companion.rules.layouts import Shift, shifts
from companion.rules.phrases import Named, Phrase
from companion.rules.wording import Label
from tests.contract.tables import SETUPS, Players

BOX = open_box("uno-mario-kart")


def plain(label: Label | None) -> str:
    if label is None:
        return ""
    return label.plain() if isinstance(label, Phrase) else label.in_language("en")


def test_every_event_of_the_game_has_a_sentence() -> None:
    own = [
        kind
        for _, kind in inspect.getmembers(happenings, inspect.isclass)
        if issubclass(kind, Event) and kind is not Event
    ]
    assert [kind.__name__ for kind in own if kind not in wording.SENTENCES] == []


@pytest.mark.parametrize("number", range(len(SETUPS["uno-mario-kart"])))
def test_whatever_happens_can_be_told(number: int) -> None:
    players = Players("uno-mario-kart", number, seed=number)
    session = players.session
    words = BOX.wording(session.game)
    chance = Random(number)
    layout = dict(session.game.layout())
    for _ in range(500):
        if session.over:
            break
        for prompt in [*session.prompts, *session.game.beside()]:
            assert "{" not in plain(words.ask(prompt)), prompt.key
            assert "{" not in plain(words.guide(prompt))
            for choice in chance.sample(list(prompt.candidates), min(4, len(prompt.candidates))):
                assert plain(words.label(choice, prompt))
        players.answer()
        now = dict(session.game.layout())
        for shift in shifts(layout, now, session.game.counted):
            assert "{" not in plain(words.place(shift))
            assert "{" not in plain(words.instruct(shift))
        layout = now
    for event in session.game.log.events:
        told = plain(words.tell(event))
        assert told
        assert "{" not in told, event


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
