"""One companion at a time at a bus: two would tear each other's cards and pictures to pieces.

The kernel lets any number of programs open an SPI or I2C device. So the driver's open file is
locked, among companions only; the lock ends with the file, in whatever way the program ends.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from companion.devices.health import DeviceFault
from companion.rules.phrases import N_

LOCKS = Path("/proc/locks")
"""Who holds which lock, proc(5); `flock` locks among them."""


def claim(file: int | None, node: str) -> None:
    """Have an open device node alone. Raises DeviceFault, saying who has it.

    `file` is the driver's file descriptor; None or -1 are those of a simulated driver.
    """
    if file is None or file < 0:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = holder_of(node)
        if holder:
            raise DeviceFault(
                N_("{port} is in use by process {pid}"), port=node, pid=holder
            ) from error
        raise DeviceFault(N_("{port} is in use by another program"), port=node) from error


def holder_of(path: str) -> int:
    """The process that has locked a device, 0 if none has or the kernel does not say."""
    try:
        status = Path(path).stat()
        place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
        for line in LOCKS.read_text().splitlines():
            words = line.split()
            if "FLOCK" in words and place in words:
                return int(words[words.index(place) - 1])
    except (OSError, ValueError):
        pass
    return 0
