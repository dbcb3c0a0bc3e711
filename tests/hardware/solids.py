"""Printed parts as tests see them: triangles of a binary STL file, and what is inside of them."""

from __future__ import annotations

import ast
import re
import struct
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]

CELL = 4.0
"""Millimetres of a cell in which triangles are looked up."""


class Solid:
    """A body bounded by triangles."""

    def __init__(self, triangles: Iterable[Triangle]) -> None:
        self.triangles = list(triangles)
        self._cells: dict[tuple[int, int], list[Triangle]] = defaultdict(list)
        for triangle in self.triangles:
            for cell in _cells(triangle):
                self._cells[cell].append(triangle)

    @property
    def size(self) -> Point:
        """Width, depth and height."""
        spans = [
            max(values) - min(values)
            for values in zip(*(point for one in self.triangles for point in one), strict=True)
        ]
        return spans[0], spans[1], spans[2]

    @property
    def volume(self) -> float:
        """Cubic millimetres; below 0 if the triangles look inwards."""
        return sum(_determinant(*triangle) for triangle in self.triangles) / 6

    def open_edges(self) -> int:
        """How many edges do not belong to exactly two triangles that run along it both ways."""
        edges = Counter(
            (one, other) for a, b, c in self.triangles for one, other in ((a, b), (b, c), (c, a))
        )
        return sum(edges[other, one] != number for (one, other), number in edges.items())

    def __contains__(self, point: Point) -> bool:
        """Whether a point is in the body: a ray upwards leaves it once more than it enters it."""
        x, y, z = point
        cell = self._cells.get((int(x // CELL), int(y // CELL)), [])
        heights = (_height(x, y, triangle) for triangle in cell)
        return sum(height is not None and height > z for height in heights) % 2 == 1


def read_stl(path: Path) -> tuple[bytes, Solid]:
    """The head of a binary STL file, and its body."""
    data = path.read_bytes()
    (number,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * number
    triangles = []
    for values in struct.iter_unpack("<12fH", data[84:]):
        a, b, c = (values[start : start + 3] for start in (3, 6, 9))
        triangles.append((a, b, c))
    return data[:80], Solid(triangles)


def read_drawing(path: Path, model: str) -> dict[str, Any]:
    """The values that an OpenSCAD drawing sets at its beginning, for a model of the Pi."""
    text = path.read_text(encoding="utf-8").partition("// --- The rest follows")[0]
    text = re.sub(r"//.*", "", text)
    values: dict[str, Any] = {"pick": lambda zero, b: zero if model == "zero" else b}
    for name, said in re.findall(r"^(\w+) = ([^;]+);", text, re.MULTILINE):
        tree = ast.parse(said.strip(), mode="eval")
        values[name] = eval(compile(tree, name, "eval"), {"__builtins__": {}}, dict(values))
    return values


def _cells(triangle: Triangle) -> Iterable[tuple[int, int]]:
    xs, ys, _ = zip(*triangle, strict=True)
    for i in range(int(min(xs) // CELL), int(max(xs) // CELL) + 1):
        for j in range(int(min(ys) // CELL), int(max(ys) // CELL) + 1):
            yield i, j


def _height(x: float, y: float, triangle: Triangle) -> float | None:
    """At which height a vertical line goes through a triangle; None if it does not."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if area == 0:
        return None
    u = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    v = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    if u < 0 or v < 0 or u + v > 1:
        return None
    return az + u * (bz - az) + v * (cz - az)


def _determinant(a: Point, b: Point, c: Point) -> float:
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )
