"""Tables for the tests of the screens: a game of Chaos Kart with a terminal before it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec

from companion.games.shelf import open_box
from companion.rules.lines import Line
from companion.rules.session import Session
from companion.rules.wording import Wording
from companion.screens.oled import find_fonts
from companion.screens.pixels import NoFont
from companion.screens.showing import Shown, Watch, show
from companion.screens.terminal import Terminal
from companion.words import Words

BOX = open_box("chaos-kart")
LONG_NAME = "Maximiliana-Theodora"
THREE = ("Ana", "Budi", "Cici")


def new_session(
    names: tuple[str, ...] = THREE, lines: list[Line] | None = None, **setup: Any
) -> Session[Any]:
    values = {"seats": names, "laps": 1, "first": "A", "guide": False, **setup}
    game = BOX.begin(msgspec.convert(values, BOX.setup_type), BOX.content())
    return Session(game, "salt", write=None if lines is None else lines.append)


def new_terminal(
    names: tuple[str, ...] = THREE, language: str = "en", who: str | None = None, **setup: Any
) -> Terminal:
    session = new_session(names, **setup)
    wording = BOX.wording(session.game)
    return Terminal(session, BOX, wording, Words(language), who=who, oled=False)


def say(terminal: Terminal, *lines: str) -> str:
    """Give lines that must all be done; the answer to the last."""
    told = ""
    for line in lines:
        told = terminal.handle(line)
        assert not terminal.failed, f"{line}: {told}"
    return told


def play_at_random(session: Session[Any], seed: int, most: int = 400) -> Iterator[Shown]:
    """A random game; before every answer, what everybody is shown."""
    chance = random.Random(seed)
    wording: Wording = BOX.wording(session.game)
    watch = Watch(session, wording)
    for _ in range(most):
        watch.look()
        yield show(session, wording, None, watch)
        if session.over:
            return
        session.answer(chance.choice(list(session.prompt.options())))


def has_japanese_font() -> bool:
    try:
        find_fonts("ja")
    except NoFont:
        return False
    return True
