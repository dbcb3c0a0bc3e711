"""The log of events, and what each viewer may see of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.rules.events import Event, Log

SEATS = ("A", "B", None)


class Counted(Event, frozen=True):
    """An event that says how often somebody asked who may see it."""

    asked: list[str | None] = []

    def may_be_seen_by(self, who: str | None) -> bool:
        self.asked.append(who)
        return super().may_be_seen_by(who)


audiences = st.sampled_from([None, (), ("A",), ("B",), ("A", "B")])
acts = st.lists(
    st.one_of(
        audiences.map(lambda audience: ("add", audience)),
        st.floats(0, 1).map(lambda part: ("cut", part)),
        st.sampled_from(SEATS).map(lambda who: ("look", who)),
    )
)


@given(acts)
def test_what_is_kept_for_a_viewer_is_what_going_through_all_of_it_gives(
    acts: list[tuple[str, object]],
) -> None:
    log = Log()
    for act, what in acts:
        if act == "add":
            log.append(Event(rule="1", audience=what))  # type: ignore[arg-type]
        elif act == "cut":
            log.cut(int(float(str(what)) * len(log)))
        else:
            who = None if what is None else str(what)
            numbers = [n for n, event in enumerate(log.events) if event.may_be_seen_by(who)]
            seen = log.seen_by(who)
            assert seen.numbers == numbers
            assert seen.events == [log.events[n] for n in numbers]


def test_in_a_long_game_only_what_is_new_is_gone_through() -> None:
    log = Log()
    event = Counted(rule="1", asked=[])
    for _ in range(100):
        log.append(event)
        log.seen_by("A")
    assert event.asked == ["A"] * 100
    log.cut(90)
    log.append(event)
    assert len(log.seen_by("A").numbers) == 91
    assert len(event.asked) == 101
