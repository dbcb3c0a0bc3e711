"""When a tag has come and when it is gone: traces of polls and what they have to give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.portable import ticks
from companion.portable.presence import CROWD, LIFT, TAP, Presence

Edge = tuple[str, tuple[str, ...]]

STARTS = [0, ticks.PERIOD - 700]
"""The second one wraps in the middle of the trace."""


class Trace:
    """Polls of one reader, and the edges that they gave."""

    def __init__(self, period: int, start: int = 0) -> None:
        self.period = period
        self.now = start
        self.presence = Presence(600, 150, period)
        self.edges: list[Edge] = []

    def see(self, tags: str, milliseconds: int) -> list[Edge]:
        """Poll for so long, seeing these tags, a letter each; gives the edges of that."""
        before = len(self.edges)
        for _ in range(milliseconds // self.period):
            self.edges += self.presence.feed(list(tags), self.now)
            self.pass_by(self.period)
        return self.edges[before:]

    def pass_by(self, milliseconds: int) -> None:
        """Time without a completed poll."""
        self.now = ticks.add(self.now, milliseconds)


@pytest.fixture(params=[(period, start) for period in (20, 50) for start in STARTS], ids=str)
def trace(request: pytest.FixtureRequest) -> Trace:
    return Trace(*request.param)


def tap(tag: str) -> Edge:
    return (TAP, (tag,))


def lift(tag: str) -> Edge:
    return (LIFT, (tag,))


def test_a_tag_that_flickers_is_tapped_once_and_lifted_once(trace: Trace) -> None:
    """R01: U, -, U, - for 40 polls, then 20 empty ones of 50 ms, then U."""
    for _ in range(20):
        trace.see("U", trace.period)
        trace.see("", trace.period)
    assert trace.edges == [tap("U")]
    assert trace.see("", 1000) == [lift("U")]
    assert trace.see("U", trace.period) == [tap("U")]


def test_a_tag_that_lies_for_a_minute_is_one_tap(trace: Trace) -> None:
    """R03."""
    assert trace.see("U", 60_000) == [tap("U")]
    assert trace.presence.lying()["U"] == 60_000 - trace.period


def test_a_tag_that_lies_for_longer_than_the_counter_goes_stays_there() -> None:
    trace = Trace(50)
    trace.see("U", 1000)
    for _ in range(5):
        trace.pass_by(ticks.PERIOD // 2 - 1)
        assert trace.see("U", 50) == []


def test_the_same_tag_again_is_a_second_tap(trace: Trace) -> None:
    """R04."""
    trace.see("U", 500)
    trace.see("", 1000)
    trace.see("U", 500)
    assert trace.edges == [tap("U"), lift("U"), tap("U")]


def test_tags_that_take_turns_without_a_gap_are_a_tap_each(trace: Trace) -> None:
    """R04."""
    for tag in "UVU":
        trace.see(tag, 300)
    assert trace.edges == [tap("U"), tap("V"), lift("U"), tap("U"), lift("V")]


def test_a_gap_shorter_than_it_takes_to_be_lifted_is_none(trace: Trace) -> None:
    trace.see("U", 300)
    trace.see("", 500)
    trace.see("U", 300)
    assert trace.edges == [tap("U")]


def test_a_tag_is_tapped_while_another_lies_there(trace: Trace) -> None:
    trace.see("U", 1000)
    assert trace.see("UV", 300) == [tap("V")]
    assert trace.see("U", 1000) == [lift("V")]
    assert trace.see("UV", 300) == [tap("V")]


def test_a_weak_tag_beside_another_is_not_swapped_for_it(trace: Trace) -> None:
    """It has to be gone for the longer time: nothing has come instead of it."""
    trace.see("U", 500)
    trace.see("UV", 500)
    trace.see("U", 300)
    trace.see("UV", 300)
    assert trace.edges == [tap("U"), tap("V")]


def test_two_at_once_are_a_crowd_and_no_tap(trace: Trace) -> None:
    assert trace.see("UV", 1000) == [(CROWD, ("U", "V"))]
    assert trace.see("U", 1000) == [lift("V")]
    assert trace.see("", 1000) == [lift("U")]
    assert trace.see("V", 100) == [tap("V")]


def test_two_that_lie_beside_a_third_are_a_crowd_of_two(trace: Trace) -> None:
    trace.see("U", 1000)
    assert trace.see("UVW", 100) == [(CROWD, ("V", "W"))]


def test_a_second_tag_right_after_the_first_makes_a_crowd(trace: Trace) -> None:
    """They were put down together, and one poll came in between."""
    trace.see("U", trace.period)
    assert trace.see("UV", 100) == [(CROWD, ("U", "V"))]
    assert trace.see("U", 1000) == [lift("V")]


def test_time_without_completed_polls_lifts_nothing(trace: Trace) -> None:
    """A reader that fails for a minute, and one that fails between each two polls."""
    trace.see("U", 500)
    trace.pass_by(60_000)
    assert trace.see("", trace.period) == []
    trace.pass_by(60_000)
    assert trace.see("U", 500) == []
    for _ in range(5):
        trace.see("", trace.period)
        trace.pass_by(10_000)
    assert trace.see("U", 500) == []


def test_a_tag_is_lifted_after_600_ms_and_not_before(trace: Trace) -> None:
    trace.see("U", 500)
    assert trace.see("", 600 - trace.period) == []
    assert trace.see("", trace.period) == [lift("U")]


polls = st.lists(st.tuples(st.sets(st.sampled_from("UVW")), st.integers(0, 200)), max_size=120)


@given(polls, st.sampled_from(STARTS))
def test_no_tag_comes_twice_without_going_or_goes_without_coming(
    polls: list[tuple[set[str], int]], start: int
) -> None:
    trace = Trace(20, start)
    there: set[str] = set()
    for tags, pause in polls:
        for what, whose in trace.presence.feed(sorted(tags), trace.now):
            new = set(whose) - there
            assert (what == LIFT) == (not new)
            assert what != TAP or new == set(whose)
            there = there - set(whose) if what == LIFT else there | new
        assert tags <= there == set(trace.presence.lying())
        trace.pass_by(pause)


@given(st.lists(st.tuples(st.sampled_from(["U", "V"]), st.integers(1, 40)), max_size=20))
def test_each_tag_laid_alone_after_a_full_removal_is_a_tap(visits: list[tuple[str, int]]) -> None:
    trace = Trace(20)
    for tag, polls in visits:
        assert trace.see(tag, polls * 20) == [tap(tag)]
        assert trace.see("", 640) == [lift(tag)]
