"""A game's header in the file: its content files are stored once for all games that use them."""

from __future__ import annotations

import sqlite3

import msgspec

from companion.journal.database import digest_of
from companion.rules.lines import Header


def pack(db: sqlite3.Connection, header: Header) -> bytes:
    """Store a header's content files where they are new; gives the header with their digests."""
    digests = {}
    for name, text in header.content.items():
        digests[name] = digest = digest_of(text.encode())
        if _content(db, digest) is None:
            db.execute("INSERT INTO contents VALUES (?, ?)", (digest, text))
    return msgspec.json.encode(msgspec.structs.replace(header, content=digests))


def unpack(db: sqlite3.Connection, text: str) -> Header:
    """The header as it was given to `pack`. Raises sqlite3.DatabaseError where a file is lost."""
    header = decode(text)
    content = {}
    for name, digest in header.content.items():
        found = _content(db, digest)
        if found is None:
            raise sqlite3.DatabaseError(f"the content file {name} is missing")
        content[name] = found
    return msgspec.structs.replace(header, content=content)


def decode(text: str) -> Header:
    """The header alone, with digests for its content files."""
    return msgspec.json.decode(text, type=Header)


def _content(db: sqlite3.Connection, digest: str) -> str | None:
    row = db.execute("SELECT text FROM contents WHERE digest = ?", (digest,)).fetchone()
    return None if row is None else str(row[0])
