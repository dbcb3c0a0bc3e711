"""A picture of two colours as text: braille for narrow terminals, half blocks for wide ones."""

from __future__ import annotations

from typing import Protocol

from companion.rules.errors import CompanionError

WIDE = 130
"""Columns from which half blocks fit: 128 pixels and a frame."""
HIGH = 60
"""Rows from which they leave room for the rest."""
NARROW = 66
"""Columns that the small picture needs."""

_BRAILLE = 0x2800
_DOTS = ((0, 0, 0x01), (0, 1, 0x02), (0, 2, 0x04), (1, 0, 0x08), (1, 1, 0x10), (1, 2, 0x20),
         (0, 3, 0x40), (1, 3, 0x80))  # fmt: skip
"""Column and row of each dot of a braille character with its bit."""
_HALVES = " ▀▄█"


class NoFont(CompanionError):
    """The picture cannot be made in a language for want of a font."""


class Picture(Protocol):
    """What is needed of an image: its size, and pixels that are 0 where dark."""

    @property
    def size(self) -> tuple[int, int]: ...

    def getpixel(self, xy: tuple[int, int], /) -> object: ...


def wanted(asked: bool | None, *, to_a_person: bool) -> bool:
    """Whether to show pictures: as asked, else only where a person looks and not into a pipe."""
    return to_a_person if asked is None else asked


def as_text(picture: Picture, columns: int = 80, rows: int = 0) -> list[str]:
    """The picture in a thin frame, as large as the terminal allows; none where it is too narrow.

    `rows` 0: not known.
    """
    if columns < NARROW:
        return []
    large = columns >= WIDE and (not rows or rows >= HIGH)
    return framed(half_blocks(picture) if large else braille(picture))


def braille(picture: Picture) -> list[str]:
    """Two by four pixels a character: 128×64 becomes 64×16."""
    width, height = picture.size
    return [
        "".join(chr(_BRAILLE + _dots(picture, x, y)) for x in range(0, width, 2))
        for y in range(0, height, 4)
    ]


def half_blocks(picture: Picture) -> list[str]:
    """One by two pixels a character: 128×64 becomes 128×32."""
    width, height = picture.size
    return [
        "".join(_HALVES[_lit(picture, x, y) + 2 * _lit(picture, x, y + 1)] for x in range(width))
        for y in range(0, height, 2)
    ]


def framed(lines: list[str]) -> list[str]:
    """Lines of the same length in a frame."""
    edge = "─" * (len(lines[0]) if lines else 0)
    return [f"┌{edge}┐", *(f"│{line}│" for line in lines), f"└{edge}┘"]


def _dots(picture: Picture, x: int, y: int) -> int:
    return sum(bit for dx, dy, bit in _DOTS if _lit(picture, x + dx, y + dy))


def _lit(picture: Picture, x: int, y: int) -> bool:
    width, height = picture.size
    return x < width and y < height and bool(picture.getpixel((x, y)))
