"""What the machine is told of a table that runs as a service: by systemd's protocol, and by a log.

The protocol is that of sd_notify(3): datagrams to a socket that the environment names. In a
terminal it names none, and nothing is sent.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from math import inf

from companion.devices.health import Condition, Health, told
from companion.rules.phrases import Phrase

TELL_EVERY = 1.0
"""Seconds between two signs of life; the unit's WatchdogSec has to be several times that."""


class Supervisor:
    """The service manager that started this process, if one did.

    Nothing here raises or waits: a game does not stop because nobody listens. `clock` gives
    seconds.
    """

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._clock = clock
        self._told_at = -inf
        self._status = ""
        self._ready = False

    def ready(self) -> None:
        """The table can be used; what waits for the service need not wait any longer."""
        if not self._ready:
            self._ready = self._send("READY=1")

    def turned(self, status: Callable[[], str]) -> None:
        """The main loop has come round, which feeds the watchdog. Once a second `status` is asked.

        To be called by the loop itself: a thread of its own would feed the watchdog while the loop
        hangs.
        """
        if not self._address or self._clock() - self._told_at < TELL_EVERY:
            return
        news = status()
        changed = [f"STATUS={news}"] if news != self._status else []
        if self._send("WATCHDOG=1", *changed):
            self._told_at, self._status = self._clock(), news

    def stopping(self) -> None:
        """The end has begun."""
        self._send("STOPPING=1")

    def _send(self, *lines: str) -> bool:
        """Send lines as one datagram; gives whether they were taken."""
        if not self._address:
            return False
        address = self._address
        if address.startswith("@"):  # a name that is in no file system, unix(7)
            address = "\0" + address[1:]
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto("\n".join(lines).encode(), address)
            return True
        return False


class DeviceLog:
    """Says each device's going and coming once, and nothing of the tries between.

    `write` takes a phrase that is to stand in the log.
    """

    def __init__(self, write: Callable[[Phrase], None]) -> None:
        self._write = write
        self._known: dict[str, Health] = {}

    def look(self, devices: Iterable[Health]) -> None:
        """Note how all devices are now."""
        for health in devices:
            if health.condition is not Condition.STARTING and self._is_news(health):
                self._known[health.device] = health
                self._write(told(health))

    def _is_news(self, health: Health) -> bool:
        """Whether it has begun or ceased to work, or fails for another reason than before."""
        known = self._known.get(health.device)
        if known is None or known.usable != health.usable:
            return True
        return not health.usable and known.reason != health.reason
