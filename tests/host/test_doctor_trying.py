"""The doctor tries devices: the real drivers on simulated chips, and somebody who does as told."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event

import pytest
from gpiozero import Device, OutputDevice

from companion.command import main
from companion.configuration import Configuration, parse_configuration
from companion.devices import station
from companion.devices.display import test_frame as frame
from companion.devices.inputs import Button
from companion.devices.simulated.bench import Bench
from companion.devices.simulated.hub import SimulatedHub
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.oled import Ssd1306
from companion.devices.simulated.pins import Fingers
from companion.devices.simulated.tags import tag
from companion.devices.worker import Worker
from companion.doctor.desks import SimulatedDesk, TerminalDesk
from companion.doctor.findings import Finding, Verdict, exit_code
from companion.doctor.trying import TRIALS, answering
from companion.exits import Exit
from companion.portable.messages import FIRMWARE
from companion.simulation import Simulation, working_station
from companion.words import Words

FILE = Path("companion.toml")
DEVICES = """
[[reader]]
name = "A"
reset = 25
[buttons]
up = 5
down = 6
ok = 13
back = 26
[display]
driver = "ssd1306"
[push]
bounce_ms = 1
"""


class Board:
    """A reader, a display and pins, as the configuration has them."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.chip = Mfrc522(bench.time.now_us)
        self.oled = Ssd1306()
        bench.spi[0, 0] = bench.resets[25] = self.chip
        bench.i2c[1, 0x3C] = self.oled

    def lay(self, uid: str) -> None:
        """A tag on the reader."""
        self.chip.put(tag(bytes.fromhex(uid)))

    def push(self, *buttons: Button) -> None:
        """Each button for a moment, one after the other."""
        settings = configured().devices.buttons
        assert settings is not None
        fingers = Fingers(Device.pin_factory, settings)
        for button in buttons:
            fingers.press(button)
            time.sleep(0.01)
            fingers.release(button)
            time.sleep(0.01)


class Helper:
    """Does something when it is asked to, and tells what it sees; None: it is not there."""

    def __init__(
        self, does: Callable[[], None] = lambda: None, answer: bool | None = None, wait: float = 5.0
    ) -> None:
        self.does = does
        self.answer = answer
        self.wait = wait
        self.asked: list[str] = []

    def tap(self, readers: Sequence[str]) -> None:
        self.asked += readers
        self.does()

    def push(self, buttons: Sequence[str]) -> None:
        self.asked += buttons
        self.does()

    def sees_edges(self) -> bool | None:
        return self.answer

    def sees_yellow(self, seat: str) -> bool | None:
        return self.answer

    def hears_tones(self) -> bool | None:
        return self.answer


@pytest.fixture
def board() -> Iterator[Board]:
    bench = Bench()
    bench.install()
    yield Board(bench)
    bench.remove()


@pytest.fixture(autouse=True)
def _journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_JOURNAL", str(tmp_path / "journal.db"))


def configured(text: str = DEVICES) -> Configuration:
    return parse_configuration(text, FILE)


def told(findings: list[Finding]) -> list[str]:
    return [f"{finding.verdict}: {finding.text.plain()}" for finding in findings]


def trial(name: str, helper: Helper, text: str = DEVICES) -> list[Finding]:
    return list(TRIALS[name](configured(text), helper, working_station))


# -- does it answer --------------------------------------------------------------------------------


def test_all_devices_answer(board: Board) -> None:
    found = list(answering(configured()))
    assert told(found) == ["ok: display: ready", "ok: buttons: ready", "ok: reader A: ready"]
    assert exit_code(found) == 0


def test_each_device_that_does_not_answer_is_a_fault_of_its_own(board: Board) -> None:
    board.chip.stuck = 0xFF
    board.oled.unplugged = True
    assert told(list(answering(configured()))) == [
        "fault: display: offline: no answer at I2C address 0x3C",
        "ok: buttons: ready",
        "fault: reader A: offline: no answer, check wiring and power",
    ]


def test_a_device_that_hangs_is_told_and_does_not_hold_the_doctor(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = Event()

    def hang() -> None:
        let_go.wait()

    board.chip.obstacle = hang
    monkeypatch.setattr(station, "END", 0.1)
    monkeypatch.setitem(vars(Worker)["__init__"].__kwdefaults__, "deadline", 0.05)
    assert told(list(answering(configured())))[-1] == "fault: reader A: stalled"
    let_go.set()


def test_a_display_at_the_other_address_is_found(board: Board) -> None:
    board.bench.i2c[1, 0x3D] = board.bench.i2c.pop((1, 0x3C))
    (finding,) = [f for f in answering(configured()) if f.verdict is Verdict.FAULT]
    assert finding.text.plain() == "display: answers at 0x3D, not at 0x3C"
    assert finding.mend == (
        "sudo sed -i -e '/^address *=/d' -e '/^\\[display\\]/a address = 0x3D' companion.toml"
    )


# -- readers ---------------------------------------------------------------------------------------


def test_a_card_is_read_and_the_chip_named(board: Board) -> None:
    helper = Helper(lambda: board.lay("04A3C6CAE26180"))
    found = trial("reader", helper)
    assert helper.asked == ["A"]
    assert told(found)[:2] == ["ok: reader A: ready", "ok: reader A: card 04A3C6CAE26180"]
    assert told(found)[2].startswith("ok: reader A: chip 0x92, polls ")


def test_several_cards_at_once_are_told(board: Board) -> None:
    board.lay("04A3C6CAE26180")
    board.lay("AC8C5E0A")
    assert "fault: reader A: several cards at once; tap one" in told(trial("reader", Helper()))


def test_a_reader_to_which_no_card_comes_is_a_fault(board: Board) -> None:
    found = trial("reader", Helper(wait=0.05))
    assert "fault: reader A: no card came within 0.05 s. Is it one of 13.56 MHz?" in told(found)


def test_a_dead_reader_asks_for_no_card(board: Board) -> None:
    board.chip.stuck = 0x00
    helper = Helper()
    assert exit_code(trial("reader", helper)) == 1
    assert helper.asked == []


def test_an_unknown_chip_is_advice(board: Board) -> None:
    board.chip.version = 0x1C
    found = trial("reader", Helper(lambda: board.lay("AC8C5E0A")))
    assert told(found)[0] == "advice: reader A: ready: unknown chip 0x1C"
    assert exit_code(found) == 0


def test_a_card_that_lies_there_already_counts(board: Board) -> None:
    board.lay("AC8C5E0A")
    assert "ok: reader A: card AC8C5E0A" in told(trial("reader", Helper()))


# -- buttons ---------------------------------------------------------------------------------------


def test_all_buttons_that_come_are_told(board: Board) -> None:
    helper = Helper(lambda: board.push(*Button))
    found = trial("buttons", helper)
    names = ["up", "down", "ok", "back"]
    assert helper.asked == names
    assert told(found) == ["ok: buttons: ready", *(f"ok: button {name}: short" for name in names)]


def test_buttons_that_never_came_are_told_with_their_wire(board: Board) -> None:
    found = trial("buttons", Helper(lambda: board.push(Button.UP, Button.OK), wait=0.2))
    assert told(found)[-2:] == [
        "fault: button down never came: look at GPIO6, contact 31, and at ground",
        "fault: button back never came: look at GPIO26, contact 37, and at ground",
    ]


def test_a_pin_that_somebody_else_has_is_a_fault_and_the_other_buttons_work(board: Board) -> None:
    with OutputDevice(5):
        found = trial("buttons", Helper(lambda: board.push(Button.OK), wait=0.1))
    ready, *rest = told(found)
    assert re.match("fault: buttons: ready: .*up: GPIO5 is in use", ready)
    assert "ok: button ok: short" in rest


# -- display ---------------------------------------------------------------------------------------


def test_the_frame_is_shown_and_asked_for(board: Board) -> None:
    found = trial("display", Helper(answer=True))
    assert told(found) == ["ok: display: ready", "ok: display: all four edges"]
    settings = configured().devices.display
    assert settings is not None
    assert board.oled.picture().tobytes() == frame(settings).tobytes()


@pytest.mark.parametrize(("driver", "other"), [("ssd1306", "sh1106"), ("sh1106", "ssd1306")])
def test_a_frame_without_its_edges_suggests_the_other_driver(
    board: Board, driver: str, other: str
) -> None:
    text = DEVICES.replace("ssd1306", driver)
    finding = trial("display", Helper(answer=False), text)[-1]
    assert told([finding]) == [f'fault: display: set driver = "{other}" in [display]']
    assert finding.mend == f'sudo sed -i -e \'s/"{driver}"/"{other}"/\' companion.toml'


def test_a_display_that_nobody_looks_at_is_no_fault(board: Board) -> None:
    found = trial("display", Helper())
    assert told(found)[-1] == "skipped: display: nobody was there to look at it"
    assert exit_code(found) == 0


# -- lights and sound ------------------------------------------------------------------------------

OUTPUTS = "[lights.seats]\nA = [17, 27, 22]\n[sound]\nbuzzer = 12\n"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [(True, Verdict.OK), (False, Verdict.FAULT), (None, Verdict.SKIPPED)],
)
@pytest.mark.parametrize("kind", ["lights", "sound"])
def test_lights_and_sound_are_judged_by_who_is_there(
    board: Board, kind: str, answer: bool | None, verdict: Verdict
) -> None:
    ready, *rest = trial(kind, Helper(answer=answer), OUTPUTS)
    assert ready.verdict is Verdict.OK
    assert {finding.verdict for finding in rest} == {verdict}


# -- the hub ---------------------------------------------------------------------------------------

HUB = '[hub]\nport = "{port}"\n[[hub.reader]]\nname = "H1"\nselect = 5\n[hub.buttons]\nok = 12\n'


@pytest.fixture
def hub() -> Iterator[SimulatedHub]:
    """A hub with the real firmware, plugged in."""
    settings = configured(HUB).devices.hub
    assert settings is not None
    with SimulatedHub(settings) as hub:
        yield hub


def test_a_hub_answers_with_its_readers_and_its_firmware(hub: SimulatedHub) -> None:
    found = list(answering(configured(HUB.format(port=hub.path))))
    assert sorted(told(found)) == [
        f"ok: hub: firmware {FIRMWARE}",
        "ok: hub: ready",
        "ok: reader H1: ready",
    ]


def test_readers_of_a_hub_are_tried_like_others(hub: SimulatedHub) -> None:
    helper = Helper(lambda: hub.put("H1", "AC8C5E0A"))
    found = trial("reader", helper, HUB.format(port=hub.path))
    assert "ok: reader H1: card AC8C5E0A" in told(found)


def test_buttons_of_a_hub_are_told_with_their_pin(hub: SimulatedHub) -> None:
    found = trial("buttons", Helper(wait=0.05), HUB.format(port=hub.path))
    assert told(found)[-1] == (
        "fault: button ok never came: look at GP12 of the hub, and at ground"
    )


def test_a_hub_that_is_not_there_is_a_fault() -> None:
    found = list(answering(configured(HUB.format(port="/dev/none"))))
    assert "fault: hub: offline: no hub at /dev/none" in told(found)


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "companion.toml"
    file.write_text(DEVICES + OUTPUTS)
    return file


def doctor(*arguments: str | Path) -> int:
    return main(["doctor", "--language", "en", *map(str, arguments)])


def test_the_doctor_is_content_with_simulated_devices(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor("--devices", "simulated", "--config", file) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "ok: reader A: ready" in lines
    assert lines[-1] == "All is well."


@pytest.mark.parametrize("test", list(TRIALS))
def test_simulated_hands_try_all_that_is_simulated(
    test: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor("--devices", "simulated", "--config", file, "--test", test) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert [line for line in lines if not line.startswith("ok: ")] == []
    assert last == "All is well."


def test_simulated_eyes_and_ears_notice_what_is_wrong(board: Board) -> None:
    settings = configured(DEVICES + OUTPUTS).devices
    desk = SimulatedDesk(Simulation(settings, board.bench), 1.0)
    desk.patience = 0.01
    assert not desk.sees_edges()
    assert not desk.sees_yellow("A")
    assert not desk.hears_tones()
    assert desk.sees_yellow("B") is None


def test_the_number_of_faults_is_told_and_the_exit_code_is_1(
    board: Board, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.oled.unplugged = True
    assert doctor("--config", file, "--test", "display", "--wait", "1") == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 fault."


def test_without_a_terminal_a_trial_is_skipped(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert doctor("--config", file, "--test", "reader") == 0
    assert "skipped: reader: nobody is at the terminal" in capsys.readouterr().out


def test_with_a_time_to_wait_a_trial_needs_no_terminal(
    board: Board, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    board.lay("AC8C5E0A")
    assert doctor("--config", file, "--test", "reader", "--wait", "5") == 0
    told = capsys.readouterr()
    assert "ok: reader A: card AC8C5E0A" in told.out
    assert told.err == "Tap a card on each: reader A.\n"


def test_a_trial_of_what_is_not_configured_is_a_fault(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(DEVICES)
    assert doctor("--config", file, "--test", "sound", "--wait", "1") == 1
    assert "The configuration has no sound" in capsys.readouterr().out


def test_the_findings_can_be_read_by_a_program(
    board: Board, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.chip.stuck = 0x00
    assert doctor("--config", file, "--test", "reader", "--wait", "1", "--json") == 1
    (finding,) = json.loads(capsys.readouterr().out)
    assert finding == {
        "verdict": "fault",
        "text": "reader A: offline: no answer, check wiring and power",
        "mend": "",
    }


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (("--test", "toaster"), Exit.MISUSED),
        (("--test", "reader", "--wait", "0"), Exit.MISUSED),
        (("--test", "reader", "--wait", "nan"), Exit.MISUSED),
        (("--config", "/none.toml"), Exit.CONFIGURATION),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_is_allowed(
    wrong: tuple[str, ...], code: Exit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(*wrong) == code
    assert re.search("Allowed: |companion config sample", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y\n", True), ("Ya\n", True), ("はい\n", True), ("n\n", False), ("\n", False), ("", None)],
)
def test_the_terminal_takes_yes_in_every_language(
    typed: str, answer: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert TerminalDesk(Words("en"), 1.0, somebody=True).sees_edges() is answer


def test_nobody_is_asked_where_nobody_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert TerminalDesk(Words("en"), 1.0, somebody=False).sees_edges() is None
    assert capsys.readouterr().err == ""
