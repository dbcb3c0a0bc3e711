"""What has to be sent to an OLED so that it shows a new picture.

Both chips keep their picture in eight pages of 128 bytes: a byte is eight pixels of a column, its
lowest bit the uppermost pixel (SSD1306 data sheet 8.7, SH1106 data sheet "Display Data RAM").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // 8


class Span(NamedTuple):
    """Bytes of one page, from a column on."""

    page: int
    column: int
    data: bytes


def packed(image: Image) -> bytes:
    """A picture of 128x64 in mode "1" as the 1024 bytes of the chip, page by page."""
    from PIL.Image import Transpose

    # Turned clockwise, a row of the picture is a column of the chip, from the bottom to the top.
    columns = image.transpose(Transpose.ROTATE_270).tobytes()
    return b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def changed_spans(old: bytes | None, new: bytes, addressing: int) -> list[Span]:
    """The spans in which two packed pictures differ; all there is if the old one is unknown.

    `addressing` is what it costs to begin a span, in bytes: a shorter gap is sent along.
    """
    if old is None:
        return [Span(p, 0, new[p * WIDTH : (p + 1) * WIDTH]) for p in range(PAGES)]
    spans = []
    for page in range(PAGES):
        at = page * WIDTH
        before, now = old[at : at + WIDTH], new[at : at + WIDTH]
        if before != now:
            runs = _runs(before, now, addressing)
            spans += [Span(page, first, now[first:end]) for first, end in runs]
    return spans


def _runs(old: bytes, new: bytes, addressing: int) -> Iterator[tuple[int, int]]:
    """First column of each stretch that differs, and the one after its end; near ones as one."""
    differs = (int.from_bytes(old, "big") ^ int.from_bytes(new, "big")).to_bytes(WIDTH, "big")
    for run in re.finditer(rb"[^\0](?:\0{0,%d}[^\0])*" % addressing, differs):
        yield run.span()
