"""hardware/wiring.md: every set with its pictures, its table, and its part of the configuration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill

from scripts.wires import Board, Device, End, Pins, Set

BEGINNING = """# Wiring

Made by `make wiring` from [pins.toml](pins.toml); change it there. What to buy, what to look
out for: [README.md](README.md). Step by step: [the installation guide](../docs/install.md).

**Switch the Pi off and unplug it before you touch a wire.** Count contacts twice: most faults are a
wire one contact beside its place. The colours are only how the pictures tell wires apart.
"""

TAKEN = """
Contacts marked with * have a wire of the smallest set already. Join the two on a breadboard or with
a splice connector, and bring one wire to the Pi.
"""

ROWS = """
Wires that go to one contact of the Pico are joined in a row of a breadboard, from which one wire
goes to the contact. Leave out what you do not have.
"""


def document(pins: Pins) -> str:
    """The whole document."""
    return BEGINNING + "".join("\n" + "\n".join(_chapter(pins, one)) + "\n" for one in pins.sets)


def _chapter(pins: Pins, wired: Set) -> Iterator[str]:
    board = pins.board[wired.board]
    yield f"## {wired.title}"
    yield ""
    yield f"![{wired.title}](pictures/{wired.name}.png)"
    yield ""
    yield f"[The same, to enlarge or to print](pictures/{wired.name}.svg)"
    yield ""
    yield f"![The contacts of the {board.title}](pictures/{wired.name}-header.svg)"
    yield ""
    yield from _table(pins, wired)
    if any(wire.contact in pins.taken(wired) for wire in wired.wires()):
        yield TAKEN.rstrip()
    if wired.rows:
        yield ROWS.rstrip()
    yield ""
    for box in {box.kind.title: box for box in pins.boxes(wired)}.values():
        note = f"- {box.kind.title[0].upper()}{box.kind.title[1:]}. {box.kind.note}"
        yield fill(note, 100, subsequent_indent="  ")
    yield ""
    yield "In `/etc/companion.toml`:"
    yield ""
    yield "```toml"
    yield settings(pins, wired)
    yield "```"


# -- the table -------------------------------------------------------------------------------------


def _table(pins: Pins, wired: Set) -> Iterator[str]:
    board, taken = pins.board[wired.board], pins.taken(wired)
    yield f"| device | its contact | colour | pin | contact of the {board.title.split()[-1]} |"
    yield "|---|---|---|---|---|"
    for box in pins.boxes(wired):
        name = box.title
        for end in box.ends:
            yield f"| {name} | {end.at} | {end.colour} | {_place(board, end, taken)} |"
            name = ""


def _place(board: Board, end: End, taken: set[int]) -> str:
    if end.wire is None:
        return f"{' '.join(end.giver)} |"
    star = "*" if end.wire.contact in taken else ""
    return f"{board.label(end.wire.contact)} | {end.wire.contact}{star}"


# -- the configuration -----------------------------------------------------------------------------


def settings(pins: Pins, wired: Set) -> str:
    """The part of the configuration file that says what is wired."""
    sections = _hub(wired) if wired.board == "pico" else _pi(pins, wired)
    return "\n\n".join(section for section in sections if section)


def _hub(wired: Set) -> Iterator[str]:
    """The sections of a hub."""
    (reset,) = (_number(row.pin) for row in wired.rows if row.at == "RST")
    yield f"[hub]\nreset = {reset}"
    for reader in wired.of("RC522"):
        yield f'[[hub.reader]]\nname = "{reader.label}"\nselect = {_pins(reader)["SDA"]}'
    yield _section("hub.buttons", wired.of("button"))
    yield _section("hub.lights", wired.of("light"))


def _pi(pins: Pins, wired: Set) -> Iterator[str]:
    """The sections of what is at the Pi itself."""
    for reader in wired.of("RC522"):
        wire = {wire.at: wire for wire in reader.wires}
        select = pins.board["pi"].signals[wire["SDA"].pin].removeprefix("SPI0 CE")
        reset = _number(wire["RST"].pin)
        yield f'[[reader]]\nname = "{reader.label}"\ndevice = {select}\nreset = {reset}'
    yield _section("buttons", wired.of("button"))
    if wired.of("OLED"):
        yield '[display]\ndriver = "ssd1306"'
    yield _section("lights.seats", wired.of("light"))
    yield _section("sound", wired.of("buzzer"))


def _section(header: str, devices: Sequence[Device]) -> str:
    """A section with one line for each device, "" for none."""
    lines = [f"[{header}]"]
    for device in devices:
        numbers = list(_pins(device).values())
        lines.append(f"{device.label} = {numbers[0] if len(numbers) == 1 else numbers}")
    return "\n".join(lines) if devices else ""


def _pins(device: Device) -> dict[str, int]:
    """The numbers of a device's pins by its contacts, without power and ground."""
    return {wire.at: _number(wire.pin) for wire in device.wires if wire.pin.startswith("GP")}


def _number(pin: str) -> int:
    return int(pin.removeprefix("GPIO").removeprefix("GP"))
