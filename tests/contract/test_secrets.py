"""Two states that differ only in what a viewer may not know look the same to that viewer.

For every game in which people may show the companion a card of their hand.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.prompts import Prompt
from companion.rules.session import Session
from tests.contract.eyes import everything
from tests.contract.tables import SETUPS, Players

MOST = 60
"""The most answers before somebody scans."""


def scanning(session: Session[Any], seat: str) -> Prompt[Any] | None:
    """The offer to scan a card of one's own hand."""
    return next((p for p in session.game.beside() if (p.key, p.seat) == ("scan", seat)), None)


WITH_HANDS = sorted(game for game in SETUPS if scanning(Players(game, 0, seed=0).session, "A"))


def others_see_alike(session: Session[Any], twin: Session[Any], seat: str) -> None:
    """Whoever is not shown something right now sees the same at both tables."""
    shown = {prompt.seat for prompt in session.prompts if prompt.private}
    others = {other for other in session.game.state.seats if other != seat} - shown
    for who in (None, *sorted(others)):
        assert everything(session, who) == everything(twin, who)


def test_games_with_hands_can_be_scanned() -> None:
    assert {"chaos-kart", "senapati", "tapak-arwah", "uno-mario-kart"} <= set(WITH_HANDS)


@pytest.mark.parametrize("game", WITH_HANDS)
@given(data=st.data())
def test_a_scan_is_seen_by_its_seat_alone(game: str, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(SETUPS[game]) - 1))
    players = Players(game, number, seed=data.draw(st.integers(0, 50)))
    for _ in range(data.draw(st.integers(0, MOST))):
        if not players.session.over:
            players.answer()
    session = players.session
    if session.over or session.prompt.private:
        return
    seat = data.draw(st.sampled_from(session.game.state.seats))
    twin, scanned = session.fork(), 0
    offer = scanning(session, seat)
    cards = [] if offer is None else list(offer.candidates)
    for card in data.draw(st.lists(st.sampled_from(cards or [""]), max_size=4)):
        scanned += players.dare(lambda card=card: twin.interject("scan", seat, card))
    if scanned:
        assert everything(session, seat) != everything(twin, seat)
    for _ in range(8):
        others_see_alike(session, twin, seat)
        if not session.prompts:
            break
        choice = players.table.answer(session.prompt)
        session.answer(choice)
        twin.answer(choice)
