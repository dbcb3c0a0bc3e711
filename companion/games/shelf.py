"""The games on the shelf, by name. A game is imported when its box is opened, not before."""

from __future__ import annotations

from importlib import import_module

from companion.rules.box import AnyBox
from companion.rules.errors import NotUnderstood
from companion.rules.phrases import N_

GAMES = {
    "chaos-kart": "companion.games.chaos_kart.box",
    "uno-mario-kart": "companion.games.uno_mario_kart.box",
    "tapak-arwah": "companion.games.tapak_arwah.box",
    "senapati": "companion.games.senapati.box",
    "carpet-racers": "companion.games.carpet_racers.box",
}


def open_box(name: str) -> AnyBox:
    """The box of a game. Raises NotUnderstood, listing the games, for any other name."""
    if name not in GAMES:
        raise NotUnderstood(
            N_("There is no game {name}. There is: {games}."), name=name, games=sorted(GAMES)
        )
    box: AnyBox = import_module(GAMES[name]).BOX
    return box
