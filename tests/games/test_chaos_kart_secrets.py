"""Two states that differ only in what a viewer may not know look the same to that viewer."""

from __future__ import annotations

import pytest

from tests.contract.eyes import everything
from tests.contract.tables import Players


@pytest.mark.parametrize("who", [None, "A", "C"])
def test_no_byte_of_a_scan_is_in_what_others_get(who: str | None) -> None:
    session = Players("chaos-kart", 1, seed=1).session
    session.interject("scan", "B", "forward-6")
    seen = everything(session, who).split(b'"winners"')[0]
    assert b"Scanned" not in everything(session, who)
    assert b"forward-6" not in seen
    assert b"forward-6" in everything(session, "B").split(b'"winners"')[0]


def test_the_same_question_is_asked_whether_or_not_the_card_is_held() -> None:
    """A defence is offered by public counts: a scanned hand changes nothing."""
    for scan in (False, True):
        players = Players("chaos-kart", 1, seed=2, silences=False)
        session = players.session
        for thing, place in (("hand/A/power-up", 1), ("hand/C/power-up", 1)):
            session.correct(thing, place)
        if scan:
            session.interject("scan", "C", "turbo")
        session.correct("turn", "A")
        session.answer("done")
        session.answer("spanner", "A")
        session.answer("C")
        assert (session.prompt.key, session.prompt.seat) == ("defend", "C")


def test_a_player_may_switch_the_question_off() -> None:
    players = Players("chaos-kart", 1, seed=2, silences=False)
    session = players.session
    for thing, place in (("hand/A/power-up", 1), ("hand/C/power-up", 1)):
        session.correct(thing, place)
    session.interject("passives", "C", "off")
    session.correct("turn", "A")
    session.answer("done")
    session.answer("spanner", "A")
    session.answer("C")
    assert session.prompt.key == "move"
