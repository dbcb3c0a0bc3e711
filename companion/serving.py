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
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType

from companion.configuration import Configuration
from companion.devices.station import Station
from companion.equipping import (
    SIMULATED,
    configuration_of,
    handset_of,
    things_of,
    things_of_all,
)
from companion.games.shelf import GAMES, open_box
from companion.host import (
    Table,
    default_journal,
    go_on_from_stored,
    new_table,
    pick_seat,
    resume_table,
)
from companion.journal import Journal
from companion.rules.errors import CompanionError, DifferentRules
from companion.rules.phrases import N_, Phrase
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
from companion.words import Words
from companion.workbench import Workbench

COLUMNS = 80


class Server:
    """One table that lives as long as its devices: game after game."""

    def __init__(self, station: Station, journal: Journal, book: TagBook, words: Words) -> None:
        self.journal = journal
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
            [open_box(name) for name in GAMES],
            self.words,
            self.fonts,
            lambda seats: pick_seat(list(seats)),
            open_games=open_games,
            ask_language=first and not open_games,
        )
        self.tabletop.enter(scene)

    def _open_games(self) -> list[OpenGame]:
        return [
            OpenGame(game.id, open_box(game.game).title, game.label)
            for game in self.journal.games()
            if not game.finished and game.game in GAMES
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
        box = open_box(wish.game)
        table = new_table(box, wish.setup, box.content(), self.journal, language=wish.language)
        self.play(table)

    def _resume(self, wish: Resume) -> None:
        try:
            table = resume_table(self.journal, wish.number)
        except DifferentRules:
            table = go_on_from_stored(self.journal, wish.number)
        self.play(table)
        self.tabletop.scene.notice(
            Phrase(N_("Going on")),
            Phrase(N_("Check that the table stands as shown. Where it does not: correct.")),
        )


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


def serve(options: argparse.Namespace, words: Words) -> int:
    """Run a table on its devices until it is stopped; gives the exit code."""
    configuration = configuration_of(options.devices, options.config)
    if options.language is None and configuration.language is not None:
        words = Words(configuration.language)
    simulated = options.devices == SIMULATED
    simulation = Simulation(configuration.devices) if simulated else None
    with ExitStack() as stack:
        journal = stack.enter_context(Journal(_journal(options, configuration)))
        book = SimulatedTags(things_of_all()) if simulated else journal
        station = stack.enter_context(working_station(configuration.devices, simulation))
        server = Server(station, journal, book, words)
        if simulation is not None and isinstance(book, SimulatedTags):
            bench = Workbench(simulation, server.tabletop, book, things_of_all(), words)
            return _by_hand(server, bench)
        with stopped_by_signals(server.tabletop.stop):
            server.run()
    return 0


def _journal(options: argparse.Namespace, configuration: Configuration) -> Path:
    path: Path = options.journal or configuration.journal or default_journal()
    return path


# -- by hand ---------------------------------------------------------------------------------------


def _leave() -> None:
    """Wake whoever waits for a line."""
    raise EOFError


def _line(bench: Workbench) -> bool:
    """Show the picture, take a line, do what it says; gives whether it could be done."""
    print("\n".join(bench.picture(*shutil.get_terminal_size((COLUMNS, 24)))), flush=True)
    line = input("> ").strip()
    if not sys.stdin.isatty():
        print(line)
    try:
        told = bench.handle(line) if line else ""
    except CompanionError as error:
        print(bench.words.say(error.phrase))
        return False
    print("\n".join(bench.help()) if told is None else told)
    return told is not None


def _by_hand(server: Server, bench: Workbench) -> int:
    """A simulated table in a terminal: the picture, and lines that are hands."""
    thread = threading.Thread(target=server.run, name="table", daemon=True)
    thread.start()
    bench.wait_for_devices()
    failed = False
    with suppress(EOFError), stopped_by_signals(_leave):
        while not server.tabletop.stopped:
            failed = not _line(bench) or failed
    server.tabletop.stop()
    thread.join()
    return int(failed)
