"""The Raspberry Pi Pico: pins, bus, clock, watchdog. Nothing else in the firmware knows it.

Times are milliseconds of a counter that wraps at 2**30, as in `companion.portable.ticks`.
"""

import gc
import os
import sys
import time

import machine
import micropython
from channel import Channel

from companion.portable.rc522 import FIFO_DATA, RegisterPort

WATCHDOG_MS = 8000
"""The chip is reset if the loop hangs for so long; it cannot wait longer than 8388 ms."""
SPEED = 1_000_000
"""Bits a second on the readers' bus."""
CHANNELS = 16
"""GPn and GPn+16 share one of the 16 PWM outputs."""

# The watchdog's registers (RP2040 data sheet 4.7.6, RP2350 data sheet 12.9.7). Its first scratch
# register keeps its value over a reset, and MicroPython leaves it alone.
_WATCHDOG = 0x400D8000 if "RP2350" in getattr(sys.implementation, "_machine", "") else 0x40058000
_REASON = _WATCHDOG + 0x08
_SCRATCH = _WATCHDOG + 0x0C
_PROMPT = 0x50524F4D


class Board:
    """What the firmware runs on."""

    def __init__(self) -> None:
        self.channel = Channel()
        self.boot = "".join(f"{byte:02X}" for byte in os.urandom(4))
        self.cause = _cause()
        self._watchdog = None
        self._pwm = set()

    def prompt_wanted(self) -> bool:
        """Whether the last reset was `to_prompt`; asked once, so the next reset is a normal one."""
        wanted = machine.mem32[_SCRATCH] == _PROMPT
        machine.mem32[_SCRATCH] = 0
        return wanted

    def begin(self) -> None:
        """From now on 0x03 is a byte like others, and a loop that hangs is reset."""
        micropython.kbd_intr(-1)
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def to_prompt(self) -> None:
        """Reset to MicroPython's prompt, without a watchdog. There is no other way to stop it."""
        machine.mem32[_SCRATCH] = _PROMPT
        machine.reset()

    def feed(self) -> None:
        """The loop is alive."""
        self._watchdog.feed()

    def ticks(self) -> int:
        return time.ticks_ms() & 0x3FFFFFFF

    def rest(self, milliseconds: int) -> None:
        time.sleep_ms(milliseconds)

    def tidy(self) -> None:
        """Collect garbage now rather than in the middle of a poll."""
        gc.collect()

    # -- what is wired to the pins -------------------------------------------------------------

    def bus(self, sck: int, mosi: int, miso: int, reset: int | None) -> "Bus":
        """The bus that all readers share. Raises ValueError if these pins cannot be one."""
        return Bus(sck, mosi, miso, reset)

    def button(self, pin: int) -> "Button":
        return Button(pin)

    def lamp(self, pin: int) -> "Lamp":
        """One colour of a light; only on or off if another lamp has the pin's PWM output."""
        channel = pin % CHANNELS
        dimmed = channel not in self._pwm
        self._pwm.add(channel)
        return Lamp(pin, dimmed)

    def let_go(self) -> None:
        """All lamps are given up."""
        self._pwm.clear()


def _cause() -> str:
    """Why the chip started; `machine.reset_cause` takes every reset by command for the watchdog."""
    reason = machine.mem32[_REASON]
    if reason & 1:
        return "watchdog"
    return "command" if reason else "power"


class Bus:
    """SPI, and the reset line that all readers share.

    It is used once: later it would take the tags away from the readers that are well, so a port
    has no `reset`.
    """

    def __init__(self, sck: int, mosi: int, miso: int, reset: int | None) -> None:
        number = sck // 8 % 2  # RP2040 data sheet 1.4.3: the pins' function F1
        self.spi = machine.SPI(
            number,
            baudrate=SPEED,
            sck=machine.Pin(sck),
            mosi=machine.Pin(mosi),
            miso=machine.Pin(miso),
        )
        self._reset = None if reset is None else machine.Pin(reset, machine.Pin.OUT, value=1)

    def port(self, select: int) -> "Port":
        """A reader's registers. Make all ports before using one: until then others may answer."""
        return Port(self.spi, select)

    def reset(self) -> None:
        """Reset all readers. MFRC522 data sheet 8.8.2: 100 ns; then the oscillator starts."""
        if self._reset is not None:
            self._reset.value(0)
            time.sleep_ms(1)
            self._reset.value(1)
            time.sleep_ms(50)

    def close(self) -> None:
        self.spi.deinit()


class Port(RegisterPort):
    """The registers of one RC522 (MFRC522 data sheet 8.1.2)."""

    def __init__(self, spi: object, select: int) -> None:
        self._spi = spi
        self._select = machine.Pin(select, machine.Pin.OUT, value=1)
        self._out = bytearray(2)
        self._in = bytearray(2)

    def read(self, register: int) -> int:
        """A register's value."""
        self._out[0] = 0x80 | register << 1
        self._out[1] = 0
        self._transfer(self._out, self._in)
        return self._in[1]

    def write(self, register: int, value: int) -> None:
        """Set a register."""
        self._out[0] = register << 1
        self._out[1] = value
        self._transfer(self._out, self._in)

    def read_many(self, registers: bytes) -> bytes:
        """Several registers in one transfer: each address brings the value before it."""
        out = bytes([0x80 | register << 1 for register in registers]) + b"\x00"
        into = bytearray(len(out))
        self._transfer(out, into)
        return bytes(into[1:])

    def write_fifo(self, data: bytes) -> None:
        """Append to the FIFO in one transfer."""
        self._transfer(bytes([FIFO_DATA << 1]) + data, bytearray(len(data) + 1))

    def sleep_us(self, microseconds: int) -> None:
        """Wait."""
        time.sleep_us(microseconds)

    def _transfer(self, out: bytes, into: bytearray) -> None:
        self._select.value(0)
        try:
            self._spi.write_readinto(out, into)
        finally:
            self._select.value(1)


class Button:
    """A button between its pin and ground."""

    def __init__(self, pin: int) -> None:
        self._pin = machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)

    def down(self) -> bool:
        return not self._pin.value()


class Lamp:
    """One colour of a light, on from the pin to ground."""

    def __init__(self, pin: int, dimmed: bool) -> None:
        self._pin = machine.Pin(pin, machine.Pin.OUT, value=0)
        self._pwm = None
        if dimmed:
            self._pwm = machine.PWM(self._pin)
            self._pwm.freq(1000)
            self._pwm.duty_u16(0)

    def level(self, value: int) -> None:
        """0 to 255."""
        if self._pwm is None:
            self._pin.value(value > 127)
        else:
            self._pwm.duty_u16(value * 257)

    def close(self) -> None:
        self.level(0)
        if self._pwm is not None:
            self._pwm.deinit()
