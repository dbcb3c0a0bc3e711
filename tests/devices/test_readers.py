"""The whole way from a tag on a chip to what lies in the inbox: bus, port, registers, presence."""

from __future__ import annotations

import importlib
import importlib.util
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import pytest
from gpiozero import OutputDevice

from companion.devices.health import Condition, DeviceFault, HealthBoard, told
from companion.devices.inputs import Crowded, Input, Tapped
from companion.devices.machine import Machine
from companion.devices.ports import open_port
from companion.devices.readers import SpiReader, spi_readers
from companion.devices.settings import PollSettings, ReaderSettings
from companion.devices.simulated.bench import Bench
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.worker import Worker
from tests.devices.antenna import RESETS, Board, U, V, laid


@pytest.fixture(params=["spidev", "mfrc522"])
def board(request: pytest.FixtureRequest) -> Iterator[Board]:
    """Two readers that are open, by either port."""
    with at_work(Board(request.param)) as board:
        yield board


@contextmanager
def at_work(board: Board) -> Iterator[Board]:
    """A board whose readers are open."""
    board.bench.install()
    opened = list(board.readers.values())
    for reader in opened:
        reader.open()
    yield board
    for reader in opened:
        reader.close()
    board.bench.remove()


# -- taps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("port", ["spidev", "mfrc522"])
def test_a_tag_that_lies_for_a_minute_is_one_tap(port: str) -> None:
    """R03, with its polls every 50 ms."""
    with at_work(Board(port, PollSettings(period_ms=50))) as board:
        del board.readers["B"]
        board.lay(V)
        board.run(60)
        assert board.said == [Tapped("A", V, board.said[0].at)]
        assert board.readers["A"].lying()[V] == pytest.approx(60, abs=0.5)


def test_a_tag_that_flickers_is_one_tap(board: Board) -> None:
    """R01, where even the second request of a poll is not heard."""
    tag = board.lay(V)
    for _ in range(40):
        board.run(0.05)
        tag.deaf = 2
    assert board.taps() == [("A", V)]
    assert board.lifts() == []


def test_taps_with_and_without_a_gap_are_all_told(board: Board) -> None:
    """R04: U, away, U, then U, V, U by turns."""
    for uid, pause in ((U, 1.0), (U, 1.0), (U, 0), (V, 0), (U, 0)):
        tag = board.lay(uid)
        board.run(0.5 if pause else 0.3)
        board.take(tag)
        board.run(pause)
    assert [uid for _, uid in board.taps()] == [U, U, U, V, U]


def test_two_at_once_are_told_as_a_crowd(board: Board) -> None:
    board.lay(U)
    board.lay(V)
    board.run(0.2)
    (said,) = board.said
    assert isinstance(said, Crowded)
    assert sorted(said.uids) == sorted([U, V])


def test_a_tap_has_the_time_of_its_poll_and_the_reader_s_seat(board: Board) -> None:
    reader = SpiReader(
        ReaderSettings(name="A", seat="B", reset=None),
        PollSettings(),
        board.said.append,
        clock=board.time.seconds,
        sleep=board.time.sleep,
    )
    board.lay(U)
    reader.open()
    before = board.time.seconds()
    reader.step()
    reader.close()
    assert board.said == [Tapped("A", U, before, "B")]


def test_what_was_misread_is_no_tap(board: Board) -> None:
    """R11."""
    for fault in range(6):
        tag = board.lay(U)
        tag.wrong_checks, board.chips["A"].protocol_errors = (1, 0) if fault % 2 else (0, 1)
        board.run(0.1)
        board.take(tag)
        board.run(1)
    assert board.taps() == [("A", U)] * 6
    counted = board.readers["A"].statistics()
    assert (counted["bcc"], counted["garbled"]) == (3, 3)


# -- two readers -----------------------------------------------------------------------------------


def test_two_readers_on_one_bus_do_not_see_each_other_s_tags(board: Board) -> None:
    """R13."""
    board.lay(U, "A")
    board.run(5)
    assert board.taps() == [("A", U)]
    board.lay(V, "B")
    board.run(1)
    assert board.taps() == [("A", U), ("B", V)]


def test_starting_one_reader_anew_leaves_the_other_s_tag_alone(board: Board) -> None:
    """R13: and its own one too."""
    board.lay(U, "A")
    board.lay(V, "B")
    board.run(1)
    board.said.clear()
    board.readers["B"].close()
    board.readers["B"].open()
    board.run(2)
    assert board.said == []


def test_a_reader_whose_power_failed_keeps_its_tag(board: Board) -> None:
    board.lay(U)
    board.run(1)
    board.chips["A"].lose_power()
    board.run(2)
    assert board.taps() == [("A", U)]
    assert board.lifts() == []
    assert board.readers["A"].statistics()["restarts"] == 1


# -- chips that are not well -----------------------------------------------------------------------


@pytest.mark.parametrize("stuck", [0x00, 0xFF])
def test_a_reader_that_does_not_answer_says_so_and_the_other_works(
    board: Board, stuck: int
) -> None:
    """R14."""
    board.chips["B"].stuck = stuck
    board.readers["B"].close()
    with pytest.raises(DeviceFault, match="no answer, check wiring and power"):
        board.readers["B"].open()
    board.lay(U)
    del board.readers["B"]
    board.run(0.1)
    assert board.taps() == [("A", U)]


@pytest.mark.parametrize("version", [0x1C, 0xEE])
def test_an_unknown_chip_is_read_with_a_warning(board: Board, version: int) -> None:
    """R14."""
    board.chips["A"].version = version
    board.readers["A"].close()
    board.readers["A"].open()
    warning = board.readers["A"].warning
    assert warning is not None
    assert warning.plain() == f"unknown chip 0x{version:02X}"
    board.lay(U)
    board.run(0.1)
    assert board.taps() == [("A", U)]


@pytest.mark.parametrize("version", [0x91, 0x92])
def test_a_genuine_chip_has_no_warning(board: Board, version: int) -> None:
    """R14."""
    board.chips["A"].version = version
    board.readers["A"].close()
    board.readers["A"].open()
    assert board.readers["A"].warning is None


def test_reads_that_fail_all_the_time_are_a_warning(board: Board) -> None:
    board.lay(U).wrong_checks = 1000
    board.run(5)
    warning = board.readers["A"].warning
    assert warning is not None
    assert warning.plain() == "reads fail: is metal or another card near?"


def test_a_chip_that_is_held_in_reset_does_not_answer(board: Board) -> None:
    """Its RST is wired to a pin that somebody else holds low."""
    board.readers["A"].close()
    pin = OutputDevice(RESETS[0], initial_value=False)
    settings = ReaderSettings(name="A", reset=None)
    reader = SpiReader(settings, PollSettings(), board.said.append, sleep=board.time.sleep)
    with pytest.raises(DeviceFault, match="no answer"):
        reader.open()
    reader.close()
    pin.on()
    reader.open()
    reader.close()
    pin.close()


# -- in threads ------------------------------------------------------------------------------------

HASTE = PollSettings(period_ms=5)


class Table:
    """Two readers with their workers, in real time."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.chips = {name: Mfrc522(self.bench.time.now_us) for name in "AB"}
        self.board = HealthBoard()
        self.inbox: SimpleQueue[Input] = SimpleQueue()
        for device, chip in enumerate(self.chips.values()):
            self.bench.spi[0, device] = chip
        settings = [ReaderSettings(name=name, device=at) for at, name in enumerate("AB")]
        readers = spi_readers(settings, HASTE, self.inbox.put)
        self.workers = [
            Worker(reader, self.board, pauses=(0.01,), deadline=0.1) for reader in readers
        ]

    def health(self, device: str) -> str:
        for worker in self.workers:
            worker.check()
        return told(self.board.all()[device]).plain()

    def soon(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, for a few seconds at most."""
        end = time.monotonic() + 5
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.005)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    table.bench.install()
    for worker in table.workers:
        worker.start()
    yield table
    for worker in table.workers:
        assert worker.stop(5)
    table.bench.remove()


def test_a_reader_that_hangs_is_stalled_and_the_other_goes_on(table: Table) -> None:
    """R06: a driver that blocks, on the same bus."""
    let_go = threading.Event()
    blocked = threading.Event()

    def block() -> None:
        blocked.set()
        let_go.wait(30)

    table.soon(lambda: table.health("reader/A") == "reader A: ready")
    table.chips["A"].obstacle = block
    try:
        assert blocked.wait(5)
        table.chips["B"].put(laid(U))
        tapped = table.inbox.get(timeout=5)
        assert isinstance(tapped, Tapped)
        assert (tapped.reader, tapped.uid) == ("B", U)
        table.soon(lambda: table.health("reader/A") == "reader A: stalled")
        assert table.health("reader/B") == "reader B: ready"
        assert not table.workers[0].stop(0.01)
    finally:
        table.chips["A"].obstacle = None
        let_go.set()


def test_a_reader_that_is_unplugged_comes_back(table: Table) -> None:
    chip = table.chips["A"]
    tag = laid(U)
    chip.put(tag)
    assert isinstance(table.inbox.get(timeout=5), Tapped)
    chip.stuck = 0xFF
    offline = "reader A: offline: no answer, check wiring and power"
    table.soon(lambda: table.health("reader/A") == offline)
    chip.take(tag)
    chip.lose_power()
    chip.put(laid(V))
    chip.stuck = None
    tapped = table.inbox.get(timeout=5)
    assert isinstance(tapped, Tapped)
    assert tapped.uid == V
    assert table.board.all()["reader/A"].condition is Condition.DEGRADED


def test_a_chip_that_was_reset_by_its_pin_gets_the_time_to_start(board: Board) -> None:
    """Data sheet §8.8.2: until the crystal swings it answers nothing."""
    reader = board.readers["A"]
    reader.close()
    board.chips["A"].crystal_us = 10_000
    reader.open()
    assert reader.warning is None


# -- ports that cannot be opened -------------------------------------------------------------------


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    bench.install()
    yield bench
    bench.remove()


def fault(settings: ReaderSettings) -> str:
    with pytest.raises(DeviceFault) as error:
        open_port(settings)
    return str(error.value)


def both(bus: int = 0, device: int = 0) -> list[ReaderSettings]:
    return [
        ReaderSettings(name="A", bus=bus, device=device, reset=25),
        ReaderSettings(name="A", bus=bus, device=device, reset=25, port="mfrc522"),
    ]


def test_spi_that_is_off_is_mended_by_one_command(bench: Bench) -> None:
    for settings in both():
        assert fault(settings) == "SPI is off: sudo raspi-config nonint do_spi 0"


def test_a_second_bus_needs_an_overlay(bench: Bench) -> None:
    for settings in both(1, 2):
        assert fault(settings) == (
            "/dev/spidev1.2 is missing: dtoverlay=spi1-3cs in /boot/firmware/config.txt"
        )


def test_a_user_without_the_right_is_told_the_group(bench: Bench) -> None:
    bench.spi[0, 0] = Mfrc522(bench.time.now_us)
    bench.denied.add("/dev/spidev0.0")
    for settings in both():
        assert fault(settings) == ("no right to use /dev/spidev0.0: sudo usermod -aG spi $USER")


def test_a_package_that_is_missing_is_named_with_the_command() -> None:
    """No bench is installed here, so there is neither spidev nor RPi.GPIO."""
    for package in ("spidev", "RPi"):
        if importlib.util.find_spec(package):
            pytest.skip(f"{package} is installed on this machine")
    for settings, package in zip(both(), ("spidev", "RPi.GPIO"), strict=True):
        assert fault(settings) == f"{package} is missing: {Machine().install(package)}"


def test_the_package_mfrc522_does_not_choose_a_pin_of_its_own(bench: Bench) -> None:
    bench.spi[0, 0] = Mfrc522(bench.time.now_us)
    assert "needs a reset pin" in fault(ReaderSettings(name="A", port="mfrc522"))


def test_a_pin_that_is_taken_is_named(bench: Bench) -> None:
    bench.spi[0, 0] = bench.spi[0, 1] = Mfrc522(bench.time.now_us)
    port = open_port(ReaderSettings(name="A", reset=25))
    assert "GPIO25 is in use" in fault(ReaderSettings(name="B", device=1, reset=25))
    port.close()


def test_closing_leaves_the_pins_of_others_alone(bench: Bench) -> None:
    bench.spi[0, 0] = bench.spi[0, 1] = Mfrc522(bench.time.now_us)
    opened = [
        open_port(ReaderSettings(name="A", device=at, reset=pin, port="mfrc522"))
        for at, pin in RESETS.items()
    ]
    opened[0].close()
    assert bench.pin(RESETS[0]).function == "input"
    assert bench.pin(RESETS[1]).function == "output"
    opened[1].close()


def test_other_pin_numbers_in_use_are_said(bench: Bench) -> None:
    bench.spi[0, 0] = Mfrc522(bench.time.now_us)
    gpio = importlib.import_module("RPi.GPIO")
    gpio.setmode(gpio.BOARD)
    assert "different mode" in fault(both()[1])
