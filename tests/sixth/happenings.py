"""The events that only Firefly Night has."""

from __future__ import annotations

from companion.rules.events import Event


class Caught(Event, frozen=True):
    """§2 Fireflies go into a jar."""

    seat: str
    count: int


class Taken(Event, frozen=True):
    """§3 A firefly goes from one jar into another."""

    seat: str
    by: str
