"""The file read into records. What is wrong is told with line, field and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any, Literal

import msgspec

from companion.configuration.agreement import faults
from companion.configuration.fields import wrong_fields
from companion.configuration.pins import Faults, Place
from companion.devices.settings import DeviceSettings, DisplaySettings
from companion.rules.content import LANGUAGES, fault, line_of, load_toml, shipped
from companion.rules.errors import BadContent, CompanionError
from companion.rules.phrases import N_, Phrase

DEFAULT_FILE = Path("/etc/companion.toml")
SAMPLE_FILE = Path(__file__).parent.parent / "companion.toml"

MOST_BYTES = 200_000
"""Forty times the sample, which explains every setting."""

USUAL_DISPLAY = DisplaySettings(driver="ssd1306")
"""The display of the sample, wired as most are: on I2C, so that no other pin is driven."""
_RESCUED = (("language", "display", "buttons", "push"), ("language", "display"), ("display",))
"""What is taken over from a file that cannot be used, as much of it as is right."""


class BadConfiguration(CompanionError):
    """The configuration cannot be used. Lists everything that is wrong with it."""


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for a table: its language, where its games are kept, and its devices.

    `file` None: there is no file, and so no devices. `language` None: that of the machine.
    `journal` None: the usual place (`companion.host.default_journal`).
    """

    file: Path | None = None
    language: Literal["id", "en", "ja"] | None = None
    journal: Path | None = None
    devices: DeviceSettings = DeviceSettings()


class Written(DeviceSettings, frozen=True):
    """The file as it is written: the sections of the devices, and above them two plain fields."""

    language: Literal["id", "en", "ja"] | None = None
    journal: str = ""


def read_configuration(path: Path | None = None) -> Configuration:
    """Read a file, or else `DEFAULT_FILE` if it is there. Raises BadConfiguration."""
    file = path or DEFAULT_FILE
    if path is None and not file.exists():
        return Configuration()
    return parse_configuration(_text(file), file)


def _text(file: Path) -> str:
    try:
        _refuse_what_never_ends(file)
        return file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadConfiguration(
            N_("There is no file {file}. This prints one to begin with: {command}"),
            file=str(file),
            command="companion config sample",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadConfiguration(
            N_("{file} cannot be read: {error}"), file=str(file), error=reason
        ) from error


def _refuse_what_never_ends(file: Path) -> None:
    """Whoever waits for a pipe, or reads a disk's image, feeds no watchdog."""
    status = file.stat()
    reason: Phrase | None = None
    if not S_ISREG(status.st_mode):
        reason = Phrase(N_("it is not a file"))
    elif status.st_size > MOST_BYTES:
        reason = Phrase(N_("it has more than {most} bytes"), {"most": MOST_BYTES})
    if reason is not None:
        raise BadConfiguration(N_("{file} cannot be read: {error}"), file=str(file), error=reason)


def parse_configuration(text: str, file: Path) -> Configuration:
    """The configuration that a text of TOML says. Raises BadConfiguration with all its faults."""
    return _configuration(_data(text, file), text, file)


def _data(text: str, file: Path) -> dict[str, Any]:
    try:
        return load_toml(text, str(file))
    except BadContent as error:
        raise BadConfiguration(error.phrase.text, **error.phrase.args) from error


def _configuration(data: Mapping[str, Any], text: str, file: Path) -> Configuration:
    _refuse(text, file, wrong_fields(data, Written))
    written = msgspec.convert(data, Written)
    _refuse(text, file, [*_journal_faults(written.journal), *faults(written)])
    return Configuration(
        file=file,
        language=written.language,
        journal=Path(written.journal).expanduser() if written.journal else None,
        devices=written,
    )


def rescued(path: Path | None = None) -> Configuration:
    """What a file that cannot be used is still good for: to say so on its display.

    The language, the display and the buttons, as far as they are right by themselves; else
    `USUAL_DISPLAY`.
    """
    file = path or DEFAULT_FILE
    data: Mapping[str, Any] = {}
    with suppress(BadConfiguration):
        data = _data(_text(file), file)
    for names in _RESCUED:
        with suppress(BadConfiguration):
            kept = {name: data[name] for name in names if name in data}
            configuration = _configuration(kept, "", file)
            if configuration.devices.display is not None:
                return configuration
    language = data.get("language")
    return Configuration(
        file=file,
        language=language if language in LANGUAGES else None,
        devices=DeviceSettings(display=USUAL_DISPLAY),
    )


def sample() -> str:
    """The commented file to begin with. Raises NotInstalled."""
    return shipped("companion", SAMPLE_FILE.name)


def _refuse(text: str, file: Path, wrong: Iterable[tuple[Place, Phrase]]) -> None:
    """Raise all that is wrong as one error, in the order of the lines."""
    in_order = sorted(wrong, key=lambda one: line_of(text, one[0]))
    if in_order:
        told = {
            f"fault_{n}": fault(text, str(file), path, reason).phrase
            for n, (path, reason) in enumerate(in_order)
        }
        raise BadConfiguration("\n".join(f"{{{key}}}" for key in told), **told)


def _journal_faults(journal: str) -> Faults:
    """A relative path would mean another place for whoever starts the program elsewhere."""
    if journal and not journal.startswith(("/", "~/")):
        yield ("journal",), Phrase(N_("a path has to begin with / or ~/"))
        return
    try:
        Path(journal).expanduser()
    except RuntimeError:
        yield ("journal",), Phrase(N_("this user has no home folder: begin the path with /"))
