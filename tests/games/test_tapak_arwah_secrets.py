"""Two states that differ only in what a viewer may not know look the same to that viewer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.errors import Refused
from companion.rules.session import Session
from tests.contract.tables import SETUPS, Players
from tests.games.test_chaos_kart_secrets import everything

SECRETS = ["amulet", "sprint", "drift", "unstoppable", "remedy"]


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
    number = data.draw(st.integers(0, len(SETUPS["tapak-arwah"]) - 1))
    players = Players("tapak-arwah", number, seed=data.draw(st.integers(0, 50)))
    for _ in range(data.draw(st.integers(0, 60))):
        if not players.session.over:
            players.answer()
    session = players.session
    if session.over:
        return
    seat, other = data.draw(st.sampled_from([("A", "B"), ("B", "A")]))
    twin = session.fork()
    scanned = scan_all(twin, seat)
    for who in (None, other):
        assert everything(session, who) == everything(twin, who)
    if scanned:
        assert everything(session, seat) != everything(twin, seat)
    for _ in range(8):
        if not session.prompts:
            break
        choice = players.table.answer(session.prompt)
        session.answer(choice)
        twin.answer(choice)
        for who in (None, other):
            assert everything(session, who) == everything(twin, who)


@pytest.mark.parametrize("scan", [False, True])
def test_the_same_question_is_asked_whether_or_not_the_card_is_held(scan: bool) -> None:
    """A reaction is offered by public counts: a scanned hand changes nothing."""
    players = Players("tapak-arwah", 2, seed=2, silences=False)
    session = players.session
    while session.prompt.key != "roll" or session.prompt.seat != "A":
        players.answer()
    for thing, place in (("hand/B/human-buff", 1), ("pawn/A", 9), ("pawn/B", 13)):
        session.correct(thing, place)
        players.settle()
    if scan:
        session.interject("scan", "B", "sprint")
    session.answer(4)
    assert (session.prompt.key, session.prompt.seat) == ("react", "B")


def test_no_byte_of_a_scan_is_in_what_the_other_gets() -> None:
    session = Players("tapak-arwah", 0, seed=1).session
    session.correct("hand/B/human-buff", 1)
    session.interject("scan", "B", "old-chest")
    for who in (None, "A"):
        seen = everything(session, who)
        assert b"Scanned" not in seen
        assert b"old-chest" not in seen.split(b'"winners"')[0]
    assert b"old-chest" in everything(session, "B").split(b'"winners"')[0]
