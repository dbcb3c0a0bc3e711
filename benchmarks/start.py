"""Start-up and memory of a table in the terminal, beside a bare Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from time import perf_counter

TABLE = [
    sys.executable, "-m", "companion", "play", "chaos-kart", "--script", os.devnull,
    "--players", "Ana,Budi,Cici", "--set", "first=A", "--language", "en",
]  # fmt: skip
IMPORTS = "import companion.command, companion.host, companion.games.chaos_kart.box"
PICTURE = IMPORTS + ", companion.screens.oled"


def measures(runs: int) -> Iterator[str]:
    """Start to first prompt, imports, and the most memory."""
    bare = _seconds([sys.executable, "-c", "pass"], runs)
    table = _seconds(TABLE, runs)
    yield (
        f"start to first prompt: {table * 1e3:,.0f} ms, {table / bare:.1f} times a bare Python "
        "(budget 1,000 ms)"
    )
    imports = _seconds([sys.executable, "-c", IMPORTS], runs) - bare
    picture = _seconds([sys.executable, "-c", PICTURE], runs) - bare
    yield f"imports: {imports * 1e3:,.0f} ms, with the picture {picture * 1e3:,.0f} ms (budget 250)"
    yield f"memory of a table: {_memory(TABLE) / 1024:,.0f} MB at the most (budget 80)"


def _seconds(command: list[str], runs: int) -> float:
    times: list[float] = []
    for _ in range(runs):
        started = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(perf_counter() - started)
    return median(times)


_MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A child begins with the memory of whoever starts it, so a small process has to."""


def _memory(command: list[str]) -> int:
    """The most resident memory of a command, in KiB."""
    measured = [sys.executable, "-c", _MEASURE, *command]
    return int(subprocess.run(measured, check=True, capture_output=True, text=True).stdout)
