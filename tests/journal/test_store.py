from __future__ import annotations

import os
import socket
import sqlite3
import stat
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from companion.journal import (
    CannotOpen,
    InUse,
    Journal,
    NewerJournal,
    NoSuchGame,
    NotAJournal,
    NotWritten,
    OutOfOrder,
    Reader,
    Unreadable,
    database,
)
from companion.rules.errors import CompanionError
from companion.rules.lines import (
    Answer,
    Correction,
    Header,
    Interjection,
    Join,
    Kind,
    Leave,
    Line,
    RulingChoice,
    Swap,
)

from .playing import HEADER, line, numbers, play, python, state


def only_row(path: Path, query: str) -> tuple[object, ...]:
    with closing(sqlite3.connect(path)) as db:
        row: tuple[object, ...] = db.execute(query).fetchone()
        return row


# -- what is written is what is read -----------------------------------------------------------


def test_every_kind_of_entry_comes_back_as_it_was(path: Path) -> None:
    entries = (
        Answer("move", "A", 3, "tap", forced=True),
        Interjection("uno", "B", "uno", "web"),
        Correction("marker/A/lap", None, "A", "the table is right"),
        Correction("piece/A", 17, "A"),
        RulingChoice("A42", "waits"),
        Leave("A"),
        Join("C", "カート"),
        Swap("A", "B"),
    )
    lines = tuple(
        Line(n, kind, n, 2, entries, "A", "tap", "q", ("A1",), "15.3", "d" * 24)
        for n, kind in enumerate(Kind, start=1)
    )
    with Journal(path) as journal:
        game = journal.begin(HEADER)
        for each in lines:
            journal.append(game, each)
    with Journal(path) as journal:
        recording = journal.load(game)
        assert journal.recovery is None
    assert recording.lines == lines
    assert recording.start is None
    assert msgspec.json.encode(recording.header) == msgspec.json.encode(HEADER)


def test_the_content_of_many_games_is_stored_once(journal: Journal, path: Path) -> None:
    other = msgspec.structs.replace(HEADER, content={"cards.toml": "# others"})
    games = [journal.begin(header) for header in (HEADER, HEADER, other, HEADER)]
    assert only_row(path, "SELECT count(*) FROM contents") == (3,)
    assert [journal.load(game).header.content for game in games] == [
        HEADER.content,
        HEADER.content,
        other.content,
        HEADER.content,
    ]


def test_a_new_game_leaves_the_others_and_the_newest_is_first(journal: Journal) -> None:
    assert journal.games() == []
    first = journal.begin(HEADER)
    play(journal, first, 1, 12)
    second = journal.begin(HEADER)
    journal.append(second, line(1), label="set-up")
    journal.finish(second, label="A won")
    listed = journal.games()
    assert [(game.id, game.lines, game.label, game.finished) for game in listed] == [
        (second, 1, "A won", True),
        (first, 12, "round 2", False),
    ]
    assert listed[0].game == "chaos-kart"
    assert bytes(listed[0].setup) == b'{"seats":["A","B"]}'
    assert numbers(journal, first) == list(range(1, 13))


def test_an_undone_win_opens_the_game_again(journal: Journal) -> None:
    game = journal.begin(HEADER)
    journal.append(game, line(1), finished=True, label="won")
    assert journal.games()[0].finished
    journal.append(game, line(2, Kind.UNDO), finished=False)
    assert not journal.games()[0].finished
    assert journal.games()[0].label == "won"


def test_a_clock_that_jumps_changes_no_order(path: Path) -> None:
    start = datetime(2025, 6, 1, tzinfo=UTC)
    hours = iter([0, 0, 3, -336, -336, 1, -700, 2])
    written: list[str] = []

    def now() -> str:
        written.append((start + timedelta(hours=next(hours, 0))).isoformat())
        return written[-1]

    with Journal(path, now=now) as journal:
        games = [journal.begin(HEADER), journal.begin(HEADER)]
        for n in range(1, 4):
            journal.append(games[0], line(n), state(n))
        assert [game.id for game in journal.games()] == games[::-1]
        assert numbers(journal, games[0]) == [1, 2, 3]
        newest = journal.latest_snapshot(games[0])
        assert newest == (3, state(3))
        assert journal.games()[1].written == written[5]
        assert journal.games()[1].started == written[1]


def test_the_default_clock_says_its_zone(journal: Journal) -> None:
    journal.begin(HEADER)
    assert datetime.fromisoformat(journal.games()[0].started).tzinfo is not None


# -- snapshots -----------------------------------------------------------------------------------


def test_turn_snapshots_stay_and_the_latest_is_replaced(journal: Journal, path: Path) -> None:
    game = journal.begin(HEADER)
    assert journal.latest_snapshot(game) is None
    play(journal, game, 1, 13)
    assert journal.latest_snapshot(game) == (13, state(13))
    assert journal.latest_snapshot(game, upto=12) == (10, state(10))
    assert journal.latest_snapshot(game, upto=9) == (5, state(5))
    assert journal.latest_snapshot(game, upto=4) is None
    assert only_row(path, "SELECT count(*) FROM snapshots") == (3,)


def test_a_game_can_begin_from_a_stored_state(journal: Journal) -> None:
    old = journal.begin(HEADER)
    play(journal, old, 1, 7)
    game = journal.begin_from(HEADER, state(7))
    assert journal.load(game).start == state(7)
    assert journal.latest_snapshot(game) == (0, state(7))
    play(journal, game, 1, 3)
    assert journal.load(game).start == state(7)
    assert journal.latest_snapshot(game) == (3, state(3))
    assert numbers(journal, old) == list(range(1, 8))


# -- order and durability ------------------------------------------------------------------------


@pytest.mark.parametrize("n", [0, 2, 4, 5])
def test_a_line_out_of_order_is_refused_and_changes_nothing(journal: Journal, n: int) -> None:
    game = journal.begin(HEADER)
    play(journal, game, 1, 2)
    with pytest.raises(OutOfOrder, match="line 3 comes next"):
        journal.append(game, line(n), state(n), label="never")
    assert numbers(journal, game) == [1, 2]
    assert journal.games()[0].label == "round 0"
    assert journal.latest_snapshot(game) == (2, state(2))


def test_an_unknown_game_is_said(journal: Journal) -> None:
    journal.begin(HEADER)
    for call in (
        lambda: journal.append(7, line(1)),
        lambda: journal.finish(7),
        lambda: journal.load(7),
        lambda: journal.latest_snapshot(7),
    ):
        with pytest.raises(NoSuchGame, match="no game 7"):
            call()


def pragma(journal: Journal, name: str) -> object:
    return journal._db.execute(f"PRAGMA {name}").fetchone()[0]


def test_every_commit_is_synced(journal: Journal) -> None:
    assert pragma(journal, "synchronous") == 2
    assert pragma(journal, "journal_mode") == "wal"
    assert pragma(journal, "foreign_keys") == 1
    assert pragma(journal, "busy_timeout") == 1000


def test_refusals_keep_their_place_and_leave_the_next_line_synced(
    journal: Journal, path: Path
) -> None:
    game = journal.begin(HEADER)
    seen: list[object] = []
    journal._db.set_trace_callback(seen.append)
    for n in range(1, 7):
        journal.append(game, line(n, Kind.REFUSED if n % 3 else Kind.ANSWER))
        assert pragma(journal, "synchronous") == 2
    with pytest.raises(OutOfOrder):
        journal.append(game, line(9, Kind.REFUSED))
    assert pragma(journal, "synchronous") == 2
    assert seen.count("PRAGMA synchronous = NORMAL") == 5
    with Reader(path) as reader:
        assert [row.n for row in reader.load(game).lines] == [1, 2, 3, 4, 5, 6]


# -- threads and processes -----------------------------------------------------------------------


class Table:
    """Three inputs and one journal, as the host has them."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.game = journal.begin(HEADER)
        self.n = 0
        self.lock = threading.Lock()

    def tap(self) -> None:
        with self.lock:
            self.journal.append(self.game, line(self.n + 1), b"state")
            self.n += 1


def in_threads(*calls: object) -> list[BaseException]:
    errors: list[BaseException] = []

    def run(call: object) -> None:
        try:
            assert callable(call)
            call()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_three_threads_write_three_hundred_lines_without_a_gap(journal: Journal) -> None:
    table = Table(journal)

    def hundred() -> None:
        for _ in range(100):
            table.tap()

    assert in_threads(hundred, hundred, hundred) == []
    assert numbers(journal, table.game) == list(range(1, 301))


def test_other_threads_may_read_while_one_writes(journal: Journal) -> None:
    game = journal.begin(HEADER)

    def look() -> None:
        for _ in range(20):
            recorded = journal.load(game).lines
            assert [row.n for row in recorded] == list(range(1, len(recorded) + 1))
            assert journal.games()[0].lines >= len(recorded)

    assert in_threads(lambda: play(journal, game, 1, 60), look, look) == []


HOLD = """
import sys
from companion.journal import Journal
with Journal(sys.argv[1]):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_told_who_writes(path: Path) -> None:
    with python(HOLD, path) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(InUse, match="Stop that one") as caught:
            Journal(path)
        assert caught.value.process == other.pid
        with Reader(path) as reader:
            assert reader.games() == []
        other.kill()
    with Journal(path) as journal:
        assert journal.recovery is None


def test_a_second_writer_in_the_same_process_is_refused_too(journal: Journal, path: Path) -> None:
    link = path.with_name("other-name.db")
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(InUse):
            Journal(name)
    journal.begin(HEADER)


def test_a_reader_sees_each_line_once_it_is_written(journal: Journal, path: Path) -> None:
    with Reader(path) as reader:
        game = journal.begin(HEADER)
        for n in range(1, 6):
            journal.append(game, line(n), state(n))
            assert len(reader.load(game).lines) == n
            assert reader.latest_snapshot(game) == (n, state(n))
        assert reader.games() == journal.games()


# -- opening and closing -------------------------------------------------------------------------


def test_the_file_is_made_with_its_folder_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "b?#%" / "journal.db"
    with Journal(path) as journal:
        journal.begin(HEADER)
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(file.name for file in path.parent.iterdir()) == [
        "journal.db",
        "journal.db.lock",
    ]


def test_a_closed_journal_says_so_and_closes_again(path: Path) -> None:
    journal = Journal(path)
    journal.close()
    journal.close()
    with pytest.raises(NotWritten):
        journal.begin(HEADER)
    with pytest.raises(Unreadable):
        journal.games()


def test_a_newer_format_is_refused_and_left_alone(path: Path) -> None:
    with Journal(path) as journal:
        game = journal.begin(HEADER)
        play(journal, game, 1, 5)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {database.VERSION + 1}")
    before = path.read_bytes()
    for kind in (Journal, Reader, Journal):
        with pytest.raises(NewerJournal, match="Update this companion"):
            kind(path)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.corrupt-*"))


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE songs (title)")
        db.execute("INSERT INTO songs VALUES ('a')")
        db.commit()
    before = path.read_bytes()
    for kind in (Journal, Reader):
        with pytest.raises(NotAJournal, match="another program"):
            kind(path)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.corrupt-*"))


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("text")
    for kind, name in (
        (Journal, "folder"),
        (Journal, "file/journal.db"),
        (Reader, "folder"),
        (Reader, "missing.db"),
    ):
        with pytest.raises(CannotOpen) as caught:
            kind(tmp_path / name)
        assert isinstance(caught.value, CompanionError)
        assert name in str(caught.value)
    assert (tmp_path / "file").read_text() == "text"


def test_what_is_not_a_file_is_left_alone(tmp_path: Path) -> None:
    """As root, a recovery would even put a journal in the place of /dev/null."""
    pipe, around, port = (tmp_path / name for name in ("pipe", "around", "port"))
    os.mkfifo(pipe)
    around.symlink_to(around)
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind(str(port))
    there = {file.name: file.lstat().st_mode for file in tmp_path.iterdir()}
    for kind in (Journal, Reader):
        for path in (pipe, port, Path("/")):
            with pytest.raises(CannotOpen, match="it is not a file"):
                kind(path)
        for path in (around, Path("a\0b")):
            with pytest.raises(CannotOpen):
                kind(path)
    assert {file.name: file.lstat().st_mode for file in tmp_path.iterdir()} == there


def test_the_file_that_is_in_the_way_is_named(path: Path) -> None:
    path.with_name(f"{path.name}.lock").mkdir()
    with pytest.raises(CannotOpen, match=r"\.lock: Is a directory"):
        Journal(path)


def test_a_reader_says_that_a_file_is_damaged(path: Path) -> None:
    path.write_bytes(b"garbage" * 1000)
    with pytest.raises(Unreadable, match="Start the companion again"):
        Reader(path)


def test_a_game_without_content_and_a_header_of_before_there_was_any(journal: Journal) -> None:
    bare = Header("uno", "v0", msgspec.Raw(b"{}"), "")
    assert journal.load(journal.begin(bare)).header.content == {}
