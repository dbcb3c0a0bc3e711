"""The journal on disk: games, what people answered, snapshots and tags, in one SQLite file.

`Journal` is what the host writes to, `Reader` looks on beside it, `backup` copies it while a game
is played. Nothing here knows a game.
"""

from companion.journal.backup import backup
from companion.journal.errors import (
    CannotOpen,
    InUse,
    JournalError,
    NewerJournal,
    NoSuchGame,
    NotAJournal,
    NotBackedUp,
    NotWritten,
    OutOfOrder,
    TagTaken,
    Unreadable,
)
from companion.journal.recovery import Recovery
from companion.journal.store import Journal, Reader, Recording, StoredGame

__all__ = [
    "CannotOpen",
    "InUse",
    "Journal",
    "JournalError",
    "NewerJournal",
    "NoSuchGame",
    "NotAJournal",
    "NotBackedUp",
    "NotWritten",
    "OutOfOrder",
    "Reader",
    "Recording",
    "Recovery",
    "StoredGame",
    "TagTaken",
    "Unreadable",
    "backup",
]
