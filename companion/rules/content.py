"""Content files: cards, boards and the like in TOML, read into typed records.

A bad file is refused with its name, the line, the field and what is allowed there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import inspect

from companion.rules.errors import BadContent, NotInstalled
from companion.rules.phrases import N_, Named, Phrase

T = TypeVar("T")

Words = Mapping[str, str]
"""A text in every language: `{ id = "…", en = "…", ja = "…" }`."""

LANGUAGES = ("id", "en", "ja")

ContentId = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9-]*$")]
"""What a content file calls a thing: people can type it, and a tag can carry it."""

Fault = tuple[Sequence[str | int], str | Phrase]
"""Something wrong: the path to it, such as `["card", 3, "count"]`, and the reason."""

_Path = list[str | int]


def shipped(package: str | None, filename: str) -> str:
    """The text of a file of a package. Raises NotInstalled, naming it, when it is missing."""
    file = files(package or "").joinpath(filename)
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotInstalled(N_("{file} is missing. Install anew."), file=str(file)) from error


def read_checked(
    text: str, record: type[T], filename: str, faults: Callable[[T], Iterable[Fault]]
) -> T:
    """Read a TOML text into a record and refuse it for the first of its faults.

    Raises BadContent with line, field and what is allowed.
    """
    read = read_toml(text, record, filename)
    for path, reason in faults(read):
        raise fault(text, filename, path, reason)
    return read


def id_faults(
    ids: Iterable[tuple[Sequence[str | int], str]], taken: Iterable[str] = ()
) -> Iterator[Fault]:
    """Which of the ids, each with its path, stand for something else already."""
    seen = set(taken)
    for path, one in ids:
        if one in seen:
            yield path, Phrase(N_("The id {id} is taken. Give it another."), {"id": one})
        seen.add(one)


def words_faults(path: Sequence[str | int], words: Words | None) -> Iterator[Fault]:
    """What is wrong with a text that has to be there in every language, and in no other.

    None is a text that need not be there, and is not.
    """
    if words is None:
        return
    for language in LANGUAGES:
        if not words.get(language, "").strip():
            reason = Phrase(
                N_("needs a text for {language}; allowed: {languages}"),
                {"language": language, "languages": list(LANGUAGES)},
            )
            yield path, reason
    for language in words:
        if language not in LANGUAGES:
            reason = Phrase(
                N_("{language} is no language here; allowed: {languages}"),
                {"language": language, "languages": list(LANGUAGES)},
            )
            yield path, reason


def read_toml(text: str, record: type[T], filename: str) -> T:
    """Read a TOML text into a record. Raises BadContent with line, field and what is allowed."""
    data = load_toml(text, filename)
    try:
        return msgspec.convert(data, record)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `")
        path = _parse_path(where.rstrip("`"))
        raise fault(text, filename, path, _explain(message, record, path)) from error


def load_toml(text: str, filename: str) -> dict[str, Any]:
    """What a TOML text says, not looked at yet. Raises BadContent where it is no TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadContent(
            N_("{file}: not TOML: {error}"), file=filename, error=str(error)
        ) from error


def fault(text: str, filename: str, path: Sequence[str | int], reason: str | Phrase) -> BadContent:
    """The error for something wrong at a path such as `["card", 3, "count"]` of a file."""
    return BadContent(
        N_("{file}, line {line}, {field}: {reason}"),
        file=filename,
        line=line_of(text, path),
        field=_show_path(path) or N_("the whole file"),
        reason=reason,
    )


def same_names(names: Iterable[Named]) -> Iterator[Phrase]:
    """Advice on things of one kind that are called the same, as far as ears can tell."""
    called = [name.in_language("en").casefold() for name in names]
    for name in dict.fromkeys(called):
        if called.count(name) > 1:
            yield Phrase(N_("Several cards are called {name}; give each its own."), {"name": name})


def schema_of(record: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a content file, for editors."""
    return msgspec.json.schema(record)


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line, from 1, on which the thing at a path stands; that of its table at the least."""
    lines = ["" if line.lstrip().startswith("#") else line for line in text.splitlines()]
    line, end = 0, len(lines)
    header: list[str] = []
    for index, part in enumerate(path):
        if isinstance(part, int):
            continue
        after = path[index + 1] if index + 1 < len(path) else None
        nth = after if isinstance(after, int) else None
        found = _table(lines, line, end, [*header, part], nth or 0)
        if found is not None:
            header.append(part)
            line, end = found
            continue
        line, end = _key(lines, line, end, part, nth)
    return line + 1


def _key(lines: list[str], start: int, end: int, part: str, nth: int | None) -> tuple[int, int]:
    """The lines of a key's value, or of the nth inline table in it."""
    key = re.compile(rf"(^|[\s{{,]){re.escape(part)}\s*=")
    found = next(((n, m.end()) for n in range(start, end) if (m := key.search(lines[n]))), None)
    if found is None:
        return start, end
    line, after = found
    opened = depth = 0
    for number in range(line, end if nth is not None else line):
        for char in lines[number][after if number == line else 0 :]:
            opened += char == "{" and not depth
            depth += (char == "{") - (char == "}")
        if opened > (nth or 0):
            return number, number + 1
    return line, line + 1


def _table(
    lines: list[str], start: int, end: int, header: list[str], nth: int
) -> tuple[int, int] | None:
    """The lines of the nth table with a header between two lines, up to its next sibling."""
    name = r"\.".join(re.escape(part) for part in header)
    own = re.compile(rf"^\s*\[\[?\s*{name}\s*\]\]?")
    inside = re.compile(rf"^\s*\[\[?\s*{name}\.")
    starts = [n for n in range(start, end) if own.match(lines[n])]
    if nth >= len(starts):
        return None
    first = starts[nth]
    after = (
        n
        for n in range(first + 1, end)
        if lines[n].lstrip().startswith("[") and not inside.match(lines[n])
    )
    return first, next(after, end)


def _parse_path(where: str) -> _Path:
    parts: _Path = []
    for name, index in re.findall(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]", where):
        if name:
            parts.append(name)
        elif index.isdigit():
            parts.append(int(index))
    return parts


def _show_path(path: Sequence[str | int]) -> str:
    shown = ""
    for part in path:
        shown += f" {part + 1}" if isinstance(part, int) else f"{'.' if shown else ''}{part}"
    return shown


def _explain(message: str, record: type[Any], path: _Path) -> str:
    """The reason, with what is allowed in its place."""
    allowed = _allowed(inspect.type_info(record), path)
    return f"{message}. Allowed: {allowed}" if allowed else message


def _allowed(kind: inspect.Type, path: _Path) -> str:
    kinds = [kind]
    for part in path:
        kinds = [inner for outer in kinds for inner in _inside(outer, part)]
    names: list[str] = []
    for inner in (flat for outer in kinds for flat in _flat(outer)):
        names += [name for name in _names(inner) if name not in names]
    return ", ".join(names)


def _flat(kind: inspect.Type) -> Sequence[inspect.Type]:
    if isinstance(kind, inspect.UnionType):
        return [flat for inner in kind.types for flat in _flat(inner)]
    return [kind]


def _inside(kind: inspect.Type, part: str | int) -> list[inspect.Type]:
    """The types that stand at one step of a path."""
    found: list[inspect.Type] = []
    for flat in _flat(kind):
        if isinstance(flat, inspect.StructType):
            found += [field.type for field in flat.fields if field.encode_name == part]
            if flat.tag_field == part:
                found.append(inspect.LiteralType((str(flat.tag),)))
        elif isinstance(flat, (inspect.CollectionType, inspect.VarTupleType, inspect.ListType)):
            found.append(flat.item_type)
        elif isinstance(flat, inspect.DictType):
            found.append(flat.value_type)
    return found


def _names(kind: inspect.Type) -> list[str]:
    if isinstance(kind, inspect.StructType):
        tag = [kind.tag_field] if kind.tag_field else []
        return [*tag, *(field.encode_name for field in kind.fields)]
    if isinstance(kind, inspect.EnumType):
        return [str(member.value) for member in kind.cls]
    if isinstance(kind, inspect.LiteralType):
        return [str(value) for value in kind.values]
    plain = {
        inspect.IntType: "a whole number",
        inspect.StrType: "text",
        inspect.BoolType: "true or false",
        inspect.NoneType: "nothing",
    }
    for type_, name in plain.items():
        if isinstance(kind, type_):
            return [name + _bounds(kind)]
    return []


def _bounds(kind: inspect.Type) -> str:
    least, most = getattr(kind, "ge", None), getattr(kind, "le", None)
    return (f" from {least}" if least is not None else "") + (
        f" up to {most}" if most is not None else ""
    )
