"""What holds for every game with things that lie face down and carry tags."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.shelf import open_box
from companion.rules.lines import Answer
from companion.rules.seals import OVER, SEAL, is_seal
from companion.rules.session import Session
from companion.rules.tags import TagKind
from companion.screens.showing import show, tell_entry
from companion.screens.telling import Teller
from companion.virtual import VirtualTable
from companion.words import Words
from tests.contract.tables import ALL, SETUPS, begin


def sorts(game: str) -> set[str]:
    """The sorts of things of a game that lie face down."""
    box = open_box(game)
    sealed = (one for one in box.tagged(box.content()) if one.kind is TagKind.SEALED)
    return {thing.thing.partition(OVER)[0] for thing in sealed}


SEALED = [(game, number) for game, number in ALL if sorts(game)]
MARKED = [f"{SEAL}{sort}{OVER}" for game, _ in SEALED for sort in sorts(game)]
"""What a seal begins with that tells one thing from another."""


def test_some_game_is_tried() -> None:
    assert SEALED


@pytest.mark.parametrize(("game", "number"), SEALED)
def test_no_view_no_event_and_no_word_tells_one_sealed_thing_from_another(
    game: str, number: int
) -> None:
    session = Session(begin(game, number), "salt")
    wording = open_box(game).wording(session.game)
    table = VirtualTable(session.game, Random(number + 1))
    for _ in range(120):
        if session.over:
            break
        session.answer(table.answer(session.prompt), session.prompt.seat)
        for who in (None, *session.game.state.seats):
            shown = show(session, wording, who)
            told = tell_entry(session.entries[-1], wording, who)
            log = Teller(session, wording, Words("en"), who).log(1)
            seen = repr([session.view(who), session.log(who), shown, told, log])
            assert not any(marked in seen for marked in MARKED)


@pytest.mark.parametrize(("game", "number"), SEALED)
def test_seals_are_opened_only_where_the_rules_reveal_them(game: str, number: int) -> None:
    session = Session(begin(game, number), "salt")
    asked: list[str] = []

    def open_seal(seal: str) -> str | None:
        asked.append(seal)
        return None

    session.open_seal = open_seal
    table = VirtualTable(session.game, Random(number + 1))
    given: set[str] = set()
    for _ in range(300):
        if session.over:
            break
        session.view(None)
        session.answer(table.answer(session.prompt), session.prompt.seat)
        given |= {e.choice for e in session.entries if isinstance(e, Answer) and is_seal(e.choice)}
        revealed = [prompt.reveals for prompt in session.prompts if prompt.reveals]
        assert asked == revealed
        asked.clear()
    assert bool(given) is ("tags" in SETUPS[game][number])
