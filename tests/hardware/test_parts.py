"""The bill of materials has what the wiring and the case need, and adds up."""

from __future__ import annotations

import re

import pytest

from scripts.case import DRAWING, FOLDER
from scripts.parts import document, read_bill
from scripts.wires import HARDWARE, Set, read_pins
from tests.hardware.solids import read_drawing, read_stl

BILL = read_bill()
PINS = read_pins()

CALLED = {
    "card reader RC522": "RC522",
    "OLED": "OLED",
    "push button": "button",
    "RGB light": "light",
    "passive buzzer": "buzzer",
    "regulator": "regulator",
}
"""How things are called in the bill, and which kind of device each of them is."""

GRAMS = 1.24e-3
"""Of a cubic millimetre of PLA; PETG is a little heavier, and no print is solid all through."""


def number(name: str, start: str) -> int:
    """How many things whose name begins so a set needs."""
    return sum(item.number for item in BILL.of(name) if item.name.startswith(start))


def test_the_document_is_up_to_date() -> None:
    written = (HARDWARE / "parts.md").read_text(encoding="utf-8")
    assert written == document(BILL), "make wiring"


@pytest.mark.parametrize("wired", PINS.sets, ids=lambda wired: wired.name)
def test_there_is_one_for_each_device(wired: Set) -> None:
    for start, kind in CALLED.items():
        assert number(wired.name, start) == len(wired.of(kind)), start
    assert number(wired.name, "resistor") == 3 * len(wired.of("light"))


def test_every_device_is_in_the_bill() -> None:
    kinds = {device.kind for one in PINS.sets for device in one.devices}
    assert kinds == set(CALLED.values())


def wires(wired: Set) -> int:
    """How many wires a set needs: one for each contact that does not stay free, and each row."""
    kinds = [PINS.kind[device.kind] for device in wired.devices]
    return len(wired.rows) + sum(
        bool(colour) for kind in kinds for colour in kind.contacts.values()
    )


def bought(wired: Set) -> int:
    found = [
        (item.number, re.search(r"(\d+) jumper wires", item.name)) for item in BILL.of(wired.name)
    ]
    return sum(times * int(match[1]) for times, match in found if match)


def test_there_are_wires_enough() -> None:
    smallest, more, hub = PINS.sets
    assert wires(smallest) == 19 <= bought(smallest)
    assert wires(hub) <= bought(hub)
    joined = [wire for wire in more.wires() if wire.contact in PINS.taken(more)]
    assert len(joined) <= bought(more)
    assert wires(more) - len(joined) <= bought(smallest) - wires(smallest)


def test_the_screws_are_those_of_the_case() -> None:
    values = read_drawing(DRAWING, "zero")
    clip, reader = 2, 4
    assert number("case", "screw M3") == len(values["posts"])
    assert number("case", "screw M2.5") == len(values["board_holes"]) + reader + clip


@pytest.mark.parametrize("end", ["", "-b"])
def test_the_filament_is_enough_for_the_case(end: str) -> None:
    parts = (f"base{end}", f"lid{end}", "clip")
    grams = GRAMS * sum(read_stl(FOLDER / f"{part}.stl")[1].volume for part in parts)
    (filament,) = [item for item in BILL.of("case") if item.name.startswith("filament")]
    assert grams < int(re.sub(r"\D", "", filament.name)) < 2 * grams


def test_prices_are_ranges_in_each_currency() -> None:
    for item in BILL.items:
        assert len(item.prices) == len(BILL.currencies)
        assert all(0 < low < high for low, high in item.prices), item.name
        assert item.number > 0


def test_the_tables_add_up() -> None:
    """The sums that are printed are those of the prices that are printed."""
    chapters = document(BILL).split("\n## ")[1:]
    assert len(chapters) == len(PINS.sets) + 1
    for chapter in chapters:
        rows = [line.strip("| ").split(" | ") for line in chapter.splitlines() if "–" in line]
        *items, total = rows
        for column in range(2, 5):
            for end in (0, 1):
                added = sum(int(row[0]) * amount(row[column], end) for row in items)
                assert amount(total[column - 1], end) == pytest.approx(added, abs=0.5)


def amount(cell: str, end: int) -> float:
    return float(cell.strip("*").split("–")[end].replace(",", ""))
