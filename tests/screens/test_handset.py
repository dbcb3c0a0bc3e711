"""A handset as people use it: what each button and tap does, what is said, what never happens."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.lines import Answer, Kind
from companion.rules.phrases import Phrase
from companion.rules.prompts import Choice, Prompt
from companion.rules.session import Session
from companion.rules.tags import TagKind
from companion.screens.handset import (
    Misread,
    NewGame,
    Outcome,
    Register,
    Result,
    Speak,
    Stop,
)
from companion.screens.handset.stack import Passing
from companion.screens.pixels import NoFont
from companion.virtual import VirtualTable
from companion.words import LANGUAGES
from tests.screens.handsets import (
    ADDRESS,
    AT_THE_GUARD,
    STUNNED,
    Hands,
    TinyWording,
    at,
    started,
    tiny_hands,
)
from tests.screens.tables import BOX, LONG_NAME, has_japanese_font, new_session
from tests.tiny import Tiny, TinyState, register

needs_japanese = pytest.mark.skipif(
    not has_japanese_font(), reason="the bitmap font with Japanese is not installed: make fonts"
)
IN_EVERY_LANGUAGE = [
    pytest.param(language, marks=needs_japanese if language == "ja" else ())
    for language in LANGUAGES
]

# -- whole games -----------------------------------------------------------------------------------


def press_for(hands: Hands, choice: Choice) -> Outcome:
    """Choose an option by ▲▼ and ●, the shorter way round."""
    if hands.handset.top is not hands.handset.home:
        hands.push("ok")  # "Now on the table" has been seen
    options = [option.choice for option in hands.handset.shown.options]
    steps = (options.index(choice) - hands.handset.question.selected) % len(options)
    button = "down" if steps <= len(options) // 2 else "up"
    hands.push(*[button] * min(steps, len(options) - steps))
    return hands.push("ok")


def test_a_whole_game_is_played_by_buttons_alone() -> None:
    hands = started()
    table = VirtualTable(hands.session.game, random.Random(3))
    decisions = 0
    while not hands.session.over:
        choice = table.answer(hands.session.prompt)
        assert press_for(hands, choice).result is Result.ACCEPTED
        hands.texts()
        decisions += 1
    assert decisions > 20
    hands.wait(60)
    assert hands.title == "Game over"


def test_a_whole_game_is_played_by_taps() -> None:
    hands = started()
    table = VirtualTable(hands.session.game, random.Random(5))
    taps = 0
    while not hands.session.over:
        choice = table.answer(hands.session.prompt)
        if isinstance(choice, str) and choice not in ("pass", "repair"):
            taps += 1
            assert hands.tap(choice).result is Result.ACCEPTED
        else:
            assert press_for(hands, choice).result is Result.ACCEPTED
    assert taps > 20
    tapped = [line for line in hands.lines if line.via == "tag"]
    assert len(tapped) == taps


def test_a_new_game_begins_with_what_to_lay_out() -> None:
    hands = Hands(new_session(), unpacked=True)
    assert hands.title == "Set up the table"
    assert "Budi: take 3 move cards" in hands.text()
    hands.wait(0)
    hands.wait(4.9)
    assert hands.title == "Set up the table", "2 seconds and one for each of 3 lines"
    hands.wait(0.2)
    assert hands.title == "Ana"
    assert hands.tap("forward-2").result is Result.ACCEPTED
    again = Hands(hands.session, unpacked=True)
    assert again.title != "Set up the table", "the game goes on"


# -- one press, one act ----------------------------------------------------------------------------


def test_a_tap_is_all_that_an_act_needs() -> None:
    hands = at(AT_THE_GUARD)
    assert hands.tap("forward-4").result is Result.ACCEPTED
    assert hands.title == "Budi"
    assert "Turn Ana away" in hands.text()


def test_passing_is_selected_where_a_question_may_be_passed_over() -> None:
    hands = at(STUNNED)
    assert hands.session.prompt.skippable
    assert hands.push("ok").result is Result.ACCEPTED
    assert hands.session.entries[-1] == Answer("move", "A", "pass", "handset")


def test_what_to_move_comes_first_and_turns_to_the_question_by_itself() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap("forward-4")
    hands.tap("pass")
    assert hands.title == "Now on the table"
    assert any("hold ◀: undo" in text for text in hands.texts())
    due = hands.handset.due
    assert due is not None
    assert hands.wait(0.1)
    assert not hands.wait(0.1)
    assert hands.title == "Now on the table"
    assert due <= hands.now + 2 + 4, "two seconds and one a line"
    hands.settle()
    assert hands.title == "Cici"


def test_ok_while_the_list_is_in_sight_only_turns_to_the_question() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap("forward-4")
    hands.tap("pass")
    before = hands.session.digest()
    assert hands.push("ok").result is Result.NOTHING
    assert hands.session.digest() == before
    assert hands.title != "Now on the table"
    assert hands.push("ok").result is Result.ACCEPTED


def test_down_while_the_list_is_in_sight_moves_the_selection() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap("forward-4")
    hands.tap("pass")
    hands.handset._ends.clear()
    selected = hands.handset.question.selected
    while hands.title == "Now on the table":
        hands.push("down")
    assert hands.handset.question.selected == selected + 1


def test_a_tap_while_the_list_is_in_sight_acts() -> None:
    hands = started()
    hands.tap("forward-2")
    assert hands.title == "Now on the table"
    assert hands.tap("pass").result is Result.ACCEPTED


def test_a_second_press_does_not_answer_the_next_question_unread() -> None:
    hands = at(STUNNED)
    hands.push("ok")
    before = hands.session.digest()
    hands.pace = 0.1
    assert hands.push("ok").result is Result.NOTHING
    assert hands.session.digest() == before


def test_a_press_meant_for_an_older_question_only_shows_the_new_one() -> None:
    hands = at(AT_THE_GUARD)
    hands.session.answer("forward-4", via="phone")
    assert hands.push("ok").result is Result.NOTHING
    assert hands.title == "Budi"


def test_what_others_do_is_shown_when_the_handset_looks() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("back")
    hands.session.answer("forward-4", via="phone")
    assert hands.handset.look()
    assert not hands.handset.look()
    assert hands.title == "Budi"


def test_undo_is_offered_for_five_seconds() -> None:  # U07
    hands = at(AT_THE_GUARD)
    hands.tap("forward-4")
    assert "hold ◀: undo" in hands.texts()
    assert not hands.wait(4.9) or "hold ◀: undo" in hands.texts()
    assert hands.wait(0.2)
    assert "hold ◀: undo" not in hands.texts()
    assert any("OK" in text for text in hands.texts())


def test_long_lists_are_gone_through_quickly() -> None:
    hands = at(AT_THE_GUARD)
    assert "1/20" in hands.texts()
    hands.push("hold down")
    assert "6/20" in hands.texts()
    hands.push("up", "up", "up", "up", "up", "up")
    assert "20/20" in hands.texts()
    hands.push("hold up")
    assert "15/20" in hands.texts()


# -- refusals --------------------------------------------------------------------------------------


def test_a_refusal_says_why_with_the_rule_and_changes_nothing() -> None:  # U01
    hands = at(STUNNED)
    before = hands.session.digest()
    assert hands.tap("forward-2").result is Result.REFUSED
    assert hands.texts()[:2] == ["Not allowed", "§15.3"]
    assert "Stunned: no move card this turn." in hands.text()
    assert hands.session.digest() == before
    assert [(line.kind, line.refusal) for line in hands.lines] == [(Kind.REFUSED, "15.3")]


def test_a_refusal_goes_by_itself_or_by_any_button() -> None:
    hands = at(STUNNED)
    hands.tap("forward-2")
    hands.wait(6.1)
    assert hands.title == "Ana"
    for button in ("up", "down", "ok", "back"):
        hands.tap("forward-2")
        before = hands.session.number
        assert hands.push(button).result is Result.NOTHING
        assert hands.session.number == before
        assert hands.title == "Ana"


def test_hold_ok_tells_the_rule_and_ruling_of_a_refusal_in_full() -> None:
    hands = at(STUNNED)
    hands.tap("forward-2")
    hands.push("hold ok")
    assert "§15.3 A42" in hands.texts()
    told = ""
    for _ in range(9):
        told += hands.text()
        hands.push("down")
    assert "Ruling A42" in told
    assert "force" in told


def test_the_table_can_force_what_was_refused() -> None:
    hands = at(STUNNED)
    hands.tap("forward-2")
    hands.push("back", "menu")
    assert hands.texts()[0] == "Chaos Kart"
    assert hands.choose("Force: Forward 2").result is Result.ACCEPTED
    assert hands.lines[-1].kind is Kind.FORCE
    assert "Forward 2" not in hands.text()


def test_what_cannot_be_is_not_offered_to_be_forced() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap("chicken-crossing")
    hands.push("back", "menu")
    assert not any("Force" in text for text in hands.texts())


def test_a_wrong_player_is_told_so() -> None:
    hands = at(AT_THE_GUARD)
    assert hands.tap("B", "seat").result is Result.ACCEPTED
    assert hands.title == "Budi:"
    assert hands.tap("forward-2").result is Result.REFUSED
    assert "own move phase" in hands.text()
    assert hands.tap("forward-2").result is Result.ACCEPTED, "the tag is for one input only"


def test_a_seat_tag_holds_for_ten_seconds() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap("B", "seat")
    assert hands.wait(10.1)
    assert hands.title == "Ana"
    assert hands.tap("forward-2").result is Result.ACCEPTED


def test_a_seat_tag_answers_where_a_player_is_to_be_chosen() -> None:
    scenario = AT_THE_GUARD.replace('"phase" = "move"', '"phase" = "before-move"')
    hands = at(scenario)
    hands.tap("spanner")
    assert hands.session.prompt.key == "opponent"
    assert hands.tap("B", "seat").result is Result.ACCEPTED
    assert hands.session.prompt.key != "opponent"


def test_a_seat_that_does_not_play_is_told_so() -> None:
    hands = at(AT_THE_GUARD)
    assert hands.tap("H", "seat").result is Result.REFUSED
    assert "No seat H" in hands.text()


def test_buttons_of_another_seat_do_not_answer_for_who_is_asked() -> None:
    hands = at(AT_THE_GUARD)
    assert hands.push("ok", seat="B").result is Result.REFUSED
    assert hands.push("back", "ok", seat="A").result is Result.ACCEPTED


def test_what_cannot_be_written_down_is_not_done_and_said() -> None:
    hands = at(AT_THE_GUARD)

    def full(_line: object) -> None:
        raise OSError("disk full")

    hands.session.write = full
    before = hands.session.digest()
    assert hands.tap("forward-2").result is Result.REFUSED
    assert "disk full" in hands.text()
    assert hands.session.digest() == before


# -- whose, several at once, private ---------------------------------------------------------------


def test_where_several_are_asked_the_handset_asks_whose_it_is() -> None:
    hands = tiny_hands(total=5)
    assert len(hands.session.prompts) == 2
    assert hands.tap("yes").result is Result.NOTHING
    assert hands.title == "Who was it?"
    assert hands.choose("Budi").result is Result.ACCEPTED
    assert [prompt.seat for prompt in hands.session.prompts] == ["A"]


def test_a_seat_tag_says_whose_it_is() -> None:
    hands = tiny_hands(total=5)
    hands.tap("yes")
    assert hands.tap("B", "seat").result is Result.ACCEPTED
    assert [prompt.seat for prompt in hands.session.prompts] == ["A"]


class Secret(Tiny):
    """The bet is private."""

    def offer_bet(self, seat: str) -> Prompt[str]:
        return msgspec.structs.replace(super().offer_bet(seat), private=True)


def secret() -> Hands:
    return tiny_hands(Secret(TinyState(seats=["A", "B"], names={"A": "A", "B": "B"}), register()))


def test_a_private_question_is_covered_until_ok_uncovers_it() -> None:
    hands = secret()
    assert "bet" not in hands.text()
    assert "● show" in hands.texts()
    assert hands.push("ok").result is Result.NOTHING
    assert "Choose a bet" in hands.text()
    assert hands.choose("bet").result is Result.ACCEPTED
    assert "Choose a bet" not in hands.text()


@pytest.mark.parametrize("how", ["time", "back"])
def test_an_uncovered_question_is_covered_again(how: str) -> None:
    hands = secret()
    hands.push("ok")
    if how == "time":
        assert hands.wait(31)
    else:
        hands.push("back")
    assert "bet" not in hands.text()


def test_nothing_that_is_hidden_is_on_any_page() -> None:
    hands = started()
    hands.tap("forward-2")
    hands.session.interject("scan", "B", "forward-5")
    hands.handset.look()
    seen = ""
    for opened in ("back", "hold ok", "menu"):
        hands.question()
        hands.push(opened)
        for _ in range(12):
            seen += hands.text()
            hands.push("down")
    assert "Forward 2" in seen
    assert "scan" not in seen.casefold()


# -- undo ------------------------------------------------------------------------------------------


def test_after_an_undo_the_list_to_put_back_comes_before_all_else() -> None:  # U04
    hands = at(AT_THE_GUARD)
    hands.tap("forward-4")
    hands.tap("pass")
    assert hands.push("hold back").result is Result.ACCEPTED
    while hands.session.consent is not None:
        hands.choose("yes")
    assert hands.title == "Put back"
    told = ""
    for _ in range(4):
        told += hands.text()
        hands.push("down")
    assert "Pawn of Ana: square 4" in told
    assert hands.tap("forward-2").result is Result.REFUSED
    assert "put the pieces back" in hands.text()
    hands.push("back")
    assert hands.push("ok").result is Result.ACCEPTED
    assert not hands.session.put_back


def uncovered() -> Hands:
    """Somebody has turned up an event card, so that an undo needs another's consent."""
    hands = at(AT_THE_GUARD)
    for _ in range(40):
        prompt = hands.session.prompt
        if prompt.key == "event-card":
            card = next(iter(prompt.options()))
            hands.tap(str(card))
            return hands
        choices = list(prompt.options())
        wanted = "stubborn-mule" if "stubborn-mule" in choices else choices[3 % len(choices)]
        hands.tap(str(wanted))
    raise AssertionError("no event card was turned up")


def test_an_undo_asks_who_has_learned_something_by_the_same_buttons() -> None:
    hands = uncovered()
    before = hands.session.digest()
    hands.push("hold back")
    assert hands.session.consent is not None
    assert "Agree" in hands.text()
    hands.choose("no")
    assert hands.session.consent is None
    assert hands.session.digest() == before
    hands.push("hold back")
    while hands.session.consent is not None:
        assert hands.choose("yes").result is Result.ACCEPTED
    assert hands.session.digest() != before
    assert hands.lines[-1].kind is Kind.UNDO


def test_the_undo_tag_undoes_and_redo_is_in_the_menu() -> None:
    hands = started()
    start = hands.session.digest()
    hands.tap("forward-2")
    after = hands.session.digest()
    assert hands.tap(kind="undo").result is Result.ACCEPTED
    while hands.session.consent is not None or hands.session.put_back:
        hands.push("ok")
    assert hands.session.digest() == start
    hands.push("menu")
    assert hands.choose("Redo").result is Result.ACCEPTED
    assert hands.session.digest() == after


def test_nothing_to_undo_is_said() -> None:
    hands = started()
    assert hands.push("hold back").result is Result.REFUSED
    assert "nothing to undo" in hands.text()


# -- looking ---------------------------------------------------------------------------------------


def test_back_on_the_question_tells_what_was_missed() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap("forward-4")
    hands.tap("pass")
    hands.settle()
    hands.push("back")
    told = ""
    titles = []
    for _ in range(20):
        titles.append(hands.title)
        told += hands.text()
        hands.push("down")
    chapters = ["What happened", "Now on the table", "Standings", "Buttons"]
    assert list(dict.fromkeys(titles)) == chapters
    assert "Ana plays Forward 4." in told
    hands.push("back")
    assert hands.handset.top is hands.handset.home


def test_newcomers_are_told_what_the_question_means_first() -> None:
    hands = started(guide=True)
    hands.push("back")
    assert "drawn your move card" in hands.text()


def test_hold_ok_tells_the_reason_of_what_happened_last_and_its_causes() -> None:
    hands = started()
    hands.tap("forward-2")
    hands.push("hold ok")
    assert hands.title == "Why?"
    assert any("● cause  ◀ back" in text for text in hands.texts())
    for _ in range(9):
        if "Ana chooses" in hands.text():
            break
        hands.push("ok")
    assert "Ana chooses: Forward 2." in hands.text()


def test_hold_ok_before_anything_has_happened_says_so() -> None:
    hands = tiny_hands()
    hands.push("hold ok")
    assert "Nothing has happened yet" in hands.text()


def test_the_judge_tag_opens_the_rules_at_the_open_question() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap(kind="judge")
    assert hands.texts()[:2] == ["Move phase", "§5.5"]
    hands.push("ok")
    assert hands.title == "Rules"
    hands.choose("§15")
    assert "§15" in hands.texts()
    hands.push("back", "back", "back")
    assert hands.title == "Ana"


@pytest.mark.parametrize(("line", "title"), [("Standings", "Standings"), ("Devices", "Devices")])
def test_the_menu_leads_to_pages_and_goes_again(line: str, title: str) -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.choose(line)
    assert hands.title == title
    hands.push("menu")
    assert hands.title == "Ana"


def test_the_address_can_be_photographed() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.choose("Join by phone")
    assert hands.texts() == ["192.168.1.5", ":8080/", "j/AB12"]
    modules = segno.make(ADDRESS, micro=False, error="l", boost_error=False).matrix
    edge = (64 - 2 * len(modules)) // 2
    picture = hands.handset.picture()
    seen = [
        [picture.getpixel((edge + 2 * x, edge + 2 * y)) == 0 for x in range(len(modules))]
        for y in range(len(modules))
    ]
    assert seen == [[bool(module) for module in row] for row in modules]
    assert edge >= 4, "a quiet zone"


def test_a_game_without_rules_to_look_up_says_so() -> None:
    hands = tiny_hands()
    hands.tap(kind="judge")
    assert "nothing to choose" in hands.text()


def test_after_the_end_there_are_standings_undo_and_a_new_game() -> None:
    hands = tiny_hands(total=11, voted=True, betting=False)
    hands.push("ok")
    assert hands.title == "Game over"
    hands.push("hold down")
    assert hands.title == "Standings"
    hands.push("back", "ok")
    assert any(text.startswith("→ New game") for text in hands.texts())
    hands.question()
    assert hands.push("hold back").result is Result.ACCEPTED
    while hands.session.consent is not None or hands.session.put_back:
        hands.push("ok")
    assert not hands.session.over


def test_of_a_flapping_device_only_the_last_news_stand() -> None:
    hands = at(AT_THE_GUARD)
    for number in range(30):
        hands.handset.notice(Phrase("reader A"), Phrase("News {number}", {"number": number}))
    assert "News 29" in hands.text()
    hands.push("back")
    assert hands.title == "Ana"


def test_news_of_devices_pass_and_leave_what_was_in_sight() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.handset.notice(Phrase("reader A"), Phrase("It does not answer."))
    assert hands.wait(0.1)
    assert "It does not answer." in hands.text()
    hands.wait(6)
    assert hands.title == "Chaos Kart"
    hands.handset.notice(Phrase("reader A"), Phrase("It does not answer."))
    assert hands.tap("forward-2").result is Result.ACCEPTED


def test_what_may_be_done_beside_the_question_is_in_the_menu() -> None:
    hands = started()
    hands.push("menu")
    hands.choose("Beside")
    hands.choose("Budi: Ask you about")
    assert "Only Budi should look now." in hands.text()
    hands.push("ok")
    assert hands.choose("no").result is Result.ACCEPTED
    assert hands.lines[-1].kind is Kind.BESIDE
    assert hands.title == "Ana"


def test_a_card_is_scanned_by_buttons_and_seen_by_nobody_else() -> None:
    hands = started()
    hands.push("menu")
    hands.choose("Beside")
    hands.choose("Ana: Scan")
    assert "Forward" not in hands.text()
    hands.push("ok")
    assert hands.choose("Forward 5").result is Result.ACCEPTED
    assert hands.session.game.state.hands["A"].scanned == ["forward-5"]
    hands.push("back")
    for _ in range(9):
        assert "Forward 5" not in hands.text()
        hands.push("down")


def test_lights_know_whose_turn_it_is_and_who_is_asked() -> None:
    hands = at(AT_THE_GUARD)
    assert (hands.handset.active, hands.handset.asked) == ("A", "A")
    hands.tap("forward-4")
    assert (hands.handset.active, hands.handset.asked) == ("A", "B")
    hands.tap("pass")
    hands.push("hold back")
    assert hands.handset.asked == "", "all of them put the pieces back"


# -- setting right ---------------------------------------------------------------------------------


def test_a_pawn_is_set_right_by_buttons() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.choose("Correct")
    hands.choose("Pawn of Ana")
    hands.choose("Pawn of Ana: square 6")
    assert "Until now: Pawn of Ana: square 4" in hands.text()
    assert hands.session.view(None).layout["kart/A"] == 4
    assert hands.push("ok").result is Result.ACCEPTED
    assert hands.session.view(None).layout["kart/A"] == 6
    assert hands.lines[-1].kind is Kind.CORRECT
    hands.push("hold back")
    while hands.session.consent is not None or hands.session.put_back:
        hands.push("ok")
    assert hands.session.view(None).layout["kart/A"] == 4


def test_only_places_that_can_be_are_offered() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.choose("Correct")
    hands.choose("Pawn of Ana")
    offered = {line for _ in range(40) for line in (hands.push("down"), *hands.texts())}
    assert "  Pawn of Ana: square 9" in offered
    assert "  Pawn of Ana: square 8" not in offered, "Budi stands there"
    before = hands.session.digest()
    hands.push("back", "back", "back")
    assert hands.session.digest() == before


def test_phases_and_turns_are_offered_by_name() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.choose("Correct")
    hands.choose("Turn: Ana")
    hands.choose("Turn: Budi")
    hands.push("ok")
    assert hands.session.view(None).active == "B"


# -- tags ------------------------------------------------------------------------------------------


def test_an_unknown_tag_is_said_noted_and_changes_nothing() -> None:  # R17
    hands = at(AT_THE_GUARD)
    before, entries = hands.session.digest(), list(hands.session.entries)
    assert hands.tap(kind="unknown", tail="5E0A", uid="AC8C5E0A").result is Result.UNKNOWN
    assert hands.texts()[:2] == ["Unknown card", "…5E0A"]
    assert "Register it?" in hands.text()
    assert hands.session.digest() == before
    assert hands.session.entries == entries
    line = hands.lines[-1]
    assert line.kind is Kind.UNKNOWN
    assert "AC8C" not in repr(line)
    assert hands.session.number == line.n


def test_a_journal_with_an_unknown_tap_is_replayed() -> None:
    session = new_session()
    hands = Hands(session)
    hands.tap("forward-2")
    hands.tap(kind="unknown", tail="5E0A")
    hands.tap("pass")
    again: Session[Any] = new_session()
    again.reenact(hands.lines)
    assert again.digest() == session.digest()
    assert again.question_id() == session.question_id()


def test_an_unknown_tag_is_registered_by_buttons() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap(kind="unknown", tail="5E0A", uid="AC8C5E0A")
    hands.push("ok")
    assert "now" in hands.texts()
    assert any(text.startswith("→ Forward 1") for text in hands.texts())
    hands.push("hold down")
    assert "move deck" in hands.texts()
    hands.push("hold down")
    assert "power-up deck" in hands.texts()
    hands.push("hold up", "hold up")
    assert "now" in hands.texts()
    outcome = hands.choose("Forward 3")
    assert isinstance(outcome.wish, Register)
    assert (outcome.wish.uid, outcome.wish.tail) == ("AC8C5E0A", "5E0A")
    assert outcome.wish.thing.thing == "forward-3"
    assert hands.title == "Ana"


def test_an_unknown_tag_where_nothing_can_be_registered_is_said() -> None:
    hands = at(AT_THE_GUARD, things=())
    assert hands.tap(kind="unknown", tail="5E0A").result is Result.UNKNOWN
    assert "Nobody has registered this tag." in hands.text()
    hands.push("ok")
    assert hands.title == "Ana"


def test_an_unknown_tag_leaves_by_itself_and_known_ones_act_meanwhile() -> None:
    hands = at(AT_THE_GUARD)
    hands.tap(kind="unknown", tail="5E0A")
    hands.wait(11)
    assert hands.title == "Ana"
    hands.tap(kind="unknown", tail="5E0A")
    hands.push("ok")
    assert hands.tap("forward-2").result is Result.ACCEPTED


@pytest.mark.parametrize(
    ("kind", "said"), [("crowd", "Two tags at once"), ("other game", "another game: UNO")]
)
def test_taps_that_nobody_understands_are_said(kind: str, said: str) -> None:
    hands = at(AT_THE_GUARD)
    before = hands.session.digest()
    assert hands.tap(kind=kind, game="UNO").result is Result.UNKNOWN
    assert said in hands.text()
    assert hands.session.digest() == before


def test_an_unknown_tag_is_said_even_when_it_cannot_be_written_down() -> None:
    hands = at(AT_THE_GUARD)

    def full(_line: object) -> None:
        raise OSError("disk full")

    hands.session.write = full
    assert hands.tap(kind="unknown", tail="5E0A").result is Result.UNKNOWN
    assert hands.title == "Unknown card"


# -- what only the host can do ---------------------------------------------------------------------


def test_a_new_game_needs_a_held_button_after_a_choice_and_leaves_the_old_one() -> None:  # U05
    hands = at(AT_THE_GUARD)
    before = hands.session.digest()
    hands.push("menu")
    hands.choose("New game")
    assert hands.push("ok").wish is None
    assert hands.push("down").wish is None
    hands.question()
    hands.push("menu")
    hands.choose("New game")
    assert hands.push("hold ok").wish == NewGame()
    assert hands.session.digest() == before
    assert not hands.lines


def test_newcomers_see_what_the_buttons_do_when_they_set_up() -> None:
    for guide in (True, False):
        hands = Hands(new_session(guide=guide), unpacked=True)
        seen = [hands.title]
        while isinstance(hands.handset.top, Passing):
            hands.wait(20)
            seen.append(hands.title)
        assert ("Buttons" in seen) is guide
        assert seen[-1] == "Ana"


def test_the_menu_comes_at_once_over_what_passes_by_itself() -> None:
    hands = Hands(new_session())
    hands.tap("forward-2")
    hands.push("menu")
    assert hands.title == "Chaos Kart"
    hands.push("menu")
    assert hands.title == "Ana"


def test_a_player_leaves_by_buttons_and_is_named_where_the_others_are_asked() -> None:
    hands = Hands(new_session())
    hands.tap("forward-2")
    hands.menu("Players")
    hands.choose("Ana")
    assert "Ana leaves the game?" in hands.text()
    assert hands.push("ok").result is Result.ACCEPTED
    hands.settle()
    assert list(hands.handset.names) == ["B", "C"]
    hands.push("hold back")
    assert "Ana leaves" in hands.text()


def test_somebody_joins_by_buttons() -> None:
    hands = Hands(new_session())
    hands.tap("forward-2")
    hands.menu("Players")
    assert hands.choose("Somebody joins").result is Result.ACCEPTED
    assert hands.handset.names["D"] == "Player D"


def test_who_plays_cannot_change_while_something_is_put_back() -> None:
    hands = Hands(new_session())
    hands.tap("forward-2")
    hands.push("hold back", "menu")
    assert "Players" not in [item.entry.label for item in hands.handset.top.items]  # type: ignore[attr-defined]


def test_the_reminder_of_undo_never_looks_like_a_short_press() -> None:
    for language in LANGUAGES:
        hands = at(AT_THE_GUARD.replace("Budi", LONG_NAME), language)
        hands.tap("forward-4")
        hint = hands.handset.panels.words.say(Phrase("hold ◀: undo"))
        assert hands.texts()[:2] == [hands.title, hint]


def test_devices_that_fail_are_listed_first() -> None:
    hands = Hands(new_session())
    hands.menu("Devices")
    assert hands.texts()[1].startswith("×") or "×" in hands.texts()[2]


def test_switching_off_is_asked_once() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.choose("Switch off")
    assert "The game is kept" in hands.text()
    assert hands.push("ok").wish == Stop()


def test_the_language_is_changed_by_buttons() -> None:
    hands = at(AT_THE_GUARD)
    hands.push("menu")
    hands.choose("Bahasa")
    assert hands.choose("Bahasa Indonesia").wish == Speak("id")
    assert "Mainkan Kartu Gerak" in hands.text()


def test_a_language_without_a_font_is_refused_with_the_mend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hands = at(AT_THE_GUARD)

    def missing(_language: str) -> None:
        raise NoFont("There is no font: make fonts")

    monkeypatch.setattr("companion.screens.handset.menu.find_fonts", missing)
    hands.push("menu")
    hands.choose("Bahasa")
    assert hands.choose("English").wish is None
    assert "make fonts" in hands.text()


# -- everything fits, whatever people do -----------------------------------------------------------


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_every_page_fits_with_long_names(language: str) -> None:  # D06
    hands = at(AT_THE_GUARD.replace("Budi", LONG_NAME), language)
    hands.tap("forward-4")
    texts = hands.texts()
    assert texts[0].startswith(LONG_NAME[:4])
    assert any("OK" in text for text in texts)
    assert any("◀" in text for text in texts), "the reminder of undo"
    hands.tap("B", "seat")
    assert hands.title.startswith(LONG_NAME[:8])
    hands.tap("spanner")
    hands.texts()
    hands.push("back", "menu")
    for _ in range(9):
        hands.push("down", "ok")
        for button in ("down", "down", "ok", "hold down", "ok", "hold ok", "down", "back"):
            hands.texts()
            hands.push(button)
        hands.push("menu")
        if hands.handset.top is hands.handset.home:
            hands.push("menu")


BUTTONS = ["up", "down", "ok", "back", "hold up", "hold down", "hold ok", "hold back", "menu"]
TAPS = st.tuples(
    st.sampled_from([*TagKind, *Misread]),
    st.sampled_from(["forward-2", "back-1", "boost", "spanner", "shield", "A", "B", "Z", "pass"]),
)
DEEDS = st.lists(
    st.one_of(
        st.sampled_from(BUTTONS),
        TAPS,
        st.sampled_from([0.1, 3.0, 40.0]),
        st.sampled_from(["elsewhere"]),
    ),
    max_size=60,
)


def do(hands: Hands, deed: str | float | tuple[str, str]) -> None:
    if isinstance(deed, tuple):
        hands.tap(deed[1], deed[0], tail="5E0A", game="UNO")
    elif isinstance(deed, float):
        hands.wait(deed)
    elif deed != "elsewhere":
        hands.push(deed)
    elif hands.session.prompts and hands.session.consent is None and not hands.session.put_back:
        hands.session.answer(next(iter(hands.session.prompt.options())))


@settings(max_examples=60, deadline=None)
@given(DEEDS)
def test_whatever_people_do_nothing_breaks(deeds: list[str | float | tuple[str, str]]) -> None:
    session = new_session(("Ana", "Budi"), first="B")
    hands = Hands(session)
    for deed in deeds:
        do(hands, deed)
        assert hands.texts()
    again: Session[Any] = new_session(("Ana", "Budi"), first="B")
    again.reenact(hands.lines)
    assert again.digest() == session.digest()
    assert again.put_back == session.put_back


def test_tiny_words_are_enough_for_a_handset() -> None:
    hands = tiny_hands()
    while not hands.session.over:
        assert hands.push("ok").result is Result.ACCEPTED
    assert isinstance(hands.handset.wording, TinyWording)
    assert BOX.name not in hands.title
