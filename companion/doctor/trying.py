"""Trying the devices themselves, by the same code that plays with them.

A trial gives its findings one after the other, as they come up. What people have to do meanwhile
is told and asked through a `Desk`.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Protocol

from companion.configuration import HEADER, Configuration
from companion.devices.display import test_frame
from companion.devices.health import Health, label, told
from companion.devices.inputs import Button, Crowded, Input, Pushed, Stuck, Tapped
from companion.devices.lights import Light
from companion.devices.readers import SpiReader
from companion.devices.settings import DeviceSettings, DisplaySettings, HubSettings
from companion.devices.sound import Signal
from companion.devices.station import Station
from companion.doctor.findings import Finding, Verdict, fault, ok, skipped
from companion.doctor.usb import firmware
from companion.rules.phrases import N_, Phrase
from companion.simulation import working_station

ANSWER_TIME = 12.0
"""Seconds within which a device has to be ready or to say why it is not; a hub may take ten."""
LOOK_AFTER = 0.05
"""Seconds from one look whether all devices are ready to the next."""
OLED_ADDRESSES = (0x3C, 0x3D)
"""The two that an OLED can be set to (SSD1306 data sheet, 8.1.5)."""


class Desk(Protocol):
    """Whoever helps to try. `wait` is how many seconds to wait for a card or a button.

    What is seen or heard is None where there is nobody to tell.
    """

    wait: float

    def tap(self, readers: Sequence[str]) -> None:
        """A card is wanted on each of these readers."""

    def push(self, buttons: Sequence[str]) -> None:
        """Each of these buttons is to be pushed once."""

    def sees_edges(self) -> bool | None:
        """Whether there is a line at all four edges of the display."""

    def sees_yellow(self, seat: str) -> bool | None:
        """Whether a seat's light is yellow, which is red and green."""

    def hears_tones(self) -> bool | None:
        """Whether two tones were heard."""


Open = Callable[[DeviceSettings], AbstractContextManager[Station]]
"""Makes the devices of some settings and lets them work, real or simulated ones."""

Trial = Callable[[Configuration, Desk, Open], Iterator[Finding]]


@contextmanager
def at_work(opened: Open, devices: DeviceSettings) -> Iterator[Station]:
    """Devices that work meanwhile, all of them ready or with a reason why not."""
    with opened(devices) as station:
        until = time.monotonic() + ANSWER_TIME
        while not _is_settled(station, devices) and time.monotonic() < until:
            time.sleep(LOOK_AFTER)  # what comes into the inbox meanwhile is for the trial
            station.check()
        yield station


def _is_settled(station: Station, devices: DeviceSettings) -> bool:
    """Whether all have said how they are; a hub's readers do so once it is ready."""
    health = station.health.all()
    at_hub = _hub_of(devices).readers if _is_usable(health, "hub") else ()
    return station.settled and all(f"reader/{reader.name}" in health for reader in at_hub)


def only(devices: DeviceSettings, *kinds: str) -> DeviceSettings:
    """The settings of some devices, without the others; how to poll and to push stays."""
    return DeviceSettings(
        poll=devices.poll, push=devices.push, **{kind: getattr(devices, kind) for kind in kinds}
    )


def as_finding(health: Health) -> Finding:
    """A device's health as a finding.

    A reader that has something to say reads all the same; of other devices a part does not work.
    """
    if health.usable and health.reason is None:
        return Finding(Verdict.OK, told(health))
    works = health.usable and health.device.startswith("reader/")
    return Finding(Verdict.ADVICE if works else Verdict.FAULT, told(health))


def answering(configuration: Configuration, opened: Open = working_station) -> Iterator[Finding]:
    """Whether each device answers, which needs nobody's help."""
    with at_work(opened, configuration.devices) as station:
        for name, health in station.health.all().items():
            yield _of_display(configuration, health) if name == "display" else as_finding(health)
        if station.hub is not None:
            yield from firmware(station.hub.about)


def _is_usable(health: Mapping[str, Health], name: str) -> bool:
    return name in health and health[name].usable


def _hub_of(devices: DeviceSettings) -> HubSettings:
    return devices.hub or HubSettings()


def arriving(inbox: SimpleQueue[Input | Health], seconds: float) -> Iterator[Input | Health]:
    """What devices say within so many seconds."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            yield inbox.get(timeout=left)
        except Empty:
            return


# -- readers ---------------------------------------------------------------------------------------


def try_readers(
    configuration: Configuration, desk: Desk, opened: Open = working_station
) -> Iterator[Finding]:
    """A card on each reader, of the Pi and of the hub; for those of the Pi how well they read."""
    devices = only(configuration.devices, "readers", "hub")
    names = [reader.name for reader in devices.readers]
    names += [reader.name for reader in _hub_of(devices).readers]
    if not names:
        return
    with at_work(opened, devices) as station:
        health = station.health.all()
        yield from map(as_finding, health.values())
        missing = [name for name in names if _is_usable(health, f"reader/{name}")]
        yield from _tapped(missing, station.inbox, desk)
        for reader in station.readers:
            if _is_usable(health, reader.name):
                yield _read(reader)


def _tapped(
    missing: list[str], inbox: SimpleQueue[Input | Health], desk: Desk
) -> Iterator[Finding]:
    """What comes to each of some readers."""
    if missing:
        desk.tap(missing)
    inputs = arriving(inbox, desk.wait)
    while missing and (came := next(inputs, None)):
        if isinstance(came, (Tapped, Crowded)) and came.reader in missing:
            missing.remove(came.reader)
            yield _came(came)
    for name in missing:
        text = N_("{device}: no card came within {seconds} s. Is it one of 13.56 MHz?")
        yield fault(text, device=label(f"reader/{name}"), seconds=f"{desk.wait:g}")


def _came(came: Tapped | Crowded) -> Finding:
    device = label(f"reader/{came.reader}")
    if isinstance(came, Tapped):
        return ok(N_("{device}: card {uid}"), device=device, uid=came.uid)
    return fault(N_("{device}: several cards at once; tap one"), device=device)


def _read(reader: SpiReader) -> Finding:
    counted = ", ".join(f"{name} {number}" for name, number in reader.statistics().items())
    version = f"0x{reader.version:02X}"
    text = N_("{device}: chip {version}, {counted}")
    return ok(text, device=label(reader.name), version=version, counted=counted)


# -- buttons ---------------------------------------------------------------------------------------


def try_buttons(
    configuration: Configuration, desk: Desk, opened: Open = working_station
) -> Iterator[Finding]:
    """Each button once; says which never came, and where its wire should be."""
    devices = only(configuration.devices, "buttons", "hub")
    missing = {button.value: pin for button in Button if (pin := _place(devices, button))}
    if not missing:
        return
    with at_work(opened, devices) as station:
        health = station.health.all()
        yield from map(as_finding, health.values())
        if not any(one.usable for one in health.values()):
            return
        desk.push(list(missing))
        inputs = arriving(station.inbox, desk.wait)
        while missing and (came := next(inputs, None)):
            yield from _pushed(came, missing)
    for name, place in missing.items():
        text = N_("button {name} never came: look at {place}, and at ground")
        yield fault(text, name=name, place=place)


def _place(devices: DeviceSettings, button: Button) -> Phrase | None:
    """Where a button is wired to, on the Pi or on the hub."""
    pin = getattr(devices.buttons, button, None)
    if pin is not None:
        return Phrase(N_("GPIO{pin}, contact {contact}"), {"pin": pin, "contact": HEADER[pin]})
    pin = _hub_of(devices).buttons.get(button.value)
    return None if pin is None else Phrase(N_("GP{pin} of the hub"), {"pin": pin})


def _pushed(came: Input | Health, missing: dict[str, Phrase]) -> Iterator[Finding]:
    """What one input says of the buttons that are still missing."""
    if isinstance(came, Pushed):
        for button in filter(None, (came.button, came.other)):
            if missing.pop(button.value, None) is not None:
                yield ok(N_("button {name}: {how}"), name=button.value, how=came.how.value)
    elif isinstance(came, Stuck) and missing.pop(came.button.value, None) is not None:
        yield fault(N_("button {name} is down all the time"), name=came.button.value)


# -- display ---------------------------------------------------------------------------------------


def try_display(
    configuration: Configuration, desk: Desk, opened: Open = working_station
) -> Iterator[Finding]:
    """A frame along all four edges. With the driver of the other chip, edges are missing."""
    settings = configuration.devices.display
    if settings is None:
        return
    with at_work(opened, only(configuration.devices, "display")) as station:
        station.show(test_frame(settings))
        health = station.health.all()["display"]
        yield _of_display(configuration, health)
        if health.usable:
            yield _seen(configuration, settings, desk)


def _of_display(configuration: Configuration, health: Health) -> Finding:
    """A display's health; one that does not answer may do so at the other address."""
    return (None if health.usable else _elsewhere(configuration)) or as_finding(health)


def _seen(configuration: Configuration, settings: DisplaySettings, desk: Desk) -> Finding:
    seen = desk.sees_edges()
    if seen is None:
        return skipped(N_("display: nobody was there to look at it"))
    if seen:
        return ok(N_("display: all four edges"))
    other = "sh1106" if settings.driver == "ssd1306" else "ssd1306"
    text = N_('display: set driver = "{other}" in [display]')
    mend = _edit(configuration, f's/"{settings.driver}"/"{other}"/')
    return fault(text, mend, other=other)


def _elsewhere(configuration: Configuration) -> Finding | None:
    """Whether a display that does not answer does so at the other address."""
    settings = configuration.devices.display
    if settings is None or settings.bus != "i2c":
        return None
    for address in OLED_ADDRESSES:
        if address != settings.address and _answers(settings.port, address):
            other, wanted = f"0x{address:02X}", f"0x{settings.address:02X}"
            mend = _edit(configuration, "/^address *=/d", rf"/^\[display\]/a address = {other}")
            text = N_("display: answers at {other}, not at {address}")
            return fault(text, mend, other=other, address=wanted)
    return None


def _answers(port: int, address: int) -> bool:
    from smbus2 import SMBus

    try:
        with SMBus(port) as bus:
            bus.read_byte(address)
    except OSError:
        return False
    return True


def _edit(configuration: Configuration, *edits: str) -> str:
    """The command that changes the configuration, where it is a file."""
    if configuration.file is None:
        return ""
    return shlex.join(
        ["sudo", "sed", "-i", *chain(*(("-e", edit) for edit in edits)), str(configuration.file)]
    )


# -- lights and sound ------------------------------------------------------------------------------


def try_lights(
    configuration: Configuration, desk: Desk, opened: Open = working_station
) -> Iterator[Finding]:
    """Yellow at each seat: red and green together, so that swapped wires show."""
    devices = only(configuration.devices, "lights", "hub")
    seats = [*(devices.lights.seats if devices.lights else ()), *_hub_of(devices).lights]
    if not seats:
        return
    with at_work(opened, devices) as station:
        yield from map(as_finding, station.health.all().values())
        for seat in seats:
            station.light({seat: Light.ASKED})
            what = Phrase(N_("light of seat {seat}"), {"seat": seat})
            yield _agreed(desk.sees_yellow(seat), what)
            station.light({seat: Light.OFF})


def try_sound(
    configuration: Configuration, desk: Desk, opened: Open = working_station
) -> Iterator[Finding]:
    """The signals for yes and for no."""
    devices = only(configuration.devices, "sound")
    if devices.sound is None:
        return
    with at_work(opened, devices) as station:
        yield from map(as_finding, station.health.all().values())
        for signal in (Signal.ACCEPTED, Signal.REFUSED):
            station.play(signal)
            yield _agreed(desk.hears_tones(), Phrase(N_("sound")))


def _agreed(answer: bool | None, what: Phrase) -> Finding:
    """What somebody says who looks or listens."""
    if answer is None:
        return skipped(N_("{what}: nobody was there to tell"), what=what)
    if answer:
        return ok(N_("{what}: as it should be"), what=what)
    return fault(N_("{what}: look at the wires and at the pins in the configuration"), what=what)


TRIALS: dict[str, Trial] = {
    "reader": try_readers,
    "buttons": try_buttons,
    "display": try_display,
    "lights": try_lights,
    "sound": try_sound,
}
"""By the name that `--test` takes."""
