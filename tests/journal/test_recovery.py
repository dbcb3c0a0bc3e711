"""Damaged files: kept aside as they were, saved from as far as they can be read, and said."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import Journal, JournalError, Recovery, backup, database

from .playing import HEADER, line, numbers, play, state

PAGE = 4096


@pytest.fixture(autouse=True, scope="module")
def without_waiting() -> Iterator[None]:
    """Sync nothing: a card needs minutes for the thousands of files here, and no power is cut."""
    synced = database.writing

    def unsynced(path: Path) -> sqlite3.Connection:
        db = synced(path)
        db.execute("PRAGMA synchronous = OFF")
        return db

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(database, "writing", unsynced)
        monkeypatch.setattr(database, "sync_file", lambda path: None)
        yield


LINES = {1: 90, 2: 7, 3: 25}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal of three games, closed."""
    path = tmp_path_factory.mktemp("played") / "journal.db"
    with Journal(path) as journal:
        for game, last in LINES.items():
            assert journal.begin(HEADER) == game
            play(journal, game, 1, last)
    return path.read_bytes()


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a journal whose process was killed: most of it is in the log."""
    folder = tmp_path_factory.mktemp("killed")
    path = folder / "journal.db"
    with Journal(path) as journal:
        play(journal, journal.begin(HEADER), 1, 20)
    with Journal(path) as journal:
        play(journal, 1, 21, 30)
        for part in ("", "-wal", "-shm"):
            copy = folder / f"copy{part}"
            shutil.copy(f"{path}{part}", copy)
    return folder / "copy"


def after_kill(killed: Path, path: Path, *parts: str) -> None:
    for part in parts:
        shutil.copy(f"{killed}{part}", f"{path}{part}")


def recovered(journal: Journal) -> Recovery:
    assert journal.recovery is not None
    return journal.recovery


def zeroed(content: bytes, page: int) -> bytes:
    """The file with page `page` (from 1) overwritten with zeros."""
    return content[: (page - 1) * PAGE] + bytes(PAGE) + content[page * PAGE :]


def check_saved(journal: Journal) -> dict[int, int]:
    """Every saved game has its first lines, whole states, and takes the next line."""
    saved = {}
    for listed in journal.games():
        recording = journal.load(listed.id)
        count = len(recording.lines)
        assert recording.lines == tuple(line(n) for n in range(1, count + 1))
        assert recording.header.content == HEADER.content
        newest = journal.latest_snapshot(listed.id)
        if newest is not None:
            assert newest[1] == state(newest[0])
        journal.append(listed.id, line(count + 1), state(count + 1))
        assert journal.latest_snapshot(listed.id) == (count + 1, state(count + 1))
        saved[listed.id] = count
    assert journal.begin(HEADER) not in saved
    return saved


# -- a page --------------------------------------------------------------------------------------


def test_page_three_zeroed_is_kept_aside_and_said(path: Path, played: bytes) -> None:
    damaged = zeroed(played, 3)
    path.write_bytes(damaged)
    with Journal(path) as journal:
        happened = recovered(journal)
        assert check_saved(journal) == LINES
    assert Path(happened.kept_as).read_bytes() == damaged
    assert Path(happened.kept_as).name.startswith("journal.db.corrupt-2")
    assert happened.phrase.plain() == (
        f"The journal was damaged and is kept as {Path(happened.kept_as).name}."
        " Games saved: 3. Lines saved: 122, lost: 0."
    )
    with Journal(path) as journal:
        assert journal.recovery is None
        assert numbers(journal, 1) == list(range(1, 92))


def each_page(played: bytes) -> range:
    return range(1, len(played) // PAGE + 1)


@pytest.mark.parametrize("noise", [False, True])
def test_any_one_page(path: Path, played: bytes, noise: bool) -> None:
    chance = random.Random(3)
    whole = {game: (last, state(last)) for game, last in LINES.items()}
    for page in each_page(played):
        at = (page - 1) * PAGE
        junk = chance.randbytes(PAGE) if noise else bytes(PAGE)
        damaged = played[:at] + junk + played[at + PAGE :]
        path.write_bytes(damaged)
        with Journal(path) as journal:
            newest = {each.id: journal.latest_snapshot(each.id) for each in journal.games()}
            happened = journal.recovery
            saved = check_saved(journal)
        if happened is None:
            assert (saved, newest) == (LINES, whole), f"page {page}"
            continue
        assert Path(happened.kept_as).read_bytes() == damaged
        assert (happened.games, happened.lines) == (len(saved), sum(saved.values()))
        assert saved.keys() == LINES.keys(), f"page {page}: no game is lost by one page"
        lost = sum(LINES[game] - count for game, count in saved.items())
        assert happened.lost in (None, lost)
        # Lines or states may be lost by one page, never both.
        assert saved == LINES or newest == whole, f"page {page}"


def test_a_damaged_first_page_loses_nothing(path: Path, played: bytes) -> None:
    for start, length in ((0, 100), (18, 1), (28, 80), (0, PAGE), (100, 4), (1000, 3000)):
        path.write_bytes(played[:start] + b"\xa5" * length + played[start + length :])
        with Journal(path) as journal:
            assert journal.recovery is None or journal.recovery.lost == 0
            assert check_saved(journal) == LINES


def test_scattered_damage_is_never_more_than_said(path: Path, played: bytes) -> None:
    for seed in range(30):
        chance = random.Random(seed)
        damaged = bytearray(played)
        for _ in range(chance.choice((1, 2, 8, 100))):
            at = chance.randrange(PAGE, len(damaged))
            length = min(chance.choice((1, 4, 512)), len(damaged) - at)
            damaged[at : at + length] = chance.randbytes(length)
        path.write_bytes(damaged)
        with Journal(path) as journal:
            happened = journal.recovery
            saved = check_saved(journal)
        if happened is None:
            assert saved == LINES
        else:
            assert happened.lines == sum(saved.values())
            assert Path(happened.kept_as).read_bytes() == damaged
        with Journal(path) as journal:
            assert journal.recovery is None


def test_a_changed_letter_is_found_wherever_it_is(path: Path, played: bytes) -> None:
    """SQLite itself would not notice these; games and contents are there twice."""
    for text, places in ((b'"salt":"salt"', 6), (b"squares = 20", 2), (b'"choice":33', 1)):
        at = [i for i in range(len(played)) if played.startswith(text, i)]
        assert len(at) == places
        for start in at:
            path.write_bytes(played[: start + 3] + b"X" + played[start + 4 :])
            with Journal(path) as journal:
                happened = recovered(journal)
                saved = check_saved(journal)
            if places > 1:
                assert (saved, happened.lost) == (LINES, 0)
            else:
                assert saved == {**LINES, 1: 32}
                assert happened.lost == 90 - 32


def test_lines_after_a_gap_are_not_played(path: Path, played: bytes) -> None:
    path.write_bytes(played)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM lines WHERE game = 1 AND n = 5")
        db.commit()
    with Journal(path) as journal:
        happened = recovered(journal)
        assert happened.detail == "a missing line"
        assert check_saved(journal) == {**LINES, 1: 4}
        assert happened.lost == 86


def test_a_state_later_than_the_lines_can_be_gone_on_from(path: Path, played: bytes) -> None:
    """One page of lines is lost; the newest state is still there."""
    found = False
    for page in each_page(played):
        path.write_bytes(zeroed(played, page))
        with Journal(path) as journal:
            count = len(numbers(journal, 1))
            if count == LINES[1]:
                continue
            found = True
            newest = journal.latest_snapshot(1)
            assert newest == (LINES[1], state(LINES[1]))
            saved = sum(game.lines for game in journal.games())
            assert recovered(journal).lost == sum(LINES.values()) - saved
            on = journal.begin_from(journal.load(1).header, newest[1])
            play(journal, on, 1, 3)
            journal.append(1, line(count + 1))
            left = journal.latest_snapshot(1)
            assert left is None or left[0] <= count + 1
    assert found


def test_damage_to_an_older_state_leaves_the_newest(path: Path, played: bytes) -> None:
    """Only the pages that it is on, and the table's first, can take it away."""
    gone = []
    for page in each_page(played):
        path.write_bytes(zeroed(played, page))
        with Journal(path) as journal:
            if journal.latest_snapshot(1) != (90, state(90)):
                gone.append(page)
    assert len(gone) <= 3, gone


# -- the whole file ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"", b"\0", b"garbage" * 999, bytes(3 * PAGE), b"SQLite format 3\0", b"\xff" * PAGE],
    ids=["empty", "one byte", "text", "zeros", "magic", "ones"],
)
def test_a_file_with_nothing_in_it_is_kept_and_a_new_one_begun(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with Journal(path) as journal:
        happened = recovered(journal)
        assert (happened.games, happened.lines, happened.lost) == (0, 0, None)
        assert "others may be lost" in happened.phrase.plain()
        assert check_saved(journal) == {}
    assert Path(happened.kept_as).read_bytes() == content


def test_a_file_cut_off_anywhere(path: Path, played: bytes) -> None:
    for size in (*range(PAGE // 2, len(played), 3 * PAGE), len(played) - 1):
        path.write_bytes(played[:size])
        with Journal(path) as journal:
            happened = journal.recovery
            saved = check_saved(journal)
        assert all(saved[game] <= LINES[game] for game in saved)
        if happened is None:
            assert saved == LINES
        else:
            assert Path(happened.kept_as).read_bytes() == played[:size]


def test_damaged_files_of_the_same_second_are_all_kept(path: Path) -> None:
    kept = []
    for content in (b"one", b"two", b"three"):
        path.write_bytes(content)
        with Journal(path, now=lambda: "2025-01-02T03:04:05+07:00") as journal:
            kept.append(Path(recovered(journal).kept_as))
    assert [file.name for file in kept] == [
        "journal.db.corrupt-20250102T030405",
        "journal.db.corrupt-20250102T030405-2",
        "journal.db.corrupt-20250102T030405-3",
    ]
    assert [file.read_bytes() for file in kept] == [b"one", b"two", b"three"]


def test_a_file_without_links_is_copied(
    path: Path, played: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(self: Path, target: Path) -> None:
        raise PermissionError(1, "no links on this disk")

    monkeypatch.setattr(Path, "hardlink_to", no_links)
    path.write_bytes(zeroed(played, 4))
    with Journal(path) as journal:
        happened = recovered(journal)
        assert check_saved(journal).keys() == LINES.keys()
    assert Path(happened.kept_as).read_bytes() == zeroed(played, 4)


# -- the log -------------------------------------------------------------------------------------


def test_what_is_only_in_the_log_is_read(killed: Path, path: Path) -> None:
    after_kill(killed, path, "", "-wal")
    with Journal(path) as journal:
        assert journal.recovery is None
        assert check_saved(journal) == {1: 30}


def test_a_missing_log_gives_what_was_before_it(killed: Path, path: Path) -> None:
    after_kill(killed, path, "")
    with Journal(path) as journal:
        assert journal.recovery is None
        assert check_saved(journal) == {1: 20}


@pytest.mark.parametrize("left", ["nothing", "an empty file"])
def test_a_lost_file_is_made_again_from_its_log(tmp_path: Path, path: Path, left: str) -> None:
    """Of a young journal everything is still in the log."""
    with Journal(tmp_path / "young.db") as young:
        play(young, young.begin(HEADER), 1, 12)
        shutil.copy(f"{young.path}-wal", f"{path}-wal")
    log = Path(f"{path}-wal").read_bytes()
    if left != "nothing":
        path.touch()
    with Journal(path) as journal:
        happened = recovered(journal)
        assert check_saved(journal) == {1: 12}
    assert happened.lost == 0
    assert Path(f"{happened.kept_as}-wal").read_bytes() == log


def frames(log: bytes) -> list[int]:
    """Where each frame of a log begins."""
    return list(range(32, len(log), 24 + PAGE))


def test_a_commit_torn_by_a_power_cut_is_no_damage(killed: Path, path: Path) -> None:
    """Of the last commit, which nobody was shown, any part may be missing."""
    log = Path(f"{killed}-wal").read_bytes()
    last = frames(log)[-1]
    for torn in (log[:last], log[: last + 500], log[: last + 24] + bytes(PAGE)):
        after_kill(killed, path, "")
        Path(f"{path}-wal").write_bytes(torn)
        with Journal(path) as journal:
            assert journal.recovery is None
            assert check_saved(journal) == {1: 29}


def test_damage_in_the_middle_of_the_log_is_said(killed: Path, path: Path) -> None:
    log = Path(f"{killed}-wal").read_bytes()
    places = [*frames(log)[: len(frames(log)) // 2], 0, 16, 24]
    for at in places:
        after_kill(killed, path, "")
        damaged = log[:at] + b"\xa5" * 8 + log[at + 8 :]
        Path(f"{path}-wal").write_bytes(damaged)
        with Journal(path) as journal:
            happened = recovered(journal)
            saved = check_saved(journal)
        assert saved[1] < 30
        assert happened.lost is not None
        assert happened.lost >= 30 - saved[1] - 1
        assert Path(f"{happened.kept_as}-wal").read_bytes() == damaged


def test_a_log_begun_anew_holds_no_lost_commits(path: Path) -> None:
    """After a checkpoint the log begins anew over old frames, which are not damage."""
    with Journal(path) as journal:
        game = journal.begin(HEADER)
        play(journal, game, 1, 60)
        journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
        play(journal, game, 61, 63)
        copy = path.with_name("copy.db")
        for part in ("", "-wal"):
            shutil.copy(f"{path}{part}", f"{copy}{part}")
    with Journal(copy) as journal:
        assert journal.recovery is None
        assert check_saved(journal) == {1: 63}


def test_a_backup_copied_over_a_killed_journal_is_what_is_opened(
    killed: Path, path: Path, played: bytes, tmp_path: Path
) -> None:
    """The log that is still there belongs to the file that was replaced."""
    other = tmp_path / "other.db"
    other.write_bytes(played)
    after_kill(killed, path, "", "-wal", "-shm")
    shutil.copy(backup(other, tmp_path / "backup.db"), path)
    with Journal(path) as journal:
        assert journal.recovery is None
        assert check_saved(journal) == LINES
    stray = Path(f"{path}.stray-wal")
    assert stray.read_bytes() == Path(f"{killed}-wal").read_bytes()


# -- interrupted ---------------------------------------------------------------------------------


class Cut(BaseException):
    """The plug is pulled."""


def pull_the_plug(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Stop at the `at`-th step that changes a name or syncs."""
    left = [at]

    def cutting(do: Callable[..., object]) -> Callable[..., object]:
        def step(*args: object, **more: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise Cut
            return do(*args, **more)

        return step

    for name in ("replace", "unlink", "hardlink_to"):
        monkeypatch.setattr(Path, name, cutting(getattr(Path, name)))
    monkeypatch.setattr(database, "sync_file", cutting(database.sync_file))
    monkeypatch.setattr(database, "create", cutting(database.create))


def interrupted(path: Path, at: int) -> bool:
    with pytest.MonkeyPatch.context() as monkeypatch:
        pull_the_plug(monkeypatch, at)
        try:
            Journal(path).close()
        except Cut:
            return True
    return False


def test_a_recovery_interrupted_anywhere_loses_nothing(killed: Path, path: Path) -> None:
    damaged = zeroed(killed.read_bytes(), 3)
    log = Path(f"{killed}-wal").read_bytes()
    steps = 0
    while True:
        for file in path.parent.glob("journal.db*"):
            file.unlink()
        path.write_bytes(damaged)
        Path(f"{path}-wal").write_bytes(log)
        if not interrupted(path, steps):
            break
        replaced = path.read_bytes() != damaged
        with Journal(path) as journal:
            assert journal.recovery is not None or replaced
            assert check_saved(journal) == {1: 30}
        names = [file.name for file in path.parent.glob("journal.db*")]
        assert not [name for name in names if name.endswith((".new", ".ready", ".salvage"))]
        kept = [path.with_name(name) for name in names if name[-1].isdigit()]
        assert all(file.read_bytes() == damaged for file in kept)
        logs = [Path(f"{file}-wal") for file in kept]
        assert log in [file.read_bytes() for file in logs if file.exists()]
        steps += 1
    assert steps > 10


def test_a_creation_interrupted_anywhere_is_begun_again(path: Path) -> None:
    steps = 0
    while interrupted(path, steps):
        with Journal(path) as journal:
            assert journal.recovery is None
            assert check_saved(journal) == {}
        path.unlink()
        steps += 1
    assert steps > 3


def test_the_log_of_another_programs_database_is_set_aside(path: Path, played: bytes) -> None:
    path.write_bytes(played)
    with closing(sqlite3.connect(path.with_name("songs.db"))) as songs:
        songs.execute("PRAGMA journal_mode = WAL")
        songs.execute("CREATE TABLE songs (title)")
        theirs = path.with_name("songs.db-wal").read_bytes()
        Path(f"{path}-wal").write_bytes(theirs)
        with Journal(path) as journal:
            assert journal.recovery is None
            assert check_saved(journal) == LINES
    assert Path(f"{path}.stray-wal").read_bytes() == theirs


def test_a_restored_backup_cut_short_while_it_was_opened(
    path: Path, played: bytes, tmp_path: Path
) -> None:
    """A rollback journal beside the file is taken back, as SQLite means it."""
    other = tmp_path / "other.db"
    other.write_bytes(played)
    backup(other, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("UPDATE lines SET line = 'half done' WHERE game = 1")
        copy = path.with_name("copy.db")
        for part in ("", "-journal"):
            shutil.copy(f"{path}{part}", f"{copy}{part}")
        db.execute("ROLLBACK")
    assert copy.read_bytes() != path.read_bytes()
    with Journal(copy) as journal:
        assert journal.recovery is None
        assert check_saved(journal) == LINES


def test_no_damage_raises_anything_but_the_journals_own_errors(path: Path, played: bytes) -> None:
    """The first page too, where damage may look like a newer format."""
    for seed in range(40):
        chance = random.Random(seed)
        damaged = bytearray(played)
        at = chance.randrange(0, 120)
        damaged[at] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            with Journal(path) as journal:
                assert check_saved(journal) == LINES
        except JournalError:
            assert 60 <= at < 64, "only a changed version is refused"
            assert path.read_bytes() == damaged
