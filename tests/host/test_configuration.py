"""The configuration file: what is refused, how that is told, and a sample that is complete."""

from __future__ import annotations

import os
import re
import tomllib
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect

from companion import configuration
from companion.configuration import (
    BadConfiguration,
    Configuration,
    hub_pins,
    parse_configuration,
    pi_pins,
    read_configuration,
    rescued,
    sample,
)
from companion.configuration.command import as_toml, run
from companion.configuration.pins import HEADER
from companion.configuration.reading import USUAL_DISPLAY, Written
from companion.devices.settings import DeviceSettings
from companion.host import default_journal
from companion.rules.errors import CompanionError
from companion.words import Words
from tests.docs.reading import ROOT

FILE = Path("companion.toml")
READERS = '[[reader]]\nname = "A"\nreset = 25\n[[reader]]\nname = "B"\ndevice = 1\n'
HUB = '[hub]\n[[hub.reader]]\nname = "C"\nselect = 5\n'
NINE = "".join(f'[[hub.reader]]\nname = "{n}"\nselect = {n}\n' for n in range(5, 14))


def faults(text: str) -> list[str]:
    """What is told of a file, one fault a line."""
    with pytest.raises(BadConfiguration) as error:
        parse_configuration(text, FILE)
    return str(error.value).splitlines()


def fault(text: str) -> str:
    (line,) = faults(text)
    return line


# -- where it is read from -------------------------------------------------------------------------


def test_without_a_file_there_are_no_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(configuration.reading, "DEFAULT_FILE", tmp_path / "companion.toml")
    assert read_configuration() == Configuration()
    assert read_configuration().devices == DeviceSettings()


def test_the_usual_file_is_read_if_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "companion.toml"
    monkeypatch.setattr(configuration.reading, "DEFAULT_FILE", file)
    file.write_text('language = "ja"\n')
    assert read_configuration() == Configuration(
        file=file, language="ja", devices=Written(language="ja")
    )


def test_a_file_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match=r"no file.*companion config sample"):
        read_configuration(tmp_path / "none.toml")


@pytest.mark.parametrize("content", [b"\xff\xfe[reader]", None])
def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "companion.toml"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    with pytest.raises(BadConfiguration, match="cannot be read"):
        read_configuration(file)


def test_a_file_that_never_ends_is_not_waited_for(tmp_path: Path) -> None:
    """A service that waited for a pipe would be killed and started again, over and over."""
    pipe, image = tmp_path / "pipe", tmp_path / "image"
    os.mkfifo(pipe)
    image.write_text("#" * 10_000_000)
    for file, why in ((pipe, "not a file"), (image, "more than 200000 bytes")):
        with pytest.raises(BadConfiguration, match=f"cannot be read: it .* {why}"):
            read_configuration(file)
        assert rescued(file).devices.display == USUAL_DISPLAY


def test_brackets_beyond_all_measure_are_told() -> None:
    assert "not TOML" in fault("x = " + "[" * 50_000)


def test_a_text_that_is_no_toml_is_told_with_its_line() -> None:
    assert "line 2" in fault('language = "id"\n[reader\n')


def test_the_journal_is_a_path_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    assert parse_configuration('journal = "~/games.db"', FILE).journal == Path("/home/ana/games.db")
    assert "begin with /" in fault('journal = "games.db"')


def test_without_a_home_no_path_begins_there(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody(monkeypatch)
    assert "no home folder: begin the path with /" in fault('journal = "~/games.db"')
    with pytest.raises(CompanionError, match="Name a file with --journal"):
        default_journal()


def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user whom the machine does not know."""
    for name in ("HOME", "XDG_STATE_HOME", "COMPANION_JOURNAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)


# -- fields ----------------------------------------------------------------------------------------


def test_every_unknown_key_is_named_with_its_line_and_what_was_meant() -> None:
    text = 'langage = "id"\n[[reader]]\nname = "A"\n# reset = 3\nrest = 25\n[buttons]\nfire = 4\n'
    assert faults(text) == [
        "companion.toml, line 1, langage: there is no langage. Did you mean language?",
        "companion.toml, line 5, reader 1.rest: there is no rest. Did you mean reset?",
        "companion.toml, line 7, buttons.fire: there is no fire here. "
        "Allowed: up, down, ok, back, pull",
    ]


def test_a_field_below_a_section_to_which_it_does_not_belong_is_explained() -> None:
    assert "above the first section" in fault('[buttons]\nlanguage = "id"\n')


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[reader]]\nname = "A"\nreset = 28', "28 is not allowed. Allowed: a whole number from 0"),
        ('[[reader]]\nname = "A"\nreset = "25"', '"25" is not allowed. Allowed: a whole number'),
        ('[[reader]]\nname = "card reader"', "Allowed: 1 to 12 letters, digits, - or _, in quotes"),
        ('[[reader]]\nname = "A"\nseat = "AB"', "Allowed: one letter from A to Z, in quotes"),
        ('[[reader]]\nname = "A"\nport = "spi"', 'Allowed: "mfrc522", "spidev"'),
        ("[[reader]]\nreset = 25", "name is missing. Allowed: 1 to 12 letters"),
        ('[reader]\nname = "A"', "it takes two brackets: [[reader]]"),
        ("buttons = 5", "Allowed: [buttons]"),
        ("[display]", 'driver is missing. Allowed: "sh1106", "ssd1306"'),
        ('[display]\ndriver = "sh1106"\ndim_after = 0', "Allowed: a number above 0, up to 86400"),
        ("[buttons]\nup = nan", "nan is not allowed"),
        ("[poll]\nperiod_ms = 2.5", "Allowed: a whole number from 5 to 1000"),
        ("[lights.seats]\nA = [1, 2]", "Allowed: the pins of red, green and blue"),
        ("[lights.seats]\nred = [4, 5, 6]", "red is no seat. Allowed: one letter"),
        ("[hub.buttons]\nleft = 3", '"left" is not allowed. Allowed: "back", "down", "ok", "up"'),
        ("journal = 5", "Allowed: text in quotes"),
        ('language = "de"', 'Allowed: "en", "id", "ja"'),
        ("[hub]\nlights = 3", "Allowed: names and pins"),
        ("[buttons]\nup = { A = 1 }", '{"A":1} is not allowed. Allowed: a whole number'),
    ],
)
def test_a_wrong_value_is_told_with_what_is_allowed(text: str, told: str) -> None:
    assert told in fault(text)


# -- what has to agree -----------------------------------------------------------------------------


def test_a_pin_with_two_uses_is_refused_with_both() -> None:
    told = fault(READERS + "[buttons]\nback = 25\n")
    assert told == (
        "companion.toml, line 8, buttons.back: GPIO25 used by reader A reset and button back"
    )


def test_all_conflicts_of_pins_are_told_at_once() -> None:
    told = faults(
        READERS + "[buttons]\nup = 7\ndown = 9\nok = 3\nback = 12\n[sound]\nbuzzer = 12\n"
        '[display]\ndriver = "ssd1306"\n[lights.seats]\nA = [12, 4, 4]\n'
    )
    assert [line.partition(": ")[2] for line in told] == [
        "GPIO7 used by SPI0 CE1 and button up",
        "GPIO9 used by SPI0 and button down",
        "GPIO3 used by button ok and I2C1",
        "GPIO12 used by button back and light A red and buzzer",
        "GPIO4 used by light A green and light A blue",
    ]


@pytest.mark.parametrize(
    ("devices", "pin"),
    [
        ('[[reader]]\nname = "A"\nbus = 1\ndevice = 2\n', 16),
        ('[[reader]]\nname = "A"\nbus = 1\n', 18),
        ('[display]\ndriver = "ssd1306"\nport = 0\n', 1),
        ('[display]\ndriver = "ssd1306"\nbus = "spi"\nport = 0\ndata_command = 23\n', 11),
        ('[display]\ndriver = "ssd1306"\nbus = "spi"\nport = 0\ndata_command = 23\n', 23),
        ('[display]\ndriver = "ssd1306"\nreset = 18\n', 18),
    ],
)
def test_buses_take_pins_too(devices: str, pin: int) -> None:
    parse_configuration(devices, FILE)
    assert f"GPIO{pin} used by" in fault(devices + f"[sound]\nbuzzer = {pin}\n")


def test_pins_of_what_is_not_used_are_free() -> None:
    text = '[display]\ndriver = "ssd1306"\ndata_command = 23\n[buttons]\nup = 23\nok = 9\n'
    parse_configuration(text, FILE)


def test_readers_do_not_share_a_reset() -> None:
    told = fault(READERS + "reset = 25\n")
    assert "GPIO25 used by reader A reset and reader B reset" in told
    assert "restarting one would silence the other" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (READERS.replace('"B"', '"A"'), "line 5, reader 2.name: there is a reader A already"),
        (READERS + HUB.replace('"C"', '"B"'), "hub.reader 1.name: there is a reader B already"),
        (READERS.replace("device = 1", ""), "SPI0 device 0 used by reader A and reader B"),
        (READERS.replace("device = 1", "device = 2"), "SPI0 has no device 2. Allowed: 0 to 1"),
        (
            READERS + '[display]\ndriver = "sh1106"\nbus = "spi"\nport = 0\ndata_command = 23\n',
            "SPI0 device 0 used by reader A and display",
        ),
        ('[display]\ndriver = "sh1106"\nbus = "spi"\nport = 0\n', "needs data_command"),
        ("[push]\nhold_ms = 3000\nstuck_ms = 3000\n", "less than stuck_ms, which is 3000"),
        ("[poll]\nswap_ms = 700\n", "less than absent_ms, which is 600"),
        (HUB + "[hub.buttons]\nok = 5\n", "GP5 used by reader C select and button ok"),
        (HUB + "[hub.lights]\nA = [3, 6, 7]\n", "GP3 used by SPI MOSI and light A red"),
        (HUB.replace("5", "25"), "no contact for GP25. Allowed: 0 to 22, 26 to 28"),
        (HUB.replace("[hub]", "[hub]\nsck = 9"), "of no SPI of a Pico. Allowed: sck 2/6/18/22"),
        (NINE, "a hub has 8 readers at the most"),
    ],
)  # fmt: skip
def test_what_does_not_agree_is_refused(text: str, told: str) -> None:
    assert told in fault(text)


def test_a_hub_without_readers_has_the_pins_of_their_bus_free() -> None:
    parse_configuration("[hub.buttons]\nok = 2\n", FILE)


def test_the_header_has_each_gpio_on_a_contact_of_its_own() -> None:
    assert sorted(HEADER) == list(range(28))
    assert len(set(HEADER.values())) == 28


def settings(kind: inspect.Type, name: str = "") -> Iterator[str]:
    """Every field that the file can have."""
    if isinstance(kind, inspect.UnionType):
        for inner in kind.types:
            yield from settings(inner, name)
    elif isinstance(kind, inspect.VarTupleType):
        yield from settings(kind.item_type, name)
    elif isinstance(kind, inspect.StructType):
        for field in kind.fields:
            yield f"{name}.{field.encode_name}"
            yield from settings(field.type, f"{name}.{field.encode_name}")


NAMES = {name.rpartition(".")[2] for name in settings(inspect.type_info(Written))}
KEYS = [*sorted(NAMES), "seats", "A", "other"]

keys = st.sampled_from(KEYS)
values = st.recursive(
    st.integers() | st.booleans() | st.text(max_size=4) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(keys, values, max_size=5))
def test_whatever_a_file_says_it_is_taken_or_refused_with_a_line(data: dict[str, Any]) -> None:
    told = ""
    try:
        parse_configuration("\n".join(f"{k} = {as_inline(v)}" for k, v in data.items()), FILE)
    except BadConfiguration as error:
        told = str(error)
    assert re.match(r"companion\.toml, line \d+, |companion\.toml: not TOML|$", told)


def as_inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {as_inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_inline, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return msgspec.json.encode(value).decode()


# -- the sample ------------------------------------------------------------------------------------

SWITCHED_OFF = re.compile(r"^#(?=\S)", re.MULTILINE)


def everything() -> str:
    """The sample with all that it can say switched on."""
    return SWITCHED_OFF.sub("", sample())


def left_out(kind: inspect.Type, data: Any, name: str = "") -> Iterator[str]:
    """Every field of every record that some data do not mention."""
    if isinstance(kind, inspect.UnionType):
        for inner in kind.types:
            yield from left_out(inner, data, name)
    elif isinstance(kind, inspect.VarTupleType):
        together = {key: value for item in data for key, value in item.items()}
        yield from left_out(kind.item_type, together, name)
    elif isinstance(kind, inspect.StructType):
        for field in kind.fields:
            here = f"{name}.{field.encode_name}"
            if field.encode_name in data:
                yield from left_out(field.type, data[field.encode_name], here)
            else:
                yield here


def test_the_sample_leaves_no_setting_out() -> None:
    data = tomllib.loads(everything())
    assert list(left_out(inspect.type_info(Written), data)) == []
    assert list(left_out(inspect.type_info(Written), {"reader": [{}]})) != []


def test_the_sample_with_everything_switched_on_is_right() -> None:
    devices = parse_configuration(everything(), FILE).devices
    assert len(devices.readers) == 2
    assert devices.hub is not None
    assert len(devices.hub.readers) == 2


def test_what_the_sample_switches_off_in_a_section_holds_anyway() -> None:
    as_is = parse_configuration(sample(), FILE).devices
    parts = re.split(r"^(?=#?\[)", sample(), flags=re.MULTILINE)
    on = "".join(SWITCHED_OFF.sub("", part) if part.startswith("[") else part for part in parts)
    same = parse_configuration(on, FILE).devices
    assert same.display is not None
    assert as_is.display is not None
    pins = {"data_command": None, "reset": None}
    assert msgspec.structs.replace(same.display, **pins) == as_is.display
    assert msgspec.structs.replace(same, display=as_is.display) == as_is
    assert on != sample()


def test_the_sample_is_a_reader_four_buttons_and_a_display() -> None:
    devices = parse_configuration(sample(), FILE).devices
    assert {use.pin for use in pi_pins(devices)} == {2, 3, 5, 6, 8, 9, 10, 11, 13, 25, 26}
    assert (devices.hub, devices.lights, devices.sound) == (None, None, None)


# -- the command -----------------------------------------------------------------------------------


def answer(action: str, file: Path | None, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(Namespace(action=action, config=file), Words("en")) == 0
    return capsys.readouterr().out


def test_sample_prints_the_file_to_begin_with(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer("sample", None, capsys) == sample()


def test_check_shows_every_pin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(everything())
    told = answer("check", file, capsys)
    assert told.startswith(f"{file}: all right\n")
    assert "GPIO25, contact 22: reader A reset" in told
    assert "hub GP5: reader H1 select" in told


def test_check_says_that_there_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(configuration.reading, "DEFAULT_FILE", tmp_path / "none.toml")
    assert "no devices" in answer("check", None, capsys)


@pytest.mark.parametrize("text", [sample(), everything(), "", 'language = "ja"\n'])
def test_show_prints_a_file_that_says_the_same(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(text)
    shown = answer("show", file, capsys)
    assert parse_configuration(shown, file) == read_configuration(file)
    assert list(as_toml(parse_configuration(shown, file))) == shown.splitlines()


def test_hub_pins_are_those_of_its_readers_buttons_and_lights() -> None:
    hub = parse_configuration(everything(), FILE).devices.hub
    assert hub is not None
    assert len({use.pin for use in hub_pins(hub)}) == 4 + 2 + 4 + 6


# -- the document ----------------------------------------------------------------------------------

DOCUMENT = ROOT / "docs" / "configuration.md"


def test_the_document_wires_what_the_sample_says() -> None:
    rows = re.findall(r"^\|[^|]*\|[^|]*\| (\d+) \| (\d+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    uses = pi_pins(parse_configuration(sample(), FILE).devices)
    assert {int(pin): int(contact) for pin, contact in rows} == {
        use.pin: HEADER[use.pin] for use in uses
    }


def test_the_document_has_every_setting() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert len(NAMES) > 30
    assert [name for name in sorted(NAMES) if not re.search(rf"[`[.]{name}[`\]]", text)] == []
