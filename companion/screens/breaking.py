"""Where a text may be broken into lines: between words, and between the letters of Japanese.

And how wide it is in a terminal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

_CJK = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
"""Words of katakana are kept whole: they are names and loan words."""
_PIECES = re.compile(rf"\s+|[{_KATAKANA}]+|[{_CJK}]|[^\s{_CJK}-]*-+|[^\s{_CJK}-]+")
_NEVER_FIRST = frozenset(
    "、。，．・：；！？!?,.:;)]}）」』】〉》ーゝゞ々っッゃャゅュょョぁァぃィぅゥぇェぉォ…~〜%’”"
)
_NEVER_LAST = frozenset("([{（「『【〈《§#“‘")


def break_lines(text: str, fits: Callable[[str], bool], indent: str = "") -> list[str]:
    """A text in lines that fit; those after the first are indented.

    A word that fits on no line is broken anywhere.
    """
    lines: list[str] = []
    line = ""
    for piece in unbroken(text):
        if fits((line + piece).rstrip()):
            line += piece
            continue
        if line.strip():
            lines.append(line.rstrip())
        line = indent + piece.lstrip()
        while not fits(line.rstrip()):
            cut = _most_that_fits(line, fits)
            lines.append(line[:cut])
            line = indent + line[cut:]
    return [*lines, line.rstrip()] if line.strip() else lines or [""]


def unbroken(text: str) -> list[str]:
    """The pieces between which a line may end."""
    pieces: list[str] = []
    for piece in _PIECES.findall(text):
        glued = pieces and (piece[0] in _NEVER_FIRST or pieces[-1][-1] in _NEVER_LAST)
        if glued and not piece.isspace():
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def _most_that_fits(text: str, fits: Callable[[str], bool]) -> int:
    """How many characters of a text fit, one more than its indentation at the least."""
    least = len(text) - len(text.lstrip()) + 1
    return next((n for n in range(len(text), least, -1) if fits(text[:n])), least)


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes; full-width letters take two."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    marks = sum(unicodedata.combining(char) > 0 for char in text)
    return len(text) + wide - marks
