"""How each device is, for the screens and the doctor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from enum import StrEnum

import msgspec

from companion.rules.errors import CompanionError
from companion.rules.phrases import N_, Phrase


class Condition(StrEnum):
    """What can be expected of a device."""

    STARTING = "starting"
    WORKING = "working"
    DEGRADED = "degraded"
    """It works, and failed a moment ago."""
    STALLED = "stalled"
    """It has not come back from a call."""
    OFFLINE = "offline"
    """It failed, and is tried again."""


class Health(msgspec.Struct, frozen=True):
    """A device's condition, and the reason where it is not a good one."""

    device: str
    condition: Condition
    reason: Phrase | None = None

    @property
    def usable(self) -> bool:
        """Whether the device can be played with."""
        return self.condition in (Condition.WORKING, Condition.DEGRADED)


class DeviceFault(CompanionError):
    """A device cannot do its work: says which part does not answer and what to look at."""


_TOLD = {
    Condition.STARTING: N_("{device}: starting"),
    Condition.WORKING: N_("{device}: ready"),
    Condition.DEGRADED: N_("{device}: failed a moment ago, works again"),
    Condition.STALLED: N_("{device}: stalled"),
    Condition.OFFLINE: N_("{device}: offline"),
}

_LABELS = {
    "reader": N_("reader {name}"),
    "display": N_("display"),
    "buttons": N_("buttons"),
    "hub": N_("hub"),
    "lights": N_("lights"),
    "sound": N_("sound"),
}


def label(device: str) -> Phrase:
    """What people call a device: "reader/A" is "reader A"."""
    kind, _, name = device.partition("/")
    return Phrase(_LABELS.get(kind, "{name}"), {"name": name or kind})


def told(health: Health) -> Phrase:
    """A device's condition in words, with the reason."""
    text = Phrase(_TOLD[health.condition], {"device": label(health.device)})
    if health.reason is None:
        return text
    return Phrase(N_("{condition}: {reason}"), {"condition": text, "reason": health.reason})


class HealthBoard:
    """The health of all devices. `changed` is called with each change, by whichever thread."""

    def __init__(self, changed: Callable[[Health], None] | None = None) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._health: dict[str, Health] = {}

    def set(self, health: Health) -> None:
        """Note a device's health."""
        with self._lock:
            if self._health.get(health.device) == health:
                return
            self._health[health.device] = health
        if self._changed is not None:
            self._changed(health)

    def all(self) -> Mapping[str, Health]:
        """The health of each device, in the order in which they first said something."""
        with self._lock:
            return dict(self._health)
