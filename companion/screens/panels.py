"""Further pages for the small display: lists to choose from, devices, an address, the stop.

They take phrases and plain data and know neither games nor devices.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import msgspec

from companion.rules.phrases import N_, Phrase
from companion.rules.wording import Label
from companion.screens.oled import (
    HEIGHT,
    MARGIN,
    WIDTH,
    Chapter,
    Pages,
    Sheet,
    shorten,
    wrap,
)

CHOOSE = Phrase(N_("▲▼ choose  ● OK"))


class DeviceLine(msgspec.Struct, frozen=True):
    """One device in the list of devices: whether it can be played with, and how it is in words."""

    usable: bool
    text: Phrase


class Entry(msgspec.Struct, frozen=True):
    """One line of a list: what it is, the value it has, and the group it belongs to."""

    label: Label
    value: Label | str = ""
    group: Label | str = ""


class Panels(Pages):
    """All pages of a handset, in one language."""

    def choosing(
        self,
        title: Label,
        entries: Sequence[Entry],
        selected: int,
        question: Label | None = None,
        names: Sequence[str] = (),
        hint: Phrase = CHOOSE,
    ) -> Sheet:
        """A list with the selected line in sight; its group stands in the bar."""
        sheet = Sheet(self.fonts)
        font = self.fonts.small
        entry = entries[selected]
        sheet.bar(self.words.say(title), [self.words.say(entry.group)])
        sheet.hints(self.words.say(hint), f"{selected + 1}/{len(entries)}")
        asked = [] if question is None else wrap(self.words.say(question), font)
        self._above_options(sheet, asked, 2)
        options = [(one.label, self.words.say(one.value)) for one in entries]
        self._options(sheet, options, selected, names)
        return sheet

    def devices(self, lines: Sequence[DeviceLine], title: Phrase) -> Chapter:
        """Which devices do not answer and why, then those that do."""
        font = self.fonts.small
        room = WIDTH - 2 * MARGIN - font.width("✓ ")
        blocks = [
            [
                f"{(' ' if number else '✓' if one.usable else '×')} {line}"
                for number, line in enumerate(wrap(self.words.say(one.text), font, room))
            ]
            for one in sorted(lines, key=lambda line: line.usable)
        ]
        return Chapter(title, tuple(blocks) or ([self.words.say(Phrase(N_("none")))],))

    def started(self, lines: Sequence[DeviceLine], page: int = 0) -> Sheet:
        """The page at start: which devices answered."""
        return self.book([self.devices(lines, Phrase(N_("Starting")))], page, Phrase(N_("● go on")))

    def stopped(self) -> Sheet:
        """The last page of all."""
        sheet = Sheet(self.fonts)
        large, small = self.fonts.large, self.fonts.small
        title = wrap(self.words.say(Phrase(N_("Stopped."))), large)
        text = wrap(self.words.say(Phrase(N_("Safe to unplug."))), small)
        height = len(title) * sheet.pitch(large) + len(text) * sheet.pitch(small)
        sheet.top = (HEIGHT - height) // 2
        for line in title:
            sheet.line(line, large, middle=True)
        for line in text:
            sheet.line(line, small, middle=True)
        return sheet

    def address(self, text: str) -> Sheet:
        """An address to be photographed at the left, and to be typed at the right.

        The picture has 2 pixels a module where that fits, which addresses up to 53 letters do.
        """
        sheet = Sheet(self.fonts)
        font = self.fonts.small
        sheet.draw.rectangle((0, 0, HEIGHT - 1, HEIGHT - 1), fill=1)
        modules = _modules(text)
        scale = max(1, HEIGHT // len(modules))
        edge = (HEIGHT - scale * len(modules)) // 2
        for y, row in enumerate(modules):
            for x, dark in enumerate(row):
                if dark:
                    at = (edge + x * scale, edge + y * scale)
                    sheet.draw.rectangle((*at, at[0] + scale - 1, at[1] + scale - 1), fill=0)
        x, room = HEIGHT + 3, WIDTH - HEIGHT - 3
        lines = [line for part in _parts(text) for line in wrap(part, font, room)]
        most = HEIGHT // sheet.pitch(font)
        for number, line in enumerate(lines[:most]):
            sheet.write(shorten(line, font, room), x, 2 + number * sheet.pitch(font), font)
        return sheet

    def edges(self) -> Sheet:
        """A frame in the outermost pixels: with the wrong driver, two of its sides are missing."""
        sheet = Sheet(self.fonts)
        font = self.fonts.small
        sheet.draw.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=1)
        asked = self.words.say(Phrase(N_("Do you see all four edges of this frame?")))
        lines = wrap(asked, font, WIDTH - 12)
        sheet.top = (HEIGHT - len(lines) * sheet.pitch(font)) // 2
        for line in lines:
            sheet.line(line, font, middle=True)
        return sheet


@cache
def _modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """The picture of a text: rows of modules, True where dark. As small as it can be."""
    import segno

    code = segno.make(text, micro=False, error="l", boost_error=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


def _parts(address: str) -> list[str]:
    """An address in parts to be read one under the other: host, port, path."""
    without = re.sub(r"^https?://", "", address)
    found = re.fullmatch(r"([^:/]*)(:\d+/?)?(.*)", without)
    return [part for part in (found.groups() if found else (without,)) if part]
