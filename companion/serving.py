"""A table without a terminal: boot page, questions by buttons, the game, and again.

`companion serve` is what a service starts. It ends by SIGTERM, SIGINT or "stop" on the display, and
leaves "safe to unplug" standing there.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType

from companion.configuration import Configuration
from companion.devices.station import Station
from companion.equipping import (
    SIMULATED,
    configuration_of,
    contents,
    handset_of,
    things_of,
    things_of_all,
)
from companion.games.shelf import open_box
from companion.host import (
    Table,
    default_journal,
    go_on_from_stored,
    new_table,
    pick_seat,
    resume_table,
)
from companion.journal import Journal
from companion.rules.box import Texts
from companion.rules.errors import CompanionError, DifferentRules
from companion.rules.phrases import N_, Phrase
from companion.screens.commands import HELP, QUIT, Commands
from companion.screens.handset import (
    Begin,
    NewGame,
    OpenGame,
    Resume,
    SetupHandset,
    Speak,
    Stop,
    Wish,
)
from companion.screens.handset.boot import Boot
from companion.simulation import SimulatedTags, Simulation, working_station
from companion.tabletop import Tabletop, TagBook, fonts_for
from companion.typed import TypedLines
from companion.words import Words
from companion.workbench import HANDS, Workbench

COLUMNS = 80
LOOK = 0.2
"""Seconds between two looks whether the display has turned over."""
CHECK = N_("Check that the table stands as shown. Where it does not: correct.")


class Server:
    """One table that lives as long as its devices: game after game.

    `texts` are the content files of each game that can be played, by its name.
    """

    def __init__(
        self,
        station: Station,
        journal: Journal,
        book: TagBook,
        words: Words,
        texts: Mapping[str, Texts],
    ) -> None:
        self.journal = journal
        self.texts = texts
        self.words, self.fonts = fonts_for(words)
        self.boot = Boot(self.words, self.fonts)
        self.tabletop = Tabletop(station, book, self.boot)
        self.tabletop.wishes = self.grant
        self.table: Table | None = None

    def run(self) -> None:
        """Turn until somebody stops; then leave the last page standing."""
        while not self.tabletop.stopped:
            self.turn()
        self.tabletop.farewell(self.words)

    def turn(self) -> None:
        """Once round."""
        self.tabletop.turn(wait=0.1)
        if self.tabletop.scene is self.boot and self.boot.over:
            self.ask(first=True)

    # -- scenes --------------------------------------------------------------------------------

    def ask(self, *, first: bool = False) -> None:
        """Put the questions before a game in front; one push goes on with a game that is open.

        Without buttons nobody could push, so `first` it is gone on with at once.
        """
        open_games = self._open_games()
        if first and open_games and not self.tabletop.station.has_buttons:
            self.grant(Resume(open_games[0].number, self.words.language))
            return
        if first and open_games:
            language = self.journal.load(open_games[0].number).header.language
            self._speak(language or self.words.language)
        self.table = None
        scene = SetupHandset(
            [open_box(name) for name in self.texts],
            self.words,
            self.fonts,
            lambda seats: pick_seat(list(seats)),
            open_games=open_games,
            texts=self.texts,
            ask_language=first and not open_games,
        )
        self.tabletop.enter(scene)

    def _open_games(self) -> list[OpenGame]:
        return [
            OpenGame(game.id, open_box(game.game).title, game.label)
            for game in self.journal.games()
            if not game.finished and game.game in self.texts
        ]

    def _speak(self, language: str) -> None:
        self.words, self.fonts = fonts_for(Words(language))

    def play(self, table: Table) -> None:
        """Put a game in front."""
        self.table = table
        self._speak(table.header.language or self.words.language)
        self.tabletop.enter(handset_of(table, self.words, things_of(table)), table.box.name)

    # -- wishes --------------------------------------------------------------------------------

    def grant(self, wish: Wish) -> None:
        """Do what only the host can do; say on the display why not."""
        try:
            self._grant(wish)
        except CompanionError as error:
            self.tabletop.scene.notice(Phrase(N_("Not done")), error.phrase)

    def _grant(self, wish: Wish) -> None:
        if isinstance(wish, Begin):
            self._begin(wish)
        elif isinstance(wish, Resume):
            self._resume(wish)
        elif isinstance(wish, NewGame):
            self.ask()
        elif isinstance(wish, Speak):
            self._speak(wish.language)
        elif isinstance(wish, Stop):
            self.tabletop.stop()

    def _begin(self, wish: Begin) -> None:
        box, texts = open_box(wish.game), self.texts[wish.game]
        self.play(new_table(box, wish.setup, texts, self.journal, language=wish.language))

    def _resume(self, wish: Resume) -> None:
        title, body = Phrase(N_("Going on")), Phrase(CHECK)
        try:
            table = resume_table(self.journal, wish.number)
        except DifferentRules:
            table = go_on_from_stored(self.journal, wish.number)
            title = Phrase(N_("Under new rules"))
        self.play(table)
        self.tabletop.scene.notice(title, body)


COMMANDS = Commands(*HANDS.all, HELP, QUIT)


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """SIGTERM and SIGINT call `stop` until the end of the block."""

    def take(_number: int, _frame: FrameType | None) -> None:
        stop()

    before = {number: signal.signal(number, take) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve(options: argparse.Namespace, words: Words, own: Mapping[str, Path]) -> int:
    """Run a table on its devices until it is stopped; gives the exit code.

    `own` are content files in the place of those that ship.
    """
    configuration = configuration_of(options.devices, options.config)
    if options.language is None and configuration.language is not None:
        words = Words(configuration.language)
    texts = contents(options.game, own)
    simulated = options.devices == SIMULATED
    simulation = Simulation(configuration.devices) if simulated else None
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(_journal(options, configuration)))
        book = SimulatedTags(things_of_all(texts)) if simulated else journal
        station = stack.enter_context(working_station(configuration.devices, simulation))
        server = Server(station, journal, book, words, texts)
        stack.enter_context(stopped_by_signals(server.tabletop.stop))
        if simulation is not None and isinstance(book, SimulatedTags):
            bench = Workbench(simulation, server.tabletop, book, things_of_all(texts), words)
            return _by_hand(server, bench)
        server.run()
    return 0


def _journal(options: argparse.Namespace, configuration: Configuration) -> Path:
    path: Path = options.journal or configuration.journal or default_journal()
    return path


# -- by hand ---------------------------------------------------------------------------------------


def _by_hand(server: Server, bench: Workbench) -> int:
    """A simulated table in a terminal: the picture, and lines that are hands.

    Only one that could not be done makes the exit code 1.
    """
    thread = threading.Thread(target=server.run, name="table", daemon=True)
    thread.start()
    bench.wait_for_devices()
    lines, failed = TypedLines(), False
    with suppress(EOFError):
        while (line := _next_line(server.tabletop, bench, lines)) is not None:
            failed = not _do(line, server.tabletop, bench) or failed
    server.tabletop.stop()
    thread.join()
    return int(failed)


def _next_line(tabletop: Tabletop, bench: Workbench, lines: TypedLines) -> str | None:
    """The next line, with the picture as it is meanwhile; None when the table has stopped."""
    _show(bench)
    while not tabletop.stopped:
        line = lines(LOOK)
        if line is not None:
            return line.strip()
        if bench.stale and sys.stdin.isatty():
            print()
            _show(bench)
    return None


def _show(bench: Workbench) -> None:
    picture = bench.picture(*shutil.get_terminal_size((COLUMNS, 24)))
    prompt = "> " if sys.stdin.isatty() else ""  # else the line is shown with it when it comes
    print("\n".join([*picture, prompt]), end="", flush=True)


def _do(line: str, tabletop: Tabletop, bench: Workbench) -> bool:
    """Do what a line says: hands, help or quit; buttons may be named alone. False: it could not."""
    say = bench.words.say
    command, rest = COMMANDS.find(line) or (None, "")
    try:
        if command is QUIT:
            tabletop.stop()
        elif command is HELP:
            print("\n".join(COMMANDS.help(rest, say)))
        elif line and (told := bench.handle(line)) is None:
            bench.handle(f"press {line}")
        elif line and told:
            print(told)
    except CompanionError as error:
        print(say(error.phrase))
        return False
    return True
