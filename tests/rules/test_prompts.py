"""What a question says of choices that are none of its candidates."""

from __future__ import annotations

from companion.rules.prompts import Choice, Forbidden, Prompt, Refusal, impossible, refuse


def test_a_choice_beyond_the_candidates_has_the_reason_that_the_game_gives() -> None:
    def otherwise(choice: Choice) -> Refusal | None:
        return refuse("2", "Too far.") if choice == "far" else None

    prompt = Prompt("move", "A", "1", ("near",), otherwise=otherwise)
    assert prompt.why_not("near") is None
    far, other = prompt.why_not("far"), prompt.why_not("nonsense")
    assert far is not None
    assert (far.rule, far.can_be_forced) == ("2", True)
    assert other is not None
    assert (other.rule, other.how) == ("1", Forbidden.ELSEWHERE)


def test_true_is_no_answer_though_it_equals_one() -> None:
    prompt = Prompt("die", "A", "1", (1, 2), otherwise=lambda _: impossible("2", "Never."))
    refusal = prompt.why_not(True)
    assert refusal is not None
    assert refusal.how is Forbidden.ELSEWHERE


def test_a_choice_is_nowhere_on_the_board_unless_the_question_says_so() -> None:
    assert Prompt("move", "A", "1", ("d4-d5",)).where("d4-d5") == ()
    prompt = Prompt("move", "A", "1", ("d4-d5",), where=lambda choice: tuple(choice.split("-")))
    assert prompt.where("d4-d5") == ("d4", "d5")
