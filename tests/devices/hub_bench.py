"""The real firmware and the host's half of the conversation, in one process and in driven time.

Only what is below `firmware/board.py` is replaced: the Pico's pins, bus, clock and serial line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from companion.devices.firmware import firmware_folder
from companion.devices.health import Condition
from companion.devices.hub.talk import Talk
from companion.devices.inputs import Input, Missed, Tapped
from companion.devices.settings import HubReaderSettings, HubSettings, PollSettings, PushSettings
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.tags import tag
from companion.portable.rc522 import RegisterPort
from companion.portable.ticks import PERIOD
from companion.rules.phrases import Phrase

SETTINGS = HubSettings(
    readers=(
        HubReaderSettings(name="A", select=5, seat="A"),
        HubReaderSettings(name="B", select=9),
    ),
    buttons={"ok": 12, "back": 13},
    lights={"A": (18, 19, 20)},
)
POLL = PollSettings(period_ms=50)
"""Quicker polls would only let the tests take longer."""
U = "04A3C6CAE26180"
V = "AC8C5E0A"

Wire = Callable[[bytes], bytes]
"""What becomes of bytes on their way."""


def firmware(module: str) -> Any:
    """A module of the firmware, as it is."""
    folder = str(firmware_folder())
    sys.path.insert(0, folder)
    try:
        return import_module(module)
    finally:
        sys.path.remove(folder)


class Port(RegisterPort):
    """A modelled chip; waiting lets the time go by."""

    def __init__(self, board: Board, chip: Mfrc522) -> None:
        self.board = board
        self.chip = chip

    def read(self, register: int) -> int:
        return self.chip.transfer(bytes([0x80 | register << 1, 0]), 1_000_000)[1]

    def write(self, register: int, value: int) -> None:
        self.chip.transfer(bytes([register << 1, value]), 1_000_000)

    def sleep_us(self, microseconds: int) -> None:
        self.board.micros += microseconds


class Line:
    """The serial line, as `firmware/channel.py` has it. `blocked`: the host does not read."""

    def __init__(self) -> None:
        self.blocked = False
        self.sent = b""
        self.received = b""
        self._line = b""

    @property
    def idle(self) -> bool:
        return not self._line

    def send(self, line: bytes) -> None:
        assert not self._line, "a line would be lost"
        self._line = line

    def flush(self) -> None:
        if not self.blocked:
            self.sent += self._line
            self._line = b""

    def read(self) -> bytes:
        data, self.received = self.received[:64], self.received[64:]
        return data


class Board:
    """A Pico whose time is driven."""

    def __init__(self, ticks: int = 0) -> None:
        self.micros = ticks * 1000
        self.channel = Line()
        self.boot = "0000B007"
        self.cause = "power"
        self.chips: dict[int, Mfrc522] = {}
        self.down: set[int] = set()
        self.levels: dict[int, int] = {}
        self.left = False

    def chip(self, select: int) -> Mfrc522:
        return self.chips.setdefault(select, Mfrc522(lambda: self.micros))

    def ticks(self) -> int:
        return self.micros // 1000 % PERIOD

    def rest(self, milliseconds: int) -> None:
        self.micros += milliseconds * 1000

    def feed(self) -> None:
        self.micros += 3000  # once round the loop, on a processor of that size

    def tidy(self) -> None: ...

    def let_go(self) -> None: ...

    def reset(self) -> None: ...

    def close(self) -> None: ...

    def to_prompt(self) -> None:
        self.left = True

    def bus(self, sck: int, mosi: int, miso: int, reset: int | None) -> Board:
        if sck % 4 != 2:
            raise ValueError("bad SCK pin")
        return self

    def port(self, select: int) -> Port:
        return Port(self, self.chip(select))

    def button(self, pin: int) -> Button:
        return Button(self, pin)

    def lamp(self, pin: int) -> Lamp:
        return Lamp(self, pin)


class Button:
    def __init__(self, board: Board, pin: int) -> None:
        self.board = board
        self.pin = pin

    def down(self) -> bool:
        return self.pin in self.board.down


class Lamp:
    def __init__(self, board: Board, pin: int) -> None:
        self.board = board
        self.pin = pin

    def level(self, value: int) -> None:
        self.board.levels[self.pin] = value

    def close(self) -> None:
        self.level(0)


class Table:
    """A hub at a host. `to_host` and `to_hub` are what the cable does to the bytes."""

    def __init__(self, ticks: int = 0, settings: HubSettings = SETTINGS) -> None:
        self.board = Board(ticks)
        self.inputs: list[Input] = []
        self.health: dict[str, Condition] = {}
        self.reasons: dict[str, str] = {}
        self.to_host: Wire = bytes
        self.to_hub: Wire = bytes
        self.heard = b""
        """All that came out of the hub."""
        self.slowest = 0
        """Microseconds of the longest time round the hub's loop."""
        self.hub = firmware("hub").Hub(self.board)
        self.talk = self.new_host(settings)

    def new_host(self, settings: HubSettings = SETTINGS) -> Talk:
        """A host that has never heard of this hub; the port has just been opened."""
        self.talk = Talk(settings, POLL, PushSettings(), self.inputs.append, self._note, self.now)
        self.talk.opened(self.now)
        return self.talk

    def restart(self, boot: str) -> None:
        """The hub starts anew, as after a failure of its power."""
        fresh = Board(0)
        fresh.boot = boot
        fresh.micros = self.board.micros
        for select, chip in self.board.chips.items():
            chip.lose_power()
            fresh.chips[select] = chip
        self.board = fresh
        for chip in fresh.chips.values():
            chip.clock = lambda: fresh.micros
        self.hub = firmware("hub").Hub(fresh)

    @property
    def now(self) -> float:
        return self.board.micros / 1e6

    def run(self, seconds: float, host: bool = True) -> None:
        """Let time pass; without `host` nobody reads or writes at the other end."""
        end = self.now + seconds
        host_at = self.now
        while self.now < end:
            began = self.board.micros
            self.hub.step()
            self.slowest = max(self.slowest, self.board.micros - began)
            if host and self.now >= host_at:
                host_at = self.now + 0.01
                self._exchange()

    def _exchange(self) -> None:
        line = self.board.channel
        data, line.sent = line.sent, b""
        self.heard += data
        self.talk.hear(self.to_host(data), self.now)
        line.received += self.to_hub(self.talk.say(self.now))

    def put(self, uid: str, reader: int = 5) -> Callable[[], None]:
        """Lay a tag on a reader; gives how to lift it."""
        chip = self.board.chip(reader)
        laid = tag(bytes.fromhex(uid))
        chip.put(laid)
        return lambda: chip.take(laid)

    def taps(self) -> list[str]:
        return [event.uid for event in self.inputs if isinstance(event, Tapped)]

    def missed(self) -> int:
        return sum(event.count for event in self.inputs if isinstance(event, Missed))

    def _note(self, reader: str, condition: Condition, reason: Phrase | None) -> None:
        self.health[reader] = condition
        self.reasons[reader] = reason.plain() if reason else ""
