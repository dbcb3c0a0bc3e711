"""A table in a terminal or on a pipe: begin or go on, then line after line."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import msgspec

from companion.games.shelf import open_box
from companion.host import (
    Table,
    default_journal,
    go_on_from_stored,
    look_at,
    new_table,
    pick_seat,
    read_content,
    resume_table,
)
from companion.journal import Journal, Reader, StoredGame
from companion.rules.box import AnyBox
from companion.rules.errors import BadSetup, CompanionError, DifferentRules
from companion.rules.phrases import N_, Phrase
from companion.rules.setups import SeatSetup, seat_ids
from companion.screens.commands import Command
from companion.screens.dialog import RANDOM, ask_language, ask_setup
from companion.screens.pixels import NoFont
from companion.screens.telling import Teller, paragraphs
from companion.screens.terminal import Terminal
from companion.words import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.configuration import Configuration

COLUMNS = 80
LOOK = 0.2
"""Seconds between two looks whether a simulated display has turned over."""


class Beside(Protocol):
    """What there is beside the terminal: devices, or nothing."""

    @property
    def hands(self) -> Sequence[Command]:
        """What hands can be told to do."""

    @property
    def stale(self) -> bool:
        """Whether a display that only exists here shows something else than was asked for last."""

    def handle(self, line: str) -> str | None:
        """Do what hands are told to; None where a line is nothing for them."""

    def speak(self, words: Words) -> None:
        """The terminal goes on in this language."""

    def look(self) -> None:
        """The terminal may have changed the game."""

    def picture(self, columns: int, rows: int) -> list[str]:
        """What a display shows that only exists here, as text."""


class Nothing:
    """No devices."""

    hands = ()
    stale = False

    def handle(self, line: str) -> None:
        """Nothing is for hands."""

    def speak(self, words: Words) -> None:
        """Nothing speaks."""

    def look(self) -> None:
        """Nothing looks."""

    def picture(self, columns: int, rows: int) -> list[str]:
        """Nothing is shown."""
        return []


NO_EQUIPMENT = Nothing()


class Console:
    """Where lines come from and texts go: a person at a terminal, or a script."""

    def __init__(self, words: Words, script: TextIO | None = None) -> None:
        self.words = words
        self.script = script
        if self.person:
            with suppress(ImportError):
                import_module("readline")  # input() then edits lines and remembers them

    @property
    def columns(self) -> int:
        """How wide the terminal is now."""
        return COLUMNS if self.script else shutil.get_terminal_size((COLUMNS, 24)).columns

    @property
    def rows(self) -> int:
        """How high the terminal is now, 0 for a script."""
        return 0 if self.script else shutil.get_terminal_size((COLUMNS, 24)).lines

    @property
    def person(self) -> bool:
        """Whether somebody sits there, rather than a script or pipe."""
        return self.script is None and sys.stdin.isatty()

    def read(self, question: str) -> str:
        """The next line; a script's lines are shown as they are taken. Raises EOFError."""
        if self.script is None:
            return input(question)
        line = self.script.readline()
        if not line:
            raise EOFError
        print(f"{question}{line.rstrip()}")
        return line.rstrip("\n")

    def write(self, text: str) -> None:
        """Show a text, its lines broken where the terminal ends."""
        print("\n".join(paragraphs(text.split("\n"), self.columns)), flush=True)

    def write_between(self, text: str) -> None:
        """Show a text while somebody types, and again what is typed so far."""
        self.write("\n" + text)
        readline = sys.modules.get("readline")
        print("> " + (readline.get_line_buffer() if readline else ""), end="", flush=True)

    def say(self, text: str, **args: object) -> None:
        """Show a message in the table's language."""
        self.write(self.words.say(Phrase(text, args)))


def play(options: argparse.Namespace, words: Words, own: Mapping[str, Path]) -> int:
    """Open a table and play until somebody quits or the lines end; gives the exit code."""
    box = open_box(options.game)
    content = read_content(box, own)
    configuration = _configuration(options)
    with ExitStack() as stack:
        script = None
        if options.script is not None:
            script = stack.enter_context(_open_script(options.script))
        console = Console(words, script)
        journal = _open_journal(options, console, stack)
        try:
            table = _table(options, box, content, journal, console)
            return _lines(table, options, configuration, console)
        except EOFError:
            console.write("")
            return 0


def _configuration(options: argparse.Namespace) -> Configuration | None:
    """What is wired, where devices were asked for; read before a game is begun."""
    if options.devices is None and options.config is None:
        return None
    from companion.equipping import configuration_of

    return configuration_of(options.devices, options.config)


def _open_script(name: str) -> TextIO:
    if name == "-":
        return os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
    try:
        return Path(name).open(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadSetup(
            N_("{file} cannot be read: {error}"), file=name, error=error.strerror or "?"
        ) from error


def _open_journal(
    options: argparse.Namespace, console: Console, stack: ExitStack
) -> Journal | None:
    """The journal to write; a script writes none unless it names one."""
    if console.script is not None and options.journal is None:
        return None
    journal = stack.enter_context(Journal(options.journal or default_journal()))
    if journal.recovery is not None:
        console.write(console.words.say(journal.recovery.phrase))
    return journal


# -- which table -----------------------------------------------------------------------------------


def _table(
    options: argparse.Namespace,
    box: AnyBox,
    content: Mapping[str, str],
    journal: Journal | None,
    console: Console,
) -> Table:
    """The table that the options mean: the one left open, a numbered one, or a new one."""
    if journal is not None and options.resume is not None:
        return _resume(journal, options.resume, console)
    if journal is not None and not options.new:
        open_games = [g for g in journal.games() if g.game == box.name and not g.finished]
        if open_games:
            chosen, language = console.words, journal.load(open_games[0].id).header.language
            if options.language is None and language in LANGUAGES:
                console.words = Words(language)
            if _wants_to_go_on(open_games[0], console):
                return _resume(journal, open_games[0].id, console)
            console.words = chosen
    setup = _setup(options, box, content, console)
    return new_table(
        box,
        setup,
        content,
        journal,
        silences=not options.ask_all,
        language=console.words.language,
    )


def _setup(
    options: argparse.Namespace, box: AnyBox, content: Mapping[str, str], console: Console
) -> SeatSetup:
    """The set-up that the options give, or that people are asked for."""
    if options.players is None and console.person and options.language is None:
        console.words = ask_language(console.words, console.read, console.write)
    for advice in box.check(content):
        console.write(console.words.say(advice))
    if options.players is None:
        return ask_setup(
            box, console.words, console.read, console.write, pick=_pick, content=content
        )
    setup = _setup_from_options(options, box)
    for warning in box.warnings(setup):
        console.write(console.words.say(warning))
    return setup


def _pick(seats: Sequence[str]) -> str:
    return pick_seat(list(seats))


def _wants_to_go_on(game: StoredGame, console: Console) -> bool:
    question = Phrase(
        N_("Game {number} is still open ({label}). Go on with it? [yes] / new: "),
        {"number": game.id, "label": game.label or "1"},
    )
    answer = console.read(console.words.say(question)).strip().casefold()
    return answer not in ("new", "n", "no", "baru", "tidak", "新規", "いいえ")


def _resume(journal: Journal, number: int, console: Console) -> Table:
    """Go on where it stood; under other rules by the table's choice."""
    try:
        table = resume_table(journal, number)
    except DifferentRules as error:
        console.write(console.words.say(error.phrase))
        console.say(
            N_("Go on from the stored state under today's rules (on), or only look (look)?")
        )
        if console.read("> ").strip().casefold() == "on":
            table = go_on_from_stored(journal, number)
        else:
            table = look_at(journal, number)
    console.say(N_("Check that the table stands as shown. Where it does not: correct."))
    return table


def _setup_from_options(options: argparse.Namespace, box: AnyBox) -> SeatSetup:
    """A set-up without questions. Raises BadSetup, saying what is allowed."""
    names = [name.strip() for name in options.players.split(",")]
    values: dict[str, Any] = {"seats": names, "rulings": {}}
    seats = seat_ids(len(names))
    called = dict(zip((name.casefold() for name in names), seats, strict=True))
    truths = {field.name for field in box.fields() if isinstance(field.default, bool)}
    values |= {field.name: field.default for field in box.fields() if field.seat}
    for choice in options.choices:
        name, equals, value = choice.partition("=")
        if not equals:
            raise BadSetup(N_("{choice}: say FIELD=VALUE, such as laps=1."), choice=choice)
        if name in box.register().rulings:
            values["rulings"][name] = value
        else:
            values[name] = _yes_or_no(value) if name in truths else value
    for field in box.fields():
        if field.seat and values[field.name] == RANDOM:
            values[field.name] = pick_seat(seats)
        elif field.seat:
            value = str(values[field.name])
            values[field.name] = called.get(value.casefold(), value)
    try:
        setup: SeatSetup = msgspec.convert(values, box.setup_type, strict=False)
        return setup
    except msgspec.ValidationError as error:
        raise BadSetup(
            N_("That set-up cannot be: {error}. Fields: {fields}."),
            error=str(error),
            fields=[field.name for field in box.fields()],
        ) from error


def _yes_or_no(value: str) -> bool:
    words = {"yes": True, "true": True, "no": False, "false": False}
    if value.casefold() not in words:
        raise BadSetup(N_("{value}: say yes or no."), value=value)
    return words[value.casefold()]


# -- line after line -------------------------------------------------------------------------------


def _lines(
    table: Table,
    options: argparse.Namespace,
    configuration: Configuration | None,
    console: Console,
) -> int:
    if configuration is None:
        return _read_lines(table, _terminal(table, options, console), console, NO_EQUIPMENT)
    from companion.equipping import SIMULATED, equipped

    simulated = options.devices == SIMULATED
    terminal = _terminal(table, options, console, has_display=simulated)

    def changed() -> None:
        """A device has done something: where a person sits at the terminal, show it there too."""
        if console.person and not simulated and terminal.look():
            console.write_between(terminal.screen())

    with equipped(
        table, configuration, console.words, simulated=simulated, changed=changed
    ) as equipment:
        return _read_lines(table, terminal, console, equipment)


def _read_lines(table: Table, terminal: Terminal, console: Console, equipment: Beside) -> int:
    failed = False
    redraw = True
    terminal.hands = equipment.hands
    while not terminal.closed:
        terminal.columns, terminal.rows = console.columns, console.rows
        picture = equipment.picture(console.columns, console.rows)
        if redraw:
            console.write("\n".join([*picture, terminal.screen()]))
        elif picture:
            console.write("\n".join(picture))
        try:
            with _kept_fresh(equipment, console):
                line = console.read("> ")
        except (EOFError, KeyboardInterrupt):
            console.write("")
            break
        told = _do(line, table, terminal, equipment)
        if told:
            console.write(told)
        redraw = terminal.redraw and not terminal.closed
        failed = failed or terminal.failed
    return 1 if failed and console.script is not None else 0


@contextmanager
def _kept_fresh(equipment: Beside, console: Console) -> Iterator[None]:
    """While a person thinks what to type, show what the display turns to by itself."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(LOOK):
            if equipment.stale:
                picture = equipment.picture(console.columns, console.rows)
                console.write_between("\n".join(picture))

    if not console.person or not equipment.hands:
        yield
        return
    watcher = threading.Thread(target=watch, name="watcher", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _do(line: str, table: Table, terminal: Terminal, equipment: Beside) -> str:
    """What a line comes to: hands at a simulated device, or an answer or command."""
    try:
        told = equipment.handle(line)
    except CompanionError as error:
        terminal.failed, terminal.redraw = True, False
        return terminal.words.say(error.phrase)
    if told is not None:
        with table.lock:
            terminal.look()
        return told
    words = terminal.words
    with table.lock:
        told = terminal.handle(line)
    if terminal.words is not words:
        equipment.speak(terminal.words)
    equipment.look()
    return told


def _terminal(
    table: Table, options: argparse.Namespace, console: Console, *, has_display: bool = False
) -> Terminal:
    """The terminal with its small picture, or without where the font is missing.

    `has_display`: a simulated display shows the picture already.
    """
    oled = not has_display and (options.oled if options.oled is not None else console.person)
    try:
        return _make_terminal(table, console, oled=oled)
    except NoFont as error:
        console.write(console.words.say(error.phrase))
        return _make_terminal(table, console, oled=False)


def _make_terminal(table: Table, console: Console, *, oled: bool) -> Terminal:
    return Terminal(
        table.session,
        table.box,
        table.wording,
        console.words,
        columns=console.columns,
        oled=oled,
        kept=table.journal is not None,
    )


# -- looking things up -----------------------------------------------------------------------------


def list_games(path: Path | None, words: Words) -> Iterator[str]:
    """The games of a journal, the newest first, as lines."""
    file = path or default_journal()
    if not file.exists():
        yield words.say(Phrase(N_("There is no journal at {file} yet."), {"file": str(file)}))
        return
    with Reader(file) as journal:
        games = journal.games()
        if not games:
            yield words.say(Phrase(N_("No game is kept yet.")))
        for game in games:
            text = N_("{number}  {game}  {started}  ({label})")
            if game.finished:
                text = N_("{number}  {game}  {started}  ({label}, finished)")
            yield words.say(
                Phrase(
                    text,
                    {
                        "number": game.id,
                        "game": game.game,
                        "started": game.started[:16],
                        "label": game.label,
                    },
                )
            )


def find_rules(game: str, text: str, words: Words) -> list[str]:
    """The rules and rulings that fit a word or number; without one, the contents."""
    box = open_box(game)
    names = seat_ids(box.seats[0])
    setup = msgspec.convert({"seats": names}, box.setup_type)
    table = new_table(box, setup, box.content())
    teller = Teller(table.session, table.wording, words, None)
    return teller.search(text) if text else teller.contents()
