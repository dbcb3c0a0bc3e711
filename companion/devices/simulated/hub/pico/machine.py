"""MicroPython's module `machine` of a Pico that is simulated: found first by MICROPYPATH.

Pins, bus, PWM and watchdog behave as on the chip; RC522 models hang on the select pins that the
environment names. What people do (lay a tag, press a button) comes as lines through a socket from
`companion.devices.simulated.hub.SimulatedHub`, and is taken in when the watchdog is fed; what the
hub shows goes back the same way.
"""

import os
import select
import sys
import time

from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.tags import tag

REASON = 0x08
"""The watchdog's register that says why the chip started, from the beginning of its registers."""
FED_EVERY_MS = 50


class _Link:
    """Lines to and from whoever runs this Pico."""

    def __init__(self, number: int) -> None:
        self._file = open(number, "r+b")
        self._poll = select.poll()
        self._poll.register(self._file, select.POLLIN)
        self._rest = b""

    def tell(self, *words: object) -> None:
        self._file.write((" ".join(str(word) for word in words) + "\n").encode())

    def lines(self) -> list[list[str]]:
        """What has come, in words."""
        while any(event[1] & select.POLLIN for event in self._poll.ipoll(0)):
            data = self._file.read(1)  # more would be waited for
            if not data:
                sys.exit()  # whoever ran this Pico is gone
            self._rest += data
        lines = self._rest.split(b"\n")
        self._rest = lines.pop()
        return [line.decode().split(" ") for line in lines]


class _Chips:
    """The RC522 models by their select pins."""

    def __init__(self) -> None:
        self.reset_pin = int(os.getenv("HUB_RESET") or -1)
        selects = os.getenv("HUB_SELECTS") or ""
        self.by_select = {}
        for pin in selects.split(",") if selects else ():
            self.by_select[int(pin)] = Mfrc522(time.ticks_us)

    def transfer(self, data: bytes, hz: int) -> bytes:
        """What the selected chip answers; nobody pulls the line down if none is."""
        for pin, chip in self.by_select.items():
            if not _outputs.get(pin, 1):
                return chip.transfer(data, hz)
        return b"\xff" * len(data)


class _Failing:
    """A bus that raises at so many transfers, then works again."""

    def __init__(self, times: int) -> None:
        self._times = times

    def __call__(self) -> None:
        if self._times > 0:
            self._times -= 1
            raise OSError(5, "bus")


def _hang() -> None:
    time.sleep(3600)


_link = _Link(int(os.getenv("HUB_LINK") or 0))
_chips = _Chips()
_tags = {}
_inputs = {}
_outputs = {}
_duties = {}


def _act(words: list[str]) -> None:
    """Something that people did, or that befell a chip."""
    what, pin = words[0], int(words[1])
    if what == "pin":
        _inputs[pin] = int(words[2])
    elif what == "put":
        _tags[pin, words[2]] = tag(bytes.fromhex(words[2]))
        _chips.by_select[pin].put(_tags[pin, words[2]])
    elif what == "lift":
        _chips.by_select[pin].take(_tags.pop((pin, words[2])))
    else:
        _break(_chips.by_select[pin], what, int(words[2]))


def _break(chip: Mfrc522, how: str, value: int) -> None:
    if how == "dead":
        chip.stuck = 0 if value else None
    elif how == "version":
        chip.version = value
    elif how == "fail":
        chip.obstacle = _Failing(value)
    elif how == "hang":
        chip.obstacle = _hang


class Pin:
    """A pin; as an input it is pulled up unless something outside pulls it down."""

    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, number: int, mode: int = IN, pull: int = 0, value: int = 0) -> None:
        self.number = number
        self._mode = mode
        if mode == self.OUT:
            self.value(value)

    def value(self, level: object = None) -> int:
        if level is None:
            if self._mode == self.OUT:
                return _outputs[self.number]
            return _inputs.get(self.number, 1)
        self._drive(1 if level else 0)
        return 0

    def _drive(self, level: int) -> None:
        before = _outputs.get(self.number)
        _outputs[self.number] = level
        if self.number == _chips.reset_pin and level == 0:
            for chip in _chips.by_select.values():
                chip.lose_power()
        elif self.number not in _chips.by_select and before != level:
            _link.tell("level", self.number, 65535 * level)


class SPI:
    """A bus; SCK, MOSI and MISO have to be pins that can be such (RP2040 data sheet 1.4.3)."""

    def __init__(
        self,
        number: int,
        baudrate: int = 1_000_000,
        sck: Pin = None,
        mosi: Pin = None,
        miso: Pin = None,
    ) -> None:
        for name, pin, rest in (("SCK", sck, 2), ("MOSI", mosi, 3), ("MISO", miso, 0)):
            if pin.number % 4 != rest or pin.number // 8 % 2 != number:
                raise ValueError("bad " + name + " pin")
        self._hz = baudrate

    def write_readinto(self, out: bytearray, into: bytearray) -> None:
        into[:] = _chips.transfer(bytes(out), self._hz)

    def deinit(self) -> None:
        pass


class PWM:
    """A pin that is on for a part of the time."""

    def __init__(self, pin: Pin) -> None:
        self._pin = pin

    def freq(self, hertz: int) -> None:
        pass

    def duty_u16(self, duty: int) -> None:
        if _duties.get(self._pin.number) != duty:
            _duties[self._pin.number] = duty
            _link.tell("level", self._pin.number, duty)

    def deinit(self) -> None:
        pass


class WDT:
    """Whoever runs this Pico resets it if it is not fed in time."""

    def __init__(self, timeout: int) -> None:
        if timeout > 8388:
            raise ValueError("timeout exceeds 8388")
        self._told = time.ticks_ms()
        _link.tell("watchdog", timeout)

    def feed(self) -> None:
        for words in _link.lines():
            _act(words)
        now = time.ticks_ms()
        if time.ticks_diff(now, self._told) >= FED_EVERY_MS:
            self._told = now
            _link.tell("fed")


class _Memory:
    """The watchdog's REASON and a scratch register; whoever runs this Pico keeps them."""

    def __init__(self) -> None:
        self._reason = int(os.getenv("HUB_REASON") or 0)
        self._word = int(os.getenv("HUB_SCRATCH") or 0)

    def __getitem__(self, address: int) -> int:
        return self._reason if address & 0xFFF == REASON else self._word

    def __setitem__(self, address: int, word: int) -> None:
        self._word = word
        _link.tell("scratch", word)


mem32 = _Memory()


def reset() -> None:
    """The processor starts again: whoever runs it ends this process."""
    _link.tell("reset")
    while True:
        time.sleep(1)
