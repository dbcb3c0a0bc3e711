"""Whether each field of the file is one that there is, and has a value that it can have.

msgspec stops at the first fault; somebody who edits a file on a Pi wants to know all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import inspect

from companion.configuration.pins import Faults, Place
from companion.devices.settings import Settings
from companion.rules.phrases import N_, Phrase

TABLE = ("language", "journal")
"""Fields above all sections. Written below one they would belong to it, a common mistake."""

_TEXTS = {
    "^[A-Za-z0-9_-]{1,12}$": N_("1 to 12 letters, digits, - or _, in quotes"),
    "^[A-Z]?$": N_("one letter from A to Z, in quotes"),
}
"""What the patterns of the settings mean."""


def wrong_fields(data: Mapping[str, object], record: type[Settings], path: Place = ()) -> Faults:
    """Everything in a section that its record would not take, and what it lacks."""
    known = {field.encode_name: field for field in msgspec.structs.fields(record)}
    for key, value in data.items():
        if key in known:
            yield from _wrong_value(value, known[key].type, (*path, key))
        else:
            yield (*path, key), _not_known(key, list(known))
    for name, field in known.items():
        if field.required and name not in data:
            args = {"field": name, "allowed": allowed(field.type)}
            yield path, Phrase(N_("{field} is missing. Allowed: {allowed}"), args)


def _wrong_value(value: object, kind: Any, path: Place) -> Faults:
    """What is wrong with a value: a section, several of them, a table by names, or a plain one."""
    kind = _without_none(kind)
    inner = get_args(kind)
    if _is_section(kind):
        yield from _section(value, kind, path)
    elif get_origin(kind) is tuple and _is_section(inner[0]):
        yield from _sections(value, inner[0], path)
    elif get_origin(kind) is Mapping and isinstance(value, dict):
        for key, item in value.items():
            yield from _plain(key, inner[0], (*path, key))
            yield from _plain(item, inner[1], (*path, key))
    else:
        yield from _plain(value, kind, path)


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Settings)


def _section(value: object, record: type[Settings], path: Place) -> Faults:
    if isinstance(value, dict):
        yield from wrong_fields(value, record, path)
    else:
        yield path, Phrase(N_("is a section. Allowed: {allowed}"), {"allowed": f"[{_dots(path)}]"})


def _sections(value: object, record: type[Settings], path: Place) -> Faults:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _section(item, record, (*path, number))
    else:
        text = N_("there can be several, so it takes two brackets: {allowed}")
        yield path, Phrase(text, {"allowed": f"[[{_dots(path)}]]"})


def _plain(value: object, kind: Any, path: Place) -> Faults:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        args = {"value": _as_written(value), "allowed": allowed(kind)}
        yield path, Phrase(N_("{value} is not allowed. Allowed: {allowed}"), args)


def _without_none(kind: Any) -> Any:
    """The type itself of a field that may be left out."""
    if get_origin(kind) in (Union, UnionType):
        (kind,) = [inner for inner in get_args(kind) if inner is not type(None)]
    return kind


def _dots(path: Place) -> str:
    return ".".join(part for part in path if isinstance(part, str))


def _as_written(value: object) -> str:
    if isinstance(value, float):
        return str(value)  # JSON has no nan and no inf
    return msgspec.json.encode(value, enc_hook=str).decode()


def _not_known(key: str, known: list[str]) -> Phrase:
    near = get_close_matches(key, known, n=1)
    if near:
        return Phrase(N_("there is no {key}. Did you mean {near}?"), {"key": key, "near": near[0]})
    if key in TABLE:
        return Phrase(N_("{key} has to stand above the first section"), {"key": key})
    return Phrase(N_("there is no {key} here. Allowed: {allowed}"), {"key": key, "allowed": known})


def allowed(kind: Any) -> Phrase:
    """What a field of a type takes, in words."""
    return _in_words(inspect.type_info(_without_none(kind)))


def _in_words(kind: inspect.Type) -> Phrase:
    if isinstance(kind, inspect.LiteralType):
        return Phrase("{values}", {"values": [_as_written(value) for value in kind.values]})
    if isinstance(kind, inspect.IntType):
        text = N_("a whole number from {least} to {most}")
        return Phrase(text, {"least": kind.ge, "most": kind.le})
    if isinstance(kind, inspect.FloatType):
        text = N_("a number above {least}, up to {most}")
        return Phrase(text, {"least": f"{kind.gt:g}", "most": f"{kind.le:g}"})
    if isinstance(kind, inspect.StrType):
        return Phrase(_TEXTS.get(kind.pattern or "", N_("text in quotes")))
    if isinstance(kind, inspect.TupleType):
        return Phrase(N_("the pins of red, green and blue, such as [17, 27, 22]"))
    return Phrase(N_("names and pins, each on a line"))
