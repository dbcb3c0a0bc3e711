"""The model is true to the chip: drivers by others do on it what they do on silicon."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Protocol

import pytest

from companion.devices.simulated.bench import Bench, DrivenTime
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.tags import crc16, levels, with_crc
from tests.devices.antenna import Reading, laid

# The package mfrc522 does this in its wait loop; our own port never calls that.
pytestmark = pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")


class Simple(Protocol):
    """The package mfrc522's own reader."""

    def read_id_no_block(self) -> int | None: ...


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(DrivenTime())
    bench.install()
    yield bench
    bench.remove()


@pytest.fixture
def chip(bench: Bench) -> Mfrc522:
    chip = Mfrc522(bench.time.now_us)
    bench.spi[0, 0] = bench.resets[25] = chip
    return chip


@pytest.fixture
def simple(chip: Mfrc522) -> Iterator[Simple]:
    reader = importlib.import_module("mfrc522").SimpleMFRC522()
    reader.READER.logger.handlers.clear()
    yield reader
    reader.READER.Close_MFRC522()


def number(data: str) -> int:
    return int(data, 16)


def test_simple_mfrc522_gives_four_bytes_with_their_check_byte(
    chip: Mfrc522, simple: Simple
) -> None:
    chip.put(laid("AC8C5E0A"))
    assert simple.read_id_no_block() == number("AC8C5E0A74")


def test_simple_mfrc522_takes_two_stickers_for_one(chip: Mfrc522, simple: Simple) -> None:
    """It knows the first level only: the cascade tag, three bytes, and their check byte."""
    found = []
    for uid in ("04A3C6CAE26180", "04A3C600112233"):
        tag = laid(uid)
        chip.put(tag)
        found.append(simple.read_id_no_block())
        chip.take(tag)
    assert found == [number("8804A3C6E9")] * 2


def test_simple_mfrc522_sees_a_card_left_lying_every_other_time(
    chip: Mfrc522, simple: Simple
) -> None:
    chip.put(laid("AC8C5E0A"))
    seen = [simple.read_id_no_block() is not None for _ in range(6)]
    assert seen == [True, False, True, False, True, False]


def test_simple_mfrc522_needs_2013_transfers_to_see_nothing(
    bench: Bench, chip: Mfrc522, simple: Simple
) -> None:
    """Its loop does not notice that the timer has ended."""
    bench.ledger.clear()
    assert simple.read_id_no_block() is None
    assert bench.ledger.chips["spi0.0"].transfers == 2013


def test_two_cards_at_once_confuse_simple_mfrc522(chip: Mfrc522, simple: Simple) -> None:
    chip.put(laid("AC8C5E0A"))
    chip.put(laid("AC8C5F0A"))
    assert simple.read_id_no_block() is None


def test_the_coprocessor_has_the_preset_of_mode_reg() -> None:
    chip = Reading().chip
    for mode, preset in ((0x3D, 0x6363), (0x3F, 0xFFFF)):
        chip.write(0x11, mode)
        for byte in b"\x93\x70":
            chip.write(0x09, byte)
        chip.write(0x01, 0x03)
        assert chip.read(0x05) & 0x04
        assert chip.read(0x21) << 8 | chip.read(0x22) == crc16(b"\x93\x70", preset)


def test_registers_after_a_reset_are_those_of_the_data_sheet() -> None:
    chip = Reading().chip
    chip.write(0x26, 0x70)
    chip.write(0x14, 0x83)
    chip.write(0x01, 0x0F)
    after = {register: chip.read(register) for register in (0x26, 0x14, 0x04, 0x37)}
    assert after == {0x26: 0x48, 0x14: 0x80, 0x04: 0x14, 0x37: 0x92}


def test_the_oscillator_needs_a_moment_after_a_reset() -> None:
    reading = Reading()
    reading.chip.write(0x01, 0x0F)
    assert reading.chip.read(0x01) & 0x10
    reading.clock.us += 100
    assert not reading.chip.read(0x01) & 0x10


def test_the_fifo_holds_64_bytes_and_says_when_more_come() -> None:
    chip = Reading().chip
    chip.transfer(bytes([0x09 << 1]) + bytes(64), 1_000_000)
    assert (chip.read(0x0A), chip.read(0x06)) == (64, 0)
    chip.write(0x09, 1)
    assert (chip.read(0x0A), chip.read(0x06)) == (64, 0x10)
    chip.write(0x0A, 0x80)
    assert (chip.read(0x0A), chip.read(0x06)) == (0, 0)


def test_one_transfer_reads_one_register_after_the_other() -> None:
    chip = Reading().chip
    assert chip.transfer(bytes([0x80 | 0x37 << 1, 0x80 | 0x26 << 1, 0]), 1_000_000) == b"\0\x92\x48"


@pytest.mark.parametrize(
    ("uids", "keep", "seen", "coll"),
    [
        (["AC8C5E0A"], 0x00, "AC8C5E0A74", 0x20),
        (["AC8C5E0A", "AC8C5F0A"], 0x00, "AC8C000000", 17),
        (["AC8C5E0A", "AC8C5F0A"], 0x80, "AC8C5F0A75", 0x80 | 17),
        (["AC8C5E0A", "AC8C5E8A"], 0x00, "AC8C5E0A00", 0),
    ],
    ids=["alone", "at 17", "at 17, kept", "at 32"],
)
def test_a_collision_is_placed_where_the_uids_differ(
    uids: list[str], keep: int, seen: str, coll: int
) -> None:
    reading = Reading()
    reading.driver.start()
    reading.chip.write(0x0E, keep)
    for uid in uids:
        reading.chip.put(laid(uid))
    assert reading.driver.exchange(b"\x52", 7) == b"\x04\x00"
    assert reading.driver.exchange(b"\x93\x20", 0, 40) == bytes.fromhex(seen)
    assert reading.chip.read(0x0E) == coll
    assert bool(reading.driver.collision) == (len(uids) == 2)


def halt(reading: Reading, uid: str) -> None:
    """Wake the only tag there, which has four bytes, select it and put it to sleep."""
    select = bytes.fromhex(f"9370{uid}")
    check = levels(bytes.fromhex(uid))[0][-1:]
    reading.driver.exchange(b"\x52", 7)
    assert reading.driver.exchange(with_crc(select + check), 0, 24) == with_crc(b"\x08")
    assert reading.driver.exchange(bytes.fromhex("500057CD")) is None


def test_a_halted_tag_answers_wupa_and_not_reqa() -> None:
    reading = Reading()
    reading.driver.start()
    reading.chip.put(laid("AC8C5E0A"))
    halt(reading, "AC8C5E0A")
    assert reading.driver.exchange(b"\x26", 7) is None
    assert reading.driver.exchange(b"\x52", 7) == b"\x04\x00"


def test_an_active_tag_falls_back_without_an_answer_when_it_is_woken() -> None:
    reading = Reading()
    reading.driver.start()
    reading.chip.put(laid("AC8C5E0A"))
    answers = [reading.driver.exchange(b"\x26", 7) for _ in range(4)]
    assert answers == [b"\x04\x00", None] * 2


def test_a_tag_has_its_check_bytes_at_each_level() -> None:
    assert [block.hex().upper() for block in levels(bytes.fromhex("04A3C6CAE26180"))] == [
        "8804A3C6E9",
        "CAE26180C9",
    ]
    with pytest.raises(ValueError, match="4, 7 or 10 bytes, not 5"):
        levels(bytes(5))


def test_a_field_that_was_off_wakes_halted_tags() -> None:
    reading = Reading()
    reading.driver.start()
    reading.chip.put(laid("AC8C5E0A"))
    halt(reading, "AC8C5E0A")
    reading.chip.write(0x14, 0x80)
    reading.chip.write(0x14, 0x83)
    assert reading.driver.exchange(b"\x26", 7) == b"\x04\x00"


def test_the_kernel_says_what_it_says_when_a_bus_is_missing_or_forbidden(bench: Bench) -> None:
    spidev = importlib.import_module("spidev")
    with pytest.raises(FileNotFoundError):
        spidev.SpiDev(0, 0)
    bench.spi[0, 0] = Mfrc522(bench.time.now_us)
    bench.denied.add("/dev/spidev0.0")
    with pytest.raises(PermissionError):
        spidev.SpiDev(0, 0)
    with pytest.raises(OSError, match="Bad file descriptor"):
        spidev.SpiDev().xfer2([0])
