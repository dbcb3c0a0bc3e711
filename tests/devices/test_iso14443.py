"""Registers and frames: what is read of the tags in the field, and what is not believed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.simulated.tags import with_crc
from companion.portable.iso14443 import Scanner, crc_a
from companion.portable.rc522 import NoAnswer
from companion.portable.uid import from_text, to_text
from tests.devices.antenna import Reading, U, V, W, laid
from tests.vectors.replay import read

VECTORS = Path(__file__).parents[1] / "vectors"
UIDS = json.loads((VECTORS / "uids.json").read_text())

uids = st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size))


@pytest.fixture
def reading() -> Reading:
    reading = Reading()
    reading.driver.start()
    return reading


@pytest.fixture
def scanner(reading: Reading) -> Scanner:
    return Scanner(reading.driver)


@pytest.mark.parametrize("vector", UIDS, ids=[vector["name"] for vector in UIDS])
def test_raw_frames_give_the_uid_or_nothing(vector: dict[str, object]) -> None:
    frames = vector["frames"]
    assert isinstance(frames, list)
    assert read(frames) == vector["uid"]


def test_micropython_reads_the_same_from_raw_frames() -> None:
    places = [str(Path(sys.executable).parent), os.environ["PATH"]]
    micropython = shutil.which("micropython", path=os.pathsep.join(places))
    if micropython is None:
        pytest.skip("there is no micropython")
    done = subprocess.run(
        [micropython, str(VECTORS / "replay.py")],
        input=json.dumps(UIDS),
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
        env={"MICROPYPATH": str(VECTORS.parents[1])},
    )
    assert json.loads(done.stdout) == [vector["uid"] for vector in UIDS]


def test_zeros_stay_and_all_spellings_are_one_card() -> None:
    """R10: AC8C5E0A never becomes ac8c5ea."""
    assert to_text(bytes([0xAC, 0x8C, 0x5E, 0x0A])) == V
    assert {from_text(text) for text in ("ac:8c:5e:0a", "AC8C5E0A", "AC-8C-5E-0A")} == {V}
    with pytest.raises(ValueError, match="7 digits; a UID has 8, 14 or 20"):
        from_text("AC8C5EA")


@given(st.binary(max_size=20))
def test_the_crc_by_bytes_is_the_crc_by_bits(data: bytes) -> None:
    assert data + crc_a(data) == with_crc(data)


def test_the_crc_is_that_of_the_standard() -> None:
    assert crc_a(b"\x00\x00") == b"\xa0\x1e"  # ISO/IEC 14443-3, Annex B
    assert crc_a(b"\x50\x00") == b"\x57\xcd"  # HLTA


@pytest.mark.parametrize("uid", [U, V, W, "88776655", "00000000", "88040000000000"])
def test_a_tag_is_read_at_each_poll_while_it_lies_there(
    uid: str, reading: Reading, scanner: Scanner
) -> None:
    """R01, R07, R09: with WUPA and HLTA there is no flicker, and the UID is whole."""
    reading.chip.put(laid(uid))
    assert [scanner.poll() for _ in range(20)] == [[uid]] * 20


@given(st.lists(uids, min_size=1, max_size=5, unique=True))
def test_all_tags_in_the_field_are_read(field: list[bytes]) -> None:
    reading = Reading()
    reading.driver.start()
    scanner = Scanner(reading.driver)
    texts = sorted(to_text(uid) for uid in field)
    for text in texts:
        reading.chip.put(laid(text))
    for _ in range(3):
        assert sorted(scanner.poll() or []) == texts


def test_tags_that_differ_in_the_second_level_only_are_two(
    reading: Reading, scanner: Scanner
) -> None:
    """R07."""
    reading.chip.put(laid("04A3C6CAE26180"))
    reading.chip.put(laid("04A3C6CAE26181"))
    assert sorted(scanner.poll() or []) == ["04A3C6CAE26180", "04A3C6CAE26181"]
    assert scanner.collisions == 1


def test_a_tag_that_answers_every_other_request_is_there_at_each_poll(
    reading: Reading, scanner: Scanner
) -> None:
    tag = laid(V)
    tag.flickers = True
    reading.chip.put(tag)
    assert [scanner.poll() for _ in range(10)] == [[V]] * 10


def test_what_cannot_be_trusted_is_counted_and_not_believed(
    reading: Reading, scanner: Scanner
) -> None:
    """R11: three wrong check bytes and three broken frames with stale data in 1000 polls."""
    tag = laid(V)
    reading.chip.put(tag)
    polls = []
    for number in range(1000):
        if number in (100, 200, 900):
            tag.wrong_checks = 1
        if number in (150, 500, 501):
            reading.chip.protocol_errors = 1
        polls.append(scanner.poll())
    assert polls.count([V]) == 994
    assert polls.count(None) == 6
    assert (scanner.failed, scanner.bcc, scanner.reads) == (6, 3, 994)


@pytest.mark.parametrize("cut", range(2, 8))
def test_a_tag_taken_away_in_the_middle_of_a_read_gives_nothing(
    cut: int, reading: Reading, scanner: Scanner
) -> None:
    """Cut before the second frame and each later one."""
    reading.chip.put(laid(U))
    frames = 0

    def count() -> None:
        nonlocal frames
        frames += 1
        if frames == cut * 9 - 5:  # a frame and its answer are nine transfers
            reading.chip.tags.clear()

    reading.chip.obstacle = count
    assert scanner.poll() in (None, [U])
    assert scanner.poll() == []


@pytest.mark.parametrize(
    ("version", "known"),
    [(0x91, True), (0x92, True), (0x88, True), (0x12, True), (0x1C, False), (0xEE, False)],
)
def test_the_version_says_whether_the_chip_is_known(version: int, known: bool) -> None:
    """R14."""
    reading = Reading(version)
    reading.driver.start()
    assert (reading.driver.version, reading.driver.known) == (version, known)
    reading.chip.put(laid(V))
    assert Scanner(reading.driver).poll() == [V]


@pytest.mark.parametrize("stuck", [0x00, 0xFF])
def test_a_bus_without_a_chip_is_no_reader_without_a_card(stuck: int) -> None:
    """R14."""
    reading = Reading()
    reading.chip.stuck = stuck
    with pytest.raises(NoAnswer) as error:
        reading.driver.start()
    assert error.value.version == stuck


@pytest.mark.parametrize("stuck", [0x00, 0xFF])
def test_a_chip_that_dies_is_noticed_at_the_next_poll_and_within_100_ms(
    stuck: int, reading: Reading, scanner: Scanner
) -> None:
    """R06: no call waits without end."""
    reading.chip.put(laid(U))
    assert scanner.poll() == [U]
    before = reading.clock.us
    reading.chip.stuck = stuck
    with pytest.raises(NoAnswer):
        scanner.poll()
    assert reading.clock.us - before < 100_000


@pytest.mark.parametrize("uid", [None, V])
def test_a_chip_that_lost_its_power_is_started_anew(
    uid: str | None, reading: Reading, scanner: Scanner
) -> None:
    """At once if a tag lay there: the poll that sees nothing any more says nothing."""
    if uid:
        reading.chip.put(laid(uid))
    scanner.poll()
    reading.chip.lose_power()
    polls = [scanner.poll() for _ in range(30)]
    assert polls.count(None) == scanner.restarts == 1
    assert not uid or polls == [None] + [[uid]] * 29


def test_an_antenna_that_is_off_is_noticed(reading: Reading, scanner: Scanner) -> None:
    """The transmitter waits for its field then, and no interrupt ever comes."""
    reading.chip.put(laid(V))
    reading.chip.write(0x14, 0x80)
    assert [scanner.poll() for _ in range(2)] == [None, [V]]


def test_a_poll_takes_few_transfers(reading: Reading, scanner: Scanner) -> None:
    """What a poll costs on a Pi is its transfers, each some 40 µs of the kernel's time."""
    counts = {}
    for uid in (None, V, U):
        if uid:
            reading.chip.tags[:] = [laid(uid)]
        reading.port.transfers = 0
        scanner.poll()
        counts[uid] = reading.port.transfers
    assert counts == {None: 8, V: 43, U: 61}


def test_an_empty_poll_is_over_within_a_millisecond(reading: Reading, scanner: Scanner) -> None:
    """R06."""
    before = reading.clock.us
    scanner.poll()
    assert reading.clock.us - before < 1000
