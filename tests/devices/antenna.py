"""Readers over chips on a bench, driven by hand in time that only goes when somebody waits."""

from __future__ import annotations

from companion.devices.inputs import Input, Lifted, Tapped
from companion.devices.readers import Bus, SpiReader
from companion.devices.settings import PollSettings, ReaderSettings
from companion.devices.simulated.bench import Bench, DrivenTime
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.tags import Tag, tag
from companion.portable.rc522 import Rc522, RegisterPort

U = "04A3C6CAE26180"
V = "AC8C5E0A"
W = "00112233445566778899"

POLL = PollSettings()
RESETS = {0: 25, 1: 24}
"""Which pin is wired to which chip's reset, by its select."""


def laid(uid: str) -> Tag:
    """A tag with this UID."""
    return tag(bytes.fromhex(uid))


class Clock:
    """Microseconds that go when somebody sleeps."""

    def __init__(self) -> None:
        self.us = 0

    def now(self) -> int:
        return self.us


class DirectPort(RegisterPort):
    """Right at the model of the chip; counts transfers."""

    def __init__(self, chip: Mfrc522, clock: Clock) -> None:
        self.chip = chip
        self.clock = clock
        self.transfers = 0

    def read(self, register: int) -> int:
        return self._transfer(bytes([0x80 | register << 1, 0]))[1]

    def write(self, register: int, value: int) -> None:
        self._transfer(bytes([register << 1, value]))

    def read_many(self, registers: bytes) -> bytes:
        return self._transfer(bytes([0x80 | register << 1 for register in registers] + [0]))[1:]

    def write_fifo(self, data: bytes) -> None:
        self._transfer(bytes([9 << 1]) + data)

    def sleep_us(self, microseconds: int) -> None:
        self.clock.us += microseconds

    def _transfer(self, data: bytes) -> bytes:
        self.transfers += 1
        self.clock.us += len(data) * 8  # 1 Mbit/s
        return self.chip.transfer(data, 1_000_000)


class Reading:
    """A chip, the port to it and our driver, without a bench."""

    def __init__(self, version: int = 0x92) -> None:
        self.clock = Clock()
        self.chip = Mfrc522(self.clock.now, version)
        self.port = DirectPort(self.chip, self.clock)
        self.driver = Rc522(self.port)


class Board:
    """A bench with readers "A" and "B" on bus 0, and what they said."""

    def __init__(self, port: str = "spidev", poll: PollSettings = POLL) -> None:
        self.poll = poll
        self.time = DrivenTime()
        self.bench = Bench(self.time)
        self.chips = {name: Mfrc522(self.time.now_us) for name in "AB"}
        self.said: list[Input] = []
        self._bus = Bus()
        self.readers: dict[str, SpiReader] = {}
        for device, (name, chip) in enumerate(self.chips.items()):
            self.bench.spi[0, device] = chip
            self.bench.resets[RESETS[device]] = chip
            self.readers[name] = self.reader(name, device, port)

    def reader(self, name: str, device: int, port: str) -> SpiReader:
        settings = ReaderSettings(
            name=name,
            device=device,
            reset=RESETS[device],
            port="mfrc522" if port == "mfrc522" else "spidev",
        )
        return SpiReader(
            settings,
            self.poll,
            self.said.append,
            self._bus,
            clock=self.time.seconds,
            sleep=self.time.sleep,
        )

    def run(self, seconds: float) -> None:
        """Let the readers that are open poll, each when it is due."""
        end = self.time.seconds() + seconds
        due = {name: 0.0 for name, reader in self.readers.items() if reader.version}
        while due and self.time.seconds() < end:
            name = min(due, key=due.__getitem__)
            self.time.sleep(max(due[name] - self.time.seconds(), 0))
            due[name] = self.readers[name].step() + self.time.seconds()

    def lay(self, uid: str, reader: str = "A") -> Tag:
        tag = laid(uid)
        self.chips[reader].put(tag)
        return tag

    def take(self, tag: Tag, reader: str = "A") -> None:
        self.chips[reader].take(tag)

    def taps(self) -> list[tuple[str, str]]:
        """Which reader saw which tag come."""
        return [(each.reader, each.uid) for each in self.said if isinstance(each, Tapped)]

    def lifts(self) -> list[tuple[str, str]]:
        return [(each.reader, each.uid) for each in self.said if isinstance(each, Lifted)]
