"""The file read into records. What is wrong is told with line, field and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from companion.configuration.agreement import faults
from companion.configuration.fields import wrong_fields
from companion.configuration.pins import Faults, Place
from companion.devices.settings import DeviceSettings
from companion.rules.content import fault, line_of, load_toml
from companion.rules.errors import BadContent, CompanionError
from companion.rules.phrases import N_, Phrase

DEFAULT_FILE = Path("/etc/companion.toml")
SAMPLE_FILE = Path(__file__).parent.parent / "companion.toml"


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
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if path is None:
            return Configuration()
        raise BadConfiguration(
            N_("There is no file {file}. This prints one to begin with: {command}"),
            file=str(path),
            command="companion config sample",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadConfiguration(
            N_("{file} cannot be read: {error}"), file=str(file), error=reason
        ) from error
    return parse_configuration(text, file)


def parse_configuration(text: str, file: Path) -> Configuration:
    """The configuration that a text of TOML says. Raises BadConfiguration with all its faults."""
    try:
        data = load_toml(text, str(file))
    except BadContent as error:
        raise BadConfiguration(error.phrase.text, **error.phrase.args) from error
    _refuse(text, file, wrong_fields(data, Written))
    written = msgspec.convert(data, Written)
    _refuse(text, file, [*_journal_faults(written.journal), *faults(written)])
    return Configuration(
        file=file,
        language=written.language,
        journal=Path(written.journal).expanduser() if written.journal else None,
        devices=written,
    )


def sample() -> str:
    """The commented file to begin with."""
    return SAMPLE_FILE.read_text(encoding="utf-8")


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
