"""Tables with their journal: threads, other rules, files that are not what they seem."""

from __future__ import annotations

import random
import secrets
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.command import main
from companion.games.chaos_kart.markers import DAMAGED, MARKERS
from companion.games.shelf import open_box
from companion.host import (
    Table,
    content_in,
    default_journal,
    go_on_from_stored,
    look_at,
    new_table,
    read_content,
    resume_table,
)
from companion.journal import Journal
from companion.judging import as_scenario
from companion.rules.errors import (
    BadContent,
    BadSetup,
    CompanionError,
    DifferentRules,
    NotUnderstood,
    Refused,
)
from companion.rules.markers import MarkerKind
from companion.rules.scenarios import Playing, read_scenario
from companion.virtual import VirtualTable

SETUP = {"seats": ["Ana", "Budi", "Cici"], "laps": 9}


def begin(journal: Journal | None, **choices: Any) -> Table:
    box = open_box("chaos-kart")
    setup = msgspec.convert({**SETUP, **choices}, box.setup_type)
    return new_table(box, setup, box.content(), journal)


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


def test_three_threads_write_without_a_gap(journal: Journal) -> None:
    table = begin(journal)

    def toggle(seat: str) -> None:
        for count in range(100):
            wish = "off" if count % 2 == 0 else "on"
            with table.lock:
                table.session.interject("passives", seat, wish)

    threads = [threading.Thread(target=toggle, args=(seat,)) for seat in "ABC"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = journal.load(table.number).lines
    assert [line.n for line in lines] == list(range(1, 301))
    assert resume_table(journal, table.number).session.digest() == table.session.digest()


def damaged_three_times(table: Table) -> None:
    """Somebody gets a third damaged marker: under the rulebook's cap it is ignored."""
    table.session.correct("damaged/B", 2)
    table.session.correct("hand/A/power-up", 1)
    table.session.correct("phase", "before-move")
    table.session.answer("spanner", "A")
    table.session.answer("B")


def other_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = dict(MARKERS.kinds)
    old = kinds[DAMAGED]
    kinds[DAMAGED] = MarkerKind(old.name, 3, old.rule, old.cap_rule)
    monkeypatch.setattr(MARKERS, "kinds", kinds)


def test_a_journal_under_changed_rules_is_noticed_where_it_first_differs(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin(journal)
    damaged_three_times(table)
    last = journal.load(table.number).lines[-1].n
    other_cap(monkeypatch)
    with pytest.raises(DifferentRules) as caught:
        resume_table(journal, table.number)
    assert caught.value.line == last

    only_look = look_at(journal, table.number)
    with pytest.raises(CompanionError):
        only_look.session.answer("nonsense")
    assert len(journal.load(table.number).lines) == last, "looking writes nothing"

    went_on = go_on_from_stored(journal, table.number)
    assert went_on.number != table.number
    assert went_on.session.game.layout()["damaged/B"] == 2
    went_on.session.answer("pass")
    again = resume_table(journal, went_on.number)
    assert again.session.digest() == went_on.session.digest()


def test_the_old_game_stays_in_the_list_when_a_new_one_begins(journal: Journal) -> None:
    first = begin(journal)
    first.session.answer("forward-2")
    second = begin(journal)
    assert [game.id for game in journal.games()] == [second.number, first.number]
    assert "Ana" in journal.games()[1].label
    assert resume_table(journal, first.number).session.game.layout()["kart/A"] == 1


def test_a_game_keeps_the_content_it_began_with(journal: Journal, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    board.write_text("squares = 9", encoding="utf-8")
    box = open_box("chaos-kart")
    content = read_content(box, {"board.toml": board})
    setup = msgspec.convert(SETUP, box.setup_type)
    table = new_table(box, setup, content, journal)
    board.write_text("squares = 99", encoding="utf-8")
    assert resume_table(journal, table.number).session.game.state.squares == 9


def test_files_that_cannot_be_used_are_refused_by_name(tmp_path: Path) -> None:
    box = open_box("chaos-kart")
    with pytest.raises(BadSetup, match="nowhere"):
        read_content(box, {"cards.toml": tmp_path / "nowhere.toml"})
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(BadSetup, match=r"bad\.toml"):
        read_content(box, {"cards.toml": bad})
    bad.write_text("squares = 1", encoding="utf-8")
    with pytest.raises(BadContent, match="squares"):
        read_content(box, {"board.toml": bad})


def test_a_folder_has_all_the_files_of_ones_own(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="has no content files"):
        content_in(tmp_path)
    (tmp_path / "board.toml").write_text("squares = 9", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    own = content_in(tmp_path)
    assert read_content(open_box("chaos-kart"), own)["board.toml"] == "squares = 9"
    with pytest.raises(BadSetup, match=r"uno-mario-kart has no file board\.toml"):
        read_content(open_box("uno-mario-kart"), own)


def test_an_unknown_game_lists_the_games() -> None:
    with pytest.raises(NotUnderstood, match="chaos-kart"):
        open_box("ludo")


def test_no_clock_and_no_chance_inside_the_rules(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin(journal)
    people = VirtualTable(table.session.game, Random(2))
    for _ in range(60):
        table.session.answer(people.answer(table.session.prompt))
    lines = journal.load(table.number).lines
    fresh = begin(None)
    fresh.session.salt = table.session.salt

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("clock or chance inside the rules")

    for module, name in (
        (random, "random"),
        (random, "choice"),
        (time, "time"),
        (time, "monotonic"),
        (secrets, "token_hex"),
        (secrets, "choice"),
    ):
        monkeypatch.setattr(module, name, forbidden)
    fresh.session.reenact(lines)
    assert fresh.session.digest() == table.session.digest()


def test_a_wall_clock_that_jumps_changes_nothing(tmp_path: Path) -> None:
    times = iter(["2026-01-01T12:00:00", "2026-01-01T15:00:00", "2025-12-18T15:00:00"] * 9)
    with Journal(tmp_path / "j.db", now=lambda: next(times)) as journal:
        table = begin(journal)
        for answer in ("forward-1", "pass", "forward-2", "pass"):
            table.session.answer(answer)
        assert [line.n for line in journal.load(table.number).lines] == [1, 2, 3, 4]
        assert resume_table(journal, table.number).session.digest() == table.session.digest()


def test_refusals_are_in_the_journal_and_change_nothing(journal: Journal) -> None:
    """Field case U01: a stunned player's move card."""
    table = begin(journal)
    table.session.correct("stunned/A", 1)
    before = table.session.digest()
    with pytest.raises(Refused) as caught:
        table.session.answer("forward-3")
    assert caught.value.refusal.rule == "15.3"
    assert table.session.digest() == before
    table.session.answer("pass")
    refused = [line for line in journal.load(table.number).lines if line.kind == "refused"]
    assert [line.refusal for line in refused] == ["15.3"]


def test_a_finished_game_is_marked_and_can_be_reopened_by_undo(journal: Journal) -> None:
    table = begin(journal, laps=1)
    table.session.correct("kart/A", 31)
    table.session.answer("forward-1")
    assert table.session.over
    assert journal.games()[0].finished
    table.session.undo(by="A")
    assert not table.session.over
    assert not journal.games()[0].finished


def test_a_dispute_is_saved_as_a_scenario_without_anybodys_secrets(journal: Journal) -> None:
    """Design, section 8: what happened at a table can be judged elsewhere."""
    table = begin(journal, first="A")
    session = table.session
    session.interject("scan", "B", "forward-6")
    session.answer("forward-3")
    session.correct("kart/A", 5)
    session.choose_ruling("A6", "reentry")
    session.swap("B", "C")
    session.join("D", "Dewi")
    session.answer("pass")
    session.answer("forward-2")
    text = as_scenario(journal.path, table.number)
    assert "scan" not in text
    playing = Playing(read_scenario(text, "dispute.toml"), table.box)
    assert [fault for played in playing.play() for fault in played.faults] == []
    layouts = (playing.game.layout(), session.game.layout())
    assert layouts[0] == layouts[1]


def test_a_journal_without_games_and_a_game_that_is_none_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "journal.db"
    Journal(path).close()
    assert main(["games", "--journal", str(path)]) == 0
    assert "No game is kept yet." in capsys.readouterr().out
    assert main(["tags", "list", "--game", "nothing", "--journal", str(path)]) == 2
    assert "chaos-kart" in capsys.readouterr().err


def test_alone_it_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "--devices simulated" in " ".join(capsys.readouterr().out.split())


def test_help_and_language_reach_the_devices_beside_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "lines.txt"
    script.write_text("help\nhelp tap\nlang ja\n")
    arguments = ["play", "chaos-kart", "--players", "Ana,Budi", "--script", str(script)]
    assert main([*arguments, "--devices", "simulated"]) == 0
    told = capsys.readouterr().out
    assert "Hands at the simulated devices:" in told
    assert "Also: tap, tempel, タップ" in told
    pictures = {block for block in told.split("┌") if "└" in block}
    assert len(pictures) > 1


def test_the_services_user_finds_the_services_games(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COMPANION_JOURNAL", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/var/lib/tabletop-companion")
    assert default_journal() == Path("/var/lib/tabletop-companion/journal.db")
    monkeypatch.setenv("HOME", "/home/ana")
    assert default_journal() == Path("/home/ana/.local/state/tabletop-companion/journal.db")
