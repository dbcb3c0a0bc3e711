"""What has to agree between the sections of the file, beyond what each field allows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from companion.configuration.pins import Faults, Place, joined, pin_faults
from companion.devices.health import label
from companion.devices.settings import DeviceSettings
from companion.rules.phrases import N_, Phrase

MOST_HUB_READERS = 8
"""So many readers can share the hub's bus."""
CHIP_SELECTS = {0: 2, 1: 3}
"""How many devices an SPI of the Pi can have."""


def faults(devices: DeviceSettings) -> Faults:
    """Everything that does not agree: where it stands, and what is wrong."""
    checks: tuple[Callable[[DeviceSettings], Faults], ...] = (
        _reader_names,
        _resets,
        _chip_selects,
        _display,
        _times,
        _seats,
        _hub_readers,
        pin_faults,
    )
    for check in checks:
        yield from check(devices)


def _reader_names(devices: DeviceSettings) -> Faults:
    """Names are what readers are told apart by, on the Pi and on the hub together."""
    own: list[tuple[Place, str]] = [
        (("reader", n, "name"), reader.name) for n, reader in enumerate(devices.readers)
    ]
    at_hub: list[tuple[Place, str]] = [
        (("hub", "reader", n, "name"), reader.name)
        for n, reader in enumerate(devices.hub.readers if devices.hub else ())
    ]
    seen: set[str] = set()
    for path, name in [*own, *at_hub]:
        if name in seen:
            yield path, Phrase(N_("there is a reader {name} already"), {"name": name})
        seen.add(name)


def _resets(devices: DeviceSettings) -> Faults:
    """Without one the package mfrc522 would take a pin of its own choice as an output."""
    for number, reader in enumerate(devices.readers):
        if reader.port == "mfrc522" and reader.reset is None:
            text = N_('port = "mfrc522" needs reset, the pin at RST; "spidev" does not')
            yield ("reader", number, "port"), Phrase(text)


def _chip_selects(devices: DeviceSettings) -> Faults:
    """One device for each chip select, and only chip selects that there are."""
    wired: list[tuple[Place, Phrase, int, int]] = [
        (("reader", n, "device"), label(f"reader/{reader.name}"), reader.bus, reader.device)
        for n, reader in enumerate(devices.readers)
    ]
    display = devices.display
    if display is not None and display.bus == "spi":
        wired.append((("display", "device"), label("display"), display.port, display.device))
    at: dict[tuple[int, int], Phrase] = {}
    for path, who, bus, device in wired:
        args = {"bus": bus, "device": device}
        most = CHIP_SELECTS.get(bus)
        if most is not None and device >= most:
            text = N_("SPI{bus} has no device {device}. Allowed: 0 to {most}")
            yield path, Phrase(text, args | {"most": most - 1})
        if (bus, device) in at:
            text = N_("SPI{bus} device {device} used by {users}. Give each a device of its own")
            yield path, Phrase(text, args | {"users": joined((at[bus, device], who))})
        at[bus, device] = who


def _display(devices: DeviceSettings) -> Faults:
    display = devices.display
    if display is None or display.bus != "spi":
        return
    if display.data_command is None:
        yield ("display", "bus"), Phrase(N_("a display on SPI needs data_command, the pin at D/C"))


def _times(devices: DeviceSettings) -> Faults:
    """Times of which one has to come before the other."""
    poll, push = devices.poll, devices.push
    text = N_("has to be less than {other}, which is {value}")
    if push.hold_ms >= push.stuck_ms:
        args = {"other": "stuck_ms", "value": push.stuck_ms}
        yield ("push", "hold_ms"), Phrase(text, args)
    if poll.swap_ms > poll.absent_ms:
        args = {"other": "absent_ms", "value": poll.absent_ms}
        yield ("poll", "swap_ms"), Phrase(text, args)


def _seats(devices: DeviceSettings) -> Faults:
    lights: list[tuple[Place, Iterable[str]]] = []
    if devices.lights is not None:
        lights.append((("lights", "seats"), devices.lights.seats))
    if devices.hub is not None:
        lights.append((("hub", "lights"), devices.hub.lights))
    for path, seats in lights:
        for seat in seats:
            if not re.fullmatch("[A-Z]", seat):
                text = N_("{seat} is no seat. Allowed: one letter from A to Z")
                yield (*path, seat), Phrase(text, {"seat": seat})


def _hub_readers(devices: DeviceSettings) -> Faults:
    if devices.hub is not None and len(devices.hub.readers) > MOST_HUB_READERS:
        text = N_("a hub has {most} readers at the most")
        path = ("hub", "reader", MOST_HUB_READERS, "name")
        yield path, Phrase(text, {"most": MOST_HUB_READERS})
