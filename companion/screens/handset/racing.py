"""A race by buttons: for a few seconds ▲ and ▼ call what the earliest wins, such as UNO."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.rules.phrases import N_, Phrase
from companion.screens.handset.outcomes import NOTHING, Outcome
from companion.screens.handset.sight import GO_ON
from companion.screens.handset.stack import DOWN, UP, Item, Reading

if TYPE_CHECKING:
    from companion.screens.handset.machine import Handset

LASTS = 5.0
"""Seconds that the page of a race is in sight. The menu has its calls for as long as it is open."""
BUTTONS = {UP: 0, DOWN: 1}
"""Which of the calls a button makes."""
SIGNS = ("▲", "▼")
TITLE = Phrase(N_("Who is first?"))


class Race(Reading):
    """The calls of a race that is open; ● and ◀ lead on to the question."""

    def __init__(self, handset: Handset) -> None:
        self.calls = handset.races
        calls = [
            Phrase("{sign} {call}", {"sign": sign, "call": handset.wording.label(key)})
            for sign, key in zip(SIGNS, self.calls, strict=False)
        ]
        super().__init__(lambda panels: [panels.text(TITLE, calls)], GO_ON, lasts=LASTS)

    def called_by(self, button: str) -> str:
        """What a button calls, "" for nothing."""
        number = BUTTONS.get(button, len(self.calls))
        return self.calls[number] if number < len(self.calls) else ""


def call(handset: Handset, key: str) -> Outcome:
    """Say the word, for whoever it was where that is known."""
    if not key:
        return NOTHING
    session, by, via = handset.session, handset.by, handset.via
    return handset.act(lambda _: session.answer(key, by, via=via))


def calls(handset: Handset) -> list[Item]:
    """A line for each call of a race that is open."""
    return [Item(handset.wording.label(key), partial(call, handset, key)) for key in handset.races]
