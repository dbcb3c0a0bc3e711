"""A table without hardware: simulated chips behind the devices that a configuration names.

The real libraries and all of our own code run on them; only what the kernel does is replaced (see
`companion.devices.simulated.bench`). A person lays cards, pushes buttons and pulls plugs by calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING

from companion.devices.health import DeviceFault
from companion.devices.inputs import Button
from companion.devices.settings import DeviceSettings
from companion.devices.simulated.bench import Bench
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.oled import Oled, Sh1106, Ssd1306
from companion.devices.simulated.pins import Fingers
from companion.devices.simulated.tags import tag as sticker
from companion.devices.station import Station
from companion.rules.errors import NotUnderstood
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import Tag, TaggedThing

if TYPE_CHECKING:
    from PIL.Image import Image

    from companion.devices.simulated.hub import SimulatedHub


def uid_of(thing: TaggedThing, copy: int) -> str:
    """The UID of the sticker on one copy, the same in every simulation: seven bytes, NXP's."""
    meaning = repr((*thing.key, copy)).encode()
    return "04" + blake2b(meaning, digest_size=6).hexdigest().upper()


class SimulatedTags:
    """A book in which every copy of every thing has its sticker; kept nowhere."""

    def __init__(self, things: Sequence[TaggedThing]) -> None:
        self._tags: dict[str, Tag] = {}
        self.uids: dict[str, list[str]] = {}
        """By the thing, a UID for each copy."""
        for thing in things:
            for copy in range(1, thing.copies + 1):
                uid = uid_of(thing, copy)
                self._tags[uid] = Tag(uid, thing.game, thing.kind, thing.thing, copy)
                self.uids.setdefault(thing.thing, []).append(uid)

    def tag(self, uid: str) -> Tag | None:
        """What a tag means; None if nothing."""
        return self._tags.get(uid)

    def tags(self) -> list[Tag]:
        """All of them."""
        return list(self._tags.values())

    def bind(self, tag: Tag, *, move: bool = False) -> list[Tag]:
        """Give a UID a meaning."""
        was = self._tags.get(tag.uid)
        self._tags[tag.uid] = tag
        self.uids.setdefault(tag.thing, []).append(tag.uid)
        return [] if was is None or was == tag else [was]


@contextmanager
def working_station(
    settings: DeviceSettings, simulation: Simulation | None = None
) -> Iterator[Station]:
    """The devices at work, real ones or those of a simulation, until the end of the block."""
    if simulation is not None:
        simulation.start()
    try:
        station = Station(settings, find_hub=simulation.find_hub if simulation else None)
        station.start()
        try:
            yield station
        finally:
            station.stop()
    finally:
        if simulation is not None:
            simulation.stop()


class Simulation:
    """The chips that the settings name, wired as they say."""

    def __init__(self, settings: DeviceSettings, bench: Bench | None = None) -> None:
        self.settings = settings
        self.bench = bench or Bench()
        self.readers: dict[str, Mfrc522] = {}
        self.oled = self._display()
        self.hub, self._no_hub = _hub(settings)
        self._lying: dict[str, list[str]] = {}
        self._fingers: Fingers | None = None
        for reader in settings.readers:
            chip = Mfrc522(self.bench.time.now_us)
            self.readers[reader.name] = chip
            self.bench.spi[reader.bus, reader.device] = chip
            if reader.reset is not None:
                self.bench.resets[reader.reset] = chip

    def _display(self) -> Oled | None:
        settings = self.settings.display
        if settings is None:
            return None
        kind = Ssd1306 if settings.driver == "ssd1306" else Sh1106
        if settings.bus == "i2c":
            oled = kind()
            self.bench.i2c[settings.port, settings.address] = oled
            return oled
        pin = settings.data_command
        oled = kind(lambda: pin is not None and bool(self.bench.pin(pin).state))
        self.bench.spi[settings.port, settings.device] = oled
        if settings.reset is not None:
            self.bench.resets[settings.reset] = oled
        return oled

    # -- running -------------------------------------------------------------------------------

    def start(self) -> None:
        """Put the chips in the place of the kernel's drivers."""
        self.bench.install()
        if self.settings.buttons is not None:
            self._fingers = Fingers(self.bench.pins, self.settings.buttons)
        if self.hub is not None:
            self.hub.plug()

    def stop(self) -> None:
        """Give everything back."""
        if self.hub is not None:
            self.hub.unplug()
        self.bench.remove()

    def find_hub(self) -> str:
        """The path of the simulated hub's port. Raises DeviceFault."""
        if self.hub is None:
            raise DeviceFault(self._no_hub.text, **self._no_hub.args)
        if not self.hub.path:
            raise DeviceFault(N_("the hub was unplugged"))
        return self.hub.path

    # -- hands ---------------------------------------------------------------------------------

    @property
    def reader_names(self) -> list[str]:
        """All readers, those of the hub last."""
        hub = self.settings.hub if self.hub is not None else None
        return [*self.readers, *(reader.name for reader in (hub.readers if hub else ()))]

    def lay(self, reader: str, uid: str) -> None:
        """Lay a sticker on a reader; whatever lies there stays."""
        self._check(reader)
        if reader in self.readers:
            self.readers[reader].put(sticker(bytes.fromhex(uid)))
        elif self.hub is not None:
            self.hub.put(reader, uid)
        self._lying.setdefault(reader, []).append(uid)

    def lift(self, reader: str) -> list[str]:
        """Take everything off a reader; gives the UIDs."""
        self._check(reader)
        lying = self._lying.pop(reader, [])
        if reader in self.readers:
            chip = self.readers[reader]
            for one in list(chip.tags):
                chip.take(one)
        elif self.hub is not None:
            for uid in lying:
                self.hub.lift(reader, uid)
        return lying

    def press(self, button: Button) -> None:
        """Push a button down, the Pi's or else the hub's."""
        self._hand(button).press(button)

    def release(self, button: Button) -> None:
        """Let a button go."""
        self._hand(button).release(button)

    def picture(self) -> Image | None:
        """What the display shows, out of the chip's memory; None without one."""
        return None if self.oled is None else self.oled.picture()

    def _check(self, reader: str) -> None:
        if reader not in self.reader_names:
            raise NotUnderstood(
                N_("There is no reader {name}. There are: {names}."),
                name=reader,
                names=self.reader_names,
            )

    def _hand(self, button: Button) -> Fingers | SimulatedHub:
        buttons = self.settings.buttons
        if self._fingers is not None and buttons and getattr(buttons, button) is not None:
            return self._fingers
        if self.hub is not None and self.settings.hub and button in self.settings.hub.buttons:
            return self.hub
        raise NotUnderstood(N_("There is no button {name}."), name=button)

    # -- plugs ---------------------------------------------------------------------------------

    def unplug(self, device: str) -> None:
        """Pull a device's plug: "display", "reader/A", "hub"."""
        self._plugs(device)[0]()

    def plug(self, device: str) -> None:
        """Plug a device in again; its chip has forgotten everything."""
        self._plugs(device)[1]()

    def _plugs(self, device: str) -> tuple[Callable[[], None], Callable[[], None]]:
        """How a device is unplugged and plugged in again."""
        if device not in self.devices:
            raise NotUnderstood(
                N_("There is no {name} to unplug. There are: {names}."),
                name=device,
                names=self.devices,
            )
        if device == "display":
            return self._unplug_display, self._plug_display
        if device == "hub" and self.hub is not None:
            return self.hub.unplug, self.hub.plug
        chip = self.readers[device.partition("/")[2]]
        return (lambda: _stick(chip, NOTHING_THERE)), (lambda: _plug_chip(chip))

    def _unplug_display(self) -> None:
        if self.oled is not None:
            self.oled.unplugged = True
            self.oled.power_off()

    def _plug_display(self) -> None:
        if self.oled is not None:
            self.oled.unplugged = False
            self.oled.power_on()

    @property
    def devices(self) -> list[str]:
        """What can be unplugged."""
        found = [f"reader/{name}" for name in self.readers]
        return [*(["display"] if self.oled else []), *found, *(["hub"] if self.hub else [])]


def _hub(settings: DeviceSettings) -> tuple[SimulatedHub | None, Phrase]:
    """The hub that the settings name, unplugged yet, and why there is none where there is none."""
    none = Phrase(N_("no hub is simulated"))
    if settings.hub is None:
        return None, none
    from companion.devices.simulated.hub import SimulatedHub

    try:
        return SimulatedHub(settings.hub), none
    except DeviceFault as error:
        return None, error.phrase


NOTHING_THERE = 0xFF
"""What is read where no chip drives the line."""


def _stick(chip: Mfrc522, byte: int | None) -> None:
    chip.stuck = byte


def _plug_chip(chip: Mfrc522) -> None:
    chip.stuck = None
    chip.lose_power()
