"""The four buttons at the Pi's pins, by gpiozero.

gpiozero tells the edges; what they come to is `companion.portable.presses`, the same as on the
hub. Edges can get lost, so the levels are looked at as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from companion.devices import pins
from companion.devices.inputs import Button, Input, Push, Pushed, Stuck
from companion.devices.settings import ButtonSettings, PushSettings
from companion.portable.presses import Presses
from companion.portable.ticks import PERIOD, diff
from companion.rules.phrases import N_, Phrase

if TYPE_CHECKING:
    from gpiozero import DigitalInputDevice

_NAMES = {
    Button.UP: N_("button up"),
    Button.DOWN: N_("button down"),
    Button.OK: N_("button OK"),
    Button.BACK: N_("button back"),
}


def button_name(button: Button) -> Phrase:
    """What people call a button."""
    return Phrase(_NAMES[button])


class Edge(NamedTuple):
    """A contact closed or opened, at `ticks` milliseconds."""

    button: Button
    down: bool
    ticks: int


class Buttons:
    """A worker's device; every push is `put`, by the worker's thread.

    Each button is wired between its pin and ground, or with pull "down" between it and 3.3 V.
    `clock` gives seconds; `patience` is how long a step waits for an edge.
    """

    name = "buttons"

    def __init__(
        self,
        settings: ButtonSettings,
        push: PushSettings,
        put: Callable[[Input], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        patience: float = 0.25,
    ) -> None:
        wired = {b: pin for b in Button if (pin := getattr(settings, b)) is not None}
        makers = {button: partial(self._contact, button, pin) for button, pin in wired.items()}
        self._contacts = pins.Claims(makers, button_name, clock)
        self._pull_up = settings.pull == "up"
        self._push = push
        self._put = put
        self._clock = clock
        self._patience = patience
        self._reset()

    def _reset(self) -> None:
        self._edges: SimpleQueue[Edge | None] = SimpleQueue()
        push = self._push
        self._presses = Presses(push.bounce_ms, push.hold_ms, push.stuck_ms)

    @property
    def warning(self) -> Phrase | None:
        """Which buttons do not work while the others do, and why."""
        return self._contacts.warning

    # -- for the worker ------------------------------------------------------------------------

    def open(self) -> None:
        """Claim the pins. Raises DeviceFault if not one of them can be had."""
        self._reset()
        self._contacts.open()
        self._look()

    def step(self) -> float:
        """Wait a moment for edges and tell what they come to."""
        self._take_edges()
        self._contacts.again()
        self._look()
        self._tell(self._presses.tick(self._ticks()))
        return 0.0

    def wake(self) -> None:
        """Do not wait any longer; from any thread."""
        self._edges.put(None)

    def close(self) -> None:
        """Let go of the pins."""
        self._contacts.close()

    # -- the pins ------------------------------------------------------------------------------

    def _contact(self, button: Button, pin: int) -> DigitalInputDevice:
        """The device at a pin; gpiozero closes one that nobody keeps."""
        from gpiozero import DigitalInputDevice

        def closed() -> None:
            self._edges.put(Edge(button, True, self._ticks()))

        def opened() -> None:
            self._edges.put(Edge(button, False, self._ticks()))

        with pins.claiming(pin):
            contact = DigitalInputDevice(pin, pull_up=self._pull_up, pin_factory=pins.factory())
            contact.when_activated = closed
            contact.when_deactivated = opened
        return contact

    # -- pushes --------------------------------------------------------------------------------

    def _ticks(self) -> int:
        return int(self._clock() * 1000) % PERIOD

    def _take_edges(self) -> None:
        now = self._ticks()
        due = self._presses.next_deadline(now)
        wait = self._patience if due is None else min(self._patience, diff(due, now) / 1000)
        with suppress(Empty):
            edge = self._edges.get(timeout=max(wait, 0))
            while edge is not None:
                self._tell(self._presses.level(*edge))
                edge = self._edges.get_nowait()

    def _look(self) -> None:
        """At all levels: for the first time, and in case that an edge got lost."""
        for button, contact in self._contacts.made.items():
            self._tell(self._presses.level(button, bool(contact.is_active), self._ticks()))

    def _tell(self, events: list[tuple[str, ...]]) -> None:
        at = self._clock()
        for what, *names in events:
            button, *others = map(Button, names)
            if what in ("stuck", "free"):
                self._put(Stuck(button, what == "stuck", at))
            else:
                self._put(Pushed(button, Push(what), at, *others))
