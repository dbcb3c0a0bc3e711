"""What of a table is in sight: the question or its cover, what to move, who says what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import SEEN, Refusal
from companion.rules.session import Session
from companion.rules.wording import Wording
from companion.screens.handset.outcomes import NOTHING, Outcome
from companion.screens.handset.question import Question
from companion.screens.handset.stack import PageStack, Passing, Reading
from companion.screens.oled import Chapter
from companion.screens.panels import Panels
from companion.screens.showing import RULES, Shown, Watch, show

REMINDS = 5.0
"""Seconds after an act in which the bar says how to undo it."""
SPEAKS = 10.0
"""Seconds in which a seat's tag says who does the next thing."""
UNCOVERED = 30.0
"""Seconds after which a private question is covered again."""

UNDO_HINT = Phrase(N_("hold ◀: undo"))
GO_ON = Phrase(N_("● go on"))
SHOWN = Phrase(N_("Shown to you"))


class Sight(PageStack):
    """A session on a display. `look` after everything that may have changed it."""

    def __init__(
        self, session: Session[Any], wording: Wording, panels: Panels, home: Question
    ) -> None:
        super().__init__(panels, home)
        self.session = session
        self.wording = wording
        self.question = home
        self.watch = Watch(session, wording)
        self.refusal: Refusal | None = None
        """Why the last act was refused, until something is done."""
        self._speaker = ""
        self._eyes: str | None = None
        """Whose private question is uncovered."""
        self._ends: dict[str, float] = {}
        """When that is over which is there for a while only."""
        self._asked = session.question_id()
        self._shown: Shown | None = None

    @property
    def shown(self) -> Shown:
        """The model of what is to be shown now."""
        if self._shown is None:
            watch = self.watch if self._eyes is None else None
            self._shown = show(self.session, self.wording, self._eyes, watch)
        return self._shown

    @property
    def names(self) -> Mapping[str, str]:
        """The players' names by seat."""
        return {seat.seat: seat.name for seat in self.shown.seats}

    @property
    def active(self) -> str:
        return next((seat.seat for seat in self.shown.seats if seat.active), "")

    @property
    def asked(self) -> str:
        return self.shown.seat if self.shown.seat in self.names else ""

    @property
    def may_be_skipped(self) -> bool:
        """Whether the open question may be passed over without a word."""
        seat = self.shown.seat
        return self.shown.kind == RULES and any(
            prompt.skippable for prompt in self.session.prompts if prompt.seat == seat
        )

    def look(self) -> bool:
        """Take note of what was done, here or elsewhere; whether something was."""
        moves, asked = self.watch.moves, self._asked
        changed = self.watch.look()
        self._asked = self.session.question_id()
        if not changed and self._asked == asked:
            return False
        moved = self.watch.moves is not moves and bool(self.watch.moves)
        self._shown = None
        self.redraw()
        if self._asked == asked and not moved:  # something beside the question
            self.question.keep()
            return True
        self.turn_to_question()
        if moved and self.shown.to_move:
            self.open(Passing(lambda panels: [panels.to_move(self.shown)], UNDO_HINT))
        return True

    def turn_to_question(self) -> None:
        """The question as if it were new: nothing over it, its first choice selected."""
        self.refusal = None
        self.cover()
        self.clear()
        self.question.begin()

    # -- private questions ---------------------------------------------------------------------

    def uncover(self, seat: str) -> Outcome:
        """Show a private question to the seat that it is for."""
        self._eyes, self._shown = seat, None
        self.start("uncovered", UNCOVERED)
        self.renew()
        self.question.begin()
        if self.shown.shows:
            self.open(Reading(self._shows, GO_ON, press=lambda _: self._go_on()))
        return NOTHING

    def _shows(self, panels: Panels) -> list[Chapter]:
        """The cards that an uncovered question shows; none as soon as it is covered."""
        asked = (self.shown.question,) if self._only_shows else ()
        return [panels.items(SHOWN, (*asked, *self.shown.shows), ())]

    @property
    def _only_shows(self) -> bool:
        """Whether nothing is asked but to look."""
        return [option.choice for option in self.shown.options] == [SEEN]

    def _go_on(self) -> Outcome | None:
        """Who goes on has seen it; where something else is asked, the question comes."""
        return self.question.press() if self._only_shows else None

    def cover(self) -> Outcome:
        """What is in sight is everybody's again."""
        self._eyes = self._shown = None
        self._ends.pop("uncovered", None)
        self.redraw()
        return NOTHING

    # -- what is there for a while -------------------------------------------------------------

    @property
    def reminds(self) -> bool:
        """Whether the last act is so recent that the bar says how to undo it."""
        return self._runs("reminds")

    @property
    def speaker(self) -> str:
        """The seat that has said to do the next thing, "" for nobody."""
        return self._speaker if self._runs("speaks") else ""

    def speaks(self, seat: str) -> None:
        """A seat says that it does the next thing."""
        self._speaker = seat
        self.start("speaks", SPEAKS)
        self.clear()

    def start(self, what: str, seconds: float) -> None:
        """Something is there from now on, for so long."""
        self._ends[what] = self.now + seconds

    def stop(self, what: str) -> None:
        """It is there no more."""
        self._ends.pop(what, None)

    def _runs(self, what: str) -> bool:
        return self.now < self._ends.get(what, self.now)

    def tick(self, now: float) -> bool:
        self.wind(now)
        over = [what for what, end in self._ends.items() if end <= now]
        for what in over:
            del self._ends[what]
            self.redraw()
        if "uncovered" in over:
            self.cover()
            self.clear()
        return super().tick(now)

    @property
    def due(self) -> float | None:
        page = super().due
        return min([*self._ends.values(), *([] if page is None else [page])], default=None)
