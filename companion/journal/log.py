"""What SQLite passes over in silence in the write-ahead log beside the journal.

Layout: sqlite.org/walformat.html.
"""

from __future__ import annotations

import struct
from pathlib import Path

from companion.journal import database
from companion.journal.database import PAGE, beside, size

_HEADER = 32
_FRAME = 24 + PAGE
"""Bytes of the log's header, and of each page in it with a header of its own."""
_FIRST = (1).to_bytes(4, "big")
"""The number of a database's first page, as the page's header in the log has it."""


def set_stray_aside(path: Path) -> None:
    """Keep SQLite from applying another file's log, as to a backup copied over a journal.

    As long as a journal of ours has a log, its file says so; a backup says that it is alone.
    """
    stray = beside(path, "-wal")
    if size(stray) and (database.mode(path) == database.ALONE or _is_anothers(stray)):
        beside(path, "-shm").unlink(missing_ok=True)
        stray.replace(database.unused(beside(path, ".stray-wal")))
        database.sync_file(path.parent)


def _is_anothers(frames: Path) -> bool:
    """Whether a log has a database's first page, and that one has not our mark."""
    with frames.open("rb") as file:
        for at in range(_HEADER, size(frames), _FRAME):
            file.seek(at)
            number, page = file.read(24)[:4], file.read(72)
            if number == _FIRST and page.startswith(database.MAGIC):
                return not page.endswith(database.MARK)
    return False


def lost_commits(path: Path) -> int:
    """How many commits stand in the log after a damaged place, and so are not read by SQLite.

    A power cut may tear the last one, which nobody was shown, so one does not count. Call after
    a connection has read the log, which leaves how far it came in the index.
    """
    frames, index = beside(path, "-wal"), beside(path, "-shm")
    if size(frames) <= _HEADER + _FRAME or not size(index):
        return 0
    with index.open("rb") as file:
        (read,) = struct.unpack("=I", file.read(20)[16:])
    with frames.open("rb") as file:
        salt = _salt(file.read(_HEADER + _FRAME))
        commits = 0
        for at in range(_HEADER + read * _FRAME, size(frames), _FRAME):
            file.seek(at)
            head = file.read(16)
            commits += head[8:] == salt and head[4:8] != bytes(4)
    return commits if commits > 1 else 0


def _salt(start: bytes) -> bytes:
    """The salt of the log's present frames: the header's, or the first frame's if that is damaged.

    Frames of before the log was last begun anew have another.
    """
    words = struct.unpack("<8I" if start[3] % 2 == 0 else ">8I", start[:_HEADER])
    one = two = 0
    for even, odd in zip(words[0:6:2], words[1:6:2], strict=True):
        one = (one + even + two) % 2**32
        two = (two + odd + one) % 2**32
    sums = struct.unpack(">2I", start[24:_HEADER])
    return start[16:24] if (one, two) == sums else start[40:48]
