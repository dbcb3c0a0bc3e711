"""Everything at once: a game with taps, buttons and a terminal, while all devices fail at random.

No tap that nobody made, none twice, none lost without notice; the journal brings the game back; no
thread dies, none is left over; it ends in time. TORTURE=600 tries it for so many seconds, SEED=7 in
another way.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from companion.devices.health import Health, told
from companion.devices.inputs import Button, Crowded, Input, Missed, Tapped
from companion.devices.settings import ButtonSettings, HubReaderSettings, HubSettings
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.host import resume_table
from companion.journal import Journal
from companion.rules.errors import CompanionError
from companion.simulation import Simulation
from companion.tabletop import Tabletop
from tests.host.simulated import SETTINGS, Hands, hands_at, until

SECONDS = float(os.environ.get("TORTURE", "3"))
DEVICES = msgspec.structs.replace(
    SETTINGS,
    poll=msgspec.structs.replace(SETTINGS.poll, absent_ms=150, swap_ms=80),
    buttons=ButtonSettings(up=5, down=6),
    hub=HubSettings(
        readers=(
            HubReaderSettings(name="C", select=5),
            HubReaderSettings(name="D", select=7, seat="B"),
        ),
        buttons={"ok": 12, "back": 13},
        lights={"C": (16, 17, 18)},
    ),
)
READERS = ("A", "B", "C", "D")


class Witness:
    """Hears all that the devices say, before the table does."""

    def __init__(self, tabletop: Tabletop) -> None:
        self.taps: Counter[tuple[str, str]] = Counter()
        self.missed = 0
        self.unwell: Counter[str] = Counter()
        """By the device, how often its health changed."""
        self._take = tabletop._take
        tabletop._take = self.take  # type: ignore[method-assign]

    def take(self, message: Input | Health) -> None:
        if isinstance(message, Tapped):
            self.taps[message.reader, message.uid] += 1
        elif isinstance(message, Crowded):
            for uid in message.uids:
                self.taps[message.reader, uid] += 1
        elif isinstance(message, Missed):
            self.missed += message.count
        elif isinstance(message, Health):
            self.unwell[message.device] += 1
        self._take(message)


class Player:
    """Somebody who taps cards and pushes buttons, and looks whether that was noticed."""

    def __init__(self, hands: Hands, chance: random.Random) -> None:
        self.hands = hands
        self.chance = chance
        self.simulation = hands.bench.simulation
        self.witness = Witness(hands.equipment.tabletop)
        self.laid: Counter[tuple[str, str]] = Counter()
        self.lost: list[str] = []

    def act(self) -> None:
        """One tap, or one push."""
        if self.chance.random() < 0.7:
            self.tap()
        else:
            self.push()

    def tap(self) -> None:
        """Hold a card to a reader until it is noticed, at most for a second."""
        reader = self.chance.choice(READERS)
        things = [choice for choice in self.options() if choice in self.hands.bench.book.uids]
        thing = self.chance.choice(things or list(self.hands.bench.book.uids))
        uid = self.chance.choice(self.hands.bench.book.uids[thing])
        where = (reader, uid)
        before, since, works = self.witness.taps[where], self.notices(reader), self.works(reader)
        self.simulation.lay(reader, uid)
        self.laid[where] += 1
        self.wait(lambda: self.witness.taps[where] > before, 1.0)
        self.simulation.lift(reader)
        if self.witness.taps[where] == before and works and self.notices(reader) == since:
            self.lost.append(f"{uid} on {reader}")
        time.sleep(0.3)

    def works(self, reader: str) -> bool:
        """Whether people see that a reader can be used."""
        health = self.hands.equipment.tabletop.station.health.all()
        devices = (f"reader/{reader}", *(["hub"] if reader in "CD" else []))
        return all(device in health and health[device].usable for device in devices)

    def notices(self, reader: str) -> tuple[int, ...]:
        """What people were told of that concerns a reader."""
        unwell = self.witness.unwell
        told = unwell[f"reader/{reader}"], unwell["hub"] if reader in "CD" else 0
        return (*told, self.witness.missed)

    def options(self) -> list[str]:
        with self.hands.table.lock:
            session = self.hands.table.session
            return [] if session.over else [str(option) for option in session.prompt.options()]

    def push(self) -> None:
        button = self.chance.choice(list(Button))
        self.simulation.press(button)
        time.sleep(self.chance.choice((0.01, 0.06, 0.3)))
        self.simulation.release(button)

    def wait(self, true: Callable[[], bool], seconds: float) -> None:
        end = time.monotonic() + seconds
        while not true() and time.monotonic() < end:
            time.sleep(0.005)


class Gremlin:
    """Breaks devices, each time for a moment."""

    def __init__(self, simulation: Simulation, chance: random.Random) -> None:
        self.simulation = simulation
        self.chance = chance

    def act(self) -> None:
        """Break something, and mend it again."""
        kinds = (self.chip, self.display, self.hub_reader, self.hub)
        (kind,) = self.chance.choices(kinds, (6, 2, 3, 1))
        with kind():
            time.sleep(self.chance.uniform(0.02, 0.5))

    @contextmanager
    def chip(self) -> Iterator[None]:
        chip = self.simulation.readers[self.chance.choice("AB")]
        faults = (self.unplug, self.hang, self.noise, self.other, self.slow, self.brown)
        self.chance.choice(faults)(chip)
        yield
        chip.obstacle = chip.stuck = None
        chip.version = 0x92

    def unplug(self, chip: Mfrc522) -> None:
        chip.stuck = self.chance.choice((0x00, 0xFF))
        chip.lose_power()

    def hang(self, chip: Mfrc522) -> None:
        end = time.monotonic() + 0.4
        chip.obstacle = lambda: time.sleep(max(0.0, end - time.monotonic()))

    def noise(self, chip: Mfrc522) -> None:
        chip.protocol_errors = self.chance.randrange(1, 30)

    def other(self, chip: Mfrc522) -> None:
        chip.version = self.chance.choice((0x12, 0x1C, 0xEE))

    def slow(self, chip: Mfrc522) -> None:
        chip.obstacle = lambda: time.sleep(0.004)

    def brown(self, chip: Mfrc522) -> None:
        chip.lose_power()

    @contextmanager
    def display(self) -> Iterator[None]:
        oled = self.simulation.oled
        assert oled is not None
        if self.chance.random() < 0.5:
            self.simulation.unplug("display")
        else:
            oled.fails_every = self.chance.randrange(2, 9)
        yield
        self.simulation.plug("display")
        oled.fails_every = 0

    @contextmanager
    def hub(self) -> Iterator[None]:
        self.simulation.unplug("hub")
        yield
        self.simulation.plug("hub")

    @contextmanager
    def hub_reader(self) -> Iterator[None]:
        hub, name = self.simulation.hub, self.chance.choice("CD")
        assert hub is not None
        fault, value = self.chance.choice((("dead", 1), ("version", 0x1C), ("fail", 3)))
        hub.spoil(name, fault, value)
        yield
        hub.spoil(name, "dead", 0)
        hub.spoil(name, "version", 0x92)


def names_of_threads() -> list[str]:
    """All threads but those of luma, which has four that never end and have no names."""
    names = sorted(thread.name for thread in threading.enumerate())
    return [name for name in names if not name.startswith("Thread-")]


def terminal(hands: Hands, chance: random.Random) -> None:
    """Somebody types an answer, or takes one back."""
    session = hands.table.session
    with hands.table.lock, suppress(CompanionError):
        if session.over:
            session.undo()
        else:
            session.answer(chance.choice(list(session.prompt.options())))
    hands.equipment.look()


def keep_at(act: Callable[[], None], pause: float, over: threading.Event) -> threading.Thread:
    """Do something again and again until it is over."""

    def run() -> None:
        while not over.wait(pause):
            act()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def torture(hands: Hands, player: Player, seed: int) -> None:
    """So many seconds of all that."""
    typist = random.Random(seed + 1)
    over = threading.Event()
    others = [
        keep_at(Gremlin(player.simulation, random.Random(seed + 2)).act, 0.2, over),
        keep_at(Gremlin(player.simulation, random.Random(seed + 3)).act, 0.5, over),
        keep_at(lambda: terminal(hands, typist), 0.5, over),
    ]
    try:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            player.act()
    finally:
        over.set()
        for other in others:
            other.join()


def test_whatever_befalls_the_devices_the_game_goes_on(tmp_path: Path) -> None:
    seed = int(os.environ.get("SEED", "1"))
    file = tmp_path / "journal.db"
    before = names_of_threads()
    with Journal(file) as journal, hands_at(journal, DEVICES) as hands:
        player = Player(hands, random.Random(seed))
        until(lambda: all(map(player.works, READERS)))
        at_work = names_of_threads()
        torture(hands, player, seed)
        board = hands.equipment.tabletop.station.health
        player.wait(lambda: all(one.usable for one in board.all().values()), 20)
        assert [told(one).plain() for one in board.all().values() if not one.usable] == []
        assert player.lost == []
        assert all(count <= player.laid[where] for where, count in player.witness.taps.items())
        assert sum(player.witness.taps.values()) > 0
        assert names_of_threads() == at_work
        digest, number = hands.table.session.digest(), hands.table.number
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert names_of_threads() == before
    with Journal(file) as journal:
        assert resume_table(journal, number).session.digest() == digest
