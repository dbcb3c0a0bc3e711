"""What the exit code of `companion` says. Nothing else decides about it.

The numbers beyond 2 are those of sysexits.h, so that systemd shows them by name. docs/service.md
says after which of them the service starts again.
"""

from __future__ import annotations

from enum import IntEnum

from companion.configuration import BadConfiguration
from companion.journal import CannotOpen, InUse, NewerJournal, NotAJournal, NotWritten
from companion.rules.errors import CompanionError, NotInstalled


class Exit(IntEnum):
    """How it ended."""

    DONE = 0
    """As somebody wanted: the lines are over, or it was stopped."""
    FAILED = 1
    """Something that was to be done could not be done."""
    MISUSED = 2
    """What was asked for cannot be: the command line, or what it names."""
    JOURNAL = 65
    """The journal is a newer companion's, or another program's file."""
    MISSING = 72
    """A file of the companion itself is missing."""
    DISK = 74
    """The journal cannot be opened or written: no room, no right, a fault of the disk."""
    BUSY = 75
    """Another companion has this journal."""
    CONFIGURATION = 78
    """The configuration file cannot be used."""


_OF = {
    NewerJournal: Exit.JOURNAL,
    NotAJournal: Exit.JOURNAL,
    NotInstalled: Exit.MISSING,
    CannotOpen: Exit.DISK,
    NotWritten: Exit.DISK,
    InUse: Exit.BUSY,
    BadConfiguration: Exit.CONFIGURATION,
}


def exit_for(error: CompanionError) -> Exit:
    """The code of an error that ends a command."""
    return next((code for kind, code in _OF.items() if isinstance(error, kind)), Exit.MISUSED)
