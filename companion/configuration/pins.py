"""Which pin does what, and where two things want the same one.

Pins of buses follow the Pi's documentation of its GPIO header, and section 1.4.3 of the RP2040
data sheet for the hub's Pico.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

import msgspec

from companion.devices.health import label
from companion.devices.settings import (
    ButtonSettings,
    DeviceSettings,
    DisplaySettings,
    HubSettings,
    ReaderSettings,
)
from companion.rules.phrases import N_, Phrase

Place = tuple[str | int, ...]
"""Where something stands in the file, such as `("reader", 0, "reset")`."""

Faults = Iterator[tuple[Place, Phrase]]
"""What is wrong, and where it stands."""

HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36,
    26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The place on the Pi's header of 40 pins of each GPIO."""

SPI_WIRES = {0: (9, 10, 11), 1: (19, 20, 21)}
"""MISO, MOSI and SCLK of each SPI. Further ones have other pins on each model of the Pi."""
SPI_SELECTS = {0: (8, 7), 1: (18, 17, 16)}
"""The chip selects CE0, CE1 … of each SPI."""
I2C_WIRES = {0: (0, 1), 1: (2, 3)}
"""SDA and SCL of each I2C."""

PICO_SPI = {
    "sck": ((2, 6, 18, 22), (10, 14, 26)),
    "mosi": ((3, 7, 19), (11, 15, 27)),
    "miso": ((0, 4, 16, 20), (8, 12, 28)),
}
"""The pins that each wire of the Pico's SPI0 and SPI1 can have."""
PICO_INSIDE = (23, 24, 25)
"""GP23 and GP24 belong to the Pico's power supply and GP25 to its own LED; none has a contact."""

COLOURS = (N_("red"), N_("green"), N_("blue"))


class Use(msgspec.Struct, frozen=True):
    """A pin, and for what it is used. A bus's pins are used by all its devices together."""

    pin: int
    what: Phrase
    path: Place
    bus: bool = False


def pi_pins(devices: DeviceSettings) -> list[Use]:
    """Every use of a pin of the Pi, in the order of the file."""
    uses: list[Use] = []
    for number, reader in enumerate(devices.readers):
        uses += _reader(reader, ("reader", number))
    if devices.buttons is not None:
        uses += _buttons(_pushed(devices.buttons).items(), ("buttons",))
    if devices.display is not None:
        uses += _display(devices.display)
    if devices.lights is not None:
        uses += _lights(devices.lights.seats, ("lights", "seats"))
    if devices.sound is not None:
        uses.append(Use(devices.sound.buzzer, Phrase(N_("buzzer")), ("sound", "buzzer")))
    return uses


def hub_pins(hub: HubSettings) -> list[Use]:
    """Every use of a pin of the hub's Pico."""
    uses: list[Use] = []
    if hub.readers:
        uses += [
            Use(pin, Phrase("SPI {wire}", {"wire": wire.upper()}), ("hub", wire))
            for wire, pin in (("sck", hub.sck), ("mosi", hub.mosi), ("miso", hub.miso))
        ]
    if hub.reset is not None:
        uses.append(Use(hub.reset, Phrase(N_("reset of the readers")), ("hub", "reset")))
    for number, reader in enumerate(hub.readers):
        what = Phrase(N_("{device} select"), {"device": label(f"reader/{reader.name}")})
        uses.append(Use(reader.select, what, ("hub", "reader", number, "select")))
    uses += _buttons(hub.buttons.items(), ("hub", "buttons"))
    uses += _lights(hub.lights, ("hub", "lights"))
    return uses


def pin_faults(devices: DeviceSettings) -> Faults:
    """Every pin that two things want, or that is none, with what is wrong."""
    yield from _conflicts(pi_pins(devices), "GPIO")
    if devices.hub is not None:
        yield from _conflicts(hub_pins(devices.hub), "GP")
        yield from _no_contacts(devices.hub)
        if devices.hub.readers:
            yield from _no_spi(devices.hub)


def joined(phrases: Iterable[Phrase]) -> Phrase:
    """Several things in one phrase: one and another and another."""
    return reduce(
        lambda one, other: Phrase(N_("{one} and {other}"), {"one": one, "other": other}), phrases
    )


# -- what uses pins --------------------------------------------------------------------------------


def _reader(reader: ReaderSettings, path: Place) -> Iterator[Use]:
    device = label(f"reader/{reader.name}")
    yield from _spi(reader.bus, reader.device, (*path, "device"))
    if reader.reset is not None:
        yield Use(reader.reset, Phrase(N_("{device} reset"), {"device": device}), (*path, "reset"))


def _display(display: DisplaySettings) -> Iterator[Use]:
    device = label("display")
    if display.bus == "spi":
        yield from _spi(display.port, display.device, ("display", "device"))
        if display.data_command is not None:
            what = Phrase(N_("{device} D/C"), {"device": device})
            yield Use(display.data_command, what, ("display", "data_command"))
    else:
        name = Phrase("I2C{bus}", {"bus": display.port})
        for pin in I2C_WIRES.get(display.port, ()):
            yield Use(pin, name, ("display", "port"), bus=True)
    if display.reset is not None:
        what = Phrase(N_("{device} reset"), {"device": device})
        yield Use(display.reset, what, ("display", "reset"))


def _spi(bus: int, device: int, path: Place) -> Iterator[Use]:
    """The pins of a bus, and the chip select of one device on it."""
    for pin in SPI_WIRES.get(bus, ()):
        yield Use(pin, Phrase("SPI{bus}", {"bus": bus}), path, bus=True)
    for pin in SPI_SELECTS.get(bus, ())[device : device + 1]:
        select = Phrase("SPI{bus} CE{device}", {"bus": bus, "device": device})
        yield Use(pin, select, path, bus=True)


def _pushed(buttons: ButtonSettings) -> dict[str, int]:
    pins = {"up": buttons.up, "down": buttons.down, "ok": buttons.ok, "back": buttons.back}
    return {name: pin for name, pin in pins.items() if pin is not None}


def _buttons(pins: Iterable[tuple[str, int]], path: Place) -> Iterator[Use]:
    for name, pin in pins:
        yield Use(pin, Phrase(N_("button {name}"), {"name": name}), (*path, name))


def _lights(seats: Mapping[str, tuple[int, int, int]], path: Place) -> Iterator[Use]:
    for seat, pins in seats.items():
        for pin, colour in zip(pins, COLOURS, strict=True):
            what = Phrase(N_("light {seat} {colour}"), {"seat": seat, "colour": Phrase(colour)})
            yield Use(pin, what, (*path, seat))


# -- what is wrong ---------------------------------------------------------------------------------


def _conflicts(uses: Iterable[Use], prefix: str) -> Faults:
    """Pins with two uses. The readers' own resets on one pin are told apart: many guides do it."""
    by_pin: dict[int, dict[str, Use]] = {}
    for use in uses:
        by_pin.setdefault(use.pin, {}).setdefault(use.what.plain(), use)
    for pin, users in sorted(by_pin.items()):
        if len(users) == 1:
            continue
        last = sorted(users.values(), key=lambda use: not use.bus)[-1]
        args = {"pin": f"{prefix}{pin}", "users": joined(use.what for use in users.values())}
        resets = all(use.path[0] == "reader" and use.path[-1] == "reset" for use in users.values())
        if resets:
            text = N_(
                "{pin} used by {users}: restarting one would silence the other. Give each its own "
                "pin, or wire RST to 3.3 V and leave reset out"
            )
        else:
            text = N_("{pin} used by {users}")
        yield last.path, Phrase(text, args)


def _no_contacts(hub: HubSettings) -> Faults:
    """Pins that the hub's Pico keeps to itself."""
    for use in hub_pins(hub):
        if use.pin in PICO_INSIDE:
            text = N_("a Pico has no contact for GP{pin}. Allowed: 0 to 22, 26 to 28")
            yield use.path, Phrase(text, {"pin": use.pin})


def _no_spi(hub: HubSettings) -> Faults:
    """Wires of the hub's readers that do not belong to one SPI of the Pico."""
    wired = {"sck": hub.sck, "mosi": hub.mosi, "miso": hub.miso}
    if any(all(pin in PICO_SPI[wire][spi] for wire, pin in wired.items()) for spi in (0, 1)):
        return
    first, second = (
        ", ".join(f"{wire} {'/'.join(map(str, PICO_SPI[wire][spi]))}" for wire in wired)
        for spi in (0, 1)
    )
    text = N_("these three pins are of no SPI of a Pico. Allowed: {first}; or {second}")
    yield ("hub", "sck"), Phrase(text, {"first": first, "second": second})
