from __future__ import annotations

import os
import signal
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import Journal, NotBackedUp, Reader, backup

from .playing import HEADER, line, numbers, play, python, state


def is_one_whole_file(path: Path) -> bool:
    """Whether a database passes SQLite's own check and is not in WAL mode."""
    with closing(sqlite3.connect(path)) as db:
        checked = db.execute("PRAGMA integrity_check").fetchall()
        mode = db.execute("PRAGMA journal_mode").fetchall()
    return (checked, mode) == ([("ok",)], [("delete",)])


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def test_a_backup_while_lines_are_written_has_all_confirmed_before(
    journal: Journal, path: Path, tmp_path: Path
) -> None:
    game = journal.begin(HEADER)
    confirmed = [0]
    enough = threading.Event()

    def write() -> None:
        for n in range(1, 1000):
            journal.append(game, line(n), state(n), n % 5 == 0)
            confirmed[0] = n
            if enough.is_set() and n >= 40:
                return

    writer = threading.Thread(target=write)
    writer.start()
    folder = tmp_path / "backups"
    folder.mkdir()
    try:
        for number in range(8):
            least = confirmed[0]
            target = (journal.backup if number % 2 else lambda to: backup(path, to))(
                folder / f"{number}.db"
            )
            assert is_one_whole_file(target)
            with Reader(target) as copy:
                lines = copy.load(game).lines
            assert [row.n for row in lines] == list(range(1, len(lines) + 1))
            assert len(lines) >= least
    finally:
        enough.set()
        writer.join()
    # A reader of the copy makes no other file: it is not in WAL mode.
    assert files(folder) == [f"{number}.db" for number in range(8)]


WRITE = """
import sys
from companion.journal import Journal
from playing import HEADER, play
with Journal(sys.argv[1]) as journal:
    game = journal.begin(HEADER)
    for n in range(1, 10**6):
        play(journal, game, n, n)
        print(n, flush=True)
"""


def test_another_process_backs_up_what_one_is_writing(path: Path, tmp_path: Path) -> None:
    with python(WRITE, path) as other:
        assert other.stdout is not None
        least = [int(other.stdout.readline()) for _ in range(5)][-1]
        target = backup(path, tmp_path / "copy.db")
        other.kill()
    with Journal(target) as copy:
        assert copy.recovery is None
        assert len(numbers(copy, 1)) >= least


def test_a_backup_can_be_played_on(journal: Journal, tmp_path: Path) -> None:
    game = journal.begin(HEADER)
    play(journal, game, 1, 9)
    with Journal(journal.backup(tmp_path / "copy.db")) as copy:
        assert copy.games() == journal.games()
        play(copy, game, 10, 12)
        assert copy.latest_snapshot(game) == (12, state(12))


def test_an_older_backup_is_replaced(journal: Journal, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    game = journal.begin(HEADER)
    for last in (1, 2):
        play(journal, game, last, last)
        journal.backup(target)
        with Reader(target) as copy:
            assert copy.games()[0].lines == last


DIE = """
import os, signal, sys
from pathlib import Path
from companion.journal import backup
def stop(*_):
    print("about to rename", flush=True)
    signal.pause()
Path.replace = stop
backup(sys.argv[1], sys.argv[2])
"""


@pytest.mark.parametrize("older", [True, False])
def test_a_kill_in_the_middle_leaves_no_half_file(
    journal: Journal, path: Path, tmp_path: Path, older: bool
) -> None:
    target = tmp_path / "copy.db"
    game = journal.begin(HEADER)
    if older:
        journal.backup(target)
    play(journal, game, 1, 9)
    with python(DIE, path, target) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "about to rename\n"
        other.send_signal(signal.SIGKILL)
    assert target.exists() == older
    if older:
        assert is_one_whole_file(target)
    journal.backup(target)
    with Reader(target) as copy:
        assert copy.games()[0].lines == 9


def test_a_target_that_cannot_be_is_refused(journal: Journal, path: Path, tmp_path: Path) -> None:
    game = journal.begin(HEADER)
    play(journal, game, 1, 3)
    link = tmp_path / "link.db"
    link.symlink_to(path)
    (tmp_path / "folder").mkdir()
    with Journal(tmp_path / "other.db") as other:
        other.begin(HEADER)
        for target in (path, link, tmp_path / "folder", tmp_path / "no" / "a", other.path):
            with pytest.raises(NotBackedUp, match="was not made"):
                journal.backup(target)
        assert other.games()[0].lines == 0
    with pytest.raises(NotBackedUp, match="no journal"):
        backup(tmp_path / "missing.db", tmp_path / "copy.db")
    assert not list(tmp_path.glob("*.part*"))
    assert numbers(journal, game) == [1, 2, 3]


def test_a_backup_takes_no_devices_place(path: Path, tmp_path: Path) -> None:
    Journal(path).close()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(NotBackedUp, match="it is not a file"):
        backup(path, pipe)
    assert pipe.is_fifo()


def test_a_damaged_journal_gives_no_backup(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with Journal(path) as journal:
        play(journal, journal.begin(HEADER), 1, 30)
        journal.backup(target)
    before = target.read_bytes()
    damaged = bytearray(path.read_bytes())
    damaged[5 * 4096 : 6 * 4096] = bytes(4096)
    path.write_bytes(damaged)
    with pytest.raises(NotBackedUp):
        backup(path, target)
    assert target.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))
