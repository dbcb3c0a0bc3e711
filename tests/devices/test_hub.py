"""The host's side of the hub: the conversation, the port, and both when things go wrong."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.claims import holder_of
from companion.devices.health import Condition, Health, HealthBoard
from companion.devices.hub import Hub, HubFault, Port, find_port
from companion.devices.hub.ports import UsbPort
from companion.devices.hub.talk import HELLO_WAIT, Talk
from companion.devices.inputs import Input, Lifted, Missed, Pushed, Tapped
from companion.devices.lights import Light
from companion.devices.settings import HubSettings, PollSettings, PushSettings
from companion.devices.simulated.hub import SimulatedHub
from companion.devices.worker import Worker
from companion.portable.messages import decode, encode
from companion.portable.wire import Lines
from tests.devices.hub_bench import SETTINGS, Table, U, V

BANNER = b"MicroPython v1.28.0\r\nTraceback (most recent call last):\r\n  File main.py\r\n"


def hello(boot: str = "9F3A21C7", protocol: int = 1, acknowledged: int = 0) -> bytes:
    return encode("hello", protocol, "1.0.0", boot, "power", "default", acknowledged, "readers=8")


def new_talk() -> tuple[Talk, list[Input]]:
    inputs: list[Input] = []
    return (
        Talk(SETTINGS, PollSettings(), PushSettings(), inputs.append, lambda *_: None, 0.0),
        inputs,
    )


def words(data: bytes) -> list[str]:
    """The names of the messages in some bytes."""
    return [text.split(" ")[0] for text in Lines().feed(data)]


# -- the conversation ------------------------------------------------------------------------------


def test_nothing_is_sent_before_the_hub_has_said_hello() -> None:
    """S04: a banner and a traceback, 2.5 seconds of nothing, then hello and at once a tap."""
    talk, inputs = new_talk()
    talk.hear(BANNER, 0.1)
    for tenth in range(25):
        assert talk.say(tenth / 10) == b""
    talk.hear(hello() + encode("tap", 1, "A", (U,), 10), 2.5)
    assert "set-begin" in words(talk.say(2.5))
    (tap,) = inputs
    assert isinstance(tap, Tapped)
    assert tap.uid == U
    assert tap.at == pytest.approx(2.49)


def test_a_hub_that_says_nothing_is_asked_once_and_then_given_up() -> None:
    talk, _ = new_talk()
    assert talk.say(HELLO_WAIT - 0.1) == b""
    assert words(talk.say(HELLO_WAIT)) == ["who"]
    assert talk.say(HELLO_WAIT + 1) == b""
    with pytest.raises(HubFault, match="does not answer: companion hub flash"):
        talk.say(HELLO_WAIT + 2)


def test_a_hub_that_is_at_work_already_is_asked_at_once() -> None:
    talk, inputs = new_talk()
    talk.hear(encode("beat", 77) + encode("tap", 3, "A", (U,), 0), 0.2)
    assert words(talk.say(0.2)) == ["who"]
    assert inputs == []


def test_a_tap_that_comes_in_pieces_is_one() -> None:
    """S02."""
    talk, inputs = new_talk()
    talk.hear(hello(), 0.1)
    tap = encode("tap", 1, "A", (U,), 0)
    talk.hear(tap[:11], 0.2)
    talk.hear(b"", 0.3)
    talk.hear(tap[11:], 0.5)
    assert len(inputs) == 1


def test_what_comes_twice_counts_once_and_what_overtakes_waits() -> None:
    talk, inputs = new_talk()
    talk.hear(hello(), 0.1)
    first, second = encode("tap", 1, "A", (U,), 0), encode("lift", 2, "A", (U,), 0)
    talk.hear(second + first + first + second + second, 0.2)
    assert [type(event) for event in inputs] == [Tapped, Lifted]


def test_a_silent_hub_is_gone() -> None:
    talk, _ = new_talk()
    talk.hear(hello(), 1.0)
    talk.say(3.9)
    with pytest.raises(HubFault, match="silent"):
        talk.say(4.1)


def test_another_protocol_is_refused_with_what_mends_it() -> None:
    talk, _ = new_talk()
    with pytest.raises(HubFault, match="protocol 2, this program 1: companion hub flash"):
        talk.hear(hello(protocol=2), 1.0)


def test_settings_that_the_hub_refuses_are_told_with_its_reason() -> None:
    table = Table(settings=msgspec.structs.replace(SETTINGS, sck=1))
    with pytest.raises(HubFault, match="refuses its settings: bad SCK pin"):
        table.run(2)


def test_a_command_that_is_lost_is_sent_again() -> None:
    table = Table()
    chunks = iter(range(1_000_000))
    table.to_hub = lambda data: b"" if data and next(chunks) % 2 else data
    table.run(10)
    assert table.talk.ready
    table.put(U)
    table.run(1)
    assert table.taps() == [U]


def test_a_hub_that_beats_and_does_not_obey_is_a_fault() -> None:
    talk, _ = new_talk()
    talk.hear(hello(), 0.1)
    for second in range(1, 4):
        talk.hear(encode("beat", second), second)
        for half in (0.0, 0.5):
            assert "set-begin" in words(talk.say(second + half))
    with pytest.raises(HubFault, match="does not obey"):
        talk.say(4.0)


def test_a_message_of_a_newer_firmware_is_passed_over() -> None:
    talk, inputs = new_talk()
    talk.hear(hello() + b"beat 1 2 *0000\n" + b"wave 1 *5C3C\n", 0.1)
    talk.hear(encode("tap", 1, "A", (U,), 0), 0.2)
    assert len(inputs) == 1


def test_a_card_that_stays_while_the_hub_restarts_is_not_tapped_again() -> None:
    table = Table()
    table.run(1)
    lift = table.put(U)
    table.run(1)
    table.restart("0000B008")
    table.run(3)
    assert table.taps() == [U]
    lift()
    table.run(1)
    table.put(U)
    table.run(1)
    assert [type(event) for event in table.inputs] == [Tapped, Lifted, Tapped]


def test_a_card_that_is_tapped_again_just_after_the_hub_restarted_is_told() -> None:
    table = Table()
    table.run(1)
    lift = table.put(U)
    table.run(1)
    lift()
    table.restart("0000B008")
    while not table.talk.ready:
        table.run(0.05)
    table.run(0.3)
    table.put(U)
    table.run(1)
    assert [type(event) for event in table.inputs] == [Tapped, Lifted, Tapped]


def test_a_card_on_a_reader_that_comes_back_late_is_not_tapped_again() -> None:
    table = Table()
    table.run(1)
    table.put(U)
    table.run(1)
    table.board.chip(5).stuck = 0xFF
    table.restart("0000B008")
    table.run(4)
    table.board.chip(5).stuck = None
    table.run(8)
    assert table.health["A"] is Condition.WORKING
    assert table.taps() == [U]


def test_a_card_that_came_or_went_while_the_hub_was_away_is_told() -> None:
    table = Table()
    table.run(1)
    lift = table.put(U)
    table.run(1)
    lift()
    table.put(V, 9)
    table.restart("0000B008")
    table.run(3)
    kinds = [(type(event), getattr(event, "uid", "")) for event in table.inputs]
    assert kinds[0] == (Tapped, U)
    assert sorted(kinds[1:], key=str) == sorted([(Tapped, V), (Lifted, U)], key=str)


def test_a_host_that_comes_back_is_told_what_happened_and_a_new_one_is_not() -> None:
    table = Table()
    table.run(1)
    table.put(U)
    table.run(2, host=False)
    table.talk.opened(table.now)
    table.run(2)
    (tap,) = table.inputs
    assert isinstance(tap, Tapped)
    assert 1 <= tap.at < 1.2
    table.put(V, 9)
    table.run(2, host=False)
    table.new_host()
    table.run(2)
    assert table.taps() == [U]


def test_a_new_host_hears_nothing_of_losses_before_its_time() -> None:
    table = Table()
    table.run(1)
    for _ in range(30):
        lift = table.put(V, 9)
        table.run(0.2, host=False)
        lift()
        table.run(0.8, host=False)
    table.new_host()
    table.put(U)
    table.run(2)
    assert table.taps() == [U]
    assert table.missed() == 0


def test_a_card_lifted_in_a_stretch_that_was_lost_is_lifted() -> None:
    """After a loss the whole state is asked for."""
    table = Table()
    table.run(1)
    lift = table.put(U)
    table.run(1)
    lift()
    for _ in range(30):
        table.run(0.9, host=False)
        other = table.put(V, 9)
        table.run(0.2, host=False)
        other()
    table.talk.opened(table.now)
    table.run(3)
    assert table.missed() > 0
    assert [event.uid for event in table.inputs if isinstance(event, Lifted)].count(U) == 1


def obey_until_state(talk: Talk, now: float) -> int:
    """Acknowledge every command; gives the number of the question for the state."""
    for _ in range(30):
        for text in Lines().feed(talk.say(now)):
            message = decode(text)
            if "number" in message.values and message.name != "ack":
                talk.hear(encode("ack", message.number("number")), now)
                if message.name == "state":
                    return message.number("number")
    raise AssertionError("the state was not asked for")


def test_a_state_in_which_something_happened_is_asked_for_again() -> None:
    """The card is told as lying there, and lifted before the answer is complete."""
    talk, inputs = new_talk()
    talk.hear(hello() + encode("tap", 1, "A", (U,), 0), 0.1)
    number = obey_until_state(talk, 0.1)
    talk.hear(encode("lies", number, "A", (U,), 100), 0.2)
    talk.hear(encode("lift", 2, "A", (U,), 0) + encode("whole", number, 1), 0.2)
    again = obey_until_state(talk, 0.2)
    assert again > number
    talk.hear(encode("whole", again, 0), 0.3)
    assert [type(event) for event in inputs] == [Tapped, Lifted]


def test_statistics_come_with_the_state() -> None:
    table = Table()
    table.run(1)
    table.put(U)
    table.run(11)
    statistics = table.talk.readers["A"].statistics
    assert statistics["polls"] > 100
    assert statistics["reads"] > 100
    assert statistics["bcc"] == 0


class Noise:
    """A cable that damages what goes through it: cuts, losses, doubles, flips."""

    def __init__(self, seed: int, evil: float) -> None:
        self.chance = random.Random(seed)
        self.evil = evil
        self.held = b""

    def __call__(self, data: bytes) -> bytes:
        data = self.held + data
        self.held = b""
        if not data or self.chance.random() >= self.evil:
            return data
        kind = self.chance.randrange(5)
        cut = self.chance.randrange(len(data) + 1)
        if kind == 0:
            return data[:cut]
        if kind == 1:
            return data + data
        if kind == 2:
            return data[:cut] + bytes([self.chance.randrange(256)]) + data[cut + 1 :]
        if kind == 3:
            return data[cut:] + data[:cut]
        self.held = data[cut:]
        return data[:cut]


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), evil=st.floats(0.05, 0.6))
def test_no_wrong_tap_and_none_lost_without_notice(seed: int, evil: float) -> None:
    """The real firmware over a bad cable: all taps arrive once, in order, or are told as lost."""
    table = Table()
    table.run(1)
    table.to_host, table.to_hub = Noise(seed, evil), Noise(seed + 1, evil)
    laid = []
    for uid in (U, V, U, V):
        lift = table.put(uid)
        laid.append(uid)
        bear(table, 0.5)
        lift()
        bear(table, 0.9)
    table.to_host = table.to_hub = bytes
    bear(table, 3)
    assert table.missed() == 0
    assert table.taps() == laid


def bear(table: Table, seconds: float) -> None:
    """Let time pass; where the host gives up, it opens the port again."""
    end = table.now + seconds
    while table.now < end:
        try:
            table.run(end - table.now)
        except HubFault:
            table.talk.opened(table.now)


# -- the port --------------------------------------------------------------------------------------


class Usb(msgspec.Struct):
    device: str
    serial_number: str | None = None
    vid: int | None = None
    pid: int | None = None


PICO_1 = Usb("/dev/ttyACM1", "E6614103E7452D2F", 0x2E8A, 0x0005)
PICO_2 = Usb("/dev/ttyACM2", "E6614103E7000000", 0x2E8A, 0x0005)
MODEM = Usb("/dev/ttyACM0", "MODEM", 0x1234, 0x0001)


def ports(*found: UsbPort) -> Callable[[], list[UsbPort]]:
    return lambda: list(found)


def test_the_hub_is_found_by_serial_number_by_path_or_because_it_is_the_only_one() -> None:
    by_serial = HubSettings(serial="e6614103e7000000")
    assert find_port(by_serial, ports(MODEM, PICO_1, PICO_2)) == "/dev/ttyACM2"
    assert find_port(HubSettings(port="/dev/hub"), ports()) == "/dev/hub"
    assert find_port(HubSettings(), ports(MODEM, PICO_1)) == "/dev/ttyACM1"


@pytest.mark.parametrize(
    ("wanted", "there", "told"),
    [
        (HubSettings(), [MODEM], "no hub at any USB port"),
        (HubSettings(), [PICO_1, PICO_2], "several hubs: /dev/ttyACM1 .*, /dev/ttyACM2 .*serial"),
        (HubSettings(serial="77"), [MODEM], "no hub 77; there is /dev/ttyACM0 .MODEM."),
        (HubSettings(serial="77"), [], "no hub 77 at any USB port"),
    ],
)
def test_a_hub_that_is_not_found_is_told_with_what_there_is(
    wanted: HubSettings, there: list[UsbPort], told: str
) -> None:
    with pytest.raises(HubFault, match=told):
        find_port(wanted, ports(*there))


@pytest.fixture
def terminal() -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: the end of the hub, and the name of the port."""
    ours, theirs = os.openpty()
    yield ours, os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_a_port_that_is_not_there_is_told() -> None:
    with pytest.raises(HubFault, match="no hub at /dev/no-such-hub"):
        Port("/dev/no-such-hub")


def test_what_somebody_else_began_to_write_is_ended_first(terminal: tuple[int, str]) -> None:
    hub, path = terminal
    tty.setraw(hub)
    with closing(Port(path)) as port:
        port.write(b"who *1\n")
        port.write(b"who *2\n")
    came = b""
    while came.count(b"\n") < 3:  # a terminal gives what there is
        came += os.read(hub, 100)
    assert came == b"\nwho *1\nwho *2\n"


def test_a_second_process_is_told_who_has_the_port(terminal: tuple[int, str]) -> None:
    """S06: it ends at once, names the holder, and takes nothing from the first."""
    hub, path = terminal
    port = Port(path)
    try:
        assert holder_of(path) == os.getpid()
        script = f"from companion.devices.hub import Port; Port({path!r})"
        for number in range(50):
            os.write(hub, b"%03d\n" % number)
        began = time.monotonic()
        second = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=20
        )
        assert time.monotonic() - began < 2
        assert second.returncode != 0
        assert f"{path} is in use by process {os.getpid()}" in second.stderr
        for number in range(50, 100):
            os.write(hub, b"%03d\n" % number)
        assert read_lines(port, 100) == [b"%03d" % number for number in range(100)]
    finally:
        port.close()


def read_lines(port: Port, count: int) -> list[bytes]:
    data = b""
    end = time.monotonic() + 5
    while data.count(b"\n") < count and time.monotonic() < end:
        data += port.read()
    return data.split()


def test_a_port_that_vanishes_is_a_fault_and_can_be_closed() -> None:
    ours, theirs = os.openpty()
    port = Port(os.ttyname(theirs))
    os.close(theirs)
    os.close(ours)
    with pytest.raises(HubFault, match="unplugged"):
        port.read()
    with pytest.raises(HubFault, match="unplugged"):
        port.write(b"x" * 10)
    port.close()


# -- all of it, with the firmware under MicroPython ------------------------------------------------


class Host:
    """A host with its worker at a simulated hub."""

    def __init__(self, hub: SimulatedHub) -> None:
        self.sim = hub
        self.inputs: list[Input] = []
        self.told: list[Health] = []
        self.board = HealthBoard(self.told.append)
        self.device = Hub(
            hub.settings,
            PollSettings(),
            PushSettings(),
            self.inputs.append,
            self.board,
            find=hub.find,
        )
        self.worker = Worker(self.device, self.board)

    def is_usable(self) -> bool:
        health = self.board.all()
        return all(name in health and health[name].usable for name in ("hub", "reader/A"))

    def saw(self, kind: type[Input], count: int = 1) -> bool:
        return sum(isinstance(event, kind) for event in self.inputs) >= count


@contextmanager
def at_table() -> Iterator[Host]:
    with SimulatedHub(SETTINGS) as sim:
        host = Host(sim)
        host.worker.start()
        try:
            wait(host.is_usable)
            yield host
        finally:
            assert host.worker.stop(5)


def wait(until: Callable[[], bool], seconds: float = 10) -> float:
    """Wait until something is so; gives how many seconds that took."""
    began = time.monotonic()
    while not until():
        assert time.monotonic() - began < seconds, "it did not come"
        time.sleep(0.01)
    return time.monotonic() - began


def test_a_hub_that_is_pulled_out_comes_back_under_another_name() -> None:
    """S01."""
    threads = threading.active_count()
    with at_table() as host:
        host.sim.put("A", U)
        wait(lambda: host.saw(Tapped))
        first = host.sim.path
        held = os.open(first, os.O_RDWR | os.O_NOCTTY)  # so that the name is not free again
        host.sim.unplug()
        wait(lambda: host.board.all()["hub"].condition is Condition.OFFLINE)
        assert host.board.all()["reader/A"].condition is Condition.OFFLINE
        host.sim.plug()
        try:
            assert host.sim.path != first
            assert wait(host.is_usable) < 3
            host.sim.put("B", V)
            wait(lambda: host.saw(Tapped, 2))
        finally:
            os.close(held)
        assert [event.uid for event in host.inputs if isinstance(event, Tapped)] == [U, V]
        assert not host.saw(Missed)
    assert threading.active_count() == threads


def test_buttons_and_lights_of_a_hub_work() -> None:
    with at_table() as host:
        host.device.show({"A": Light.ACCEPTED})
        wait(lambda: host.sim.light("A") == (0, 255, 0))
        wait(lambda: host.sim.light("A") == (0, 0, 0))
        host.sim.press("ok")
        time.sleep(0.1)
        host.sim.release("ok")
        wait(lambda: host.saw(Pushed))
        assert host.device.about["cause"] == "power"


def test_a_hub_that_hangs_is_reset_and_goes_on() -> None:
    """F03 from the host's side: it says why it started, and gets its settings again."""
    with SimulatedHub(SETTINGS, watchdog=0.8) as sim:
        host = Host(sim)
        host.worker.start()
        try:
            wait(host.is_usable)
            sim.spoil("B", "hang")
            wait(lambda: host.device.about.get("cause") == "watchdog")
            wait(host.is_usable)
            sim.put("A", U)
            wait(lambda: host.saw(Tapped))
        finally:
            assert host.worker.stop(5)
