"""What a service manager is told, and how a service ends. The socket is a real one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from threading import Event

import pytest

from companion.devices.health import Condition, Health
from companion.devices.station import Station
from companion.journal import Journal
from companion.rules.phrases import Phrase
from companion.serving import stopped_by_signals
from companion.supervision import TELL_EVERY, DeviceLog, Supervisor
from companion.words import Words
from tests.host.test_serving import begin, service

LATEST = 5.0
"""Seconds within which SIGTERM has to have ended everything."""


class Manager:
    """The service manager's end of the socket."""

    def __init__(self, address: str) -> None:
        self.environment = {"NOTIFY_SOCKET": address}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(address.replace("@", "\0"))
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        """The messages that have come since."""
        messages = []
        while True:
            try:
                messages.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return messages

    def hears(self, wanted: str) -> None:
        """Wait for a message of one line."""
        self._socket.settimeout(10)
        while wanted not in self._socket.recv(4096).decode().split("\n"):
            pass
        self._socket.setblocking(False)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["file", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Manager]:
    path = tmp_path / "notify"
    manager = Manager(str(path) if request.param == "file" else f"@{path}")
    yield manager
    manager.close()


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_each_turn_feeds_the_watchdog_but_no_more_than_once_a_second(manager: Manager) -> None:
    clock = Clock()
    supervisor = Supervisor(manager.environment, clock=clock)
    for _ in range(10):
        supervisor.turned(lambda: "as before")
        clock.now += TELL_EVERY / 4
    assert manager.heard() == ["WATCHDOG=1\nSTATUS=as before", "WATCHDOG=1", "WATCHDOG=1"]


def test_a_status_is_made_only_when_it_is_told() -> None:
    def status() -> str:
        raise AssertionError("nobody listens")

    Supervisor({}).turned(status)


def test_ready_is_said_once(manager: Manager) -> None:
    supervisor = Supervisor(manager.environment)
    supervisor.ready()
    supervisor.ready()
    supervisor.stopping()
    assert manager.heard() == ["READY=1", "STOPPING=1"]


def test_what_was_not_taken_is_said_again(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    supervisor = Supervisor({"NOTIFY_SOCKET": address})
    supervisor.ready()
    supervisor.turned(lambda: "playing")
    manager = Manager(address)
    supervisor.ready()
    supervisor.turned(lambda: "playing")
    assert manager.heard() == ["READY=1", "WATCHDOG=1\nSTATUS=playing"]
    manager.close()


def test_a_manager_that_does_not_read_stops_nothing(manager: Manager) -> None:
    clock = Clock()
    supervisor = Supervisor(manager.environment, clock=clock)
    for _ in range(2000):  # far more than a socket holds
        supervisor.turned(lambda: "playing")
        clock.now += TELL_EVERY
    assert 0 < len(manager.heard()) < 2000


# -- the server ------------------------------------------------------------------------------------


def test_the_status_is_what_the_whole_table_sees(tmp_path: Path) -> None:
    with service(tmp_path / "journal.db") as at:
        assert at.server.status().plain() == "No game yet"
        begin(at)
        table = at.server.table
        assert table is not None
        active = table.session.view(None).active
        name = table.session.game.state.names[active]
        said = Words("en").say(at.server.status())
        assert said == f"{Words('en').say(table.box.title)}, game 1: 1 · {name}"


def test_a_device_that_never_settles_does_not_delay_being_ready_for_long(
    tmp_path: Path, manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub may take ten seconds to start; whoever started the service waits for it."""
    monkeypatch.setattr(Station, "settled", False)
    with service(tmp_path / "journal.db") as at:
        at.server.supervisor = Supervisor(manager.environment)
        monkeypatch.setattr("companion.serving.READY_AFTER", inf)
        at.turn(1)
        assert "READY=1" not in manager.heard()
        monkeypatch.setattr("companion.serving.READY_AFTER", 0.0)
        at.turn(1)
        assert "READY=1" in manager.heard()


# -- the log ---------------------------------------------------------------------------------------


def log_of(*conditions: tuple[Condition, str]) -> list[str]:
    written: list[str] = []
    log = DeviceLog(lambda phrase: written.append(phrase.plain()))
    for condition, reason in conditions:
        log.look([Health("hub", condition, Phrase(reason) if reason else None)])
    return written


OFFLINE, WORKING, STARTING = Condition.OFFLINE, Condition.WORKING, Condition.STARTING


def test_a_devices_going_and_coming_is_logged_once_however_often_it_is_tried() -> None:
    gone = (OFFLINE, "no hub")
    assert log_of((STARTING, ""), gone, gone, (STARTING, ""), gone, (WORKING, "")) == [
        "hub: offline: no hub",
        "hub: ready",
    ]


def test_another_reason_is_another_line() -> None:
    assert log_of((OFFLINE, "no hub"), (OFFLINE, "in use"))[1:] == ["hub: offline: in use"]


def test_working_again_after_a_moment_is_no_news() -> None:
    assert log_of((WORKING, ""), (Condition.DEGRADED, "a bit"), (WORKING, "")) == ["hub: ready"]


# -- the end ---------------------------------------------------------------------------------------


def test_sigterm_in_the_middle_of_a_write_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    append: Callable[..., None] = Journal.append

    def interrupted(self: Journal, *args: object, **more: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        append(self, *args, **more)

    with service(path) as at:
        begin(at)
        table = at.server.table
        assert table is not None
        with stopped_by_signals(at.server.tabletop.stop):
            monkeypatch.setattr(Journal, "append", interrupted)
            prompt = table.session.prompt
            table.session.answer(next(prompt.options()), prompt.seat)
        assert at.server.tabletop.stopped
        wanted = table.session.digest()
    monkeypatch.undo()
    with service(path) as at:
        begin(at)
        assert at.server.table is not None
        assert at.server.table.session.digest() == wanted


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_each_way_to_be_told_to_end_is_heard(number: signal.Signals) -> None:
    stopped = Event()
    with stopped_by_signals(stopped.set):
        os.kill(os.getpid(), number)
        assert stopped.is_set()


def test_under_nohup_the_end_of_the_terminal_is_not_the_tables() -> None:
    stopped = Event()
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stopped_by_signals(stopped.set):
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stopped.is_set()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


HANGING = """
import sys, time
from companion.command import main
from companion.devices.display import Display
Display.open = lambda self: time.sleep(600)
sys.exit(main(["serve", "--config", sys.argv[1]]))
"""
"""A service whose display does not come back from the driver."""


def test_a_service_says_how_it_is_and_sigterm_ends_it_while_a_device_hangs(
    tmp_path: Path,
) -> None:
    configuration = tmp_path / "companion.toml"
    configuration.write_text('[display]\ndriver = "ssd1306"\n')
    manager = Manager(str(tmp_path / "notify"))
    environment = {
        **os.environ,
        **manager.environment,
        "COMPANION_JOURNAL": str(tmp_path / "journal.db"),
        "LANG": "en_US",
    }
    command = [sys.executable, "-c", HANGING, str(configuration)]
    with subprocess.Popen(command, env=environment) as process:
        manager.hears("STATUS=No game yet")
        process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        manager.hears("STOPPING=1")
        assert process.wait(10) == 0
        assert time.monotonic() - began < LATEST
    manager.close()
