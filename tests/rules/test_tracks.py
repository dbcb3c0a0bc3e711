"""Rings, and graphs of a track that forks and merges."""

from __future__ import annotations

import pytest

from companion.rules.tracks import Graph, Ring

RING = Ring(10)
GRAPH = Graph({1: [2], 2: [3, 7], 3: [4], 4: [5], 5: [6], 6: [1], 7: [8, 9], 8: [5], 9: [5]})
"""1 2 3 4 5 6 round; from 2 a detour over 7 to 5, with two ways of its own."""
LOST = Graph({1: [2], 2: [1], 3: [2], 4: [5], 5: [4, 1]})


def test_a_ring_is_counted_forward_from_the_line() -> None:
    assert [RING.forward(8, 3), RING.back(1, 3)] == [1, 8]
    assert [RING.distance(8, 1), RING.distance(1, 8), RING.distance(4, 4)] == [3, 7, 0]
    assert [RING.to_line(8), RING.to_line(0)] == [2, 10]


def test_forks_and_merges() -> None:
    assert GRAPH.after[2] == (3, 7)
    assert GRAPH.before[5] == (4, 8, 9)
    assert GRAPH.forks() == (2, 7)


def test_what_is_reached() -> None:
    assert GRAPH.reached_from(4) == set(range(1, 10))
    assert LOST.reached_from(1) == {1, 2}
    assert LOST.leading_to(1) == {1, 2, 3, 4, 5}
    assert LOST.leading_to(4) == {4, 5}


def test_the_fewest_steps_from_node_to_node() -> None:
    assert [GRAPH.distance(2, 5), GRAPH.distance(8, 3), GRAPH.distance(6, 4)] == [3, 5, 4]
    assert GRAPH.distance(1, 1) == 0
    with pytest.raises(ValueError, match="no road leads from 1 to 4"):
        LOST.distance(1, 4)


def test_the_longest_road_to_the_next_visit() -> None:
    graph = Graph({1: [2, 3], 2: [5], 3: [4], 4: [5], 5: [1]})
    assert graph.longest(1, 5) == (3, 4, 5)
    assert graph.longest(1, 1) == (3, 4, 5, 1)
    assert graph.longest(5, 5) == (1, 3, 4, 5)


def test_there_is_no_longest_road_where_one_can_go_round() -> None:
    with pytest.raises(ValueError, match="go round"):
        GRAPH.longest(3, 9)
    with pytest.raises(ValueError, match="no road leads"):
        Graph({1: [2], 2: [], 3: [1]}).longest(1, 3)
    assert LOST.longest(3, 1) == (2, 1)
