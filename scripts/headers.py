"""Pictures of a board's header: which contact has which wire, as it lies before one's eyes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from scripts.wires import Board, Pins, Set

STEP = 24
"""Pixels from one contact to the next."""
MARGIN = 64
"""Pixels above and below the contacts."""
LABELS = 300
"""Pixels for the text at each side."""

INKS = {
    "black": "#111111", "blue": "#2a6fdb", "green": "#2fa84f", "grey": "#8a8f98",
    "orange": "#f28c28", "pink": "#f29ac0", "red": "#d7263d", "violet": "#7b3fb5",
    "white": "#ffffff", "yellow": "#f6d32d", "": "#e4e6ea",
}  # fmt: skip
DARK = ("black", "blue", "green", "red", "violet")
"""Colours on which numbers are white."""


class Spot(NamedTuple):
    """A contact on the picture: its place, and on which side its text stands."""

    contact: int
    x: int
    y: int
    left: bool


class Use(NamedTuple):
    """What is wired to a contact, and the colour of the wire."""

    colour: str
    text: str


def header_picture(pins: Pins, wired: Set) -> str:
    """The header of a set's board with its wires, as SVG."""
    board = pins.board[wired.board]
    uses = _uses(pins, wired)
    spots = list(_beside(board) if wired.board == "pi" else _around(board))
    width = max(spot.x for spot in spots) + LABELS
    height = max(spot.y for spot in spots) + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(wired.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_outline(wired.board, spots),
    ]
    for spot in spots:
        parts += _contact(spot, board, uses.get(spot.contact))
    return "\n".join([*parts, "</svg>", ""])


def _uses(pins: Pins, wired: Set) -> Mapping[int, Use]:
    """What each contact is for: a device's wire, or a row that several share."""
    uses: dict[int, Use] = {}
    for box in pins.boxes(wired):
        for end in box.ends:
            if end.wire is not None:
                shared = end.wire in wired.rows
                text = f"row {end.wire.at} of all" if shared else f"{box.title}: {end.at}"
                uses[end.wire.contact] = Use(end.colour, text)
    return uses


def _beside(board: Board) -> Iterator[Spot]:
    """Two rows side by side: 1 beside 2, 3 beside 4 and so on."""
    for contact in range(1, len(board.contacts) + 1):
        row, right = divmod(contact - 1, 2)
        yield Spot(contact, LABELS + right * STEP, MARGIN + row * STEP, not right)


def _around(board: Board) -> Iterator[Spot]:
    """Down the left side and up the right one."""
    half = len(board.contacts) // 2
    for contact in range(1, half + 1):
        yield Spot(contact, LABELS, MARGIN + (contact - 1) * STEP, True)
    for contact in range(half + 1, 2 * half + 1):
        yield Spot(contact, LABELS + 6 * STEP, MARGIN + (2 * half - contact) * STEP, False)


def _outline(board: str, spots: Sequence[Spot]) -> Iterator[str]:
    """The board around the contacts, with what one holds it by."""
    left, right = min(spot.x for spot in spots), max(spot.x for spot in spots)
    bottom = max(spot.y for spot in spots)
    middle = (left + right) // 2
    yield (
        f'<rect x="{left - 16}" y="{MARGIN - 16}" width="{right - left + 32}" '
        f'height="{bottom - MARGIN + 32}" rx="6" fill="#f6f7f9" stroke="#8a8f98"/>'
    )
    end = "the end with the SD card" if board == "pi" else "the end with the USB socket"
    yield _text(middle, MARGIN - 36, f"▲ {end} is up here", "middle")
    if board == "pi":
        yield _text(right + 20, bottom + 36, "the board's edge is on this side", "start")


def _contact(spot: Spot, board: Board, use: Use | None) -> Iterator[str]:
    colour = use.colour if use else ""
    ink = "#ffffff" if colour in DARK else "#333333"
    shape = f'fill="{INKS[colour]}" stroke="#555555"'
    if spot.contact == 1:
        yield f'<rect x="{spot.x - 10}" y="{spot.y - 10}" width="20" height="20" {shape}/>'
    else:
        yield f'<circle cx="{spot.x}" cy="{spot.y}" r="10" {shape}/>'
    yield _text(spot.x, spot.y + 4, str(spot.contact), "middle", ink, 11)
    anchor, x = ("end", spot.x - 24) if spot.left else ("start", spot.x + 24)
    pin = board.pin(spot.contact)
    text, ink = (f"{pin}  ·  {use.text}", "#111111") if use else (pin, "#9aa0a8")
    yield _text(x, spot.y + 4, text, anchor, ink)


def _text(x: int, y: int, text: str, anchor: str, ink: str = "#111111", size: int = 13) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{ink}" '
        f'font-size="{size}">{escape(text)}</text>'
    )
