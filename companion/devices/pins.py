"""The Pi's pins by gpiozero: one factory for all devices, and faults that name the pin.

gpiozero tries one library after the other and prints a warning for each that is missing. Here one
is chosen, and if there is none, one fault says how to get it.
"""

from __future__ import annotations

import atexit
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from traceback import clear_frames
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from companion.devices import faults
from companion.devices.health import DeviceFault
from companion.devices.machine import Machine
from companion.rules.errors import CompanionError
from companion.rules.phrases import N_, Phrase

if TYPE_CHECKING:
    from gpiozero.pins import Factory

CHOICE = "GPIOZERO_PIN_FACTORY"
"""gpiozero's own environment variable: names the factory to use and no other."""

LGPIO_PLACE = "LG_WD"
"""lgpio's own environment variable: the folder of its pipe."""

RETRY = 15.0
"""Seconds after which a pin that somebody else had is tried again."""

CHIPS = Path("/dev")
"""Where the chips are that have pins: gpiochip0 and so on."""

_lock = threading.Lock()


class PinFault(DeviceFault):
    """One pin cannot be used; says which and why."""


def factory() -> Factory:
    """The pin factory of all devices, made at the first call.

    `gpiozero.Device.pin_factory` and GPIOZERO_PIN_FACTORY have the first word; then comes lgpio;
    then RPi.GPIO, but not on a Pi 5, which it cannot drive. Raises DeviceFault.
    """
    from gpiozero import Device

    with _lock:
        if Device.pin_factory is None:
            Device.pin_factory = _chosen(os.environ[CHOICE]) if CHOICE in os.environ else _found()
        return Device.pin_factory


@contextmanager
def claiming(pin: int) -> Iterator[None]:
    """Goes around making what uses a pin: what goes wrong there becomes a fault that names it.

    Raises PinFault; faults that are told already pass through.
    """
    from gpiozero import GPIOPinInUse

    try:
        yield
    except CompanionError:
        raise
    except Exception as error:  # each pin library has errors of its own
        # gpiozero holds a pin for as long as the device that failed to get it is alive.
        clear_frames(error.__traceback__)
        if isinstance(error, GPIOPinInUse) or "busy" in str(error).lower():
            raise PinFault(N_("GPIO{pin} is in use by something else"), pin=pin) from error
        raise PinFault(N_("GPIO{pin}: {error}"), pin=pin, error=_told(error)) from error


class Closable(Protocol):
    """What lets go of its pins when it is closed."""

    def close(self) -> None: ...


Name = TypeVar("Name", bound=str)
T = TypeVar("T", bound=Closable)


class Claims(Generic[Name, T]):
    """Several things at pins, each claimed on its own: a busy pin takes no other thing with it.

    `makers` make them by name and raise PinFault; `called` is what people call one. `clock`
    gives seconds.
    """

    def __init__(
        self,
        makers: Mapping[Name, Callable[[], T]],
        called: Callable[[Name], Phrase],
        clock: Callable[[], float],
    ) -> None:
        self.made: dict[Name, T] = {}
        self.warning: Phrase | None = None
        """What cannot be had, and why; None: all is there."""
        self._makers = makers
        self._called = called
        self._clock = clock
        self._next = 0.0

    def open(self) -> None:
        """Claim all. Raises DeviceFault if there are no pins or none of these can be had."""
        self._claim()
        if self.warning is not None and not self.made:
            raise DeviceFault(self.warning.text, **self.warning.args)

    def again(self) -> None:
        """Try from time to time to get what could not be had."""
        if self.warning is not None and self._clock() >= self._next:
            self._claim()

    def close(self) -> None:
        """Let go of all."""
        for made in self.made.values():
            made.close()
        self.made.clear()

    def _claim(self) -> None:
        faults = []
        for name, make in self._makers.items():
            if name not in self.made:
                try:
                    self.made[name] = make()
                except PinFault as fault:
                    args = {"thing": self._called(name), "reason": fault.phrase}
                    faults.append(Phrase(N_("{thing}: {reason}"), args))
        self.warning = Phrase("{faults}", {"faults": faults}) if faults else None
        self._next = self._clock() + RETRY


def _chosen(name: str) -> Factory:
    from gpiozero import Device

    try:
        return Device().pin_factory  # a device that is none, so that gpiozero chooses
    except Exception as error:
        choice = f"{CHOICE}={name}"
        raise DeviceFault(
            N_("no pins by {choice}: {error}"), choice=choice, error=_told(error)
        ) from error


def _found() -> Factory:
    try:
        return _lgpio()
    except Exception as error:
        reason = error
    if not Machine().is_pi_5:
        with suppress(Exception):  # what keeps lgpio from working is what has to be mended
            return _rpi_gpio()
    raise _no_pins(reason) from reason


def _lgpio() -> Factory:
    """Needs a folder that it may write into: a service's working folder is none."""
    if LGPIO_PLACE not in os.environ:
        os.environ[LGPIO_PLACE] = place = mkdtemp(prefix="companion-")
        atexit.register(shutil.rmtree, place, ignore_errors=True)
    from gpiozero.pins.lgpio import LGPIOFactory

    return LGPIOFactory()


def _rpi_gpio() -> Factory:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return RPiGPIOFactory()


def _no_pins(error: Exception) -> DeviceFault:
    """Why lgpio does not work, and the command that mends it."""
    chips = sorted(CHIPS.glob("gpiochip*"))
    if not chips:
        return DeviceFault(N_("this machine has no pins"))
    if isinstance(error, ImportError):
        return faults.missing("lgpio")
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        text = N_("no right to use the pins: {command}")
        return DeviceFault(text, command=faults.join_group("gpio"))
    return DeviceFault(N_("no pins: {error}"), error=_told(error))


def _told(error: Exception) -> str:
    return str(error) or type(error).__name__
