"""A passive buzzer that says in two tones what became of a tap or a push."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.devices import pins
from companion.devices.settings import SoundSettings

if TYPE_CHECKING:
    from gpiozero import PWMOutputDevice


class Signal(StrEnum):
    """What there is to be heard."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    YOUR_TURN = "your turn"
    UNKNOWN = "unknown"
    """A card that nobody knows."""


TONES: Mapping[Signal, tuple[tuple[float, int], ...]] = {
    Signal.ACCEPTED: ((0.06, 880), (0.10, 1320)),
    Signal.REFUSED: ((0.18, 440), (0.30, 294)),
    Signal.YOUR_TURN: ((0.10, 880), (0.08, 0), (0.10, 880)),
    Signal.UNKNOWN: ((0.08, 587), (0.06, 0), (0.08, 587), (0.06, 0), (0.08, 440)),
}
"""Seconds and hertz, one after the other; 0 is silence."""


def tone_at(signal: Signal, seconds: float) -> tuple[int, float | None]:
    """The hertz so long after the signal began, and for how long; 0 and None after its end."""
    for length, hertz in TONES[signal]:
        if seconds < length:
            return hertz, length - seconds
        seconds -= length
    return 0, None


class Sound:
    """A worker's device; `play` is for any thread.

    A passive buzzer is wired between its pin and ground; one that hums by itself will not do.
    `clock` gives seconds; `patience` is how long a step waits at the most.
    """

    name = "sound"

    def __init__(
        self,
        settings: SoundSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        patience: float = 0.25,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._patience = patience
        self._news = threading.Event()
        self._signal: tuple[Signal, float] | None = None
        self._buzzer: PWMOutputDevice | None = None
        self._hertz = 0
        self._pause = 0.0

    def play(self, signal: Signal) -> None:
        """Let it be heard now; it cuts off what was to be heard before."""
        self._signal = signal, self._clock()
        self._news.set()

    # -- for the worker ------------------------------------------------------------------------

    def open(self) -> None:
        """Claim the pin. Raises DeviceFault."""
        from gpiozero import PWMOutputDevice

        number = self._settings.buzzer
        with pins.claiming(number):
            self._buzzer = PWMOutputDevice(number, pin_factory=pins.factory())
        self._hertz = 0
        self._pause = 0.0

    def step(self) -> float:
        """Wait until the tone changes, and change it."""
        self._news.wait(self._pause)
        self._news.clear()
        hertz, lasts = 0, None
        if (signal := self._signal) is not None:
            hertz, lasts = tone_at(signal[0], self._clock() - signal[1])
        self._pause = self._patience if lasts is None else min(lasts, self._patience)
        self._sound(hertz)
        return 0.0

    def wake(self) -> None:
        """Do not wait any longer; from any thread."""
        self._news.set()

    def close(self) -> None:
        """Be silent and let go of the pin."""
        if self._buzzer is not None:
            self._buzzer.close()
            self._buzzer = None

    def _sound(self, hertz: int) -> None:
        if self._buzzer is None or hertz == self._hertz:
            return
        if hertz:
            self._buzzer.frequency = hertz
        self._buzzer.value = 0.5 if hertz else 0
        self._hertz = hertz
