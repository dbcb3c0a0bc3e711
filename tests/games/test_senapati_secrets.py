"""Hands are secret, decks lie face down (ruling S19): nobody learns of another's scan."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.errors import Refused
from companion.rules.session import Session
from tests.contract.tables import SETUPS, Players

SECRETS = ["spear-a", "machete-b", "shield-card-a", "shield-card-b", "net", "ambush"]


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
    number = data.draw(st.integers(0, len(SETUPS["senapati"]) - 1))
    players = Players("senapati", number, seed=data.draw(st.integers(0, 50)))
    for _ in range(data.draw(st.integers(0, 120))):
        if not players.session.over:
            players.answer()
    session = players.session
    if session.over:
        return
    seat = data.draw(st.sampled_from(session.game.state.seats))
    other = "A" if seat == "B" else "B"
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


@pytest.mark.parametrize("who", [None, "A"])
def test_no_byte_of_a_scan_is_in_what_others_get(who: str | None) -> None:
    session = Players("senapati", 0, seed=1).session
    session.interject("scan", "B", "spear-b")
    assert b"spear-b" not in everything(session, who)
    assert b"Scanned" not in everything(session, who)
    assert b"spear-b" in everything(session, "B")


def test_a_swap_is_not_refused_by_what_only_its_player_knows() -> None:
    session = Players("senapati", 0, seed=1).session
    assert session.prompt.why_not("swap") is None
    session.interject("scan", "A", "spear-a")
    assert session.prompt.why_not("swap") is None


def test_a_virtual_player_swaps_with_three_shields_only() -> None:
    for seed in range(40):
        players = Players("senapati", 0, seed)
        players.table.follow()
        held = players.table.hands["A"]
        offered = players.table.options(players.session.prompt)
        assert ("swap" in offered) == (held == ["shield-card-a"] * 3)
