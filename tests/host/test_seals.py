"""Things with tags that stay secret, at a whole table: no file, page or line says what they are."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.configuration import Configuration
from companion.devices.inputs import Tapped
from companion.devices.settings import DeviceSettings
from companion.devices.station import Station
from companion.enrolling import enrol
from companion.equipping import equipped, handset_of, things_of
from companion.games import shelf
from companion.host import Table, go_on_from_stored, new_table, resume_table
from companion.journal import Journal, backup
from companion.journal.errors import Unreadable
from companion.rules.errors import CompanionError, Refused
from companion.rules.seals import is_seal
from companion.rules.setups import SeatSetup
from companion.rules.tags import Tag, TagKind
from companion.screens.handset import Handset, Meaning, Misread, Outcome, Result
from companion.screens.handset.beside import acts_beside
from companion.screens.terminal import Terminal
from companion.sealing import Seals, sealed_games
from companion.tabletop import Tabletop
from companion.tagging import tags
from companion.words import Words
from tests.cups import BOX, STONES
from tests.host.simulated import SETTINGS, Hands, hands_quick

CRIMSON, INDIGO = STONES
RED, BLUE, GREEN, BELL, CARD = (f"04AABBCCDD{n:02X}80" for n in range(5))
BOOK = [
    Tag(RED, "cups", TagKind.SEALED, "stone/crimson"),
    Tag(BLUE, "cups", TagKind.SEALED, "stone/indigo"),
    Tag(GREEN, "cups", TagKind.SEALED, "stone/indigo", 2),
    Tag(BELL, "cups", TagKind.SEALED, "bell/brass"),
    Tag(CARD, "cups", TagKind.CARD, "ready"),
]


@pytest.fixture(autouse=True)
def on_the_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shelf.GAMES, "cups", "tests.cups")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as journal:
        yield journal


def begun(journal: Journal) -> Table:
    return new_table(BOX, SeatSetup(seats=("Ana", "Budi")), {}, journal, language="en")


class AtTheTable:
    """A table with a display and a reader whose taps come when a test says so."""

    def __init__(self, table: Table, book: Any) -> None:
        self.table = table
        self.now = 100.0
        table.seals.book = book
        self.handset = handset_of(table, Words("en"), things_of(table))
        station = Station(DeviceSettings())
        self.tabletop = Tabletop(station, book, self.handset, clock=lambda: self.now)
        self.tabletop.enter(self.handset, "cups", table.seals.seal)

    def tap(self, uid: str, seat: str = "") -> Outcome:
        self.now += 1
        return self.handset.tap(self.meaning(uid), self.now, seat or None)

    def meaning(self, uid: str) -> Meaning:
        return self.tabletop.meaning(Tapped("A", uid, self.now))

    def push(self, *buttons: str) -> None:
        for button in buttons:
            self.now += 1
            self.handset.push(button, "short", self.now)

    @property
    def page(self) -> str:
        return " ".join(" ".join(text for text, _ in self.handset.sheet().texts).split())


@pytest.fixture
def at(journal: Journal) -> AtTheTable:
    journal.bind_all(BOOK)
    return AtTheTable(begun(journal), journal)


def laid(at: AtTheTable) -> AtTheTable:
    """Ana has the indigo stone, Budi the crimson one."""
    at.tap(BLUE)
    at.tap(RED)
    return at


# -- taps ------------------------------------------------------------------------------------------


def test_a_tap_of_a_thing_that_lies_face_down_is_its_seal(at: AtTheTable) -> None:
    meaning = at.meaning(RED)
    assert meaning == Meaning(TagKind.SEALED, at.table.seals.seal(BOOK[0]))
    assert is_seal(meaning.thing)
    assert at.meaning(CARD) == Meaning(TagKind.CARD, "ready", CARD[-4:])


def test_a_tap_answers_the_question_and_its_seal_is_kept(at: AtTheTable) -> None:
    assert at.tap(RED).result is Result.ACCEPTED
    assert at.table.session.game.state.cups == {"A": at.table.seals.seal(BOOK[0])}


def test_a_thing_of_another_sort_is_told(at: AtTheTable) -> None:
    assert at.tap(BELL).result is Result.REFUSED
    assert "That is no stone." in at.page
    assert not at.table.session.entries


def test_the_same_thing_cannot_be_laid_twice(at: AtTheTable) -> None:
    at.tap(RED)
    assert at.tap(RED).result is Result.REFUSED
    assert "another cup" in at.page


def test_out_of_turn_it_says_nothing_of_what_it_is(at: AtTheTable) -> None:
    laid(at)
    assert at.tap(GREEN).result is Result.REFUSED
    assert not any(stone in at.page for stone in STONES)


def test_an_unknown_tag_can_be_registered_as_nothing_that_lies_face_down(at: AtTheTable) -> None:
    assert at.tap("04C0FFEE5EED99").result is Result.UNKNOWN
    assert "Register it?" in at.page
    kinds = {thing.kind for thing in at.handset.things}
    assert TagKind.SEALED not in kinds
    assert TagKind.CARD in kinds


def test_before_a_game_it_belongs_to_another_one(at: AtTheTable) -> None:
    at.tabletop.enter(at.handset)
    assert at.meaning(RED).kind is Misread.OTHER_GAME


# -- a look ----------------------------------------------------------------------------------------


def test_a_look_is_covered_until_the_seat_uncovers_it(at: AtTheTable) -> None:
    laid(at)
    at.table.session.answer("B", "A")
    at.handset.look()
    assert CRIMSON not in at.page
    at.push("ok")
    assert CRIMSON in at.page
    at.push("ok")
    assert at.table.session.prompt.key == "ready", "who goes on has seen it"
    assert CRIMSON not in at.page


def test_a_look_is_covered_again_by_and_by(at: AtTheTable) -> None:
    laid(at)
    at.table.session.answer("B", "A")
    at.handset.look()
    at.push("ok")
    assert CRIMSON in at.page
    at.handset.tick(at.now + 60)
    assert CRIMSON not in at.page


def test_who_has_looked_looks_again_from_the_menu(at: AtTheTable) -> None:
    laid(at)
    for choice in ("B", "seen"):
        at.table.session.answer(choice, "A")
    lines = at.table.session.number
    at.handset.look()
    (item,) = acts_beside(at.handset)
    item.choose()
    assert "Only Ana should look now." in at.page
    assert CRIMSON not in at.page
    at.push("ok")
    assert CRIMSON in at.page
    at.handset.tick(at.now + 10)
    assert CRIMSON in at.page
    at.handset.tick(at.now + 60)
    assert CRIMSON not in at.page
    assert at.table.session.number == lines


def test_in_the_terminal_who_has_looked_looks_again_at_the_own_screen(at: AtTheTable) -> None:
    laid(at)
    for choice in ("B", "seen"):
        at.table.session.answer(choice, "A")
    screens = [
        Terminal(at.table.session, BOX, at.table.wording, Words("en"), who=who, oled=False)
        for who in ("A", "B", None)
    ]
    assert screens[0].handle("again") == "Please again: crimson"
    assert [screen.handle("again") for screen in screens[1:]] == [
        "Only one player may see this: use the small display."
    ] * 2
    assert "again" in screens[2].handle("help")


def test_a_lost_tag_is_said_to_who_looks(at: AtTheTable, journal: Journal) -> None:
    laid(at)
    journal.unbind(RED)
    at.table.session.answer("B", "A")
    at.handset.look()
    at.push("ok")
    assert "a stone: look at it yourself" in at.page


def test_the_terminal_shows_a_look_to_nobody_but_its_seat(at: AtTheTable) -> None:
    laid(at)
    table = at.table
    shared = Terminal(table.session, BOX, table.wording, Words("en"), oled=False)
    told = [shared.handle("b")]
    told += [shared.screen(), shared.handle(""), shared.handle("log all"), shared.handle("why")]
    for line in ("amend", "undo", "no"):
        told += [shared.handle(line), shared.screen()]
    assert "Hand the device over" in told[1]
    assert table.seals.seal(BOOK[0]) not in " ".join(told)
    assert not any(stone in text for text in told for stone in STONES)
    own = Terminal(table.session, BOX, table.wording, Words("en"), who="A", oled=False)
    assert "Shown to you: crimson" in own.screen()
    other = Terminal(table.session, BOX, table.wording, Words("en"), who="B", oled=False)
    assert not any(stone in other.screen() for stone in STONES)


# -- reveals ---------------------------------------------------------------------------------------


def test_what_is_revealed_is_told_without_a_tap(at: AtTheTable) -> None:
    laid(at)
    at.table.session.answer("pass", "A")
    assert at.tap(CARD).result is Result.ACCEPTED
    assert at.table.session.game.state.stones == {"A": INDIGO, "B": CRIMSON}


def test_a_journal_that_cannot_be_read_stops_nothing(at: AtTheTable) -> None:
    class Damaged:
        def tags(self) -> list[Tag]:
            raise Unreadable(Path("journal.db"), "damaged")

    laid(at)
    at.table.seals.book = Damaged()
    at.table.session.answer("pass", "A")
    at.table.session.answer("ready", "B")
    assert at.table.session.prompt.key == "lift"
    at.table.session.answer(INDIGO)
    at.table.session.answer(CRIMSON)
    assert at.table.session.over


def test_seals_of_another_game_are_not_opened() -> None:
    other = [Tag(RED, "other", TagKind.SEALED, "stone/crimson")]
    seals = Seals("cups", "salt", None)
    assert seals.open(seals.seal(BOOK[0])) is None

    class Book:
        def tags(self) -> list[Tag]:
            return other

    seals.book = Book()
    assert seals.open(seals.seal(BOOK[0])) is None
    other.append(BOOK[0])
    assert seals.open(seals.seal(BOOK[0])) == CRIMSON


def test_after_a_restart_the_look_is_shown_again_and_the_reveal_comes(
    at: AtTheTable, journal: Journal
) -> None:
    laid(at)
    before = at.table.seals.seal(BOOK[0])
    at.table.session.answer("B", "A")
    again = resume_table(journal, at.table.number)
    assert again.seals.seal(BOOK[0]) == before
    assert again.session.shown_to("A") == [CRIMSON]
    assert again.session.shown_to("B") == []
    again.session.answer("seen")
    again.session.answer("ready")
    assert again.session.game.state.stones == {"A": INDIGO, "B": CRIMSON}


def test_a_game_that_goes_on_from_its_stored_state_knows_its_seals(
    at: AtTheTable, journal: Journal
) -> None:
    laid(at)
    at.table.session.answer("pass")
    stored = go_on_from_stored(journal, at.table.number)
    stored.session.answer("ready")
    assert stored.session.game.state.stones == {"A": INDIGO, "B": CRIMSON}


# -- what is written -------------------------------------------------------------------------------


@contextmanager
def simulated(journal: Journal) -> Iterator[Hands]:
    """The same game on simulated chips, whose tags no file knows."""
    table = begun(journal)
    configuration = Configuration(devices=SETTINGS)
    with (
        hands_quick(),
        equipped(
            table, configuration, Words("en"), simulated=True, changed=lambda: None
        ) as equipment,
    ):
        assert equipment.bench is not None
        yield Hands(table, equipment, equipment.bench)


def files_with(folder: Path, word: str) -> list[str]:
    """The names of the files below a folder in which a word stands."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path.name for path in files if word.encode() in path.read_bytes()]


def test_no_file_has_the_thing_until_it_is_revealed(journal: Journal, tmp_path: Path) -> None:
    with simulated(journal) as hands:
        session = hands.table.session
        hands.do("tap crimson stone", "tap brass bell", "tap indigo stone", "tap ?")
        hands.do("press back")
        session.answer("B", "A")
        hands.equipment.look()
        hands.do("press ok")
        assert session.shown_to("A")
        scene = hands.equipment.tabletop.scene
        assert isinstance(scene, Handset)
        assert any(stone in text for text, _ in scene.sheet().texts for stone in STONES)
        hands.do("press ok")
        assert session.prompt.key == "ready"
        backup(journal.path, tmp_path / "copy.db")
        lying = [seal for seal in session.game.state.cups.values() if is_seal(seal)]
        assert len(lying) == 2
        assert "copy.db" in files_with(tmp_path, lying[0])
        assert [files_with(tmp_path, stone) for stone in STONES] == [[], []]
        hands.do("tap ready")
        assert session.over
        assert files_with(tmp_path, CRIMSON)


def test_any_stone_is_tapped_by_the_word_for_all_of_them(journal: Journal) -> None:
    with simulated(journal) as hands:
        hands.do("tap stones", "tap stones")
        assert len(set(hands.table.session.game.state.cups.values())) == 2


# -- asking what a tag is --------------------------------------------------------------------------


def told(
    capsys: pytest.CaptureFixture[str], journal: Path, action: str, what: str | Path | None = None
) -> str:
    """What `companion tags` says, or why it does not."""
    options = argparse.Namespace(
        action=action, what=None if what is None else str(what), game=None, move=True
    )
    options.journal = journal
    try:
        tags(options, Words("en"), {})
    except CompanionError as error:
        return error.phrase.plain()
    return capsys.readouterr().out


def enrolled(capsys: pytest.CaptureFixture[str], journal: Path, *lines: str) -> str:
    options = argparse.Namespace(game="cups", thing=[], journal=journal, script=None)
    typed = iter([*lines, "quit"])
    enrol(options, Words("en"), {}, lines=lambda _wait: next(typed))
    return capsys.readouterr().out


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A journal in which a game has two stones lying."""
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        journal.bind_all(BOOK)
        table = begun(journal)
        for tag in BOOK[:2]:
            table.session.answer(table.seals.seal(tag))
    return path


def finish(path: Path) -> None:
    with Journal(path) as journal:
        table = resume_table(journal, 1)
        table.session.answer("pass")
        table.session.answer("ready")
        assert table.session.over


def test_a_game_is_sealed_from_its_first_seal_to_its_end(journal: Journal) -> None:
    journal.bind_all(BOOK)
    table = begun(journal)
    assert sealed_games(journal) == frozenset()
    with pytest.raises(Refused):
        table.session.answer(table.seals.seal(BOOK[3]))
    assert sealed_games(journal) == {"cups"}
    for choice in ("unseen", "unseen", "pass", "ready", CRIMSON, INDIGO):
        table.session.answer(choice)
    assert sealed_games(journal) == frozenset()


def test_a_game_that_goes_on_from_a_stored_state_is_sealed_too(file: Path) -> None:
    with Journal(file) as journal:
        new = go_on_from_stored(journal, 1)
        journal.finish(1)
        assert new.number == 2
        assert sealed_games(journal) == {"cups"}


def test_which_says_nothing_while_the_game_is_open(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, file, "which", RED) == "…0080: sealed as long as a game with it is open\n"
    assert "ready" in told(capsys, file, "which", CARD)
    finish(file)
    assert "crimson stone" in told(capsys, file, "which", RED)


def test_a_list_counts_and_an_export_leaves_out(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "crimson stone: 1 of 1" in told(capsys, file, "list")
    out = tmp_path / "tags.csv"
    assert "Without 4 tags" in told(capsys, file, "export", out)
    assert "ready" in out.read_text()
    assert not any(stone in out.read_text() for stone in STONES)
    finish(file)
    assert "Without" not in told(capsys, file, "export", tmp_path / "all.csv")
    assert "stone/crimson" in (tmp_path / "all.csv").read_text()


@pytest.mark.parametrize(
    "row",
    [
        f"{RED},cups,sealed,stone/crimson,1",
        f"{BLUE},cups,sealed,stone/crimson,1",
        f"{RED},cups,card,ready,1",
        "04FFFFFFFFFFFF,cups,sealed,stone/crimson,1",
    ],
)
def test_an_import_tells_nothing_by_what_it_takes(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(f"uid,game,kind,thing,copy\n{row}\n")
    answer = told(capsys, file, "import", rows)
    assert f"…{row.partition(',')[0][-4:]}: sealed as long as a game with it is open" in answer
    with Journal(file) as journal:
        assert sorted(journal.tags(), key=lambda tag: tag.uid) == BOOK
    finish(file)
    assert "sealed as long" not in told(capsys, file, "import", rows)


def test_a_forgotten_tag_is_not_told_either(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not any(stone in told(capsys, file, "forget", RED) for stone in STONES)
    with Journal(file) as journal:
        assert journal.tag(RED) is None


@pytest.mark.parametrize("before", ["", "which", "go bell", "replace 1"])
def test_enrolling_tells_and_changes_nothing_that_lies_face_down(
    file: Path, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    said = enrolled(capsys, file, *[before] * bool(before), RED, "yes", f"which {RED}")
    assert said.count("…0080: sealed as long as a game with it is open") == 2
    assert not any(stone in said for stone in STONES)
    with Journal(file) as journal:
        assert journal.tag(RED) == BOOK[0]


def test_what_lies_face_down_is_no_part_of_a_walk(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = enrolled(capsys, file, "replace 1", "crimson stone", "04FFFFFFFFFFFF", "list")
    assert "“crimson stone” is" in said
    assert "stones" not in said
    with Journal(file) as journal:
        stones = [tag for tag in journal.tags() if tag.kind is TagKind.SEALED]
        assert sorted(stones, key=lambda tag: tag.uid) == BOOK[:4]


def test_enrolling_goes_on_where_no_game_is_open(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finish(file)
    assert "crimson stone" in enrolled(capsys, file, f"which {RED}")
