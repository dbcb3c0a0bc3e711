"""The questions before a game, by four buttons: language, which game, how many play, start."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from companion.rules.box import AnyBox, Texts
from companion.rules.errors import BadSetup, CompanionError
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import Field, SeatSetup, seat_ids
from companion.rules.tags import TagKind
from companion.rules.wording import Label
from companion.screens.dialog import RANDOM, Value
from companion.screens.handset.menu import language_label
from companion.screens.handset.outcomes import (
    ACCEPTED,
    REFUSED,
    UNKNOWN,
    Begin,
    Meaning,
    Outcome,
    Resume,
)
from companion.screens.handset.stack import NOTICE, Choosing, Item, PageStack
from companion.screens.oled import Fonts, find_fonts
from companion.screens.panels import Panels
from companion.screens.pixels import NoFont
from companion.words import LANGUAGES, Words

USUAL_PLAYERS = 4
OPTIONS = Phrase(N_("Options…"))
_QUESTION = re.compile(r"(?<=[?？])")


class OpenGame(msgspec.Struct, frozen=True):
    """A game that can be gone on with: its number in the journal, its title, how far it is."""

    number: int
    title: Label
    label: str


class SetupHandset(PageStack):
    """Asks for what a game needs. The last outcome carries the wish `Begin` or `Resume`.

    The usual game takes three presses of ●: language, players, start. `ask_language` False leaves
    out the first. Seat tags tell the number of players too: everybody taps, the last letter
    counts. `pick` chooses a seat by chance. `texts` are content files by game in place of those
    of the box.
    """

    def __init__(
        self,
        boxes: Sequence[AnyBox],
        words: Words,
        fonts: Fonts,
        pick: Callable[[Sequence[str]], str],
        *,
        open_games: Sequence[OpenGame] = (),
        texts: Mapping[str, Texts] | None = None,
        ask_language: bool = True,
    ) -> None:
        self.boxes = boxes
        self.pick = pick
        self.open_games = open_games
        self.texts = texts or {}
        self.box = boxes[0]
        self.players = USUAL_PLAYERS
        self.values: dict[str, Value] = {}
        """What was decided of the box's questions, otherwise than usual."""
        self.panels = Panels(words, fonts)
        super().__init__(self.panels, self._languages() if ask_language else self._which())

    # -- taps ----------------------------------------------------------------------------------

    def tap(self, meaning: Meaning, now: float, seat: str | None = None) -> Outcome:
        """A tag was tapped: a seat's says that there is such a player."""
        self.wind(now)
        while self.top.lasts is not None:  # what was said of the tap before
            self.close()
        page = self.top
        if meaning.kind is not TagKind.SEAT or not isinstance(page, Players):
            body = Phrase(N_("No game is running. Choose with ▲▼ and ●."))
            self.open(self.message(Phrase(N_("Not now")), [body], lasts=NOTICE))
            return UNKNOWN
        if not page.seat(meaning.thing):
            least, most = self.box.seats
            args = {"least": least, "most": most}
            body = Phrase(N_("This game is for {least} to {most} players."), args)
            self.open(self.message(self.box.title, [body], lasts=NOTICE))
            return REFUSED
        self.redraw()
        return ACCEPTED

    # -- language and game ---------------------------------------------------------------------

    def _languages(self) -> Choosing:
        codes = list(LANGUAGES)
        return Choosing(
            language_label(self.panels),
            [Item(Named({"en": LANGUAGES[code]}), partial(self._speak, code)) for code in codes],
            selected=codes.index(self.panels.words.language),
        )

    def _speak(self, code: str) -> Outcome:
        try:
            fonts = find_fonts(code)
        except NoFont as error:
            return self.open(self.message(Phrase(N_("Language")), [error.phrase]))
        self.panels = Panels(Words(code), fonts)
        return self.open(self._which())

    def _which(self) -> Choosing:
        """Which game: one that is open, else a new one."""
        if not self.open_games:
            return self._games()
        items = [
            Item(
                Phrase("{title} {label}", {"title": game.title, "label": game.label}),
                partial(self._resume, game.number),
            )
            for game in self.open_games
        ]
        new = Item(Phrase(N_("New game")), lambda: self.open(self._games()))
        return Choosing(Phrase(N_("Go on with")), [*items, new])

    def _resume(self, number: int) -> Outcome:
        return Outcome(ACCEPTED.result, Resume(number, self.panels.words.language))

    def _games(self) -> Choosing:
        if len(self.boxes) == 1:
            return self._how_many(self.boxes[0])
        items = [Item(box.title, partial(self._chosen, box)) for box in self.boxes]
        return Choosing(Phrase(N_("Which game?")), items)

    def _chosen(self, box: AnyBox) -> Outcome:
        return self.open(self._how_many(box))

    # -- players and start ---------------------------------------------------------------------

    def _how_many(self, box: AnyBox) -> Choosing:
        if box is not self.box:
            self.box, self.values = box, {}
        least, most = box.seats
        items = [
            Item(_players(number), partial(self._seated, number))
            for number in range(least, most + 1)
        ]
        return Players(box.title, items, least, min(max(self.players, least), most))

    def _seated(self, players: int) -> Outcome:
        self.players = players
        return self.open(self._ready())

    def _ready(self) -> Choosing:
        """Start, or decide something first."""
        players = _players(self.players)
        start = Item(Phrase(N_("Start")), self._begin, group=players)
        options = Item(OPTIONS, lambda: self.open(self._options()), group=players)
        decides = any(self._values(field) for field in self.box.fields())
        return Choosing(self.box.title, [start, *([options] if decides else []), *self._advice()])

    def _advice(self) -> Iterator[Item]:
        """What the table should know of its set-up, to be read by who wants to."""
        try:
            warnings = self.box.warnings(self._setup())
        except CompanionError:
            return  # said when somebody presses start
        for warning in warnings:
            page = self.message(Phrase(N_("Mind")), [warning])
            yield Item(
                Phrase(N_("Mind: {warning}"), {"warning": warning}),
                partial(self.open, page),
                group=_players(self.players),
            )

    def _begin(self) -> Outcome:
        try:
            setup = self._setup()
            self.box.begin(setup, self.texts.get(self.box.name) or self.box.content())
        except CompanionError as error:
            self.open(self.message(Phrase(N_("Cannot be")), [error.phrase]))
            return REFUSED
        wish = Begin(self.box.name, setup, self.panels.words.language)
        return Outcome(ACCEPTED.result, wish)

    def _setup(self) -> SeatSetup:
        """The record of what was decided. Raises BadSetup."""
        values: dict[str, Any] = {"seats": self._names()}
        for field in self.box.fields():
            value = self.values.get(field.name, field.default)
            chance = field.seat and value == RANDOM
            values[field.name] = self.pick(seat_ids(self.players)) if chance else value
        try:
            setup: SeatSetup = msgspec.convert(values, self.box.setup_type)
            return setup
        except msgspec.ValidationError as error:
            raise BadSetup(N_("That set-up cannot be: {error}"), error=str(error)) from error

    def _names(self) -> tuple[str, ...]:
        """What players are called: by the letter that their seat's tag, reader and light have."""
        say = self.panels.words.say
        seats = seat_ids(self.players)
        return tuple(say(Phrase(N_("Player {seat}"), {"seat": seat})) for seat in seats)

    # -- what the box asks ---------------------------------------------------------------------

    def _options(self, selected: int = 0) -> Choosing:
        items = [
            Item(
                self._short(field.label),
                partial(self._ask, number, field),
                value=_shown(self.values.get(field.name, field.default), self._seats()),
            )
            for number, field in enumerate(self.box.fields())
            if self._values(field)
        ]
        return Choosing(OPTIONS, items, selected=selected)

    def _short(self, label: Phrase) -> Label:
        """The question without what explains it."""
        return Named({"en": _QUESTION.split(self.panels.words.say(label))[0]})

    def _ask(self, number: int, field: Field) -> Outcome:
        values = self._values(field)
        now = self.values.get(field.name, field.default)
        items = [
            Item(_shown(value, self._seats()), partial(self._decide, number, field.name, value))
            for value in values
        ]
        selected = values.index(now) if now in values else 0
        return self.open(Choosing(OPTIONS, items, question=field.label, selected=selected))

    def _decide(self, number: int, name: str, value: Value) -> Outcome:
        """Keep a value and go back to the list, which then shows it; the start may warn of it."""
        self.values[name] = value
        for _ in range(3):
            self.close()
        self.open(self._ready())
        return self.open(self._options(number))

    def _seats(self) -> dict[str, str]:
        return dict(zip(seat_ids(self.players), self._names(), strict=True))

    def _values(self, field: Field) -> list[Value]:
        """What may be chosen by buttons; nothing where words are to be typed."""
        if isinstance(field.default, bool):
            return [True, False]
        if field.seat:
            return [RANDOM, *seat_ids(self.players)]
        if field.choices:
            return list(field.choices)
        if field.least is not None and field.most is not None:
            return list(range(field.least, field.most + 1))
        return []


class Players(Choosing):
    """How many play. Seat tags raise the number to the last letter that was tapped."""

    def __init__(self, title: Label, items: Sequence[Item], least: int, players: int) -> None:
        question = Phrase(N_("How many play? Seat tags tell it too."))
        super().__init__(title, items, question=question, selected=players - least)
        self.least = least
        self.tapped = least

    def seat(self, seat: str) -> bool:
        """A seat's tag was tapped; whether so many can play."""
        number = ord(seat) - ord("A") + 1 if len(seat) == 1 else 0
        if not 0 < number < self.least + len(self.items):
            return False
        self.tapped = max(self.tapped, number)
        self.selected = self.tapped - self.least
        return True


def _players(number: int) -> Phrase:
    return Phrase(N_("{n} player"), {"n": number}, N_("{n} players"))


def _shown(value: Value, seats: Mapping[str, str]) -> Label:
    """A value as it is shown."""
    if isinstance(value, bool):
        return Phrase(N_("yes")) if value else Phrase(N_("no"))
    if value in seats:
        return Named({"en": seats[str(value)]})
    return Phrase(value) if isinstance(value, str) else Named({"en": str(value)})
