"""`companion serve`: a table without a terminal, from the boot page to "safe to unplug"."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.devices.settings import DeviceSettings
from companion.equipping import things_of_all
from companion.journal import Journal
from companion.screens.handset import Handset, SetupHandset
from companion.screens.handset.boot import Boot, Farewell
from companion.serving import Server
from companion.simulation import SimulatedTags, Simulation, working_station
from companion.words import Words
from companion.workbench import Workbench
from tests.host.simulated import SETTINGS, until


class Service:
    """A server that a test turns by hand, and hands at its devices."""

    def __init__(self, server: Server, bench: Workbench) -> None:
        self.server = server
        self.bench = bench

    def turn(self, times: int = 40) -> None:
        """Let it deal with what has come."""
        for _ in range(times):
            self.server.turn()

    def push(self, *buttons: str) -> None:
        """Push buttons on the scene in front, as the station would tell it."""
        for button in buttons:
            tabletop = self.server.tabletop
            tabletop.scene.tick(tabletop.clock())
            now = tabletop.clock() + 1.0  # whoever chooses has looked first
            tabletop.clock = lambda now=now: now  # type: ignore[misc]
            outcome = tabletop.scene.push(button, "short", now)
            if outcome.wish is not None:
                self.server.grant(outcome.wish)


@contextmanager
def service(path: Path, settings: DeviceSettings = SETTINGS) -> Iterator[Service]:
    simulation = Simulation(settings)
    book = SimulatedTags(things_of_all())
    with Journal(path) as journal, working_station(settings, simulation) as station:
        server = Server(station, journal, book, Words("en"))
        bench = Workbench(simulation, server.tabletop, book, things_of_all(), Words("en"))
        yield Service(server, bench)


def begin(at: Service) -> None:
    """From the boot page into a game, by buttons."""
    at.push("ok")
    at.turn(1)
    at.push("ok", "ok", "ok")


def test_four_presses_lead_from_power_to_the_first_question(tmp_path: Path) -> None:
    with service(tmp_path / "journal.db") as at:
        assert isinstance(at.server.tabletop.scene, Boot)
        begin(at)
        assert isinstance(at.server.tabletop.scene, Handset)
        assert at.server.table is not None
        assert at.server.tabletop.game == "chaos-kart"


def test_an_open_game_is_gone_on_with_and_a_new_one_leaves_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with service(path) as at:
        begin(at)
        table = at.server.table
        assert table is not None
        first = table.session.prompt.seat
        table.session.answer("forward-2", first)
    with service(path) as at:
        at.push("ok")
        at.turn(1)
        assert isinstance(at.server.tabletop.scene, SetupHandset)
        at.push("ok")
        table = at.server.table
        assert table is not None
        assert table.number == 1
        assert table.session.game.state.karts[first].square == 1
        assert len(at.server.journal.games()) == 1


def test_without_buttons_the_open_game_goes_on_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with service(path) as at:
        begin(at)
    settings = msgspec.structs.replace(SETTINGS, buttons=None)
    with service(path, settings) as at:
        at.server.tabletop.scene.over = True  # type: ignore[attr-defined]
        at.turn(1)
        assert isinstance(at.server.tabletop.scene, Handset)


def test_the_end_is_said_on_the_display_and_stays(tmp_path: Path) -> None:
    simulation = Simulation(SETTINGS)
    with Journal(tmp_path / "journal.db") as journal:
        with working_station(SETTINGS, simulation) as station:
            server = Server(station, journal, SimulatedTags(things_of_all()), Words("en"))
            until(lambda: station.settled)
            server.tabletop.stop()
            server.run()
            assert isinstance(server.tabletop.scene, Farewell)
            wanted = server.tabletop.scene.picture().tobytes()
        shown = simulation.picture()
    assert shown is not None
    assert shown.tobytes() == wanted


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "COMPANION_JOURNAL": str(tmp_path / "journal.db"), "LANG": "en_US"}


def companion(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "companion", *arguments]


def test_sigterm_ends_it_in_time_and_cleanly(environment: dict[str, str]) -> None:
    command = companion("serve", "--devices", "simulated")
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the first picture: everything is up
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert time.monotonic() - began < 5.0


def test_a_table_without_any_device_can_still_be_served(
    environment: dict[str, str], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    command = companion("serve", "--config", str(empty))
    with subprocess.Popen(command, env=environment) as process:
        time.sleep(1.0)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 0
