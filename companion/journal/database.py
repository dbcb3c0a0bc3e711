"""The journal's SQLite file: its tables, how it is opened, and what proves it whole."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

from companion.journal.lock import MODE

APPLICATION = 0x54424C43
"""Marks the file as a journal of ours ("TBLC"), at byte 68."""
MARK = APPLICATION.to_bytes(4, "big")
MAGIC = b"SQLite format 3\0"
"""What any database begins with."""

VERSION = 2
"""The format, in `PRAGMA user_version`. 1: games, contents, lines, snapshots. 2: tags as well."""

PAGE = 4096
"""Bytes a page, fixed so that any journal's first page can stand in for a damaged one."""

BUSY = 1.0
"""Seconds to wait for another process's lock: the table waits meanwhile."""

PARTS = ("", "-wal", "-shm", "-journal")
"""The files that may belong to one SQLite database."""

ALONE, WITH_LOG = b"\1\1", b"\2\2"
"""Bytes 18 and 19 of the file: a backup has the one mode, a journal in use the other."""

TABLES = ("contents", "games", "lines", "snapshots")
"""The tables of every format, each after those that it refers to."""

# `sum` is the CRC-32 of the text or state beside it, of a tag that of the whole row: SQLite
# notices damage to its own structure only. Without its header or content a game is lost, and a
# deck takes ten minutes to tap anew, so an index holds these a second time, kept equal by SQLite:
# one bad page must not be enough. The order of the statements, and so the tables' first pages, is
# part of the format (see salvage, migration).
_SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    header TEXT NOT NULL,
    sum INTEGER NOT NULL,
    label TEXT NOT NULL DEFAULT '',
    finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX games_again ON games (id, started, header, sum);

CREATE TABLE contents (
    digest TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX contents_again ON contents (digest, text);

CREATE TABLE lines (
    game INTEGER NOT NULL REFERENCES games,
    n INTEGER NOT NULL CHECK (n > 0),
    written TEXT NOT NULL,
    line TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshots (
    game INTEGER NOT NULL REFERENCES games,
    turn INTEGER NOT NULL,
    n INTEGER NOT NULL CHECK (n >= 0),
    state BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game, turn, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE tags (
    uid TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,
    thing TEXT NOT NULL,
    copy INTEGER NOT NULL CHECK (copy > 0),
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tags_again ON tags (game, kind, thing, copy, uid, sum);
"""

_MARKS = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"

GAMES = ("games NOT INDEXED", "games INDEXED BY games_again")
CONTENTS = ("contents NOT INDEXED", "contents INDEXED BY contents_again")
TAGS = ("tags INDEXED BY sqlite_autoindex_tags_1", "tags INDEXED BY tags_again")
"""The two places where each game, each content file and each tag can be read."""

_HEADER_SUM = "sum IS NOT crc32(CAST(header AS BLOB))"
_TEXT_DIGEST = "digest IS NOT digest_of(CAST(text AS BLOB))"
_CHECKS = (
    *(("a game that differs from its sum", f"{games} WHERE {_HEADER_SUM}") for games in GAMES),
    *(
        ("a content file that differs from its digest", f"{contents} WHERE {_TEXT_DIGEST}")
        for contents in CONTENTS
    ),
    ("a line that differs from its sum", "lines WHERE sum IS NOT crc32(CAST(line AS BLOB))"),
    ("a missing line", "lines GROUP BY game HAVING count(*) <> max(n)"),
    ("a snapshot that differs from its sum", "snapshots WHERE sum IS NOT crc32(state)"),
)
"""What must not be found, and how it is looked for."""
_TAG_TEXT = "printf('%s %s %s %s %d', uid, game, kind, thing, copy)"
_TAG_CHECKS = tuple(
    (
        "a tag that differs from its sum",
        f"{place} WHERE sum IS NOT crc32(CAST({_TAG_TEXT} AS BLOB))",
    )
    for place in TAGS
)
"""The same for what format 2 has more."""


def create(path: Path) -> None:
    """Make an empty journal, wholly on the disk, at a path where nothing is."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, MODE))
    with closing(_connect(path, "rw")) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        db.execute("PRAGMA auto_vacuum = NONE")
        # Nobody knows the file yet, so one sync at the end will do: on an SD card each counts.
        db.execute("PRAGMA synchronous = OFF")
        db.executescript(f"BEGIN; {_MARKS} {_SCHEMA} COMMIT;")
        db.execute("PRAGMA journal_mode = WAL")
    sync_file(path)


def writing(path: Path) -> sqlite3.Connection:
    """A connection whose commits are on the disk when they return, for any thread under a lock."""
    db = _connect(path, "rw")
    try:
        # In WAL mode only FULL syncs at every commit; NORMAL may lose the last ones.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        # Damage to the write-ahead log costs all of it from there on, so keep it short.
        db.execute("PRAGMA wal_autocheckpoint = 200")
    except BaseException:
        db.close()
        raise
    return db


def reading(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing and disturbs no writer, for any thread under a lock."""
    db = _connect(path, "ro")
    db.create_function("crc32", 1, crc32)
    db.create_function("digest_of", 1, digest_of)
    return db


def roll_back(path: Path) -> None:
    """Take back a change that was cut short, as on a restored backup: only a writer can.

    Changes by `writing` go through the -wal instead. What fails is found by the check after.
    """
    if beside(path, "-journal").exists():
        with suppress(sqlite3.Error), closing(_connect(path, "rw")) as db:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect in SQLite's own autocommit mode: every BEGIN is ours."""
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY,
        isolation_level=None,
        check_same_thread=False,
    )


def identity(db: sqlite3.Connection) -> tuple[int, int, set[str]]:
    """The application number, the format's version and the tables of a file."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    names = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    return application, version, {name for (name,) in names}


def fault(db: sqlite3.Connection) -> str:
    """What is wrong with a journal's content; "" when it is whole. Raises sqlite3.Error too."""
    for (message,) in db.execute("PRAGMA quick_check(1)"):
        if message != "ok":
            return str(message)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for name, query in (*_CHECKS, *(_TAG_CHECKS if version > 1 else ())):
        if db.execute(f"SELECT 1 FROM {query} LIMIT 1").fetchone():
            return name
    return ""


def is_ours(path: Path) -> bool:
    """Whether a file has our mark, without SQLite and so without any trace."""
    with path.open("rb") as file:
        return file.read(72)[68:] == MARK


def mode(path: Path) -> bytes:
    """How a file wants to be written and read, ALONE or WITH_LOG; others are damage."""
    with path.open("rb") as file:
        return file.read(20)[18:]


def digest_of(text: bytes) -> str:
    """The name under which a content file is stored, once for all games that use it."""
    return blake2b(text, digest_size=16).hexdigest()


def beside(path: Path, ending: str) -> Path:
    """The file of that ending beside the journal: `-wal`, `.lock`, and so on."""
    return path.with_name(path.name + ending)


def unused(wanted: Path) -> Path:
    """A name under which no database is, the wanted one or with a number."""
    found, number = wanted, 1
    while any(beside(found, part).exists() for part in PARTS):
        number += 1
        found = beside(wanted, f"-{number}")
    return found


def size(path: Path) -> int:
    """A file's bytes; 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def sync_file(path: Path) -> None:
    """Wait until a file's, or a directory's, content is on the disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
