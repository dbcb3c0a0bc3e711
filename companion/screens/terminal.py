"""A table driven by lines of text: a shell, a pipe, a test. It reads a line and gives text back.

Nothing here waits or prints. `Terminal.handle` takes one line and gives the answer to it;
`Terminal.screen` is the whole picture of the moment. Who calls decides when to show which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from companion.rules.box import Box
from companion.rules.errors import CompanionError, NotNow, NotUnderstood, Refused
from companion.rules.layouts import Shift
from companion.rules.lines import Answer
from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import PASS, Choice, Prompt, Refusal
from companion.rules.session import Session
from companion.rules.wording import Label, Wording
from companion.screens.commands import ALL, ALWAYS, NOT, OFF, ON, Command, find_command, helped
from companion.screens.correcting import read_correction, split_reason
from companion.screens.reading import (
    exactly,
    fold,
    read_choice,
    read_number,
    read_seat,
    shorten,
    split_seat,
)
from companion.screens.showing import (
    CONSENT,
    DONE,
    NO,
    OVER,
    PUT_BACK,
    YES,
    Shown,
    Watch,
    refused,
    show,
)
from companion.screens.telling import (
    Teller,
    clean,
    columns_of,
    error_phrase,
    flow,
    paragraphs,
    refusal_title,
    track,
)

if TYPE_CHECKING:
    from PIL.Image import Image

    from companion.screens.oled import Pages
    from companion.words import Words

LAST_ANSWERS = 10
LOGGED = 5
HAPPENED = 8
"""How many answers, log entries and events are shown unless more are asked for."""

_COMMENT = re.compile(r"#(\s.*)?")
_NUMBERED = re.compile(r"\s+# \d+$")
"""The answer's number at the end of a line of the log."""


class Pending(msgspec.Struct, frozen=True):
    """Something that is done once somebody says yes."""

    question: str
    act: Callable[[], str]


class Terminal:
    """One table in lines of text. `who` is whose eyes look; None: everybody at the table.

    `oled` shows the small picture above the text; raises NoFont where its language has no font.
    `kept`: whether a journal keeps the game.
    """

    def __init__(
        self,
        session: Session[Any],
        box: Box,
        wording: Wording,
        words: Words,
        *,
        who: str | None = None,
        columns: int = 80,
        oled: bool = True,
        via: str = "terminal",
        kept: bool = True,
    ) -> None:
        self.session = session
        self.box = box
        self.wording = wording
        self.words = words
        self.who = who
        self.columns = columns
        self.rows = 0
        """The height of the terminal, 0 when nobody knows."""
        self.via = via
        self.kept = kept
        self.closed = False
        """Whether somebody has said quit."""
        self.redraw = True
        """Whether the last line changed what `screen` shows."""
        self.failed = False
        """Whether the last line could not be done; a script may want to stop there."""
        self.watch = Watch(session, wording, who)
        self._pages: Pages | None = self._new_pages(words) if oled else None
        self._pending: Pending | None = None
        self._refusal: Refusal | None = None
        self._by = ""
        self._acts = self._commands()

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
            "scan": lambda rest: self._beside("scan", rest),
            "passives": lambda rest: self._beside("passives", rest),
            "join": self._join,
            "leave": self._leave,
            "swap": self._swap,
            "lang": self._language,
            "oled": self._oled,
            "help": self._help,
            "quit": self._quit,
        }

    # -- one line in, text out -----------------------------------------------------------------

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

    def _do(self, line: str) -> str:
        if self._pending is not None:
            return self._confirm(self._pending, line)
        if not line:
            return self._nothing_typed()
        found = self._command(line)
        if found is None:
            return self._answer(line)
        command, rest = found
        return self._acts[command.name](rest)

    def _command(self, line: str) -> tuple[Command, str] | None:
        """The command in a line, unless the line is the name of something that may be chosen."""
        found = find_command(line)
        if found is None:
            seat, rest = split_seat(line, self._seats)
            found = find_command(rest) if seat is not None and not self._is_option(rest) else None
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
        if shown.passing is None:
            return ""
        self.session.answer(PASS, shown.seat, via=self.via)
        return ""

    def _confirm(self, pending: Pending, line: str) -> str:
        found = find_command(line)
        name = found[0].name if found else ""
        if name == "quit":
            return self._quit("")
        if name not in (YES, NO):
            raise NotUnderstood(N_("Answer yes or no first: {question}"), question=pending.question)
        self._pending = None
        self.redraw = True
        return pending.act() if name == YES else self._say(N_("Nothing is changed."))

    # -- answers -------------------------------------------------------------------------------

    def _answer(self, line: str) -> str:
        seat, text = self._who_says(line)
        choice = self._read(text, seat)
        self._refusal = None
        self.session.answer(choice, seat, via=self.via)
        self.redraw = True
        return ""

    def _who_says(self, line: str) -> tuple[str | None, str]:
        """The player that a line begins with, unless the whole line is a name by itself."""
        if exactly(line, self._names):
            return None, line
        return split_seat(line, self._seats)

    def _read(self, text: str, seat: str | None = None) -> Choice:
        shown = self.shown()
        prompt = self._prompt(seat)
        asks = shown.kind in (CONSENT, PUT_BACK) or prompt is not None
        return read_choice(
            text, prompt, shown.options if asks else (), self._names, self._label(prompt)
        )

    def _prompt(self, seat: str | None) -> Prompt[Any] | None:
        """The rules' question to a seat, or to anybody; none while the session asks its own."""
        if self.session.consent is not None or self.session.put_back:
            return None
        prompts = self.session.prompts
        if seat is None:
            return prompts[0] if prompts else None
        return next((prompt for prompt in prompts if prompt.seat == seat), None)

    def _label(self, prompt: Prompt[Any] | None) -> Callable[[Choice], Label]:
        return lambda choice: self.wording.label(choice, prompt)

    @property
    def _seats(self) -> dict[str, str]:
        return {seat.seat: seat.name for seat in self.session.view(self.who).seats}

    @property
    def _names(self) -> dict[Choice, list[str]]:
        """All that may be named: what the game names, and the players."""
        names = {choice: list(words) for choice, words in self.wording.names().items()}
        for seat, name in self._seats.items():
            names.setdefault(seat, []).append(name)
        return names

    # -- why -----------------------------------------------------------------------------------

    def _why(self, rest: str) -> str:
        """The reason of the last refusal or event, of a numbered event, or of a refusal to come."""
        words = rest.split(None, 1)
        if words and fold(words[0]) in NOT:
            return self._why_not(words[1] if len(words) > 1 else "")
        if not rest and self._refusal is not None:
            return self._text(self.teller.why_refused(self._refusal))
        number = read_number(rest.strip("[]")) if rest else len(self.session.log(self.who)) - 1
        if number is None:
            raise NotUnderstood(
                N_("“{typed}” is no number of an event. Say why <number>, or why not <card>."),
                typed=shorten(rest),
            )
        return self._text(self.teller.why(number))

    def _why_not(self, rest: str) -> str:
        """What would come of an answer, tried on a copy of the game."""
        if not rest:
            return self._text([self._say(N_("Say which: why not <card>.")), *self._refused_now()])
        seat, text = self._who_says(rest)
        choice = self._read(text, seat)
        self._need_rules()
        try:
            self.session.fork().answer(choice, seat)
        except Refused as error:
            return self._text(self.teller.why_refused(error.refusal))
        return self._say(N_("{choice}: that may be chosen now."), choice=self.wording.label(choice))

    def _refused_now(self) -> list[str]:
        """The reasons for which candidates are refused, each with what it concerns."""
        reasons: dict[str, list[str]] = {}
        for one in refused(self.session, self.wording, self.who):
            reason = self._say(error_phrase(Refused(one.refusal)))
            reasons.setdefault(reason, []).append(self._say(one.label))
        return [
            line
            for reason, labels in reasons.items()
            for line in (reason, "    " + ", ".join(labels))
        ]

    def _need_rules(self) -> None:
        if self.session.consent is not None or self.session.put_back:
            raise NotNow(N_("First answer what is asked above."))
        if self.session.over:
            raise NotNow(N_("The game is over. Undo reopens it."))

    # -- going back and setting right ----------------------------------------------------------

    def _undo(self, _rest: str) -> str:
        self.session.undo(by=self._by)
        self.redraw = True
        asks = self.session.consent is not None
        return "" if asks else self._say(N_("Taken back. redo does it again."))

    def _redo(self, _rest: str) -> str:
        self.session.redo(by=self._by)
        self.redraw = True
        return self._say(N_("Done again."))

    def _done(self, _rest: str) -> str:
        if self.session.consent is None and not self.session.put_back:
            return self._say(N_("There is nothing to put back."))
        self.session.answer(DONE, self._by or None, via=self.via)
        self.redraw = True
        return ""

    def _amend(self, rest: str) -> str:
        """Show what another answer would keep and lose, and do it when somebody says yes."""
        words = rest.split(None, 1)
        if len(words) < 2:
            listed = self.teller.answers(LAST_ANSWERS)
            how = self._say(N_("Say amend <number> <choice>. The last answers:"))
            return _lines([how, *listed])
        self._need_rules()
        number = read_number(words[0])
        if number is None:
            raise NotUnderstood(
                N_("“{typed}” is no number of an answer. amend alone lists them."),
                typed=shorten(words[0]),
            )
        choice = self._read_for(number - 1, words[1])
        preview = self.session.preview_amend(number - 1, choice)
        entry = self.session.entries[number - 1]
        by = self._by or entry.by
        question = Phrase(
            N_("Answer {number} becomes {who}: {choice}. Do it? yes or no"),
            {
                "number": number,
                "who": self.wording.label(entry.by),
                "choice": self.wording.label(choice),
            },
        )
        kept = Phrase(
            N_("{n} later answer stays."), {"n": preview.kept}, N_("{n} later answers stay.")
        )
        lost = Phrase(
            N_("{n} later answer has to be given again."),
            {"n": len(preview.lost)},
            N_("{n} later answers have to be given again."),
        )
        return self._ask_first(
            question,
            (kept, lost) if preview.lost else (kept,),
            lambda: self._amended(number - 1, choice, by),
        )

    def _read_for(self, at: int, text: str) -> Choice:
        """A choice for an earlier answer: a number where that was one."""
        entries = self.session.entries
        old = entries[at] if 0 <= at < len(entries) else None
        number = read_number(text)
        if isinstance(old, Answer) and isinstance(old.choice, int) and number is not None:
            return number
        return read_choice(text, None, (), self._names, self._label(None))

    def _amended(self, at: int, choice: Choice, by: str) -> str:
        self.session.amend(at, choice, by=by, via=self.via)
        return "" if self.session.consent is not None else self._say(N_("Amended."))

    def _correct(self, rest: str) -> str:
        """Try a correction on a copy, show what it changes, and do it when somebody says yes."""
        if not rest:
            listed = self.teller.places()
            how = self._say(N_("Say correct and one of these with its right place:"))
            return _lines([how, *listed])
        self._need_rules()
        text, reason = split_reason(rest)
        layout = self.session.view(self.who).layout
        thing, place = read_correction(
            text, layout, self._seats, self._names, self.wording.things()
        )
        lost = self.session.fork().correct(thing, place).lost
        question = Phrase(
            N_("Correct to: {after}. Until now: {before}. Do it? yes or no"),
            {
                "after": self.wording.place(Shift(thing, None, place)),
                "before": self.wording.place(Shift(thing, None, layout.get(thing))),
            },
        )
        again = Phrase(
            N_("{n} later answer has to be given again."),
            {"n": len(lost)},
            N_("{n} later answers have to be given again."),
        )
        by = self._by
        return self._ask_first(
            question,
            (again,) if lost else (),
            lambda: self._corrected(thing, place, by, reason),
        )

    def _corrected(self, thing: str, place: Any, by: str, reason: str) -> str:
        self.session.correct(thing, place, by=by, reason=reason)
        return self._say(N_("Corrected. undo takes it back."))

    def _ask_first(self, question: Phrase, notes: Sequence[Phrase], act: Callable[[], str]) -> str:
        asked = self._say(question)
        self._pending = Pending(asked, act)
        return _lines([*(self._say(note) for note in notes), asked])

    def _force(self, rest: str) -> str:
        self._need_argument(rest, "force")
        self._need_rules()
        seat, text = self._who_says(rest)
        choice = self._read(text, seat)
        try:
            self.session.force(choice, seat, by=self._by or seat or "", via=self.via)
        except Refused as error:
            self.failed = True
            cannot = self._say(N_("This cannot be forced. Undo or correct instead."))
            return self._text([self._say(error_phrase(error)), cannot])
        self.redraw = True
        return self._say(N_("Done, because the table agrees. undo takes it back."))

    # -- rules ---------------------------------------------------------------------------------

    def _rules(self, rest: str) -> str:
        if not rest:
            return _lines(
                [self._say(N_("Say rules <card, word or section>.")), *self.teller.contents()]
            )
        return self._text(self.teller.search(rest))

    def _ruling(self, rest: str) -> str:
        """Show a ruling, or decide it otherwise from now on."""
        register = self.session.game.register
        words = rest.split()
        known = {fold(ruling): ruling for ruling in register.rulings}
        if not words or fold(words[0]) not in known:
            raise NotUnderstood(
                N_("Say ruling <id> <variant>. These may be chosen: {names}."),
                names=[ruling.id for ruling in register.switches],
            )
        ruling = register.rulings[known[fold(words[0])]]
        if len(words) == 1:
            return self._text(self.teller.ruling(ruling))
        self._need_rules()
        self.session.choose_ruling(ruling.id, fold(words[1]), by=self._by)
        self.redraw = True
        return self._text([self.teller.ruling_in_force(ruling)])

    # -- what happened, where things stand -----------------------------------------------------

    def _log(self, rest: str) -> str:
        if not self.session.entries:
            return self._say(N_("Nothing has been done yet."))
        if fold(rest) in ALL:
            return _lines(self.teller.log(None))
        most = read_number(rest) if rest else LOGGED
        if most is None or most < 1:
            raise NotUnderstood(
                N_("“{typed}” is no number. Say log, log 20 or log all."), typed=shorten(rest)
            )
        return _lines(self.teller.log(most))

    def _missed(self, rest: str) -> str:
        """Whose turn it is, and what a player has missed; without a name, who is asked."""
        shown = self.shown()
        by = self._by or shown.seat or next(iter(self._seats))
        seat = read_seat(rest, self._seats) if rest else by
        lines = self._title(shown) + self._question(shown)
        happened = self._told_since(seat)
        told = N_("Since {who} last did something:")
        lines.append(self._say(told, who=self._seats.get(seat, seat)))
        return _lines([*lines, *(happened or ["  " + self._say(N_("nothing."))])])

    def _told_since(self, seat: str) -> list[str]:
        """What a seat has missed and this screen may show, the last of it."""
        missed = {id(event) for event in self.session.missed(seat)}
        mine = [n for n, event in enumerate(self.session.log(self.who)) if id(event) in missed]
        at = [self.teller.numbered(number) for number in mine[-3 * HAPPENED :]]
        return flow(at, self.columns, gap="  ")

    def _standings(self, _rest: str) -> str:
        return _lines(self.teller.table(self.shown()))

    # -- beside the question, seats ------------------------------------------------------------

    def _beside(self, key: str, rest: str) -> str:
        """Something that a seat does beside the open question."""
        seat, text = self._seat_and_text(rest, key)
        prompts = [p for p in self.session.game.beside() if p.key == key and p.seat == seat]
        if not prompts:
            raise NotNow(N_("This cannot be done beside the open question."))
        words = {"on": ON, "off": OFF}
        short = next((choice for choice, said in words.items() if fold(text) in said), None)
        known = short if short in prompts[0].candidates else None
        choice = known or read_choice(text, prompts[0], (), self._names, self._label(prompts[0]))
        self.session.interject(key, seat, choice, via=self.via)
        self.redraw = True
        return self._say(N_("Noted for {who}."), who=self._seats[seat])

    def _seat_and_text(self, rest: str, command: str) -> tuple[str, str]:
        self._need_argument(rest, command)
        seat, text = split_seat(rest, self._seats)
        if seat is None and self._by:
            return self._by, rest
        if seat is None:
            first, _, text = rest.partition(" ")
            seat = read_seat(first, self._seats)
            self._need_argument(text.strip(), command)
        return seat, text.strip()

    def _join(self, rest: str) -> str:
        self._need_argument(rest, "join")
        used = self.session.game.state.names
        seat = next(seat for seat in map(chr, range(ord("A"), 0x2000)) if seat not in used)
        self.session.join(seat, rest, by=self._by)
        self.redraw = True
        return self._say(N_("{who} joins."), who=rest)

    def _leave(self, rest: str) -> str:
        """Ask first: a player who leaves takes pieces and cards along."""
        self._need_argument(rest, "leave")
        seat, by = read_seat(rest, self._seats), self._by
        self._need_rules()
        who = self._seats[seat]

        def leave() -> str:
            self.session.leave(seat, by=by)
            return self._say(N_("{who} leaves."), who=who)

        return self._ask_first(
            Phrase(N_("{who} leaves the game? yes or no"), {"who": who}), (), leave
        )

    def _swap(self, rest: str) -> str:
        seat, text = self._seat_and_text(rest, "swap")
        self.session.swap(seat, read_seat(text, self._seats), by=self._by)
        self.redraw = True
        return self._say(N_("They have changed places."))

    # -- the screen itself ---------------------------------------------------------------------

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

    def _new_pages(self, words: Words) -> Pages:
        from companion.screens.oled import Pages, find_fonts

        return Pages(words, find_fonts(words.language))

    def _help(self, rest: str) -> str:
        commands = list(helped(rest))
        if not commands:
            raise NotUnderstood(
                N_("There is no command “{typed}”. help lists them."), typed=shorten(rest)
            )
        if rest:
            one = commands[0]
            also = self._say(N_("Also: {names}"), names=list(one.words))
            return _lines([self._say(one.usage), "  " + self._say(one.does), "  " + also])
        start = N_(
            "Type a card's name, a number or an option's letter; the Enter key alone passes. "
            "A player's name before it says who answers: Budi: shield."
        )
        used = [self._say(command.usage) for command in commands]
        width = max(map(columns_of, used)) + 2
        listed = [
            "  " + usage + " " * (width - columns_of(usage)) + self._say(command.does)
            for usage, command in zip(used, commands, strict=True)
        ]
        return _lines([self._say(start), *listed])

    def _quit(self, _rest: str) -> str:
        self.closed = True
        self._pending = None
        kept = N_("The game is kept. It goes on at this point.")
        return self._say(kept if self.kept else N_("Goodbye. Nothing was kept."))

    def _need_argument(self, rest: str, command: str) -> None:
        if not rest:
            usage = next(helped(command)).usage
            raise NotUnderstood(N_("Say it so: {usage}"), usage=usage)

    # -- showing -------------------------------------------------------------------------------

    @property
    def teller(self) -> Teller:
        """What puts the session into lines, in the present language."""
        return Teller(self.session, self.wording, self.words, self.who)

    def shown(self) -> Shown:
        """The model of what is to be shown now."""
        return show(self.session, self.wording, self.who, self.watch)

    def screen(self) -> str:
        """The whole picture of the moment: small picture, news, question, options, table."""
        shown = self.shown()
        lines = [
            *self._picture(shown),
            *self._title(shown),
            *self._news(shown),
            *(self.teller.seat_line(seat) for seat in shown.seats),
            *track(shown.board),
            *self._question(shown),
        ]
        if self._pending is not None:
            lines.append(self._pending.question)
        return clean(_lines(lines))

    def _picture(self, shown: Shown) -> list[str]:
        if self._pages is None:
            return []
        from companion.screens.pixels import as_text

        return as_text(self._page(self._pages, shown), self.columns, self.rows)

    def _page(self, pages: Pages, shown: Shown) -> Image:
        """The page of the moment: after a refusal, its reason."""
        if self.failed and self._refusal is not None:
            refusal = self._refusal
            return pages.message(refusal_title(refusal), refusal.reason, refusal.rule)
        return pages.now(shown)

    def _title(self, shown: Shown) -> list[str]:
        if shown.kind == OVER:
            return []
        args = {"turn": shown.turn, "who": shown.active, "phase": shown.phase or ""}
        return [self._say(N_("Turn {turn}, {who}: {phase}"), **args)]

    def _news(self, shown: Shown) -> list[str]:
        """What came of the last act, and what hands have to do now."""
        told = [self.teller.event_line(one) for one in shown.happened[-HAPPENED:]]
        lines = flow(told, self.columns, gap="  ")
        if shown.to_move:
            lines.append(self._say(N_("Now on the table:")))
            lines += flow(("→ " + self._say(one) for one in shown.to_move), self.columns)
        return lines

    def _question(self, shown: Shown) -> list[str]:
        if shown.kind == OVER:
            return self._end(shown)
        who = shown.asked or self._say(N_("All of you"))
        args = {"who": who, "question": shown.question, "rule": shown.rule}
        text = N_("{who}: {question} (§{rule})") if shown.rule else N_("{who}: {question}")
        lines = ["", "▶ " + self._say(text, **args)]
        lines += [f"  - {self._say(phrase)}" for phrase in shown.put_back]
        if shown.also_asked:
            lines.append("  " + self._say(N_("Also asked: {names}"), names=list(shown.also_asked)))
        if shown.guide is not None:
            lines += paragraphs([f"  {self._say(shown.guide)}"], self.columns)
        return [*lines, *flow(self._options(shown), self.columns)]

    def _options(self, shown: Shown) -> list[str]:
        cells = []
        for option in shown.options:
            key = option.letter or str(option.choice)
            passes = option is shown.passing
            text = N_("{key} or Enter) {choice}") if passes else "{key}) {choice}"
            cells.append(self._say(text, key=key, choice=option.label))
        return cells

    def _end(self, shown: Shown) -> list[str]:
        told = [] if shown.ending is None else [self.teller.event_line(shown.ending)]
        return ["", "★ " + self._say(N_("The game is over.")), *told]

    def _text(self, lines: Sequence[str]) -> str:
        """Lines broken where the terminal ends."""
        return _lines(paragraphs(lines, self.columns))

    def _say(self, what: Label | str, /, **args: object) -> str:
        return self.words.say(Phrase(what, args) if isinstance(what, str) else what)


def _lines(lines: Sequence[str]) -> str:
    return "\n".join(lines)
