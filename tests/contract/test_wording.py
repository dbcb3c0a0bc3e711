"""Every game has words for all that it is, asks and tells, in every language."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

from companion.games.shelf import GAMES, open_box
from companion.rules import tabled
from companion.rules.events import Event
from companion.rules.layouts import shifts
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import Prompt
from companion.rules.wording import Wording
from companion.words import LANGUAGES, Words
from tests.contract.tables import ALL, Players, begin

WORDS = [Words(language) for language in LANGUAGES]
QUESTION_WIDTH = {"id": 42, "en": 42, "ja": 24}
"""Letters on two lines of the display."""
MOST = 400
"""The most answers of a game that are looked at."""


def say_all(phrase: Phrase | Named | None) -> list[str]:
    """A phrase in every language; fails on what is left unsaid."""
    if phrase is None:
        return []
    said = [words.say(phrase) for words in WORDS]
    assert all(text.strip() and "{" not in text and "}" not in text for text in said), said
    return said


def own_events(game: str) -> list[type[Event]]:
    """The events that only this game has."""
    happenings = import_module(f"{GAMES[game].removesuffix('.box')}.happenings")
    kinds = [kind for kind in vars(happenings).values() if isinstance(kind, type)]
    return [kind for kind in kinds if issubclass(kind, Event) and kind is not Event]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_event_of_a_game_has_a_sentence(game: str) -> None:
    words = open_box(game).wording(begin(game, 0))
    assert isinstance(words, tabled.TabledWording)
    told = {**tabled.SENTENCES, **words.sentences}
    assert [kind.__name__ for kind in own_events(game) if kind not in told] == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rulings_sections_and_titles_are_in_every_language(game: str) -> None:
    box = open_box(game)
    texts = [box.title.words]
    for ruling in box.register().rulings.values():
        texts += [ruling.question, *(variant.text for variant in ruling.choice)]
    for section in box.register().sections.values():
        texts += [section.title, section.text]
    assert [text for text in texts if set(text) != set(LANGUAGES) or not all(text.values())] == []


@pytest.mark.parametrize(("game", "number"), ALL)
def test_a_whole_game_can_be_told(game: str, number: int) -> None:
    players = Players(game, number, seed=number, silences=number % 2 == 0)
    session, chance = players.session, Random(number)
    words = open_box(game).wording(session.game)
    names = list(session.game.state.names.values())
    table, seen = dict(session.game.layout()), 0
    for _ in range(MOST):
        for event in session.game.log.events[seen:]:
            say_all(words.tell(event))
        for shift in shifts(table, session.game.layout(), session.game.counted):
            say_all(words.instruct(shift))
            say_all(words.place(shift))
        for seat in session.view(None).seats:
            for kind, value in seat.facts.items():
                say_all(words.fact(kind, value))
        table, seen = dict(session.game.layout()), len(session.game.log)
        if session.over:
            break
        for prompt in session.prompts:
            look(prompt, words, names, chance)
        players.answer()
    for prompt in session.game.beside():
        look(prompt, words, names, chance)


def look(prompt: Prompt[Any], words: Wording, names: list[str], chance: Random) -> None:
    """A question has two lines of the display, names of people and cards aside; all is said."""
    assert isinstance(words, tabled.TabledWording)
    for text, language in zip(say_all(words.ask(prompt)), LANGUAGES, strict=True):
        cards = (name.in_language(language) for name in words.card_names.values())
        named = sorted({name for name in (*names, *cards) if name in text}, key=len)
        assert len(text) - sum(map(len, named[-1:])) <= QUESTION_WIDTH[language], text
    say_all(words.guide(prompt))
    choices = list(prompt.candidates)
    for choice in chance.sample(choices, min(6, len(choices))):
        say_all(words.label(choice, prompt))
        say_all(words.detail(choice))
