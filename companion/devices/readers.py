"""The RC522 readers on the Pi's own SPI: each a device with a thread of its own.

Readers on one bus take turns, a poll each: a cheap copy of the chip may hold the line on which
another one answers, and two fields side by side disturb each other.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.devices.health import DeviceFault
from companion.devices.inputs import Crowded, Input, Lifted, Tapped
from companion.devices.ports import Port, Sleep, open_port
from companion.devices.settings import PollSettings, ReaderSettings
from companion.portable import ticks
from companion.portable.iso14443 import Scanner
from companion.portable.presence import LIFT, TAP, Presence
from companion.portable.rc522 import NoAnswer, Rc522
from companion.rules.phrases import N_, Phrase

PATIENCE = 0.15
"""Seconds to wait for one's turn on the bus: a poll of a few tags takes a tenth of that."""
RESTING = 2.0
"""Seconds after which what lies on a reader is polled half as often: it is not in a hurry."""
FAILING = 50
"""Failed polls in a row that somebody should know of."""


class Bus:
    """The turns of the readers on one SPI bus."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Have the bus alone; whoever holds it for too long hangs, and is passed over."""
        while not (lock := self._lock).acquire(timeout=PATIENCE):
            if self._lock is lock:
                self._lock = threading.Lock()
        try:
            yield
        finally:
            lock.release()


class SpiReader:
    """One reader. What comes to it and leaves it goes to `put`, from the thread that drives it.

    `open`, `step` and `close` are what a `Worker` calls; `open`, `read` and `close` read tags
    without one. What lies there stays known when the reader fails and is opened again.
    """

    def __init__(
        self,
        settings: ReaderSettings,
        poll: PollSettings,
        put: Callable[[Input], None],
        bus: Bus | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = time.sleep,
    ) -> None:
        self.settings = settings
        self.name = f"reader/{settings.name}"
        self._put = put
        self._bus = bus or Bus()
        self._clock = clock
        self._sleep = sleep
        self._period = poll.period_ms / 1000
        self._presence = Presence(poll.absent_ms, poll.swap_ms, poll.period_ms)
        self._port: Port | None = None
        self._scanner: Scanner | None = None
        self._failing = 0

    # -- for a worker ----------------------------------------------------------------------------

    def open(self) -> None:
        """Find the chip and start it. Raises DeviceFault."""
        with self._bus.turn():
            self._port = open_port(self.settings, self._sleep)
            chip = Rc522(self._port)
            with _answering():
                chip.start()
        if self._scanner is None:
            self._scanner = Scanner(chip)
        self._scanner.chip = chip

    def step(self) -> float:
        """One poll; gives the seconds until the next. Raises DeviceFault."""
        began = self._clock()
        uids = self.read()
        if uids is not None:
            self._tell(uids, began)
        period = self._period * (2 if uids and self._is_resting() else 1)
        return max(period - (self._clock() - began), self._period / 4)

    def close(self) -> None:
        """Let go of bus and pin."""
        port, self._port = self._port, None
        if port is not None:
            port.close()

    @property
    def warning(self) -> Phrase | None:
        """What is not as it should be although the reader works."""
        if self._failing >= FAILING:
            return Phrase(N_("reads fail: is metal or another card near?"))
        chip = self._scanner.chip if self._scanner else None
        if chip is None or chip.known:
            return None
        return Phrase(N_("unknown chip {version}"), {"version": f"0x{chip.version:02X}"})

    # -- for the doctor and the curious ----------------------------------------------------------

    def read(self) -> list[str] | None:
        """The UIDs of all tags there now; None if the poll failed. Raises DeviceFault."""
        if self._port is None or self._scanner is None:
            raise DeviceFault(N_("not open"))
        with self._bus.turn(), _answering():
            uids = self._scanner.poll()
        self._failing = self._failing + 1 if uids is None else 0
        return uids

    @property
    def version(self) -> int:
        """What the chip says that it is; 0 before it was opened."""
        return self._scanner.chip.version if self._scanner else 0

    def statistics(self) -> Mapping[str, int]:
        """How many polls, reads, failures, collisions and restarts there were."""
        return self._scanner.statistics() if self._scanner else {}

    def lying(self) -> Mapping[str, float]:
        """For how many seconds each tag has been there."""
        return {uid: ms / 1000 for uid, ms in self._presence.lying().items()}

    # -- within ----------------------------------------------------------------------------------

    def _tell(self, uids: list[str], at: float) -> None:
        now = ticks.add(0, int(at * 1000))
        reader, seat = self.settings.name, self.settings.seat
        for change, whose in self._presence.feed(uids, now):
            if change == TAP:
                self._put(Tapped(reader, whose[0], at, seat))
            elif change == LIFT:
                self._put(Lifted(reader, whose[0], at, seat))
            else:
                self._put(Crowded(reader, whose, at, seat))

    def _is_resting(self) -> bool:
        return min(self.lying().values(), default=0.0) >= RESTING


def spi_readers(
    settings: Sequence[ReaderSettings], poll: PollSettings, put: Callable[[Input], None]
) -> list[SpiReader]:
    """The readers of a table; those on one bus take turns."""
    buses = {reader.bus: Bus() for reader in settings}
    return [SpiReader(reader, poll, put, buses[reader.bus]) for reader in settings]


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except NoAnswer as error:
        raise DeviceFault(N_("no answer, check wiring and power")) from error
