"""The tags in the file: a UID has one meaning, a copy of a thing has one UID."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from zlib import crc32

from companion.journal.errors import TagTaken
from companion.portable.uid import from_text
from companion.rules.tags import Tag, TagKind

_COLUMNS = "SELECT uid, game, kind, thing, copy FROM tags"
_SAME_COPY = "game = ? AND kind = ? AND thing = ? AND copy = ?"

Row = tuple[str, str, str, str, int]


def read(db: sqlite3.Connection, game: str | None = None) -> list[Tag]:
    """The tags of a game, of all games without one; by kind, thing and copy."""
    if not _has_tags(db):
        return []
    query = f"{_COLUMNS} WHERE ?1 IS NULL OR game = ?1 ORDER BY game, kind, thing, copy"
    return [_tag(row) for row in db.execute(query, (game,))]


def find(db: sqlite3.Connection, uid: str) -> Tag | None:
    """What a UID means; None if nothing."""
    row = db.execute(f"{_COLUMNS} WHERE uid = ?", (uid,)).fetchone() if _has_tags(db) else None
    return None if row is None else _tag(row)


def bind(
    db: sqlite3.Connection, tags: Iterable[Tag], forget: Iterable[str], *, move: bool
) -> list[Tag]:
    """Forget some UIDs, then give some their meanings; gives the tags that had to go for these.

    Raises TagTaken where a UID means something else and may not move; the caller rolls back.
    """
    for uid in forget:
        unbind(db, uid)
    gone: list[Tag] = []
    for tag in tags:
        if from_text(tag.uid) != tag.uid:
            raise ValueError(f"{tag.uid!r} is not in the form of companion.portable.uid")
        was = find(db, tag.uid)
        if was == tag:
            continue
        if was is not None and not move:
            raise TagTaken(was)
        gone += [old for old in (was, _holder(db, tag)) if old is not None]
        _replace(db, tag)
    return gone


def unbind(db: sqlite3.Connection, uid: str) -> Tag | None:
    """Take a UID's meaning away; gives what it was."""
    was = find(db, uid)
    db.execute("DELETE FROM tags WHERE uid = ?", (uid,))
    return was


def total(uid: str, game: str, kind: str, thing: str, copy: int) -> int:
    """The CRC-32 that is stored with a tag."""
    return crc32(f"{uid} {game} {kind} {thing} {copy}".encode())


def _has_tags(db: sqlite3.Connection) -> bool:
    """Whether the file has a place for tags: one of format 1, only read here, has none."""
    return db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'tags'").fetchone() is not None


def _holder(db: sqlite3.Connection, tag: Tag) -> Tag | None:
    """The tag that a copy has now."""
    row = db.execute(f"{_COLUMNS} WHERE {_SAME_COPY}", tag.meaning).fetchone()
    return None if row is None else _tag(row)


def _replace(db: sqlite3.Connection, tag: Tag) -> None:
    db.execute(f"DELETE FROM tags WHERE uid = ? OR {_SAME_COPY}", (tag.uid, *tag.meaning))
    row = (tag.uid, *tag.meaning)
    db.execute("INSERT INTO tags VALUES (?, ?, ?, ?, ?, ?)", (*row, total(*row)))


def _tag(row: Row) -> Tag:
    uid, game, kind, thing, copy = row
    return Tag(uid, game, TagKind(kind), thing, copy)
