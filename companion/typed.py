"""Lines that people type, taken when they come: meanwhile something else may happen."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.rules.errors import CompanionError
from companion.rules.phrases import N_


class TypedLines:
    """Lines of standard input, without waiting for one longer than wanted.

    Past the input's own buffer: what that holds already, `select` would not know of.
    """

    def __init__(self, file: int = 0) -> None:
        self._file = file
        self._read = b""
        self._shown = not os.isatty(file)
        """Whether lines are shown as they are taken, as of a script."""

    def __call__(self, wait: float | None) -> str | None:
        """The next line; None when there is none after so many seconds. Raises EOFError."""
        while b"\n" not in self._read:
            if not select.select([self._file], [], [], wait)[0]:
                return None
            more = os.read(self._file, 65536)
            if not more and not self._read:
                raise EOFError
            self._read += more or b"\n"
        first, _, self._read = self._read.partition(b"\n")
        line = first.decode(errors="replace").rstrip("\r")
        if self._shown:
            sys.stdout.write(f"> {line}\n")
        return line


@contextmanager
def typed_lines(script: Path | None) -> Iterator[TypedLines]:
    """The lines of a script, of standard input without one. Raises CompanionError."""
    if script is None:
        yield TypedLines()
        return
    try:
        file = os.open(script, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise CompanionError(
            N_("{file} cannot be read: {error}"), file=str(script), error=error.strerror or "?"
        ) from error
    try:
        yield TypedLines(file)
    finally:
        os.close(file)
