"""What holds for every game on the shelf."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.shelf import GAMES, open_box
from companion.rules.errors import NotNow, Refused
from companion.rules.game import Run
from companion.rules.layouts import shifts
from companion.rules.lines import Line
from companion.rules.prompts import Choice, Forbidden
from companion.rules.session import Session
from companion.virtual import VirtualTable, play_out
from tests.contract.tables import ALL, SETUPS, Players, begin

FEW = 3
"""How many choices of a question are tried in depth."""

each_table = pytest.mark.parametrize(("game", "number"), ALL)


def test_every_game_is_tried() -> None:
    assert set(SETUPS) == set(GAMES)


@each_table
def test_random_full_games_end_with_a_reason_and_no_question(game: str, number: int) -> None:
    for seed in range(4):
        played = begin(game, number)
        play_out(played, Random(seed), limit=20_000)
        ending = played.state.ending
        assert ending is not None
        assert ending.rule in played.register.sections
        played.check()
        run: Run[Any] = Run(played)
        run.start()
        assert run.prompts == []
        with pytest.raises(NotNow):
            run.answer("pass")


@each_table
def test_no_card_is_made_or_lost(game: str, number: int) -> None:
    played = begin(game, number)
    run: Run[Any] = Run(played)
    run.start()
    table = VirtualTable(played, Random(7))
    for _ in range(400):
        if not run.open:
            break
        run.answer(table.answer(run.prompt))
        if not run.in_step:
            played.check()
    table.follow()
    for seat, hand in getattr(played.state, "hands", {}).items():
        counts = hand.counts
        held = [table.deck_of[card] for card in table.hands[seat]]
        assert {deck: held.count(deck) for deck in counts} == counts


@each_table
def test_every_option_is_accepted_and_every_refusal_has_a_rule(game: str, number: int) -> None:
    players = Players(game, number, seed=3)
    for _ in range(60):
        if players.session.over:
            return
        prompt = players.session.prompt
        for choice in some(players, list(prompt.options())):
            players.session.fork().answer(choice)
        for choice in prompt.candidates:
            refusal = prompt.why_not(choice)
            if refusal is None:
                continue
            assert refusal.rule in players.session.game.register.sections
            assert refusal.ruling in (None, *players.session.game.register.rulings)
            assert refusal.reason.plain()
        players.answer()


@each_table
def test_what_can_be_forced_can_really_be_done(game: str, number: int) -> None:
    players = Players(game, number, seed=5)
    for _ in range(80):
        if players.session.over:
            return
        prompt = players.session.prompt
        refusals = {choice: prompt.why_not(choice) for choice in prompt.candidates}
        barred = [c for c, no in refusals.items() if no and no.how is Forbidden.NOT_ALLOWED]
        for choice in some(players, barred):
            twin = players.session.fork()
            twin.force(choice)
            if not twin.run.in_step:
                twin.game.check()
            for _ in range(5):
                if not twin.over:
                    go_on(twin)
        players.answer()


def some(players: Players, choices: list[Choice]) -> list[Choice]:
    """A few of the choices; in a whole game each kind of them has its turn."""
    return players.random.sample(choices, min(FEW, len(choices)))


def go_on(twin: Session[Any]) -> None:
    """Answer anything; what was forced may lead to a question that only force can answer."""
    choice = next(iter(twin.prompt.options()), None)
    if choice is None:
        refusals = {c: twin.prompt.why_not(c) for c in twin.prompt.candidates}
        twin.force(next(c for c, no in refusals.items() if no and no.can_be_forced))
    else:
        twin.answer(choice)


@each_table
def test_a_journal_brings_back_the_same_table(game: str, number: int) -> None:
    players = Players(game, number, seed=11)
    while not players.session.over and len(players.session.entries) < 150:
        players.answer()
    again: Session[Any] = Session(begin(game, number), "salt")
    again.reenact(msgspec.json.decode(msgspec.json.encode(players.lines), type=list[Line]))
    assert again.digest() == players.session.digest()
    assert again.game.log.events == players.session.game.log.events
    assert again.question_id() == players.session.question_id()


@given(data=st.data())
@pytest.mark.parametrize("game", GAMES)
def test_undo_is_exact_whatever_people_do(game: str, data: st.DataObject) -> None:
    """Hypothesis plays from the offers, so that a failure shrinks to the shortest game."""
    number = data.draw(st.integers(0, len(SETUPS[game]) - 1))
    players = Players(game, number, seed=0)
    session = players.session
    before: list[tuple[bytes, int]] = []
    for _ in range(data.draw(st.integers(1, 25))):
        if session.over:
            break
        before.append((session.snapshot(), len(session.game.log)))
        options = list(session.prompt.options())
        session.answer(data.draw(st.sampled_from(options)))
        if not session.run.in_step:
            session.game.check()
    end = (session.snapshot(), len(session.game.log))
    for expected in reversed(before):
        session.undo()
        players.settle()
        assert (session.snapshot(), len(session.game.log)) == expected
    for _ in before:
        session.redo()
        players.settle()
    assert (session.snapshot(), len(session.game.log)) == end


@each_table
def test_a_new_state_object_at_every_question_changes_nothing(game: str, number: int) -> None:
    """No rule may hold a part of the state across a question."""
    outcomes: list[tuple[Any, ...]] = []
    for replace in (False, True):
        played = begin(game, number)
        decode = msgspec.msgpack.Decoder(type(played.state)).decode
        encode = msgspec.msgpack.Encoder(order="deterministic").encode
        run: Run[Any] = Run(played)
        run.start()
        table = VirtualTable(played, Random(13))
        for _ in range(400):
            if not run.open:
                break
            run.answer(table.answer(run.prompt))
            if replace:
                played.state = decode(encode(played.state))
        outcomes.append((encode(played.state), tuple(played.log.events)))
    assert outcomes[0] == outcomes[1]


@each_table
def test_any_question_can_be_asked_again_without_changing_anything(game: str, number: int) -> None:
    players = Players(game, number, seed=17)
    for _ in range(40):
        if players.session.over:
            return
        before = (players.session.digest(), len(players.session.game.log))
        first, second = players.session.prompt, players.session.prompt
        assert list(first.options()) == list(second.options())
        list(players.session.game.beside())
        players.session.game.view(None)
        assert (players.session.digest(), len(players.session.game.log)) == before
        players.answer()


@each_table
def test_the_layout_is_the_same_for_every_viewer(game: str, number: int) -> None:
    """Put-back lists, corrections and audits use it, so nothing secret may be in it."""
    players = Players(game, number, seed=31)
    for _ in range(40):
        if players.session.over:
            return
        played = players.session.game
        for who in (None, *played.state.seats):
            assert played.view(who).layout == played.layout()
        players.answer()


@each_table
def test_corrections_keep_the_games_invariants(game: str, number: int) -> None:
    players = Players(game, number, seed=19)
    session = players.session
    places: list[Any] = [None, 0, 1, 2, 3, 7, "outside", "upright", "A", "none", -1, 10**6]
    done = 0
    for _ in range(120):
        if session.over:
            break
        thing = players.random.choice(list(session.game.layout()))
        before = (session.digest(), session.question_id(), len(session.game.log))
        if players.dare(lambda t=thing: session.correct(t, players.random.choice(places))):
            done += 1
        else:
            assert (session.digest(), session.question_id(), len(session.game.log)) == before
        players.settle()
        if not session.over:
            players.answer_any()
        if not session.run.in_step:
            session.game.check()
    assert done > 2


@each_table
def test_correcting_a_thing_to_its_own_place_moves_nothing(game: str, number: int) -> None:
    players = Players(game, number, seed=23)
    session = players.session
    for _ in range(30):
        if not session.over:
            players.answer()
    for thing, place in session.game.layout().items():
        twin = session.fork()
        if twin.run.in_step or thing in ("turn",) or thing.startswith("discard"):
            continue
        before = twin.game.layout()
        twin.correct(thing, place)
        assert shifts(before, twin.game.layout()) == []


@each_table
def test_wrong_answers_never_change_anything(game: str, number: int) -> None:
    players = Players(game, number, seed=29)
    session = players.session
    for _ in range(40):
        if session.over:
            return
        before = (session.digest(), session.question_id(), len(session.game.log))
        for wrong in ("", "nonsense", -1, 10**9, "PASS", "a" * 500):
            with pytest.raises(Refused):
                session.answer(wrong)
        assert (session.digest(), session.question_id(), len(session.game.log)) == before
        players.answer()


@pytest.mark.parametrize("game", GAMES)
def test_a_box_describes_its_set_up_and_refuses_what_cannot_be(game: str) -> None:
    box = open_box(game)
    names = {field.name for field in msgspec.structs.fields(box.setup_type)}
    assert {field.name for field in box.fields()} <= names
    assert box.version() == box.version()
    for schema in box.schemas().values():
        assert schema["$defs"]
