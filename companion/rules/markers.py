"""Markers laid before a seat: how many at the most, and how long they stay.

A marker counts the starts of its owner's turn since it was laid. From that follow the durations:
tied to the owner and the turn, never to whoever is active.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

import msgspec

from companion.rules.events import (
    Event,
    MarkerGained,
    MarkerIgnored,
    MarkerLost,
    MarkerReplaced,
    MarkerTurned,
)


class Lasts(StrEnum):
    """How long a marker stays when nothing else removes it."""

    UNTIL_USED = "until used"
    SECOND_TURN = "until its owner's second turn begins"
    TURN_END = "until the end of its owner's turn"
    NEXT_TURN_END = "until the end of its owner's next turn"
    """The turn in which it was laid is not that one. One that would end with another is ignored."""


class MarkerKind(msgspec.Struct, frozen=True):
    """A kind of marker: `cap` at the most; over it a new one replaces the old or is ignored.

    `ruling` and `cap_ruling` decide what the rulebook leaves open about it and about the cap.
    """

    name: str
    cap: int
    rule: str
    cap_rule: str
    lasts: Lasts = Lasts.UNTIL_USED
    duration_rule: str = ""
    over_cap_replaces: bool = False
    ruling: str | None = None
    cap_ruling: str | None = None


class Marker(msgspec.Struct):
    """One marker on the table. `starts` counts its owner's turn starts since it was laid."""

    starts: int = 0
    turn: int = 0
    """The number of the turn in which it was laid."""


Markers = dict[str, list[Marker]]
"""The markers before one seat, by kind."""


class Records(Protocol):
    """Whatever events can be written to."""

    def record(self, event: Event, /) -> int: ...


class MarkerRules:
    """The marker kinds of a game, and what adding, ageing and removing one does."""

    def __init__(self, kinds: Mapping[str, MarkerKind]) -> None:
        self.kinds = kinds

    def count(self, markers: Markers, kind: str) -> int:
        """How many of a kind there are."""
        held = markers.get(kind)
        return len(held) if held else 0

    def is_full(self, markers: Markers, kind: str) -> bool:
        """Whether a further one would be ignored."""
        rules = self.kinds[kind]
        if rules.lasts is Lasts.NEXT_TURN_END and any(not m.starts for m in markers.get(kind, ())):
            return True
        return not rules.over_cap_replaces and self.count(markers, kind) >= rules.cap

    def add(self, game: Records, seat: str, markers: Markers, kind: str, turn: int) -> None:
        """Lay a marker before a seat, as far as its cap allows."""
        rules = self.kinds[kind]
        if self.is_full(markers, kind):
            game.record(
                MarkerIgnored(rule=rules.cap_rule, ruling=rules.cap_ruling, seat=seat, marker=kind)
            )
            return
        held = markers.setdefault(kind, [])
        if len(held) < rules.cap:
            held.append(Marker(turn=turn))
            count = len(held)
            game.record(
                MarkerGained(
                    rule=rules.rule, ruling=rules.ruling, seat=seat, marker=kind, count=count
                )
            )
        else:
            held[0] = Marker(turn=turn)
            game.record(
                MarkerReplaced(rule=rules.cap_rule, ruling=rules.cap_ruling, seat=seat, marker=kind)
            )

    def remove(
        self,
        game: Records,
        seat: str,
        markers: Markers,
        kind: str,
        rule: str,
        ruling: str | None = None,
    ) -> None:
        """Take one marker away, the oldest first."""
        held = markers[kind]
        del held[0]
        count = len(held)
        if not held:
            del markers[kind]
        game.record(MarkerLost(rule=rule, ruling=ruling, seat=seat, marker=kind, count=count))

    def turn_starts(self, game: Records, seat: str, markers: Markers) -> None:
        """Age the seat's markers by one start of its own turn."""
        for kind in [name for name in self.kinds if name in markers]:
            rules = self.kinds[kind]
            for marker in markers[kind]:
                marker.starts += 1
            if rules.lasts is not Lasts.SECOND_TURN:
                continue
            if markers[kind][0].starts >= 2:
                self.remove(game, seat, markers, kind, rules.duration_rule)
            else:
                game.record(MarkerTurned(rule=rules.duration_rule, seat=seat, marker=kind))

    def turn_ends(self, game: Records, seat: str, markers: Markers) -> None:
        """Take away what lasts until the end of this turn of its owner."""
        for kind in [name for name in self.kinds if name in markers]:
            rules = self.kinds[kind]
            if rules.lasts is Lasts.TURN_END or (
                rules.lasts is Lasts.NEXT_TURN_END and markers[kind][0].starts
            ):
                self.remove(game, seat, markers, kind, rules.duration_rule, rules.ruling)
