"""What keeps a box from beginning is on its display and in its log, and it goes on by itself."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from threading import Event

import msgspec
import pytest
from gpiozero import OutputDevice

import companion
from companion.command import main
from companion.configuration import (
    BadConfiguration,
    parse_configuration,
    read_configuration,
    rescued,
    sample,
)
from companion.configuration.reading import USUAL_DISPLAY
from companion.devices.settings import DeviceSettings
from companion.devices.station import Station
from companion.equipping import contents
from companion.exits import Exit, exit_for
from companion.journal import CannotOpen, InUse, Journal, NewerJournal, NotAJournal
from companion.journal.database import VERSION
from companion.journal.errors import cannot_open
from companion.rules.content import shipped
from companion.rules.errors import BadSetup, CompanionError, NotInstalled
from companion.rules.phrases import Phrase
from companion.screens.handset.boot import Answered, Boot, Farewell, Trouble
from companion.screens.handset.stack import Passing
from companion.screens.oled import HEIGHT, WIDTH, missing_glyphs
from companion.simulation import Simulation
from companion.starting import PAUSES, Waiting, in_one_line, shortcomings
from companion.supervision import Supervisor
from companion.tabletop import fonts_for
from companion.words import LANGUAGES, Words
from tests.host.boxes import SAMPLE, box, options
from tests.host.simulated import SETTINGS, until
from tests.host.test_power_cuts import begin


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "companion.toml"
    file.write_text(SAMPLE)
    return file


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def started(journal: Path, config: Path) -> Namespace:
    return options(journal, config)


def wrong(file: Path) -> Phrase:
    """What is wrong with a configuration."""
    with pytest.raises(BadConfiguration) as caught:
        read_configuration(file)
    return caught.value.phrase


# -- the configuration -----------------------------------------------------------------------------


def test_a_file_that_is_no_toml_is_told_on_the_usual_display_until_it_is_mended(
    started: Namespace, config: Path, journal: Path
) -> None:
    config.write_text(SAMPLE + "\n[hub\n")
    with box(started) as at:
        at.shows(wrong(config), buttons=False)
        assert at.chips.settings.display == USUAL_DISPLAY
        assert (at.chips.settings.readers, at.chips.settings.buttons) == ((), None)
        assert not journal.exists()
        config.write_text(SAMPLE)
        at.goes_on()
        assert at.chips.settings.readers
    assert len(at.told) == 1
    assert "companion.toml: not TOML" in at.told[0]


@pytest.mark.parametrize(
    "fault",
    ["[hub]\nspeed = 9\n", '[[reader]]\nname = "B"\ndevice = 1\nreset = 25\n'],
    ids=["an unknown key", "a pin used twice"],
)
def test_other_sections_faults_are_told_on_the_display_that_is_wired(
    started: Namespace, config: Path, fault: str
) -> None:
    config.write_text(SAMPLE + fault)
    with box(started) as at:
        at.shows(wrong(config))
        assert at.chips.settings.display == parse_configuration(SAMPLE, config).devices.display
        assert at.chips.settings.buttons is not None
        assert at.chips.settings.readers == ()


def test_a_missing_file_is_told_and_taken_as_soon_as_it_is_there(
    started: Namespace, config: Path
) -> None:
    config.unlink()
    with box(started) as at:
        at.shows(wrong(config), buttons=False)
        config.write_text(SAMPLE)
        at.goes_on()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("oops = 1\n" + SAMPLE, {"language", "display", "buttons"}),
        (SAMPLE.replace("up = 5", "up = 2"), {"language", "display"}),  # SDA of the display
        ("oops = 1\n" + SAMPLE.replace('"en"', '"nl"'), {"display"}),
        (SAMPLE.replace("sh1106", "sh11"), {"language"}),
        ("language = 'ja'\n[[[", set[str]()),
        ("[display]\ndriver = 3\n[buttons]\nup = 99", set[str]()),
    ],
)
def test_what_a_bad_file_is_still_good_for(config: Path, text: str, kept: set[str]) -> None:
    config.write_text(text)
    rescue = rescued(config)
    own = parse_configuration(SAMPLE, config)
    display = own.devices.display if "display" in kept else USUAL_DISPLAY
    assert rescue.devices.display == display
    assert rescue.devices.buttons == (own.devices.buttons if "buttons" in kept else None)
    assert rescue.language == ("en" if "language" in kept else None)
    assert (rescue.devices.readers, rescue.devices.hub, rescue.journal) == ((), None, None)


def test_the_usual_display_is_that_of_the_sample(config: Path) -> None:
    assert parse_configuration(sample(), config).devices.display == USUAL_DISPLAY


# -- the journal -----------------------------------------------------------------------------------


def test_two_companions_never_write_one_journal(started: Namespace, journal: Path) -> None:
    with Journal(journal) as first:
        begin(first).session.answer("forward-3")
        before = first.load(1)
        with box(started) as at:
            at.shows(InUse(journal, os.getpid()).phrase)
            time.sleep(0.3)  # several tries
            assert at.service.server is None
            assert first.load(1) == before
            assert len(at.told) == 1
            first.close()
            at.goes_on()


def test_a_newer_companions_journal_is_left_alone(started: Namespace, journal: Path) -> None:
    Journal(journal).close()
    with closing(sqlite3.connect(journal)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 7}")
    before = journal.read_bytes()
    with box(started) as at:
        at.shows(NewerJournal(journal, VERSION + 7, VERSION).phrase)
        time.sleep(0.2)
        assert at.service.server is None
    assert journal.read_bytes() == before


def test_another_programs_database_is_left_alone(started: Namespace, journal: Path) -> None:
    with closing(sqlite3.connect(journal)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    before = journal.read_bytes()
    with box(started) as at:
        at.shows(NotAJournal(journal).phrase)
    assert journal.read_bytes() == before


def test_a_file_in_the_place_of_a_folder_is_told(started: Namespace, tmp_path: Path) -> None:
    started.journal = tmp_path / "no-folder" / "journal.db"
    started.journal.parent.write_text("a file")
    with box(started) as at:
        at.shows(cannot_open(started.journal, NotADirectoryError(20, "")).phrase)
        started.journal.parent.unlink()
        at.goes_on()


def test_a_damaged_journal_is_recovered_told_and_played_on(
    started: Namespace, journal: Path
) -> None:
    with Journal(journal) as whole:
        table = begin(whole)
        for _ in range(12):
            table.session.answer(list(table.session.prompt.options())[-1])
        lines = len(whole.load(1).lines)
    damaged = bytearray(journal.read_bytes())
    damaged[4096 * 2 : 4096 * 3] = bytes(4096)
    journal.write_bytes(damaged)
    with box(started) as at:
        at.goes_on()
        assert at.service.server is not None
        recovery = at.service.server.journal.recovery
        assert recovery is not None
        assert in_one_line(recovery.phrase, Words("en")) in at.log
        at.scene.tick(0.0)
        until(lambda: isinstance(getattr(at.scene, "top", None), Passing), "no word of it")
        assert "The journal was" in at.text
        assert at.service.server.journal.load(1).lines[: recovery.lines]
        assert recovery.lines <= lines


def title_of(chips: Simulation) -> bytes:
    """The bar at the top of the display."""
    picture = chips.picture()
    return b"" if picture is None else picture.crop((0, 0, WIDTH, 11)).tobytes()


def test_a_journal_that_takes_its_time_leaves_no_display_dark(
    started: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Event()

    def slowly(path: Path) -> Journal:
        assert opened.wait(10)
        return Journal(path)

    monkeypatch.setattr("companion.serving.Journal", slowly)
    with box(started) as at:
        title = Boot(*fonts_for(Words("en"))).picture().crop((0, 0, WIDTH, 11)).tobytes()
        until(lambda: title_of(at.chips) == title)
        assert at.service.server is None
        opened.set()
        at.goes_on()


def test_damage_that_is_found_only_in_play_leads_to_a_recovery_without_a_restart(
    started: Namespace, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(journal) as whole:
        begin(whole).session.answer("forward-3")
    monkeypatch.setattr(Answered, "lasts", 0.1)
    with box(started) as at:
        at.goes_on()
        server = at.service.server
        assert server is not None
        opened = server.journal
        data = bytearray(journal.read_bytes())
        data[100:] = os.urandom(len(data) - 100)
        opened._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        journal.write_bytes(data)
        until(lambda: at.service.server is not server, f"still the old one; {at.log}")
        at.goes_on()
        assert "The journal was" in " ".join(at.told)
    assert any("cannot be read" in line for line in at.log)


# -- devices that somebody else has ----------------------------------------------------------------


class Taken(Simulation):
    """Chips of which somebody else has a pin, and the hub's port."""

    port = ""

    def start(self) -> None:
        super().start()
        self.somebody = OutputDevice(5)

    def stop(self) -> None:
        self.somebody.close()
        super().stop()

    def find_hub(self) -> str:
        return self.port


@pytest.fixture
def port() -> Iterator[str]:
    """A serial port that this process has."""
    ends = os.openpty()
    fcntl.flock(ends[1], fcntl.LOCK_EX)
    yield os.ttyname(ends[1])
    for end in ends:
        os.close(end)


def test_a_pin_and_a_port_that_are_taken_are_named_and_the_rest_works(
    started: Namespace, config: Path, port: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Taken, "port", port)
    config.write_text(SAMPLE + "[hub]\n")
    with box(started, wire=Taken) as at:
        at.goes_on()
        for told in (
            "buttons: ready: button up: GPIO5 is in use by something else",
            f"hub: offline: {port} is in use by process {os.getpid()}",
            "reader A: ready",
        ):
            until(lambda told=told: told in at.devices, f"{told}: {at.devices}")  # type: ignore[misc]


# -- the disk, as the kernel has it ----------------------------------------------------------------


def in_a_namespace(*command: str | Path) -> list[str]:
    """A command that may mount disks which nobody else sees."""
    return ["unshare", "--map-root-user", "--mount", *map(str, command)]


def may_mount() -> bool:
    """Whether this machine lets a test mount disks of its own."""
    with suppress(OSError):
        tried = in_a_namespace("mount", "-t", "tmpfs", "tmpfs", "/mnt")
        return subprocess.run(tried, capture_output=True, check=False).returncode == 0
    return False


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("full", ["the disk is full. Make room"]),
        ("protected", ["it is write-protected"]),
        ("filling", []),
    ],
)
def test_a_disk_that_cannot_be_written_is_told_until_it_can(
    tmp_path: Path, kind: str, told: list[str]
) -> None:
    if not may_mount():
        pytest.skip("no disks can be mounted here: needs unshare and user namespaces")
    run = subprocess.run(
        in_a_namespace(sys.executable, "-m", "tests.host.disks", kind, tmp_path),
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    said = run.stdout.splitlines()
    assert len(said) == len(told)
    assert all(one in line for one, line in zip(told, said, strict=True))


# -- what ships ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is installed, to take files away from."""
    folder = tmp_path_factory.mktemp("installed")
    source = Path(companion.__file__).parent
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, folder / "companion", ignore=ignore)
    shutil.copytree(source.parent / "firmware", folder / "companion" / "firmware", ignore=ignore)
    return folder


def start(tree: Path, *arguments: str, lines: str = "quit\n") -> subprocess.CompletedProcess[str]:
    """`companion` of that tree, on simulated devices."""
    environment = {**os.environ, "COMPANION_JOURNAL": str(tree / "journal.db")}
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments, "--devices", "simulated"],
        cwd=tree, env={**environment, "PYTHONPATH": str(tree)},
        input=lines, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@contextmanager
def without(tree: Path, *files: str) -> Iterator[None]:
    """The tree as if some of its files had never been installed."""
    kept = {path: path.read_bytes() for path in (tree / "companion" / file for file in files)}
    for path in kept:
        path.unlink()
    try:
        yield
    finally:
        for path, data in kept.items():
            path.write_bytes(data)


@pytest.mark.parametrize(
    ("file", "arguments"),
    [
        ("games/senapati/rulebook.toml", ("serve", "senapati")),
        ("games/senapati/cards.toml", ("play", "senapati")),
        ("simulated.toml", ("serve",)),
        ("serving.py", ("serve",)),
    ],
)
def test_without_a_file_that_is_needed_it_does_not_begin_and_names_it(
    tree: Path, file: str, arguments: tuple[str, ...]
) -> None:
    with without(tree, file):
        run = start(tree, *arguments)
    assert run.returncode == Exit.MISSING
    name = "companion.serving" if file == "serving.py" else file
    assert f"{name} is missing. Install anew." in run.stderr
    assert "Traceback" not in run.stderr


def test_without_other_files_it_begins_and_names_each(tree: Path) -> None:
    files = (
        "games/senapati/cards.toml",
        "games/tapak_arwah/rulings.toml",
        "locale/id/LC_MESSAGES/companion.mo",
        "firmware/main.py",
    )
    damaged = tree / "companion" / "games" / "uno_mario_kart" / "cards.toml"
    with without(tree, *files, "games/uno_mario_kart/cards.toml"):
        damaged.write_text("[[")
        run = start(tree, "serve", "--language", "id", lines="devices\nquit\n")
    assert run.returncode == Exit.DONE
    assert [file for file in files if file not in run.stderr + run.stdout] == []
    assert "UNO Mario Kart: cards.toml: not TOML" in run.stderr


def test_with_all_files_nothing_is_missed(tree: Path) -> None:
    run = start(tree, "serve", "--language", "en")
    assert (run.returncode, run.stderr) == (0, "")


def test_a_game_without_its_files_is_told_on_the_display_until_they_are_there(
    started: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = NotInstalled("{file} is missing. Install anew.", file="cards.toml")
    there = False

    def read(package: str, filename: str) -> str:
        if not there and package.endswith("senapati"):
            raise missing
        return shipped(package, filename)

    monkeypatch.setattr("companion.rules.box.shipped", read)
    started.game = "senapati"
    with box(started) as at:
        at.shows(missing.phrase)
        there = True
        at.goes_on()


@pytest.mark.parametrize("damage", [b"", b"\xde\x12\x04\x95" + bytes(10), b"nothing of the kind"])
def test_a_damaged_catalogue_speaks_english_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    from companion import words

    monkeypatch.setattr(words, "LOCALE", tmp_path)
    file = words.catalogue_file("id")
    file.parent.mkdir(parents=True)
    file.write_bytes(damage)
    words._catalogue.cache_clear()
    try:
        assert Words("id").say(Phrase("Stopped.")) == "Stopped."
        assert str(file) in shortcomings(Words("id"))[0].plain()
        assert shortcomings(Words("en")) == []
    finally:
        words._catalogue.cache_clear()


def test_a_damaged_font_is_told_and_another_one_written_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in (10, 12):
        (tmp_path / f"b{size}.pcf.gz").write_bytes(b"no font")
    monkeypatch.setattr("companion.screens.oled.FONT_PLACES", (tmp_path,))
    for language, spoken in (("en", "en"), ("id", "id"), ("ja", "en")):
        words, fonts = fonts_for(Words(language))
        assert (words.language, fonts.japanese) == (spoken, False)
        assert "b10.pcf.gz" in shortcomings(Words(language))[0].plain()


# -- waiting ---------------------------------------------------------------------------------------


class Clock:
    """Seconds that go by only while somebody waits for an input."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.25
        return self.now


def waiting(log: list[str], settings: DeviceSettings = SETTINGS) -> Waiting:
    """Somebody who waits at a station whose devices never come."""
    station = Station(settings)
    return Waiting(station, Words("en"), Event(), Supervisor({}), log.append, clock=Clock())


def failing(times: int, clock: Callable[[], float], tried: list[float]) -> Callable[[], str]:
    def start() -> str:
        tried.append(clock())
        if len(tried) <= times:
            raise CannotOpen(Path("journal.db"), "the moon is full")
        return "begun"

    return start


def test_pauses_grow_and_the_log_says_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.starting.TURN", 0.0)
    log: list[str] = []
    tried: list[float] = []
    one = waiting(log)
    assert one.until(failing(6, one.clock, tried)) == "begun"
    waited = [later - earlier for earlier, later in pairwise(tried)]
    for pause, seconds in zip([*PAUSES, PAUSES[-1], PAUSES[-1]], waited, strict=True):
        assert pause <= seconds < pause + 2.5
    assert log == ["The journal journal.db cannot be opened: the moon is full."]
    assert one.trouble is None


@pytest.mark.parametrize("buttons", [True, False])
def test_a_display_that_nobody_can_wake_does_not_go_dark(
    monkeypatch: pytest.MonkeyPatch, buttons: bool
) -> None:
    monkeypatch.setattr("companion.starting.TURN", 0.0)
    one = waiting([], SETTINGS if buttons else msgspec.structs.replace(SETTINGS, buttons=None))
    display = one.station.display
    assert display is not None
    monkeypatch.setattr(display, "_clock", one.clock)
    display.touched()
    assert one.until(failing(80, one.clock, [])) == "begun"
    assert one.clock() > display.settings.blank_after
    assert display.is_dark == buttons


def test_a_button_tries_at_once_and_a_stop_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.starting.TURN", 0.0)
    tried: list[float] = []
    one = waiting([])
    one.pauses = (100.0,)

    def start() -> str:
        tried.append(one.clock())
        if len(tried) == 2:
            one.stop.set()
        if one.trouble is not None:
            assert isinstance(one.tabletop.scene, Trouble)
        raise CannotOpen(Path("journal.db"), "the moon is full")

    class Impatient(Supervisor):
        def turned(self, status: Callable[[], str]) -> None:
            assert "the moon is full" in status()
            trouble = one.trouble
            assert trouble is not None
            now = one.clock()
            trouble.tick(now)
            trouble.push("ok", "short", now + 1)

    one.supervisor = Impatient({})
    assert one.until(start) is None
    assert len(tried) == 2
    assert tried[1] - tried[0] < one.pauses[0]
    assert isinstance(one.tabletop.scene, Farewell)


# -- the page --------------------------------------------------------------------------------------

PATH = Path("/var/lib/tabletop-companion/journal.db")
TROUBLES: list[CompanionError] = [
    InUse(PATH, 12345),
    NewerJournal(PATH, 12, 2),
    NotAJournal(PATH),
    *(cannot_open(PATH, OSError(number, "")) for number in (5, 13, 20, 28, 30)),
    CannotOpen(PATH, "database disk image is malformed"),
    NotInstalled("{file} is missing. Install anew.", file="/usr/lib/companion/games/x/cards.toml"),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("buttons", [True, False])
@pytest.mark.parametrize("error", TROUBLES, ids=lambda error: str(error)[-30:])
def test_each_trouble_fits_on_the_display_and_is_read_to_its_end(
    error: CompanionError, language: str, buttons: bool
) -> None:
    words, fonts = fonts_for(Words(language))
    trouble = Trouble(words, fonts, error.phrase, buttons=buttons)
    read, now, pages = "", 0.0, set[bytes]()
    while (picture := trouble.picture().tobytes()) not in pages:
        pages.add(picture)
        bar, hint, *lines = trouble.sheet().texts
        assert bar[0]
        assert words.say(trouble.hint) in hint[0]
        assert trouble.picture().size == (WIDTH, HEIGHT)
        assert trouble.sheet().top <= trouble.sheet().foot
        for text, edge in trouble.sheet().texts:
            assert edge <= WIDTH
            assert missing_glyphs(text, fonts) == set()
        read += "".join(text for text, _ in lines if text.strip("0123456789/"))
        trouble.tick(now)
        now += 6.1
        trouble.tick(now)
    assert len(pages) <= 4
    said = words.say(error.phrase)
    assert "".join(read.split()) == "".join(said.split())


# -- in a terminal ---------------------------------------------------------------------------------


def test_each_error_has_a_code_of_its_own(journal: Path) -> None:
    assert exit_for(InUse(journal, 0)) == 75
    assert exit_for(NewerJournal(journal, 9, 1)) == exit_for(NotAJournal(journal)) == 65
    assert exit_for(CannotOpen(journal, "")) == 74
    assert exit_for(NotInstalled("")) == 72
    assert exit_for(BadConfiguration("")) == 78
    assert exit_for(CompanionError("")) == 2


def test_a_game_is_not_begun_with_a_configuration_that_cannot_be_used(
    journal: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text("speed = 9")
    command = ["play", "chaos-kart", "--players", "Ana,Budi", "--journal", str(journal)]
    assert main([*command, "--config", str(config)]) == Exit.CONFIGURATION
    assert "companion.toml, line 1, speed" in capsys.readouterr().err
    assert not journal.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["chaos-cart"], "There is no game chaos-cart"), (["--cards", "x.toml"], "Say whose cards")],
)
def test_what_was_mistyped_is_not_waited_for(
    journal: Path, config: Path, capsys: pytest.CaptureFixture[str],
    arguments: list[str], told: str,
) -> None:  # fmt: skip
    command = ["serve", *arguments, "--config", str(config), "--journal", str(journal)]
    assert main([*command, "--language", "en"]) == Exit.MISUSED
    assert told in capsys.readouterr().err


def test_an_owners_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "cards.toml"
    os.mkfifo(pipe)
    with pytest.raises(BadSetup, match="cannot be read: it is not a file"):
        contents("chaos-kart", {"cards.toml": pipe})


def test_a_second_companion_in_a_terminal_ends_with_a_message(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(journal):
        assert main(["play", "chaos-kart", "--journal", str(journal)]) == Exit.BUSY
    assert f"process {os.getpid()}" in capsys.readouterr().err


def test_a_real_process_waits_says_it_once_goes_on_and_ends_by_sigterm(
    journal: Path, config: Path
) -> None:
    config.write_text("speed = 9")
    command = [sys.executable, "-m", "companion", "serve", "--config", str(config)]
    with subprocess.Popen(
        [*command, "--journal", str(journal), "--language", "en"],
        stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert "companion.toml, line 1, speed" in process.stderr.readline()
        assert process.poll() is None
        config.write_text("")
        until(journal.exists)
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 0
        assert "speed" not in process.stderr.read()


def test_sigterm_ends_it_while_it_waits(journal: Path, config: Path) -> None:
    config.write_text("speed = 9")
    command = [sys.executable, "-m", "companion", "serve", "--config", str(config)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 0
