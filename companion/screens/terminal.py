"""A table driven by lines of text: a shell, a pipe, a test. It reads a line and gives text back.

Nothing here waits or prints. `Terminal.handle` takes one line and gives the answer to it;
`Terminal.screen` is the whole picture of the moment. Who calls decides when to show which.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.rules.errors import CompanionError, NotUnderstood, Refused
from companion.rules.phrases import N_
from companion.rules.prompts import PASS
from companion.screens.commands import ALWAYS, COMMANDS, OFF, ON, Command
from companion.screens.desk import Pending
from companion.screens.reading import exactly, fold, shorten, split_seat
from companion.screens.setting_right import SettingRight
from companion.screens.showing import NO, RULES, YES, show
from companion.screens.telling import clean, error_phrase, flow

_COMMENT = re.compile(r"#(\s.*)?")
_NUMBERED = re.compile(r"\s+# \d+$")
"""The answer's number at the end of a line of the log."""


class Terminal(SettingRight):
    """One table in lines of text."""

    def _commands(self) -> dict[str, Callable[[str], str]]:
        """What each command does with the words after it."""
        return {
            "why": self._why,
            "undo": self._undo,
            "redo": self._redo,
            "done": self._done,
            "amend": self._amend,
            "correct": self._correct,
            "force": self._force,
            "rules": self._rules,
            "ruling": self._ruling,
            "log": self._log,
            "missed": self._missed,
            "standings": self._standings,
            "join": self._join,
            "leave": self._leave,
            "swap": self._swap,
            "lang": self._language,
            "oled": self._oled,
            "help": self._help,
            "quit": self._quit,
        }

    # -- one line in, text out ------------------------------------------------------------------

    def handle(self, line: str) -> str:
        """Do what a line says; gives the answer to it, "" when `screen` says enough.

        Never raises for anything that people type.
        """
        line = _NUMBERED.sub("", clean(line.replace("\n", " "))).strip()
        self.redraw = self.failed = False
        self._by = ""
        if _COMMENT.fullmatch(line):
            return ""
        try:
            told = self._do(line)
        except CompanionError as error:
            self.failed = True
            self._refusal = error.refusal if isinstance(error, Refused) else None
            self.redraw = self._refusal is not None and self._pages is not None
            told = self._say(error_phrase(error))
        except OSError as error:
            self.failed = True
            told = self._say(
                N_("It could not be written down and is not done: {error}"), error=str(error)
            )
        self.redraw = self.watch.look() or self.redraw
        return clean(told)

    def look(self) -> bool:
        """The game may have been changed by a device; whether it was."""
        self.failed = False
        self.redraw = self.watch.look()
        return self.redraw

    def _do(self, line: str) -> str:
        if self._pending is not None:
            return self._confirm(self._pending, line)
        if not line:
            return self._nothing_typed()
        found = self._command(line)
        if found is None:
            key, text = self._offer_in(line)
            return self._beside(key, text) if key else self._answer(line)
        command, rest = found
        return self._commands()[command.name](rest)

    def _command(self, line: str) -> tuple[Command, str] | None:
        """The command in a line, unless the line is the name of something that may be chosen."""
        found = COMMANDS.find(line)
        if found is None:
            seat, rest = split_seat(line, self._seats)
            found = COMMANDS.find(rest) if seat is not None and not self._is_option(rest) else None
            self._by = seat or ""
        if found is None or (found[0].name in (YES, NO)):
            return None
        if found[0].name not in ALWAYS and self._is_option(line):
            return None
        return found

    def _is_option(self, text: str) -> bool:
        """Whether a text is the whole name of something that may be chosen now."""
        choices = {option.choice for option in self.shown().options}
        return any(choice in choices for choice in exactly(text, self.wording.names()))

    def _nothing_typed(self) -> str:
        """An empty line passes where that is allowed, and else shows the table again."""
        shown = self.shown()
        self.redraw = True
        if shown.kind == RULES and not shown.options:
            return self._covered(shown.seat)
        if shown.passing is None:
            return ""
        self.session.answer(PASS, shown.seat, via=self.via)
        return ""

    def _covered(self, seat: str) -> str:
        """A private question in words, but nothing that it shows: what is typed stays in sight."""
        own = show(self.session, self.wording, seat)
        return self._text([self._say(own.question), *flow(self._options(own), self.columns)])

    def _confirm(self, pending: Pending, line: str) -> str:
        found = COMMANDS.find(line)
        name = found[0].name if found else ""
        if name == "quit":
            return self._quit("")
        if name not in (YES, NO):
            raise NotUnderstood(N_("Answer yes or no first: {question}"), question=pending.question)
        self._pending = None
        self.redraw = True
        return pending.act() if name == YES else self._say(N_("Nothing is changed."))

    def _answer(self, line: str) -> str:
        seat, text = self._who_says(line)
        choice = self._read(text, seat)
        self._refusal = None
        self.session.answer(choice, seat, via=self.via)
        self.redraw = True
        return ""

    # -- the screen itself ----------------------------------------------------------------------

    def _language(self, rest: str) -> str:
        from companion.words import LANGUAGES, Words

        if fold(rest) not in LANGUAGES:
            raise NotUnderstood(
                N_("“{typed}” is no language here. Allowed: {names}."),
                typed=shorten(rest),
                names=list(LANGUAGES),
            )
        words = Words(fold(rest))
        pages = self._new_pages(words) if self._pages is not None else None
        self.words, self._pages = words, pages
        self.redraw = True
        return self._say(N_("Now in English."))

    def _oled(self, rest: str) -> str:
        if fold(rest) not in ON | OFF:
            raise NotUnderstood(N_("Say oled on or oled off."))
        self._pages = self._new_pages(self.words) if fold(rest) in ON else None
        self.redraw = True
        return ""

    def _quit(self, _rest: str) -> str:
        self.closed = True
        self._pending = None
        kept = N_("The game is kept. It goes on at this point.")
        return self._say(kept if self.kept else N_("Goodbye. Nothing was kept."))
