"""A card game on the screens: the pile, the race for UNO, a hand shown to one, points to count."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.uno_mario_kart.box import BOX
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.session import Session
from companion.rules.tags import TagKind
from companion.screens.handset import Handset, Meaning, Outcome, Result
from companion.screens.handset.racing import Race
from companion.screens.oled import find_fonts
from companion.screens.terminal import Terminal
from companion.words import Words

TABLE = """
game = "uno-mario-kart"
title = "Ana has two cards"
setup = { seats = ["Ana", "Budi", "Cici"], guide = false }

[start]
"turn" = "A"
"hand/A/stock" = 2
"hand/B/stock" = 7
"hand/C/stock" = 7
"top" = "red-7"
"""


CHALLENGED = (
    'by = "A"\nbeside = "scan"\nsay = "red-2"',
    'by = "A"\nsay = ["wild-draw-four", "green"]',
    'by = "B"\nsay = "challenge"',
)
"""Ana, who has scanned a card, is challenged by Budi."""


def table(*plays: str) -> Playing:
    """The table after some steps."""
    steps = "".join(f"\n[[play]]\n{play}\n" for play in (*plays, 'note = "and now"'))
    playing = Playing(read_scenario(TABLE + steps, "table.toml"), BOX)
    assert not any(played.faults for played in playing.play())
    return playing


def terminal(*plays: str, who: str | None = None) -> Terminal:
    playing = table(*plays)
    return Terminal(playing.session, BOX, playing.wording, Words("en"), who=who, oled=False)


def say(desk: Terminal, *lines: str) -> str:
    told = ""
    for line in lines:
        told = desk.handle(line)
        assert not desk.failed, f"{line}: {told}"
    return told


# -- the terminal ----------------------------------------------------------------------------------


def test_the_pile_and_the_direction_are_in_sight() -> None:
    desk = terminal()
    assert "On top: Red 7" in desk.screen()
    assert "turns go to the left" in desk.screen()
    say(desk, "red reverse")
    assert "On top: Red Reverse" in desk.screen()
    assert "turns go to the right" in say(desk, "standings")


def test_a_named_colour_is_in_sight() -> None:
    desk = terminal()
    say(desk, "wild draw four", "blue")
    assert "to follow: blue" in desk.screen()


def test_uno_is_called_in_one_word() -> None:
    desk = terminal()
    say(desk, "red 1", "Ana: uno")
    assert "Ana calls UNO." in desk.screen()
    assert "§11, ruling U25" in desk.handle("catch")


@pytest.mark.parametrize("line", ["catch", "Cici: catch", "tangkap", "Cici: 言い忘れ"])
def test_who_forgets_is_caught_in_one_word(line: str) -> None:
    desk = terminal()
    say(desk, "red 1", line)
    assert desk.session.game.state.hands["A"].size() == 3


def test_a_word_said_beside_is_typed_again_from_the_log() -> None:
    desk = terminal()
    say(desk, "red 1", "catch", "take-back Budi", "scan Cici red 5")
    typed = say(desk, "log all").splitlines()
    again = terminal()
    for line in typed:
        again.handle(line)
    state = again.session.game.state
    assert state.hands["A"].size() == 3
    assert state.hands["B"].size() == 8
    assert not any("red-5" in line for line in typed)


def test_help_says_what_may_be_done_beside_the_question() -> None:
    desk = terminal()
    listed = say(desk, "help")
    for usage in ("<player>: uno", "take-back <choice>", "scan <player> <choice>"):
        assert usage in listed
    assert "passives" not in listed
    assert "Scan a card of your hand" in say(desk, "help pindai")
    assert "scan <player> <choice>" in desk.handle("scan")


def test_many_cards_are_not_listed_but_points_are_as_a_range() -> None:
    desk = terminal('by = "A"\nsay = "wild-item-box"')
    assert "54 choices: type a name" in desk.screen()
    desk = terminal('correct = { "hand/A/stock" = 1 }', 'by = "A"\nsay = "red-1"')
    assert "0–350" in desk.screen()
    say(desk, "37")
    assert desk.session.game.state.points == {"B": 37}


def test_a_private_question_is_said_but_not_what_it_shows() -> None:
    desk = terminal(*CHALLENGED)
    assert "private" in desk.screen()
    assert "Red 2" not in desk.screen() + say(desk, "")
    assert "Look at the hand of Ana: any red?" in say(desk, "")
    own = terminal(*CHALLENGED, who="B")
    assert "Shown to you: Red 2" in own.screen()
    say(desk, "yes")
    assert desk.session.game.state.hands["A"].size() == 5


# -- the handset -----------------------------------------------------------------------------------


class Hands:
    """People at the handset, one act a second."""

    def __init__(self, *plays: str) -> None:
        playing = table(*plays)
        self.session: Session[Any] = playing.session
        self.handset = Handset(playing.session, BOX, playing.wording, Words("en"), find_fonts("en"))
        self.now = 10.0
        self.handset.tick(self.now)
        if not plays:
            self.push("ok")  # the table is laid out

    def push(self, button: str, how: str = "short") -> Outcome:
        self.now += 1
        return self.handset.push(button, how, self.now)

    def tap(self, thing: str, kind: TagKind = TagKind.CARD) -> Outcome:
        self.now += 1
        return self.handset.tap(Meaning(kind, thing), self.now)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.handset.tick(self.now)

    @property
    def text(self) -> str:
        return " ".join(text for text, _ in self.handset.sheet().texts)

    def size(self, seat: str) -> int:
        return int(self.session.game.state.hands[seat].size())


def test_one_press_calls_uno_and_another_catches() -> None:
    for button, cards in (("up", 1), ("down", 3)):
        hands = Hands()
        hands.tap("red-1")
        assert "▲ UNO!" in hands.text
        assert "▼ Caught!" in hands.text
        assert hands.push(button).result is Result.ACCEPTED
        assert hands.size("A") == cards


def test_the_page_of_a_race_passes_and_the_menu_still_has_the_calls() -> None:
    hands = Hands()
    hands.tap("red-1")
    hands.wait(6)
    assert not isinstance(hands.handset.top, Race)
    assert "Lay a card on Red 1" in hands.text
    hands.push("up", "chord")
    assert "UNO!" in hands.text
    assert hands.push("ok").result is Result.ACCEPTED
    assert hands.size("A") == 1
    assert hands.handset.races == ()


def test_a_card_may_be_tapped_while_the_page_of_a_race_is_in_sight() -> None:
    hands = Hands()
    hands.tap("red-1")
    assert hands.tap("red-2").result is Result.ACCEPTED
    assert not isinstance(hands.handset.top, Race)
    assert hands.size("A") == 1


def test_what_to_draw_comes_after_the_race() -> None:
    hands = Hands()
    hands.tap("red-draw-two")
    assert isinstance(hands.handset.top, Race)
    hands.push("ok")
    assert "Budi: take 2 cards" in hands.text


def test_a_tag_calls_too() -> None:
    hands = Hands()
    hands.tap("red-1")
    assert hands.tap("catch", TagKind.TOKEN).result is Result.ACCEPTED
    assert hands.size("A") == 3
    assert hands.tap("uno", TagKind.TOKEN).result is Result.REFUSED


def test_a_shown_hand_is_covered_before_and_after() -> None:
    hands = Hands(*CHALLENGED)
    assert "Red 2" not in hands.text
    hands.push("ok")
    assert "Red 2" in hands.text
    hands.push("ok")
    assert "any red?" in hands.text
    hands.push("ok")
    assert hands.session.prompt.key == "turn"
    assert "Red 2" not in hands.text


def test_a_shown_hand_is_covered_when_nobody_answers() -> None:
    hands = Hands(*CHALLENGED)
    hands.push("ok")
    assert "Red 2" in hands.text
    hands.wait(40)
    assert "Red 2" not in hands.text
    assert hands.session.prompt.key == "shown"


def test_the_pile_is_on_the_page_of_standings() -> None:
    hands = Hands()
    hands.push("up", "chord")
    hands.push("ok")
    assert "On top: Red 7" in hands.text
