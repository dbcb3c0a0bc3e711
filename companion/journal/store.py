"""Games, lines, snapshots and tags in one file: `Journal` to write, `Reader` to look on.

What `Journal` has written is on the disk when the call returns. Wall-clock times are kept for
people; nothing is ordered by them.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self
from zlib import crc32

import msgspec

from companion.journal import database, headers, opening, tags
from companion.journal.backup import backup
from companion.journal.errors import (
    FAULTS,
    NoSuchGame,
    OutOfOrder,
    Unreadable,
    cannot_open,
    not_written,
)
from companion.journal.lock import WriterLock
from companion.journal.recovery import Recovery
from companion.rules.lines import Header, Kind, Line
from companion.rules.tags import Tag

UNSYNCED = frozenset({Kind.REFUSED, Kind.UNKNOWN})
"""Lines that change nothing: they are on the disk with the next one."""


class StoredGame(msgspec.Struct, frozen=True):
    """One game of the list: enough to say which one it is."""

    id: int
    game: str
    """Which of the games it is, as in the header."""
    setup: msgspec.Raw
    started: str
    """Wall-clock time, ISO 8601 with its zone, for people only."""
    written: str
    """The same of its last line, or of its start."""
    label: str
    """Whatever the host last wrote about how far it is."""
    finished: bool
    lines: int


class Recording(msgspec.Struct, frozen=True):
    """A game as it was recorded."""

    header: Header
    lines: tuple[Line, ...]
    start: bytes | None
    """The state it began from, where that was another game's (see `Journal.begin_from`)."""


class Reader:
    """A journal opened to read, beside whoever writes it. Usable from any thread.

    Raises CannotOpen, NotAJournal, NewerJournal or Unreadable.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = opening.found(Path(path))
        self._lock = threading.RLock()
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        with ExitStack() as undo:
            try:
                db = undo.enter_context(closing(database.reading(self.path)))
                opening.check_identity(db, self.path)
            except FAULTS as error:
                if opening.is_damage(error):
                    raise Unreadable(self.path, str(error)) from error
                raise cannot_open(self.path, error) from error
            undo.pop_all()
            return db

    def close(self) -> None:
        """Let the file go. Closing twice does nothing."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def games(self) -> list[StoredGame]:
        """All games, the newest first. Raises Unreadable."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT header, id, started, coalesce(l.written, started), label, finished,"
                " coalesce(l.n, 0) FROM games LEFT JOIN lines AS l ON l.game = id"
                " AND l.n = (SELECT max(n) FROM lines WHERE game = id) ORDER BY id DESC"
            )
            return [_stored_game(headers.decode(text), *row) for text, *row in rows]

    def load(self, game: int) -> Recording:
        """A game's header and all its lines. Raises NoSuchGame, Unreadable."""
        with self._reading() as db:
            header = headers.unpack(db, self._header_text(game))
            rows = db.execute("SELECT line FROM lines WHERE game = ? ORDER BY n", (game,))
            lines = tuple(msgspec.json.decode(text, type=Line) for (text,) in rows)
            start = _one(db, _START, game)
        return Recording(header, lines, start[1] if start else None)

    def latest_snapshot(self, game: int, upto: int | None = None) -> tuple[int, bytes] | None:
        """The newest stored state, and the number of the line that it is of (0: the beginning).

        With `upto` the newest of those at or before that line. After a recovery the newest may
        be of later than the last line that could be saved. Raises NoSuchGame, Unreadable.
        """
        with self._reading() as db:
            self._header_text(game)
            last = upto if upto is not None else 2**62
            found = [_one(db, _NEWEST, game, turn, last) for turn in (0, 1)]
        return max((row for row in found if row), default=None, key=lambda row: row[0])

    def tags(self, game: str | None = None) -> list[Tag]:
        """The tags of a game ("" for the table's own), or all. Raises Unreadable."""
        with self._reading() as db:
            return tags.read(db, game)

    def tag(self, uid: str) -> Tag | None:
        """What a tag means, asked at each tap; None if nothing. Raises Unreadable."""
        with self._reading() as db:
            return tags.find(db, uid)

    def backup(self, target: Path | str) -> Path:
        """Copy the journal as it is now to a single file; see `companion.journal.backup`."""
        return backup(self.path, target)

    def _header_text(self, game: int) -> str:
        row = self._db.execute("SELECT header FROM games WHERE id = ?", (game,)).fetchone()
        if row is None:
            raise NoSuchGame(game)
        return str(row[0])

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent look at the file, whatever is written meanwhile."""
        with self._lock:
            try:
                self._db.execute("BEGIN")
                yield self._db
            except (*FAULTS, msgspec.MsgspecError) as error:
                raise Unreadable(self.path, str(error)) from error
            finally:
                _roll_back(self._db)


_START = "SELECT n, state FROM snapshots WHERE game = ? AND turn = 1 AND n = 0"
_NEWEST = (
    "SELECT n, state FROM snapshots WHERE game = ? AND turn = ? AND n <= ? ORDER BY n DESC LIMIT 1"
)


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


class Journal(Reader):
    """A journal opened to write; makes the file, and its folder, if there is none.

    One process at a time can. A damaged file is kept aside and what can be read is saved into a
    new one: `recovery` says what happened, None if nothing did. `now` gives the wall-clock text
    that people see. Raises InUse, NewerJournal, NotAJournal (both leave the file untouched),
    CannotOpen.
    """

    recovery: Recovery | None

    def __init__(self, path: Path | str, *, now: Callable[[], str] = _now) -> None:
        self._now = now
        super().__init__(path)

    def _open(self) -> sqlite3.Connection:
        with ExitStack() as undo:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._only = WriterLock(self.path)
                undo.callback(self._only.release)
                stamp = "".join(c for c in self._now()[:19] if c.isalnum())
                self.recovery = opening.prepare(self.path, stamp)
                db = database.writing(self.path)
            except (OSError, *FAULTS) as error:
                raise cannot_open(self.path, error) from error
            self._held = undo.pop_all()
        return db

    def close(self) -> None:
        """Let the file and the lock go. Closing twice does nothing."""
        with self._lock:
            super().close()
            self._held.close()

    # -- writing ---------------------------------------------------------------------------------

    def begin(self, header: Header) -> int:
        """Add a game; returns its number. Other games stay as they are. Raises NotWritten."""
        with self._writing() as db:
            return self._add(db, header)

    def begin_from(self, header: Header, state: bytes) -> int:
        """Add a game that goes on from a stored state, as `Recording.start`. Raises NotWritten."""
        with self._writing() as db:
            game = self._add(db, header)
            _keep_state(db, game, 0, state, turn=True)
            return game

    def append(
        self,
        game: int,
        line: Line,
        snapshot: bytes | None = None,
        turn_snapshot: bool = False,
        *,
        label: str | None = None,
        finished: bool | None = None,
    ) -> None:
        """Write a game's next line, and with it the state after it, all or nothing.

        The state replaces the last one stored, or stays for good with `turn_snapshot`. `label`
        and `finished` change what `games` says. It is on the disk at the return, but for a
        refusal or an unknown tap, which is with the next line. Raises NotWritten, NoSuchGame,
        OutOfOrder; then nothing was written and the same line can be tried again.
        """
        with self._writing(synced=line.kind not in UNSYNCED) as db:
            self._check_number(db, game, line.n)
            text = msgspec.json.encode(line)
            values = (game, line.n, self._now(), text.decode(), crc32(text))
            db.execute("INSERT INTO lines VALUES (?, ?, ?, ?, ?)", values)
            _forget_states(db, game, line.n)
            if snapshot is not None:
                _keep_state(db, game, line.n, snapshot, turn=turn_snapshot)
            _describe(db, game, label, finished)

    def finish(self, game: int, *, label: str | None = None) -> None:
        """Mark a game as over. Raises NotWritten, NoSuchGame."""
        with self._writing() as db:
            self._header_text(game)
            _describe(db, game, label, finished=True)

    def bind(self, tag: Tag, *, move: bool = False) -> list[Tag]:
        """Give a UID a meaning; it is on the disk at the return. See `bind_all`."""
        return self.bind_all([tag], move=move)

    def bind_all(
        self, new: Iterable[Tag], *, move: bool = False, forget: Iterable[str] = ()
    ) -> list[Tag]:
        """Forget some UIDs and give others their meanings, all or nothing.

        A copy that had another UID loses that one. Gives the tags that had to go for the new
        ones. Raises TagTaken where a UID means something else, unless it may `move`; NotWritten;
        ValueError for a UID in another form.
        """
        with self._writing() as db:
            return tags.bind(db, new, forget, move=move)

    def unbind(self, uid: str) -> Tag | None:
        """Take a UID's meaning away; gives what it was. Raises NotWritten."""
        with self._writing() as db:
            return tags.unbind(db, uid)

    def _add(self, db: sqlite3.Connection, header: Header) -> int:
        text = headers.pack(db, header)
        values = (self._now(), text.decode(), crc32(text))
        insert = "INSERT INTO games (started, header, sum) VALUES (?, ?, ?) RETURNING id"
        ((game,),) = db.execute(insert, values).fetchall()
        return int(game)

    def _check_number(self, db: sqlite3.Connection, game: int, n: int) -> None:
        self._header_text(game)
        (last,) = db.execute("SELECT max(n) FROM lines WHERE game = ?", (game,)).fetchone()
        expected = (last or 0) + 1
        if n != expected:
            raise OutOfOrder(game, n, expected)

    @contextmanager
    def _writing(self, *, synced: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction, on the disk at the end if `synced`; taken back if anything fails."""
        with self._lock, _said_plainly(), nullcontext() if synced else _unsynced(self._db):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
                self._db.execute("COMMIT")
            finally:
                _roll_back(self._db)


@contextmanager
def _said_plainly() -> Iterator[None]:
    try:
        yield
    except FAULTS as error:
        raise not_written(error) from error


@contextmanager
def _unsynced(db: sqlite3.Connection) -> Iterator[None]:
    """Let a commit reach the disk with the next synced one: the log keeps their order."""
    db.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        db.execute("PRAGMA synchronous = FULL")


def _roll_back(db: sqlite3.Connection) -> None:
    """End a transaction that is still open; one that failed may have ended itself."""
    with suppress(sqlite3.Error):
        if db.in_transaction:
            db.execute("ROLLBACK")


def _stored_game(
    header: Header, game: int, started: str, written: str, label: str, finished: int, lines: int
) -> StoredGame:
    return StoredGame(
        game, header.game, header.setup, started, written, label, bool(finished), lines
    )


def _one(db: sqlite3.Connection, query: str, *values: int) -> tuple[int, bytes] | None:
    row: tuple[int, bytes] | None = db.execute(query, values).fetchone()
    return row


def _forget_states(db: sqlite3.Connection, game: int, n: int) -> None:
    """Remove states of line `n` and later, which a recovery may have left: it is written anew."""
    for turn in (0, 1):
        query = "DELETE FROM snapshots WHERE game = ? AND turn = ? AND n >= ?"
        db.execute(query, (game, turn, n))


def _keep_state(db: sqlite3.Connection, game: int, n: int, state: bytes, *, turn: bool) -> None:
    """Store the state after line `n`; the last one that no turn began with goes."""
    db.execute("DELETE FROM snapshots WHERE game = ? AND turn = 0", (game,))
    values = (game, int(turn), n, state, crc32(state))
    db.execute("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)", values)


def _describe(db: sqlite3.Connection, game: int, label: str | None, finished: bool | None) -> None:
    query = "SELECT label, finished FROM games WHERE id = ?"
    old_label, old_finished = db.execute(query, (game,)).fetchone()
    label = old_label if label is None else label
    over = old_finished if finished is None else int(finished)
    if (label, over) != (old_label, old_finished):
        change = "UPDATE games SET label = ?, finished = ? WHERE id = ?"
        db.execute(change, (label, over, game))
