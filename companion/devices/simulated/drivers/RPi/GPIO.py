"""In the place of RPi.GPIO, as far as pins are outputs or read: the bench's pins."""

from __future__ import annotations

from companion.devices.simulated.bench import current

BOARD = 10
BCM = 11
OUT = 0
IN = 1
LOW = 0
HIGH = 1
PUD_OFF = 20
PUD_DOWN = 21
PUD_UP = 22
RPI_INFO = {"P1_REVISION": 3}

_PULLS = {PUD_OFF: "floating", PUD_DOWN: "down", PUD_UP: "up"}
_HEADER = dict(
    zip(
        (3, 5, 7, 8, 10, 11, 12, 13, 15, 16, 18, 19, 21, 22, 23, 24, 26, 27, 28, 29, 31, 32, 33)
        + (35, 36, 37, 38, 40),
        (2, 3, 4, 14, 15, 17, 18, 27, 22, 23, 24, 10, 9, 25, 11, 8, 7, 0, 1, 5, 6, 12, 13)
        + (19, 16, 26, 20, 21),
        strict=True,
    )
)
"""The Broadcom number of each pin of the 40-pin header."""

_mode: list[int] = []
_set_up: set[int] = set()


def getmode() -> int | None:
    """Which numbers pins go by; None as long as nobody said."""
    return _mode[0] if _mode else None


def setmode(mode: int) -> None:
    """Raises ValueError if somebody chose the other numbers before."""
    if mode not in (BOARD, BCM):
        raise ValueError("An invalid mode was passed to setmode()")
    if _mode and _mode[0] != mode:
        raise ValueError("A different mode has already been set!")
    _mode[:] = [mode]


def setwarnings(on: bool) -> None:
    """It never warns."""


def setup(channel: int, direction: int, pull_up_down: int = PUD_OFF, initial: int = -1) -> None:
    """Make a pin an output or an input."""
    pin = current().pin(_number(channel))
    pin.function = "output" if direction == OUT else "input"
    if direction == IN:
        pin.pull = _PULLS[pull_up_down]
    elif initial >= 0:
        pin.state = bool(initial)
    _set_up.add(channel)


def output(channel: int, value: int) -> None:
    """Set an output. Raises RuntimeError for a pin that is none."""
    if channel not in _set_up:
        raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
    current().pin(_number(channel)).state = bool(value)


def input(channel: int) -> int:
    """A pin's level."""
    return int(current().pin(_number(channel)).state)


def cleanup(channel: int | None = None) -> None:
    """Make a pin, or all that were set up, inputs again; with all of them the mode is forgotten."""
    for each in [channel] if channel is not None else list(_set_up):
        if each in _set_up:
            current().pin(_number(each)).function = "input"
            _set_up.remove(each)
    if channel is None:
        _mode.clear()


def _number(channel: int) -> int:
    if not _mode:
        raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BOARD)")
    if _mode[0] == BCM:
        return channel
    if channel not in _HEADER:
        raise ValueError("The channel sent is invalid on a Raspberry Pi")
    return _HEADER[channel]
