"""Random play through the rules alone: events, causes and citations on, no session, no disk."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import Any

import msgspec

from companion.games.shelf import open_box
from companion.rules.box import AnyBox
from companion.rules.game import Game
from companion.virtual import play_out

SEATS = 4
SEED = 20


def seats_of(box: AnyBox) -> int:
    """Four players, or as near to that as the game is for."""
    least, most = box.seats
    return min(max(SEATS, least), most)


def begin(box: AnyBox, content: dict[str, str]) -> Game[Any]:
    """A new game of four, where so many can play, at the set-up's defaults."""
    setup = msgspec.convert(
        {"seats": [f"Player {n}" for n in range(seats_of(box))]}, box.setup_type
    )
    game: Game[Any] = box.begin(setup, content)
    return game


def random_play(name: str, seconds: float) -> str:
    """Games and decisions a second; the time to read the cards is not counted."""
    box = open_box(name)
    content = box.content()
    random = Random(SEED)
    games = decisions = events = 0
    spent = 0.0
    while spent < seconds:
        game = begin(box, content)
        started = perf_counter()
        decisions += play_out(game, random)
        spent += perf_counter() - started
        games += 1
        events += len(game.log)
    return (
        f"{name}: random play of {seats_of(box)}: {decisions / spent:,.0f} decisions/s, "
        f"{games / spent:,.1f} games/s, {decisions / games:.0f} decisions and "
        f"{events / games:.0f} events a game"
    )
