"""What the terminal's commands share: the table they stand at, what was meant, what is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from companion.rules.box import AnyBox
from companion.rules.errors import NotNow, NotUnderstood
from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import Choice, Prompt, Refusal
from companion.rules.session import Session
from companion.rules.wording import Label, Wording
from companion.screens.commands import COMMANDS, Command
from companion.screens.reading import exactly, fold, read_choice, read_seat, split_seat
from companion.screens.showing import CONSENT, OVER, PUT_BACK, Option, Shown, Watch, show
from companion.screens.telling import Teller, clean, flow, paragraphs

if TYPE_CHECKING:
    from PIL.Image import Image

    from companion.screens.oled import Pages
    from companion.words import Words

MOST_OPTIONS = 40
"""How many options are listed at the most, such as the cards that may lie on top of a deck."""
MOST_NUMBERS = 20
"""How many numbers in a row are listed one by one."""
HAPPENED = 8
"""How many events are shown at the most."""


class Pending(msgspec.Struct, frozen=True):
    """Something that is done once somebody says yes."""

    question: str
    act: Callable[[], str]


class Desk:
    """A table as the terminal has it before it. `who` is whose eyes look; None: everybody.

    `oled` shows the small picture above the text; raises NoFont where its language has no font.
    `kept`: whether a journal keeps the game.
    """

    def __init__(
        self,
        session: Session[Any],
        box: AnyBox,
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
        self.hands: Sequence[Command] = ()
        """What hands at simulated devices can do: for `help`, they do it elsewhere."""
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

    # -- what was meant -------------------------------------------------------------------------

    def _who_says(self, line: str) -> tuple[str | None, str]:
        """The player that a line begins with, unless the whole line is a name by itself."""
        if exactly(line, self._names):
            return None, line
        return split_seat(line, self._seats)

    def _read(self, text: str, seat: str | None = None) -> Choice:
        shown = self.shown()
        prompt = self._prompt(seat)
        asks = shown.kind in (CONSENT, PUT_BACK) or prompt is not None
        options = shown.options if asks else ()
        names = self._names
        for option in options:  # as the screen calls it
            names.setdefault(option.choice, []).append(self.words.say(option.label))
        return read_choice(text, prompt, options, names, self._label(prompt))

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

    def _offers(self, key: str = "") -> list[Prompt[Any]]:
        """What may be done beside the open question: all of it, or that of one key."""
        if self.session.over:
            return []
        return [one for one in self.session.game.beside() if key in ("", one.key)]

    def _offer_in(self, line: str) -> tuple[str, str]:
        """The key of the offer beside the question that a line begins with, and the rest of it.

        What is said in one word is an answer like others: nothing has to follow it.
        """
        names = self.wording.names()
        seat, text = split_seat(line, self._seats)
        for said, by in ((line, ""), (text, seat or "")):
            word, _, rest = said.partition(" ")
            for key in dict.fromkeys(one.key for one in self._offers() if not one.is_word):
                if fold(word) in map(fold, (key, *names.get(key, ()))):
                    self._by = by
                    return key, rest.strip()
        return "", ""

    def _usage(self, offer: Prompt[Any]) -> Phrase:
        """How one says what may be done beside the question."""
        if offer.only_shows:
            return Phrase("{word}", {"word": offer.key})
        if offer.is_word:
            return Phrase(
                N_("{player}: {word}"), {"player": Phrase(N_("<player>")), "word": offer.key}
            )
        text = N_("{word} <player> <choice>") if offer.seat else N_("{word} <choice>")
        return Phrase(text, {"word": offer.key})

    def _need_argument(self, rest: str, command: str) -> None:
        if not rest:
            named = COMMANDS.named(command)
            usage = self._usage(self._offers(command)[0]) if named is None else named.usage
            raise NotUnderstood(N_("Say it so: {usage}"), usage=usage)

    def _need_rules(self) -> None:
        if self.session.consent is not None or self.session.put_back:
            raise NotNow(N_("First answer what is asked above."))
        if self.session.over:
            raise NotNow(N_("The game is over. Undo reopens it."))

    def _ask_first(self, question: Phrase, notes: Sequence[Phrase], act: Callable[[], str]) -> str:
        asked = self._say(question)
        self._pending = Pending(asked, act)
        return joined([*(self._say(note) for note in notes), asked])

    # -- what is shown --------------------------------------------------------------------------

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
            *flow(map(self._say, shown.middle), self.columns),
            *(self.teller.seat_line(seat) for seat in shown.seats),
            *self.teller.track(shown.board, self.columns),
            *self._question(shown),
        ]
        if self._pending is not None:
            lines.append(self._pending.question)
        return clean(joined(lines))

    def _picture(self, shown: Shown) -> list[str]:
        if self._pages is None:
            return []
        from companion.screens.pixels import as_text

        return as_text(self._page(self._pages, shown), self.columns, self.rows)

    def _page(self, pages: Pages, shown: Shown) -> Image:
        """The page of the moment: after a refusal, its reason."""
        if self.failed and self._refusal is not None:
            return pages.refused(self._refusal).image
        return pages.now(shown).image

    def _new_pages(self, words: Words) -> Pages:
        from companion.screens.oled import Pages, find_fonts

        return Pages(words, find_fonts(words.language))

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
        if shown.shows:
            lines.append("  " + self._say(N_("Shown to you: {names}"), names=list(shown.shows)))
        if shown.guide is not None:
            lines += paragraphs([f"  {self._say(shown.guide)}"], self.columns)
        return [*lines, *flow(self._options(shown), self.columns)]

    def _options(self, shown: Shown) -> list[str]:
        if len(shown.options) > MOST_OPTIONS and not _numbers(shown.options):
            named = [option for option in shown.options if option is not shown.passing]
            text = N_("{n} choices: type a name, such as {one}")
            lines = [self._say(text, n=len(named), one=named[0].label)]
            return lines if shown.passing is None else [*lines, self._option(shown.passing, shown)]
        return [
            self._option(run[0], shown) if len(run) == 1 else f"{run[0].choice}–{run[-1].choice}"
            for run in _runs(shown.options)
        ]

    def _option(self, option: Option, shown: Shown) -> str:
        key = option.letter or str(option.choice)
        text = N_("{key} or Enter) {choice}") if option is shown.passing else "{key}) {choice}"
        return self._say(text, key=key, choice=option.label)

    def _end(self, shown: Shown) -> list[str]:
        told = [] if shown.ending is None else [self.teller.event_line(shown.ending)]
        return ["", "★ " + self._say(N_("The game is over.")), *told]

    def _text(self, lines: Sequence[str]) -> str:
        """Lines broken where the terminal ends."""
        return joined(paragraphs(lines, self.columns))

    def _say(self, what: Label | str, /, **args: object) -> str:
        return self.words.say(Phrase(what, args) if isinstance(what, str) else what)


def _runs(options: Sequence[Option]) -> list[list[Option]]:
    """The options one by one, but a long run of numbers, such as points, together."""
    runs: list[list[Option]] = []
    for option in options:
        last = runs[-1][-1].choice if runs else ""
        follows = isinstance(last, int) and option.choice == last + 1
        if follows:
            runs[-1].append(option)
        else:
            runs.append([option])
    return [part for run in runs for part in ([run] if len(run) > MOST_NUMBERS else _ones(run))]


def _numbers(options: Sequence[Option]) -> bool:
    """Whether a number may be chosen."""
    return any(isinstance(option.choice, int) for option in options)


def _ones(options: Sequence[Option]) -> list[list[Option]]:
    return [[option] for option in options]


def joined(lines: Sequence[str]) -> str:
    """Lines as one text."""
    return "\n".join(lines)
