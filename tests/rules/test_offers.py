"""What the kernel offers games of cards and races: words beside a question, ends of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion.games.uno_mario_kart.box import BOX
from companion.rules.errors import NotNow, Refused
from companion.rules.events import Answered, Drew, Gathered, Laid, PutBack, TurnedUp
from companion.rules.game import Run, StepOver
from companion.rules.lines import Interjection, Kind, Line
from companion.rules.prompts import Choice, Forbidden, Prompt, Refusal, impossible, refuse
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.tiny import Shouted, Tiny, TinyState, register

# -- refusals --------------------------------------------------------------------------------------


def no(_choice: Choice) -> Refusal | None:
    return refuse("1", "No.")


def never(_choice: Choice) -> Refusal | None:
    return impossible("2", "Never.")


def test_what_cannot_be_is_said_before_what_could_be_forced() -> None:
    prompt = Prompt("q", "A", "1", {"x": None}, no, cannot=never)
    refusal = prompt.why_not("x")
    assert refusal is not None
    assert (refusal.rule, refusal.how) == ("2", Forbidden.IMPOSSIBLE)
    assert list(prompt.options()) == []


def test_what_the_rules_refuse_stays_refused_where_it_could_be() -> None:
    prompt = Prompt("q", "A", "1", ("x",), no)
    refusal = prompt.why_not("x")
    assert refusal is not None
    assert refusal.rule == "1"


# -- words beside the question ---------------------------------------------------------------------


class Racing(Tiny):
    """Anybody may shout "now", but only while the total is odd; A's own shout comes first."""

    def beside(self) -> Sequence[Prompt[Any]]:
        odd = self.state.total % 2 == 1
        return [
            Prompt("now", "A", "9", ("now",), self.why_not_now, race=odd),
            Prompt("now", "", "9", ("now",), self.why_not_now, race=odd),
            *(Prompt("whisper", seat, "9", ("hey", "ho")) for seat in self.state.seats),
        ]

    def why_not_now(self, _choice: str) -> Refusal | None:
        return None if self.state.total % 2 else refuse("9", "Not at an even total.")

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        self.state.shouts.append(f"{prompt.seat}:{choice}")
        self.record(Shouted(rule="9", seat=prompt.seat, word=str(choice)))


def racing(**state: Any) -> Session[TinyState]:
    names = {"A": "Ana", "B": "Budi"}
    return Session(Racing(TinyState(seats=["A", "B"], names=names, **state), register()), "salt")


def test_a_word_is_taken_up_beside_the_open_question() -> None:
    session = racing(total=1)
    asked = session.question_id()
    session.answer("now", "A")
    assert session.game.state.shouts == ["A:now"]
    assert session.question_id() == asked
    assert session.entries == [Interjection("now", "A", "now")]


def test_where_nobody_knows_who_said_it_the_offer_to_anybody_is_taken() -> None:
    session = racing(total=1)
    session.answer("now")
    assert session.game.state.shouts == [":now"]


def test_an_offer_to_anybody_is_that_seats_where_a_seat_is_known() -> None:
    session = racing(total=1)
    session.interject("now", "B", "now")
    session.answer("now", "B")
    assert session.game.state.shouts == ["B:now", "B:now"]
    assert {e.seat for e in session.game.log.events if isinstance(e, Answered)} == {"B"}


def test_a_word_that_may_not_be_said_is_refused_with_its_rule() -> None:
    session = racing(total=2)
    with pytest.raises(Refused) as caught:
        session.answer("now", "B")
    assert caught.value.refusal.rule == "9"
    assert session.game.state.shouts == []


def test_an_offer_that_is_no_word_is_not_taken_up_by_an_answer() -> None:
    session = racing(total=1)
    with pytest.raises(Refused):
        session.answer("hey", "B")
    session.interject("whisper", "B", "hey")
    with pytest.raises(NotNow):
        session.interject("cry", "B", "hey")


def test_a_race_is_open_while_somebody_may_say_its_word() -> None:
    session = racing(total=1, betting=False)
    assert list(session.races) == ["now"]
    session.answer(1)
    assert list(session.races) == []


def test_no_race_is_open_while_the_session_asks() -> None:
    session = racing(total=0, betting=False)
    session.answer(1)
    session.answer("bet", "B")
    assert list(session.races) == ["now"]
    session.undo(by="A")
    assert session.consent is not None
    assert list(session.races) == []


def test_words_come_back_from_the_journal() -> None:
    lines: list[Line] = []
    session = racing(total=1)
    session.write = lines.append
    session.answer("now", "B")
    assert [line.kind for line in lines] == [Kind.BESIDE]
    again = racing(total=1)
    again.reenact(lines)
    assert again.digest() == session.digest()


# -- a step that a rule ends -----------------------------------------------------------------------


class Ending(Tiny):
    """Adding one ends the step at once: what would follow it is not done."""

    def add(self, number: int) -> None:
        super().add(number)
        if number == 1:
            self.state.turn += 10
            raise StepOver


def test_a_rule_may_end_the_running_step() -> None:
    names = {"A": "Ana", "B": "Budi"}
    game = Ending(TinyState(seats=["A", "B"], names=names, betting=False), register())
    run: Run[Any] = Run(game)
    run.start()
    run.answer(1)
    assert game.state.turn == 10, "the turn after the addition did not come"
    assert run.prompt.key == "bet"
    assert run.in_step == 0


# -- cards -----------------------------------------------------------------------------------------


def dealt() -> tuple[Any, Run[Any], VirtualTable]:
    import random

    import msgspec

    setup = msgspec.convert({"seats": ["Ana", "Budi"], "guide": False}, BOX.setup_type)
    game = BOX.begin(setup, BOX.content())
    run: Run[Any] = Run(game)
    run.start()
    table = VirtualTable(game, random.Random(1))
    table.follow()
    return game, run, table


def test_a_card_laid_on_the_pile_is_one_event_and_in_one_place() -> None:
    game, run, _ = dealt()
    run.answer("red-7")
    run.answer("red-1")
    assert [type(event) for event in game.log.events[-2:]] == [Answered, Laid]
    assert game.state.decks["stock"].discard == ["red-7", "red-1"]
    assert game.state.in_play == []
    game.check()


def test_a_card_put_back_is_unseen_again() -> None:
    game, run, table = dealt()
    run.answer("wild-draw-four")
    assert [type(event) for event in game.log.events[-2:]] == [TurnedUp, PutBack]
    assert game.in_sight("wild-draw-four") == 0
    table.follow()
    assert (
        table.decks["stock"].count("wild-draw-four")
        + sum(hand.count("wild-draw-four") for hand in table.hands.values())
        == 4
    )


def test_all_cards_of_a_deck_are_gathered() -> None:
    game, run, table = dealt()
    run.answer("red-7")
    game.state.hands["A"].scanned.append("red-1")
    game.gather("stock", "5.2")
    assert game.state.decks["stock"].draw == 112
    assert all(hand.size() == 0 and not hand.scanned for hand in game.state.hands.values())
    assert isinstance(game.log.events[-1], Gathered)
    table.follow()
    assert len(table.decks["stock"]) == 112
    assert table.piles["stock"] == []


def test_a_draw_tells_how_many_cards_there_were() -> None:
    game, _, _ = dealt()
    game.state.decks["stock"].draw = 1
    assert game.draw("A", "stock", 3, "7.3") == 1
    drew = [event for event in game.log.events if isinstance(event, Drew)]
    assert drew[-1].count == 1


def test_a_drawn_card_is_the_newest_of_the_hand() -> None:
    _, _, table = dealt()
    table.hands["A"] = ["red-1", "red-2", "blue-3"]
    prompt: Prompt[Any] = Prompt("drawn", "A", "7.3", ("red-1", "blue-3", "pass"), source="drawn")
    assert list(table.options(prompt)) == ["blue-3", "pass"]


def test_numbers_that_count_cards_are_not_chosen_where_cards_can_be_laid() -> None:
    _, _, table = dealt()
    table.hands["A"] = ["red-1"]
    prompt: Prompt[Any] = Prompt("count", "A", "13", (0, 1, 2, "red-1", "red-2"), source="hand")
    assert list(table.options(prompt)) == ["red-1"]
