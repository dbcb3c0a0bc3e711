"""The board on the display: to be compared with the real one, and to choose where a piece goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.phrases import Phrase
from companion.screens.boards import Group, choosing_sheet, looking_sheet, single
from companion.screens.handset.outcomes import Outcome
from companion.screens.handset.stack import BACK_HINT, Page, far
from companion.screens.oled import Sheet
from companion.screens.panels import Panels

if TYPE_CHECKING:
    from companion.screens.handset.machine import Handset


class Destinations(Page):
    """Where to, once it is chosen where from. ◀ leads back to where from."""

    def __init__(self, handset: Handset, group: Group) -> None:
        self.handset = handset
        self.groups = [single(option) for option in group.options]
        self.selected = 0

    def sheet(self, panels: Panels) -> Sheet:
        shown = self.handset.shown
        return choosing_sheet(panels, shown, self.groups, self.selected, shown.asked)

    def turn(self, step: int) -> bool:
        self.selected = (self.selected + step) % len(self.groups)
        return True

    def stride(self, step: int) -> bool:
        self.selected = far(self.selected, len(self.groups), step)
        return True

    def press(self) -> Outcome:
        return self.handset.choose(self.groups[self.selected].options[0].choice)


class BoardPage(Page):
    """The board by itself; any button leads away from it."""

    def __init__(
        self, handset: Handset, hint: Phrase = BACK_HINT, lasts: float | None = None
    ) -> None:
        self.handset = handset
        self.hint = hint
        self.lasts = lasts

    def sheet(self, panels: Panels) -> Sheet:
        return looking_sheet(panels, self.handset.shown, self.hint)

    def turn(self, step: int) -> bool:
        return False
