"""The pages before and after everything: which devices have answered, and "safe to unplug"."""

from __future__ import annotations

from companion.screens.handset.outcomes import NOTHING, Meaning, Outcome
from companion.screens.handset.stack import Page, PageStack
from companion.screens.oled import Fonts, Sheet
from companion.screens.panels import Panels
from companion.words import Words

BOOT = 3.0
"""Seconds for which the list of devices stands."""


class Answered(Page):
    """Which devices have answered; over by itself, by ● or by a tap."""

    lasts = BOOT

    def __init__(self, boot: Boot) -> None:
        self.boot = boot
        self.page = 0

    def sheet(self, panels: Panels) -> Sheet:
        return panels.started(self.boot.devices, self.page)

    def turn(self, step: int) -> bool:
        self.page = max(0, self.page + step)
        return True

    def press(self) -> Outcome:
        self.boot.over = True
        return NOTHING

    def expire(self) -> bool:
        self.boot.over = True
        return True


class Boot(PageStack):
    """The first thing that people see."""

    def __init__(self, words: Words, fonts: Fonts) -> None:
        self.over = False
        super().__init__(Panels(words, fonts), Answered(self))

    def tap(self, meaning: Meaning, now: float, seat: str | None = None) -> Outcome:
        """A tag is tapped: whoever does it wants to go on."""
        self.over = True
        return NOTHING


class Stopped(Page):
    """It may be unplugged."""

    def sheet(self, panels: Panels) -> Sheet:
        return panels.stopped()

    def turn(self, step: int) -> bool:
        return True


class Farewell(PageStack):
    """The last thing that people see; the display keeps it."""

    def __init__(self, words: Words, fonts: Fonts) -> None:
        super().__init__(Panels(words, fonts), Stopped())

    def tap(self, meaning: Meaning, now: float, seat: str | None = None) -> Outcome:
        """Nothing listens any more."""
        return NOTHING
