"""What can go wrong with the journal, each with the way out."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from contextlib import suppress
from pathlib import Path

from companion.rules.errors import CompanionError
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import Tag, short


class JournalError(CompanionError):
    """Base of the journal's errors."""


class CannotOpen(JournalError):
    """The file cannot be opened here: no such folder, no permission, no room, a lock."""

    def __init__(self, path: Path, reason: str | Phrase) -> None:
        super().__init__(
            N_("The journal {file} cannot be opened: {reason}."), file=str(path), reason=reason
        )


class InUse(JournalError):
    """Another companion writes this journal. `process` is its number, 0 if not known."""

    def __init__(self, path: Path, process: int) -> None:
        self.process = process
        super().__init__(
            N_(
                "The journal {file} is in use by another companion (process {process})."
                " Stop that one, or start this one with another journal."
            ),
            file=str(path),
            process=process or "?",
        )


class NewerJournal(JournalError):
    """The file was written by a newer companion; it was not touched."""

    def __init__(self, path: Path, version: int, known: int) -> None:
        self.version = version
        super().__init__(
            N_(
                "The journal {file} was written by a newer companion (format {version}, this one"
                " knows {known}). Update this companion, or start it with another journal."
            ),
            file=str(path),
            version=version,
            known=known,
        )


class NotAJournal(JournalError):
    """The file is a database of another program; it was not touched."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            N_(
                "{file} is a database of another program. It was left alone:"
                " start the companion with another journal."
            ),
            file=str(path),
        )


class NotWritten(JournalError, OSError):
    """What was to be written is not in the journal. An OSError, as the session expects.

    Nothing of it was kept: the same can be written again once the disk takes it.
    """


class OutOfOrder(JournalError):
    """A line whose number is not the next one of its game: two tables write the same game."""

    def __init__(self, game: int, n: int, expected: int) -> None:
        super().__init__(
            N_("Line {n} of game {game} cannot be written: line {expected} comes next."),
            game=game,
            n=n,
            expected=expected,
        )


class NoSuchGame(JournalError):
    """The journal has no game with that number."""

    def __init__(self, game: int) -> None:
        super().__init__(N_("There is no game {game} in the journal."), game=game)


class TagTaken(JournalError):
    """A UID means something else already; it moves only when that is asked for. `was`: what."""

    def __init__(self, was: Tag) -> None:
        self.was = was
        super().__init__(
            N_("The tag {uid} is taken: {thing}, copy {copy}."),
            uid=short(was.uid),
            thing=was.thing,
            copy=was.copy,
        )


class Unreadable(JournalError):
    """Stored data turned out damaged while the journal was open."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            N_(
                "The journal {file} cannot be read: {reason}. Start the companion again: it keeps"
                " the file aside and saves what can be read."
            ),
            file=str(path),
            reason=reason,
        )


class NotBackedUp(JournalError):
    """The backup was not made; a file of that name is as it was."""

    def __init__(self, target: Path, reason: str | Phrase) -> None:
        super().__init__(
            N_("The backup {file} was not made: {reason}."), file=str(target), reason=reason
        )


_WHY_NOT = {
    "SQLITE_FULL": N_("Not written: the disk is full. Make room, then do it again."),
    "SQLITE_READONLY": N_("Not written: the disk is write-protected."),
    "SQLITE_IOERR": N_("Not written: the disk failed ({reason}). Try again, or change the disk."),
    "SQLITE_BUSY": N_("Not written: another program holds the journal. Try again."),
    "SQLITE_CORRUPT": N_(
        "Not written: the journal is damaged. Start the companion again: it keeps the file aside"
        " and saves what can be read."
    ),
}
_WHY_NOT["SQLITE_NOTADB"] = _WHY_NOT["SQLITE_CORRUPT"]
_OTHERWISE = N_("Not written: {reason}.")


_NO_ROOM = 256 * 1024
"""Free bytes below which a journal cannot be opened: SQLite needs room beside it too."""
_FULL = N_("the disk is full. Make room")
_NO_RIGHT = N_("no right to write there. Give this user the folder, or name another file")
_NO_FOLDER = N_("a part of its path is a file, not a folder. Name another file")
_WHY_NOT_OPEN = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: N_("it is write-protected. Look at the disk's switch and the file's rights"),
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.EEXIST: _NO_FOLDER,
    errno.ENOTDIR: _NO_FOLDER,
    errno.EIO: N_("the disk failed. Try again, or change the disk"),
}
_AS_ERRNO = {
    "SQLITE_FULL": errno.ENOSPC,
    "SQLITE_READONLY": errno.EROFS,
    "SQLITE_PERM": errno.EACCES,
    "SQLITE_IOERR": errno.EIO,
}


FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What sqlite3 raises: also an error about a damaged name, which it fails to decode."""


def primary_name(error: Exception) -> str:
    """SQLite's own name of an error without its details; "" where the error is Python's."""
    name: str = getattr(error, "sqlite_errorname", "")
    return "_".join(name.split("_")[:2])


def not_written(error: Exception) -> NotWritten:
    """What to tell the table when SQLite could not write."""
    return NotWritten(_WHY_NOT.get(primary_name(error), _OTHERWISE), reason=str(error))


def cannot_open(path: Path, error: Exception) -> CannotOpen:
    """Why a journal cannot be opened, and what to do about it."""
    number = getattr(error, "errno", None) or _AS_ERRNO.get(primary_name(error), 0)
    if number == errno.EIO and _is_full(path.parent):
        number = errno.ENOSPC  # SQLite says only that it failed
    text = _WHY_NOT_OPEN.get(number)
    return CannotOpen(path, _in_plain_words(error, path) if text is None else Phrase(text))


def _in_plain_words(error: Exception, path: Path) -> str:
    """The kernel's or SQLite's words, and the file if it is another one, such as the lock."""
    reason = getattr(error, "strerror", None) or str(error)
    file = getattr(error, "filename", None)
    return f"{file}: {reason}" if file and Path(file) != path else reason


def _is_full(folder: Path) -> bool:
    with suppress(OSError):
        return shutil.disk_usage(folder).free < _NO_ROOM
    return False
