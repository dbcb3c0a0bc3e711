"""A race is won by the earliest input, in whatever order inputs come in. The clock is driven."""

from __future__ import annotations

from queue import SimpleQueue
from typing import Any

import pytest

from companion.devices.inputs import Button, Push, Pushed, Tapped
from companion.games.uno_mario_kart.box import BOX
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.tags import Tag, TagKind
from companion.screens.handset import Handset
from companion.screens.handset.racing import Race
from companion.screens.oled import find_fonts
from companion.tabletop import HOLD, TIE, Tabletop
from companion.words import Words
from tests.host.simulated import hands_at, until

SCENARIO = """
game = "uno-mario-kart"
title = "Ana is about to lay the last card but one"
setup = { seats = ["Ana", "Budi", "Cici"], guide = false }
play = []

[start]
"turn" = "A"
"hand/A/stock" = 2
"hand/B/stock" = 7
"hand/C/stock" = 7
"top" = "red-7"
"""

TAGS = {
    "04": Tag("04", BOX.name, TagKind.TOKEN, "uno"),
    "05": Tag("05", BOX.name, TagKind.TOKEN, "catch"),
    "06": Tag("06", BOX.name, TagKind.CARD, "red-1"),
    "07": Tag("07", BOX.name, TagKind.CARD, "red-2"),
    "08": Tag("08", BOX.name, TagKind.CARD, "wild-draw-four"),
}


class Station:
    """A station without devices: only its inbox matters here."""

    def __init__(self) -> None:
        self.inbox: SimpleQueue[Any] = SimpleQueue()

    def touched(self) -> bool:
        return False

    def check(self) -> None: ...

    def show(self, image: object) -> None: ...

    def light(self, lights: object) -> None: ...

    def play(self, signal: object) -> None: ...


class Book:
    """Knows the tags."""

    def tag(self, uid: str) -> Tag | None:
        return TAGS.get(uid)

    def tags(self) -> list[Tag]:
        return list(TAGS.values())

    def bind(self, tag: Tag, *, move: bool = False) -> None: ...


class AtTheTable:
    """A table whose inputs come when a test says so."""

    def __init__(self) -> None:
        playing = Playing(read_scenario(SCENARIO, "race.toml"), BOX)
        self.session = playing.session
        self.now = 100.0
        self.handset = Handset(self.session, BOX, playing.wording, Words("en"), find_fonts("en"))
        self.station = Station()
        station: Any = self.station
        self.tabletop = Tabletop(station, Book(), self.handset, clock=lambda: self.now)
        self.tabletop.game = BOX.name

    def tap(self, uid: str, at: float, seat: str = "") -> None:
        self.station.inbox.put(Tapped("A", uid, 100 + at, seat))

    def push(self, button: Button, at: float, seat: str = "") -> None:
        self.station.inbox.put(Pushed(button, Push.SHORT, 100 + at, seat=seat))

    def lay(self, uid: str = "06") -> None:
        """Ana lays a card at 0."""
        self.tap(uid, 0.0)
        self.run(0.0)

    def run(self, until: float) -> None:
        """Let time pass up to a moment, in steps of five milliseconds."""
        while self.now < 100 + until:
            self.now += 0.005
            while self.tabletop.turn():
                pass
        while self.tabletop.turn():
            pass

    @property
    def ana(self) -> int:
        return int(self.session.game.state.hands["A"].size())


@pytest.fixture
def table() -> AtTheTable:
    return AtTheTable()


def test_a_catch_that_was_earlier_wins_though_it_came_in_later(table: AtTheTable) -> None:
    table.lay()
    table.run(1.21)
    table.tap("04", 1.20, "A")
    table.tap("05", 1.15, "B")
    table.run(1.5)
    assert table.ana == 3


def test_a_call_that_was_earlier_wins(table: AtTheTable) -> None:
    table.lay()
    table.run(1.16)
    table.tap("05", 1.15, "B")
    table.run(1.2)
    table.tap("04", 1.09, "A")
    table.run(1.5)
    assert table.ana == 1


def test_nothing_waits_longer_than_the_hold(table: AtTheTable) -> None:
    table.lay()
    table.run(1.0)
    table.tap("05", 1.0, "B")
    table.run(1.0 + HOLD - 0.01)
    assert table.ana == 1
    table.run(1.0 + HOLD + 0.01)
    assert table.ana == 3


@pytest.mark.parametrize(("later", "cards"), [(TIE - 0.005, 1), (TIE + 0.005, 3)])
def test_both_at_the_same_moment_is_safe(table: AtTheTable, later: float, cards: int) -> None:
    table.lay()
    table.run(1.0)
    table.tap("05", 1.0, "B")
    table.tap("04", 1.0 + later, "A")
    table.run(1.5)
    assert table.ana == cards


def test_the_next_card_does_not_overtake_a_catch(table: AtTheTable) -> None:
    table.lay()
    table.run(1.3)
    table.tap("07", 1.29, "B")
    table.tap("05", 1.25, "C")
    table.run(1.6)
    assert table.ana == 3
    assert table.session.prompt.seat == "C", "and the card was laid after it"


def test_a_card_that_was_earlier_closes_the_window(table: AtTheTable) -> None:
    table.lay()
    table.run(1.3)
    table.tap("05", 1.29, "C")
    table.tap("07", 1.25, "B")
    table.run(1.6)
    assert table.ana == 1
    assert table.session.prompt.seat == "C"


def test_a_colour_still_to_be_named_does_not_delay_the_call(table: AtTheTable) -> None:
    table.lay("08")
    assert table.session.prompt.key == "colour"
    table.tap("04", 0.5, "A")
    table.run(0.7)
    assert table.session.prompt.key == "colour"
    assert table.session.races == ()


def test_one_button_calls_and_another_catches(table: AtTheTable) -> None:
    table.lay()
    assert isinstance(table.handset.top, Race)
    table.push(Button.DOWN, 1.15)
    table.push(Button.UP, 1.14)
    table.run(1.5)
    assert table.ana == 1
    assert table.session.races == ()


def test_the_catching_button_alone(table: AtTheTable) -> None:
    table.lay()
    table.push(Button.DOWN, 1.15)
    table.run(1.5)
    assert table.ana == 3
    assert not isinstance(table.handset.top, Race)


def test_without_a_race_nothing_is_held(table: AtTheTable) -> None:
    table.tap("06", 0.0)
    assert table.tabletop.turn()
    assert table.session.prompt.seat == "B"


# -- on simulated chips ----------------------------------------------------------------------------


def test_from_the_antenna_and_the_button_to_the_penalty() -> None:
    with hands_at(game=BOX.name, who="C") as hands:
        hands.do("tap red 7")
        session = hands.table.session
        session.correct("hand/A/stock", 2)
        hands.do("tap blue 7")
        until(lambda: session.races == ("uno", "catch"))
        hands.do("press down")
        until(lambda: session.game.state.hands["A"].size() == 3)
        hands.do("tap uno")
        assert session.game.state.hands["A"].size() == 3


def test_a_card_played_in_time_and_a_tag_that_calls() -> None:
    with hands_at(game=BOX.name, who="C") as hands:
        hands.do("tap red 7")
        session = hands.table.session
        session.correct("hand/A/stock", 2)
        hands.do("tap blue 7", "tap uno on B")
        until(lambda: session.races == ())
        hands.do("tap catch", "tap blue 9")
        until(lambda: session.prompt.seat == "C")
        assert session.game.state.hands["A"].size() == 1
