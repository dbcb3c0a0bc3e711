"""The installation guide and the page about hardware say what is so."""

from __future__ import annotations

import re

import pytest

from companion.devices.faults import join_group, switch_on
from scripts.case import DRAWING
from scripts.wires import HARDWARE, read_pins
from tests.docs.reading import ROOT
from tests.hardware.solids import read_drawing

GUIDE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
TROUBLE = GUIDE.partition("## Trouble")[2]
PINS = read_pins()


def test_it_says_how_each_bus_that_is_wired_is_switched_on() -> None:
    signals = PINS.board["pi"].signals
    used = {signals[wire.pin].split()[0] for wire in PINS.sets[0].wires() if wire.pin in signals}
    assert used == set(PINS.bus)
    for bus in PINS.bus.values():
        assert switch_on(bus.name) in GUIDE
        assert f"\n{bus.line}\n" in GUIDE
    assert join_group("spi,i2c,gpio,dialout") in GUIDE


def test_the_two_commands_are_those_of_the_service() -> None:
    two = "```sh\nmake deb\nsudo apt install ./dist/tabletop-companion_*_arm64.deb\n```"
    service = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    assert two in GUIDE
    assert two in service


def test_nobody_is_told_to_break_the_python_of_the_system() -> None:
    assert "--break-system-packages" not in GUIDE
    assert not re.search(r"sudo pip|^pip ", GUIDE, re.MULTILINE)


def test_what_the_program_is_said_to_say_it_says() -> None:
    """Quoted messages in the first column are in the program; "…" stands for what changes."""
    program = "\n".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "companion").rglob("*.py")
    )
    quoted = re.findall('"([^"]+)"', "\n".join(re.findall(r"^\| (.*?) \|", TROUBLE, re.MULTILINE)))
    assert len(quoted) > 8
    for message in quoted:
        for piece in re.split(" ?… ?", message):
            assert piece in program, message


def test_contacts_in_the_text_are_those_of_the_wiring() -> None:
    wires = {(d.name, wire.at): wire.contact for d in PINS.sets[0].devices for wire in d.wires}
    board = PINS.board["pi"]
    (power, *fives) = re.findall(r"goes to contact (\d+), never to contact (\d+) or (\d+)", GUIDE)[
        0
    ]
    assert int(power) == wires["reader A", "3.3V"]
    assert [board.pin(int(contact)) for contact in fives] == ["5V", "5V"]
    (reset,) = re.findall(r"RST has to be at contact (\d+)", TROUBLE)
    assert int(reset) == wires["reader A", "RST"]


@pytest.mark.parametrize(("model", "called"), [("zero", "Zero 2 W"), ("b", "Pi 3, 4 or 5")])
def test_the_case_is_as_large_as_is_said(model: str, called: str) -> None:
    drawn = read_drawing(DRAWING, model)
    size = (
        drawn["inner_width"] + 2 * drawn["wall"],
        drawn["inner_depth"] + 2 * drawn["wall"],
        drawn["floor_thickness"] + drawn["inner_height"] + drawn["roof"],
    )
    text = (HARDWARE / "README.md").read_text(encoding="utf-8")
    (said,) = re.findall(rf"for a {called} \| (\d+) × (\d+) × (\d+) \|", text)
    assert [int(length) for length in said] == [round(length) for length in size]
