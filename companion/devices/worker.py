"""One thread for one device: opens it, lets it work, closes it when it fails, tries again.

Nothing that a device does stops anything else. A call that does not come back is noticed by
`Worker.check`, which somebody else's thread calls.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar

from companion.devices.health import Condition, Health, HealthBoard
from companion.rules.errors import CompanionError
from companion.rules.phrases import Phrase

T = TypeVar("T")

PAUSES = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Seconds before each further try of a device that does not work at all; the last one stays."""
STEADY = 10.0
"""Seconds without a fault after which a device counts as sound again."""
DEADLINE = 2.0
"""Seconds that one call may take before the device counts as stalled."""


class Device(Protocol):
    """What a worker drives. Every call may raise anything: then the device is closed and retried.

    Only the worker's thread calls these. A device of which only a part works may have a
    `warning`, a phrase or None, that goes along with its health; one that is open and of no use
    yet says so as `waiting`. `pauses` of its own replace the usual ones. One that waits inside may
    have a method `wake`, called by another thread at the end.
    """

    name: str

    def open(self) -> None:
        """Find the device and make it ready."""

    def step(self) -> float:
        """Do a bit of work; gives the seconds until there is more, unless `Worker.wake` is called.

        A device that waits inside must come back within a fraction of a second.
        """

    def close(self) -> None:
        """Let go of what `open` took; also called after an `open` that failed half way."""


def reason_of(error: BaseException) -> Phrase:
    """Why something failed, in words."""
    if isinstance(error, CompanionError):
        return error.phrase
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return Phrase("{error}", {"error": text})


class Worker:
    """Keeps one device going."""

    def __init__(
        self,
        device: Device,
        board: HealthBoard,
        *,
        pauses: Sequence[float] | None = None,
        deadline: float = DEADLINE,
        steady: float = STEADY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.device = device
        self.board = board
        own: Sequence[float] = getattr(device, "pauses", PAUSES)
        self.pauses = pauses or own
        self.deadline = deadline
        self.steady = steady
        self.clock = clock
        self._tries = 0
        """How often in a row the device did not get to work at all."""
        self._faulted: float | None = None
        """When it last failed; None once it has been sound for long enough."""
        self._fault: Phrase | None = None
        self._open = False
        self._useless: Phrase | None = None
        """Why the device was given up when it was open last and was not to be used."""
        self._called: float | None = None
        self._now = Condition.STARTING
        self._reason: Phrase | None = None
        self._wake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=device.name, daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._set(Condition.STARTING)
        self._thread.start()

    def wake(self) -> None:
        """There is something to do now."""
        self._wake.set()

    def stop(self, timeout: float = 1.0) -> bool:
        """End; gives whether the device let go within so many seconds."""
        self._stopping = True
        self._wake.set()
        getattr(self.device, "wake", lambda: None)()
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def check(self) -> None:
        """Note a device that has not come back from a call, or has come back."""
        called = self._called
        if called is not None and self.clock() - called > self.deadline:
            self.board.set(Health(self.device.name, Condition.STALLED))
        else:
            self.board.set(Health(self.device.name, self._now, self._reason))

    # -- the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping:
            try:
                self._work()
            except Exception as error:  # whatever a driver raises: the game goes on
                self._faulted = self.clock()
                self._fault = reason_of(error)
                self._useless = self._fault if self._open else None
                self._set(Condition.OFFLINE, self._fault)
            finally:
                with suppress(Exception):
                    self._call(self.device.close)
            self._pause(self.pauses[min(self._tries, len(self.pauses) - 1)])
            self._tries += 1

    def _work(self) -> None:
        self._open = False
        self._call(self.device.open)
        self._open = True
        self._tell_working()
        while not self._stopping:
            pause = self._call(self.device.step)
            self._tries = 0
            if self._faulted is not None and self.clock() - self._faulted >= self.steady:
                self._faulted = None
            self._tell_working()
            if pause > 0:
                self._pause(pause)

    def _tell_working(self) -> None:
        waiting: Phrase | None = getattr(self.device, "waiting", None)
        if waiting is None:
            self._useless = None
            self._tell_sound()
        elif self._useless is None:
            self._set(Condition.STARTING, waiting)
        else:
            self._set(Condition.OFFLINE, self._useless)  # it has to stay in sight to be read

    def _tell_sound(self) -> None:
        if self._faulted is None:
            self._set(Condition.WORKING, getattr(self.device, "warning", None))
        else:
            self._set(Condition.DEGRADED, self._fault)

    def _call(self, do: Callable[[], T]) -> T:
        self._called = self.clock()
        try:
            return do()
        finally:
            self._called = None

    def _pause(self, seconds: float) -> None:
        if seconds and not self._stopping:
            self._wake.wait(seconds)
        self._wake.clear()

    def _set(self, condition: Condition, reason: Phrase | None = None) -> None:
        self._now, self._reason = condition, reason
        self.board.set(Health(self.device.name, condition, reason))
