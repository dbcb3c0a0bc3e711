"""Start-up and memory of a table in the terminal and of a box, beside a bare Python.

Of several runs the quickest counts: other programs only add to it. Python keeps what it compiled,
whatever this shell's environment says.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import NamedTuple

TABLE = [
    sys.executable, "-m", "companion", "play", "chaos-kart", "--script", os.devnull,
    "--players", "Ana,Budi,Cici", "--set", "first=A", "--language", "en",
]  # fmt: skip
IMPORTS = "import companion.command, companion.host, companion.games.chaos_kart.box"
PICTURE = IMPORTS + ", companion.screens.oled"
BOX = [
    sys.executable, "-m", "companion", "serve", "chaos-kart", "--devices", "simulated",
    "--language", "en", "--journal",
]  # fmt: skip
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
IDLE = 3.0
"""Seconds for which a box is left alone."""


class Box(NamedTuple):
    """A box on simulated devices: seconds to its first question, part of a core when idle, MB."""

    ready: float
    idle: float
    memory: float


def measures(runs: int) -> Iterator[str]:
    """Start to first prompt, imports, and the most memory."""
    _seconds([sys.executable, "-c", PICTURE], 1)
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
    ready, idle, memory = zip(*(_box() for _ in range(3)), strict=True)
    yield (
        f"a box on simulated devices: ready after {min(ready) * 1e3:,.0f} ms (budget 1,000 ms), "
        f"{max(memory):,.0f} MB at the most (budget 80), {min(idle):.1%} of a core while idle"
    )


def _seconds(command: list[str], runs: int) -> float:
    times: list[float] = []
    for _ in range(runs):
        started = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        times.append(perf_counter() - started)
    return min(times)


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


def _box() -> Box:
    """Start `companion serve`, wait until it says that it is ready, leave it alone, end it."""
    with TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as news:
        news.bind(f"{folder}/news")
        news.settimeout(30)
        began = perf_counter()
        with subprocess.Popen(
            [*BOX, f"{folder}/games.db"],
            env=ENVIRONMENT | {"NOTIFY_SOCKET": f"{folder}/news", "HOME": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        ) as process:
            try:
                while b"READY=1" not in news.recv(4096):
                    pass
                ready = perf_counter() - began
                sleep(1)  # it still draws, and the simulated hub says hello
                before = _processor(process.pid)
                sleep(IDLE)
                idle = (_processor(process.pid) - before) / IDLE
                return Box(ready, idle, _most_memory(process.pid))
            finally:
                process.terminate()


def _processor(pid: int) -> float:
    """Seconds of the processor that a process has taken, by proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _most_memory(pid: int) -> float:
    """The most resident memory of a process so far, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
