"""The pages before and after everything: what keeps it from beginning, devices, the end."""

from __future__ import annotations

from companion.rules.phrases import N_, Phrase
from companion.screens.handset.outcomes import NOTHING, Meaning, Outcome
from companion.screens.handset.stack import Page, PageStack, Reading
from companion.screens.oled import Chapter, Fonts, Sheet
from companion.screens.panels import Panels
from companion.words import Words

BOOT = 3.0
"""Seconds for which the list of devices stands."""
TROUBLE = 6.0
"""Seconds for which each page of a trouble stands."""


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


class Why(Reading):
    """Why it does not begin. Turns over by itself, round and round; ● asks to try at once."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.chapters, trouble.hint, lasts=TROUBLE, press=trouble.press)

    def turn(self, step: int) -> bool:
        self.page = (self.page + step) % len(self._pages)
        return True

    def expire(self) -> bool:
        return self.turn(1)


class Trouble(PageStack):
    """What keeps the companion from beginning, and what to do about it; it is tried again.

    `buttons`: whether there are any. `again` is set by whoever pushes one or taps.
    """

    def __init__(self, words: Words, fonts: Fonts, what: Phrase, *, buttons: bool) -> None:
        self.what = what
        self.hint = Phrase(N_("● try again") if buttons else N_("tries again by itself"))
        self.again = False
        super().__init__(Panels(words, fonts), Why(self))

    def chapters(self, panels: Panels) -> list[Chapter]:
        """The whole message."""
        return [panels.text(Phrase(N_("Cannot start")), [self.what])]

    def press(self, _chapter: int) -> Outcome:
        """● was pressed."""
        self.again = True
        return NOTHING

    def tap(self, meaning: Meaning, now: float, seat: str | None = None) -> Outcome:
        """A tag is tapped: as good as a button."""
        self.again = True
        return NOTHING
