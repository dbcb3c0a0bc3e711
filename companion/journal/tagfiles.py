"""Tags as files: CSV for spreadsheets, JSON for programs. What is wrong is said row by row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce

import msgspec

from companion.journal.errors import JournalError
from companion.portable.uid import LENGTHS, from_text
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import (
    HIDDEN,
    SPARES,
    Meaning,
    Tag,
    TaggedThing,
    TagKind,
    is_hidden,
    short,
)

COLUMNS = ("uid", "game", "kind", "thing", "copy")
SUFFIXES = (".csv", ".json")
TOLD = 20
"""The most problems that are told at once."""

_NUMBER = re.compile(r"\d+[.,]\d+(E[+-]?\d+)?|\d+E[+-]\d+", re.IGNORECASE)
"""What a spreadsheet makes of a UID that looks like a number."""

Things = Mapping[tuple[str, str, str], TaggedThing]
"""All that can carry a tag, by `TaggedThing.key`."""


class Row(msgspec.Struct, frozen=True):
    """One row of a file, as it was written. `number` counts from 1, in CSV with the header."""

    number: int
    uid: str
    game: str
    kind: str
    thing: str
    copy: str


class BadTagFile(JournalError):
    """A file that was not imported, with all that is wrong in it. Nothing was changed."""

    def __init__(self, file: str, problems: Sequence[Phrase]) -> None:
        self.problems = problems
        told = list(problems[:TOLD])
        if len(problems) > TOLD:
            told.append(Phrase(N_("… and {more} more"), {"more": len(problems) - TOLD}))
        lines = reduce(lambda a, b: Phrase("{a}\n{b}", {"a": a, "b": b}), told)
        super().__init__(
            N_("{file} was not imported, nothing is changed:\n{problems}"),
            file=file,
            problems=lines,
        )


# -- writing ---------------------------------------------------------------------------------------


def written(tags: Iterable[Tag], suffix: str) -> str:
    """The tags as the text of a file, sorted by meaning.

    In CSV a UID has colons: a spreadsheet would make a number of some of the others.
    """
    rows = sorted(tags, key=lambda tag: tag.meaning)
    if suffix == ".json":
        return msgspec.json.format(msgspec.json.encode(rows)).decode() + "\n"
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((_with_colons(tag.uid), *tag.meaning) for tag in rows)
    return text.getvalue()


def _with_colons(uid: str) -> str:
    return ":".join(uid[at : at + 2] for at in range(0, len(uid), 2))


# -- reading ---------------------------------------------------------------------------------------


def read(data: bytes, suffix: str, file: str) -> list[Row]:
    """The rows of a file, with the habits of spreadsheets. Raises BadTagFile."""
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
        return _json_rows(text) if suffix == ".json" else _csv_rows(text)
    except (ValueError, csv.Error) as error:  # UnicodeDecodeError and msgspec's are ValueErrors
        raise BadTagFile(file, [Phrase("{error}", {"error": str(error)})]) from error
    except _NoColumns as error:
        raise BadTagFile(file, [error.phrase]) from error


class _NoColumns(JournalError):
    """A table without the columns that it needs."""


def _csv_rows(text: str) -> list[Row]:
    """Rows between commas, semicolons or tabs, whichever the header has."""
    first = text.partition("\n")[0]
    between = max(",;\t", key=first.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    header = [name.strip().casefold() for name in next(lines, [])]
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise _NoColumns(
            N_("The first row names the columns {columns}; it has no {missing}."),
            columns=list(COLUMNS),
            missing=missing,
        )
    places = [header.index(name) for name in COLUMNS]
    return [
        Row(lines.line_num, *(_cell(cells, place) for place in places))
        for cells in lines
        if any(cell.strip() for cell in cells)
    ]


def _cell(cells: Sequence[str], place: int) -> str:
    return cells[place].strip() if place < len(cells) else ""


def _json_rows(text: str) -> list[Row]:
    """A list of objects; their number is the row's."""
    entries = msgspec.json.decode(text, type=list[dict[str, str | int]])
    return [
        Row(number, *(str(entry.get(name, "")).strip() for name in COLUMNS))
        for number, entry in enumerate(entries, start=1)
    ]


# -- checking --------------------------------------------------------------------------------------


def checked(
    rows: Sequence[Row],
    things: Things,
    stored: Iterable[Tag],
    file: str,
    *,
    move: bool = False,
    sealed: Collection[str] = (),
) -> list[Tag]:
    """The tags that the rows give. Raises BadTagFile with every row's problem.

    Without `move`, also where a UID means something else in `stored`, or a copy has another UID.
    `sealed` are the games whose things that lie face down have to keep their tags.
    """
    stored = list(stored)
    tags: dict[int, Tag] = {}
    problems: list[tuple[int, Phrase]] = []
    for row in rows:
        found = _problem(row, things)
        if found is None:
            uid, kind = from_text(row.uid), TagKind(row.kind)
            tags[row.number] = Tag(uid, row.game, kind, row.thing, int(row.copy))
        else:
            problems.append((row.number, _in_row(row.number, found)))
    problems += _repeated(tags)
    hidden = list(_hidden(tags, stored, sealed))
    problems += hidden
    problems += () if move or hidden else _taken(tags, stored)
    if problems:
        problems.sort(key=lambda problem: problem[0])
        raise BadTagFile(file, [phrase for _, phrase in problems])
    return list(tags.values())


def _in_row(number: int, problem: Phrase) -> Phrase:
    return Phrase(N_("row {number}: {problem}"), {"number": number, "problem": problem})


def _problem(row: Row, things: Things) -> Phrase | None:
    """What is wrong with a row alone."""
    try:
        from_text("" if _NUMBER.fullmatch(row.uid) else row.uid)
    except ValueError:
        return _why_no_uid(row.uid)
    return _why_nothing(row, things)


def _why_no_uid(text: str) -> Phrase:
    if _NUMBER.fullmatch(text):
        return Phrase(
            N_("{uid}: the spreadsheet made a number of it. Format the column as text."),
            {"uid": text},
        )
    digits = re.sub(r"^0[xX]|[ :.-]", "", text)
    if not re.fullmatch("[0-9A-Fa-f]*", digits):
        return Phrase(N_("{uid} is no UID: only the digits 0-9 and A-F"), {"uid": text})
    args = {
        "uid": text or "“”",
        "n": len(digits),
        "allowed": [2 * length for length in LENGTHS],
    }
    if len(digits) < 2 * max(LENGTHS) and digits:
        return Phrase(N_("{uid} has {n} digits, not {allowed}: has it lost leading zeros?"), args)
    return Phrase(N_("{uid} has {n} digits, not {allowed}"), args)


def _why_nothing(row: Row, things: Things) -> Phrase | None:
    """Why a row means nothing: which part of it is unknown, and what is allowed."""
    games = {game for game, _, _ in things}
    if row.game not in games:
        return _unknown(N_("there is no game {typed}: {allowed}"), row.game, filter(None, games))
    kinds = {kind for game, kind, _ in things if game == row.game}
    if row.kind not in kinds:
        return _unknown(N_("there is no kind {typed} here: {allowed}"), row.kind, kinds)
    thing = things.get((row.game, row.kind, row.thing))
    if thing is None:
        text = N_("there is no {kind} {thing} in {game}")
        return Phrase(text, {"kind": row.kind, "thing": row.thing, "game": row.game or "“”"})
    most = thing.copies + SPARES
    if not re.fullmatch(r"\d{1,6}", row.copy) or not 1 <= int(row.copy) <= most:
        text = N_("copy {typed} of {thing} cannot be: 1 to {copies}")
        args = {"typed": row.copy or "“”", "thing": row.thing, "copies": most}
        return Phrase(text, args)
    return None


def _unknown(text: str, typed: str, allowed: Iterable[str]) -> Phrase:
    return Phrase(text, {"typed": typed or "“”", "allowed": sorted(allowed)})


Problems = Iterator[tuple[int, Phrase]]


def _repeated(tags: Mapping[int, Tag]) -> Problems:
    """UIDs, and copies, that two rows have."""
    for first, other in _pairs(tags, lambda tag: tag.uid):
        text = N_("rows {first} and {other}: the same UID, {uid}")
        uid = short(tags[other].uid)
        yield other, Phrase(text, {"first": first, "other": other, "uid": uid})
    for first, other in _pairs(tags, lambda tag: tag.meaning):
        tag = tags[other]
        text = N_("rows {first} and {other}: the same card, {thing}, copy {copy}")
        args = {"first": first, "other": other, "thing": tag.thing, "copy": tag.copy}
        yield other, Phrase(text, args)


def _pairs(
    tags: Mapping[int, Tag], key: Callable[[Tag], str | Meaning]
) -> Iterator[tuple[int, int]]:
    """The first row, and each later one, of what several rows share."""
    first: dict[str | Meaning, int] = {}
    for number, tag in tags.items():
        if first.setdefault(key(tag), number) != number:
            yield first[key(tag)], number


def _hidden(tags: Mapping[int, Tag], stored: Iterable[Tag], sealed: Collection[str]) -> Problems:
    """Tags that lie face down in an open game, before or after: no answer may tell on them."""
    lying = {tag.uid for tag in stored if is_hidden(tag, sealed)}
    for number, tag in tags.items():
        if tag.uid in lying or is_hidden(tag, sealed):
            args = {"uid": short(tag.uid), "why": HIDDEN}
            yield number, _in_row(number, Phrase(N_("{uid}: {why}"), args))


def _taken(tags: Mapping[int, Tag], stored: Iterable[Tag]) -> Problems:
    """UIDs that mean something else until now, and copies that have another UID."""
    by_uid = {tag.uid: tag for tag in stored}
    by_meaning = {tag.meaning: tag for tag in by_uid.values()}
    for number, tag in tags.items():
        was = by_uid.get(tag.uid, tag)
        holder = by_meaning.get(tag.meaning, tag)
        if was != tag:
            text = N_("{uid} is {thing}, copy {copy}, until now; --move moves it")
            args = {"uid": short(tag.uid), "thing": was.thing, "copy": was.copy}
            yield number, _in_row(number, Phrase(text, args))
        elif holder != tag:
            text = N_("{thing}, copy {copy}, has the tag {uid} until now; --move replaces it")
            args = {"uid": short(holder.uid), "thing": tag.thing, "copy": tag.copy}
            yield number, _in_row(number, Phrase(text, args))
