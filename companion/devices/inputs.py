"""What devices have to say. `at` is when it was noticed, in seconds of `time.monotonic`."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Button(StrEnum):
    """The four buttons, the same everywhere."""

    UP = "up"
    DOWN = "down"
    OK = "ok"
    BACK = "back"


class Push(StrEnum):
    """How a button was used: let go in time, held down, or two of them together."""

    SHORT = "short"
    LONG = "long"
    CHORD = "chord"


class Tapped(msgspec.Struct, frozen=True):
    """A tag came to a reader. `uid` as in `companion.portable.uid`; `seat` where it is a seat's."""

    reader: str
    uid: str
    at: float
    seat: str = ""


class Lifted(msgspec.Struct, frozen=True):
    """A tag has left a reader."""

    reader: str
    uid: str
    at: float
    seat: str = ""


class Crowded(msgspec.Struct, frozen=True):
    """Several tags came at once, so nobody knows which is meant."""

    reader: str
    uids: tuple[str, ...]
    at: float
    seat: str = ""


class Pushed(msgspec.Struct, frozen=True):
    """A button was used. With a chord, `button` is the first and `other` the second of the two."""

    button: Button
    how: Push
    at: float
    other: Button | None = None
    seat: str = ""


class Stuck(msgspec.Struct, frozen=True):
    """A button has been down for longer than anybody holds one; False: it is free again."""

    button: Button
    stuck: bool
    at: float


class Missed(msgspec.Struct, frozen=True):
    """So many inputs of a device were lost before they could be read."""

    device: str
    count: int
    at: float


Input = Tapped | Lifted | Crowded | Pushed | Stuck | Missed
