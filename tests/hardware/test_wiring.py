"""hardware/pins.toml is the one place for pins: program, firmware, pictures and documents agree."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from companion.configuration import HEADER, hub_pins, parse_configuration, pi_pins, sample
from companion.configuration.pins import (
    I2C_WIRES,
    PICO_INSIDE,
    PICO_SPI,
    SPI_SELECTS,
    SPI_WIRES,
)
from companion.devices.firmware import firmware_folder
from companion.devices.settings import DeviceSettings, HubSettings
from scripts.headers import header_picture
from scripts.wires import HARDWARE, Set, read_pins
from scripts.wiring import CODES, PICTURES, harness, mark, source_of
from scripts.wiring_document import document, settings
from tests.docs.reading import ROOT
from tests.host.test_configuration import everything

PINS = read_pins()
SMALLEST, MORE, HUB = (PINS.called(name) for name in ("smallest", "more", "hub"))
every_set = pytest.mark.parametrize("wired", PINS.sets, ids=lambda wired: wired.name)


def devices_of(text: str) -> DeviceSettings:
    return parse_configuration(text, Path("companion.toml")).devices


def numbers(wired: Set) -> set[int]:
    """The GPIO or GP numbers that a set uses."""
    names = {wire.pin for wire in wired.wires() if wire.pin.startswith("GP")}
    return {int(re.sub(r"\D", "", name)) for name in names}


# -- the file itself -------------------------------------------------------------------------------


@every_set
def test_wires_end_where_their_pins_are(wired: Set) -> None:
    board = PINS.board[wired.board]
    for wire in wired.wires():
        assert board.pin(wire.contact) == wire.pin


@every_set
def test_every_contact_of_a_device_is_wired_unless_it_stays_free(wired: Set) -> None:
    for device in wired.devices:
        kind = PINS.kind[device.kind]
        rows = {*kind.shares, *kind.gives} if wired.rows else set()
        assert {wire.at for wire in device.wires} | rows == {
            at for at, colour in kind.contacts.items() if colour
        }, device.name


@every_set
def test_no_pin_of_a_board_has_two_jobs(wired: Set) -> None:
    pins = [wire.pin for wire in wired.wires() if wire.pin.startswith("GP")]
    assert len(pins) == len(set(pins))


def test_in_the_smallest_set_each_wire_has_a_contact_of_its_own() -> None:
    contacts = [wire.contact for wire in SMALLEST.wires()]
    assert len(contacts) == len(set(contacts)) == 19
    assert PINS.taken(MORE) == set(contacts)


def test_readers_and_displays_get_3_3_volts_and_nothing_gets_5() -> None:
    power = {
        (device.kind, wire.at): wire.pin
        for wired in (SMALLEST, MORE)
        for device in wired.devices
        for wire in device.wires
        if wire.at in ("3.3V", "VCC")
    }
    assert power == {("RC522", "3.3V"): "3.3V", ("OLED", "VCC"): "3.3V"}
    assert all(wire.pin != "5V" for wired in PINS.sets for wire in wired.wires())
    volts_5 = [d.kind for d in HUB.devices for wire in d.wires if wire.pin in ("VBUS", "VSYS")]
    assert volts_5 == ["regulator"]


def test_every_row_is_fed_once() -> None:
    fed = [wire.at for wire in HUB.rows]
    fed += [row for device in HUB.devices for row in PINS.kind[device.kind].gives.values()]
    taken = {row for device in HUB.devices for row in PINS.kind[device.kind].shares.values()}
    assert sorted(fed) == sorted(taken)


def test_colours_have_a_code() -> None:
    colours = {colour for kind in PINS.kind.values() for colour in kind.contacts.values()}
    assert colours - {""} <= set(CODES)


# -- the program -----------------------------------------------------------------------------------


def test_the_header_of_the_pi_is_that_of_the_configuration() -> None:
    contacts = PINS.board["pi"].contacts
    assert {
        int(name.removeprefix("GPIO")): contact
        for contact, name in enumerate(contacts, start=1)
        if name.startswith("GPIO")
    } == HEADER
    assert len(contacts) == 40


def test_the_pins_of_the_buses_are_those_of_the_configuration() -> None:
    miso, mosi, sclk = SPI_WIRES[0]
    sda, scl = I2C_WIRES[1]
    first, second = SPI_SELECTS[0]
    assert PINS.board["pi"].signals == {
        f"GPIO{sda}": "I2C1 SDA",
        f"GPIO{scl}": "I2C1 SCL",
        f"GPIO{miso}": "SPI0 MISO",
        f"GPIO{mosi}": "SPI0 MOSI",
        f"GPIO{sclk}": "SPI0 SCLK",
        f"GPIO{first}": "SPI0 CE0",
        f"GPIO{second}": "SPI0 CE1",
    }


def test_the_contacts_of_the_pico_are_those_of_the_configuration() -> None:
    board = PINS.board["pico"]
    names = {name for name in board.contacts if re.fullmatch(r"GP\d+", name)}
    assert names == {f"GP{pin}" for pin in range(29) if pin not in PICO_INSIDE}
    assert len(board.contacts) == 40
    for wire, signal in (("sck", "SCK"), ("mosi", "TX (MOSI)"), ("miso", "RX (MISO)")):
        (pin,) = [name for name, said in board.signals.items() if said == f"SPI0 {signal}"]
        assert int(pin.removeprefix("GP")) in PICO_SPI[wire][0]


def test_the_sample_is_the_smallest_set() -> None:
    assert devices_of(settings(PINS, SMALLEST)) == devices_of(sample())


def test_what_the_sample_switches_off_is_what_else_fits_at_the_pi() -> None:
    shown, wired = devices_of(everything()), devices_of(settings(PINS, MORE))
    assert shown.readers[1:] == wired.readers
    assert shown.lights == wired.lights
    assert shown.sound == wired.sound


def test_the_hub_of_the_sample_is_wired_as_the_hub() -> None:
    shown, wired = devices_of(everything()).hub, devices_of(settings(PINS, HUB)).hub
    assert shown is not None
    assert wired is not None
    assert (shown.sck, shown.mosi, shown.miso) == (wired.sck, wired.mosi, wired.miso)
    assert (shown.reset, shown.buttons, shown.lights) == (wired.reset, wired.buttons, wired.lights)
    pins = {reader.name: reader.select for reader in wired.readers}
    assert {reader.name: reader.select for reader in shown.readers}.items() <= pins.items()


def test_the_hub_of_the_firmware_is_wired_as_the_hub() -> None:
    rows = {wire.at: int(wire.pin.removeprefix("GP")) for wire in HUB.rows if wire.at != "GND"}
    source = (firmware_folder() / "wiring.py").read_text(encoding="utf-8")
    (bus,) = re.findall(r"^BUS = (.+)$", source, re.MULTILINE)
    assert ast.literal_eval(bus) == (rows["SCK"], rows["MOSI"], rows["MISO"], rows["RST"])
    default = HubSettings()
    assert (default.sck, default.mosi, default.miso) == (rows["SCK"], rows["MOSI"], rows["MISO"])


@every_set
def test_the_configuration_that_is_shown_uses_the_pins_that_are_wired(wired: Set) -> None:
    devices = devices_of(settings(PINS, wired))
    uses = hub_pins(devices.hub) if devices.hub else pi_pins(devices)
    assert {use.pin for use in uses} == numbers(wired)


def test_the_hub_has_as_many_readers_as_it_can_have() -> None:
    hub = devices_of(settings(PINS, HUB)).hub
    assert hub is not None
    assert len(hub.readers) == 8


# -- pictures and documents ------------------------------------------------------------------------


def test_the_document_is_up_to_date() -> None:
    written = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
    assert written == document(PINS), "make wiring"


@every_set
def test_pictures_are_up_to_date(wired: Set) -> None:
    header = (PICTURES / f"{wired.name}-header.svg").read_text(encoding="utf-8")
    assert header == header_picture(PINS, wired), "make wiring"
    for kind in ("png", "svg"):
        assert source_of(PICTURES / f"{wired.name}.{kind}") == mark(harness(PINS, wired)), kind


def test_another_wiring_is_another_picture(tmp_path: Path) -> None:
    text = (HARDWARE / "pins.toml").read_text(encoding="utf-8")
    changed = tmp_path / "pins.toml"
    changed.write_text(text.replace("GPIO25", "GPIO4").replace("contact = 22", "contact = 7"))
    other = read_pins(changed)
    assert mark(harness(other, other.called("smallest"))) != mark(harness(PINS, SMALLEST))
    assert document(other) != document(PINS)


def test_the_table_in_the_documents_is_the_smallest_set() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    table = text.partition("## Wiring of the sample")[2].partition("\n## ")[0]
    rows, name = set(), ""
    for line in table.splitlines():
        device, at, pin, contact = ([part.strip() for part in line.split("|")] + [""] * 5)[1:5]
        name = device.partition(" (")[0] or name
        if contact[:1].isdigit():
            rows.add((name, at, pin, contact.partition(",")[0]))
    assert rows == {
        (
            device.name,
            wire.at,
            re.sub(r"\D", "", wire.pin) if "GPIO" in wire.pin else "",
            str(wire.contact),
        )
        for device in SMALLEST.devices
        for wire in device.wires
    }
