"""The page under all others: what is asked now, the list to put back, or the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens.boards import Group, groups_of
from companion.screens.handset.board import Destinations
from companion.screens.handset.outcomes import Outcome
from companion.screens.handset.stack import Page, far
from companion.screens.oled import Sheet
from companion.screens.panels import Panels
from companion.screens.showing import DONE, OVER, PUT_BACK, RULES

if TYPE_CHECKING:
    from companion.screens.handset.machine import Handset


class Question(Page):
    """What is asked, with one option selected.

    Where a question may be passed over, passing is selected at first, so that one press of ● is
    enough for "nothing"; else the first option. Of moves on a board, the piece is chosen first.
    """

    def __init__(self, handset: Handset) -> None:
        self.handset = handset
        self.selected = 0

    def begin(self) -> None:
        """Another question is open."""
        shown = self.handset.shown
        self.selected = 0
        if shown.passing is not None and self.handset.may_be_skipped:
            groups = enumerate(self.groups)
            self.selected = next(n for n, group in groups if shown.passing in group.options)

    def keep(self) -> None:
        """The same question is open, perhaps with other options: what was selected stays so."""
        self.selected = min(self.selected, max(0, len(self.groups) - 1))

    @property
    def groups(self) -> list[Group]:
        """What can be chosen with one press, in the order of ▼."""
        return groups_of(self.handset.shown)

    def sheet(self, panels: Panels) -> Sheet:
        handset = self.handset
        speaker = handset.names.get(handset.speaker, "")
        return panels.now(handset.shown, self.selected, speaker=speaker, undo=handset.reminds)

    def turn(self, step: int) -> bool:
        shown = self.handset.shown
        if shown.kind == OVER:
            self.handset.show_standings()
        elif shown.kind == PUT_BACK:
            self.selected = min(max(self.selected + step, 0), self._put_back_pages() - 1)
        elif shown.options:
            self.selected = (self.selected + step) % len(self.groups)
        return True

    def stride(self, step: int) -> bool:
        shown = self.handset.shown
        if shown.kind != RULES:
            return self.turn(step)
        self.selected = far(self.selected, len(self.groups), step)
        return True

    def press(self) -> Outcome:
        shown = self.handset.shown
        if shown.kind == OVER:
            return self.handset.chorded()
        if shown.kind == PUT_BACK:
            return self.handset.choose(DONE)
        if not shown.options:
            return self.handset.uncover(shown.seat)
        group = self.groups[self.selected]
        if len(group.options) > 1:
            return self.handset.open(Destinations(self.handset, group))
        return self.handset.choose(group.options[0].choice)

    def _put_back_pages(self) -> int:
        panels = self.handset.panels
        return len(panels.pages_of([panels.to_put_back(self.handset.shown)]))
