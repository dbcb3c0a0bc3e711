"""`companion config sample`, `check` and `show`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from companion.configuration.pins import HEADER, Use, hub_pins, pi_pins
from companion.configuration.reading import (
    DEFAULT_FILE,
    Configuration,
    Written,
    read_configuration,
    sample,
)
from companion.rules.phrases import N_, Phrase
from companion.words import Words


def run(options: Namespace, words: Words) -> int:
    """Do what was asked for; gives the exit code. Raises BadConfiguration."""
    if options.action == "sample":
        print(sample(), end="")
        return 0
    configuration = read_configuration(options.config)
    if options.action == "check":
        lines = [words.say(phrase) for phrase in told(configuration)]
    else:
        lines = list(as_toml(configuration))
    print("\n".join(lines))
    return 0


def told(configuration: Configuration) -> Iterator[Phrase]:
    """That the file is right, and what is wired where."""
    if configuration.file is None:
        text = N_("There is no {file}, so there are no devices. This prints one: {command}")
        yield Phrase(text, {"file": str(DEFAULT_FILE), "command": "companion config sample"})
        return
    yield Phrase(N_("{file}: all right"), {"file": str(configuration.file)})
    for pin, what in _in_order(pi_pins(configuration.devices)):
        args = {"pin": pin, "contact": HEADER[pin], "what": what}
        yield Phrase(N_("GPIO{pin}, contact {contact}: {what}"), args)
    if configuration.devices.hub is not None:
        for pin, what in _in_order(hub_pins(configuration.devices.hub)):
            yield Phrase(N_("hub GP{pin}: {what}"), {"pin": pin, "what": what})


def _in_order(uses: Iterable[Use]) -> list[tuple[int, Phrase]]:
    """What each pin does; in a file that is right each does one thing."""
    return sorted({use.pin: use.what for use in uses}.items(), key=lambda one: one[0])


def as_toml(configuration: Configuration) -> Iterator[str]:
    """All settings that hold, those left out too, as a file that says the same."""
    written = Written(
        **{name: getattr(configuration.devices, name) for name in _DEVICES},
        language=configuration.language,
        journal=str(configuration.journal or ""),
    )
    yield from _section(msgspec.to_builtins(written), "")


_DEVICES = [name for name in Written.__struct_fields__ if name not in ("language", "journal")]


def _section(fields: Mapping[str, Any], header: str) -> Iterator[str]:
    """A table: first its plain fields, which would else belong to a table inside it."""
    for key, value in fields.items():
        if not _is_table(value) and value is not None and value != []:
            shown = hex(value) if key == "address" else msgspec.json.encode(value).decode()
            yield f"{key} = {shown}"
    for key, value in fields.items():
        name = f"{header}.{key}" if header else key
        if isinstance(value, Mapping):
            yield from ("", f"[{name}]", *_section(value, name))
        elif _is_table(value) and isinstance(value, (list, tuple)):
            for item in value:
                yield from ("", f"[[{name}]]", *_section(item, name))


def _is_table(value: object) -> bool:
    several = isinstance(value, (list, tuple)) and any(isinstance(v, Mapping) for v in value)
    return several or isinstance(value, Mapping)
