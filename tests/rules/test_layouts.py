"""What differs between two tables, and in which order hands should move it."""

from __future__ import annotations

from companion.rules.layouts import Layout, Shift, in_order, shifts


def test_the_difference_of_two_tables() -> None:
    before: Layout = {"kart/A": 0, "lap/A": 1, "trap/A": "pothole@7"}
    after: Layout = {"kart/A": 3, "lap/A": 1, "trap/A": None}
    assert shifts(before, after) == [
        Shift("kart/A", 0, 3),
        Shift("trap/A", "pothole@7", None),
    ]
    assert shifts(after, after) == []


def test_of_what_is_counted_none_is_the_same_as_not_there() -> None:
    """A pawn on square 0 that comes back is another matter."""
    after = {"kart/B": 0, "lap/B": 0, "damaged/B": 2}
    assert shifts({}, after, {"lap", "damaged"}) == [
        Shift("kart/B", None, 0),
        Shift("damaged/B", None, 2),
    ]


def test_a_square_is_left_before_it_is_taken() -> None:
    chain = [Shift("kart/A", 17, 1), Shift("kart/B", 1, 0), Shift("kart/C", 0, 19)]
    assert [shift.owner for shift in in_order(chain)] == ["C", "B", "A"]


def test_two_that_change_places_come_both() -> None:
    swap = [Shift("kart/A", 3, 8), Shift("kart/B", 8, 3)]
    assert sorted(shift.owner for shift in in_order(swap)) == ["A", "B"]


def test_a_thing_is_named_by_kind_and_owner() -> None:
    assert (Shift("turn", "A", "B").kind, Shift("turn", "A", "B").owner) == ("turn", "")
    assert Shift("hand/A/move", 1, 2).owner == "A"


def test_a_named_place_is_left_by_a_thing_of_any_kind_before_another_takes_it() -> None:
    taken = [Shift("pawn/A/4", "d4", "d3"), Shift("king/B", "d3", None)]
    assert [shift.kind for shift in in_order(taken)] == ["king", "pawn"]
    counts = [Shift("lap/A", 0, 1), Shift("kart/A", 1, 0)]
    assert in_order(counts) == counts
