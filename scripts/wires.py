"""hardware/pins.toml read into records: boards, kinds of devices, and sets of wired devices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import msgspec

HARDWARE = Path(__file__).resolve().parent.parent / "hardware"
PINS = HARDWARE / "pins.toml"


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base: a key that nobody knows is refused."""


class Board(Record, frozen=True):
    """A board with a header: the names of its contacts 1, 2 …, and what some of its pins do."""

    title: str
    contacts: tuple[str, ...]
    signals: Mapping[str, str]

    def pin(self, contact: int) -> str:
        """The name of the pin at a contact."""
        return self.contacts[contact - 1]

    def label(self, contact: int) -> str:
        """The name of the pin at a contact, and its signal if it has one."""
        pin = self.pin(contact)
        return f"{pin}, {self.signals[pin]}" if pin in self.signals else pin


class Bus(Record, frozen=True):
    """A bus of the Pi: its name for raspi-config, and its line of config.txt."""

    name: str
    line: str


class Kind(Record, frozen=True):
    """A kind of device: its contacts with the colours of their wires, "" for one that stays free.

    Where a set has rows, `shares` names those that contacts take, and `gives` those that they feed.
    """

    title: str
    note: str
    contacts: dict[str, str]
    shares: dict[str, str] = {}
    gives: dict[str, str] = {}


class Wire(Record, frozen=True):
    """From a device's contact or a row, `at`, to a board's pin, at `contact` of its header."""

    at: str
    pin: str
    contact: int


class Device(Record, frozen=True):
    """Something with wires to a board."""

    name: str
    kind: str
    wires: tuple[Wire, ...]

    @property
    def label(self) -> str:
        """What tells it from others of its kind, such as "A" of "reader A"."""
        return self.name.split()[-1]


class Set(Record, frozen=True):
    """Devices that are wired to one board. `rows`: wires that several of them share."""

    name: str
    title: str
    board: str
    devices: tuple[Device, ...] = msgspec.field(name="device")
    rows: tuple[Wire, ...] = ()

    def of(self, kind: str) -> list[Device]:
        """The devices of a kind."""
        return [device for device in self.devices if device.kind == kind]

    def wires(self) -> Iterator[Wire]:
        """All wires to the board."""
        yield from self.rows
        for device in self.devices:
            yield from device.wires


class End(NamedTuple):
    """One wire of a device: its contact there, and the wire to the board or else whose contact.

    `giver` is a device and its contact, as of a regulator that feeds a row.
    """

    at: str
    colour: str
    wire: Wire | None
    giver: tuple[str, str] = ("", "")


class Box(NamedTuple):
    """A device with its wires; where rows are shared, all devices of a kind together."""

    title: str
    kind: Kind
    ends: list[End]


class Pins(Record, frozen=True):
    """The whole file."""

    board: Mapping[str, Board]
    bus: Mapping[str, Bus]
    kind: Mapping[str, Kind]
    sets: tuple[Set, ...] = msgspec.field(name="set")

    def called(self, name: str) -> Set:
        """The set of a name. Raises KeyError."""
        return {one.name: one for one in self.sets}[name]

    def boxes(self, wired: Set) -> Iterator[Box]:
        """What people see of a set, in the order of the file."""
        for _, group in groupby(wired.devices, lambda one: one.kind if wired.rows else one.name):
            first, *more = group
            kind = self.kind[first.kind]
            if more:
                title = first.name.removesuffix(f" {first.label}") + "s"
                yield Box(title, kind, [*self._together(wired, [first, *more])])
            else:
                yield Box(first.name, kind, [*self._ends(wired, first)])

    def _together(self, wired: Set, devices: Sequence[Device]) -> Iterator[End]:
        """The wires of each of several devices, then those that they share."""
        kind = self.kind[devices[0].kind]
        for device in devices:
            for end in self._ends(wired, device):
                if end.at not in kind.shares:
                    yield end._replace(at=f"{end.at} of {device.label}")
        for end in self._ends(wired, devices[0]):
            if end.at in kind.shares:
                yield end._replace(at=f"{end.at} of all")

    def _ends(self, wired: Set, device: Device) -> Iterator[End]:
        """The wires of a device, in the order of its contacts."""
        kind = self.kind[device.kind]
        own = {wire.at: wire for wire in device.wires}
        rows = {wire.at: wire for wire in wired.rows}
        for at, colour in kind.contacts.items():
            row = kind.shares.get(at, "")
            if at in own:
                yield End(at, colour, own[at])
            elif row in rows:
                yield End(at, colour, rows[row])
            elif row and rows:
                yield End(at, colour, None, self._giver(wired, row))

    def _giver(self, wired: Set, row: str) -> tuple[str, str]:
        """The device that feeds a row, and its contact."""
        (giver,) = [
            (device.name, at)
            for device in wired.devices
            for at, fed in self.kind[device.kind].gives.items()
            if fed == row
        ]
        return giver

    def taken(self, wired: Set) -> set[int]:
        """The contacts of the board that sets before this one use."""
        before = [one for one in self.sets[: self.sets.index(wired)] if one.board == wired.board]
        return {wire.contact for one in before for wire in one.wires()}


def read_pins(path: Path = PINS) -> Pins:
    """Read the file. Raises msgspec.ValidationError with the place of what does not fit."""
    return msgspec.toml.decode(path.read_bytes(), type=Pins)
