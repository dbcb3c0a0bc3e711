"""One writer at a time, across processes."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.journal.errors import InUse, cannot_open

MODE = 0o600
"""The journal's files are their owner's only: they know every hidden card that was scanned."""


class WriterLock:
    """Held from the opening of a journal to its closing, on a file of its own.

    A lock of SQLite's would keep readers and backups out. The kernel gives this one back when the
    process ends in whatever way. The file stays: removing it would let two in.
    """

    def __init__(self, journal: Path) -> None:
        path = journal.with_name(journal.name + ".lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE)
        except OSError as error:
            raise cannot_open(journal, error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(self._file)
            os.close(self._file)
            if isinstance(error, BlockingIOError):
                raise InUse(journal, holder) from None
            raise cannot_open(journal, error) from error
        self._sign()

    def _sign(self) -> None:
        """Say who holds it; only people read this, so a full disk does not matter."""
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, str(os.getpid()).encode(), 0)
        except OSError:
            pass

    def release(self) -> None:
        """Let the next one in. Only once: the number may be another file's afterwards."""
        os.close(self._file)


def _holder(file: int) -> int:
    try:
        return int(os.pread(file, 20, 0))
    except (OSError, ValueError):
        return 0
