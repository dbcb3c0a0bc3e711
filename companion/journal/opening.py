"""Bringing a journal's file into a state in which it can be written: new, whole or recovered."""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

from companion.journal import database, recovery
from companion.journal.database import PAGE, beside
from companion.journal.errors import FAULTS, CannotOpen, NewerJournal, NotAJournal, primary_name
from companion.journal.recovery import Recovery

_ALONE, _WITH_LOG = b"\1\1", b"\2\2"
"""Bytes 18 and 19 of the file, its modes: rollback journal and write-ahead log."""

_LOG_HEADER = 32
_FRAME = 24 + PAGE
"""Bytes of the write-ahead log's header and of each page in it with its own."""

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
    except (OSError, *FAULTS) as error:
        raise CannotOpen(path, str(error)) from error


def _prepare(path: Path, stamp: str) -> Recovery | None:
    if recovery.finish(path):
        recovery.tidy(path)
        return recovery.finished_late(path)
    recovery.tidy(path)
    if not path.exists() and not _size(beside(path, "-wal")):
        _create(path)
        return None
    detail, lost = _damage(path)
    return recovery.recover(path, detail, stamp, lost) if detail else None


def _create(path: Path) -> None:
    """Make a new journal under another name first: at `path` is a whole one or none."""
    new = beside(path, ".new")
    database.create(new)
    new.replace(path)
    database.sync_file(path.parent)


def _damage(path: Path) -> tuple[str, int]:
    """What is wrong, "" if nothing, and how many lines are missing whatever the rest says."""
    if not _size(path):
        return "the file is empty", 0
    _set_stray_log_aside(path)
    database.roll_back(path)
    try:
        with closing(database.reading(path)) as db:
            check_identity(db, path)
            detail = database.fault(db)
            lost = _lost_commits(path)
    except FAULTS as error:
        if not is_damage(error):
            raise
        return str(error), 0
    if not detail and lost:
        detail = "the write-ahead log is damaged"
    if not detail and _mode(path) not in (_ALONE, _WITH_LOG):
        detail = "the file's header is damaged"  # SQLite would take it as write-protected
    return detail, lost


def is_damage(error: Exception) -> bool:
    """Whether an error tells that the file's content is damaged."""
    name = getattr(error, "sqlite_errorname", "")
    return name in _UNREADABLE or primary_name(error) not in _NOT_DAMAGE


def check_identity(db: sqlite3.Connection, path: Path) -> None:
    """Refuse what is somebody else's, or of a later format.

    Raises NotAJournal, NewerJournal; sqlite3.DatabaseError where our own mark is damaged.
    """
    application, version, tables = database.identity(db)
    if application != database.APPLICATION and tables and not database.TABLES.issubset(tables):
        raise NotAJournal(path)
    if application != database.APPLICATION or version < 1:
        raise sqlite3.DatabaseError("the file's header is damaged")
    if version > database.VERSION:
        raise NewerJournal(path, version, database.VERSION)


def _set_stray_log_aside(path: Path) -> None:
    """Keep SQLite from applying another file's log to a backup that was copied over a journal.

    As long as a journal of ours has a log, its file says so; a backup says that it is alone.
    """
    log = beside(path, "-wal")
    if _size(log) and _mode(path) == _ALONE:
        beside(path, "-shm").unlink(missing_ok=True)
        log.replace(_free(beside(path, ".stray-wal")))
        database.sync_file(path.parent)


def _mode(path: Path) -> bytes:
    """How the file wants to be written and read; empty where it is no database."""
    with path.open("rb") as file:
        header = file.read(20)
    return header[18:] if header.startswith(b"SQLite format 3\0") else b""


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
    connection has the log open. Layout: sqlite.org/walformat.html (the log, and its index).
    """
    log, index = beside(path, "-wal"), beside(path, "-shm")
    if _size(log) <= _LOG_HEADER + _FRAME or not _size(index):
        return 0
    with index.open("rb") as file:
        (read,) = struct.unpack("=I", file.read(20)[16:])
    with log.open("rb") as file:
        salt = _salt(file.read(_LOG_HEADER + _FRAME))
        commits = 0
        for at in range(_LOG_HEADER + read * _FRAME, _size(log), _FRAME):
            file.seek(at)
            head = file.read(16)
            commits += head[8:] == salt and head[4:8] != bytes(4)
    return commits if commits > 1 else 0


def _salt(start: bytes) -> bytes:
    """The salt of the log's present frames: the header's, or the first frame's if that is damaged.

    Frames of before the log was last begun anew have another.
    """
    words = struct.unpack("<8I" if start[3] % 2 == 0 else ">8I", start[:_LOG_HEADER])
    one = two = 0
    for even, odd in zip(words[0:6:2], words[1:6:2], strict=True):
        one = (one + even + two) % 2**32
        two = (two + odd + one) % 2**32
    sums = struct.unpack(">2I", start[24:_LOG_HEADER])
    return start[16:24] if (one, two) == sums else start[40:48]


def _size(path: Path) -> int:
    """A file's bytes; 0 where there is none."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
