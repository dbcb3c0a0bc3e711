"""A table without a terminal: boot page, questions by buttons, the game, and again.

`companion serve` is what a service starts. It ends by SIGTERM, SIGINT or "stop" on the display, and
leaves "safe to unplug" standing there.
"""

from __future__ import annotations

import argparse
import faulthandler
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from companion.configuration import Configuration, rescued
from companion.devices.settings import DeviceSettings
from companion.devices.station import Station
from companion.equipping import (
    SIMULATED,
    configuration_of,
    games_of,
    handset_of,
    playable,
    things_of,
    things_of_all,
)
from companion.exits import Exit
from companion.games.shelf import open_box
from companion.host import (
    Table,
    default_journal,
    go_on_from_stored,
    new_table,
    pick_seat,
    resume_table,
)
from companion.journal import Journal, JournalError
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
from companion.screens.handset.stack import PageStack, Passing
from companion.simulation import SimulatedTags, Simulation, working_station
from companion.starting import PAUSES, Waiting, in_one_line, shortcomings
from companion.supervision import DeviceLog, Supervisor
from companion.tabletop import Tabletop, TagBook, fonts_for
from companion.typed import TypedLines
from companion.words import Words
from companion.workbench import HANDS, Workbench

COLUMNS = 80
LOOK = 0.2
"""Seconds between two looks whether the display has turned over."""
READY_AFTER = 4.0
"""Seconds after which the table counts as ready, whatever its devices say by then."""
CHECK = N_("Check that the table stands as shown. Where it does not: correct.")


class Server:
    """One table that lives as long as its devices: game after game.

    `texts` are the content files of each game that can be played, by its name; `log` takes what
    is to be read later of devices that come and go.
    """

    def __init__(
        self,
        station: Station,
        journal: Journal,
        book: TagBook,
        words: Words,
        texts: Mapping[str, Texts],
        *,
        news: Sequence[Phrase] = (),
        supervisor: Supervisor | None = None,
        log: Callable[[Phrase], None] = lambda _: None,
    ) -> None:
        self.journal = journal
        self.texts = texts
        self.words, self.fonts = fonts_for(words)
        self.boot = Boot(self.words, self.fonts)
        self.tabletop = Tabletop(station, book, self.boot)
        self.tabletop.wishes = self.grant
        self.table: Table | None = None
        self.supervisor = supervisor or Supervisor({})
        self._news = list(news)
        for phrase in news:
            log(phrase)
        self._devices = DeviceLog(log)
        self._began = self.tabletop.clock()

    def run(self) -> None:
        """Turn until somebody stops; then leave the last page standing."""
        while not self.tabletop.stopped:
            self.turn()
        self.supervisor.stopping()
        self.tabletop.farewell(self.words)

    def turn(self) -> None:
        """Once round."""
        self.tabletop.turn(wait=0.1)
        if self.tabletop.scene is self.boot and self.boot.over:
            self.ask(first=True)
            self._tell_news()
        self._report()

    # -- for whoever runs the service ------------------------------------------------------------

    def _report(self) -> None:
        """Say that the loop turns, how the game stands, and which devices came or went."""
        station = self.tabletop.station
        self._devices.look(station.health.all().values())
        self.supervisor.turned(lambda: self.words.say(self.status()))
        if station.settled or self.tabletop.clock() - self._began >= READY_AFTER:
            self.supervisor.ready()

    def status(self) -> Phrase:
        """The game and whose turn it is, as everybody at the table sees it."""
        table = self.table
        if table is None:
            return Phrase(N_("No game yet"))
        with self.tabletop.lock:
            args = {"game": table.box.title, "number": table.number, "label": table.label()}
        return Phrase(N_("{game}, game {number}: {label}"), args)

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
        table.seals.book = self.tabletop.tags
        self._speak(table.header.language or self.words.language)
        scene = handset_of(table, self.words, things_of(table))
        self.tabletop.enter(scene, table.box.name, table.seals.seal)

    def _tell_news(self) -> None:
        """Lay what people have to know on the first scene; it turns over by itself."""
        scene = self.tabletop.scene
        if self._news and isinstance(scene, PageStack):
            title = Phrase(N_("Please note"))
            scene.open(Passing(lambda panels: [panels.text(title, self._news)]))
            self.tabletop.show()

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
    """SIGTERM, SIGINT and the end of the terminal call `stop` until the end of the block."""

    def take(_number: int, _frame: FrameType | None) -> None:
        stop()

    numbers = [signal.SIGTERM, signal.SIGINT]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # else it was started by nohup
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, take) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def serve(options: argparse.Namespace, words: Words, own: Mapping[str, Path]) -> int:
    """Run a table on its devices until it is stopped; gives the exit code.

    `own` are content files in the place of those that ship. On simulated devices somebody sits at
    a terminal and is told there what keeps it from beginning; a box says it on its display.
    """
    games_of(options.game, own)  # what was mistyped is not waited for
    if options.devices == SIMULATED:
        return _serve_by_hand(options, words, own)
    faulthandler.enable()  # the watchdog's signal tells where it hangs
    service = Service(options, words, own)
    with stopped_by_signals(service.halt):
        service.run()
    return Exit.DONE


class Service:
    """A box that starts by itself: what keeps it from beginning is shown and tried again.

    `simulate` gives the chips in the place of real ones, None for none; `log` takes lines for
    the system's log.
    """

    def __init__(
        self,
        options: argparse.Namespace,
        words: Words,
        own: Mapping[str, Path],
        *,
        simulate: Callable[[DeviceSettings], Simulation | None] = lambda _: None,
        log: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
        pauses: Sequence[float] = PAUSES,
    ) -> None:
        self.options = options
        self.words = words
        self.own = own
        self.simulate = simulate
        self.log = log
        self.pauses = pauses
        self.stop = threading.Event()
        self.supervisor = Supervisor()
        self.server: Server | None = None

    def halt(self) -> None:
        """End soon; for any thread."""
        self.stop.set()
        if self.server is not None:
            self.server.tabletop.stop()

    def run(self) -> None:
        """Begin as soon as that is possible; until somebody stops it."""
        configuration = self._configuration()
        if configuration is None:
            return
        self.words = _spoken(self.options, configuration, self.words)
        with working_station(
            configuration.devices, self.simulate(configuration.devices)
        ) as station:
            waiting = self._waiting(station, self.pauses)
            complete = waiting.until(lambda: playable(self.options.game, self.own))
            while complete is not None and not self.stop.is_set():
                journal = waiting.until(lambda: _journal(self.options, configuration))
                if journal is not None:
                    with journal:
                        self._serve(station, journal, *complete, waiting)

    def _configuration(self) -> Configuration | None:
        """What is wired. While the file cannot be used, what it is good for shows why."""

        def read() -> Configuration:
            return configuration_of(self.options.devices, self.options.config)

        try:
            return read()
        except CompanionError:
            rescue = rescued(self.options.config)
        self.words = _spoken(self.options, rescue, self.words)
        with working_station(rescue.devices, self.simulate(rescue.devices)) as station:
            return self._waiting(station, self.pauses[:1]).until(read)

    def _waiting(self, station: Station, pauses: Sequence[float]) -> Waiting:
        return Waiting(station, self.words, self.stop, self.supervisor, self.log, pauses=pauses)

    def _serve(
        self,
        station: Station,
        journal: Journal,
        texts: Mapping[str, Texts],
        missing: Sequence[Phrase],
        waiting: Waiting,
    ) -> None:
        """Game after game, until somebody stops it or the journal turns out to be damaged."""
        self.server = Server(
            station,
            journal,
            journal,
            self.words,
            texts,
            news=news_of(journal, missing, self.words),
            supervisor=self.supervisor,
            log=lambda phrase: self.log(in_one_line(phrase, self.words)),
        )
        if self.stop.is_set():  # meanwhile
            self.server.tabletop.stop()
        try:
            self.server.run()
        except JournalError as error:
            waiting.after(error)
        else:
            self.stop.set()


def news_of(journal: Journal, missing: Sequence[Phrase], words: Words) -> list[Phrase]:
    """What people have to know before they play: what was mended or is missing."""
    recovered = [] if journal.recovery is None else [journal.recovery.phrase]
    return [*recovered, *missing, *shortcomings(words)]


def _spoken(options: argparse.Namespace, configuration: Configuration, words: Words) -> Words:
    """The language of the command line, else of the configuration, else of the machine."""
    wanted = configuration.language
    return words if options.language is not None or wanted is None else Words(wanted)


def _journal(options: argparse.Namespace, configuration: Configuration) -> Journal:
    return Journal(options.journal or configuration.journal or default_journal())


# -- by hand ---------------------------------------------------------------------------------------


def _serve_by_hand(options: argparse.Namespace, words: Words, own: Mapping[str, Path]) -> int:
    configuration = configuration_of(options.devices, options.config)
    words = _spoken(options, configuration, words)
    texts, missing = playable(options.game, own)
    things = things_of_all(texts)
    book = SimulatedTags(things)
    simulation = Simulation(configuration.devices)
    with (
        _journal(options, configuration) as journal,
        working_station(configuration.devices, simulation) as station,
    ):
        news = news_of(journal, missing, words)
        for phrase in news:
            print(words.say(phrase), file=sys.stderr)
        server = Server(station, journal, book, words, texts, news=news, supervisor=Supervisor())
        with stopped_by_signals(server.tabletop.stop):
            return _by_hand(server, Workbench(simulation, server.tabletop, book, things, words))


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
