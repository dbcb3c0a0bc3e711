"""Questions before a game: language, players, what the box asks, and rulings if somebody wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from companion.rules.box import AnyBox, Texts
from companion.rules.errors import BadSetup, CompanionError, NotUnderstood
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, check_names, seat_ids
from companion.screens.reading import fold, read_number, read_seat, shorten
from companion.screens.telling import clean

if TYPE_CHECKING:
    from companion.words import Words

RANDOM = "random"
"""The answer to a question for a player that leaves it to chance."""
YES = frozenset(map(fold, {"yes", "y", "ya", "はい"}))
NO = frozenset(map(fold, {"no", "n", "tidak", "いいえ"}))
SHOW_RULINGS = frozenset(map(fold, {"rulings", "ruling", "putusan", "裁定"}))

_COMMAS = re.compile("[,，、]")

Value = str | int | bool


def ask_language(words: Words, read: Callable[[str], str], write: Callable[[str], None]) -> Words:
    """The words of the language that the table chooses; Enter keeps what there is."""
    from companion.words import LANGUAGES, Words

    for number, (code, name) in enumerate(LANGUAGES.items(), 1):
        write(f"{number}) {name} ({code})")
    while True:
        typed = fold(read(f"Bahasa / language / 言語 [{words.language}] "))
        if not typed:
            return words
        found = [
            code
            for number, (code, name) in enumerate(LANGUAGES.items(), 1)
            if typed in (code, str(number)) or fold(name).startswith(typed)
        ]
        if len(found) == 1:
            return Words(found[0])
        write(f"1–{len(LANGUAGES)}, {', '.join(LANGUAGES)}")


def ask_setup(
    box: AnyBox,
    words: Words,
    read: Callable[[str], str],
    write: Callable[[str], None],
    *,
    pick: Callable[[Sequence[str]], str],
    content: Texts | None = None,
) -> SeatSetup:
    """Ask for a set-up until it can be played.

    `read` takes a question and gives a line, as `input` does; its EOFError is the caller's.
    `pick` chooses one of the seats where the table leaves that to chance.
    """
    return _Dialog(box, words, read, write, pick, content or box.content()).run()


class _Dialog:
    """One set-up being asked for."""

    def __init__(
        self,
        box: AnyBox,
        words: Words,
        read: Callable[[str], str],
        write: Callable[[str], None],
        pick: Callable[[Sequence[str]], str],
        content: Texts,
    ) -> None:
        self.box = box
        self.words = words
        self.read = read
        self.write = write
        self.pick = pick
        self.content = content

    def run(self) -> SeatSetup:
        """All questions; from the beginning when what was said cannot be played together."""
        while True:
            names = self.ask_names()
            values: dict[str, Any] = {"seats": names}
            for field in self.box.fields():
                values[field.name] = self.ask_until(field, names)
            try:
                return self.settle(values)
            except BadSetup as error:
                self.tell(error.phrase)

    def settle(self, values: dict[str, Any]) -> SeatSetup:
        """The set-up of what was said, with advice and, if wanted, other rulings."""
        setup = self.made(values)
        self.warn(setup)
        register = self.box.register()
        takes_rulings = "rulings" in self.box.setup_type.__struct_fields__
        if takes_rulings and register.switches:
            chosen = self.ask_rulings(register)
            if chosen:
                setup = self.made({**values, "rulings": chosen})
                self.warn(setup)
        return setup

    def made(self, values: dict[str, Any]) -> SeatSetup:
        """The record, tried out. Raises BadSetup."""
        try:
            setup: SeatSetup = msgspec.convert(values, self.box.setup_type)
        except msgspec.ValidationError as error:
            raise BadSetup(N_("That set-up cannot be: {error}"), error=str(error)) from error
        self.box.begin(setup, self.content)
        return setup

    def warn(self, setup: SeatSetup) -> None:
        """What the table should know."""
        for warning in self.box.warnings(setup):
            self.tell(Phrase(N_("Mind: {warning}"), {"warning": warning}))

    # -- players -------------------------------------------------------------------------------

    def ask_names(self) -> tuple[str, ...]:
        """The players in turn order, one or several a line; an empty line ends the list."""
        least, most = self.box.seats
        text = N_("Who plays? {least} to {most} players, in turn order; an empty line ends.")
        if least == most:
            text = N_("Who plays? {most} players, in turn order.")
        self.tell(Phrase(text, {"least": least, "most": most}))
        names: list[str] = []
        while len(names) < most:
            name = self.ask(Phrase(N_("Player {number}:"), {"number": len(names) + 1})).strip()
            if name:
                for one in filter(None, map(str.strip, _COMMAS.split(name))):
                    self.add_name(names, one)
            elif len(names) >= least:
                break
            else:
                self.tell(Phrase(N_("At least {least} players are needed."), {"least": least}))
        return tuple(names)

    def add_name(self, names: list[str], name: str) -> None:
        """Take a name, or say why it cannot be one."""
        try:
            check_names((*names, name))
            names.append(name)
        except BadSetup as error:
            self.tell(error.phrase)

    # -- what the box asks ---------------------------------------------------------------------

    def ask_until(self, field: Field, names: Sequence[str]) -> Value:
        """Ask again, with the reason, until the answer is one."""
        while True:
            try:
                return self.ask_field(field, names)
            except CompanionError as error:
                self.tell(error.phrase)

    def ask_field(self, field: Field, names: Sequence[str]) -> Value:
        """One of the box's questions. Raises NotUnderstood with what is allowed."""
        default = self.shown(field.default)
        for number, choice in enumerate(field.choices, 1):
            self.write(f"  {number}) {self.shown(choice)}")
        question = Phrase(
            N_("{question} [{default}]"), {"question": field.label, "default": default}
        )
        typed = self.ask(question).strip()
        value = self.read_value(field, typed, names) if typed else field.default
        if field.seat and value == RANDOM:
            return self.pick(seat_ids(len(names)))
        return value

    def read_value(self, field: Field, typed: str, names: Sequence[str]) -> Value:
        """What was typed as a value of the field."""
        if isinstance(field.default, bool):
            return _yes_or_no(typed)
        if field.seat:
            return self.read_player(typed, names)
        if field.choices:
            return self.read_one(field.choices, typed)
        if isinstance(field.default, int):
            return _in_range(field, typed)
        return typed

    def read_player(self, typed: str, names: Sequence[str]) -> str:
        """A player, or chance."""
        words = {fold(RANDOM), fold(self.shown(RANDOM))}
        if fold(typed) in words:
            return RANDOM
        return read_seat(typed, dict(zip(seat_ids(len(names)), names, strict=True)))

    def read_one(self, choices: Sequence[str], typed: str) -> str:
        """One of the choices by number, word or the beginning of either language's word."""
        number = read_number(typed)
        if number is not None and 0 < number <= len(choices):
            return choices[number - 1]
        said = {choice: (fold(choice), fold(self.shown(choice))) for choice in choices}
        exact = [choice for choice, both in said.items() if fold(typed) in both]
        begun = [c for c, both in said.items() if any(w.startswith(fold(typed)) for w in both)]
        found = exact or begun
        if len(found) == 1:
            return found[0]
        raise NotUnderstood(
            N_("“{typed}” is not understood. You can say {options}."),
            typed=shorten(typed),
            options=[self.shown(choice) for choice in choices],
        )

    # -- rulings -------------------------------------------------------------------------------

    def ask_rulings(self, register: Register) -> dict[str, str]:
        """The rulings that a table wants otherwise; none for the defaults."""
        asked = Phrase(
            N_("Open questions of the rules: Enter = the usual answers, rulings = list them:")
        )
        chosen: dict[str, str] = {}
        while True:
            typed = self.ask(asked).replace("=", " ").split()
            if not typed:
                return chosen
            if fold(typed[0]) in SHOW_RULINGS:
                self.list_rulings(register)
            else:
                self.choose(register, chosen, typed)
            asked = Phrase(
                N_("A ruling and a variant, such as {example}; Enter ends:"),
                {"example": _example(register)},
            )

    def choose(self, register: Register, chosen: dict[str, str], typed: Sequence[str]) -> None:
        """Note one choice, or say what is allowed."""
        known = {fold(ruling.id): ruling.id for ruling in register.switches}
        ruling = known.get(fold(typed[0]), typed[0])
        try:
            register.check({ruling: fold(typed[1]) if len(typed) > 1 else ""})
            chosen[ruling] = fold(typed[1])
        except BadSetup as error:
            self.tell(error.phrase)

    def list_rulings(self, register: Register) -> None:
        """Every switch with its question and its variants, the usual one marked."""
        for ruling in register.switches:
            self.tell(Phrase("{id} {question}", {"id": ruling.id, "question": ruling.title}))
            for variant in ruling.choice:
                mark = "●" if variant.name == ruling.default else "○"
                text = self.words.say(Named(variant.text))
                self.write(clean(f"  {mark} {variant.name}: {text}"))

    # -- saying --------------------------------------------------------------------------------

    def shown(self, value: Value) -> str:
        """A value as it is shown."""
        if isinstance(value, bool):
            return self.words.say(Phrase(N_("yes")) if value else Phrase(N_("no")))
        return self.words.say(Phrase(value)) if isinstance(value, str) else str(value)

    def ask(self, question: Phrase) -> str:
        return self.read(clean(self.words.say(question)) + " ")

    def tell(self, phrase: Phrase) -> None:
        """One line."""
        self.write(clean(self.words.say(phrase)))


CHANCE = N_("random")
"""`RANDOM` for the catalogues."""


def _yes_or_no(typed: str) -> bool:
    if fold(typed) in YES | NO:
        return fold(typed) in YES
    raise NotUnderstood(N_("Answer yes or no."))


def _in_range(field: Field, typed: str) -> int:
    number = read_number(typed)
    least, most = field.least, field.most
    too_small = number is not None and least is not None and number < least
    too_great = number is not None and most is not None and number > most
    if number is None or too_small or too_great:
        raise NotUnderstood(
            N_("“{typed}” cannot be. Allowed: {least} to {most}."),
            typed=shorten(typed),
            least="…" if least is None else least,
            most="…" if most is None else most,
        )
    return number


def _example(register: Register) -> str:
    """A ruling with a variant that is not its usual one."""
    ruling = register.switches[0]
    other = next((v.name for v in ruling.choice if v.name != ruling.default), ruling.default)
    return f"{ruling.id} {other}"
