"""`companion hub`: flash with the real mpremote, console and status, at a simulated Pico."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest

from companion import hubbing
from companion.devices.firmware import firmware_files
from companion.devices.hub import HubFault
from companion.devices.settings import DeviceSettings, HubSettings
from companion.devices.simulated.hub import SimulatedHub
from companion.portable.messages import Message
from companion.words import Words
from tests.devices.hub_bench import SETTINGS, U

ENGLISH = Words("en")


def at(hub: SimulatedHub) -> HubSettings:
    return msgspec.structs.replace(hub.settings, port=hub.path)


def test_flash_brings_the_firmware_up_to_date_and_starts_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub at work has an old file and lacks a new one."""
    real, hellos = hubbing._hello, list[Message]()

    def hello(settings: HubSettings) -> Message:
        hellos.append(real(settings))
        return hellos[-1]

    monkeypatch.setattr(hubbing, "_hello", hello)
    for name, data in firmware_files().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "companion/portable/uid.py").unlink()
    (tmp_path / "hub.py").write_bytes(b"# older\n" + firmware_files()["hub.py"])
    with SimulatedHub(HubSettings(), flash=tmp_path) as hub:
        assert hubbing.flash(at(hub), ENGLISH) == 0
    written = {
        str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*.py")
    }
    assert written == firmware_files()
    assert [hello.word("cause") for hello in hellos] == ["command"]
    assert capsys.readouterr().out == "The hub runs firmware 1.0.0: 16 files written.\n"


def test_flash_says_what_a_new_pico_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    with pytest.raises(HubFault, match=r"no hub at any USB port\. A new Pico needs .*BOOTSEL"):
        hubbing.flash(HubSettings(), ENGLISH)


def test_what_was_not_written_right_is_told() -> None:
    with pytest.raises(HubFault, match=r"main\.py was not written as it should be"):
        hubbing._verify({"main.py": b"x"}, "cp main.py :main.py\nmain.py 00ff\n")


def test_status_tells_the_hub_and_its_readers(capsys: pytest.CaptureFixture[str]) -> None:
    with SimulatedHub(SETTINGS) as hub:
        hub.put("A", U)
        hub.spoil("B", "dead")
        assert hubbing.status(DeviceSettings(hub=at(hub)), ENGLISH) == 1
    first, a, counted, b, _ = capsys.readouterr().out.splitlines()
    assert first.startswith("hub: firmware 1.0.0, start ")
    assert first.endswith(" (power), readers=8,buttons,lights")
    assert a == "reader A: ready"
    assert "reads 0" not in counted
    assert b == "reader B: offline: no answer, check wiring and power"


def test_the_console_numbers_and_seals_what_is_typed_and_answers_the_hub() -> None:
    script = "set-begin\nset-light A 18 19 20\nuse\nled A 255 0 0\nled A 256 0 0\nnonsense\n"
    heard = io.StringIO()
    with SimulatedHub(SETTINGS) as hub:
        assert hubbing.console(at(hub), io.StringIO(script), heard) == 0
        assert hub.light("A") == (255, 0, 0)
    text = heard.getvalue()
    for number in range(1, 5):
        assert f"ack {number} *" in text
    assert "red: '256' is not in 0 to 255\n" in text
    assert "unknown message 'nonsense'\n" in text
    assert "beat " in text
