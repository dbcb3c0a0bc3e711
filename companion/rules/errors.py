"""What can go wrong, as errors that say what is allowed. All share one base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.rules.phrases import N_, Phrase

if TYPE_CHECKING:
    from companion.rules.prompts import Refusal


class CompanionError(Exception):
    """Base of every error this package raises for its users."""

    def __init__(self, text: str, /, **args: object) -> None:
        self.phrase = Phrase(text, args)
        super().__init__(self.phrase.plain())


class NotUnderstood(CompanionError):
    """The words given name nothing that the companion knows."""


class WhichOne(CompanionError):
    """The words given fit several things; the error lists them.

    `seats`: where one of these players has to be named.
    """

    def __init__(self, text: str, /, *, among: Sequence[str] = (), **args: object) -> None:
        self.seats = tuple(among)
        super().__init__(text, **args)


class NotNow(CompanionError):
    """The session cannot do this at the moment (nothing to undo, a question is open, game over)."""


class Refused(CompanionError):
    """An answer is against the rules; `refusal` has the rule's number and the reason."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.reason.text, **refusal.reason.args)


class StaleQuestion(CompanionError):
    """The answer names a question that is no longer open."""


class BadSetup(CompanionError):
    """A set-up, a correction or a ruling that cannot be."""


class BadContent(CompanionError):
    """A content file with a fault: says file, line, field and what is allowed."""


class NotInstalled(BadContent):
    """A file that ships with the companion is missing or cannot be read."""


class DifferentRules(CompanionError):
    """A journal made under other rules: `line` is the first whose digest differs."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(
            N_("This game was recorded under other rules: line {line} comes out differently now."),
            line=line,
        )


class RulesBug(RuntimeError):
    """A game breaks the kernel's own contract. Never the players' fault."""
