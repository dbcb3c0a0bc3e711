"""A damaged journal: keep it aside untouched, save what can be read, go on with a new file.

The new file takes the old one's place by renaming, and every step before and after can be
interrupted: the old files stay until the new one is complete, as `<name>.ready`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Container, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import msgspec

from companion.journal import database
from companion.journal.database import PAGE, beside, digest_of
from companion.journal.errors import FAULTS
from companion.journal.lock import MODE
from companion.rules.lines import Header, Line
from companion.rules.phrases import N_, Phrase

T = TypeVar("T")

PARTS = ("", "-wal", "-shm", "-journal")
"""The files that may belong to one SQLite database."""


class Recovery(msgspec.Struct, frozen=True):
    """What happened to a damaged journal."""

    kept_as: str
    """The path of the damaged file, as it was found (its -wal, if any, is beside it)."""
    games: int
    """Games saved."""
    lines: int
    """Lines saved, in each game those before the first that cannot be read."""
    lost: int | None
    """Lines known to be lost; None where nothing tells how many there were."""
    detail: str
    """What was found wrong, in SQLite's words, for the log."""

    @property
    def phrase(self) -> Phrase:
        """What to tell the table."""
        args = {"file": Path(self.kept_as).name, "games": self.games, "lines": self.lines}
        if self.lost is None:
            text = N_(
                "The journal was damaged and is kept as {file}."
                " Games saved: {games}. Lines saved: {lines}; others may be lost."
            )
        else:
            args["lost"] = self.lost
            text = N_(
                "The journal was damaged and is kept as {file}."
                " Games saved: {games}. Lines saved: {lines}, lost: {lost}."
            )
        return Phrase(text, args)


def recover(path: Path, detail: str, stamp: str, lost: int = 0) -> Recovery:
    """Put a whole journal in a damaged one's place.

    `stamp` goes into the kept file's name; `lost` is how many lines are known to be missing
    whatever the rest says. Raises OSError or sqlite3.Error only if the disk takes no new file;
    then the damaged one is where it was.
    """
    tidy(path)
    kept = _unused(beside(path, f".corrupt-{stamp}"))
    try:
        _keep_aside(path, kept)
        saved = _rebuild(path, beside(path, ".new"))
    except BaseException:
        tidy(path)
        _remove(kept)  # the damaged file is still in its place
        raise
    beside(path, ".new").replace(beside(path, ".ready"))
    database.sync_file(path.parent)
    finish(path)
    tidy(path)
    known = saved.lost if saved.lost is None else saved.lost + lost
    return Recovery(str(kept), saved.games, saved.lines, known, detail)


def finish(path: Path) -> bool:
    """Put `<name>.ready` in its place, also after that was cut short; False if there is none.

    The old -wal has to go first: SQLite would apply it to the new file.
    """
    ready = beside(path, ".ready")
    if not ready.exists():
        return False
    for part in PARTS[1:]:
        beside(path, part).unlink(missing_ok=True)
    database.sync_file(path.parent)
    ready.replace(path)
    database.sync_file(path.parent)
    return True


def finished_late(path: Path) -> Recovery:
    """What to tell about a recovery whose last part was done only now."""
    kept = sorted(path.parent.glob(f"{path.name}.corrupt-*"), key=lambda file: file.name)
    with closing(database.reading(path)) as db:
        games = db.execute("SELECT count(*) FROM games").fetchone()[0]
        lines = db.execute("SELECT count(*) FROM lines").fetchone()[0]
    name = next((str(file) for file in reversed(kept) if not file.name.endswith(PARTS[1:])), "")
    return Recovery(name, games, lines, None, "recovery interrupted")


def tidy(path: Path) -> None:
    """Remove what an interrupted creation or recovery left."""
    _remove(beside(path, ".new"))
    _remove(beside(path, ".salvage"))


def _remove(database_path: Path) -> None:
    for part in PARTS:
        beside(database_path, part).unlink(missing_ok=True)


def _unused(wanted: Path) -> Path:
    """A name under which no database is, the wanted one or with a number."""
    found, number = wanted, 1
    while any(beside(found, part).exists() for part in PARTS):
        number += 1
        found = beside(wanted, f"-{number}")
    return found


def _keep_aside(path: Path, kept: Path) -> None:
    """Give the database's files second names."""
    for part in PARTS:
        _link_or_copy(beside(path, part), beside(kept, part))
    database.sync_file(path.parent)


def _rebuild(path: Path, new: Path) -> _Saved:
    """Make a journal, wholly on the disk, of what can be read; the old files are not opened."""
    scratch = beside(path, ".salvage")
    for part in PARTS:
        _copy_readable(beside(path, part), beside(scratch, part))
    database.create(new)
    first_page = new.read_bytes()[:PAGE]
    with closing(database.writing(new)) as fresh:
        saved = _salvage(scratch, fresh, first_page)
    database.sync_file(new)
    return saved


def _link_or_copy(source: Path, target: Path) -> None:
    if not source.exists():
        return
    try:
        target.hardlink_to(source)
    except OSError:  # FAT on a memory stick has no links
        _copy_readable(source, target)
        database.sync_file(target)


def _copy_readable(source: Path, target: Path) -> None:
    """Copy a file, with zeros for what the disk no longer gives."""
    if not source.exists():
        return
    with source.open("rb") as old, target.open("xb") as new:
        target.chmod(MODE)
        size = os.fstat(old.fileno()).st_size
        new.truncate(size)
        for at in range(0, size, PAGE):
            new.seek(at)
            new.write(_page(old.fileno(), at))


def _page(file: int, at: int) -> bytes:
    try:
        return os.pread(file, PAGE, at)
    except OSError:
        return b""


# -- reading what is left ------------------------------------------------------------------------


class _Saved(msgspec.Struct):
    """What has been brought over so far."""

    games: int = 0
    lines: int = 0
    lost: int | None = None


def _salvage(scratch: Path, fresh: sqlite3.Connection, first_page: bytes) -> _Saved:
    """Bring over what can be read; if nothing can, again with a sound first page."""
    _pad(scratch)
    saved = _bring_over(scratch, fresh)
    if not saved.lines and scratch.exists():
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


def _bring_over(scratch: Path, fresh: sqlite3.Connection) -> _Saved:
    with closing(sqlite3.connect(scratch, isolation_level=None)) as old:
        old.text_factory = bytes  # damaged text need not be text
        fresh.execute("BEGIN")
        try:
            saved = _copy_games(old, fresh)
        except BaseException:
            fresh.rollback()
            raise
        fresh.commit()
        return saved


def _copy_games(old: sqlite3.Connection, fresh: sqlite3.Connection) -> _Saved:
    saved = _Saved()
    contents = _contents(old)
    games = _games(old, contents.keys())
    highest = _highest(old, games)
    add = "INSERT OR IGNORE INTO contents VALUES (?, ?)"
    fresh.executemany(add, contents.items())
    lost = sum(n for game, n in highest.items() if game not in games)
    for game, row in sorted(games.items()):
        fresh.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?)", row)
        lines = list(_lines(old, game))
        fresh.executemany("INSERT OR IGNORE INTO lines VALUES (?, ?, ?, ?, ?)", lines)
        snapshots = list(_snapshots(old, game))
        fresh.executemany("INSERT OR IGNORE INTO snapshots VALUES (?, ?, ?, ?, ?)", snapshots)
        saved.lines += len(lines)
        lost += max(0, highest.get(game, 0) - len(lines))
    saved.games = len(games)
    saved.lost = lost if games and games.keys() <= highest.keys() else None
    return saved


def _rows(db: sqlite3.Connection, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    """The rows of a query up to the damage."""
    try:
        yield from db.execute(query, values)
    except FAULTS:
        return


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


def _highest(old: sqlite3.Connection, games: dict[int, tuple[object, ...]]) -> dict[int, int]:
    """The highest line number that anything whole tells of, by game; none where nothing does."""
    found: dict[int, int] = {}
    for game, n, state, total in _rows(old, "SELECT game, n, state, sum FROM snapshots"):
        if _whole(state, total) and isinstance(n, int):
            found[game] = max(found.get(game, 0), n)
    last = "SELECT max(n), line, sum FROM lines WHERE game = ?"
    for game in games:
        for n, line, total in _rows(old, last, game):
            if n is None or _whole(line, total):
                found[game] = max(found.get(game, 0), n or 0)
    return found


def _lines(old: sqlite3.Connection, game: int) -> Iterator[tuple[object, ...]]:
    """The lines of a game before the first that is damaged or missing."""
    query = "SELECT n, written, line, sum FROM lines WHERE game = ? ORDER BY n"
    for expected, (n, written, line, total) in enumerate(_rows(old, query, game), start=1):
        if n != expected or _decoded(line, total, Line) is None:
            return
        yield game, n, _text(written), line.decode(), total


def _snapshots(old: sqlite3.Connection, game: int) -> Iterator[tuple[object, ...]]:
    """A game's whole snapshots, read from both ends: the newest matter most.

    They may be of later than the last line that was saved; then the game can go on from there.
    """
    for order in ("", "DESC"):
        query = (
            "SELECT turn, n, state, sum FROM snapshots WHERE game = ?"
            f" ORDER BY turn {order}, n {order}"
        )
        for turn, n, state, total in _rows(old, query, game):
            if _whole(state, total) and turn in (0, 1) and isinstance(n, int):
                yield game, turn, n, state, total


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
