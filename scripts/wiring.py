"""The pictures of the wiring and hardware/wiring.md, from hardware/pins.toml.

    python -m scripts.wiring

WireViz draws who is wired to whom, by Graphviz (`sudo apt install graphviz`). The pictures of
the headers and the document are written by this project itself. Each drawn picture says inside from
what it was made, so that a test can tell an old one.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from scripts.headers import header_picture
from scripts.wires import HARDWARE, Board, Box, End, Pins, Set, read_pins
from scripts.wiring_document import document

PICTURES = HARDWARE / "pictures"
SOURCE = "Source"
"""Under this key a picture says from what it was made."""
WIDEST = 1600
"""Pixels of a picture in a document."""

CODES = {
    "black": "BK", "blue": "BU", "green": "GN", "grey": "GY", "orange": "OG",
    "pink": "PK", "red": "RD", "violet": "VT", "white": "WH", "yellow": "YE",
}  # fmt: skip
"""Colours as WireViz calls them (IEC 60757)."""


# -- what WireViz draws ----------------------------------------------------------------------------


def harness(pins: Pins, wired: Set) -> dict[str, Any]:
    """A set as WireViz takes it: connectors, cables, and what each wire of a cable connects."""
    board = pins.board[wired.board]
    boxes = list(pins.boxes(wired))
    return {
        "metadata": {"title": wired.title},
        "options": {"color_mode": "full", "fontname": "DejaVu Sans"},
        "connectors": {board.title: _header(board, boxes)}
        | {box.title: _connector(box) for box in boxes},
        "cables": {_cable(box): _bundle(box) for box in boxes},
        "connections": [
            [_other(board, end), {_cable(box): number}, {box.title: end.at}]
            for box in boxes
            for number, end in enumerate(box.ends, start=1)
        ],
    }


def _header(board: Board, boxes: Iterable[Box]) -> dict[str, Any]:
    """The used contacts of the board, in the order of the devices, so that few wires cross."""
    used = dict.fromkeys(end.wire.contact for box in boxes for end in box.ends if end.wire)
    return {
        "type": "pin, contact",
        "pins": list(used),
        "pinlabels": [board.label(contact) for contact in used],
        "show_pincount": False,
    }


def _connector(box: Box) -> dict[str, Any]:
    return {
        "type": box.kind.title,
        "pins": [*(end.at for end in box.ends), *box.kind.gives],
        "notes": box.kind.note,
        "show_pincount": False,
    }


def _other(board: Board, end: End) -> dict[str, Any]:
    if end.wire is not None:
        return {board.title: end.wire.contact}
    device, at = end.giver
    return {device: at}


def _cable(box: Box) -> str:
    return f"wires of {box.title}"


def _bundle(box: Box) -> dict[str, Any]:
    return {
        "category": "bundle",
        "colors": [CODES[end.colour] for end in box.ends],
        "show_name": False,
        "show_wirecount": False,
        "show_wirenumbers": False,
    }


# -- files -----------------------------------------------------------------------------------------


def mark(source: dict[str, Any]) -> str:
    """What tells one source of a picture from another."""
    return hashlib.sha256(json.dumps(source).encode()).hexdigest()


def source_of(picture: Path) -> str:
    """The mark of the source from which a picture was made, "" if it does not say."""
    if picture.suffix == ".svg":
        found = re.search(rf"<!-- {SOURCE}: (\w+) -->", picture.read_text(encoding="utf-8"))
        return found[1] if found else ""
    with Image.open(picture) as image:
        return str(image.info.get(SOURCE, ""))


def draw(pins: Pins, wired: Set) -> None:
    """Write both pictures that WireViz draws of a set. Raises ImportError without WireViz."""
    from wireviz.wireviz import parse

    source = harness(pins, wired)
    png, svg = parse(source, return_types=("png", "svg"))
    comment = f"<!-- {SOURCE}: {mark(harness(pins, wired))} -->\n"
    (PICTURES / f"{wired.name}.svg").write_text(svg.rstrip() + "\n" + comment, encoding="utf-8")
    said = PngInfo()
    said.add_text(SOURCE, mark(harness(pins, wired)))
    with Image.open(BytesIO(png)) as picture:
        picture.thumbnail((WIDEST, WIDEST), Image.Resampling.LANCZOS)
        picture.convert("RGB").quantize(64, Image.Quantize.MAXCOVERAGE).save(
            PICTURES / f"{wired.name}.png", optimize=True, pnginfo=said
        )


def main() -> int:
    """Write everything; gives the exit code."""
    if not shutil.which("dot"):
        print("Graphviz is missing: sudo apt install graphviz", file=sys.stderr)
        return 2
    pins = read_pins()
    PICTURES.mkdir(exist_ok=True)
    (HARDWARE / "wiring.md").write_text(document(pins), encoding="utf-8")
    for wired in pins.sets:
        header = PICTURES / f"{wired.name}-header.svg"
        header.write_text(header_picture(pins, wired), encoding="utf-8")
        draw(pins, wired)
        print(f"hardware/pictures/{wired.name}: header, wires")
    return 0


if __name__ == "__main__":
    sys.exit(main())
