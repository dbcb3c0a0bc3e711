"""The hub's serial port: which one it is, and that nobody else reads it."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from companion.devices import faults
from companion.devices.claims import holder_of
from companion.devices.health import DeviceFault
from companion.devices.settings import HubSettings
from companion.rules.phrases import N_

if TYPE_CHECKING:
    from serial import Serial

PICO = (0x2E8A, 0x0005)
"""USB vendor and product of MicroPython on a Raspberry Pi Pico."""
BAUD = 115_200
"""USB does not care; a hub at a UART does."""
READ_WAIT = 0.05
"""Seconds that a read waits for the first byte."""
WRITE_WAIT = 0.5


class HubFault(DeviceFault):
    """The hub, or the way to it, does not do what it should."""


class UsbPort(Protocol):
    """What is known of a port without opening it."""

    device: str
    serial_number: str | None
    vid: int | None
    pid: int | None


def usb_ports() -> list[UsbPort]:
    """The serial ports of this machine."""
    from serial.tools.list_ports import comports

    return list(comports())


def find_port(settings: HubSettings, ports: Callable[[], list[UsbPort]] = usb_ports) -> str:
    """The hub's port now: by its USB serial number, by a path, or the only Pico there is.

    Raises HubFault, saying what is there.
    """
    if settings.serial:
        return _by_serial(settings.serial, ports())
    if settings.port:
        return settings.port
    picos = [port for port in ports() if (port.vid, port.pid) == PICO]
    if not picos:
        raise HubFault(N_("no hub at any USB port"))
    if len(picos) > 1:
        raise HubFault(
            N_("several hubs: {hubs}; set its serial number in [hub]"), hubs=_listed(picos)
        )
    return picos[0].device


def _by_serial(serial: str, ports: list[UsbPort]) -> str:
    for port in ports:
        if port.serial_number is not None and port.serial_number.lower() == serial.lower():
            return port.device
    known = [port for port in ports if port.serial_number]
    if not known:
        raise HubFault(N_("no hub {serial} at any USB port"), serial=serial)
    raise HubFault(N_("no hub {serial}; there is {hubs}"), serial=serial, hubs=_listed(known))


def _listed(ports: list[UsbPort]) -> list[str]:
    return [f"{port.device} ({port.serial_number})" for port in ports]


class Port:
    """The open port, this program's alone. Raises HubFault whatever goes wrong."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._serial = _open(path)
        self._before = b"\n"  # ends what somebody else may have begun

    def read(self) -> bytes:
        """What has come; waits a moment for the first byte."""
        with _unplugged():
            data: bytes = self._serial.read(1)
            if data and self._serial.in_waiting:
                data += self._serial.read(self._serial.in_waiting)
            return data

    def write(self, data: bytes) -> None:
        """Send it, or fail if the hub does not take it."""
        with _unplugged():
            self._serial.write(self._before + data)
        self._before = b""

    def close(self) -> None:
        """Let go of it, whether it is still there or not."""
        with suppress(OSError, termios.error):
            self._serial.close()


def _open(path: str) -> Serial:
    from serial import Serial, SerialException

    try:
        port = Serial(path, BAUD, timeout=READ_WAIT, write_timeout=WRITE_WAIT, exclusive=True)
    except (SerialException, OSError, termios.error) as error:
        raise _cannot_open(path, error) from error
    # What lies in the buffer may be minutes old, and the hub sends again what matters.
    with suppress(OSError, termios.error):
        port.reset_input_buffer()
    return port


def _cannot_open(path: str, error: Exception) -> HubFault:
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return HubFault(N_("no hub at {port}"), port=path)
    if number == errno.EACCES:
        return HubFault(
            N_("{port} may not be opened: {command}"),
            port=path,
            command=faults.join_group("dialout"),
        )
    if number in (errno.EWOULDBLOCK, errno.EBUSY):
        holder = holder_of(path)
        if holder:
            return HubFault(N_("{port} is in use by process {pid}"), port=path, pid=holder)
        return HubFault(N_("{port} is in use by another program"), port=path)
    return HubFault(N_("{port}: {error}"), port=path, error=os.strerror(number or errno.EIO))


@contextmanager
def _unplugged() -> Iterator[None]:
    """A port that vanished raises many kinds of errors, and not all are OSErrors."""
    from serial import SerialTimeoutException

    try:
        yield
    except SerialTimeoutException as error:
        raise HubFault(N_("the hub does not take what is sent")) from error
    except (OSError, termios.error, TypeError) as error:
        raise HubFault(N_("the hub was unplugged")) from error
