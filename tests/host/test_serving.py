"""`companion serve`: a table without a terminal, from the boot page to "safe to unplug"."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.devices.inputs import Tapped
from companion.devices.settings import DeviceSettings
from companion.equipping import contents, things_of_all
from companion.games.shelf import GAMES, open_box
from companion.journal import Journal
from companion.rules.errors import BadSetup, DifferentRules, NotUnderstood
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
def service(
    path: Path, settings: DeviceSettings = SETTINGS, own: Mapping[str, Path] | None = None
) -> Iterator[Service]:
    simulation = Simulation(settings)
    texts = contents("chaos-kart" if own else None, own or {})
    things = things_of_all(texts)
    book = SimulatedTags(things)
    with Journal(path) as journal, working_station(settings, simulation) as station:
        server = Server(station, journal, book, Words("en"), texts)
        bench = Workbench(simulation, server.tabletop, book, things, Words("en"))
        yield Service(server, bench)


def begin(at: Service) -> None:
    """From the boot page into the first game of the shelf, by buttons: language, game, players."""
    at.push("ok")
    at.turn(1)
    for _ in range(4):
        if not isinstance(at.server.tabletop.scene, Handset):
            at.push("ok")


def test_five_presses_lead_from_power_to_the_first_question(tmp_path: Path) -> None:
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
            texts = contents(None, {})
            server = Server(station, journal, SimulatedTags([]), Words("en"), texts)
            until(lambda: station.settled)
            server.tabletop.stop()
            server.run()
            assert isinstance(server.tabletop.scene, Farewell)
            wanted = server.tabletop.scene.picture().tobytes()
        shown = simulation.picture()
    assert shown is not None
    assert shown.tobytes() == wanted


def test_an_owners_cards_are_played_and_have_tags(tmp_path: Path) -> None:
    cards = tmp_path / "cards.toml"
    sample = open_box("chaos-kart").content()["cards.toml"]
    cards.write_text(sample.replace('id = "forward-1"', 'id = "amble"'))
    with service(tmp_path / "journal.db", own={"cards.toml": cards}) as at:
        begin(at)
        at.push("ok")
        assert at.server.table is not None
        assert "amble" in at.server.table.session.prompt.options()
        uid = next(tag.uid for tag in at.server.tabletop.tags.tags() if tag.thing == "amble")
        assert at.server.tabletop.meaning(Tapped("A", uid, 0.0)).thing == "amble"


def test_cards_without_a_game_are_refused_where_there_are_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "another", GAMES["chaos-kart"])
    with pytest.raises(BadSetup, match="another"):
        contents(None, {"cards.toml": tmp_path / "cards.toml"})
    with pytest.raises(NotUnderstood, match="There is no game"):
        contents("nothing", {})


def test_a_game_under_other_rules_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    with service(path) as at:
        begin(at)

    def changed(_journal: Journal, _number: int) -> None:
        raise DifferentRules(1)

    monkeypatch.setattr("companion.serving.resume_table", changed)
    with service(path) as at:
        at.push("ok")
        at.turn(1)
        at.push("ok")
        scene = at.server.tabletop.scene
        assert isinstance(scene, Handset)
        assert "Under new rules" in [text for text, _ in scene.sheet().texts]


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


def test_a_closed_standard_input_is_an_empty_one(environment: dict[str, str]) -> None:
    """As whoever starts a program from another one may leave them."""
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *companion("serve", "--devices", "simulated")]
    run = subprocess.run(closed, env=environment, capture_output=True, check=False, timeout=30)
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout


def test_lines_are_hands_buttons_help_and_the_end(environment: dict[str, str]) -> None:
    lines = "ok\nhelp\nfoo\ndown ok\nquit\npress ok\n"
    command = companion("serve", "chaos-kart", "--devices", "simulated")
    done = subprocess.run(
        command,
        env=environment,
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1  # foo
    assert "press up|down|ok|back" in done.stdout
    assert "“foo” is no button" in done.stdout
    assert "> press ok" not in done.stdout


def test_a_table_without_any_device_can_still_be_served(
    environment: dict[str, str], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    command = companion("serve", "--config", str(empty))
    with subprocess.Popen(command, env=environment) as process:
        journal = Path(environment["COMPANION_JOURNAL"])
        until(journal.exists)
        time.sleep(1.0)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 0
