"""Tags: one meaning a UID, kept like the rest; as files; journals of before there were tags."""

from __future__ import annotations

import random
import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal import Journal, NewerJournal, Reader, TagTaken, backup, database, tagfiles
from companion.portable.uid import to_text
from companion.rules.phrases import Named, Phrase
from companion.rules.tags import Tag, TaggedThing, TagKind, short

from .playing import HEADER, line, play, python, state

PAGE = database.PAGE
U, V, W = "04A3C6CAE26180", "AC8C5E0A", "88776655"


def card(uid: str, thing: str = "rusak", copy: int = 1, game: str = "chaos-kart") -> Tag:
    return Tag(uid, game, TagKind.CARD, thing, copy)


def deck(count: int) -> list[Tag]:
    """So many tags, of cards with five copies each."""
    chance = random.Random(count)
    uids = [to_text(b"\x04" + chance.randbytes(6)) for _ in range(count)]
    return [card(uid, f"card-{n // 5:03}", n % 5 + 1) for n, uid in enumerate(uids)]


# -- one meaning ---------------------------------------------------------------------------------


def test_a_uid_moves_to_another_meaning_only_when_asked(journal: Journal) -> None:
    """R18."""
    journal.bind(card(U, "rusak"))
    with pytest.raises(TagTaken, match=r"…6180.*rusak") as caught:
        journal.bind(card(U, "stun"))
    assert caught.value.was == card(U, "rusak")
    assert journal.tags() == [card(U, "rusak")]
    assert journal.bind(card(U, "stun"), move=True) == [card(U, "rusak")]
    assert journal.tags() == [card(U, "stun")]
    with pytest.raises(TagTaken):
        journal.bind(card(U, "stun", game="uno")), "in another game it is another meaning"


def test_the_tag_of_a_copy_is_replaced_and_the_old_one_means_nothing(journal: Journal) -> None:
    """R17: what is not known is told to be so, and nothing is changed by asking."""
    assert journal.bind(card(U, copy=2)) == []
    assert journal.bind(card(U, copy=2)) == [], "the same again"
    assert journal.bind(card(V, copy=2)) == [card(U, copy=2)]
    assert journal.tag(U) is None
    assert journal.tag(V) == card(V, copy=2)
    assert journal.unbind(V) == card(V, copy=2)
    assert journal.unbind(V) is None
    assert journal.tags() == []


def test_many_are_bound_all_or_none(journal: Journal) -> None:
    journal.bind(card(U, "a"))
    with pytest.raises(TagTaken):
        journal.bind_all([card(V, "b"), card(U, "c"), card(W, "d")])
    assert journal.tags() == [card(U, "a")]
    journal.bind_all([card(V, "b"), card(W, "d")])
    swapped = [card(V, "d"), card(W, "b")]
    journal.bind_all(swapped, move=True)
    assert journal.tags() == [card(U, "a"), card(W, "b"), card(V, "d")]
    journal.bind_all([card(U, "d")], move=True, forget=[W])
    assert journal.tags() == [card(U, "d")]


def test_only_the_canonical_form_is_stored(journal: Journal) -> None:
    for wrong in (U.lower(), "AC:8C:5E:0A", "AC8C5EA", ""):
        with pytest.raises(ValueError, match=r"digits|form"):
            journal.bind(card(wrong))
    assert journal.tags() == []


def test_tags_of_one_game_or_of_the_table(journal: Journal, path: Path) -> None:
    undo = Tag(W, "", TagKind.UNDO, "undo")
    journal.bind_all([card(U, "b"), card(V, "a"), undo])
    with Reader(path) as reader:
        assert reader.tags() == [undo, card(V, "a"), card(U, "b")]
        assert reader.tags("chaos-kart") == [card(V, "a"), card(U, "b")]
        assert reader.tags("") == [undo]
        assert reader.tag(U) == card(U, "b")


def test_threads_that_bind_and_look(journal: Journal) -> None:
    every = deck(60)

    def bind(mine: list[Tag]) -> None:
        for tag in mine:
            journal.bind(tag)
            assert journal.tag(tag.uid) == tag

    threads = [threading.Thread(target=bind, args=(every[n::3],)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert journal.tags() == every


def test_a_uid_is_shown_by_its_end() -> None:
    assert short(V) == "…5E0A"


# -- kept ----------------------------------------------------------------------------------------

ENROL = """
import sys
from companion.journal import Journal
from companion.rules.tags import Tag, TagKind
with Journal(sys.argv[1]) as journal:
    first = len(journal.tags())
    for n in range(first, 10**6):
        journal.bind(Tag(f"{n:08X}", "chaos-kart", TagKind.CARD, "card", n + 1))
        print(f"told {n + 1}", flush=True)
"""


def test_every_tag_told_before_a_kill_is_there(path: Path) -> None:
    chance = random.Random(4)
    for _ in range(8):
        with python(ENROL, path) as writer:
            assert writer.stdout is not None
            seen = [writer.stdout.readline() for _ in range(chance.randint(1, 20))]
            writer.kill()
            seen += writer.stdout
        told = int([row for row in seen if row.endswith("\n")][-1].removeprefix("told "))
        with Journal(path) as journal:
            assert journal.recovery is None
            count = len(journal.tags())
            assert told <= count <= told + 1, "at most the one not told yet is more"
            assert {tag.uid for tag in journal.tags()} == {f"{n:08X}" for n in range(count)}


def test_a_backup_has_the_tags(journal: Journal, tmp_path: Path) -> None:
    journal.bind_all(deck(144))
    copy = backup(journal.path, tmp_path / "copy.db")
    with Journal(copy) as restored:
        assert restored.recovery is None
        assert restored.tags() == deck(144)


@pytest.fixture(scope="module")
def enrolled(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal with a game and a deck, closed."""
    path = tmp_path_factory.mktemp("enrolled") / "journal.db"
    with Journal(path) as journal:
        play(journal, journal.begin(HEADER), 1, 12)
        journal.bind_all(deck(144))
    return path.read_bytes()


def with_pages(content: bytes, pages: set[int], junk: bytes) -> bytes:
    """A file with some pages, counted from 0, overwritten."""
    old = [content[at : at + PAGE] for at in range(0, len(content), PAGE)]
    return b"".join(junk if n in pages else page for n, page in enumerate(old))


def pages_of_tags(content: bytes) -> list[int]:
    """The pages on which there are tags, in either place."""
    return [
        at // PAGE for at in range(0, len(content), PAGE) if b"card-0" in content[at : at + PAGE]
    ]


@pytest.mark.parametrize("junk", [bytes(PAGE), random.Random(1).randbytes(PAGE)])
def test_no_single_page_takes_a_tag_away(path: Path, enrolled: bytes, junk: bytes) -> None:
    noticed = 0
    for page in range(len(enrolled) // PAGE):
        path.write_bytes(with_pages(enrolled, {page}, junk))
        with Journal(path) as journal:
            assert journal.tags() == deck(144), f"page {page}"
            if journal.recovery is not None:
                noticed += 1
                assert (journal.recovery.tags, journal.recovery.lost_tags) == (144, 0)
                assert "Tags saved: 144, lost: 0." in journal.recovery.phrase.plain()
            play(journal, journal.begin(HEADER), 1, 2)
    assert noticed >= len(pages_of_tags(enrolled)) > 4


def test_where_both_places_are_damaged_it_is_said(path: Path, enrolled: bytes) -> None:
    pages = pages_of_tags(enrolled)
    for first in pages:
        for second in pages:
            path.write_bytes(with_pages(enrolled, {first, second}, bytes(PAGE)))
            with Journal(path) as journal:
                saved = journal.tags()
                happened = journal.recovery
            assert set(saved) <= set(deck(144))
            assert happened is not None
            assert happened.tags == len(saved)
            if len(saved) < 144:
                assert happened.lost_tags is None
                assert "others may be lost: companion enrol" in happened.phrase.plain()


def test_a_changed_digit_is_found_in_either_place(path: Path, enrolled: bytes) -> None:
    uid = deck(144)[70].uid.encode()
    places = [at for at in range(len(enrolled)) if enrolled.startswith(uid, at)]
    assert len(places) == 2
    for at in places:
        other = b"A" if enrolled[at + 9 : at + 10] != b"A" else b"B"
        path.write_bytes(enrolled[: at + 9] + other + enrolled[at + 10 :])
        with Journal(path) as journal:
            assert journal.recovery is not None
            assert journal.recovery.lost_tags == 0
            assert journal.tags() == deck(144)


def test_tags_without_any_game_are_saved_too(path: Path) -> None:
    with Journal(path) as journal:
        journal.bind_all(deck(20))
    content = path.read_bytes()
    for page in range(len(content) // PAGE):
        path.write_bytes(with_pages(content, {page}, bytes(PAGE)))
        with Journal(path) as journal:
            assert journal.tags() == deck(20)


def test_damage_that_looks_like_the_older_format_loses_no_tags(path: Path, enrolled: bytes) -> None:
    path.write_bytes(enrolled[:60] + (1).to_bytes(4, "big") + enrolled[64:])
    with Journal(path) as journal:
        assert journal.recovery is not None
        assert journal.tags() == deck(144)
        assert len(journal.load(1).lines) == 12


# -- journals of format 1 ------------------------------------------------------------------------

OLD_SCHEMA = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    header TEXT NOT NULL,
    sum INTEGER NOT NULL,
    label TEXT NOT NULL DEFAULT '',
    finished INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX games_again ON games (id, started, header, sum);
CREATE TABLE contents (digest TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE UNIQUE INDEX contents_again ON contents (digest, text);
CREATE TABLE lines (
    game INTEGER NOT NULL REFERENCES games,
    n INTEGER NOT NULL CHECK (n > 0),
    written TEXT NOT NULL,
    line TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
    game INTEGER NOT NULL REFERENCES games,
    turn INTEGER NOT NULL,
    n INTEGER NOT NULL CHECK (n >= 0),
    state BLOB NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (game, turn, n)
) STRICT, WITHOUT ROWID;
"""


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal as it was made before there were tags: two games of 30 lines and a finished one."""
    folder = tmp_path_factory.mktemp("old")
    with Journal(folder / "new.db") as journal:
        for _ in range(3):
            play(journal, journal.begin(HEADER), 1, 30)
        journal.finish(3, label="A won")
    path = folder / "journal.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(
            f"PRAGMA page_size = {PAGE}; BEGIN; PRAGMA application_id = {0x54424C43};"
            f" PRAGMA user_version = 1; {OLD_SCHEMA} COMMIT; PRAGMA journal_mode = WAL;"
        )
        db.execute("ATTACH ? AS new", (str(folder / "new.db"),))
        for table in ("contents", "games", "lines", "snapshots"):
            db.execute(f"INSERT INTO main.{table} SELECT * FROM new.{table}")
    return path.read_bytes()


def check_old_games(journal: Journal) -> None:
    assert [(g.id, g.lines, g.label, g.finished) for g in journal.games()] == [
        (3, 30, "A won", True),
        (2, 30, "round 6", False),
        (1, 30, "round 6", False),
    ]
    for game in (1, 2, 3):
        assert journal.load(game).lines == tuple(line(n) for n in range(1, 31))
        assert journal.load(game).header.content == HEADER.content
        assert journal.latest_snapshot(game) == (30, state(30))
        assert journal.latest_snapshot(game, 27) == (25, state(25))


def schema(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        version = db.execute("PRAGMA user_version").fetchone()
        return [version, *db.execute("SELECT name, rootpage, sql FROM sqlite_schema")]


def test_a_journal_of_before_goes_on_with_tags(path: Path, old: bytes, tmp_path: Path) -> None:
    path.write_bytes(old)
    for _ in range(2):
        with Journal(path) as journal:
            assert journal.recovery is None
            check_old_games(journal)
            journal.bind(card(U))
    with Journal(path) as journal:
        assert journal.tags() == [card(U)]
        play(journal, 1, 31, 35)
    Journal(tmp_path / "fresh.db").close()
    assert schema(path) == schema(tmp_path / "fresh.db"), "the same tables at the same pages"
    left = sorted(file.name for file in path.parent.glob("journal.db*"))
    assert left == ["journal.db", "journal.db.lock"]


def test_what_a_journal_of_before_has_only_in_its_log_comes_along(path: Path, old: bytes) -> None:
    source = path.with_name("killed.db")
    source.write_bytes(old)
    with closing(sqlite3.connect(source, isolation_level=None)) as db:
        db.execute("UPDATE games SET label = 'only in the log' WHERE id = 2")
        for part in ("", "-wal"):
            Path(f"{path}{part}").write_bytes(Path(f"{source}{part}").read_bytes())
    with Journal(path) as journal:
        assert journal.recovery is None
        assert journal.games()[1].label == "only in the log"


def test_a_journal_of_before_can_be_read_and_copied_without_a_change(
    path: Path, old: bytes, tmp_path: Path
) -> None:
    path.write_bytes(old)
    with Reader(path) as reader:
        assert (reader.tags(), reader.tag(U)) == ([], None)
        assert len(reader.games()) == 3
    copy = backup(path, tmp_path / "copy.db")
    assert path.read_bytes() == old
    with Journal(copy) as journal:
        check_old_games(journal)


def test_a_damaged_journal_of_before_is_saved(path: Path, old: bytes) -> None:
    for page in range(1, len(old) // PAGE, 3):
        path.write_bytes(with_pages(old, {page}, bytes(PAGE)))
        with Journal(path) as journal:
            assert [game.id for game in journal.games()] == [3, 2, 1]
            assert journal.recovery is None or "Tags" not in journal.recovery.phrase.plain()
            journal.bind(card(U))


class Cut(BaseException):
    """The plug is pulled."""


def interrupted(path: Path, at: int) -> bool:
    """Open a journal; whether that was stopped at the `at`-th step that names, copies or syncs."""
    left = [at]

    def cutting(owner: object, name: str) -> None:
        do = getattr(owner, name)

        def step(*args: object, **more: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise Cut
            return do(*args, **more)

        monkeypatch.setattr(owner, name, step)

    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in ("replace", "unlink"):
            cutting(Path, name)
        for name in ("sync_file", "create", "writing", "reading", "fault"):
            cutting(database, name)
        try:
            Journal(path).close()
        except Cut:
            return True
    return False


def test_a_migration_interrupted_anywhere_loses_nothing(path: Path, old: bytes) -> None:
    steps = 0
    while True:
        for file in path.parent.glob("journal.db*"):
            file.unlink()
        path.write_bytes(old)
        if not interrupted(path, steps):
            break
        with Journal(path) as journal:
            assert journal.recovery is None
            check_old_games(journal)
            assert journal.tags() == []
        assert not list(path.parent.glob("*.new*")) + list(path.parent.glob("*.migrated*"))
        steps += 1
    assert steps > 10


def test_a_later_format_is_still_refused(path: Path, enrolled: bytes) -> None:
    later = enrolled[:60] + (3).to_bytes(4, "big") + enrolled[64:]
    path.write_bytes(later)
    for kind in (Journal, Reader):
        with pytest.raises(NewerJournal):
            kind(path)
    assert path.read_bytes() == later


# -- files ---------------------------------------------------------------------------------------

NAMES = [("rusak", 3), ("stun", 2), ("boost", 5)]
THINGS = {
    thing.key: thing
    for thing in (
        *(
            TaggedThing(
                game="chaos-kart",
                kind=TagKind.CARD,
                thing=name,
                name=Named({"en": name}),
                group=Phrase("deck"),
                copies=copies,
            )
            for name, copies in NAMES
        ),
        TaggedThing(
            game="", kind=TagKind.UNDO, thing="undo", name=Phrase("undo"), group=Phrase("table")
        ),
    )
}
HEAD = "uid,game,kind,thing,copy\n"


def taken_in(
    text: str | bytes, suffix: str = ".csv", stored: list[Tag] | None = None, *, move: bool = False
) -> list[Tag]:
    data = text.encode() if isinstance(text, str) else text
    rows = tagfiles.read(data, suffix, "tags.csv")
    return tagfiles.checked(rows, THINGS, stored or [], "tags.csv", move=move)


def problems(text: str | bytes, suffix: str = ".csv", stored: list[Tag] | None = None) -> list[str]:
    with pytest.raises(tagfiles.BadTagFile) as caught:
        taken_in(text, suffix, stored)
    return [problem.plain() for problem in caught.value.problems]


@pytest.mark.parametrize("spelling", ["ac:8c:5e:0a", "AC8C5E0A", "AC-8C-5E-0A", " 0xac8c5e0a "])
def test_every_spelling_of_a_uid_is_the_same_card(spelling: str) -> None:
    """R10."""
    assert taken_in(f"{HEAD}{spelling},chaos-kart,card,rusak,1\n") == [card("AC8C5E0A")]


def test_everything_wrong_is_told_with_its_row() -> None:
    """R10, and what spreadsheets do to numbers."""
    rows = (
        "AC8C5EA,chaos-kart,card,rusak,1",
        "4.0E+12,chaos-kart,card,rusak,1",
        '"4,0E+12",chaos-kart,card,rusak,1',
        "xyz,chaos-kart,card,rusak,1",
        ",chaos-kart,card,rusak,1",
        "AC8C5E0A,ludo,card,rusak,1",
        "AC8C5E0B,chaos-kart,sticker,rusak,1",
        "AC8C5E0C,chaos-kart,card,rust,1",
        "AC8C5E0D,chaos-kart,card,rusak,24",
        "AC8C5E0E,chaos-kart,card,rusak,one",
        f"AC8C5E0F,chaos-kart,card,rusak,{'9' * 5000}",
        "AC8C5E10,chaos-kart",
    )
    told = problems(HEAD + "\n".join(rows))
    assert [row.partition(":")[0] for row in told] == [f"row {n}" for n in range(2, 14)]
    assert told[0] == "row 2: AC8C5EA has 7 digits, not 8, 14, 20: has it lost leading zeros?"
    assert told[1] == (
        "row 3: 4.0E+12: the spreadsheet made a number of it. Format the column as text."
    )
    assert told[3] == "row 5: xyz is no UID: only the digits 0-9 and A-F"
    assert told[5] == "row 7: there is no game ludo: chaos-kart"
    assert told[6] == "row 8: there is no kind sticker here: card"
    assert told[7] == "row 9: there is no card rust in chaos-kart"
    assert told[8] == "row 10: copy 24 of rusak cannot be: 1 to 23"
    with pytest.raises(tagfiles.BadTagFile, match=r"^tags.csv was not imported, nothing is ch"):
        taken_in(HEAD + "\n".join(rows))


def test_a_uid_that_only_looks_like_a_number_is_one() -> None:
    text = f"{HEAD}12E45678,chaos-kart,card,rusak,1\n"
    assert taken_in(text) == [card("12E45678")]


def test_a_uid_twice_is_refused_with_both_rows() -> None:
    """R18."""
    rows = [f"000000{n:02X},chaos-kart,card,boost,{n}" for n in range(1, 6)]
    rows.insert(1, f"{U},chaos-kart,card,rusak,1")
    rows.append("")
    rows.append("04:a3:c6:ca:e2:61:80,chaos-kart,card,stun,1")
    assert problems(HEAD + "\n".join(rows)) == ["rows 3 and 9: the same UID, …6180"]
    same_copy = f"{HEAD}{U},chaos-kart,card,stun,1\n{V},chaos-kart,card,stun,1\n"
    assert problems(same_copy) == ["rows 2 and 3: the same card, stun, copy 1"]


def test_what_means_something_else_moves_only_when_asked() -> None:
    text = f"{HEAD}{U},chaos-kart,card,stun,1\n{V},chaos-kart,card,rusak,2\n"
    stored = [card(U, "rusak"), card(W, "rusak", 2)]
    assert problems(text, stored=stored) == [
        "row 2: …6180 is rusak, copy 1, until now; --move moves it",
        "row 3: rusak, copy 2, has the tag …6655 until now; --move replaces it",
    ]
    assert taken_in(text, stored=stored, move=True) == [card(U, "stun"), card(V, "rusak", 2)]
    assert taken_in(text, stored=[card(U, "stun")]) == [card(U, "stun"), card(V, "rusak", 2)]


def test_the_habits_of_spreadsheets_do_no_harm() -> None:
    table = "Copy;Thing;Note;UID;Game;Kind\r\n1;rusak;old;ac8c5e0a;chaos-kart;card\r\n\r\n;;;;;\r\n"
    for data in (
        table.encode("utf-8-sig"),
        table.encode("utf-16"),
        table.replace(";", "\t").encode(),
        table.replace(";", ",").replace("\r", "").encode(),
    ):
        assert taken_in(data) == [card("AC8C5E0A")]


@pytest.mark.parametrize(
    ("data", "suffix", "told"),
    [
        (b"", ".csv", "it has no uid, game, kind, thing, copy"),
        (b"uid,game\n", ".csv", "it has no kind, thing, copy"),
        (b"\xff\xff\xff", ".csv", "decode"),
        (b"{}", ".json", "Expected `array`"),
        (b"[{", ".json", "truncated"),
        (b'[{"uid": null}]', ".json", "Expected"),
        (b"[3]", ".json", "Expected `object`"),
    ],
)
def test_what_is_no_table_is_refused(data: bytes, suffix: str, told: str) -> None:
    assert told in problems(data, suffix)[0]


def test_no_more_than_twenty_problems_are_told_at_once() -> None:
    text = HEAD + "xyz,chaos-kart,card,rusak,1\n" * 33
    with pytest.raises(tagfiles.BadTagFile) as caught:
        taken_in(text)
    lines = str(caught.value).splitlines()
    assert len(lines) == 1 + 20 + 1
    assert lines[-1] == "… and 13 more"


TAGS = st.lists(
    st.tuples(
        st.sampled_from([4, 7, 10]).flatmap(lambda n: st.binary(min_size=n, max_size=n)),
        st.sampled_from([(name, n + 1) for name, copies in NAMES for n in range(copies)]),
    ),
    unique_by=(lambda pair: pair[0], lambda pair: pair[1]),
)


@given(TAGS, st.sampled_from(tagfiles.SUFFIXES))
def test_what_is_written_is_what_is_read(
    pairs: list[tuple[bytes, tuple[str, int]]], suffix: str
) -> None:
    tags = [card(to_text(uid), thing, copy) for uid, (thing, copy) in pairs]
    text = tagfiles.written(tags, suffix)
    assert taken_in(text, suffix, tags) == sorted(tags, key=lambda tag: tag.meaning)
    assert tagfiles.written(reversed(tags), suffix) == text


@given(st.text(), st.sampled_from(tagfiles.SUFFIXES))
def test_any_text_is_refused_in_words_or_gives_nothing(text: str, suffix: str) -> None:
    with suppress(tagfiles.BadTagFile):
        assert taken_in(text.encode(errors="replace"), suffix) == []
