"""All devices of one table, each kept going by a worker of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from companion.devices.buttons import Buttons
from companion.devices.display import Display
from companion.devices.health import Condition, Health, HealthBoard
from companion.devices.inputs import Input
from companion.devices.lights import Light, Lights
from companion.devices.readers import SpiReader, spi_readers
from companion.devices.settings import DeviceSettings
from companion.devices.sound import Signal, Sound
from companion.devices.worker import Device, Worker

if TYPE_CHECKING:
    from PIL.Image import Image

    from companion.devices.hub import Hub

END = 3.0
"""Seconds in which all devices have to let go at the end; one that hangs is left behind."""

Finder = Callable[[], str]
"""Gives the path of the hub's port. Raises DeviceFault."""


class Station:
    """The devices that the settings name. What they say waits in `inbox`, in their order."""

    def __init__(self, settings: DeviceSettings, *, find_hub: Finder | None = None) -> None:
        self.inbox: SimpleQueue[Input | Health] = SimpleQueue()
        self.health = HealthBoard(self.inbox.put)
        self.readers: list[SpiReader] = spi_readers(settings.readers, settings.poll, self.inbox.put)
        self.display = Display(settings.display) if settings.display else None
        self.buttons = (
            Buttons(settings.buttons, settings.push, self.inbox.put) if settings.buttons else None
        )
        self.hub = _hub(settings, self.inbox.put, self.health, find_hub)
        self.lights = Lights(settings.lights) if settings.lights else None
        self.sound = Sound(settings.sound) if settings.sound else None
        self._workers = {device.name: Worker(device, self.health) for device in self._devices()}

    def _devices(self) -> list[Device]:
        """In the order in which they are wanted: first what shows something."""
        found = (self.display, self.buttons, *self.readers, self.hub, self.lights, self.sound)
        return [device for device in found if device is not None]

    @property
    def has_buttons(self) -> bool:
        """Whether there are any, at the Pi or at the hub."""
        return self.buttons is not None or (
            self.hub is not None and bool(self.hub.settings.buttons)
        )

    def start(self) -> None:
        """Begin to work."""
        for worker in self._workers.values():
            worker.start()

    def check(self) -> None:
        """Note the devices that hang, or no longer do."""
        for worker in self._workers.values():
            worker.check()

    def stop(self) -> None:
        """Let go of all devices; one that hangs is left behind after a moment."""
        end = time.monotonic() + END
        for worker in self._workers.values():
            worker.stop(0)
        for worker in self._workers.values():
            worker.stop(max(0.0, end - time.monotonic()))

    def next_input(self, wait: float) -> Input | None:
        """What a reader or button says next, passing over news of health; None after `wait`."""
        end = time.monotonic() + wait
        while True:
            try:
                message = self.inbox.get(timeout=max(0.001, end - time.monotonic()))
            except Empty:
                return None
            if not isinstance(message, Health):
                return message

    @property
    def settled(self) -> bool:
        """Whether every device has said how it is."""
        health = self.health.all()
        return all(
            name in health and health[name].condition is not Condition.STARTING
            for name in self._workers
        )

    # -- what people are shown -----------------------------------------------------------------

    def show(self, image: Image) -> None:
        """Show a picture of 128x64; does not wait."""
        if self.display is not None:
            self.display.show(image)

    def touched(self) -> bool:
        """Somebody is there; gives whether the display was dark until now."""
        return self.display is not None and self.display.touched()

    def light(self, lights: Mapping[str, Light]) -> None:
        """Light the seats, on the Pi and on the hub."""
        for device in (self.lights, self.hub):
            if device is not None:
                device.show(lights)

    def play(self, signal: Signal) -> None:
        """Let a signal be heard."""
        if self.sound is not None:
            self.sound.play(signal)


def _hub(
    settings: DeviceSettings,
    put: Callable[[Input], None],
    board: HealthBoard,
    find: Finder | None,
) -> Hub | None:
    if settings.hub is None:
        return None
    from companion.devices.hub import Hub

    if find is None:
        return Hub(settings.hub, settings.poll, settings.push, put, board)
    return Hub(settings.hub, settings.poll, settings.push, put, board, find=find)
