"""Bringing a journal's file into a state in which it can be written: new, whole or recovered."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from stat import S_ISREG

from companion.journal import database, log, migration, recovery
from companion.journal.database import beside, size
from companion.journal.errors import (
    FAULTS,
    CannotOpen,
    NewerJournal,
    NotAJournal,
    cannot_open,
    primary_name,
)
from companion.journal.recovery import Recovery
from companion.rules.phrases import N_, Phrase

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


def found(path: Path) -> Path:
    """Where a journal is, or can be made, behind all links. Raises CannotOpen.

    Anything but a file stays as it is: a recovery would put a journal in the place of a device,
    and reading a pipe would never end.
    """
    try:
        file = path.resolve()
        with suppress(FileNotFoundError):
            if not S_ISREG(file.stat().st_mode):
                raise CannotOpen(path, Phrase(N_("it is not a file. Name another one")))
    except (OSError, RuntimeError, ValueError) as error:
        raise cannot_open(path, error) from error
    return file


def prepare(path: Path, stamp: str) -> Recovery | None:
    """Leave a whole journal at `path`; says what was recovered, None if nothing had to be.

    Raises NewerJournal or NotAJournal, the file untouched, and CannotOpen.
    """
    try:
        return _prepare(path, stamp)
    except (OSError, *FAULTS) as error:
        raise cannot_open(path, error) from error


def _prepare(path: Path, stamp: str) -> Recovery | None:
    if recovery.finish(path):
        recovery.tidy(path)
        return recovery.finished_late(path)
    recovery.tidy(path)
    recovery.finish(path, migration.ENDING)
    if not path.exists() and not size(beside(path, "-wal")):
        _create(path)
        return None
    detail, lost = _damage(path)
    if detail:
        return recovery.recover(path, detail, stamp, lost)
    migration.bring_up_to_date(path)
    return None


def _create(path: Path) -> None:
    """Make a new journal under another name first: at `path` is a whole one or none."""
    new = beside(path, ".new")
    database.create(new)
    new.replace(path)
    database.sync_file(path.parent)


def _damage(path: Path) -> tuple[str, int]:
    """What is wrong, "" if nothing, and how many lines are missing whatever the rest says."""
    if not size(path):
        return "the file is empty", 0
    if database.is_ours(path):
        log.set_stray_aside(path)
        database.roll_back(path)
    try:
        with closing(database.reading(path)) as db:
            check_identity(db, path)
            detail = database.fault(db)
    except FAULTS as error:
        if not is_damage(error):
            raise
        return str(error), 0
    lost = log.lost_commits(path)
    if not detail and lost:
        detail = "the write-ahead log is damaged"
    if not detail and database.mode(path) not in (database.ALONE, database.WITH_LOG):
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
    if application != database.APPLICATION and tables and not tables.issuperset(database.TABLES):
        raise NotAJournal(path)
    if application != database.APPLICATION or version < 1:
        raise sqlite3.DatabaseError("the file's header is damaged")
    if version > database.VERSION:
        raise NewerJournal(path, version, database.VERSION)
    if version == 1 and "tags" in tables:
        raise sqlite3.DatabaseError("the file's header is damaged")
