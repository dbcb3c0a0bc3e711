"""Questions to the people at the table: who is asked, what may be answered, what not and why.

A prompt is made by an *offer*, a pure function of the state. It holds the candidates and one
predicate; lists of options and refusals come from these only when somebody looks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

import msgspec

from companion.rules.phrases import N_, Phrase
from companion.rules.seals import is_seal, sort_of

Choice = str | int
"""An answer: a card, seat or option by its id, or a number (squares, steps, pips)."""

T = TypeVar("T", bound=Choice)

PASS: Final = "pass"
"""The choice of doing nothing, where a question may be passed over."""
SEEN: Final = "seen"
"""The only choice of a question that shows something to somebody and asks nothing."""


class Forbidden(StrEnum):
    """How strong a refusal is."""

    ELSEWHERE = "elsewhere"
    """No answer to this question, though perhaps to a later one."""
    NOT_ALLOWED = "not allowed"
    """Against the rules; the table may agree to force it."""
    IMPOSSIBLE = "impossible"
    """It cannot be: no such card, no marker to spend. Nobody can force it."""


class Refusal(msgspec.Struct, frozen=True):
    """Why a choice is refused: the rule's section, the ruling if one decided, and the reason."""

    rule: str
    reason: Phrase
    how: Forbidden = Forbidden.NOT_ALLOWED
    ruling: str | None = None

    @property
    def can_be_forced(self) -> bool:
        """Whether the table may agree to do it all the same."""
        return self.how is Forbidden.NOT_ALLOWED


def refuse(rule: str, text: str, ruling: str | None = None, **args: object) -> Refusal:
    """A choice against the rules."""
    return Refusal(rule, Phrase(text, args), Forbidden.NOT_ALLOWED, ruling)


def impossible(rule: str, text: str, ruling: str | None = None, **args: object) -> Refusal:
    """A choice that cannot be."""
    return Refusal(rule, Phrase(text, args), Forbidden.IMPOSSIBLE, ruling)


def elsewhere(rule: str, text: str, ruling: str | None = None, **args: object) -> Refusal:
    """A choice that belongs to another question."""
    return Refusal(rule, Phrase(text, args), Forbidden.ELSEWHERE, ruling)


def allow(_choice: Choice) -> Refusal | None:
    """The predicate of a question whose every candidate may be chosen."""
    return None


def nowhere(_choice: Choice) -> tuple[str, ...]:
    """The cells of a choice that is about no place of the board."""
    return ()


NONE: Final[Mapping[Any, Any]] = MappingProxyType({})
"""One for all prompts: a dict would be made anew for each."""


class Prompt(msgspec.Struct, Generic[T], frozen=True):
    """One question.

    `key` names it for the game's wording, `args` go into its words, `rule` is the section that
    asks. `candidates` may be a dict of them, which is quick to look into. `predicate` says why the
    rules refuse one, `cannot` why it cannot be at all: no such card, no marker to spend.
    `source` says where a card comes from: "hand", "drawn" (the newest card of the hand),
    "deck/<name>", or "" for anything else.
    `silence` is the answer taken when nobody says anything; `skippable` means that a later input
    of the same seat passes it over, and with `ends_turn` one of the next seat too. `chance` marks
    what dice and shuffled decks answer. Of a `private` question only its seat sees the choices and
    the answer, and the cards that it `shows`; that it was `SEEN` everybody may know.

    Of an offer beside the open question, `seat` "" means that anybody may take it up. One whose
    only candidate is its own key is taken up by saying that word. `race`: others may want to be
    first, so the earliest input must win, however late it comes in. A private one without
    candidates asks nothing: its seat may look at what it `shows`, as often as it likes.

    `otherwise` says why something that is no candidate is no answer, where a rule says so; the
    table may force what it refuses as against the rules. `needs` says which cards a hand must hold
    for a choice that is no card itself. `where` gives the cells of a drawn board that a choice is
    about: one, or from and to.

    Any seal of the sort `seals` is an answer too, besides the candidates, and goes through the
    same predicates. `reveals` is a seal that this question opens for everybody: what lies under it
    is the answer, given by the companion where it knows; else people say what they see. A seal in
    `shows` is opened for its seat's eyes alone (see `companion.rules.seals`).
    """

    key: str
    seat: str
    rule: str
    candidates: Collection[T]
    predicate: Callable[[T], Refusal | None] = allow
    args: Mapping[str, object] = NONE
    source: str = ""
    silence: T | None = None
    skippable: bool = False
    ends_turn: bool = False
    chance: bool = False
    private: bool = False
    cannot: Callable[[T], Refusal | None] = allow
    shows: Sequence[str] = ()
    race: bool = False
    otherwise: Callable[[Choice], Refusal | None] = allow
    needs: Mapping[Choice, Sequence[str]] = NONE
    where: Callable[[T], tuple[str, ...]] = nowhere
    seals: str = ""
    reveals: str = ""

    def why_not(self, choice: Choice) -> Refusal | None:
        """The refusal of a choice, or None when it may be chosen."""
        if isinstance(choice, bool) or not (choice in self.candidates or self._takes_seal(choice)):
            return self._why_no_answer(choice)
        return self.refusal_of(choice)  # type: ignore[arg-type]  # it is one of the candidates

    def _takes_seal(self, choice: Choice) -> bool:
        return bool(self.seals) and sort_of(choice) == self.seals

    def _why_no_answer(self, choice: Choice) -> Refusal:
        """The refusal of what is no candidate."""
        if self.reveals and is_seal(choice):
            if choice == self.reveals:
                return impossible(self.rule, N_("Nobody knows this tag any more. Say what it is."))
            return impossible(self.rule, N_("This is not the one that lies there."))
        refusal = None if isinstance(choice, bool) else self.otherwise(choice)
        return refusal or elsewhere(self.rule, N_("That is no answer to this question."))

    def refusal_of(self, choice: T) -> Refusal | None:
        """The refusal of one of the candidates, or None when it may be chosen.

        What cannot be is said before what could be forced.
        """
        refusal = self.predicate(choice)
        if refusal is None or refusal.can_be_forced:
            return self.cannot(choice) or refusal
        return refusal

    @property
    def is_word(self) -> bool:
        """Whether an offer beside the open question is taken up by saying its key."""
        return tuple(self.candidates) == (self.key,)

    @property
    def hides_answer(self) -> bool:
        """Whether nobody but its seat may know the answer."""
        return self.private and tuple(self.candidates) != (SEEN,)

    @property
    def only_shows(self) -> bool:
        """Whether an offer beside the open question is nothing but a look."""
        return bool(self.shows) and not self.candidates

    def options(self) -> Iterator[T]:
        """The candidates that may be chosen, made while you look."""
        return (choice for choice in self.candidates if self.refusal_of(choice) is None)
