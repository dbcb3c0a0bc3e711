"""Hands are secret, decks lie face down (ruling S19): nobody learns of another's scan."""

from __future__ import annotations

import pytest

from tests.contract.eyes import everything
from tests.contract.tables import Players


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
