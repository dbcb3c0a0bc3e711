"""Two states that differ only in what a viewer may not know look the same to that viewer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.errors import Refused
from companion.rules.session import Session
from tests.contract.tables import SETUPS, Players

SECRETS = ["dodge", "forward-6", "mirror", "spanner"]


def everything(session: Session[Any], who: str | None) -> bytes:
    """All that a viewer can get: the view, the log, its whys, the question and its refusals."""
    prompts = [
        (p.key, p.seat, [(c, repr(p.why_not(c))) for c in p.candidates]) for p in session.prompts
    ]
    log = session.log(who)
    last = range(max(0, len(log) - 8), len(log))
    whys = [[repr(reason) for reason in session.why(n, who)] for n in last]
    return msgspec.json.encode([session.game.view(who), [repr(e) for e in log], whys, prompts])


def scan_all(session: Session[Any], seat: str) -> int:
    """A seat shows the companion whatever it can of some cards; how many it took."""
    done = 0
    for card in SECRETS:
        try:
            session.interject("scan", seat, card)
            done += 1
        except Refused:
            pass
    return done


@given(data=st.data())
def test_a_scan_is_seen_by_its_seat_alone(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(SETUPS["chaos-kart"]) - 1))
    players = Players("chaos-kart", number, seed=data.draw(st.integers(0, 50)))
    for _ in range(data.draw(st.integers(0, 40))):
        if not players.session.over:
            players.answer()
    session = players.session
    if session.over:
        return
    seats = session.game.state.seats
    seat = data.draw(st.sampled_from(seats))
    twin = session.fork()
    scanned = scan_all(twin, seat)
    for who in [None, *(other for other in seats if other != seat)]:
        assert everything(session, who) == everything(twin, who)
    if scanned:
        assert everything(session, seat) != everything(twin, seat)
    for _ in range(8):
        if not session.prompts:
            break
        choice = players.table.answer(session.prompt)
        session.answer(choice)
        twin.answer(choice)
        for who in [None, *(other for other in seats if other != seat)]:
            assert everything(session, who) == everything(twin, who)


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
