"""Boards that pieces travel along: closed rings, and tracks that fork and merge."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

import msgspec

N = TypeVar("N", bound=Hashable)
"""A node of a graph: a number, or a name."""


class Ring(msgspec.Struct, frozen=True):
    """A closed track of `size` squares, numbered forward from 0, the start/finish."""

    size: int

    def forward(self, square: int, steps: int = 1) -> int:
        """The square so many steps forward."""
        return (square + steps) % self.size

    def back(self, square: int, steps: int = 1) -> int:
        """The square so many steps back."""
        return (square - steps) % self.size

    def distance(self, start: int, end: int) -> int:
        """Steps forward from one square to another: 0 … size-1."""
        return (end - start) % self.size

    def to_line(self, square: int) -> int:
        """Steps forward to the next crossing of the line: 1 … size; from square 0 a whole lap."""
        return self.size - square


class Graph(Generic[N]):
    """A track that forks and merges: the nodes that follow each one, forward, in their order."""

    def __init__(self, steps: Mapping[N, Iterable[N]]) -> None:
        self.after = {node: tuple(following) for node, following in steps.items()}
        """The nodes one step forward of each: several at a fork."""
        self.before = {node: self._leading_to(node) for node in self.after}
        """The nodes one step back of each: several at a merge."""

    def _leading_to(self, node: N) -> tuple[N, ...]:
        return tuple(other for other, following in self.after.items() if node in following)

    def forks(self) -> tuple[N, ...]:
        """The nodes after which one has to choose."""
        return tuple(node for node, following in self.after.items() if len(following) > 1)

    def reached_from(self, start: N) -> set[N]:
        """All nodes that lie forward of one, itself among them."""
        return _spread(start, self.after)

    def leading_to(self, end: N) -> set[N]:
        """All nodes from which one is reached, itself among them."""
        return _spread(end, self.before)

    def distance(self, start: N, end: N) -> int:
        """The fewest steps forward from one node to another, 0 for the same one.

        Raises ValueError where no road leads there.
        """
        steps, reached, edge = 0, {start}, {start}
        while end not in reached:
            edge = {further for node in edge for further in self.after[node]} - reached
            if not edge:
                raise ValueError(f"no road leads from {start} to {end}")
            reached |= edge
            steps += 1
        return steps

    def longest(self, start: N, end: N) -> tuple[N, ...]:
        """The longest road to the next visit of a node: the nodes after the start up to the end.

        Raises ValueError where no road leads there, or one can go round without coming there.
        """
        known: dict[N, tuple[N, ...]] = {end: (end,)}
        roads = [self._longest_by(node, end, known, {start}) for node in self.after[start]]
        road = max(roads, key=len, default=())
        if not road:
            raise ValueError(f"no road leads from {start} to {end}")
        return road

    def _longest_by(
        self, node: N, end: N, known: dict[N, tuple[N, ...]], open_: Collection[N]
    ) -> tuple[N, ...]:
        """The longest road from a node on, itself first; () where the end is never reached."""
        if node in known:
            return known[node]
        if node in open_:
            raise ValueError(f"one can go round from {node} without coming to {end}")
        further = [self._longest_by(one, end, known, {*open_, node}) for one in self.after[node]]
        best = max(further, key=len, default=())
        known[node] = (node, *best) if best else ()
        return known[node]


def _spread(start: N, neighbours: Mapping[N, Iterable[N]]) -> set[N]:
    """Everything that can be come to from one node."""
    found = {start}
    waiting = [start]
    while waiting:
        new = set(neighbours.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found
