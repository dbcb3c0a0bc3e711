"""What raw levels of buttons come to. Times are milliseconds; "+ok" is down, "-ok" is up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.portable.presses import Presses
from companion.portable.ticks import PERIOD, add, diff

BOUNCE, HOLD, STUCK = 20, 1000, 10_000
Event = tuple[str, ...]
Timed = tuple[int, Event]


def play(edges: list[tuple[int, str]], until: int = 30_000, *, start: int = 0) -> list[Timed]:
    """All events with their times, `tick` being called at each deadline and at each edge."""
    presses = Presses(BOUNCE, HOLD, STUCK)
    for name in ("up", "ok"):
        presses.level(name, (0, f"+{name}") in edges, start)
    timed: list[Timed] = []

    def pass_time(to: int) -> None:
        while (due := presses.next_deadline(to)) is not None and diff(due, to) <= 0:
            timed.extend((diff(due, start), event) for event in presses.tick(due))
        timed.extend((diff(to, start), event) for event in presses.tick(to))

    for at, edge in edges:
        now = add(start, at)
        pass_time(now)
        timed.extend((at, e) for e in presses.level(edge[1:], edge[0] == "+", now))
    pass_time(add(start, until))
    return timed


def bouncing(at: int, edge: str) -> list[tuple[int, str]]:
    """An edge with five bounces in eight milliseconds."""
    other = ("-" if edge[0] == "+" else "+") + edge[1:]
    return [(at + i, edge if i % 2 == 0 else other) for i in range(0, 9, 1)]


CASES = {
    "a bouncing push and release are one push": (
        [*bouncing(100, "+ok"), *bouncing(600, "-ok")],
        [(628, ("short", "ok"))],
    ),
    "a bouncing push of a second is one long one": (
        [*bouncing(100, "+ok"), *bouncing(1110, "-ok")],
        [(1108, ("long", "ok"))],
    ),
    "a spike of 3 ms is nothing": ([(100, "+ok"), (103, "-ok")], []),
    "a pulse of 50 ms is a push": ([(100, "+ok"), (150, "-ok")], [(170, ("short", "ok"))]),
    "a gap of 3 ms does not end a push": (
        [(100, "+ok"), (500, "-ok"), (503, "+ok"), (1200, "-ok")],
        [(1100, ("long", "ok"))],
    ),
    "a gap of 3 ms at the hold time neither": (
        [(100, "+ok"), (1099, "-ok"), (1102, "+ok"), (1500, "-ok")],
        [(1122, ("long", "ok"))],
    ),
    "held 0.4 s: short, at the release": (
        [(100, "+ok"), (500, "-ok")],
        [(520, ("short", "ok"))],
    ),
    "held 1.5 s: long, once, at the hold time": (
        [(100, "+ok"), (1600, "-ok")],
        [(1100, ("long", "ok"))],
    ),
    "held for long: stuck, then free": (
        [(100, "+ok"), (15_000, "-ok"), (16_000, "+ok"), (16_100, "-ok")],
        [
            (1100, ("long", "ok")),
            (10_100, ("stuck", "ok")),
            (15_020, ("free", "ok")),
            (16_120, ("short", "ok")),
        ],
    ),
    "low at the start: nothing until it was let go, then as usual": (
        [(0, "+ok"), (5000, "-ok"), (6000, "+ok"), (6100, "-ok")],
        [(6120, ("short", "ok"))],
    ),
    "low at the start for 12 s: stuck and no push": (
        [(0, "+ok"), (12_000, "-ok")],
        [(10_000, ("stuck", "ok")), (12_020, ("free", "ok"))],
    ),
    "low at the start, and bouncing when let go": (
        [(0, "+ok"), *bouncing(500, "-ok")],
        [],
    ),
    "two together: at once, and nothing else of both": (
        [(100, "+ok"), (140, "+up"), (300, "-ok"), (2000, "-up")],
        [(160, ("chord", "ok", "up"))],
    ),
    "two at the same moment": (
        [(100, "+ok"), (100, "+up"), (300, "-ok"), (300, "-up")],
        [(120, ("chord", "up", "ok"))],
    ),
    "one after the other, nearly overlapping": (
        [(100, "+ok"), (195, "+up"), (200, "-ok"), (300, "-up")],
        [(220, ("short", "ok")), (320, ("short", "up"))],
    ),
    "one while the other is held already": (
        [(100, "+ok"), (1500, "+up"), (1600, "-up"), (1700, "-ok")],
        [(1100, ("long", "ok")), (1620, ("short", "up"))],
    ),
    "a stuck one takes no part": (
        [(0, "+ok"), (500, "+up"), (600, "-up")],
        [(620, ("short", "up")), (10_000, ("stuck", "ok"))],
    ),
}


@pytest.mark.parametrize("start", [0, PERIOD - 200, PERIOD - 1050], ids=["0", "wrap", "hold wraps"])
@pytest.mark.parametrize("case", CASES)
def test_what_levels_come_to(case: str, start: int) -> None:
    edges, expected = CASES[case]

    assert play(edges, start=start) == expected


@pytest.mark.parametrize("length", [990, 1000, 1010])
@pytest.mark.parametrize("offset", range(0, 100, 7))
def test_near_the_hold_time_a_push_is_short_or_long_and_nothing_comes_later(
    length: int, offset: int
) -> None:
    edges = [(100 + offset, "+ok"), (100 + offset + length, "-ok")]

    [(at, event)] = play(edges)

    assert event == ("long" if length >= HOLD else "short", "ok")
    assert at <= 100 + offset + length + 50


def test_what_a_push_comes_to_does_not_hang_on_when_somebody_looks() -> None:
    for late in (1, 30, 200, 5000):
        presses = Presses(BOUNCE, HOLD, STUCK)
        presses.level("ok", False, 0)
        presses.level("ok", True, 100)
        presses.level("ok", False, 500)
        assert presses.tick(520 + late) == [("short", "ok")]


def test_it_says_when_it_has_to_be_asked_again() -> None:
    presses = Presses(BOUNCE, HOLD, STUCK)
    presses.level("ok", False, 0)
    assert presses.next_deadline(0) is None
    presses.level("ok", True, 100)
    assert presses.next_deadline(100) == 120
    presses.tick(120)
    assert (presses.next_deadline(120), presses.held()) == (1100, ["ok"])


@st.composite
def pushes(draw: st.DrawFn) -> tuple[list[tuple[int, str]], list[int]]:
    """Pushes of one button with any bouncing at both ends; the edges, and how long each was."""
    edges: list[tuple[int, str]] = []
    lengths: list[int] = []
    at = 0

    def edge(sign: str) -> None:
        nonlocal at
        for i, pause in enumerate(draw(st.lists(st.integers(0, BOUNCE - 1), max_size=6))):
            edges.append((at, "+-"[(i + (sign == "-")) % 2] + "ok"))
            at += pause
        edges.append((at, sign + "ok"))

    for _ in range(draw(st.integers(1, 5))):
        at += draw(st.integers(3 * BOUNCE, 400))
        edge("+")
        lengths.append(draw(st.integers(BOUNCE, HOLD + 500)))
        at += lengths[-1]
        edge("-")
    return edges, lengths


@given(pushes(), st.sampled_from([0, PERIOD - 1000]))
def test_however_it_bounces_each_push_is_one_event(
    played: tuple[list[tuple[int, str]], list[int]], start: int
) -> None:
    edges, lengths = played

    kinds = [event[0] for _, event in play(edges, start=start)]

    assert len(kinds) == len(lengths)
    for kind, length in zip(kinds, lengths, strict=True):
        if length >= HOLD:
            assert kind == "long"
        elif length < HOLD - 6 * BOUNCE:
            assert kind == "short"


def debounced(edges: list[tuple[int, str]], name: str) -> list[tuple[int, int]]:
    """From when to when a button was down, by looking at the whole past and future."""
    mine = [(at, edge[0] == "+") for at, edge in edges if edge[1:] == name]
    before = [(0, False), *mine]
    changes = [now for now, past in zip(mine, before, strict=False) if now[1] != past[1]]
    ends = [at for at, _ in changes[1:]] + [1 << 29]
    lasting = [now for now, end in zip(changes, ends, strict=False) if end - now[0] >= BOUNCE]
    spans: list[tuple[int, int]] = []
    begun = None
    for at, down in lasting:
        if down and begun is None:
            begun = at + BOUNCE
        elif not down and begun is not None:
            spans.append((begun, at + BOUNCE))
            begun = None
    return spans + ([(begun, 1 << 29)] if begun is not None else [])


@given(
    st.lists(
        st.tuples(st.integers(0, 1500), st.sampled_from(["+ok", "-ok", "+up", "-up"])), max_size=40
    )
)
def test_each_push_gives_exactly_one_event_whatever_the_other_button_does(
    steps: list[tuple[int, str]],
) -> None:
    edges, at = [], 1
    for pause, edge in steps:
        at += pause
        edges.append((at, edge))

    events = play(edges, until=at + 20_000)

    for name in ("up", "ok"):
        said = [t for t, e in events if name in e[1:] and e[0] not in ("stuck", "free")]
        spans = debounced(edges, name)
        assert len(said) == len(spans)
        for when, (begun, ended) in zip(said, spans, strict=True):
            assert begun <= when <= ended
