"""Where the spaces of a branching track stand in a picture: a ring, ways inside it, and the rest.

The longest way round is a ring of cells at the edge. Detours lie inside it, on a smaller ring, so
that a gap is left for pieces that share a space. Positions are in cells from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from companion.rules.tracks import Graph

Point = tuple[float, float]
Steps = tuple[tuple[int, int], ...]

DEPTHS = (2, 1.5)
"""Cells from the ring to the ways inside it: with a gap of a whole cell, or else of half a one."""
NARROWEST = 4
"""Cells across, and down."""


class Way(msgspec.Struct, frozen=True):
    """A detour: its spaces, where they are, and the line that leads over them from ring to ring."""

    spaces: tuple[int, ...]
    points: tuple[Point, ...]
    line: tuple[Point, ...]


class Plan(msgspec.Struct, frozen=True):
    """A picture of a track: so many cells across and down, and where each space is."""

    columns: int
    rows: int
    ring: Mapping[int, Point]
    ways: tuple[Way, ...]
    apart: tuple[Point, ...] = ()
    """Where the spaces beside the track are."""

    @property
    def cells(self) -> dict[int, Point]:
        """Where each space of the track is."""
        inside = {s: p for way in self.ways for s, p in zip(way.spaces, way.points, strict=True)}
        return {**self.ring, **inside}

    def faults(self) -> tuple[float, float]:
        """How much the detours crowd each other, and how far their lines lead to the side."""
        inside = [point for way in self.ways for point in way.points]
        crowded = sum(_near(one, inside[:number], 1) for number, one in enumerate(inside))
        bends = (_far(way.line[at], way.line[at + 1]) for way in self.ways for at in (1, -3))
        return round(crowded, 3), sum(bends)


@lru_cache(maxsize=16)
def plan_of(start: int, steps: Steps, apart: int, width: int, height: int) -> Plan:
    """The plan for a track with so many spaces apart, in a picture so many pixels wide and high.

    The ring is turned until what lies inside it stands as freely as can be.
    """
    graph = graph_of(steps)
    ring = (start, *graph.longest(start, start)[:-1])
    columns, rows = shape_of(len(ring), width, height)
    edge = list(_around(columns, rows))
    found: list[Plan] = []
    for depth in DEPTHS:
        turned = (edge[turn:] + edge[:turn] for turn in range(len(edge)))
        found += [_plan(graph, ring, one, (columns, rows), depth) for one in turned]
        if not min(found, key=Plan.faults).faults()[0]:
            break
    best = min(plan.faults() for plan in found)
    return _with_row([plan for plan in found if plan.faults() == best], apart)


def graph_of(steps: Steps) -> Graph[int]:
    """The spaces with the steps between them."""
    following: dict[int, list[int]] = {}
    for start, end in steps:
        following.setdefault(start, []).append(end)
    return Graph(following)


def shape_of(spaces: int, width: int, height: int) -> tuple[int, int]:
    """Cells across and down so that the cells of a ring become as large as they can be."""
    half = -(-spaces // 2) + 2
    shapes = [
        (columns, max(NARROWEST, half - columns))
        for columns in range(NARROWEST, max(NARROWEST, half - NARROWEST) + 1)
    ]
    return max(shapes, key=lambda shape: min(width // shape[0], height // shape[1]))


def _around(columns: int, rows: int) -> Iterator[Point]:
    """The cells of the edge clockwise, from the lower left corner on."""
    right, low = columns - 1, rows - 1
    yield from ((0, row) for row in range(low, 0, -1))
    yield from ((column, 0) for column in range(right))
    yield from ((right, row) for row in range(low))
    yield from ((column, low) for column in range(right, 0, -1))


# -- detours ---------------------------------------------------------------------------------------


def _plan(
    graph: Graph[int],
    ring: Sequence[int],
    edge: Sequence[Point],
    size: tuple[int, int],
    first_depth: float,
) -> Plan:
    """The plan with the ring on the edge, from its first cell on."""
    at = {space: number for number, space in enumerate(ring)}
    depths = dict.fromkeys(ring, 0.0)
    places = dict(zip(ring, edge, strict=False))
    ways = []
    for before, spaces, after in detours(graph, ring):
        depth = min(first_depth + max(depths[before], depths[after]), (min(size) - 1) / 2)
        start, end = at[before], at[after] if at[after] > at[before] else at[after] + len(edge)
        cells = [edge[number % len(edge)] for number in range(start, end + 1)]
        inner = [_clamp(cell, size, depth) for cell in cells]
        elbows = [_elbow(cells[n], inner[n], size) for n in (0, -1)]
        line = (places[before], elbows[0], *inner, elbows[1], places[after])
        ways.append(Way(spaces, tuple(_spread(inner, len(spaces))), line))
        places |= dict(zip(spaces, ways[-1].points, strict=True))
        at |= dict.fromkeys(spaces, (start + end) // 2)
        depths |= dict.fromkeys(spaces, depth)
    return Plan(*size, dict(zip(ring, edge, strict=False)), tuple(ways))


def detours(graph: Graph[int], ring: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """The ways off the ring: where each begins, its spaces, where it ends; outer ones first.

    One that leads straight from space to space has none of its own.
    """
    placed = list(ring)
    known = set(pairwise((*ring, ring[0])))
    for before in placed:
        for space in graph.after[before]:
            if (before, space) in known:
                continue
            way = [before]
            while space not in placed:
                placed.append(space)
                way.append(space)
                space = graph.after[space][0]
            known |= set(pairwise((*way, space)))
            yield before, tuple(way[1:]), space


def _clamp(cell: Point, size: tuple[int, int], depth: float) -> Point:
    """The place on a smaller ring, so many cells inside, that is nearest to one at the edge."""
    x, y = (min(max(at, depth), cells - 1 - depth) for at, cells in zip(cell, size, strict=True))
    return x, y


def _elbow(cell: Point, inner: Point, size: tuple[int, int]) -> Point:
    """Where a line from a cell at the edge has to turn to the place inside that is nearest."""
    aside, above = cell[0] in (0, size[0] - 1), cell[1] in (0, size[1] - 1)
    if aside and above:
        return cell
    return (inner[0], cell[1]) if aside else (cell[0], inner[1])


def _spread(line: Sequence[Point], count: int) -> Iterator[Point]:
    """So many cells side by side in the middle of a line, closer only where it is too short."""
    length = sum(_far(*pair) for pair in pairwise(line))
    step = min(1.0, length / max(1, count - 1))
    for number in range(count):
        yield _along(line, (length - step * (count - 1)) / 2 + step * number)


def _along(line: Sequence[Point], way: float) -> Point:
    """The point so many cells along a line."""
    for (x, y), (to_x, to_y) in pairwise(line):
        part = _far((x, y), (to_x, to_y))
        if part and way <= part:
            return x + (to_x - x) * way / part, y + (to_y - y) * way / part
        way -= part
    return line[-1]


# -- what lies apart -------------------------------------------------------------------------------


def _with_row(plans: Sequence[Plan], count: int) -> Plan:
    """The plan that leaves most room for a row of spaces beside the track, with this row."""
    best, least = plans[0], float("inf")
    for plan in plans if count else ():
        taken = tuple(plan.cells.values())
        for row in _rows(plan.columns, plan.rows, count):
            crowded = round(sum(_near(point, taken, 2) for point in row), 3)
            if crowded < least:
                best, least = msgspec.structs.replace(plan, apart=row), crowded
            if not crowded:
                return best
    return best


@lru_cache(maxsize=4)
def _rows(columns: int, rows: int, count: int) -> list[tuple[Point, ...]]:
    """The rows and columns inside the ring that are so long, those in the middle first."""
    lines = [*_lines((columns, rows), count), *map(_turned, _lines((rows, columns), count))]
    middle = (columns - 1) / 2, (rows - 1) / 2
    return sorted(lines, key=lambda line: sum(_far(point, middle) for point in line))


def _lines(size: tuple[int, int], count: int) -> Iterator[tuple[Point, ...]]:
    """All rows of so many cells inside a ring; they cover each other where it is too narrow."""
    step = min(1.0, (size[0] - 3) / (count - 1 or 1))
    for top in range(1, size[1] - 1):
        for left in range(1, 1 + round(size[0] - 2 - step * (count - 1))):
            yield tuple((left + step * number, float(top)) for number in range(count))


def _turned(line: Iterable[Point]) -> tuple[Point, ...]:
    return tuple((y, x) for x, y in line)


def _near(point: Point, others: Iterable[Point], reach: int) -> float:
    """How much closer than so many cells a point is to others, in all."""
    x, y = point
    return sum(max(0.0, reach - max(abs(x - ox), abs(y - oy))) for ox, oy in others)


def _far(one: Point, other: Point) -> float:
    """How many cells two points are from each other, across and down."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
