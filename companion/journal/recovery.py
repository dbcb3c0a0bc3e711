"""A damaged journal: keep it aside untouched, save what can be read, go on with a new file.

The new file takes the old one's place by renaming, and every step before and after can be
interrupted: the old files stay until the new one is complete, as `<name>.ready`.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import msgspec

from companion.journal import database
from companion.journal.database import PAGE, PARTS, beside
from companion.journal.lock import MODE
from companion.journal.salvage import Saved, salvage
from companion.rules.phrases import N_, Phrase

READY = ".ready"
"""The new file, complete, until it has taken the damaged one's place."""


class Recovery(msgspec.Struct, frozen=True):
    """What happened to a damaged journal."""

    kept_as: str
    """The path of the damaged file, as it was found (its -wal, if any, is beside it)."""
    games: int
    """Games saved."""
    lines: int
    """Lines saved, in each game those before the first that cannot be read."""
    lost: int | None
    """Lines known to be lost; None where nothing tells how many there were."""
    detail: str
    """What was found wrong, in SQLite's words, for the log."""
    tags: int = 0
    """Tags saved."""
    lost_tags: int | None = 0
    """Tags known to be lost; None where nothing tells how many there were."""

    @property
    def phrase(self) -> Phrase:
        """What to tell the table."""
        args = {"file": Path(self.kept_as).name, "games": self.games, "lines": self.lines}
        if self.lost is None:
            text = N_(
                "The journal was damaged and is kept as {file}."
                " Games saved: {games}. Lines saved: {lines}; others may be lost."
            )
        else:
            args["lost"] = self.lost
            text = N_(
                "The journal was damaged and is kept as {file}."
                " Games saved: {games}. Lines saved: {lines}, lost: {lost}."
            )
        told = Phrase(text, args)
        if self.tags or self.lost_tags is None:
            return Phrase("{lines} {tags}", {"lines": told, "tags": self._tags_phrase})
        return told

    @property
    def _tags_phrase(self) -> Phrase:
        text = N_("Tags saved: {tags}, lost: {lost}.")
        if self.lost_tags is None:
            text = N_("Tags saved: {tags}; others may be lost: companion enrol shows which.")
        return Phrase(text, {"tags": self.tags, "lost": self.lost_tags})


def recover(path: Path, detail: str, stamp: str, lost: int = 0) -> Recovery:
    """Put a whole journal in a damaged one's place.

    `stamp` goes into the kept file's name; `lost` is how many lines are known to be missing
    whatever the rest says. Raises OSError or sqlite3.Error only if the disk takes no new file;
    then the damaged one is where it was.
    """
    tidy(path)
    kept = database.unused(beside(path, f".corrupt-{stamp}"))
    try:
        _keep_aside(path, kept)
        saved = _rebuild(path, beside(path, ".new"))
    except BaseException:
        tidy(path)
        _remove(kept)  # the damaged file is still in its place
        raise
    beside(path, ".new").replace(beside(path, READY))
    database.sync_file(path.parent)
    finish(path)
    tidy(path)
    known = saved.lost if saved.lost is None else saved.lost + lost
    return Recovery(
        str(kept), saved.games, saved.lines, known, detail, saved.tags, _lost_tags(saved, lost)
    )


def _lost_tags(saved: Saved, lost: int) -> int | None:
    """What was lost from the log may have been tags, where there are any or nothing else."""
    return None if lost and (saved.tags or not saved.lines) else saved.lost_tags


def finish(path: Path, ending: str = READY) -> bool:
    """Put a complete new file in its place, also after that was cut short; False if there is none.

    The old -wal has to go first: SQLite would apply it to the new file.
    """
    ready = beside(path, ending)
    if not ready.exists():
        return False
    for part in PARTS[1:]:
        beside(path, part).unlink(missing_ok=True)
    database.sync_file(path.parent)
    ready.replace(path)
    database.sync_file(path.parent)
    return True


def finished_late(path: Path) -> Recovery:
    """What to tell about a recovery whose last part was done only now."""
    kept = sorted(path.parent.glob(f"{path.name}.corrupt-*"), key=lambda file: file.name)
    with closing(database.reading(path)) as db:
        games = db.execute("SELECT count(*) FROM games").fetchone()[0]
        lines = db.execute("SELECT count(*) FROM lines").fetchone()[0]
        tags = db.execute("SELECT count(*) FROM tags").fetchone()[0]
    name = next((str(file) for file in reversed(kept) if not file.name.endswith(PARTS[1:])), "")
    unknown = None if tags or not lines else 0
    return Recovery(name, games, lines, None, "recovery interrupted", tags, unknown)


def tidy(path: Path) -> None:
    """Remove what an interrupted creation or recovery left."""
    _remove(beside(path, ".new"))
    _remove(beside(path, ".salvage"))


def _remove(database_path: Path) -> None:
    for part in PARTS:
        beside(database_path, part).unlink(missing_ok=True)


def _keep_aside(path: Path, kept: Path) -> None:
    """Give the database's files second names."""
    for part in PARTS:
        _link_or_copy(beside(path, part), beside(kept, part))
    database.sync_file(path.parent)


def _rebuild(path: Path, new: Path) -> Saved:
    """Make a journal, wholly on the disk, of what can be read; the old files are not opened."""
    scratch = beside(path, ".salvage")
    for part in PARTS:
        _copy_readable(beside(path, part), beside(scratch, part))
    database.create(new)
    first_page = new.read_bytes()[:PAGE]
    with closing(database.writing(new)) as fresh:
        saved = salvage(scratch, fresh, first_page)
    database.sync_file(new)
    return saved


def _link_or_copy(source: Path, target: Path) -> None:
    if not source.exists():
        return
    try:
        target.hardlink_to(source)
    except OSError:  # FAT on a memory stick has no links
        _copy_readable(source, target)
        database.sync_file(target)


def _copy_readable(source: Path, target: Path) -> None:
    """Copy a file, with zeros for what the disk no longer gives."""
    if not source.exists():
        return
    with source.open("rb") as old, target.open("xb") as new:
        target.chmod(MODE)
        size = os.fstat(old.fileno()).st_size
        new.truncate(size)
        for at in range(0, size, PAGE):
            new.seek(at)
            new.write(_page(old.fileno(), at))


def _page(file: int, at: int) -> bytes:
    try:
        return os.pread(file, PAGE, at)
    except OSError:
        return b""
