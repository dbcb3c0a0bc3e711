"""Nobody learns of a hand what they may not: views, logs, questions, journals."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.uno_mario_kart.box import BOX
from companion.rules.errors import Refused
from companion.rules.scenarios import Playing, from_session, read_scenario
from companion.rules.session import Session
from tests.contract.eyes import everything

CHALLENGED = """
game = "uno-mario-kart"
title = "Ana's Wild Draw Four is challenged by Budi"
setup = { seats = ["Ana", "Budi", "Cici"], guide = false }

[start]
"turn" = "A"
"hand/*/stock" = 3
"top" = "red-7"

[[play]]
by = "A"
beside = "scan"
say = "red-2"

[[play]]
by = "A"
say = ["wild-draw-four", "blue"]

[[play]]
by = "B"
say = "challenge"
"""


@pytest.fixture
def challenged() -> Session[Any]:
    playing = Playing(read_scenario(CHALLENGED, "challenged.toml"), BOX)
    assert not any(played.faults for played in playing.play())
    return playing.session


def test_a_scanned_hand_is_shown_to_the_challenger_alone(challenged: Session[Any]) -> None:
    prompt = challenged.prompt
    assert (prompt.key, prompt.seat, prompt.private) == ("shown", "B", True)
    assert prompt.shows == ("red-2",)
    assert b"red-2" in everything(challenged, "B")
    for who in (None, "C"):
        assert b"red-2" not in everything(challenged, who)


def test_the_colour_that_is_asked_for_is_the_one_before_the_card(challenged: Session[Any]) -> None:
    assert challenged.prompt.args == {"by": "A", "colour": "red"}
    wild = CHALLENGED.replace('"top" = "red-7"', '"top" = "wild-item-box"\n"colour" = "yellow"')
    playing = Playing(read_scenario(wild, "challenged.toml"), BOX)
    playing.play()
    assert playing.session.prompt.args == {"by": "A", "colour": "yellow"}


def test_a_hand_that_was_never_scanned_is_on_no_screen() -> None:
    unscanned = CHALLENGED.replace('beside = "scan"\nsay = "red-2"', "")
    playing = Playing(read_scenario(unscanned, "challenged.toml"), BOX)
    playing.play()
    assert playing.session.prompt.key == "shown"
    assert playing.session.prompt.shows == ()


def test_what_the_challenger_says_is_in_no_log_of_others(challenged: Session[Any]) -> None:
    challenged.answer("yes", "B")
    for who in (None, "A", "C"):
        answers = [repr(event) for event in challenged.log(who) if "Answered" in repr(event)]
        assert not any("'shown'" in answer for answer in answers)
    assert any("'shown'" in repr(event) for event in challenged.log("B"))
    told = from_session(challenged, BOX.name, {"seats": ["Ana", "Budi", "Cici"]}, {}, "?")
    assert "red-2" not in told
    assert '"yes"' not in told


def test_no_refusal_uses_what_was_scanned(challenged: Session[Any]) -> None:
    """Cici may still lay both red twos as far as anybody knows."""
    challenged.answer("no", "B")
    game = challenged.game
    assert game.state.hands["A"].scanned == ["red-2"]
    assert challenged.prompt.seat == "C"
    for card in ("blue-2", "wild-draw-four"):
        assert challenged.prompt.why_not(card) is None
    with pytest.raises(Refused):
        challenged.answer("red-2", "C")
    refusal = challenged.prompt.why_not("red-2")
    assert refusal is not None
    assert refusal.rule == "7.1", "by its colour, not because it is known to be elsewhere"
