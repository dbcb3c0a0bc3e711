"""A table in lines of text, from the first card to the end."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.lines import Line
from companion.screens import oled
from companion.screens.breaking import columns_of
from companion.screens.commands import COMMANDS
from companion.screens.terminal import Terminal
from companion.words import LANGUAGES, Words
from tests.screens.tables import BOX, new_session, new_terminal, say

BUMPS = ("correct kart Budi 2", "yes", "correct kart Cici 1", "yes")
"""Puts two pawns so that Ana's Forward 3 from outside makes a chain bump."""


def bumped() -> Terminal:
    terminal = new_terminal()
    say(terminal, *BUMPS, "forward 3")
    return terminal


def options(terminal: Terminal) -> list[str]:
    return [option.letter or str(option.choice) for option in terminal.shown().options]


# -- a whole game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_to_the_end_by_option_letters(seed: int, language: str) -> None:
    terminal = new_terminal(language=language)
    chance = random.Random(seed)
    for _ in range(600):
        screen = terminal.screen()
        assert all(columns_of(line) <= 130 for line in screen.splitlines())
        shown = terminal.shown()
        if terminal.session.over:
            break
        assert shown.asked in screen
        say(terminal, chance.choice([letter for letter in options(terminal) if letter]))
    assert terminal.session.over
    assert terminal.shown().winners[0] in terminal.screen()
    assert terminal.handle("forward 3")
    assert terminal.failed
    say(terminal, "undo", "redo")


def test_an_ordinary_moment_is_short() -> None:
    terminal = new_terminal()
    say(terminal, "forward 3")
    lines = terminal.screen().splitlines()
    assert len(lines) <= 15
    assert "→ Ana: put your pawn on square 2" in terminal.screen()
    assert lines[-2] == "▶ Ana: End your turn (§5.7)"
    assert lines[-1] == "  a or Enter) end turn"


def test_the_enter_key_passes_or_shows_the_table_again() -> None:
    terminal = new_terminal()
    say(terminal, "correct damaged Budi 1", "yes", "forward 3", "")
    assert terminal.shown().asked == "Budi"
    say(terminal, "repair")
    assert terminal.shown().passing is None
    assert say(terminal, "") == ""
    assert terminal.redraw
    assert terminal.shown().question.text == "Discard a card for the repair"


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("id", ("maju 3", "akhiri giliran", "Budi: maju 2", "kenapa", "batal")),
        ("ja", ("前進3", "手番終了", "Budi：前進２", "なぜ", "元に戻す")),
        ("en", ("forward3", "end turn", "B forward-2", "why", "undo")),
    ],
)
def test_words_of_every_language(language: str, lines: tuple[str, ...]) -> None:
    terminal = new_terminal(language=language)
    say(terminal, *lines)
    assert terminal.session.put_back


def test_who_says_it_may_stand_before_the_answer() -> None:
    terminal = new_terminal()
    assert "Ana is asked now, not Cici" in terminal.handle("Cici: pass")
    told = terminal.handle("C forward 3")
    assert told == "Not now (§5.5): A move card can only be played in your own move phase."
    say(terminal, "Ana: forward 3")
    say(terminal, "Budi forward 2")
    assert terminal.shown().asked == "Budi"


# -- refusals --------------------------------------------------------------------------------------


def test_a_stunned_player_is_refused_with_the_rule() -> None:
    lines: list[Line] = []
    session = new_session(lines=lines)
    terminal = Terminal(session, BOX, BOX.wording(session.game), Words("en"), oled=True)
    say(terminal, "correct stunned Ana 1", "yes")
    before = session.digest()
    told = terminal.handle("forward 3")
    assert told == "Not allowed (§15.3, ruling A42): Stunned: no move card this turn."
    assert terminal.failed
    assert terminal.redraw, "the small picture shows the refusal"
    refused = terminal.screen()
    assert session.digest() == before
    assert lines[-1].kind == "refused"
    why = say(terminal, "why")
    assert "§15.3 Stunned:" in why
    assert "Ruling A42" in why
    assert terminal.screen() != refused
    assert "(§15.3" in say(terminal, "why not forward 2")
    say(terminal, "force forward 3")
    assert terminal.shown().seats[0].where is not None


def test_why_not_explains_without_trying() -> None:
    terminal = new_terminal()
    number = terminal.session.number
    assert "may be chosen now" in say(terminal, "why not forward 3")
    told = say(terminal, "why not")
    assert "§14.2" in told
    assert terminal.session.number == number


def test_what_is_not_understood_changes_nothing() -> None:
    terminal = new_terminal()
    number = terminal.session.number
    for line in (
        "xyzzy",
        "back",
        "forwrd 3",
        "why 99999",
        "why abc",
        "ruling",
        "lang de",
        "amend x y",
        "amend 7 forward-1",
        "correct kart",
        "correct kart Ana",
        "missed Eka",
        "correct nonsense Ana 1",
        "swap Ana",
        "leave Eka",
        "oled maybe",
        "help me",
        "ruling A6 nonsense",
        "ruling A1 one_deck",
        "rules zzzzz",
        "force",
        "undo",
        "redo",
        "scan",
        "scan Ana",
        "correct kart Ana 99",
        "passives Ana maybe",
    ):
        told = terminal.handle(line)
        assert told, line
        assert terminal.failed, f"{line}: {told}"
    assert terminal.session.number == number


def test_what_the_disk_refuses_is_not_done() -> None:
    session = new_session()
    terminal = Terminal(session, BOX, BOX.wording(session.game), Words("en"), oled=False)

    def full(_line: Line) -> None:
        raise OSError("no space left")

    session.write = full
    before = session.digest()
    assert "no space left" in terminal.handle("forward 3")
    assert session.digest() == before
    session.write = None
    say(terminal, "forward 3")


# -- why, log, missed ------------------------------------------------------------------------------


def test_why_goes_up_to_what_a_person_said() -> None:
    terminal = bumped()
    told = say(terminal, "why").splitlines()
    assert "Budi goes from square 2 to square 1" in told[0]
    assert any("Ana plays Forward 3" in line for line in told)
    because = [line for line in told if line.startswith("  because")]
    assert "Ana chooses: Forward 3" in because[-1]
    assert any(line.startswith("§9.1") for line in told)
    number = told[0].partition("]")[0][1:]
    assert say(terminal, f"why {number}").splitlines() == told
    assert say(terminal, f"why [{number}]").splitlines() == told


def test_whose_turn_and_what_was_missed() -> None:
    terminal = bumped()
    say(terminal, "", "Budi: forward 1")
    told = say(terminal, "missed Cici")
    assert "▶ Budi: End your turn" in told
    assert "Chain bump: Budi pushes Cici back." in told
    assert "Since Budi last did something:" in say(terminal, "?")


def test_the_log_can_be_typed_in_again() -> None:
    terminal = new_terminal()
    chance = random.Random(2)
    say(terminal, *BUMPS, "correct stunned Cici 1 because of a trap", "yes", "ruling A6 reentry")
    say(terminal, "force forward 3")
    for number in range(60):
        if number == 20:
            say(terminal, "undo")
            while terminal.session.consent is not None:
                say(terminal, "yes")
            say(terminal, "done")
        say(terminal, chance.choice([letter for letter in options(terminal) if letter]))
    again = new_terminal()
    log = say(terminal, "log all").splitlines()
    for line in log:
        told = again.handle(line)
        assert not again.failed, f"{line}: {told}"
    assert again.session.digest() == terminal.session.digest()
    assert len(say(terminal, "log 3").splitlines()) < len(log)


def test_the_log_of_players_called_by_letters_can_be_typed_in_again() -> None:
    names = ("B", "C", "A")
    for seed in range(5):
        terminal, again = new_terminal(names, laps=9), new_terminal(names, laps=9)
        chance = random.Random(seed)
        for _ in range(120):
            say(terminal, chance.choice([letter for letter in options(terminal) if letter]))
        say(again, *say(terminal, "log all").splitlines())
        assert again.session.digest() == terminal.session.digest()


# -- undo, amend, correct --------------------------------------------------------------------------


def test_undoing_a_chain_bump_lists_what_to_put_back() -> None:
    terminal = bumped()
    told = say(terminal, "undo")
    assert "redo" in told
    screen = terminal.screen()
    for line in (
        "Pawn of Ana: outside the track",
        "Pawn of Budi: square 2",
        "Pawn of Cici: square 1",
        "Hand of Ana: 4 move cards",
    ):
        assert f"- {line}" in screen
    assert "put the pieces back" in terminal.handle("forward 2")
    assert terminal.failed
    assert terminal.handle("amend 1 forward-1")
    assert terminal.failed
    say(terminal, "done")
    say(terminal, "forward 2")
    assert say(terminal, "done") == "There is nothing to put back."


def test_others_agree_to_an_undo_of_what_they_learned() -> None:
    terminal = new_terminal()
    say(terminal, "forward 3", "", "undo")
    assert "▶ Budi: Agree to take back: Ana: end turn?" in terminal.screen()
    assert terminal.handle("forward 1")
    assert terminal.failed
    say(terminal, "no")
    assert terminal.shown().asked == "Budi"
    say(terminal, "undo", "Budi: yes", "done")
    assert terminal.shown().asked == "Ana"
    assert "Done again" in say(terminal, "redo")
    say(terminal, "done")
    assert terminal.shown().asked == "Budi"


def test_an_earlier_answer_is_amended_once_somebody_says_yes() -> None:
    terminal = new_terminal()
    say(terminal, "forward 3", "", "forward 2")
    assert "1  Ana: Forward 3" in say(terminal, "amend")
    before = terminal.session.digest()
    told = say(terminal, "amend 1 forward 4")
    assert "2 later answers stay." in told
    assert told.endswith("Answer 1 becomes Ana: Forward 4. Do it? yes or no")
    assert terminal.handle("maybe")
    assert terminal.failed
    assert say(terminal, "no") == "Nothing is changed."
    assert terminal.session.digest() == before
    assert say(terminal, "amend 1 forward 4", "yes") == "Amended."
    assert "Ana: square 3" in say(terminal, "standings")
    assert "Ana: move your pawn from 2 to 3" in terminal.screen()


def test_corrections_ask_first_and_tell_why_not() -> None:
    terminal = new_terminal()
    listed = say(terminal, "correct")
    assert "kart A outside" in listed
    told = say(terminal, "correct kart Ana 5 because it slipped")
    assert told.startswith("Correct to: Pawn of Ana: square 5. Until now: Pawn of Ana: outside")
    assert say(terminal, "yes") == "Corrected. undo takes it back."
    assert "it slipped" in terminal.screen()
    assert "Ana stands on square 5" in terminal.handle("correct kart budi 5")
    assert terminal.failed
    say(terminal, "correct dam B 2", "yes", "correct shield Cici turned", "yes")
    say(terminal, "correct hand Cici power-up 2", "yes", "Cici: correct turn Budi", "yes", "done")
    assert terminal.shown().asked == "Budi"
    facts = [fact.plain() for fact in terminal.shown().seats[2].facts]
    assert "shield sideways" in facts
    say(terminal, "undo", "yes", "done")
    assert terminal.shown().asked == "Ana"


# -- rules -----------------------------------------------------------------------------------------


def test_what_a_card_says_is_found_by_its_name_or_beginning() -> None:
    terminal = new_terminal()
    for name in ("rules turbo", "rules turb", "aturan turbo", "ルール ターボ"):
        told = terminal.handle(name)
        assert told.startswith("Turbo: Active, utility:"), told


def test_rules_are_found_by_word_and_number() -> None:
    terminal = new_terminal()
    assert say(terminal, "rules 15.3").startswith("§15.3 Stunned:")
    assert "§15.3 Stunned" in say(terminal, "rules stunned")
    assert "● printed" in say(terminal, "rules A6")
    assert "§15 " in say(terminal, "rules")
    say(terminal, "ruling a6 reentry")
    assert "● reentry" in say(terminal, "ruling A6")
    say(terminal, "lang id")
    assert say(terminal, "rules 15.3").startswith("§15.3 Stun")


# -- seats, secrets --------------------------------------------------------------------------------


def test_players_join_leave_and_swap() -> None:
    terminal = new_terminal()
    say(terminal, "join Dewi", "swap Budi Dewi")
    assert [seat.name for seat in terminal.shown().seats] == ["Ana", "Dewi", "Cici", "Budi"]
    say(terminal, "leave Cici", "yes")
    assert [seat.name for seat in terminal.shown().seats] == ["Ana", "Dewi", "Budi"]
    assert terminal.handle("join Ana")
    assert terminal.failed
    again = new_terminal()
    say(again, *say(terminal, "log all").splitlines(), "yes")
    assert again.session.digest() == terminal.session.digest()


def test_a_scanned_card_is_seen_by_its_holder_alone() -> None:
    terminal = new_terminal()
    say(terminal, "scan Cici grab 3")
    session = terminal.session
    for who, sees in ((None, False), ("A", False), ("C", True)):
        other = Terminal(session, BOX, terminal.wording, Words("en"), who=who, oled=False)
        told = other.screen() + say(other, "log all") + say(other, "missed Cici")
        told += say(other, "standings")
        assert ("scans" in told) == sees
        assert ("scan C grab-3" in told or "grab" in say(other, "log all").lower()) == sees


def test_what_was_undone_back_to_a_hidden_scan_is_no_more_to_be_done() -> None:
    terminal = new_terminal()
    for line in ("scan Cici grab 3", "forward 3", "undo", "done"):
        assert terminal.screen()
        say(terminal, line)
    assert terminal.shown().question.text == "Play a move card"
    assert terminal.shown().to_move == ()


# -- odd names and input ---------------------------------------------------------------------------


def test_markup_in_names_is_shown_as_it_is() -> None:
    terminal = new_terminal(("<i onclick=1>Bo", 'Bo" title="x', "{who}"))
    assert "▶ <i onclick=1>Bo: Play a move card" in terminal.screen()
    say(terminal, "forward 3", "", 'Bo" title="x: forward 2', "", "{who}: forward 1")
    assert "{who}" in terminal.screen()


def test_a_player_called_like_a_command_hides_no_command() -> None:
    terminal = new_terminal(("undo", "help", "log"))
    say(terminal, "forward 3", "undo")
    assert terminal.session.put_back
    assert "Type a card" in say(terminal, "help")


def test_control_characters_never_reach_the_terminal() -> None:
    terminal = new_terminal()
    told = terminal.handle("\x1b[2J\x07forward\u202e \x00")
    assert told
    assert all(char.isprintable() or char == "\n" for char in told)


@pytest.fixture(scope="module")
def well_used() -> Terminal:
    return bumped()


@settings(max_examples=150)
@given(
    line=st.one_of(
        st.text(max_size=30),
        st.builds(
            " ".join,
            st.lists(
                st.sampled_from(
                    [word for command in COMMANDS.all for word in command.words]
                    + [
                        "Ana",
                        "B",
                        "forward-3",
                        "kart",
                        "5",
                        "A6",
                        "because",
                        ":",
                        "not",
                        "all",
                        "1",
                    ]
                ),
                min_size=1,
                max_size=5,
            ),
        ),
    )
)
def test_every_line_gets_an_answer(well_used: Terminal, line: str) -> None:
    told = well_used.handle(line)
    assert told or well_used.redraw or line.strip().startswith("#")
    assert well_used.screen()
    assert all(char.isprintable() or char in "\n\u3000" for char in told)


def test_corrections_and_help_in_the_tables_own_words() -> None:
    terminal = new_terminal()
    say(terminal, "bahasa id", "koreksi bidak Budi 8", "ya")
    assert terminal.session.game.layout()["kart/B"] == 8
    assert "koreksi <benda>" in say(terminal, "bantuan")
    say(terminal, "言語 ja", "訂正 手札 Budi パワーアップ 1", "はい")
    assert terminal.session.game.layout()["hand/B/power-up"] == 1
    assert "訂正 <もの>" in say(terminal, "ヘルプ")


def test_every_command_has_help() -> None:
    terminal = new_terminal()
    listed = say(terminal, "help")
    for command in COMMANDS.all:
        assert command.usage.text in listed
        for word in command.words:
            assert command.usage.text in say(terminal, f"help {word}")


def test_no_word_means_two_commands() -> None:
    words = [word for command in COMMANDS.all for word in command.words]
    assert len(words) == len(set(words))


# -- the screen ------------------------------------------------------------------------------------


def test_the_small_picture_can_be_switched() -> None:
    terminal = new_terminal()
    assert "┌" not in terminal.screen()
    say(terminal, "oled on")
    assert terminal.screen().startswith("┌")
    say(terminal, "oled off")
    assert "┌" not in terminal.screen()


def test_the_language_can_be_changed() -> None:
    terminal = new_terminal()
    for language in LANGUAGES:
        say(terminal, f"lang {language}")
        assert terminal.words.language == language


def test_japanese_without_its_font_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oled, "FONT_PLACES", ())
    terminal = new_terminal()
    say(terminal, "oled on")
    assert "make fonts" in terminal.handle("lang ja")
    assert terminal.words.language == "en"


def test_quit_keeps_the_game() -> None:
    terminal = new_terminal()
    say(terminal, "forward 3", "quit")
    assert terminal.closed


def test_the_first_turns_are_explained() -> None:
    terminal = new_terminal(guide=True)
    assert "§7.4" in terminal.screen()
