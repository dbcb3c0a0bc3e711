"""The simulated board: which chip is wired to which bus and pin, and what went over the wires.

`Bench.install` puts the stand-ins of `drivers` in the place of the packages that talk to the
kernel (spidev, smbus2, RPi.GPIO), and gpiozero's own mock pins in the place of real ones.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

if TYPE_CHECKING:
    from types import ModuleType

    from gpiozero.pins import Factory
    from gpiozero.pins.mock import MockFactory, MockPin

DRIVERS = Path(__file__).with_name("drivers")
REPLACED = ("spidev", "smbus2", "RPi", "mfrc522")
"""Packages that are imported anew: the stand-ins, and mfrc522, which holds on to them."""

I2C_HZ = 400_000


class SpiChip(Protocol):
    """A chip on SPI."""

    def transfer(self, data: bytes, hz: int, /) -> bytes:
        """What comes back while `data` goes in, as many bytes."""


class I2cChip(Protocol):
    """A chip on I2C."""

    def write(self, data: bytes, /) -> None:
        """Take what is written to the chip's address. Raises OSError."""


class ResetChip(Protocol):
    """A chip with a reset pin that is low when it resets."""

    def hold_reset(self, low: bool, /) -> None:
        """The pin's level."""


class RealTime:
    """Time goes by itself."""

    def now_us(self) -> int:
        """Microseconds."""
        return time.monotonic_ns() // 1000

    def seconds(self) -> float:
        """The same as `time.monotonic` gives it."""
        return self.now_us() / 1e6

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)

    def spend(self, microseconds: float) -> None:
        """What a transfer takes on the wire; the computer is slower anyway."""


class DrivenTime(RealTime):
    """Time goes only when somebody sleeps or something goes over a bus: for tests and measuring."""

    def __init__(self) -> None:
        self._now_us = 0.0

    def now_us(self) -> int:
        """Microseconds."""
        return int(self._now_us)

    def sleep(self, seconds: float) -> None:
        """Go on by so many seconds at once."""
        self._now_us += seconds * 1e6

    def spend(self, microseconds: float) -> None:
        """Go on by what a transfer takes."""
        self._now_us += microseconds


class Traffic(msgspec.Struct):
    """What went over one bus to one chip."""

    transfers: int = 0
    bytes: int = 0
    bits: int = 0
    us: float = 0.0
    """Microseconds that the bus was busy."""


class Ledger:
    """The traffic of each chip, by names such as "spi0.1" and "i2c1.3c"."""

    def __init__(self) -> None:
        self.chips: dict[str, Traffic] = {}

    def note(self, chip: str, size: int, bits: int, hz: int) -> float:
        """One transfer; gives how long it takes, in microseconds."""
        traffic = self.chips.setdefault(chip, Traffic())
        us = bits * 1e6 / hz
        traffic.transfers += 1
        traffic.bytes += size
        traffic.bits += bits
        traffic.us += us
        return us

    def clear(self) -> None:
        """Begin to count anew."""
        self.chips.clear()


class Bench:
    """One simulated board. Wire chips by putting them into `spi`, `i2c` and `resets`."""

    def __init__(self, time: RealTime | None = None) -> None:
        self.time = time or RealTime()
        self.spi: dict[tuple[int, int], SpiChip] = {}
        """By bus and chip select."""
        self.i2c: dict[tuple[int, int], I2cChip] = {}
        """By port and address."""
        self.resets: dict[int, ResetChip] = {}
        """By the pin that the chip's reset is wired to."""
        self.denied: set[str] = set()
        """Device nodes that this user has no right to, such as "/dev/spidev0.0"."""
        self.i2c_hz = I2C_HZ
        self.call_us = 0.0
        """Microseconds that the kernel takes for each transfer, besides the bus itself."""
        self.ledger = Ledger()
        self._pins: dict[int, MockPin] = {}
        self._kept: dict[str, ModuleType] = {}
        self._factory: Factory | None = None

    # -- in the place of the kernel --------------------------------------------------------------

    def install(self) -> None:
        """Let this bench answer from now on. Only one can at a time."""
        from gpiozero import Device

        from companion.devices.simulated.pins import use_mock_pins

        if _installed:
            raise RuntimeError("another bench is installed")
        _installed.append(self)
        self._kept = _forget(REPLACED)
        self._factory = Device.pin_factory
        use_mock_pins(self._driven)
        sys.path.insert(0, str(DRIVERS))

    def remove(self) -> None:
        """Give everything back that `install` took."""
        from gpiozero import Device

        _installed.remove(self)
        self._pins.clear()
        sys.path.remove(str(DRIVERS))
        _forget(REPLACED)
        sys.modules.update(self._kept)
        if Device.pin_factory is not None:
            Device.pin_factory.reset()
        Device.pin_factory = self._factory

    # -- what the drivers ask for ----------------------------------------------------------------

    def open_spi(self, bus: int, device: int) -> None:
        """Raises FileNotFoundError or PermissionError, as the kernel does."""
        self._open(f"/dev/spidev{bus}.{device}", (bus, device) in self.spi)

    def transfer(self, bus: int, device: int, data: bytes, hz: int) -> bytes:
        """One SPI transfer."""
        us = self.ledger.note(f"spi{bus}.{device}", len(data), len(data) * 8, hz)
        self.time.spend(us + self.call_us)
        chip = self.spi.get((bus, device))
        return chip.transfer(data, hz) if chip else bytes(len(data))

    def open_i2c(self, port: int) -> None:
        """Raises FileNotFoundError or PermissionError, as the kernel does."""
        self._open(f"/dev/i2c-{port}", any(port == wired for wired, _ in self.i2c))

    def write_i2c(self, port: int, address: int, data: bytes) -> None:
        """One message with its address, acknowledgements, start and stop. Raises OSError."""
        bits = (len(data) + 1) * 9 + 2
        name = f"i2c{port}.{address:02x}"
        self.time.spend(self.ledger.note(name, len(data) + 1, bits, self.i2c_hz) + self.call_us)
        chip = self.i2c.get((port, address))
        if chip is None:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        chip.write(data)

    @property
    def pins(self) -> MockFactory:
        """Gpiozero's mock pins, which are this board's."""
        return _mock_pins()

    def pin(self, number: int) -> MockPin:
        """One of the board's pins, by its Broadcom number."""
        pin = self._pins.get(number)
        if pin is None:
            pin = self._pins[number] = _mock_pins().pin(number)
        return pin

    def _open(self, node: str, wired: bool) -> None:
        if not wired:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), node)
        if node in self.denied:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), node)

    def _driven(self, pin: int, high: bool) -> None:
        """A pin has another level: there may be a chip's reset at it."""
        if pin in self.resets:
            self.resets[pin].hold_reset(not high)


_installed: list[Bench] = []


def current() -> Bench:
    """The bench that is installed."""
    if not _installed:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "no bench is installed")
    return _installed[-1]


def _mock_pins() -> MockFactory:
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory

    if not isinstance(Device.pin_factory, MockFactory):
        raise RuntimeError("the bench needs gpiozero's mock pins")
    return Device.pin_factory


def _forget(packages: tuple[str, ...]) -> dict[str, ModuleType]:
    """Take packages out of what is imported; gives them."""
    names = [name for name in sys.modules if name.partition(".")[0] in packages]
    return {name: sys.modules.pop(name) for name in names}
