"""From a tap to the first changed pixel, beside the plain way, with bus times from the models.

Time on the buses and in the air is that of the simulated chips; it goes only when something is
transferred or waited for. What our own code takes is measured apart, on chips that cost nothing,
and added. A transfer is a call to the kernel besides: 40 us on a small Pi.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import mean, median, quantiles
from time import perf_counter
from typing import Any, NamedTuple

from PIL import Image, ImageDraw

from benchmarks.play import begin
from companion.devices.display import Display
from companion.devices.inputs import Input, Tapped
from companion.devices.readers import SpiReader
from companion.devices.settings import DisplaySettings, PollSettings, ReaderSettings
from companion.devices.simulated.bench import Bench, DrivenTime
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.oled import Ssd1306
from companion.devices.simulated.tags import tag
from companion.games.shelf import open_box
from companion.rules.session import Session
from companion.rules.tags import TagKind
from companion.screens.handset import Handset, Meaning
from companion.screens.oled import find_fonts
from companion.words import Words

UID = "04A3C6CAE26180"
RESET = 25
DISPLAY = DisplaySettings(driver="ssd1306")
I2C = (DISPLAY.port, DISPLAY.address)
PLAIN_SLEEP = 0.1
"""Seconds that the plain loop sleeps between two looks."""
CALL_US = 40.0
LINE_BYTES = 34
"""Bytes of a hub's line about a tap."""
USB_MS = 1.0
"""A full-speed USB frame: what is sent waits for the next one."""


class Buses(NamedTuple):
    """How quick the buses are, in Hz, and what a call takes, in microseconds."""

    spi: int
    i2c: int
    call: float = CALL_US


class Way(NamedTuple):
    """The milliseconds of one way from a tap, each a mean."""

    noticed: float
    """Until the tag's UID is known, waiting for the poll included."""
    code: float
    """What the host's own code takes until the first byte goes to the display."""
    first: float
    """From there to the first changed pixel."""
    whole: float
    """And to the last one."""

    @property
    def total(self) -> float:
        """To the first changed pixel."""
        return self.noticed + self.code + self.first

    @property
    def complete(self) -> float:
        """To the last changed pixel."""
        return self.noticed + self.code + self.whole


class Sink:
    """A display that costs nothing and notes when it is first written a pixel."""

    def __init__(self) -> None:
        self.at = 0.0

    def write(self, data: bytes) -> None:
        """Take a message; 40h says that pixels follow."""
        if data[0] == 0x40 and not self.at:
            self.at = perf_counter()


@contextmanager
def installed(bench: Bench) -> Iterator[Bench]:
    """A bench in the place of the kernel."""
    bench.install()
    try:
        yield bench
    finally:
        bench.remove()


def measures(count: int) -> Iterator[str]:
    """Our way and the plain one on several buses, and what idling costs."""
    code, plain_code = our_code(count), plain_drawing(count)
    yield (
        f"tap to first byte for the display, our code: {median(code) * 1e3:.2f} ms, "
        f"99th percentile {quantiles(code, n=100)[-1] * 1e3:.2f} ms (budget 5 ms)"
    )
    for spi, i2c, call in (
        (1_000_000, 100_000, CALL_US),
        (1_000_000, 400_000, CALL_US),
        (10_000_000, 400_000, CALL_US),
        (1_000_000, 400_000, 0.0),
    ):
        buses = Buses(spi, i2c, call)
        yield _compared(buses, mean(code), mean(plain_code), count)
    yield from _by_hub(mean(code))
    yield _idle()


def _compared(buses: Buses, code: float, plain_code: float, count: int) -> str:
    air = air_time()
    ours = Way(our_reader(buses, count), code * 1e3, *our_display(buses))
    plain = Way(plain_reader(buses, count), plain_code * 1e3, *plain_display(buses))
    floor = air + ours.whole
    return (
        f"tap to first changed pixel, SPI {buses.spi // 1_000_000} MHz, "
        f"I2C {buses.i2c // 1000} kHz, {buses.call:.0f} us a call: {ours.total:.1f} ms "
        f"(noticed {ours.noticed:.1f}, code {ours.code:.1f}, bus {ours.first:.1f}), "
        f"plain way {plain.total:.1f}: {plain.total / ours.total:.1f} times; "
        f"whole picture {ours.complete:.1f} ms, plain {plain.complete:.1f}: "
        f"{plain.complete / ours.complete:.1f} times; {ours.complete / floor:.1f} times the floor "
        f"of {floor:.1f} ms (air {air:.1f}, changed bytes {ours.whole:.1f})"
    )


def _by_hub(code: float) -> Iterator[str]:
    """The same by a reader of the hub: its poll, its line, then as above."""
    buses = Buses(1_000_000, 400_000, 0.0)
    rest = our_reader(buses, 50) + code * 1e3 + our_display(buses)[0]
    serial = LINE_BYTES * 10 / 115_200 * 1e3
    for line, ms in (("serial 115200", serial), ("USB", USB_MS)):
        yield f"by the hub over {line}: {rest + ms:.1f} ms, of which the line {ms:.1f} ms"


# -- the reader ------------------------------------------------------------------------------------


def _with_chip(call: float = 0.0) -> tuple[Bench, DrivenTime, Mfrc522]:
    time = DrivenTime()
    bench = Bench(time)
    bench.call_us = call
    chip = Mfrc522(time.now_us)
    bench.spi[0, 0] = chip
    bench.resets[RESET] = chip
    return bench, time, chip


def our_reader(buses: Buses, count: int) -> float:
    """Milliseconds until a tag is known, over all phases of the polls."""
    bench, time, chip = _with_chip(buses.call)
    said: list[Input] = []
    settings = ReaderSettings(name="A", reset=RESET, speed=buses.spi)
    with installed(bench):
        reader = SpiReader(
            settings, PollSettings(), said.append, clock=time.seconds, sleep=time.sleep
        )
        reader.open()
        waits = [_tap(reader, chip, time, said, n / count) for n in range(count)]
        reader.close()
    return mean(waits)


def _tap(
    reader: SpiReader, chip: Mfrc522, time: DrivenTime, said: list[Input], phase: float
) -> float:
    """One tap somewhere in a poll's period; gives the milliseconds until it is known."""
    pause = reader.step()
    time.sleep(pause * phase)
    sticker = tag(bytes.fromhex(UID))
    chip.put(sticker)
    began = time.seconds()
    time.sleep(pause * (1 - phase))
    pause = reader.step()
    while not any(isinstance(one, Tapped) for one in said):
        time.sleep(pause)
        pause = reader.step()
    known = time.seconds()
    chip.take(sticker)
    for _ in range(100):
        time.sleep(reader.step())
    said.clear()
    return (known - began) * 1e3


def plain_reader(buses: Buses, count: int) -> float:
    """The same for mfrc522's SimpleMFRC522 in a loop that sleeps."""
    bench, time, chip = _with_chip(buses.call)
    with installed(bench), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mfrc522 import SimpleMFRC522

        reader: Any = SimpleMFRC522()
        reader.READER.spi.max_speed_hz = buses.spi
        waits = [_plain_tap(reader, chip, time, n / count) for n in range(count)]
    return mean(waits)


def _plain_tap(reader: Any, chip: Mfrc522, time: DrivenTime, phase: float) -> float:
    began = time.seconds()
    reader.read_id_no_block()
    period = time.seconds() - began + PLAIN_SLEEP
    sticker = tag(bytes.fromhex(UID))
    arrives = period * phase
    # The tag comes at any moment of a period: while the chip looks in vain, or in the sleep.
    looking = period - PLAIN_SLEEP
    waited = 0.0
    if arrives < looking:
        waited = looking - arrives + PLAIN_SLEEP
    else:
        waited = period - arrives
    chip.put(sticker)
    began = time.seconds()
    while reader.read_id_no_block() is None:
        time.sleep(PLAIN_SLEEP)
    known = time.seconds() - began
    chip.take(sticker)
    reader.read_id_no_block()
    return (waited + known) * 1e3


def air_time() -> float:
    """Milliseconds in the air for a UID of seven bytes, and nothing else."""
    bench, time, chip = _with_chip()
    with installed(bench):
        settings = ReaderSettings(name="A", reset=RESET)
        reader = SpiReader(
            settings, PollSettings(), lambda _: None, clock=time.seconds, sleep=time.sleep
        )
        reader.open()
        chip.put(tag(bytes.fromhex(UID)))
        chip.air_us = 0
        reader.read()
        reader.close()
    return chip.air_us / 1e3


def _idle() -> str:
    """What polling two readers in vain takes of a core, by our code and by a Pi's calls."""
    bench, time, _ = _with_chip()
    polls = 200
    with installed(bench):
        reader = SpiReader(
            ReaderSettings(name="A", reset=RESET),
            PollSettings(),
            lambda _: None,
            clock=time.seconds,
            sleep=time.sleep,
        )
        reader.open()
        bench.ledger.clear()
        for _ in range(polls):
            time.sleep(reader.step())
        reader.close()
    transfers = bench.ledger.chips["spi0.0"].transfers / polls
    share = 2 * transfers * CALL_US / 1e6 / (PollSettings().period_ms / 1e3)
    return (
        f"two readers polled every {PollSettings().period_ms} ms: {transfers:.1f} transfers each, "
        f"{share:.1%} of a core at {CALL_US:.0f} us each (budget 5 %)"
    )


# -- what is drawn ---------------------------------------------------------------------------------


def _handset() -> Handset:
    box = open_box("chaos-kart")
    session = Session(begin(box, box.content()))
    wording = box.wording(session.game)
    return Handset(session, box, wording, Words("id"), find_fonts("id"))


def _moments() -> tuple[Image.Image, Image.Image]:
    """The picture before a tap and the one after it."""
    handset = _handset()
    before = handset.picture()
    handset.tap(Meaning(TagKind.CARD, "forward-2"), 1.0)
    return before, handset.picture()


def our_code(count: int) -> list[float]:
    """Seconds from a tap's UID to the first pixel written, each: rules, picture and spans."""
    bench = Bench(DrivenTime())
    times: list[float] = []
    for _ in range(count):
        sink = Sink()
        bench.i2c[I2C] = sink
        with installed(bench):
            display, handset = Display(DISPLAY, patience=0), _handset()
            display.open()
            display.show(handset.picture())
            display.step()
            sink.at = 0.0
            began = perf_counter()
            handset.tap(Meaning(TagKind.CARD, "forward-2"), 1.0)
            display.show(handset.picture())
            display.step()
            times.append(sink.at - began)
            display.close()
    return times


def our_display(buses: Buses) -> tuple[float, float]:
    """Milliseconds on the bus to the first changed pixel and to the last."""
    before, after = _moments()

    def draw(bench: Bench, watch: Callable[[], None]) -> None:
        display = Display(DISPLAY, patience=0)
        display.open()
        display.show(before)
        display.step()
        watch()
        display.show(after)
        display.step()

    return _on_the_bus(buses, draw)


def plain_display(buses: Buses) -> tuple[float, float]:
    """The same for luma's own full frames."""
    before, after = _moments()

    def draw(bench: Bench, watch: Callable[[], None]) -> None:
        from luma.core.interface.serial import i2c as connection
        from luma.oled.device import ssd1306

        device = ssd1306(connection(port=DISPLAY.port, address=DISPLAY.address))
        device.persist = True
        device.display(before)
        watch()
        device.display(after)

    return _on_the_bus(buses, draw)


class Watched(Ssd1306):
    """A display that notes, by the bus's time, when its picture began and ceased to change."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self.bench = bench
        self.changes: list[float] = []

    def _store(self, byte: int) -> None:
        if self.memory[self.page][self.column] != byte:
            self.changes.append(self._now())
        super()._store(byte)
        self.stored += 1

    def write(self, data: bytes) -> None:
        """A message; the bench has counted all of it already."""
        self.size, self.stored = len(data), 0
        super().write(data)

    def _now(self) -> float:
        """Microseconds: the end of the message, less what of it came later than this byte."""
        rest = self.size - 2 - self.stored
        return self.bench.time.now_us() - rest * 9e6 / self.bench.i2c_hz


def _on_the_bus(
    buses: Buses, draw: Callable[[Bench, Callable[[], None]], None]
) -> tuple[float, float]:
    bench = Bench(DrivenTime())
    bench.i2c_hz, bench.call_us = buses.i2c, buses.call
    chip = Watched(bench)
    bench.i2c[I2C] = chip
    began = 0.0

    def watch() -> None:
        nonlocal began
        began = bench.time.now_us()
        chip.changes.clear()

    with installed(bench):
        draw(bench, watch)
    return (chip.changes[0] - began) / 1e3, (chip.changes[-1] - began) / 1e3


def plain_drawing(count: int) -> list[float]:
    """Seconds of the plain way's own code: a canvas with three lines, luma's frame."""
    bench = Bench(DrivenTime())
    times: list[float] = []
    with installed(bench):
        from luma.core.interface.serial import i2c
        from luma.oled.device import ssd1306

        sink = Sink()
        bench.i2c[I2C] = sink
        device = ssd1306(i2c(port=DISPLAY.port, address=DISPLAY.address))
        device.persist = True
        for number in range(count):
            sink.at = 0.0
            began = perf_counter()
            image = Image.new("1", (128, 64))
            draw = ImageDraw.Draw(image)
            for line in range(3):
                draw.text((0, 16 * line), f"player {number} moves on", fill=1)
            device.display(image)
            times.append(sink.at - began)
    return times
