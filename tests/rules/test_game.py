"""Runs: steps, questions, causes, and the contract between rules and kernel."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from companion.rules.errors import NotNow, Refused, RulesBug
from companion.rules.events import Answered, Drew, Ended, Moved
from companion.rules.game import Run
from tests.tiny import Tiny, Voted, tiny


def started(game: Tiny) -> Run[Any]:
    run: Run[Any] = Run(game)
    run.start()
    return run


def test_a_step_asks_before_it_changes_anything() -> None:
    game = tiny()
    run = started(game)
    assert run.prompt.key == "bet"
    assert len(game.log) == 0
    assert run.in_step == 0


def test_an_answer_runs_to_the_next_question() -> None:
    game = tiny(betting=False)
    run = started(game)
    run.answer(1)
    assert game.state.total == 1
    assert (run.prompt.key, run.prompt.seat) == ("bet", "B")


def test_a_refusal_names_the_rule_and_changes_nothing() -> None:
    game = tiny(betting=False)
    run = started(game)
    with pytest.raises(Refused) as caught:
        run.answer(4)
    assert caught.value.refusal.rule == "1"
    assert (game.state.total, len(game.log), run.prompt.key) == (0, 0, "number")


@pytest.mark.parametrize("answer", [True, "one", -1, 99, ""])
def test_what_is_no_candidate_is_refused(answer: Any) -> None:
    run = started(tiny(betting=False))
    with pytest.raises(Refused):
        run.answer(answer)


def test_what_is_not_allowed_can_be_forced_what_is_impossible_cannot() -> None:
    game = tiny(betting=False)
    run = started(game)
    with pytest.raises(Refused):
        run.answer(5, forced=True)
    run.answer(4, forced=True)
    assert game.state.total == 4
    answered = game.log.events[0]
    assert isinstance(answered, Answered)
    assert answered.forced


def test_every_event_leads_back_to_an_answer() -> None:
    game = tiny(betting=False)
    run = started(game)
    run.answer(1)
    moved = next(n for n, event in enumerate(game.log.events) if isinstance(event, Moved))
    chain = [type(game.log.events[n]) for n in game.log.chain(moved)]
    assert chain == [Moved, Drew, Answered]


def test_the_end_unwinds_the_step_and_leaves_no_question() -> None:
    game = tiny(betting=False, total=11, voted=True)
    run = started(game)
    run.answer(2)
    assert game.state.ending is not None
    assert game.state.ending.winners == ("A",)
    assert isinstance(game.log.events[-1], Ended)
    assert game.state.turn == 0, "what follows a win in the step is not resolved"
    assert run.prompts == []
    with pytest.raises(NotNow):
        run.answer(1)


def test_several_seats_are_asked_at_once_and_answer_in_any_order() -> None:
    game = tiny(total=5)
    run = started(game)
    assert [prompt.seat for prompt in run.prompts] == ["A", "B"]
    run.answer("no", "B")
    assert [prompt.seat for prompt in run.prompts] == ["A"]
    run.answer("yes", "A")
    voted = game.log.events[-1]
    assert isinstance(voted, Voted)
    assert voted.votes == ("yes", "no")


class Twice(Tiny):
    async def step(self) -> None:
        await self.ask_each(self.ask(self.offer_vote, "A"), self.ask(self.offer_vote, "A"))


def test_one_seat_cannot_be_asked_twice_at_once() -> None:
    with pytest.raises(RulesBug, match="twice"):
        started(Twice(tiny().state, tiny().register))


class Foreign(Tiny):
    async def step(self) -> None:
        await asyncio.sleep(0)


class Stuck(Tiny):
    async def step(self) -> None:
        self.state.total += 1


def test_awaiting_anything_but_ask_is_refused_clearly() -> None:
    game = Foreign(tiny().state, tiny().register)
    with pytest.raises(RulesBug, match="only ask"):
        started(game)


def test_a_game_that_never_asks_is_found_out() -> None:
    game = Stuck(tiny().state, tiny().register)
    with pytest.raises(RulesBug, match="without a question"):
        started(game)
