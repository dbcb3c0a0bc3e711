"""The package in a container: installed, started, hung, upgraded and removed, with a hub at it.

`make box` runs it. Anything else skips it: it needs root, a Debian to boot and a built package.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.devices.settings import HubReaderSettings, HubSettings
from companion.devices.simulated.hub import SimulatedHub
from companion.doctor.usb import UDEV_RULES
from companion.host import resume_table
from companion.journal import Journal, tagfiles
from companion.rules.tags import Tag, TagKind
from tests.box.container import Container, booted, debian_root, until, what_is_missing
from tests.box.files import ROOT, SERVICE, UNIT, not_understood

RELEASE = os.environ.get("COMPANION_BOX", "")
"""The Debian to boot, such as "bookworm"; "": none."""
WHY_NOT = what_is_missing() if RELEASE else "`make box` runs it"

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

STATE = "/var/lib/tabletop-companion"
JOURNAL = f"{STATE}/journal.db"
CARD = "04A3C6CAE26180"
HUB = HubSettings(
    readers=(HubReaderSettings(name="A", select=5),),
    buttons={"up": 10, "down": 11, "ok": 12, "back": 13},
    lights={"A": (16, 17, 18), "B": (19, 20, 21)},
)
CONFIGURATION = """\
language = "en"

# A container has no I2C: a table plays without a display, too.
[display]
driver = "ssd1306"

[hub]
port = "/dev/ttyACM0"

[[hub.reader]]
name = "A"
select = 5

[hub.buttons]
up = 10
down = 11
ok = 12
back = 13
"""
HERE = """\
[Unit]
# A container is no Raspberry Pi.
ConditionPathExists=

[Service]
ExecStart=
ExecStart=/usr/bin/companion serve chaos-kart
# Nobody has to wait for half a minute.
WatchdogSec=4s
"""
PROBE = """\
import os

for major in (166, 188, 153, 89, 10):
    try:
        os.open(f"/dev/probe{major}", os.O_RDWR)
    except OSError as error:
        print(major, error.strerror)
"""
SEEN = 1.0
"""Seconds for which somebody looks at a page."""
DIALOUT = 20
"""Debian's number of the group (base-passwd)."""


class Game(NamedTuple):
    """A game as its journal says it is."""

    answers: int
    digest: str
    question: str
    seat: str


class Box:
    """The container with the service in it, and a hub whose firmware runs outside."""

    def __init__(self, container: Container, hub: SimulatedHub, scratch: Path) -> None:
        self.container = container
        self.hub = hub
        self.scratch = scratch

    def systemctl(self, *arguments: str) -> str:
        return self.container.run("systemctl", *arguments)

    def shown(self, name: str) -> str:
        """A property of the service as systemd has it."""
        return self.systemctl("show", SERVICE, f"--property={name}", "--value").strip()

    def log(self) -> str:
        return self.container.run("journalctl", f"--unit={SERVICE}", "--no-pager")

    def pid(self) -> str:
        return self.shown("MainPID")

    def press(self, button: str) -> None:
        time.sleep(SEEN)
        self.hub.press(button)
        time.sleep(0.2)
        self.hub.release(button)

    def press_until_it_plays(self) -> None:
        """OK at every question before the game."""
        for _ in range(12):
            if "game 1" in self.shown("StatusText"):
                return
            self.press("ok")
            time.sleep(1.1)  # the status is told once a second
        raise AssertionError(f"no game: {self.shown('StatusText')}\n{self.log()}")

    def tap(self) -> None:
        self.hub.put("A", CARD)
        time.sleep(0.5)
        self.hub.lift("A", CARD)
        time.sleep(1.0)

    def game(self) -> Game:
        """The first game, from a copy of the journal made while the service plays."""
        copy = "/tmp/copy.db"
        self.container.run("rm", "-f", copy)
        self.container.run("companion", "backup", copy, f"--journal={JOURNAL}", user="companion")
        here = self.scratch / "copy.db"
        shutil.copy(self.container.files / copy.lstrip("/"), here)
        with Journal(here) as journal:
            session = resume_table(journal, 1).session
            prompt = session.prompt
            return Game(len(session.entries), session.digest(), prompt.key, prompt.seat)


@pytest.fixture(scope="module")
def package() -> Path:
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    built = sorted(ROOT.glob(f"dist/*_{architecture}.deb"), key=lambda file: file.stat().st_mtime)
    assert built, "make deb"
    return built[-1]


@pytest.fixture(scope="module")
def box(
    package: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Box]:
    scratch = tmp_path_factory.mktemp("box")
    root = debian_root(RELEASE, request.config.cache.mkdir("box"))
    with SimulatedHub(HUB) as hub:
        os.chown(hub.path, 0, DIALOUT)
        Path(hub.path).chmod(0o660)
        with booted(root, scratch / "log", f"{hub.path}:/dev/ttyACM0") as container:
            container.copy(package, "/root/first.deb")
            container.run("dpkg", "--install", "/root/first.deb")
            yield Box(container, hub, scratch)


@pytest.fixture
def playing(box: Box) -> Box:
    """The box with the service at work and a game in front."""
    if box.shown("ActiveState") != "active":
        box.container.write("/etc/companion.toml", CONFIGURATION)
        box.container.write(f"/etc/systemd/system/{SERVICE}.d/here.conf", HERE)
        tags = tagfiles.written([Tag(CARD, "chaos-kart", TagKind.CARD, "forward-2")], ".csv")
        box.container.write("/tmp/tags.csv", tags)
        box.container.run("install", "-d", "-o", "companion", STATE)
        importing = "companion", "tags", "import", "/tmp/tags.csv", f"--journal={JOURNAL}"
        box.container.run(*importing, user="companion")
        box.systemctl("daemon-reload")
        box.systemctl("start", SERVICE)
    box.press_until_it_plays()
    return box


def test_it_is_there_enabled_and_waits_for_a_raspberry_pi(box: Box) -> None:
    assert box.shown("UnitFileState") == "enabled"
    assert box.shown("ConditionResult") == "no"
    groups = box.container.run("id", "-nG", "companion").split()
    assert {"gpio", "spi", "i2c", "dialout"} <= set(groups)
    assert "companion" in box.container.run("companion", "--help")


def test_it_is_a_simulated_table_on_a_laptop(box: Box) -> None:
    trying = "companion", "doctor", "--devices", "simulated", "--test", "reader"
    assert "All is well." in box.container.run(*trying, user="companion")


def test_its_python_is_compiled_and_sees_the_systems_libraries(box: Box) -> None:
    lib = box.container.files / "usr/lib/tabletop-companion/lib/python3/site-packages"
    for package in ("companion", "PIL", "luma"):
        modules, compiled = (
            {file.stem.partition(".")[0] for file in (lib / package).rglob(pattern)}
            for pattern in ("*.py", "*.pyc")
        )
        assert modules == compiled
    box.container.run("/usr/lib/tabletop-companion/bin/python3", "-Ic", "import spidev")


def test_its_unit_has_nothing_wrong_under_this_systemd(box: Box) -> None:
    said = box.container.run("systemd-analyze", "verify", SERVICE)
    assert not_understood(said) == []
    box.container.run("systemd-analyze", "security", "--threshold=20", SERVICE)


def test_udev_understands_the_rules(box: Box) -> None:
    if "verify" not in box.container.run("udevadm", "--help"):
        pytest.skip("this udevadm cannot verify")
    box.container.run("udevadm", "verify", UDEV_RULES)


def test_it_says_that_it_is_ready_and_how_the_game_stands(playing: Box) -> None:
    assert playing.shown("SubState") == "running"
    assert re.fullmatch(r"Chaos Kart, game 1: \d+ · .+", playing.shown("StatusText"))
    assert "hub: ready" in playing.log()
    assert playing.log().count("display: offline: I2C is off") == 1


def test_its_folder_is_its_own_and_nothing_else_can_be_written(playing: Box) -> None:
    folder = playing.container.run("stat", "--format=%U %a", STATE).strip()
    assert folder == "companion 700"
    here = f"/proc/{playing.pid()}"
    seen = playing.container.run("cat", f"{here}/mountinfo")
    assert re.search(r" / / ro[, ]", seen)
    assert "CapEff:\t0000000000000000" in playing.container.run("cat", f"{here}/status")


def test_devices_of_a_table_are_reached_and_no_others(box: Box) -> None:
    """A probe under the same unit; what is allowed has no driver and is not there."""
    for major in (166, 188, 153, 89, 10):
        box.container.run("mknod", "--mode=666", f"/dev/probe{major}", "c", str(major), "77")
    box.container.write("/opt/probe.py", PROBE)
    unit = UNIT.read_text().replace("Type=notify", "Type=oneshot")
    unit = unit.replace("/usr/bin/companion serve", "/usr/bin/python3 /opt/probe.py")
    box.container.write("/etc/systemd/system/probe.service", re.sub("Condition.*", "", unit))
    box.systemctl("daemon-reload")
    box.systemctl("start", "probe.service")
    said = box.container.run("journalctl", "--unit=probe.service", "--output=cat", "--no-pager")
    for allowed in (166, 188, 153, 89):
        assert f"{allowed} No such device or address" in said
    assert "10 Operation not permitted" in said


def test_a_card_on_the_hub_is_an_answer(playing: Box) -> None:
    before = playing.game()
    playing.tap()
    after = playing.game()
    assert after.answers == before.answers + 1
    assert after.digest != before.digest


def resumed(box: Box, hang: list[str], old: str) -> None:
    """Wait for another process after this one was made to fail, and lead it to the game."""
    box.systemctl(*hang)
    until(lambda: box.pid() not in ("0", old), "it is not started anew")
    until(lambda: box.shown("SubState") == "running", "it does not get ready")
    box.press_until_it_plays()


def test_a_hung_table_is_killed_and_goes_on_at_the_same_question(playing: Box) -> None:
    before, old = playing.game(), playing.pid()
    resumed(playing, ["kill", "--kill-whom=main", "--signal=STOP", SERVICE], old)
    assert "Watchdog timeout" in playing.log()
    assert playing.game() == before


def test_where_it_hung_is_in_the_log(playing: Box) -> None:
    """The watchdog's signal lets Python tell where each thread was."""
    before, old = playing.game(), playing.pid()
    resumed(playing, ["kill", "--kill-whom=main", "--signal=ABRT", SERVICE], old)
    assert re.search(r"tabletop.py.* in turn", playing.log())
    assert playing.game() == before


def test_a_wrong_configuration_is_told_and_mended_without_a_restart(playing: Box) -> None:
    before = playing.game()
    playing.container.write("/etc/companion.toml", CONFIGURATION.replace("select", "selekt"))
    playing.systemctl("restart", SERVICE)
    until(lambda: "there is no selekt" in playing.shown("StatusText"), "the fault is not told")
    old = playing.pid()
    assert "there is no selekt. Did you mean select?" in playing.log()
    playing.container.write("/etc/companion.toml", CONFIGURATION)
    playing.press_until_it_plays()
    assert playing.pid() == old
    assert playing.game() == before


def test_it_ends_in_time_and_cleanly(playing: Box) -> None:
    before = playing.game()
    began = time.monotonic()
    playing.systemctl("stop", SERVICE)
    assert time.monotonic() - began < 5.0
    assert playing.shown("Result") == "success"
    assert playing.game() == before


def newer(package: Path, place: Path) -> Path:
    """The same package as a later version."""
    tree = place / "newer"
    subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
    control = tree / "DEBIAN" / "control"
    control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1.1", control.read_text()))
    built = place / "newer.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, built], check=True)
    return built


def test_an_upgrade_keeps_games_and_configuration(playing: Box, package: Path) -> None:
    before, old = playing.game(), playing.pid()
    playing.container.copy(newer(package, playing.scratch), "/root/newer.deb")
    playing.container.run("dpkg", "--install", "/root/newer.deb")
    assert playing.container.run("cat", "/etc/companion.toml") == CONFIGURATION
    assert playing.pid() not in ("0", old)
    playing.press_until_it_plays()
    assert playing.game() == before


def test_a_service_that_was_switched_off_stays_off(playing: Box) -> None:
    playing.systemctl("disable", SERVICE)
    playing.container.run("dpkg", "--install", "/root/newer.deb")
    assert playing.shown("UnitFileState") == "disabled"


def test_games_stay_when_it_is_removed_and_go_when_it_is_purged(playing: Box) -> None:
    kept = playing.container.files / JOURNAL.lstrip("/")
    playing.container.run("dpkg", "--remove", "tabletop-companion")
    assert kept.is_file()
    left = playing.container.run("find", "/usr/lib/tabletop-companion", expect=None)
    assert "No such file" in left
    playing.container.run("dpkg", "--install", "/root/newer.deb")
    assert playing.shown("LoadState") == "loaded"
    assert kept.is_file()
    playing.container.run("dpkg", "--purge", "tabletop-companion")
    assert not kept.parent.exists()
    assert not (playing.container.files / "etc/companion.toml").exists()
