"""Bringing a journal's file into a state in which it can be written: new, whole or recovered."""

from __future__ import annotations

import os
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

from companion.journal import database, recovery
from companion.journal.database import PAGE, beside
from companion.journal.errors import CannotOpen, NewerJournal, NotAJournal, primary_name
from companion.journal.recovery import Recovery

_NOT_DAMAGE = frozenset(
    {
        "SQLITE_AUTH",
        "SQLITE_BUSY",
        "SQLITE_CANTOPEN",
        "SQLITE_FULL",
        "SQLITE_IOERR",
        "SQLITE_LOCKED",
        "SQLITE_NOMEM",
        "SQLITE_PERM",
        "SQLITE_PROTOCOL",
        "SQLITE_READONLY",
    }
)
"""Errors that tell of the disk, not of what is on it."""

_UNREADABLE = frozenset({"SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS"})
"""The exceptions: the disk no longer gives what is on it."""


def prepare(path: Path, stamp: str) -> Recovery | None:
    """Leave a whole journal at `path`; says what was recovered, None if nothing had to be.

    Raises NewerJournal or NotAJournal, the file untouched, and CannotOpen.
    """
    try:
        return _prepare(path, stamp)
    except (OSError, sqlite3.Error) as error:
        raise CannotOpen(path, str(error)) from error


def _prepare(path: Path, stamp: str) -> Recovery | None:
    if recovery.finish(path):
        recovery.tidy(path)
        return recovery.finished_late(path)
    recovery.tidy(path)
    if not path.exists() and not _size(beside(path, "-wal")):
        new = beside(path, ".new")
        database.create(new)
        recovery.install(path, new)
        return None
    detail, lost = _damage(path)
    return recovery.recover(path, detail, stamp, lost) if detail else None


def _damage(path: Path) -> tuple[str, int]:
    """What is wrong, "" if nothing, and how many lines are missing whatever the rest says."""
    if not _size(path):
        return "the file is empty", 0
    _set_stray_log_aside(path)
    _roll_back(path)
    try:
        with closing(database.reading(path)) as db:
            check_identity(db, path)
            detail = database.fault(db)
            lost = _lost_commits(path)
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        return str(error), 0
    if not detail and lost:
        detail = "the write-ahead log is damaged"
    return detail, lost


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error tells that the file's content is damaged."""
    name = getattr(error, "sqlite_errorname", "")
    return name in _UNREADABLE or primary_name(error) not in _NOT_DAMAGE


def check_identity(db: sqlite3.Connection, path: Path) -> None:
    """Refuse what is somebody else's, or of a later format.

    Raises NotAJournal, NewerJournal; sqlite3.DatabaseError where our own mark is damaged.
    """
    application, version, tables = database.identity(db)
    if application != database.APPLICATION and tables and not database.TABLES <= tables:
        raise NotAJournal(path)
    if application != database.APPLICATION or version < 1:
        raise sqlite3.DatabaseError("the file's header is damaged")
    if version > database.VERSION:
        raise NewerJournal(path, version, database.VERSION)


def _roll_back(path: Path) -> None:
    """Take back a change of the file's mode that was cut short, as on a restored backup.

    Only a connection that may write can do that. Other changes go through the -wal.
    """
    if beside(path, "-journal").exists():
        try:
            with closing(database.writing(path)) as db:
                db.execute("SELECT count(*) FROM sqlite_schema")
        except sqlite3.Error:
            pass  # what is wrong is found and said by the check


def _set_stray_log_aside(path: Path) -> None:
    """Keep SQLite from applying another file's log to a backup that was copied over a journal.

    A journal of ours has byte 18 set to 2 for as long as it has a log, a backup has 1.
    """
    log = beside(path, "-wal")
    if not _size(log):
        return
    with path.open("rb") as file:
        header = file.read(20)
    if header.startswith(b"SQLite format 3\0") and header[18:20] == b"\x01\x01":
        beside(path, "-shm").unlink(missing_ok=True)
        log.replace(_free(beside(path, ".stray-wal")))
        database.sync_file(path.parent)


def _free(path: Path) -> Path:
    number = 1
    found = path
    while found.exists():
        number += 1
        found = beside(path, f"-{number}")
    return found


def _lost_commits(path: Path) -> int:
    """How many commits stand in the log after a damaged place, and so are not read by SQLite.

    A power cut may tear the last one, which nobody was shown, so one does not count. Call while a
    connection has the log open. Layout: sqlite.org/walformat.html (log, and index in -shm).
    """
    log, index = beside(path, "-wal"), beside(path, "-shm")
    if _size(log) <= 32 or not _size(index):
        return 0
    with index.open("rb") as file:
        (read,) = struct.unpack("=I", file.read(20)[16:])
    commits = 0
    with log.open("rb") as file:
        salt = file.read(32)[16:24]
        for frame in range(read, (_size(log) - 32) // (24 + PAGE)):
            file.seek(32 + frame * (24 + PAGE))
            head = file.read(24)
            commits += head[8:16] == salt and head[4:8] != bytes(4)
    return commits if commits > 1 else 0


def _size(path: Path) -> int:
    """A file's bytes; 0 where there is none."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
