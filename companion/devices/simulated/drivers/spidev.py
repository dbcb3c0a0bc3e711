"""In the place of the package spidev: the same calls, answered by the bench."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from companion.devices.simulated.bench import current


class SpiDev:
    """One chip select of one bus."""

    def __init__(self, bus: int | None = None, device: int | None = None) -> None:
        self.max_speed_hz = 125_000_000
        self.mode = 0
        self.bits_per_word = 8
        self.cshigh = False
        self.no_cs = False
        self.lsbfirst = False
        self.threewire = False
        self.loop = False
        self._wired: tuple[int, int] | None = None
        if bus is not None and device is not None:
            self.open(bus, device)

    def open(self, bus: int, device: int) -> None:
        """Raises FileNotFoundError, PermissionError."""
        current().open_spi(bus, device)
        self._wired = bus, device

    def close(self) -> None:
        """Let go; closing twice does nothing."""
        self._wired = None

    def fileno(self) -> int:
        """No file stands behind it."""
        return -1

    def xfer2(
        self, values: Sequence[int], speed_hz: int = 0, delay: int = 0, bits: int = 0
    ) -> list[int]:
        """Send and receive with the chip selected all the time."""
        if self._wired is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        bus, device = self._wired
        hz = speed_hz or self.max_speed_hz
        return list(current().transfer(bus, device, bytes(values), hz))

    xfer = xfer2

    def xfer3(self, values: Sequence[int], speed_hz: int = 0) -> tuple[int, ...]:
        """As `xfer2`, for any length."""
        return tuple(self.xfer2(values, speed_hz))

    def writebytes(self, values: Sequence[int]) -> None:
        """Send only."""
        self.xfer2(values)

    writebytes2 = writebytes

    def readbytes(self, size: int) -> list[int]:
        """Receive only."""
        return self.xfer2(bytes(size))
