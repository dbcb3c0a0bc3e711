"""Reads the vectors of raw frames with the portable code, on CPython and on MicroPython.

As a program it takes them from its input and prints what it read.
"""

import json
import sys

from companion.portable.iso14443 import HLTA, REQA, Scanner
from companion.portable.rc522 import Rc522, RegisterPort


class Replay(Rc522):
    """In the place of a chip: says the frames one after the other, to whatever it is asked."""

    def __init__(self, frames: list[str]) -> None:
        super().__init__(RegisterPort())
        self.frames = [bytes.fromhex(frame) for frame in frames]

    def exchange(
        self, frame: bytes, last_bits: int = 0, answer_bits: int = 0, align: int = 0
    ) -> bytes | None:
        if frame in (HLTA, bytes([REQA])) or not self.frames:
            return None
        return self.frames.pop(0)

    def is_sound(self) -> bool:
        return True


def read(frames: list[str]) -> str | None:
    """The UID that a tag's frames make, None if the poll failed."""
    uids = Scanner(Replay(frames)).poll()
    return uids[0] if uids else None


if __name__ == "__main__":
    print(json.dumps([read(vector["frames"]) for vector in json.load(sys.stdin)]))
