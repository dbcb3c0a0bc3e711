"""Nobody learns of a hand what they may not: views, logs, questions, journals."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.uno_mario_kart.box import BOX
from companion.rules.errors import Refused
from companion.rules.scenarios import Playing, from_session, read_scenario
from companion.rules.session import Session
from tests.contract.tables import SETUPS, Players

GAME = "uno-mario-kart"
SECRETS = ["red-3", "blue-9", "green-skip", "wild-draw-four"]

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


def everything(session: Session[Any], who: str | None) -> bytes:
    """All that a viewer can get: the view, the log, its whys, and the questions open to them."""
    prompts = [
        (p.key, p.seat, p.shows if not p.private or p.seat == who else (),
         [(c, repr(p.why_not(c))) for c in p.candidates if not p.private or p.seat == who])
        for p in session.prompts
    ]  # fmt: skip
    log = session.log(who)
    whys = [[repr(r) for r in session.why(n, who)] for n in range(max(0, len(log) - 8), len(log))]
    return msgspec.json.encode([session.view(who), [repr(e) for e in log], whys, prompts])


@given(data=st.data())
def test_a_scan_is_seen_by_its_seat_alone(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(SETUPS[GAME]) - 1))
    players = Players(GAME, number, seed=data.draw(st.integers(0, 50)))
    for _ in range(data.draw(st.integers(0, 40))):
        if not players.session.over:
            players.answer()
    session = players.session
    if session.over or session.prompt.key == "shown":
        return
    seats = session.game.state.seats
    seat = data.draw(st.sampled_from(seats))
    twin = session.fork()
    for card in SECRETS:
        players.dare(lambda card=card: twin.interject("scan", seat, card))
    for _ in range(8):
        for who in [None, *(other for other in seats if other != seat)]:
            shown = session.prompts and session.prompt.key == "shown"
            if not (shown and session.prompt.seat == who):
                assert everything(session, who) == everything(twin, who)
        if not session.prompts:
            break
        choice = players.table.answer(session.prompt)
        session.answer(choice)
        twin.answer(choice)


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
