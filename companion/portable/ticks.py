"""Milliseconds of a counter that wraps round at 2**30, as `time.ticks_ms` of MicroPython does."""

PERIOD = 1 << 30
_HALF = PERIOD >> 1


def diff(later: int, earlier: int) -> int:
    """Milliseconds from `earlier` to `later`, right across the wrap; at most half a period."""
    return ((later - earlier + _HALF) & (PERIOD - 1)) - _HALF


def add(ticks: int, milliseconds: int) -> int:
    """The reading so many milliseconds later."""
    return (ticks + milliseconds) & (PERIOD - 1)
