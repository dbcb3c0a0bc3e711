"""A light in red, green and blue before each seat.

What a light shows differs in rhythm and not only in colour: not everybody sees red and green as
two. `SeatLights` knows which light has which colour when, for the lights at the Pi and for those
at the hub; `Lights` is the ones at the Pi.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from companion.devices import pins
from companion.devices.settings import LightSettings
from companion.rules.phrases import N_, Phrase

Colour = tuple[float, float, float]
"""Red, green and blue, each from 0 (off) to 1."""


class Light(StrEnum):
    """What a seat's light says. Accepted and refused end by themselves; the others stay."""

    OFF = "off"
    TURN = "turn"
    """It is this seat's turn: steady."""
    ASKED = "asked"
    """This seat is asked now: bright and dim in turn."""
    ACCEPTED = "accepted"
    """One long blink."""
    REFUSED = "refused"
    """Two short ones."""


class Pattern(NamedTuple):
    """Colours one after the other, each for so many seconds; then again, or nothing more."""

    parts: tuple[tuple[float, Colour], ...]
    repeats: bool = True

    @property
    def length(self) -> float:
        """Seconds from beginning to end."""
        return sum(seconds for seconds, _ in self.parts)


_BLACK: Colour = (0.0, 0.0, 0.0)
_GREEN: Colour = (0.0, 1.0, 0.0)
_RED: Colour = (1.0, 0.0, 0.0)

PATTERNS: Mapping[Light, Pattern] = {
    Light.OFF: Pattern(((60.0, _BLACK),)),
    Light.TURN: Pattern(((60.0, (0.2, 0.2, 0.2)),)),
    Light.ASKED: Pattern(((0.7, (0.5, 0.4, 0.0)), (0.5, (0.1, 0.08, 0.0)))),
    Light.ACCEPTED: Pattern(((0.6, _GREEN), (0.1, _BLACK)), repeats=False),
    Light.REFUSED: Pattern(
        ((0.15, _RED), (0.15, _BLACK), (0.15, _RED), (0.25, _BLACK)), repeats=False
    ),
}


def colour_at(light: Light, seconds: float) -> Colour:
    """The colour so long after the light began to say this; black after its end."""
    return _part_at(light, seconds)[0]


def _part_at(light: Light, seconds: float) -> tuple[Colour, float | None]:
    pattern = PATTERNS[light]
    if pattern.repeats:
        seconds %= pattern.length
    for length, colour in pattern.parts:
        if seconds < length:
            return colour, length - seconds
        seconds -= length
    return _BLACK, None


class SeatLights:
    """Which seat's light says what, since when. For any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._staying: dict[str, tuple[Light, float]] = {}
        self._passing: dict[str, tuple[Light, float]] = {}

    def show(self, lights: Mapping[str, Light]) -> None:
        """Change what the lights of some seats say.

        What ends by itself is seen to its end, and what stays comes after it.
        """
        now = self._clock()
        with self._lock:
            for seat, light in lights.items():
                if not PATTERNS[light].repeats:
                    self._passing[seat] = light, now
                elif self._staying.get(seat, (Light.OFF, 0.0))[0] is not light:
                    self._staying[seat] = light, now

    def colours(self) -> tuple[dict[str, Colour], float]:
        """The colour of each seat that was ever shown, and for how many seconds they all stay."""
        now = self._clock()
        colours: dict[str, Colour] = {}
        shortest = PATTERNS[Light.OFF].length
        with self._lock:
            for seat in self._staying | self._passing:
                colours[seat], lasts = self._colour(seat, now)
                shortest = min(shortest, lasts)
        return colours, shortest

    def _colour(self, seat: str, now: float) -> tuple[Colour, float]:
        if seat in self._passing:
            light, since = self._passing[seat]
            colour, lasts = _part_at(light, now - since)
            if lasts is not None:
                return colour, lasts
            del self._passing[seat]
        light, since = self._staying.get(seat, (Light.OFF, now))
        colour, lasts = _part_at(light, now - since)
        return colour, lasts or 0.0


class Lamp:
    """The light of one seat, at three pins. Raises DeviceFault."""

    def __init__(self, numbers: tuple[int, int, int], *, active_high: bool) -> None:
        from gpiozero import PWMLED

        self._colour: Colour | None = None
        with ExitStack() as held:
            self._lamps = []
            for number in numbers:
                with pins.claiming(number):
                    lamp = PWMLED(number, active_high=active_high, pin_factory=pins.factory())
                self._lamps.append(held.enter_context(lamp))
            self._held = held.pop_all()

    def shine(self, colour: Colour) -> None:
        """Have this colour."""
        if colour != self._colour:
            for lamp, level in zip(self._lamps, colour, strict=True):
                lamp.value = level
            self._colour = colour

    def close(self) -> None:
        """Go dark and let go of the pins."""
        self._held.close()


class Lights:
    """A worker's device: the lights at the Pi's pins. `show` is for any thread.

    Each colour is wired to its pin by a resistor, what they have in common to ground or to 3.3 V.
    `clock` gives seconds; `patience` is how long a step waits at the most.
    """

    name = "lights"

    def __init__(
        self,
        settings: LightSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        patience: float = 0.25,
    ) -> None:
        lamp = partial(Lamp, active_high=settings.common == "cathode")
        makers = {seat: partial(lamp, numbers) for seat, numbers in settings.seats.items()}
        self._lamps = pins.Claims(makers, _called, clock)
        self._patience = patience
        self._seats = SeatLights(clock)
        self._news = threading.Event()
        self._pause = 0.0

    def show(self, lights: Mapping[str, Light]) -> None:
        """Change what the lights of some seats say; seats without a light do not matter."""
        self._seats.show(lights)
        self._news.set()

    @property
    def warning(self) -> Phrase | None:
        """Which lights do not work while the others do, and why."""
        return self._lamps.warning

    # -- for the worker ------------------------------------------------------------------------

    def open(self) -> None:
        """Claim the pins. Raises DeviceFault if not one light can be had."""
        self._pause = 0.0
        self._lamps.open()

    def step(self) -> float:
        """Wait until a colour changes, and change it."""
        self._news.wait(min(self._pause, self._patience))
        self._news.clear()
        self._lamps.again()
        colours, self._pause = self._seats.colours()
        for seat, lamp in self._lamps.made.items():
            lamp.shine(colours.get(seat, _BLACK))
        return 0.0

    def wake(self) -> None:
        """Do not wait any longer; from any thread."""
        self._news.set()

    def close(self) -> None:
        """Switch off and let go of the pins."""
        self._lamps.close()


def _called(seat: str) -> Phrase:
    return Phrase(N_("light of seat {seat}"), {"seat": seat})
