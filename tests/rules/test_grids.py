"""Boards of rows and columns."""

from __future__ import annotations

from companion.rules.grids import CROSS, PLUS, Grid

GRID = Grid(7, 8)


def test_cells_are_named_and_listed_row_by_row_from_the_top() -> None:
    cells = list(GRID.cells())
    assert len(cells) == len(set(cells)) == 56
    assert (cells[0], cells[6], cells[7], cells[-1]) == ("a8", "g8", "a7", "g1")
    assert GRID.column_names == tuple("abcdefg")
    assert GRID.row_names == tuple("87654321")


def test_steps_end_at_the_edge() -> None:
    assert [GRID.step("d4", way) for way in PLUS] == ["d5", "e4", "d3", "c4"]
    assert [GRID.step("a1", way) for way in CROSS] == ["b2", "", "", ""]
    assert GRID.step("d4", (0, 1), 4) == "d8"
    assert GRID.step("d4", (0, 1), 5) == ""


def test_a_diagonal_step_counts_as_one() -> None:
    assert GRID.distance("d4", "e5") == 1
    assert GRID.distance("d4", "d4") == 0
    assert GRID.distance("a1", "c8") == 7
