"""What can be set of each device. `companion.configuration` reads it from the TOML file.

A field has the name that it has in the file; only `readers` are `[[reader]]` there.

Pins are numbers of the Broadcom chip (GPIO17 is 17), on a hub those of the Pico (GP17 is 17).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]
PicoPin = Annotated[int, msgspec.Meta(ge=0, le=28)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86_400)]
DeviceName = Annotated[str, msgspec.Meta(pattern="^[A-Za-z0-9_-]{1,12}$")]
SeatId = Annotated[str, msgspec.Meta(pattern="^[A-Z]?$")]
"""The seat that alone uses something, "" where all do."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base: a key that nobody knows is refused."""


class ReaderSettings(Settings, frozen=True):
    """An RC522 on the Pi's own SPI. `port`: by the package spidev or by the package mfrc522."""

    name: DeviceName
    port: Literal["spidev", "mfrc522"] = "spidev"
    bus: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    device: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    """Which chip select of the bus: /dev/spidev<bus>.<device>."""
    reset: Pin | None = None
    """The pin at the reader's RST; None: it is wired to 3.3 V."""
    speed: Annotated[int, msgspec.Meta(ge=10_000, le=10_000_000)] = 1_000_000
    """Bits a second."""
    seat: SeatId = ""


class PollSettings(Settings, frozen=True):
    """How readers are polled, on the Pi and on the hub."""

    period_ms: Annotated[int, msgspec.Meta(ge=5, le=1000)] = 20
    absent_ms: Annotated[int, msgspec.Meta(ge=50, le=10_000)] = 600
    """Milliseconds of completed empty polls after which a tag counts as lifted."""
    swap_ms: Annotated[int, msgspec.Meta(ge=20, le=10_000)] = 150
    """The same where the polls see another tag."""


class PushSettings(Settings, frozen=True):
    """When a change of a button's level is a push, on the Pi and on the hub."""

    bounce_ms: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    """A level has to last so long to count; shorter changes never happened."""
    hold_ms: Annotated[int, msgspec.Meta(ge=200, le=10_000)] = 1000
    stuck_ms: Annotated[int, msgspec.Meta(ge=2000, le=120_000)] = 10_000


class ButtonSettings(Settings, frozen=True):
    """Four buttons at the Pi's pins, each against ground, or with pull "down" against 3.3 V."""

    up: Pin | None = None
    down: Pin | None = None
    ok: Pin | None = None
    back: Pin | None = None
    pull: Literal["up", "down"] = "up"


class DisplaySettings(Settings, frozen=True):
    """An OLED of 128x64. `driver` has to be said: the two chips cannot be told apart."""

    driver: Literal["ssd1306", "sh1106"]
    bus: Literal["i2c", "spi"] = "i2c"
    port: Annotated[int, msgspec.Meta(ge=0, le=20)] = 1
    """The number of the bus: /dev/i2c-<port>, or /dev/spidev<port>.<device>."""
    address: Annotated[int, msgspec.Meta(ge=0x08, le=0x77)] = 0x3C
    device: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    data_command: Pin | None = None
    """The pin at D/C, for SPI."""
    reset: Pin | None = None
    speed: Annotated[int, msgspec.Meta(ge=10_000, le=20_000_000)] = 8_000_000
    rotate: Literal[0, 2] = 0
    """2: upside down."""
    contrast: Annotated[int, msgspec.Meta(ge=0, le=255)] = 127
    dim_after: Seconds = 300.0
    blank_after: Seconds = 1800.0


class LightSettings(Settings, frozen=True):
    """One RGB light a seat: the pins of red, green and blue."""

    seats: Mapping[str, tuple[Pin, Pin, Pin]] = {}
    common: Literal["cathode", "anode"] = "cathode"


class SoundSettings(Settings, frozen=True):
    """A passive buzzer."""

    buzzer: Pin


class HubReaderSettings(Settings, frozen=True):
    """An RC522 at the hub: its own select pin, on the bus that all share."""

    name: DeviceName
    select: PicoPin
    seat: SeatId = ""


class HubSettings(Settings, frozen=True):
    """The hub, found by its USB serial number, else by a path, else the only one there is."""

    serial: str = ""
    port: str = ""
    """A path such as /dev/serial/by-id/…; ttyACM numbers change."""
    sck: PicoPin = 2
    mosi: PicoPin = 3
    miso: PicoPin = 4
    reset: PicoPin | None = None
    """The pin at the RST of all readers; None: it is wired to 3.3 V."""
    readers: tuple[HubReaderSettings, ...] = msgspec.field(default=(), name="reader")
    buttons: Mapping[Literal["up", "down", "ok", "back"], PicoPin] = {}
    lights: Mapping[str, tuple[PicoPin, PicoPin, PicoPin]] = {}
    """By seat."""


class DeviceSettings(Settings, frozen=True):
    """All devices of a table; what is left out is not there."""

    readers: tuple[ReaderSettings, ...] = msgspec.field(default=(), name="reader")
    poll: PollSettings = PollSettings()
    buttons: ButtonSettings | None = None
    push: PushSettings = PushSettings()
    display: DisplaySettings | None = None
    hub: HubSettings | None = None
    lights: LightSettings | None = None
    sound: SoundSettings | None = None
