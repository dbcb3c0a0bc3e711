"""A service on simulated chips, in a thread of its own, and what it shows and logs."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.devices.settings import DeviceSettings
from companion.equipping import REAL
from companion.rules.phrases import Phrase
from companion.screens.handset.boot import Trouble
from companion.screens.handset.stack import PageStack
from companion.serving import Service
from companion.simulation import Simulation
from companion.tabletop import Scene, fonts_for
from companion.words import Words
from tests.host.simulated import until

QUICK = (0.05,)
"""Seconds between two tries, for people who do not sleep."""

SAMPLE = """
language = "en"

[[reader]]
name = "A"
reset = 25

[buttons]
up = 5
down = 6
ok = 13
back = 26

[display]
driver = "sh1106"
address = 0x3D
"""


def options(journal: Path, config: Path, **others: Any) -> Namespace:
    """What `companion serve --journal … --config …` is started with."""
    given = {"language": None, "game": None, "devices": REAL}
    return Namespace(**{**given, **others}, journal=journal, config=config)


class Box:
    """A box with a display: what is on it, and what stands in the system's log."""

    def __init__(self, started: Namespace, wire: type[Simulation]) -> None:
        self.wire = wire
        self.log: list[str] = []
        self.wired: list[Simulation] = []
        self.service = Service(
            started, Words("en"), {}, simulate=self._wire, log=self.log.append, pauses=QUICK
        )
        self.thread = threading.Thread(target=self.service.run, name="service")

    def _wire(self, settings: DeviceSettings) -> Simulation:
        self.wired.append(self.wire(settings))
        return self.wired[-1]

    @property
    def told(self) -> list[str]:
        """The log without its lines about devices."""
        return [line for line in self.log if not line.endswith(": ready")]

    @property
    def chips(self) -> Simulation:
        """The chips that are driven now."""
        until(lambda: self.wired)
        return self.wired[-1]

    @property
    def scene(self) -> Scene:
        """What the server has in front, once there is one."""
        until(lambda: self.service.server)
        assert self.service.server is not None
        return self.service.server.tabletop.scene

    @property
    def devices(self) -> list[str]:
        """How each device is, as the page about them says it."""
        return [line.text.plain() for line in self.scene.devices]

    @property
    def text(self) -> str:
        """All that the page in front says."""
        scene = self.scene
        assert isinstance(scene, PageStack)
        return " ".join(text for text, _ in scene.sheet().texts)

    def shows(self, what: Phrase, *, buttons: bool = True) -> None:
        """Wait until the first page of this trouble is on the display, pixel for pixel."""
        words, fonts = fonts_for(self.service.words)
        wanted = Trouble(words, fonts, what, buttons=buttons).picture().tobytes()
        until(lambda: self._picture() == wanted, f"never shown: {what.plain()}; log: {self.log}")

    def goes_on(self) -> None:
        """Wait until the game's server has taken over."""
        until(lambda: self.service.server, f"it did not go on; log: {self.log}")
        until(lambda: self._picture() == self.scene.picture().tobytes())

    def _picture(self) -> bytes:
        image = self.chips.picture()
        return b"" if image is None else image.tobytes()


@contextmanager
def box(started: Namespace, wire: type[Simulation] = Simulation) -> Iterator[Box]:
    """A box from its start until it is stopped, as by SIGTERM."""
    one = Box(started, wire)
    one.thread.start()
    try:
        yield one
    finally:
        one.service.halt()
        one.thread.join(10)
        assert not one.thread.is_alive()
