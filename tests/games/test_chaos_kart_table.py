"""Chaos Kart at the table: inputs in the middle of a chain, seats that come and go, odd corners."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chaos_kart.box import BOX
from companion.games.chaos_kart.setup import Setup
from companion.rules.errors import BadSetup, CompanionError, NotNow
from companion.rules.events import Drew
from companion.rules.session import Session

BARE = "squares = 20"


def table(*names: str, silences: bool = True, **start: Any) -> Session[Any]:
    """A table in A's move phase on a bare track of 20 squares."""
    game = BOX.begin(Setup(seats=names, laps=3), {**BOX.content(), "board.toml": BARE})
    for seat in game.state.seats:
        game.put(f"hand/{seat}/move", 4)
        game.put(f"hand/{seat}/power-up", 1)
    for thing, place in start.items():
        game.put(thing.replace("_", "/"), place)
    game.put("phase", "move")
    return Session(game, "salt", silences=silences)


def squares(session: Session[Any]) -> dict[str, Any]:
    layout = session.game.layout()
    return {seat: layout[f"kart/{seat}"] for seat in session.game.state.seats}


def test_a_tap_between_the_steps_of_a_chain_changes_nothing() -> None:
    """Field case E06, on the chain of position CK06, with every defence asked aloud."""
    start = {"kart_A": 17, "kart_B": 1, "kart_C": 0, "kart_D": 19}
    session = table("Ana", "Budi", "Cici", "Dewi", silences=False, **start)
    session.answer("forward-4")
    questions = 0
    while session.prompt.key == "guard":
        questions += 1
        before = session.digest()
        for seat in "ABCD":
            if seat != session.prompt.seat:
                with pytest.raises(CompanionError):
                    session.answer("forward-2", seat)
        for wrong in ("forward-1", "bump-guard", "turbo", "nonsense"):
            with pytest.raises(CompanionError):
                session.answer(wrong)
        assert session.digest() == before
        session.answer("pass")
    assert questions == 3
    assert squares(session) == {"A": 1, "B": 0, "C": 19, "D": 18}


def test_leaving_gives_everything_back_and_passes_the_turn() -> None:
    session = table("Ana", "Budi", "Cici", kart_A=5, trap_A="pothole@7")
    session.leave("A", by="A")
    session.game.check()
    assert session.game.state.seats == ["B", "C"]
    assert session.prompt.seat == "B"
    assert "trap/A" not in session.game.layout()
    session.undo(by="B")
    while session.consent is not None:
        session.answer("yes")
    session.answer("done")
    assert (session.prompt.seat, squares(session)["A"]) == ("A", 5)


def test_two_players_are_the_least() -> None:
    session = table("Ana", "Budi")
    before = session.digest()
    with pytest.raises(BadSetup, match="least"):
        session.leave("B")
    assert session.digest() == before


def test_joining_takes_the_last_place_and_three_move_cards() -> None:
    session = table("Ana", "Budi")
    session.join("C", "Cici")
    session.game.check()
    assert session.game.state.seats == ["A", "B", "C"]
    drew = [e for e in session.game.log.events if isinstance(e, Drew)]
    assert [(e.seat, e.deck, e.count) for e in drew] == [("C", "move", 3)]
    for seat, name, said in (("C", "Dewi", "taken"), ("D", "ana", "called"), ("D", " ", "name")):
        with pytest.raises(BadSetup, match=said):
            session.join(seat, name)


def test_seats_change_between_decisions_only() -> None:
    session = table("Ana", "Budi", "Cici", silences=False, kart_A=2, kart_B=5)
    session.answer("forward-3")
    assert session.prompt.key == "guard"
    with pytest.raises(NotNow, match="decision"):
        session.leave("C")
    with pytest.raises(NotNow, match="decision"):
        session.swap("B", "C")


def test_seats_may_change_places() -> None:
    session = table("Ana", "Budi", "Cici")
    session.swap("B", "C")
    assert session.game.state.seats == ["A", "C", "B"]
    session.answer("pass")
    session.answer("pass")
    assert session.prompt.seat == "C"


def test_an_attack_thrown_back_twice_hits_whom_has_had_a_defence() -> None:
    session = table("Ana", "Budi", silences=False, kart_A=3, kart_B=5)
    session.correct("phase", "before-move")
    session.answer("spanner", "A")
    assert (session.prompt.key, session.prompt.seat) == ("defend", "B")
    session.answer("mirror", "B")
    assert session.prompt.seat != "B", "who threw it back is not asked again"
    assert session.game.layout()["damaged/A"] == 1


def test_a_card_that_finds_nobody_says_so() -> None:
    session = table("Ana", "Budi")
    session.correct("phase", "before-move")
    session.answer("dizzy-whistle", "A")
    kinds = [type(event).__name__ for event in session.game.log.events]
    assert "NoEffect" in kinds


def test_why_leads_from_a_marker_over_the_attack_to_the_answers() -> None:
    session = table("Ana", "Budi", silences=False, kart_A=3, kart_B=5)
    session.correct("phase", "before-move")
    session.answer("spanner", "A")
    session.answer("pass", "B")
    log = session.log(None)
    gained = next(n for n, e in enumerate(log) if type(e).__name__ == "MarkerGained")
    chain = [(type(r.event).__name__, r.event.rule) for r in session.why(gained)]
    assert chain == [
        ("MarkerGained", "15.2"),
        ("Answered", "16"),
        ("Played", "14.1"),
        ("Answered", "5.4"),
    ]


def test_why_leads_from_a_draw_to_the_answer_that_ended_the_turn_before() -> None:
    session = table("Ana", "Budi")
    session.answer("pass")
    session.answer("pass")
    log = session.log(None)
    chain = [type(reason.event).__name__ for reason in session.why(len(log) - 1)]
    assert chain == ["Drew", "TurnBegan", "Answered"]


def test_the_phase_shown_is_the_one_whose_decision_is_carried_out() -> None:
    session = table("Ana", "Budi", kart_A=3)
    session.correct("phase", "before-move")
    session.answer("pothole", "A")
    assert session.prompt.key == "trap-square"
    assert session.view(None).phase == "before-move"
