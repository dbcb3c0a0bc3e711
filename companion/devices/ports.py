"""Two ways from a Pi to the registers of an RC522: the package spidev, and the package mfrc522."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from companion.devices import faults
from companion.devices.claims import claim
from companion.devices.health import DeviceFault
from companion.devices.settings import ReaderSettings
from companion.portable.rc522 import FIFO_DATA, RegisterPort
from companion.rules.phrases import N_

if TYPE_CHECKING:
    from gpiozero import OutputDevice

Sleep = Callable[[float], None]

RESET_SECONDS = 0.001
"""How long RST is held low; 100 ns would do (data sheet, §8.8.1)."""
START_SECONDS = 0.05
"""From then on until the oscillator runs for sure: the crystal takes its time (§8.8.2)."""


class Port(RegisterPort):
    """A port that has to be closed."""

    def __init__(self, sleep: Sleep) -> None:
        self.sleep = sleep

    def sleep_us(self, microseconds: int) -> None:
        self.sleep(microseconds / 1e6)

    def close(self) -> None:
        """Let go of bus and pin."""


class SpidevPort(Port):
    """By the package spidev, several registers a transfer; the reset pin by gpiozero.

    Works on every Pi. Raises DeviceFault, which says what to do.
    """

    def __init__(self, settings: ReaderSettings, sleep: Sleep = time.sleep) -> None:
        super().__init__(sleep)
        self._reset: OutputDevice | None = None
        with _opening(settings):
            self._spi: _Spi = _package("spidev").SpiDev()
            self._spi.open(settings.bus, settings.device)
        try:
            claim(self._spi.fileno(), _node(settings))
            self._spi.mode = 0
            self._spi.max_speed_hz = settings.speed
            if settings.reset is not None:
                self._reset = _reset_pin(settings.reset)
        except BaseException:
            self._spi.close()
            raise

    def read(self, register: int) -> int:
        return self._spi.xfer2([0x80 | register << 1, 0])[1]

    def read_many(self, registers: bytes) -> bytes:
        # Each byte says what comes back with the next one (§8.1.2.1).
        addresses = [0x80 | register << 1 for register in registers]
        return bytes(self._spi.xfer2([*addresses, 0])[1:])

    def write(self, register: int, value: int) -> None:
        self._spi.xfer2([register << 1, value])

    def write_fifo(self, data: bytes) -> None:
        self._spi.xfer2([FIFO_DATA << 1, *data])

    def reset(self) -> None:
        if self._reset is not None:
            self._reset.off()
            self.sleep(RESET_SECONDS)
            self._reset.on()
            self.sleep(START_SECONDS)

    def close(self) -> None:
        self._spi.close()
        if self._reset is not None:
            self._reset.close()


class Mfrc522Port(Port):
    """By the low-level class of the package mfrc522: its register reads and writes, no more.

    It uses RPi.GPIO, so not on a Pi 5. Raises DeviceFault, which says what to do.
    """

    def __init__(self, settings: ReaderSettings, sleep: Sleep = time.sleep) -> None:
        super().__init__(sleep)
        if settings.reset is None:
            # Without one the package would take a pin of its own choice as an output.
            raise DeviceFault(N_('port "mfrc522" needs a reset pin; "spidev" does not'))
        self._pin = settings.reset
        with _opening(settings):
            package = _package("mfrc522")
            self._gpio = _package("RPi.GPIO")
            self._gpio.setwarnings(False)
            self._gpio.setmode(self._gpio.BCM)
            self._chip = package.MFRC522(
                settings.bus, settings.device, settings.speed, self._gpio.BCM, self._pin
            )
        self._chip.logger.handlers.clear()  # it adds another one with each reader
        try:
            claim(self._chip.spi.fileno(), _node(settings))
        except BaseException:
            self.close()
            raise

    def read(self, register: int) -> int:
        value: int = self._chip.Read_MFRC522(register)
        return value

    def write(self, register: int, value: int) -> None:
        self._chip.Write_MFRC522(register, value)

    def reset(self) -> None:
        self._gpio.output(self._pin, 0)
        self.sleep(RESET_SECONDS)
        self._gpio.output(self._pin, 1)
        self.sleep(START_SECONDS)

    def close(self) -> None:
        # The package's own Close_MFRC522 would take everybody's pins away.
        self._chip.spi.close()
        self._gpio.cleanup(self._pin)


def open_port(settings: ReaderSettings, sleep: Sleep = time.sleep) -> Port:
    """The port that the settings name. Raises DeviceFault."""
    kind = Mfrc522Port if settings.port == "mfrc522" else SpidevPort
    return kind(settings, sleep)


# -- what the packages bring -----------------------------------------------------------------------


class _Spi(Protocol):
    mode: int
    max_speed_hz: int

    def open(self, bus: int, device: int, /) -> None: ...

    def xfer2(self, values: list[int], /) -> list[int]: ...

    def fileno(self) -> int: ...

    def close(self) -> None: ...


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        absent = error.name or name
        raise faults.missing("RPi.GPIO" if absent == "RPi" else absent) from error


def _reset_pin(number: int) -> OutputDevice:
    from companion.devices import pins

    factory = pins.factory()
    from gpiozero import OutputDevice

    with pins.claiming(number):
        return OutputDevice(number, initial_value=True, pin_factory=factory)


def _node(settings: ReaderSettings) -> str:
    return f"/dev/spidev{settings.bus}.{settings.device}"


@contextmanager
def _opening(settings: ReaderSettings) -> Iterator[None]:
    """What goes wrong while a bus is opened, in words."""
    node = _node(settings)
    try:
        yield
    except FileNotFoundError as error:
        if settings.bus == 0 and settings.device < 2:
            raise faults.switched_off("spi") from error
        overlay = f"dtoverlay=spi{settings.bus}-{settings.device + 1}cs"
        text = N_("{node} is missing: {overlay} in /boot/firmware/config.txt")
        raise DeviceFault(text, node=node, overlay=overlay) from error
    except PermissionError as error:
        raise faults.no_right(node, "spi") from error
    except (RuntimeError, ValueError) as error:  # RPi.GPIO: another board, other numbers in use
        text = N_('RPi.GPIO: {error}; port = "spidev" works without it')
        raise DeviceFault(text, error=str(error)) from error
