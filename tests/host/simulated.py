"""A whole table on simulated chips: the real libraries, our own code, a game and its journal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import msgspec

from companion.configuration import Configuration
from companion.devices.health import Health
from companion.devices.settings import (
    ButtonSettings,
    DeviceSettings,
    DisplaySettings,
    LightSettings,
    PollSettings,
    PushSettings,
    ReaderSettings,
    SoundSettings,
)
from companion.equipping import Equipment, equipped
from companion.games.shelf import open_box
from companion.host import Table, new_table
from companion.journal import Journal
from companion.words import Words
from companion.workbench import Workbench

PATIENCE = 20.0

QUICK = {
    "companion.screens.handset.stack.SEEN": 0.02,
    "companion.workbench.SEEN": 0.03,
    "companion.workbench.PUSH": 0.02,
}
"""Hands and eyes that are quicker than people's: seconds for a glance and for a push."""

SETTINGS = DeviceSettings(
    readers=(ReaderSettings(name="A", reset=25), ReaderSettings(name="B", device=1, reset=24)),
    buttons=ButtonSettings(up=5, down=6, ok=13, back=26),
    poll=PollSettings(period_ms=10, absent_ms=200, swap_ms=80),
    push=PushSettings(bounce_ms=5, hold_ms=200),
    display=DisplaySettings(driver="ssd1306"),
    lights=LightSettings(seats={"A": (16, 20, 21), "B": (17, 27, 22)}),
    sound=SoundSettings(buzzer=12),
)


def until(
    true: Callable[[], object], why: str = "it never came true", seconds: float = PATIENCE
) -> None:
    """Wait until something is true; fails after some seconds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, why
        time.sleep(0.005)


class Hands(NamedTuple):
    """A table with somebody at it."""

    table: Table
    equipment: Equipment
    bench: Workbench

    def do(self, *lines: str) -> list[str]:
        """Do what lines say, one after the other."""
        return [self.bench.handle(line) or "" for line in lines]

    def choose(self) -> None:
        """Press OK until the question has been answered: other pages may lie on it first."""
        before = self.answers()
        for _ in range(4):
            if self.answers() == before:
                self.do("press ok")

    def health(self, device: str) -> Health:
        """How a device is."""
        return self.equipment.tabletop.station.health.all()[device]

    def answers(self) -> int:
        """How many answers people gave."""
        return len(self.table.session.entries)


@contextmanager
def hands_quick() -> Iterator[None]:
    """Hands and eyes that are quicker than people's, until the end of the block."""
    with ExitStack() as stack:
        for name, seconds in QUICK.items():
            stack.enter_context(patch(name, seconds))
        yield


@contextmanager
def hands_at(
    journal: Journal | None = None,
    settings: DeviceSettings = SETTINGS,
    language: str = "en",
    game: str = "chaos-kart",
    **values: str,
) -> Iterator[Hands]:
    """A game of three on simulated devices; of Chaos Kart, in which Ana begins."""
    box = open_box(game)
    values = values or {"first": "A"}
    setup = msgspec.convert({"seats": ["Ana", "Budi", "Citra"], **values}, box.setup_type)
    table = new_table(box, setup, box.content(), journal, language=language)
    configuration = Configuration(devices=settings)
    words = Words(language)
    with ExitStack() as stack:
        stack.enter_context(hands_quick())
        equipment = stack.enter_context(
            equipped(table, configuration, words, simulated=True, changed=lambda: None)
        )
        assert equipment.bench is not None
        yield Hands(table, equipment, equipment.bench)


@contextmanager
def journal_at(path: Path) -> Iterator[Journal]:
    """A journal that is closed at the end."""
    with Journal(path) as journal:
        yield journal
