"""Enrolling a deck: the walk, wrong taps, lost tags, the terminal, and the tags as files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.command import main
from companion.devices.inputs import Crowded, Input, Lifted, Tapped
from companion.enrolling import enrol, read_uid
from companion.games.shelf import open_box
from companion.journal import InUse, Journal, NotWritten, tagfiles
from companion.rules.errors import CompanionError, NotUnderstood, WhichOne
from companion.rules.phrases import Phrase
from companion.rules.tags import Tag, TaggedThing, TagKind, next_copy, table_things
from companion.screens.enrolment import Enrolment, What
from companion.tagging import tags
from companion.typed import TypedLines
from companion.words import Words

BOX = open_box("chaos-kart")
THINGS = [*BOX.tagged(BOX.content()), *table_things(BOX.seats[1])]


def uid(number: int) -> str:
    return f"04{number:012X}"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def walk(journal: Journal) -> Enrolment:
    return Enrolment(THINGS, journal)


def asked(walk: Enrolment) -> str:
    return walk.prompt.plain()


def tap_all(walk: Enrolment, name: str, first: int) -> None:
    """Give every copy of a card its tag, from a number on."""
    assert walk.jump(name).what is What.WENT
    slot = walk.next
    assert slot is not None
    for number in range(slot.thing.copies):
        assert walk.tapped(uid(first + number)).what is What.BOUND


# -- what can have a tag -------------------------------------------------------------------------


def test_a_box_has_every_card_once_and_then_what_answers_questions() -> None:
    things = BOX.tagged(BOX.content())
    cards = [thing for thing in things if thing.kind is TagKind.CARD]
    assert things[: len(cards)] == cards
    assert sum(card.copies for card in cards) == 144
    assert len({thing.key for thing in THINGS}) == len(THINGS)
    rest = {(thing.kind.value, thing.thing): thing.copies for thing in things[len(cards) :]}
    assert rest == {
        ("token", "shield"): 8,
        ("token", "bump-guard"): 16,
        **{("piece", seat): 1 for seat in "ABCDEFGH"},
    }
    assert [thing.thing for thing in table_things(3)] == ["A", "B", "C", "judge", "undo"]


def test_the_first_copy_without_a_tag(journal: Journal) -> None:
    first = THINGS[0]
    assert (first.thing, first.copies) == ("forward-1", 5)
    for bound, free in ((2, 1), (1, 3), (4, 3), (3, 5)):
        journal.bind(Tag(uid(bound), first.game, first.kind, first.thing, bound))
        assert next_copy(first, journal.tags()) == free
    journal.bind(Tag(uid(5), first.game, first.kind, first.thing, 5))
    assert next_copy(first, journal.tags()) == 6, "a spare, for a tag that is lost"


# -- the walk ------------------------------------------------------------------------------------


def test_a_whole_deck_with_mistakes_and_a_pause(journal: Journal) -> None:
    walk = Enrolment(THINGS, journal)
    expected = [(t.thing, n + 1) for t in THINGS for n in range(t.copies)]
    for number, (thing, copy) in enumerate(expected[:144]):
        if number % 20 == 3:
            assert walk.tapped(uid(9999)).what is What.BOUND
            assert walk.undo().what is What.UNDONE
            assert journal.tag(uid(9999)) is None
        if number % 20 == 7:
            assert walk.crowded().what is What.CROWDED
            assert walk.tapped(uid(number - 1)).what is What.ALREADY, "tapped twice"
        if number in (40, 100):
            walk = Enrolment(THINGS, journal)  # another evening
        slot = walk.next
        assert slot is not None
        assert (slot.thing.thing, slot.copy) == (thing, copy)
        assert (walk.progress.done, walk.progress.total) == (number, 144)
        assert f" — {number}/144" in asked(walk)
        assert walk.tapped(uid(number)).what is What.BOUND
        assert journal.tag(uid(number)) == slot.tag(uid(number))
    assert asked(walk) == "If you like, tap: marker: shield, copy 1 of 8 — 0/42"
    assert [tag.copy for tag in journal.tags() if tag.thing == "forward-1"] == [1, 2, 3, 4, 5]
    for number in range(144, len(expected)):
        assert walk.tapped(uid(number)).what is What.BOUND
    assert asked(walk) == "All 186 have tags."
    assert walk.tapped(uid(7000)).phrase.plain() == "…1B58 means nothing yet."
    assert walk.skip().what is What.NOTHING
    assert Enrolment(THINGS, journal).next is None


def test_the_question_names_copy_and_progress(walk: Enrolment) -> None:
    walk.tapped(uid(1))
    assert asked(walk) == "Tap: Forward 1, copy 2 of 5 — 1/144"
    first, *_ = walk.groups()
    assert (first[1].done, first[1].total) == (1, 72)


def test_skipped_copies_are_left_out_until_the_next_walk(walk: Enrolment, journal: Journal) -> None:
    walk.skip()
    assert asked(walk) == "Tap: Forward 1, copy 2 of 5 — 0/144"
    walk.skip(all_copies=True)
    assert asked(walk).startswith("Tap: Forward 2, copy 1")
    while walk.next is not None:
        walk.skip(all_copies=True)
    assert asked(walk) == "0 of 186 have tags; the others were skipped."
    walk.jump("forward 1")
    assert asked(walk) == "Tap: Forward 1, copy 1 of 5 — 0/144"
    assert asked(Enrolment(THINGS, journal)) == asked(walk)


def test_from_a_jump_the_walk_goes_on_and_round(walk: Enrolment) -> None:
    for name in ("event deck", Words("ja").say(Phrase("event deck"))):
        walk.jump("forward 1")
        walk.jump(name)
        slot = walk.next
        assert slot is not None
        assert slot.thing.group == Phrase("event deck")
    for name in ("forward 1", "Maju 1", "前進1", "forward-1"):
        walk.jump("judge")
        walk.jump(name)
        assert asked(walk).startswith("Tap: Forward 1, copy 1")
    walk.jump("undo")
    walk.tapped(uid(1))
    assert asked(walk).startswith("Tap: Forward 1, copy 1"), "the last thing; round to the first"
    with pytest.raises(NotUnderstood, match="nothing that can have a tag"):
        walk.jump("qqqqqq")
    with pytest.raises(NotUnderstood, match="no copy 6 of Forward 1: 1 to 5"):
        walk.jump("forward 1 6")


# -- a tag that means something else -------------------------------------------------------------


def test_a_tag_moves_only_after_yes(walk: Enrolment, journal: Journal) -> None:
    """R18."""
    tap_all(walk, "forward 1", 1)
    walk.tapped(uid(6))
    told = walk.tapped(uid(2))
    assert told.what is What.TAKEN
    assert told.phrase.plain() == (
        "This is Forward 1, copy 2 of 5. Move it to Forward 2, copy 2 of 8?"
    )
    assert walk.no().what is What.WENT
    assert walk.yes().what is What.NOTHING
    walk.tapped(uid(2))
    walk.tapped(uid(7))
    assert walk.yes().what is What.NOTHING, "the next tap was the answer"
    walk.tapped(uid(2))
    assert walk.yes().what is What.BOUND
    assert journal.tag(uid(2)) == Tag(uid(2), "chaos-kart", TagKind.CARD, "forward-2", 3)
    assert len(journal.tags()) == 7
    walk.undo()
    assert journal.tag(uid(2)) == Tag(uid(2), "chaos-kart", TagKind.CARD, "forward-1", 2)
    assert asked(walk).startswith("Tap: Forward 2, copy 3 of 8")


def test_which_card_is_this(walk: Enrolment, journal: Journal) -> None:
    journal.bind(Tag(uid(1), "ludo", TagKind.CARD, "six", 2))
    walk.tapped(uid(2))
    before = journal.tags()
    for number, told in (
        (2, "…0002 is Forward 1, copy 1 of 5."),
        (1, "…0001 is six of ludo, copy 2."),
        (3, "…0003 means nothing yet."),
    ):
        walk.look_up()
        assert asked(walk) == "Tap what you want to look up."
        assert walk.tapped(uid(number)).phrase.plain() == told
    assert journal.tags() == before
    assert asked(walk).startswith("Tap: Forward 1, copy 2")


# -- a lost tag ----------------------------------------------------------------------------------


def test_a_lost_tag_is_replaced_by_its_copys_number(walk: Enrolment, journal: Journal) -> None:
    tap_all(walk, "forward 1", 1)
    told = walk.jump("forward 1")
    assert told.what is What.WHICH_COPY
    assert told.phrase.plain() == (
        "All Forward 1 have tags. Which is lost: 1, 2, 3, 4, 5? Say its number, or tap the others."
    )
    walk.jump("3")
    assert asked(walk) == "Tap the new tag: Forward 1, copy 3 of 5"
    assert walk.tapped(uid(4)).what is What.ALREADY
    told = walk.tapped(uid(50))
    assert told.phrase.plain() == "Forward 1, copy 3 of 5: done. The tag …0003 counts no longer."
    assert journal.tag(uid(3)) is None
    assert asked(walk).startswith("Tap: Forward 2, copy 1"), "the walk goes on where it was"
    walk.undo()
    assert journal.tag(uid(3)) == Tag(uid(3), "chaos-kart", TagKind.CARD, "forward-1", 3)
    assert journal.tag(uid(50)) is None


def test_a_lost_tag_is_found_by_tapping_the_others(walk: Enrolment, journal: Journal) -> None:
    tap_all(walk, "forward 1", 1)
    walk.tapped(uid(6))
    walk.jump("forward 1")
    assert walk.tapped(uid(99)).what is What.WHICH_COPY, "a new tag, and nobody knows for which"
    assert walk.tapped(uid(6)).what is What.TOLD
    for number in (5, 1, 1, 2):
        assert walk.tapped(uid(number)).what is What.WHICH_COPY
    assert walk.tapped(uid(4)).what is What.WENT
    assert asked(walk) == "Tap the new tag: Forward 1, copy 3 of 5"
    walk.tapped(uid(99))
    assert journal.tag(uid(99)) == Tag(uid(99), "chaos-kart", TagKind.CARD, "forward-1", 3)


def test_looking_for_a_lost_tag_can_be_left(walk: Enrolment) -> None:
    tap_all(walk, "forward 1", 1)
    before = asked(walk)
    walk.jump("forward 1")
    walk.skip()
    assert asked(walk) == before
    walk.jump("forward 1 2")
    assert asked(walk) == "Tap the new tag: Forward 1, copy 2 of 5"
    walk.skip()
    assert asked(walk) == before


def test_what_is_there_once_is_replaced_without_a_question(walk: Enrolment) -> None:
    walk.jump("undo")
    walk.tapped(uid(1))
    walk.jump("undo")
    assert asked(walk) == "Tap the new tag: undo"
    assert walk.tapped(uid(2)).what is What.BOUND


def test_nothing_is_told_as_done_that_was_not_written(
    walk: Enrolment, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    walk.tapped(uid(1))
    before = asked(walk)

    def full(*args: object, **more: object) -> list[Tag]:
        raise NotWritten("Not written: the disk is full.")

    with monkeypatch.context() as broken:
        broken.setattr(journal, "bind", full)
        broken.setattr(journal, "bind_all", full)
        with pytest.raises(NotWritten):
            walk.tapped(uid(2))
        with pytest.raises(NotWritten):
            walk.undo()
    assert asked(walk) == before
    assert walk.tapped(uid(2)).what is What.BOUND
    assert [walk.undo().what for _ in range(3)] == [What.UNDONE, What.UNDONE, What.NOTHING]
    assert journal.tags() == []


# -- the terminal --------------------------------------------------------------------------------


def options(path: Path, *thing: str) -> argparse.Namespace:
    return argparse.Namespace(game="chaos-kart", thing=list(thing), journal=path, script=None)


def typed(*lines: str) -> Callable[[float | None], str | None]:
    """Lines one by one, then the end; "" is a moment in which nothing is typed."""
    left = iter(lines)

    def take(wait: float | None) -> str | None:
        line = next(left, None)
        if line is None:
            raise EOFError
        return line or None

    return take


def test_an_evening_at_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new" / "journal.db"
    lines = typed(
        "ac:8c:5e:0a", "kartu", "0412345678", "lewati", "list", "help", "undo", "quit", "x"
    )
    assert enrol(options(path), Words("en"), {}, lines=lines) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[1] == "Tap: Forward 1, copy 1 of 5 — 0/144"
    assert shown[2] == "Forward 1, copy 1 of 5: done."
    assert shown[3] == "Tap: Forward 1, copy 2 of 5 — 1/144"
    assert "“kartu” is not" in shown[4]
    assert "decimal" in shown[5]
    assert shown[6] == "Skipped: Forward 1, copy 2 of 5"
    assert "move deck: 1 of 72" in shown
    assert any(line.startswith("  which [UID]  ") for line in shown)
    assert shown[-2:] == [
        "Taken back: Forward 1, copy 1 of 5",
        "Tap: Forward 1, copy 1 of 5 — 0/144",
    ]


def test_taps_of_readers_and_typed_lines_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    given: list[Input | None] = [
        Tapped("A", uid(1), 0.0),
        Lifted("A", uid(1), 0.5),
        None,
        Crowded("A", (uid(2), uid(3)), 1.0),
        Tapped("A", uid(2), 2.0),
        Tapped("A", uid(2), 3.0),
    ]
    waiting = iter(given)
    lines = typed("", "", "", "go spanner", "", "", "", "which " + uid(2))
    assert enrol(options(path), Words("en"), {}, taps=lambda _: next(waiting), lines=lines) == 0
    shown = capsys.readouterr().out
    assert "Several tags at once" in shown
    with Journal(path) as journal:
        assert {tag.uid: (tag.thing, tag.copy) for tag in journal.tags()} == {
            uid(1): ("forward-1", 1),
            uid(2): ("spanner", 1),
        }


def test_a_lost_tag_named_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        tap_all(Enrolment(THINGS, journal), "forward 1", 1)
    lines = typed(uid(77))
    assert enrol(options(path, "forward", "1", "2"), Words("en"), {}, lines=lines) == 0
    assert "Tap the new tag: Forward 1, copy 2 of 5" in capsys.readouterr().out
    with Journal(path) as journal:
        assert journal.tag(uid(2)) is None
        assert journal.tags()[1] == Tag(uid(77), "chaos-kart", TagKind.CARD, "forward-1", 2)
        with pytest.raises(InUse):
            enrol(options(path), Words("en"), {}, lines=typed())
    with pytest.raises(NotUnderstood):
        enrol(options(path, "nonsense"), Words("en"), {}, lines=typed())


def test_the_lines_of_a_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = options(tmp_path / "journal.db")
    given.script = tmp_path / "lines.txt"
    with pytest.raises(CompanionError, match=r"lines.txt cannot be read: No such file"):
        enrol(given, Words("id"), {})
    given.script.write_text("AC8C5E0A\nbatal\n飛ばす\n")
    assert enrol(given, Words("en"), {}) == 0
    shown = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("T")]
    assert shown == [
        "> AC8C5E0A",
        "Forward 1, copy 1 of 5: done.",
        "> batal",
        "> 飛ばす",
        "Skipped: Forward 1, copy 1 of 5",
    ]


def test_typed_lines_come_whole_and_one_by_one() -> None:
    reading, writing = os.pipe()
    try:
        lines = TypedLines(reading)
        assert lines(0) is None
        os.write(writing, "skip\r\nundo\n前進".encode()[:-1])
        assert (lines(0), lines(0), lines(0)) == ("skip", "undo", None)
        os.write(writing, "前進".encode()[-1:] + b"1\nlast")
        assert (lines(0), lines(0)) == ("前進1", None)
        os.close(writing)
        assert lines(0) == "last"
        with pytest.raises(EOFError):
            lines(None)
    finally:
        os.close(reading)


def test_a_line_that_is_a_uid_in_any_spelling() -> None:
    for spelling in ("ac:8c:5e:0a", "AC8C5E0A", "AC-8C-5E-0A"):
        assert read_uid(spelling) == "AC8C5E0A"
    assert [read_uid(text) for text in ("boost 2", "AC8C5EA", "undo", "3")] == [None] * 4


# -- companion tags ------------------------------------------------------------------------------


def run(path: Path, action: str, what: str | Path | None = None, *, move: bool = False) -> int:
    named = None if what is None else str(what)
    given = argparse.Namespace(action=action, what=named, game=None, move=move, journal=path)
    return tags(given, Words("en"), {})


@pytest.mark.parametrize("suffix", tagfiles.SUFFIXES)
def test_a_deck_goes_out_and_comes_in_again(
    tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, other, file = tmp_path / "a.db", tmp_path / "b.db", tmp_path / f"tags{suffix}"
    with Journal(path) as journal:
        walk = Enrolment(THINGS, journal)
        for number in range(186):
            walk.tapped(uid(number))
        before = journal.tags()
    assert run(path, "export", file) == 0
    text = file.read_text()
    with pytest.raises(CompanionError, match="was not written: File exists"):
        run(path, "export", file)
    assert file.read_text() == text
    assert run(other, "import", file) == 0
    assert run(other, "import", file) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"Written: {file}",
        "Tags in the file: 186, new or changed: 186.",
        "Tags in the file: 186, new or changed: 0.",
    ]
    with Journal(other) as journal:
        assert journal.tags() == before


def test_an_import_is_all_or_nothing(tmp_path: Path) -> None:
    """R10, R18."""
    path, file = tmp_path / "journal.db", tmp_path / "tags.csv"
    head = "uid,game,kind,thing,copy\n"
    file.write_text(f"{head}AC8C5E0A,chaos-kart,card,forward-1,1\n,,undo,undo,1\n")
    with pytest.raises(tagfiles.BadTagFile, match="row 3: “” has 0 digits"):
        run(path, "import", file)
    with Journal(path) as journal:
        assert journal.tags() == []
        journal.bind(Tag("AC8C5E0A", "", TagKind.UNDO, "undo"))
    file.write_text(f"{head}AC8C5E0A,chaos-kart,card,forward-1,1\n")
    with pytest.raises(tagfiles.BadTagFile, match="--move"):
        run(path, "import", file)
    assert run(path, "import", file, move=True) == 0
    with Journal(path) as journal:
        assert journal.tags() == [Tag("AC8C5E0A", "chaos-kart", TagKind.CARD, "forward-1")]
    for wrong in ("tags.xlsx", "missing.csv"):
        with pytest.raises(CompanionError, match=wrong):
            run(path, "import", tmp_path / wrong)


def test_tags_are_listed_looked_up_and_forgotten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    assert run(path, "list") == 0
    assert "No tags yet" in capsys.readouterr().out
    with Journal(path) as journal:
        tap_all(Enrolment(THINGS, journal), "forward 1", 1)
        journal.bind(Tag("AC8C5E0A", "", TagKind.UNDO, "undo"))
        journal.bind(Tag("00005E0A", "ludo", TagKind.CARD, "six"))
    capsys.readouterr()
    run(path, "list")
    run(path, "which", "0002")
    run(path, "forget", "ac:8c:5e:0a")
    run(path, "which", "…5e0a")
    shown = capsys.readouterr().out.splitlines()
    assert shown == [
        "-  undo: 1 of 1",
        "chaos-kart  Forward 1: 5 of 5",
        "ludo  six: 1, no longer in the game",
        "…0002: chaos-kart, Forward 1, copy 2",
        "Forgotten: …5E0A: -, undo, copy 1",
        "…5E0A: ludo, six, copy 1",
    ]
    assert "AC8C5E0A" not in "".join(shown)
    for wrong in ("AC8C5E0A", "0000", "x", None):
        with pytest.raises(NotUnderstood):
            run(path, "which", wrong)
    with Journal(path) as journal:
        journal.bind(Tag("11115E0A", "", TagKind.UNDO, "undo"))
    with pytest.raises(WhichOne, match="11115E0A"):
        run(path, "which", "5E0A")


def test_a_game_of_ones_own_cards_has_other_things() -> None:
    content = BOX.content()
    content["cards.toml"] = content["cards.toml"].replace("count = 5", "count = 6", 1)
    own: list[TaggedThing] = list(BOX.tagged(content))
    assert (own[0].thing, own[0].copies) == ("forward-1", 6)


def test_ones_own_cards_belong_to_one_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "cards.toml"
    own.write_text(BOX.content()["cards.toml"], encoding="utf-8")
    listing = ["tags", "list", "--cards", str(own), "--journal", str(tmp_path / "j.db")]
    assert main([*listing, "--game", BOX.name]) == 0
    assert main(listing) == 2
    assert "chaos-kart" in capsys.readouterr().err
