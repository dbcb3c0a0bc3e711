"""A copy of a journal in one file, made while a game is written."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from companion.journal import database
from companion.journal.database import beside
from companion.journal.errors import FAULTS, NotBackedUp
from companion.rules.phrases import N_, Phrase


def backup(journal: Path | str, target: Path | str) -> Path:
    """Copy a journal, also one that another process is writing; returns the copy's path.

    The copy has every line that was confirmed before the call, is checked, and needs no other
    file. It replaces an older file of that name only when complete. Raises NotBackedUp.
    """
    source, final = Path(journal).resolve(), Path(target).resolve()
    try:
        _check_target(source, final)
        part = _new_file(final)
        try:
            _copy(source, part)
            _make_single(part, final)
            database.sync_file(part)
            part.replace(final)
        finally:
            for ending in database.PARTS:
                beside(part, ending).unlink(missing_ok=True)
        database.sync_file(final.parent)
    except (OSError, *FAULTS) as error:
        raise NotBackedUp(final, str(error)) from error
    return final


def _check_target(source: Path, final: Path) -> None:
    if not source.exists():
        raise NotBackedUp(final, Phrase(N_("there is no journal")))
    if final.exists() and not final.is_file():
        raise NotBackedUp(final, Phrase(N_("it is not a file. Name another one")))
    if final.exists() and final.samefile(source):
        raise NotBackedUp(final, Phrase(N_("it is the journal itself")))
    if beside(final, "-wal").exists():
        raise NotBackedUp(final, Phrase(N_("there is a journal of that name in use")))


def _new_file(final: Path) -> Path:
    """A file of its own in the same folder, so that the last step is a renaming."""
    number, name = tempfile.mkstemp(prefix=f"{final.name}.", suffix=".part", dir=final.parent)
    os.close(number)
    return Path(name)


def _copy(source: Path, part: Path) -> None:
    """Copy by SQLite's own means, in one step: what was committed at its start."""
    with closing(database.reading(source)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)


def _make_single(part: Path, final: Path) -> None:
    """Take the copy out of WAL mode, so that nothing beside it matters, and check it."""
    with closing(sqlite3.connect(part, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA journal_mode = DELETE")
    with closing(database.reading(part)) as db:
        wrong = database.fault(db)
    if wrong:
        raise NotBackedUp(final, wrong)
