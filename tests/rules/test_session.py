"""Sessions: answers, silences, going back, setting right, and the journal's lines."""

from __future__ import annotations

import random
import secrets
import time
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from companion.rules.errors import DifferentRules, NotNow, Refused, StaleQuestion, WhichOne
from companion.rules.events import Answered, Moved
from companion.rules.game import StepOver
from companion.rules.lines import Answer, Kind, Line, may_see
from companion.rules.prompts import Prompt
from companion.rules.session import Session
from tests.tiny import Shouted, Tiny, tiny


class Book:
    """A journal in memory whose disk can be full."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.full = False

    def write(self, line: Line) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        self.lines.append(msgspec.json.decode(msgspec.json.encode(line), type=Line))


def session(book: Book | None = None, *, silences: bool = True, **state: Any) -> Session[Any]:
    write = book.write if book else None
    return Session(tiny(**state), "salt", silences=silences, write=write)


def settle(table: Session[Any]) -> None:
    """Agree to whatever the session asks, put everything back."""
    while table.consent is not None:
        table.answer("yes")
    if table.put_back:
        table.answer("done")


def vias(line: Line) -> list[str]:
    return [entry.via for entry in line.come if isinstance(entry, Answer)]


# -- answers -------------------------------------------------------------------------------------


def test_a_later_input_passes_over_an_optional_question() -> None:
    book = Book()
    table = session(book)
    table.answer(2)
    assert table.game.state.total == 2
    assert [line.kind for line in book.lines] == [Kind.ANSWER]
    assert vias(book.lines[0]) == ["skipped", ""]
    table.undo(by="A")
    settle(table)
    assert (table.game.state.total, table.prompt.key) == (0, "bet"), "one input, one undo"


class Ends(Tiny):
    """A turn of two questions; the second one ends it."""

    async def step(self) -> None:
        if not self.state.betting:
            self.state.total += await self.ask(self.offer_number, self.active)
            self.state.betting = True
            return
        await self.ask(self.offer_end, self.active)
        self.state.betting = False
        self.state.turn += 1

    def offer_end(self, seat: str) -> Prompt[str]:
        return Prompt("end", seat, "1", ("end", "pass"), skippable=True, ends_turn=True)


def test_the_end_of_a_turn_is_passed_over_by_the_next_seat_alone() -> None:
    table: Session[Any] = Session(Ends(tiny(betting=False).state, tiny().register), "s")
    table.answer(1)
    for by in (None, "A"):
        with pytest.raises(Refused):
            table.answer(2, by)
    table.answer(2, "B")
    assert (table.game.state.total, table.prompt.seat) == (3, "B")
    table.answer(1, "A")
    assert (table.game.state.total, table.prompt.seat) == (4, "A")


def test_a_wrong_player_is_told_who_is_asked_with_the_rule_where_there_is_one() -> None:
    table = session(betting=False)
    with pytest.raises(Refused) as caught:
        table.answer(3, "B")
    assert caught.value.refusal.rule == "4"
    with pytest.raises(Refused, match="Ana is asked now, not Budi"):
        table.answer(1, "B")


def test_refusals_are_lines_and_change_nothing() -> None:
    book = Book()
    table = session(book, betting=False)
    before = table.digest()
    with pytest.raises(Refused):
        table.answer(4, via="reader")
    assert [line.kind for line in book.lines] == [Kind.REFUSED]
    assert book.lines[0].refusal == "1"
    assert table.digest() == before
    assert not table.history


def test_after_the_end_every_answer_is_refused_and_nothing_is_written() -> None:
    book = Book()
    table = session(book, betting=False, total=11, voted=True)
    table.answer(1)
    written = len(book.lines)
    for act in (lambda: table.answer(1), lambda: table.force(1), lambda: table.correct("total", 3)):
        with pytest.raises(NotNow):
            act()
    assert len(book.lines) == written
    table.undo(by="A")
    settle(table)
    assert not table.over
    assert table.prompt.key == "number"


# -- question ids ----------------------------------------------------------------------------------


def test_a_question_keeps_its_id_through_what_happens_beside_it() -> None:
    table = session()
    first = table.question_id()
    table.interject("shout", "B", "hey")
    with pytest.raises(Refused):
        table.answer("nonsense")
    assert table.question_id() == first
    table.answer("bet", question=first)
    assert table.question_id() != first


def test_a_second_answer_to_the_same_question_changes_nothing() -> None:
    table = session(betting=False)
    asked = table.question_id()
    table.answer(1, question=asked)
    before = table.digest()
    with pytest.raises(StaleQuestion):
        table.answer(1, question=asked)
    assert table.digest() == before


def test_an_id_does_not_survive_an_undo_or_a_restart() -> None:
    table = session()
    first = table.question_id()
    table.answer("bet")
    table.undo(by="A")
    settle(table)
    second = table.question_id()
    assert second != first
    table.resumed()
    assert table.question_id() != second


def test_of_two_questions_at_once_the_other_keeps_its_id() -> None:
    table = session(total=5)
    ids = [table.question_id(0), table.question_id(1)]
    assert len(set(ids)) == 2
    table.answer("yes", "A", question=ids[0])
    assert table.question_id(0) == ids[1]


# -- silences ------------------------------------------------------------------------------------


def test_a_silence_lets_the_table_go_on_and_is_written_down() -> None:
    book = Book()
    table = session(book, betting=False)
    table.answer(3)
    assert table.game.state.total == 3
    assert vias(book.lines[0]) == ["", "silence"]


def test_a_card_laid_before_the_next_real_action_breaks_the_silence() -> None:
    book = Book()
    table = session(book, betting=False)
    table.answer(3)
    table.answer("veto", "B")
    assert table.game.state.total == 0
    assert book.lines[-1].kind is Kind.AMEND
    table.answer("bet")
    with pytest.raises(Refused):
        table.answer("veto", "B")


def test_a_table_may_have_everything_asked_aloud() -> None:
    table = session(silences=False, betting=False)
    table.answer(3)
    assert (table.prompt.key, table.prompt.seat) == ("veto", "B")


class TwoVetoes(Tiny):
    async def step(self) -> None:
        await self.ask(self.offer_number, "A")
        for seat in ("A", "B"):
            if await self.ask(self.offer_veto, seat) == "veto":
                self.state.bets += 1


def test_whose_card_it_is_is_asked_when_it_could_be_two() -> None:
    table: Session[Any] = Session(TwoVetoes(tiny().state, tiny().register), "s")
    table.answer(1)
    with pytest.raises(WhichOne, match="Ana, Budi"):
        table.answer("veto")
    table.answer("veto", "A")
    table.answer("veto", "B")
    assert table.game.state.bets == 2


# -- going back ------------------------------------------------------------------------------------


def test_undo_asks_the_others_who_chose_or_learned_something() -> None:
    table = session(betting=False)
    table.answer(1)
    table.undo(by="B")
    assert table.consent is not None
    assert table.consent.needed == ["A"]
    table.answer("no", "A")
    assert table.game.state.total == 1
    table.undo(by="B")
    table.answer("yes", "A")
    assert table.game.state.total == 0


def test_undo_of_what_only_the_asker_learned_needs_any_one_other() -> None:
    table = session(betting=False)
    table.answer(1)
    table.undo(by="A")
    assert table.consent is not None
    assert table.consent.any_one
    assert table.consent.needed == ["B"]


def test_undo_of_what_nobody_learned_from_needs_nobody() -> None:
    table = session()
    table.answer("bet")
    table.undo(by="A")
    assert table.consent is None
    assert table.game.state.bets == 0


def test_after_an_undo_the_pieces_are_put_back_before_anything_else() -> None:
    table = session()
    table.answer("bet")
    table.undo(by="A")
    assert [(shift.thing, shift.end) for shift in table.put_back] == [("bets", 0)]
    with pytest.raises(NotNow):
        table.answer("bet")
    table.answer("done")
    table.answer("bet")


def test_two_undos_give_one_list_and_a_redo_none() -> None:
    table = session()
    table.answer("bet")
    table.answer(1)
    table.undo(by="A")
    while table.consent:
        table.answer("yes")
    table.undo(by="A")
    assert {shift.thing for shift in table.put_back} == {"total", "bets"}
    table.redo()
    table.redo()
    assert table.put_back == []


def test_a_new_answer_forgets_what_could_be_redone() -> None:
    table = session()
    table.answer("bet")
    table.undo(by="A")
    settle(table)
    table.answer("pass")
    with pytest.raises(NotNow):
        table.redo()


# -- setting right ---------------------------------------------------------------------------------


def test_amend_keeps_later_answers_as_far_as_they_fit() -> None:
    table = session(betting=False)
    for answer in (1, "pass", 2, "bet"):
        table.answer(answer)
    preview = table.preview_amend(0, 2)
    assert (preview.kept, preview.lost) == (3, ())
    before = table.digest()
    assert table.game.state.total == 3
    assert table.digest() == before
    table.amend(0, 2)
    assert table.game.state.total == 4


def test_amend_says_which_answers_are_lost_and_asks_their_seats() -> None:
    table = session(betting=False, total=2)
    for answer in (2, "pass", 2):
        table.answer(answer)
    assert table.prompt.key == "vote"
    preview = table.preview_amend(0, 3)
    assert [entry.by for entry in preview.lost] == ["B", "B"]
    table.amend(0, 3, by="A")
    assert table.consent is not None
    table.answer("yes", "B")
    assert table.game.state.total == 5
    assert len(table.entries) == 2, "the new answer and the silence after it"


def test_an_amendment_that_is_not_allowed_changes_nothing() -> None:
    table = session(betting=False)
    table.answer(1)
    before = (table.digest(), list(table.entries))
    with pytest.raises(Refused):
        table.amend(0, 4)
    assert (table.digest(), list(table.entries)) == before


def test_what_the_step_has_not_changed_is_corrected_at_its_start() -> None:
    table = session(silences=False, betting=False)
    table.answer(3)
    assert table.prompt.key == "veto"
    table.correct("total", 4)
    assert table.prompt.key == "veto", "the step's answers are given again"
    table.answer("pass")
    assert table.game.state.total == 7


class Slow(Tiny):
    async def step(self) -> None:
        number = await self.ask(self.offer_number, self.active)
        self.state.turn += 1
        self.state.total += number
        await self.ask(self.offer_vote, self.active)
        self.state.bets += 1


def test_what_the_step_has_changed_is_corrected_now_and_the_step_is_over() -> None:
    table: Session[Any] = Session(Slow(tiny().state, tiny().register), "s")
    table.answer(3)
    table.correct("total", 1)
    assert (table.game.state.total, table.game.state.bets) == (1, 0)
    assert (table.prompt.key, table.prompt.seat) == ("number", "B")


class Hasty(Tiny):
    """Its steps do something before they ask for the first time."""

    async def step(self) -> None:
        self.state.bets += 1
        self.record(Moved(rule="0", seat=self.active, start=None, end=self.state.bets))
        number = await self.ask(self.offer_number, self.active)
        self.state.total += number
        self.state.turn += 1


def test_what_a_step_has_done_before_its_first_question_is_not_done_twice() -> None:
    table: Session[Any] = Session(Hasty(tiny().state, tiny().register), "s")
    table.answer(2)
    before = (table.digest(), len(table.game.log))
    table.correct("total", 5)
    assert (table.game.state.total, table.game.state.bets) == (5, 2)
    assert sum(isinstance(event, Moved) for event in table.game.log.events) == 2
    assert table.fork().digest() == table.digest()
    table.answer(1)
    assert (table.game.state.total, table.game.state.bets) == (6, 3)
    for _ in range(2):
        table.undo()
        settle(table)
    assert (table.digest(), len(table.game.log)) == before


def test_a_correction_that_cannot_be_changes_nothing_in_the_middle_of_a_step() -> None:
    table = session(silences=False, betting=False)
    table.answer(3)
    before = (table.digest(), table.question_id())
    with pytest.raises(Refused):
        table.correct("moon", 1)
    assert (table.digest(), table.question_id()) == before


def test_a_ruling_is_changed_from_the_running_step_on() -> None:
    table = session(betting=False, total=10, voted=True)
    table.choose_ruling("T1", "over")
    table.answer(3)
    assert table.game.state.total == 13
    assert "T1" in {r for line in [table] for r in line.game.state.rulings}


def test_what_is_impossible_cannot_be_forced() -> None:
    table = session(betting=False)
    with pytest.raises(Refused):
        table.force(5)
    table.force(4)
    assert table.game.state.total == 4


# -- several seats, beside, private ----------------------------------------------------------------


def test_of_several_asked_it_must_be_known_who_answers() -> None:
    table = session(total=5)
    with pytest.raises(WhichOne, match="Ana, Budi"):
        table.answer("yes")
    with pytest.raises(WhichOne):
        table.force("yes")
    ids = [table.question_id(0), table.question_id(1)]
    with pytest.raises(NotNow):
        table.answer("yes", "A", question=ids[1])
    table.answer("no", question=ids[1])
    assert [prompt.seat for prompt in table.prompts] == ["A"]
    with pytest.raises(NotNow):
        table.run.answer("yes", "B")


def test_a_silence_stays_open_through_what_happens_beside_it() -> None:
    table = session(betting=False)
    table.answer(3)
    table.interject("shout", "A", "hey")
    table.answer("veto", "B")
    assert (table.game.state.total, table.game.state.shouts) == (0, ["A:hey"])


class Stop(Tiny):
    """A shout of "ho" makes the open question moot; the second one ends the game."""

    def interject(self, prompt: Prompt[Any], choice: Any) -> None:
        super().interject(prompt, choice)
        if choice == "ho" and len(self.state.shouts) > 1:
            self.end((prompt.seat,), "9", "shouted")
        if choice == "ho":
            self.state.betting = not self.state.betting
            raise StepOver


def test_what_happens_beside_a_question_can_end_the_step_or_the_game() -> None:
    book = Book()
    table: Session[Any] = Session(Stop(tiny().state, tiny().register), "salt", write=book.write)
    assert table.prompt.key == "bet"
    table.interject("shout", "B", "ho")
    assert table.prompt.key == "number"
    table.interject("shout", "B", "ho")
    assert table.over
    assert table.game.state.ending is not None
    again: Session[Any] = Session(Stop(tiny().state, tiny().register), "salt")
    again.reenact(book.lines)
    assert again.digest() == table.digest()
    table.undo(by="B")
    settle(table)
    assert not table.over


def test_an_amendment_drops_what_no_longer_fits_beside() -> None:
    class Once(Tiny):
        def beside(self) -> Any:
            return super().beside() if self.state.total == 1 else []

    table: Session[Any] = Session(Once(tiny(betting=False).state, tiny().register), "salt")
    table.answer(1)
    table.interject("shout", "A", "hey")
    preview = table.preview_amend(0, 2)
    assert [type(entry).__name__ for entry in preview.lost] == ["Interjection"]


class Secret(Tiny):
    """The bet is private."""

    def offer_bet(self, seat: str) -> Prompt[str]:
        return msgspec.structs.replace(super().offer_bet(seat), private=True)


def test_a_private_answer_is_its_seats_alone() -> None:
    table: Session[Any] = Session(Secret(tiny().state, tiny().register), "salt")
    table.answer("bet", "A")
    assert any(isinstance(event, Answered) for event in table.log("A"))
    for who in (None, "B"):
        assert not any(isinstance(event, Answered) for event in table.log(who))
    assert may_see(table.entries[0], "A")
    assert not may_see(table.entries[0], "B")
    with pytest.raises(NotNow, match="private"):
        table.preview_amend(0, "pass", by="B")
    assert table.preview_amend(0, "pass", by="A").lost == ()


def test_a_public_call_is_seen_by_all() -> None:
    table = session()
    table.interject("shout", "B", "hey")
    assert any(isinstance(event, Answered) for event in table.log("A"))


# -- the journal -----------------------------------------------------------------------------------


def test_a_full_disk_takes_the_answer_back() -> None:
    book = Book()
    table = session(book, betting=False)
    before, asked = table.digest(), table.question_id()
    book.full = True
    with pytest.raises(OSError, match="space"):
        table.answer(1)
    assert (table.digest(), table.question_id(), len(table.entries)) == (before, asked, 0)
    book.full = False
    table.answer(1)
    assert table.game.state.total == 1


def test_a_full_disk_leaves_the_question_of_consent_open() -> None:
    book = Book()
    table = session(book, betting=False)
    table.answer(1)
    table.undo(by="A")
    before, asked = table.digest(), table.question_id()
    book.full = True
    with pytest.raises(OSError, match="space"):
        table.answer("yes", "B")
    assert (table.digest(), table.question_id()) == (before, asked)
    book.full = False
    table.answer("yes", "B")
    assert table.game.state.total == 0


def test_a_refusal_is_said_even_when_it_cannot_be_written() -> None:
    book = Book()
    table = session(book, betting=False)
    book.full = True
    with pytest.raises(Refused):
        table.answer(4)


def busy(book: Book, seed: int) -> Session[Any]:
    """A table where people do a bit of everything."""
    rng = random.Random(seed)
    table = session(book)
    acts: list[Any] = [
        table.undo,
        table.redo,
        lambda: table.correct("total", rng.randrange(5)),
        lambda: table.amend(rng.randrange(len(table.entries) + 1), rng.randrange(1, 4)),
        lambda: table.interject("shout", rng.choice("AB"), "ho"),
        lambda: table.force(4),
        lambda: table.choose_ruling("T1", rng.choice(["exact", "over"])),
        table.resumed,
    ]
    for _ in range(60):
        if table.consent is not None:
            table.answer(rng.choice(["yes", "no"]))
        elif table.put_back and rng.random() < 0.7:
            table.answer("done")
        elif rng.random() < 0.4:
            attempt(rng.choice(acts))
        elif table.prompts:
            attempt(lambda: answer_anything(table, rng))
    return table


def answer_anything(table: Session[Any], rng: random.Random) -> None:
    prompt = rng.choice(table.prompts)
    table.answer(rng.choice(list(prompt.candidates)), prompt.seat)


def attempt(act: Any) -> None:
    with suppress(NotNow, Refused, WhichOne):
        act()


@pytest.mark.parametrize("seed", range(25))
def test_a_journal_brings_back_the_same_table(seed: int) -> None:
    book = Book()
    table = busy(book, seed)
    again = session()
    again.reenact(book.lines)
    assert again.digest() == table.digest()
    assert again.question_id() == table.question_id()
    assert again.game.log.events == table.game.log.events
    assert again.game.log.causes == table.game.log.causes
    assert again.put_back == table.put_back
    assert (again.consent is None) == (table.consent is None)
    assert (len(again.history), len(again.future)) == (len(table.history), len(table.future))


@pytest.mark.parametrize("seed", range(10))
def test_after_any_line_the_table_can_be_brought_back(seed: int) -> None:
    book = Book()
    busy(book, seed)
    for cut in range(len(book.lines) + 1):
        again = session()
        again.reenact(book.lines[:cut])
        if cut:
            digest = book.lines[cut - 1].digest
            assert digest in ("", again.digest())


def test_other_rules_are_noticed_at_the_first_digest_that_differs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = Book()
    table = session(book, betting=False)
    for answer in (1, "pass", 2, "pass"):
        table.answer(answer)

    def add_more(self: Tiny, number: int) -> None:
        self.state.total += number + 1

    monkeypatch.setattr(Tiny, "add", add_more)
    with pytest.raises(DifferentRules) as caught:
        session(betting=False).reenact(book.lines)
    assert caught.value.line == 1


def test_a_fork_goes_its_own_way() -> None:
    table = session(betting=False)
    table.answer(1)
    twin = table.fork()
    assert (twin.digest(), twin.question_id()) == (table.digest(), table.question_id())
    twin.answer("bet")
    assert (table.game.state.bets, twin.game.state.bets) == (0, 1)


def test_rules_touch_neither_clock_nor_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Book()
    table = busy(book, 3)

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("clock or chance inside the rules")

    for module, name in (
        (random, "random"),
        (random, "randrange"),
        (time, "time"),
        (time, "monotonic"),
        (secrets, "token_bytes"),
    ):
        monkeypatch.setattr(module, name, forbidden)
    again = session()
    again.reenact(book.lines)
    assert again.digest() == table.digest()


# -- telling -----------------------------------------------------------------------------------


def test_why_walks_up_to_the_answer_and_numbers_are_the_viewers_own() -> None:
    table = session(betting=False)
    table.interject("shout", "B", "hey")
    table.answer(1)
    seen = table.log("A")
    assert not any(isinstance(event, Shouted) for event in seen)
    moved = next(n for n, event in enumerate(seen) if isinstance(event, Moved))
    chain = table.why(moved, "A")
    assert isinstance(chain[-1].event, Answered)
    assert [reason.number for reason in chain] == sorted(
        (reason.number for reason in chain), reverse=True
    )
    assert any(isinstance(event, Shouted) for event in table.log("B"))
    with pytest.raises(NotNow):
        table.why(99)


def test_what_did_i_miss() -> None:
    table = session(betting=False)
    for answer in (1, "pass", 2):
        table.answer(answer)
    missed = [e for e in table.missed("A") if isinstance(e, Moved) and e.seat == "B"]
    assert len(missed) == 1
    assert all(not isinstance(e, Moved) or e.seat == "B" for e in table.missed("B"))


def test_entries_can_be_read_back_from_json() -> None:
    line = Line(1, Kind.ANSWER, come=(Answer("move", "A", "forward-3"), Answer("n", "B", 3)))
    assert msgspec.json.decode(msgspec.json.encode(line), type=Line) == line
