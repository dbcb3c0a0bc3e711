"""The service's files agree with each other, with the program and with what is written of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from configparser import RawConfigParser
from pathlib import Path

import pytest

from companion.devices.hub.ports import PICO
from companion.devices.station import END
from companion.doctor.findings import SERVICE as DOCTORS_NAME
from companion.doctor.usb import UDEV_RULES
from companion.exits import Exit
from companion.serving import COMMANDS, READY_AFTER
from companion.supervision import TELL_EVERY
from companion.words import Words
from tests.box.files import DEBIAN, ROOT, RULES, SERVICE, SYSUSERS, UNIT, not_understood

GROUPS = {"gpio", "spi", "i2c", "dialout"}
STATE = "/var/lib/tabletop-companion"
DOCUMENT = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


def needs(tool: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is missing")


class Unit(RawConfigParser):
    """A unit's settings; of those that are given several times the last one."""

    def __init__(self, path: Path) -> None:
        super().__init__(strict=False, delimiters="=", comment_prefixes="#")
        self.optionxform = str  # type: ignore[assignment]
        self.read(path)

    def seconds(self, name: str) -> float:
        number, unit = re.findall(r"(\d+)(s|min)", self["Service"][name])[0]
        return int(number) * {"s": 1.0, "min": 60.0}[unit]


@pytest.fixture(scope="module")
def unit() -> Unit:
    return Unit(UNIT)


# -- the unit --------------------------------------------------------------------------------------


@needs("systemd-analyze")
def test_systemd_has_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    """It exits with 0 whatever it says, so what it says counts."""
    here = tmp_path / SERVICE
    here.write_text(UNIT.read_text().replace("/usr/bin/companion serve", sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", here], capture_output=True, text=True, check=True
    )
    assert not_understood(done.stdout + done.stderr) == []


@needs("systemd-analyze")
def test_the_service_can_do_little_harm() -> None:
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(UNIT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def test_devices_of_a_table_can_be_reached(unit: Unit) -> None:
    service = unit["Service"]
    assert set(service["SupplementaryGroups"].split()) == GROUPS
    assert "PrivateDevices" not in service
    allowed = set(re.findall(r"^DeviceAllow=(\S+) rw$", UNIT.read_text(), re.MULTILINE))
    numbers = {"char-166", "char-188", "char-153", "char-89"}
    assert allowed == {*numbers, "char-gpiochip", "/dev/gpiomem", "char-ttyAMA"}
    assert "ProcSubset" not in service  # the model of the Pi and who locks a port are read there


def test_the_unit_keeps_games_where_the_package_and_the_document_say(unit: Unit) -> None:
    service = unit["Service"]
    assert f"/var/lib/{service['StateDirectory']}" == STATE
    assert service["Environment"] == "COMPANION_JOURNAL=%S/tabletop-companion/journal.db"
    assert f"rm -rf {STATE}\n" in (DEBIAN / "postrm").read_text()
    assert f"{STATE}/journal.db" in DOCUMENT


def test_it_is_started_again_after_the_codes_that_the_document_names(unit: Unit) -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \| .* \| (yes|no) \|$", DOCUMENT, re.MULTILINE)
    assert [(int(code), name) for code, name, _ in rows] == [(int(e), e.name) for e in Exit]
    assert unit["Service"]["Restart"] == "on-failure"  # which 0 is not
    prevented = {int(code) for code in unit["Service"]["RestartPreventExitStatus"].split()}
    assert {int(code) for code, _, again in rows if again == "no"} == {0} | prevented
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"


def test_times_leave_room_for_each_other(unit: Unit) -> None:
    assert unit.seconds("WatchdogSec") >= 10 * TELL_EVERY
    assert unit.seconds("TimeoutStartSec") > 2 * READY_AFTER
    assert unit.seconds("TimeoutStopSec") > 5.0 > END


def test_the_doctor_knows_the_service_by_its_name() -> None:
    assert f"{DOCTORS_NAME}.service" == SERVICE
    assert "usr/lib/udev/rules.d/60-$package.rules" in (ROOT / "scripts" / "deb.sh").read_text()
    assert UDEV_RULES == "/usr/lib/udev/rules.d/60-tabletop-companion.rules"


# -- user, groups and hub --------------------------------------------------------------------------


@needs("systemd-sysusers")
def test_the_user_is_made_in_all_groups_that_the_unit_names(unit: Unit, tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("dialout:x:20:\n")
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", SYSUSERS],
        check=True,
        capture_output=True,
    )
    lines = (tmp_path / "etc" / "group").read_text().splitlines()
    groups = {name: members.split(",") for name, _, _, members in (x.split(":") for x in lines)}
    user = unit["Service"]["User"]
    assert {name for name, members in groups.items() if user in members} == GROUPS
    assert f"{user}:x:" in (tmp_path / "etc" / "passwd").read_text()
    assert f":{STATE}:" in (tmp_path / "etc" / "passwd").read_text()


def test_the_rules_are_for_the_boards_that_the_program_takes_for_a_hub() -> None:
    ids = re.findall(r'\{id(?:Vendor|Product)\}=="(\w{4})"', RULES.read_text())
    vendor, product = PICO
    assert ids == [f"{vendor:04x}", f"{product:04x}"] * 2
    assert 'SYMLINK+="tabletop-hub"' in RULES.read_text()


@needs("udevadm")
def test_udev_understands_the_rules() -> None:
    verbs = subprocess.run(["udevadm", "--help"], capture_output=True, text=True, check=True)
    if "verify" not in verbs.stdout:
        pytest.skip("this udevadm cannot verify")
    subprocess.run(["udevadm", "verify", str(RULES)], check=True, capture_output=True)


# -- what is in the packages -----------------------------------------------------------------------


def test_pins_that_are_for_some_machines_only_say_so() -> None:
    """pip-compile leaves out what holds where it runs; a Pi would look for a wheel in vain."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = (ROOT / "requirements" / "runtime.txt").read_text()
    for extra in ("hub", "simulated"):
        for wanted in project["optional-dependencies"][extra]:
            name, _, condition = wanted.partition(";")
            name = re.split(r"[<>=]", name)[0]
            (pin,) = re.findall(rf"^{name}==\S+(.*?) \\$", pins, re.MULTILINE)
            assert pin.strip(" ;").replace('"', "'") == condition.strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked: what the Debian package carries of us."""
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder))
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def files_of(folder: Path) -> set[Path]:
    return {
        file.relative_to(folder)
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_the_wheel_carries_every_file_of_the_program(wheel: Path) -> None:
    wanted = files_of(ROOT / "companion") | {
        Path("firmware", file) for file in files_of(ROOT / "firmware")
    }
    catalogues = {file.with_suffix(".mo") for file in wanted if file.suffix == ".po"}
    assert catalogues
    assert (wanted | catalogues) - files_of(wheel / "companion") == set()


ALONE = """
import sys
sys.path.insert(0, {site!r})
import companion
from companion.command import main
assert companion.__file__.startswith({site!r}), companion.__file__
sys.exit(main(sys.argv[1:]))
"""


def test_a_table_without_hardware_plays_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """Rules, catalogues and the simulated hub's firmware; not in the source's folder."""
    program = [sys.executable, "-I", "-c", ALONE.format(site=str(wheel))]
    arguments = ["serve", "--devices", "simulated", "--language", "id"]
    done = subprocess.run(
        [*program, *arguments, "--journal", str(tmp_path / "journal.db")],
        input="ok\nhelp\nquit\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "\n".join(COMMANDS.help("", Words("id").say)) in done.stdout
