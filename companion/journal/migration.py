"""A whole journal of an older format is brought into today's, by a new file in its place.

The tables are copied rather than added to: a file of one format has its tables at the same pages,
which is what lets a new first page stand in for a damaged one (see salvage). Whenever this is cut
short there is the old file or the new one, complete.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.journal import database, recovery
from companion.journal.database import beside

ENDING = ".migrated"
"""The new file, complete, until it has taken the old one's place."""


def bring_up_to_date(path: Path) -> None:
    """Bring a journal, found whole, into today's format; does nothing if it is.

    Raises OSError or sqlite3.Error if the disk takes no second file; then all is as it was.
    """
    with closing(database.reading(path)) as db:
        _, version, _ = database.identity(db)
    if version == database.VERSION:
        return
    new = beside(path, ".new")
    try:
        _copy(path, new)
    except BaseException:
        recovery.tidy(path)
        raise
    new.replace(beside(path, ENDING))
    database.sync_file(path.parent)
    recovery.finish(path, ENDING)
    recovery.tidy(path)


def _copy(path: Path, new: Path) -> None:
    database.create(new)
    with closing(database.writing(new)) as db:
        db.execute("ATTACH ? AS old", (f"{path.as_uri()}?mode=ro",))
        db.execute("BEGIN")
        for table in database.TABLES:
            db.execute(f"INSERT INTO main.{table} SELECT * FROM old.{table}")
        db.execute("COMMIT")
        db.execute("DETACH old")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # says so if the disk does not take it
    with closing(database.reading(new)) as db:
        wrong = database.fault(db)
    if wrong:
        raise sqlite3.DatabaseError(wrong)
    database.sync_file(new)
