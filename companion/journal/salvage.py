"""Reading what is left of a damaged journal into a new one, row by row up to the damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import msgspec

from companion.journal import database, tags
from companion.journal.database import PAGE, PARTS, beside, digest_of
from companion.journal.errors import FAULTS
from companion.rules.lines import Header, Line

T = TypeVar("T")


class Saved(msgspec.Struct):
    """What has been brought over."""

    games: int = 0
    lines: int = 0
    lost: int | None = None
    """Lines known to be missing; None where nothing tells."""
    tags: int = 0
    lost_tags: int | None = 0
    """The same of tags."""


def salvage(scratch: Path, fresh: sqlite3.Connection, first_page: bytes) -> Saved:
    """Bring over what can be read; if nothing can, again with a sound first page."""
    _pad(scratch)
    saved = _bring_over(scratch, fresh)
    if not saved.lines and not saved.tags and scratch.exists():
        _graft(scratch, first_page)
        saved = _bring_over(scratch, fresh)
    return saved


def _pad(scratch: Path) -> None:
    """Give an emptied file a page: SQLite deletes the -wal of an empty one without a look."""
    if not scratch.exists() or scratch.stat().st_size == 0:
        scratch.write_bytes(bytes(PAGE))


def _graft(scratch: Path, first_page: bytes) -> None:
    """Replace the first page (file header, table list) by that of a new journal.

    The same format has the same tables at the same pages; only the file's size is to be set.
    """
    pages = max(1, scratch.stat().st_size // PAGE)
    with scratch.open("r+b") as file:
        file.write(first_page[:28] + pages.to_bytes(4, "big") + first_page[32:])
    for part in PARTS[1:]:
        beside(scratch, part).unlink(missing_ok=True)


def _bring_over(scratch: Path, fresh: sqlite3.Connection) -> Saved:
    with closing(sqlite3.connect(scratch, isolation_level=None)) as old:
        old.text_factory = bytes  # damaged text need not be text
        fresh.execute("BEGIN")
        try:
            saved = _copy_games(old, fresh)
            saved.tags, saved.lost_tags = _copy_tags(old, fresh)
        except BaseException:
            fresh.rollback()
            raise
        fresh.commit()
        return saved


def _copy_games(old: sqlite3.Connection, fresh: sqlite3.Connection) -> Saved:
    contents = _contents(old)
    fresh.executemany("INSERT OR IGNORE INTO contents VALUES (?, ?)", contents.items())
    games = _games(old, contents.keys())
    lost: list[int | None] = [*_lost_games(old, games)]
    saved = Saved(len(games))
    for game, row in sorted(games.items()):
        fresh.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?)", row)
        lines, snapshots = list(_lines(old, game)), _snapshots(old, game)
        fresh.executemany("INSERT OR IGNORE INTO lines VALUES (?, ?, ?, ?, ?)", lines)
        fresh.executemany("INSERT OR IGNORE INTO snapshots VALUES (?, ?, ?, ?, ?)", snapshots)
        saved.lines += len(lines)
        last = max((_last_line(old, game), *(n for _, _, n, _, _ in snapshots)))
        lost.append(None if last < 0 else max(0, last - len(lines)))
    if games and None not in lost:
        saved.lost = sum(each or 0 for each in lost)
    return saved


def _copy_tags(old: sqlite3.Connection, fresh: sqlite3.Connection) -> tuple[int, int | None]:
    """Bring over the tags; gives how many, and how many are lost: 0, or None if unknown."""
    if _has_no_tags(old):
        return 0, 0
    found: dict[str, tuple[object, ...]] = {}
    sound = False
    for source, order in zip(database.TAGS, _TAG_ORDERS, strict=True):
        for direction in ("", " DESC"):  # from both ends: the damage may be in the middle
            keys = ", ".join(f"{key}{direction}" for key in order)
            rows, complete = _to_the_damage(old, f"{_ALL_TAGS} FROM {source} ORDER BY {keys}")
            whole = [row for row in map(_tag_row, rows) if row is not None]
            found.update({str(row[0]): row for row in whole})
            sound = sound or (complete and len(whole) == len(rows))
    fresh.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?, ?, ?, ?, ?)", found.values())
    return len(found), 0 if sound else None


_ALL_TAGS = "SELECT uid, game, kind, thing, copy, sum"
_TAG_ORDERS = (("uid",), ("game", "kind", "thing", "copy", "uid"))
"""How the tags lie in each of their places, so that reading them needs no sorting."""


def _has_no_tags(old: sqlite3.Connection) -> bool:
    """Whether the file is of a format without tags."""
    names, complete = _to_the_damage(old, "SELECT name FROM sqlite_schema")
    return complete and bool(names) and (b"tags",) not in names


def _to_the_damage(db: sqlite3.Connection, query: str) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows of a query up to the damage, and whether there was none."""
    rows: list[tuple[Any, ...]] = []
    try:
        rows.extend(db.execute(query))
    except FAULTS:
        return rows, False
    return rows, True


def _tag_row(row: tuple[Any, ...]) -> tuple[object, ...] | None:
    """A tag as it is stored; None if it is damaged."""
    *words, copy, total = row
    uid, game, kind, thing = map(_text, words)
    if not isinstance(copy, int) or tags.total(uid, game, kind, thing, copy) != total:
        return None
    return uid, game, kind, thing, copy, total


def _rows(db: sqlite3.Connection, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    """The rows of a query up to the damage."""
    try:
        yield from db.execute(query, values)
    except FAULTS:
        return


def _one(db: sqlite3.Connection, query: str, *values: object) -> tuple[Any, ...] | None:
    return next(_rows(db, query, *values), None)


def _contents(old: sqlite3.Connection) -> dict[str, str]:
    """The whole content files by digest, from the table and from the index that repeats it."""
    found: dict[str, str] = {}
    for source in database.CONTENTS:
        for digest, text in _rows(old, f"SELECT digest, text FROM {source}"):
            if isinstance(text, bytes) and digest_of(text).encode() == digest:
                found[digest.decode()] = text.decode()
    return found


def _games(old: sqlite3.Connection, contents: Container[str]) -> dict[int, tuple[object, ...]]:
    """The games with header and content; the index does not know their label."""
    games: dict[int, tuple[object, ...]] = {}
    table, index = database.GAMES
    for source, more in ((index, "'', 0"), (table, "label, finished")):
        query = f"SELECT id, started, header, sum, {more} FROM {source}"
        for number, started, text, total, label, finished in _rows(old, query):
            header = _decoded(text, total, Header)
            if header and all(digest in contents for digest in header.content.values()):
                row = (_text(started), text.decode(), total, _text(label), int(bool(finished)))
                games[number] = (number, *row)
    return games


def _lines(old: sqlite3.Connection, game: int) -> Iterator[tuple[object, ...]]:
    """The lines of a game before the first that is damaged or missing."""
    query = "SELECT written, line, sum FROM lines WHERE game = ? AND n = ?"
    for n in count(1):
        written, text, total = _one(old, query, game, n) or (b"", None, 0)
        line = _decoded(text, total, Line)
        if line is None or line.n != n:
            return
        yield game, n, _text(written), text.decode(), total


def _last_line(old: sqlite3.Connection, game: int) -> int:
    """The number of a game's last line, 0 if it has none; -1 if that cannot be read."""
    row = _one(old, "SELECT max(n), line, sum FROM lines WHERE game = ?", game)
    if row is None or (row[0] is not None and not _whole(row[1], row[2])):
        return -1
    return row[0] or 0


def _lost_games(old: sqlite3.Connection, games: Container[int]) -> Iterator[int]:
    """The numbers of lines of the games that are known only by their states."""
    last: dict[int, int] = {}
    for game, n, state, total in _rows(old, "SELECT game, n, state, sum FROM snapshots"):
        if game not in games and _whole(state, total) and isinstance(n, int):
            last[game] = max(last.get(game, 0), n)
    yield from last.values()


def _snapshots(old: sqlite3.Connection, game: int) -> list[tuple[int, int, int, bytes, int]]:
    """A game's whole snapshots, read from both ends: the newest matter most.

    They may be of later than the last line that was saved; then the game can go on from there.
    """
    found = {}
    for turn in (0, 1):
        for order, start in (("n > ? ORDER BY n", -1), ("n < ? ORDER BY n DESC", 2**62)):
            for n, state, total in _steps(old, order, game, turn, start):
                if (turn, n) in found:
                    break
                if _whole(state, total):
                    found[turn, n] = (game, turn, n, state, total)
    return list(found.values())


def _steps(
    old: sqlite3.Connection, order: str, game: int, turn: int, start: int
) -> Iterator[tuple[int, bytes, int]]:
    """Snapshots one by one: reading on, sqlite3 would drop the last row before a damaged one."""
    query = f"SELECT n, state, sum FROM snapshots WHERE game = ? AND turn = ? AND {order} LIMIT 1"
    seen = {start}
    at = start
    while row := _one(old, query, game, turn, at):
        at, state, total = row
        if at in seen or not isinstance(at, int):
            return
        seen.add(at)
        yield at, state, total


def _whole(content: object, total: object) -> bool:
    return isinstance(content, bytes) and crc32(content) == total


def _decoded(text: object, total: object, kind: type[T]) -> T | None:
    """What a text that equals its sum says; None if it is damaged."""
    if not isinstance(text, bytes) or not _whole(text, total):
        return None
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else ""
