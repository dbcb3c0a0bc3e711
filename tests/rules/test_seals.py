"""Seals: what lies face down is tapped, kept, shown to one, revealed and taken back unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import msgspec
import pytest

from companion.rules.errors import Refused
from companion.rules.events import Answered, Event
from companion.rules.lines import OPENED, Answer, Kind, Line
from companion.rules.prompts import PASS, Forbidden, Prompt, Refusal, refuse
from companion.rules.scenarios import Playing, from_session, read_scenario
from companion.rules.seals import is_seal, seal_of, sort_of, under, unknown, veiled
from companion.rules.session import Session
from companion.rules.tags import Tag, TagKind
from companion.virtual import VirtualTable, play_out
from tests.cups import BOX, STONES, UNSEEN, Cups, CupsState, cups

CRIMSON, INDIGO = STONES
ONE, TWO, BELL = "seal:stone/1", "seal:stone/2", "seal:bell/1"
UNDER = {ONE: CRIMSON, TWO: INDIGO}


def table(
    book: Callable[[str], str | None] | None = None, write: Callable[[Line], None] | None = None
) -> Session[CupsState]:
    session = Session(cups(), "salt", write=write)
    session.open_seal = book or UNDER.get
    return session


def laid(book: Callable[[str], str | None] | None = None) -> Session[CupsState]:
    """Both players have laid a stone; Ana may look."""
    session = table(book)
    session.answer(ONE, "A")
    session.answer(TWO, "B")
    return session


def ready(book: Callable[[str], str | None] | None = None) -> Session[CupsState]:
    """Only "ready" is missing, then the cups are lifted."""
    session = laid(book)
    session.answer(PASS, "A")
    return session


def tag(uid: str = "04AABBCCDDEE80", thing: str = "stone/crimson") -> Tag:
    return Tag(uid, "cups", TagKind.SEALED, thing)


def events(session: Session[CupsState]) -> list[Event]:
    return session.game.log.events


# -- seals themselves ------------------------------------------------------------------------------


def test_a_seal_tells_the_sort_and_nothing_else() -> None:
    seal = seal_of(tag(), "secret")
    assert is_seal(seal)
    assert sort_of(seal) == "stone"
    assert veiled(seal) == "seal:stone"
    assert sort_of(veiled(seal)) == "stone"
    assert "crimson" not in seal
    assert "DDEE80" not in seal.upper()


def test_the_same_tag_has_the_same_seal_in_one_game_and_another_in_the_next() -> None:
    assert seal_of(tag(), "secret") == seal_of(tag(), "secret")
    assert seal_of(tag(), "secret") != seal_of(tag(), "another")
    assert seal_of(tag(), "secret") != seal_of(tag("04AABBCCDDEE81"), "secret")


def test_a_tag_that_means_something_else_since_has_the_same_mark() -> None:
    moved = tag(thing="stone/indigo")
    assert seal_of(moved, "secret") == seal_of(tag(), "secret"), "the mark is the tag's alone"


def test_what_lies_under_a_seal_is_found_among_the_tags() -> None:
    tags = [tag("04AABBCCDDEE81", "stone/indigo"), tag()]
    assert under(seal_of(tag(), "secret"), tags, "secret") == "crimson"
    assert under(seal_of(tag(), "secret"), tags, "another") is None
    assert under(ONE, tags, "secret") is None


@pytest.mark.parametrize("choice", ["crimson", "", 7, True, None, "sealed"])
def test_other_choices_are_no_seals(choice: object) -> None:
    assert not is_seal(choice)
    assert sort_of(choice) == ""


# -- questions that take seals ---------------------------------------------------------------------


def test_a_question_takes_every_seal_of_its_sort_besides_its_candidates() -> None:
    prompt = Prompt("lay", "A", "1", (UNSEEN,), seals="stone")
    assert prompt.why_not(ONE) is None
    assert prompt.why_not("seal:stone/whatever") is None
    assert prompt.why_not(UNSEEN) is None
    assert list(prompt.options()) == [UNSEEN]


def test_other_seals_and_things_are_no_answer_to_it() -> None:
    prompt = Prompt("lay", "A", "1", (UNSEEN,), seals="stone")
    for choice in (BELL, CRIMSON, "seal:", True, 1):
        refusal = prompt.why_not(choice)
        assert refusal is not None
        assert refusal.how is Forbidden.ELSEWHERE


def test_a_question_without_a_sort_takes_no_seals() -> None:
    assert Prompt("q", "A", "1", ("x",)).why_not(ONE) is not None


def test_the_rules_may_refuse_a_seal() -> None:
    def never(choice: str) -> Refusal | None:
        return refuse("1", "No.") if is_seal(choice) else None

    refusal = Prompt("lay", "A", "1", (UNSEEN,), never, seals="stone").why_not(ONE)
    assert refusal is not None
    assert refusal.rule == "1"


def test_a_tap_of_another_sort_is_told_and_changes_nothing() -> None:
    session = table()
    digest = session.digest()
    with pytest.raises(Refused, match="That is no stone"):
        session.answer(BELL, "A")
    assert session.digest() == digest


def test_one_thing_cannot_lie_at_two_places() -> None:
    session = table()
    session.answer(ONE, "A")
    with pytest.raises(Refused, match="another cup"):
        session.answer(ONE, "B")
    session.answer(UNSEEN, "B")


def test_the_journal_has_the_seal_and_the_log_only_its_sort() -> None:
    lines: list[Line] = []
    session = table(write=lines.append)
    session.answer(ONE, "A")
    assert lines[0].come == (Answer("lay", "A", ONE),)
    answered = next(event for event in events(session) if isinstance(event, Answered))
    assert answered.choice == "seal:stone"


# -- a look for one seat alone ---------------------------------------------------------------------


def test_a_look_shows_the_thing_to_the_seat_alone() -> None:
    session = laid()
    session.answer("B", "A")
    assert session.prompt.shows == (TWO,)
    assert session.shown_to("A") == [INDIGO]
    assert session.shown_to("B") == []
    assert session.shown_to(None) == []


def test_what_it_shows_is_looked_up_when_it_is_looked_at_and_kept_nowhere() -> None:
    asked: list[str] = []

    def book(seal: str) -> str | None:
        asked.append(seal)
        return UNDER[seal]

    lines: list[Line] = []
    session = laid(book)
    session.write = lines.append
    session.answer("B", "A")
    assert asked == []
    session.shown_to("B")
    session.shown_to(None)
    session.view("A")
    assert asked == []
    assert session.shown_to("A") == [INDIGO]
    assert asked == [TWO]
    session.answer("seen", "A")
    kept = msgspec.json.encode([lines, session.log("A"), session.view("A")]) + session.snapshot()
    assert b"indigo" not in kept


def test_a_tag_that_nobody_knows_any_more_stays_sealed() -> None:
    session = laid(unknown)
    session.answer("B", "A")
    assert session.shown_to("A") == [TWO]


def test_nothing_is_shown_while_the_session_asks_its_own() -> None:
    session = laid()
    session.answer("B", "A")
    session.undo(by="A")
    assert session.consent is not None
    assert session.shown_to("A") == []


def test_who_may_have_looked_cannot_take_the_way_there_back_alone() -> None:
    session = laid()
    session.answer("B", "A")
    session.undo(by="A")
    assert session.consent is not None
    assert (session.consent.needed, session.consent.any_one) == (["B"], True)
    session.answer("yes", "B")
    assert session.prompt.key == "look"


def test_nor_after_the_look() -> None:
    session = laid()
    session.answer("B", "A")
    session.answer("seen", "A")
    session.undo(by="A")
    assert session.consent is None, "that it was seen is no more than a press"
    session.undo(by="A")
    assert session.consent is not None


def test_so_it_is_where_the_rules_note_no_learner() -> None:
    class Careless(Cups):
        async def look(self, seat: str) -> None:
            at = await self.ask(self.offer_look, seat)
            self.state.looked = True
            await self.ask(self.offer_peek, seat, str(at))

    session = Session(Careless(cups().state, BOX.register()), "salt")
    session.answer(ONE, "A")
    session.answer(TWO, "B")
    session.answer("B", "A")
    session.undo(by="A")
    assert session.consent is not None
    assert session.consent.needed == ["B"]


def test_that_it_was_seen_is_no_secret() -> None:
    session = laid()
    session.answer("B", "A")
    session.answer("seen", "A")
    assert session.entries[-1] == Answer("peek", "A", "seen")
    assert [e.choice for e in session.log("B") if isinstance(e, Answered)][-1] == "seen"


def test_a_private_answer_with_a_choice_stays_private() -> None:
    hidden = Prompt("q", "A", "1", ("seen", "x"), private=True, shows=(ONE,))
    assert hidden.hides_answer
    assert not Prompt("q", "A", "1", ("seen", "x")).hides_answer


def test_who_has_looked_may_look_again_and_nothing_is_written() -> None:
    lines: list[Line] = []
    session = laid()
    session.answer("B", "A")
    session.answer("seen", "A")
    session.write = lines.append
    (offer,) = session.game.beside()
    assert offer.only_shows
    assert session.shown_to("A", offer) == [INDIGO]
    assert session.shown_to("B", offer) == []
    assert session.shown_to(None, offer) == []
    assert lines == []
    with pytest.raises(Refused):
        session.interject("again", "A", "seen")


def test_a_public_question_shows_its_cards_and_leaves_seals_closed() -> None:
    session = laid()
    offer = Prompt("q", "A", "1", ("x",), shows=(ONE, "card"))
    assert session.shown_to("A", offer) == [ONE, "card"]
    assert session.shown_to(None, offer) == [ONE, "card"]


# -- a seal that everybody sees opened -------------------------------------------------------------


def test_a_reveal_is_answered_by_the_companion_in_the_line_that_led_to_it() -> None:
    lines: list[Line] = []
    session = ready()
    session.write = lines.append
    session.answer("ready", "B")
    assert session.over
    assert session.game.state.stones == {"A": CRIMSON, "B": INDIGO}
    assert [line.kind for line in lines] == [Kind.ANSWER]
    assert [(e.choice, e.via) for e in lines[0].come if isinstance(e, Answer)] == [
        ("ready", ""),
        (CRIMSON, OPENED),
        (INDIGO, OPENED),
    ]


def test_what_nobody_knows_is_said_by_hand() -> None:
    session = ready({TWO: INDIGO}.get)
    session.answer("ready", "B")
    assert (session.prompt.key, session.prompt.seat) == ("lift", "A")
    session.answer(CRIMSON, "A")
    assert session.over, "the other one is known"


def test_where_no_tag_was_tapped_people_say_what_they_see() -> None:
    session = table()
    for choice in (UNSEEN, UNSEEN, PASS, "ready", INDIGO, CRIMSON):
        session.answer(choice)
    assert session.game.state.ending is not None
    assert session.game.state.ending.winners == ("B",)


def test_only_the_thing_that_lies_there_can_be_tapped_for_it() -> None:
    session = ready(unknown)
    session.answer("ready", "B")
    with pytest.raises(Refused, match="not the one that lies there") as other:
        session.answer(TWO, "A")
    assert not other.value.refusal.can_be_forced
    with pytest.raises(Refused, match="Nobody knows this tag any more"):
        session.answer(ONE, "A")
    session.open_seal = UNDER.get  # the journal can be read again
    session.answer(ONE, "A")
    assert session.game.state.stones == {"A": CRIMSON, "B": INDIGO}


def test_a_book_that_says_what_cannot_be_is_not_believed() -> None:
    session = ready({ONE: "bell", TWO: INDIGO}.get)
    session.answer("ready", "B")
    assert session.prompt.key == "lift"
    session.answer(CRIMSON)
    assert session.over


def test_a_journal_is_done_again_without_the_book() -> None:
    lines: list[Line] = []
    session = table(write=lines.append)
    for choice in (ONE, TWO, "B", "seen", "ready"):
        session.answer(choice)
    again = Session(cups(), "salt")
    again.reenact(lines)
    assert again.digest() == session.digest()
    assert again.game.state.stones == {"A": CRIMSON, "B": INDIGO}


def test_to_take_a_reveal_back_any_other_player_must_agree() -> None:
    session = ready()
    session.answer("ready", "B")
    session.undo(by="B")
    assert session.consent is not None
    assert (session.consent.needed, session.consent.any_one) == (["A"], True)
    session.answer("yes", "A")
    session.answer("done")
    assert (session.prompt.key, session.game.state.stones) == ("ready", {})
    session.redo(by="B")
    assert session.game.state.stones == {"A": CRIMSON, "B": INDIGO}


def test_after_another_stone_was_meant_the_right_one_is_opened() -> None:
    three = "seal:stone/3"
    session = ready({**UNDER, three: INDIGO}.get)
    session.answer("ready", "B")
    session.undo(by="B")
    session.answer("yes", "A")
    session.answer("done")
    session.amend(0, three, by="A")
    session.answer("ready", "B")
    assert session.game.state.stones == {"A": INDIGO, "B": INDIGO}


def test_an_amendment_opens_anew_what_had_been_opened() -> None:
    book = {ONE: CRIMSON, "seal:stone/3": INDIGO}
    session = ready(book.get)
    session.answer("ready", "B")
    assert session.prompt.seat == "B", "nobody knows Budi's"
    preview = session.amend(0, "seal:stone/3", by="A")
    assert preview.lost == ()
    assert session.game.state.stones == {"A": INDIGO}
    session.answer(INDIGO, "B")
    assert session.game.state.stones == {"A": INDIGO, "B": INDIGO}


def test_what_the_companion_opened_is_nobodys_act() -> None:
    session = ready({ONE: CRIMSON}.get)
    session.answer("ready", "B")
    missed = session.missed("A")
    assert any(isinstance(event, Answered) and event.prompt == "ready" for event in missed)


def test_a_fork_opens_the_same_seals() -> None:
    twin = ready().fork()
    twin.answer("ready", "B")
    assert twin.game.state.stones == {"A": CRIMSON, "B": INDIGO}


def test_nothing_that_anybody_may_see_depends_on_what_lies_there() -> None:
    def seen(book: dict[str, str]) -> Iterator[bytes]:
        lines: list[Line] = []
        session = table(book.get, lines.append)
        for choice in (ONE, BELL, TWO, "B"):
            try:
                session.answer(choice)
            except Refused as error:
                yield error.phrase.plain().encode()
            for who in ("A", "B", None):
                yield msgspec.json.encode([session.view(who), session.log(who)])
            yield session.snapshot() + session.question_id().encode()
        yield msgspec.json.encode([session.shown_to("B"), session.shown_to(None), lines])

    swapped = {ONE: INDIGO, TWO: CRIMSON}
    assert list(seen(UNDER)) == list(seen(swapped))


# -- scenarios and virtual tables ------------------------------------------------------------------

SCENARIO = """
game = "cups"
title = "Ana looks under Budi's cup"
setup = { seats = ["Ana", "Budi"] }
seals = { "seal:stone/1" = "crimson", "seal:stone/2" = "indigo" }

[[play]]
by = "A"
say = "seal:stone/1"

[[play]]
by = "B"
say = "seal:bell/1"
refused = "1"

[[play]]
by = "B"
say = "seal:stone/2"

[[play]]
by = "A"
say = "B"
shows = { A = ["indigo"], B = [], table = [] }

[[play]]
by = "A"
say = "seen"
question = { key = "ready", seat = "B" }

[[play]]
by = "B"
say = "ready"
expect = { "stone/A" = "crimson", "stone/B" = "indigo" }
winners = ["A"]
"""


def test_a_scenario_says_what_lies_under_its_seals() -> None:
    playing = Playing(read_scenario(SCENARIO, "a test"), BOX)
    assert [played.faults for played in playing.play()] == [()] * 6


def test_a_scenario_finds_what_is_shown_to_the_wrong_eyes() -> None:
    wrong = SCENARIO.replace("B = [], table", 'B = ["indigo"], table')
    played = Playing(read_scenario(wrong, "a test"), BOX).play()
    assert any("must be shown" in fault for one in played for fault in one.faults)


def test_a_game_that_is_judged_elsewhere_needs_no_book() -> None:
    session = laid()
    for choice in ("B", "seen", "ready"):
        session.answer(choice)
    text = from_session(session, "cups", {"seats": ["Ana", "Budi"]}, {}, "a dispute")
    played = Playing(read_scenario(text, "a test"), BOX)
    assert all(not one.faults for one in played.play())
    assert played.game.state == session.game.state


def test_a_virtual_table_taps_things_and_says_what_they_were() -> None:
    taps = 0
    for seed in range(20):
        game = cups()
        play_out(game, Random(seed))
        assert game.state.ending is not None
        taps += sum(
            isinstance(event, Answered) and is_seal(event.choice) for event in game.log.events
        )
    assert 5 < taps < 35


def test_a_virtual_table_taps_nothing_that_the_rules_refuse() -> None:
    def never(choice: str) -> Refusal | None:
        return refuse("1", "No.") if is_seal(choice) else None

    prompt = Prompt("lay", "A", "1", (UNSEEN,), never, seals="stone")
    assert VirtualTable(cups(), Random(1)).options(prompt) == [UNSEEN]
