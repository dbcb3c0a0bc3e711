"""A table at which people play for very long: whether it grows, and whether it gets slower.

All of the product is at work on simulated chips, in one thread and in time that is driven: cards
are laid on a reader, the first option is taken by a button, the rest is typed; every answer is
written to a journal on the disk and drawn on the display.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

import msgspec

from benchmarks.play import SEED, seats_of
from companion.devices.display import Display
from companion.devices.inputs import Button, Push, Pushed
from companion.devices.readers import SpiReader
from companion.devices.settings import (
    DeviceSettings,
    DisplaySettings,
    PollSettings,
    ReaderSettings,
)
from companion.devices.simulated.bench import Bench, DrivenTime
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.oled import Ssd1306
from companion.devices.simulated.tags import tag
from companion.devices.station import Station
from companion.equipping import contents, things_of_all
from companion.games.shelf import open_box
from companion.host import Table, new_table
from companion.journal import Journal
from companion.rules.prompts import Choice
from companion.serving import Server
from companion.simulation import SimulatedTags
from companion.virtual import VirtualTable
from companion.words import Words

READER = ReaderSettings(name="A")
DISPLAY = DisplaySettings(driver="ssd1306")
POLL = PollSettings(period_ms=100, absent_ms=200, swap_ms=100)
LIFTED = 6
"""Polls after which a card that was taken away has left."""
LATEST = 500
"""So many of the last answers tell how long one takes."""


class SteppedStation(Station):
    """A station without threads: its reader and display do a bit of work when told to."""

    def __init__(self, time: DrivenTime) -> None:
        super().__init__(DeviceSettings())
        self.time = time
        clock, sleep = time.seconds, time.sleep
        self.reader = SpiReader(READER, POLL, self.inbox.put, clock=clock, sleep=sleep)
        self.oled = self.display = Display(DISPLAY, clock=clock, patience=0)

    def open(self) -> None:
        """Begin to work."""
        self.reader.open()
        self.oled.open()

    def close(self) -> None:
        """Let go of the chips."""
        self.reader.close()
        self.oled.close()

    def poll(self) -> None:
        """Look for cards once."""
        self.time.sleep(self.reader.step())


class LongTable:
    """Games in a row at one server, answered by virtual people."""

    def __init__(self, name: str, journal: Journal, station: SteppedStation, chip: Mfrc522) -> None:
        self.box = open_box(name)
        self.journal = journal
        self.station = station
        self.chip = chip
        self.texts = contents(name, {})
        self.book = SimulatedTags(things_of_all(self.texts))
        self.server = Server(station, journal, self.book, Words("en"), self.texts)
        self.server.tabletop.clock = station.time.seconds
        self.random = Random(SEED)
        self.games = self.answers = 0
        self.times: list[float] = []
        """Seconds of the processor for each input, until the last pixel, without the polls."""
        self._begin()

    @property
    def table(self) -> Table:
        """The game in front."""
        assert self.server.table is not None
        return self.server.table

    def _begin(self) -> None:
        names = [f"Player {n}" for n in range(seats_of(self.box))]
        setup = msgspec.convert({"seats": names}, self.box.setup_type)
        texts = self.texts[self.box.name]
        self.server.play(new_table(self.box, setup, texts, self.journal, language="en"))
        self.people = VirtualTable(self.table.session.game, self.random)
        self.games += 1

    def answer(self) -> None:
        """One answer of somebody; a new game where the last one is over."""
        session = self.table.session
        if session.over:
            self._begin()
            return
        choice = self.people.answer(session.prompt)
        before = len(session.entries)
        if choice in self.book.uids:
            self._tap(str(choice))
        elif self._is_first(choice):
            self._push()
        if len(session.entries) == before:
            self._timed(lambda: self._type(choice))
        self.answers += 1

    # -- ways to answer ------------------------------------------------------------------------

    def _tap(self, thing: str) -> None:
        sticker = tag(bytes.fromhex(self.random.choice(self.book.uids[thing])))
        self.chip.put(sticker)
        while self.station.inbox.empty():
            self.station.poll()
        self._timed(self._turn)
        self.chip.take(sticker)
        for _ in range(LIFTED):
            self.station.poll()
        self._turn()

    def _is_first(self, choice: Choice) -> bool:
        return next(iter(self.table.session.prompt.options()), None) == choice

    def _push(self) -> None:
        """Leave whatever lies on the question, then take what is chosen there."""
        for button in (Button.UP, Button.OK):
            self.station.time.sleep(1.0)
            at = self.station.time.seconds()
            self.station.inbox.put(Pushed(button, Push.SHORT, at))
            self._timed(self._turn)

    def _type(self, choice: Choice) -> None:
        """As a terminal beside it does."""
        self.table.session.answer(choice)
        self.server.tabletop.look()
        self.station.oled.step()

    def _turn(self) -> None:
        while self.server.tabletop.turn():
            pass
        self.station.oled.step()

    def _timed(self, act: Callable[[], None]) -> None:
        began = process_time()
        act()
        self.times.append(process_time() - began)


@contextmanager
def long_table(name: str, folder: Path) -> Iterator[LongTable]:
    """A table on simulated chips, with a journal in a folder."""
    time = DrivenTime()
    bench = Bench(time)
    chip = Mfrc522(time.now_us)
    bench.spi[0, 0] = chip
    bench.i2c[DISPLAY.port, DISPLAY.address] = Ssd1306()
    with ExitStack() as stack:
        bench.install()
        stack.callback(bench.remove)
        journal = stack.enter_context(Journal(folder / "journal.db"))
        station = SteppedStation(time)
        station.open()
        stack.callback(station.close)
        yield LongTable(name, journal, station, chip)


class Reading(NamedTuple):
    """How it stands at a number of answers: bytes of memory and disk, seconds for an answer."""

    answers: int
    games: int
    memory: int
    disk: int
    seconds: float


def readings(table: LongTable, at: Sequence[int]) -> Iterator[Reading]:
    """Play on, and look at these numbers of answers."""
    for goal in at:
        while table.answers < goal:
            table.answer()
        gc.collect()
        disk = sum(file.stat().st_size for file in table.journal.path.parent.iterdir())
        spent = median(table.times[-LATEST:])
        table.times.clear()
        yield Reading(goal, table.games, resident(), disk, spent)


def resident() -> int:
    """Bytes of memory that this process has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def measures(name: str, at: Sequence[int]) -> Iterator[str]:
    """Memory, time and disk at these numbers of answers, beside the first of them."""
    with TemporaryDirectory() as folder, long_table(name, Path(folder)) as table:
        first, *later = readings(table, at)
        yield (
            f"{name}: soak: {first.memory / 2**20:,.0f} MB and {first.seconds * 1e3:.1f} ms of the "
            f"processor an answer at {first.answers:,} answers"
        )
        for reading in later:
            grown = (reading.disk - first.disk) / (reading.answers - first.answers)
            yield (
                f"{name}: soak: at {reading.answers:,} answers in {reading.games} games "
                f"{reading.memory / first.memory:.2f} times that memory, "
                f"{reading.seconds / first.seconds:.2f} times that time, "
                f"{grown:,.0f} bytes of disk an answer"
            )
