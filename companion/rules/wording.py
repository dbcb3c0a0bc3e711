"""How a game puts itself into words. Screens ask this; they know no game.

Everything comes as phrases: a message and what goes into it. A screen says it in the language of
whoever looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from companion.rules.events import Event
from companion.rules.layouts import Shift
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import Choice, Prompt

Label = Phrase | Named


class Wording(Protocol):
    """The words of one game in progress."""

    def ask(self, prompt: Prompt[Any]) -> Phrase:
        """The question, short enough for two lines of a 128-pixel picture, verb first."""

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        """What a choice is called: a card's name, a player's, "square 5", "pass"."""

    def detail(self, choice: Choice) -> Label | None:
        """What a card says, where it says anything."""

    def tell(self, event: Event) -> Phrase:
        """What happened, in one sentence, names included."""

    def instruct(self, shift: Shift) -> Phrase | None:
        """What to do on the real table; None for what needs no hand."""

    def place(self, shift: Shift) -> Phrase:
        """A thing and where it is, for lists of what to put back: "kart of Ana: square 5"."""

    def fact(self, kind: str, value: int | str) -> Phrase:
        """A marker or count before a seat: "damaged 2", "shield turned"."""

    def phase(self, phase: str) -> Phrase:
        """The phase of the turn."""

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        """What a newcomer should know at this question; None once the guided turns are over."""

    def things(self) -> Mapping[str, Iterable[str]]:
        """The kinds of things and places of the layout by further words for them."""

    def names(self) -> Mapping[Choice, Iterable[str]]:
        """The words that people may type for every card and option, in all languages.

        Also those for what may be done beside the open question, by the keys of these offers.
        """
