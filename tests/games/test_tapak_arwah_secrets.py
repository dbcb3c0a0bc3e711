"""Two states that differ only in what a viewer may not know look the same to that viewer."""

from __future__ import annotations

import pytest

from tests.contract.eyes import everything
from tests.contract.tables import Players


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
