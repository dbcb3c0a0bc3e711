"""In the place of the package smbus2: the same calls, answered by the bench.

As far as luma and the doctor use them, with smbus2's names, limits and errors.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence

from companion.devices.simulated.bench import current

BLOCK_MAX = 32
"""Bytes of an SMBus block at the most."""


class Message:
    """One message of a transaction: bytes for the chip at an address."""

    def __init__(self, addr: int, data: bytes) -> None:
        self.addr = addr
        self.data = data

    @staticmethod
    def write(address: int, buf: bytes | Sequence[int]) -> Message:
        """Bytes to send."""
        return Message(address, bytes(buf))

    def __iter__(self) -> Iterator[int]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __bytes__(self) -> bytes:
        return self.data


i2c_msg = Message


class SMBus:
    """One bus, by its number or as /dev/i2c-<number>. Raises OSError as the kernel does."""

    fd: int | None = None
    """No file stands behind it."""

    def __init__(self, bus: int | str | None = None) -> None:
        self._port: int | None = None
        if bus is not None:
            self.open(bus)

    def __enter__(self) -> SMBus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, bus: int | str) -> None:
        """Raises FileNotFoundError, PermissionError."""
        port = int(str(bus).rpartition("-")[2])
        current().open_i2c(port)
        self._port = port

    def close(self) -> None:
        """Let go; closing twice does nothing."""
        self._port = None

    def read_byte(self, i2c_addr: int) -> int:
        """What a scan of the bus does. No chip here has a byte to give: the bus stays high."""
        self._write(i2c_addr, b"")
        return 0xFF

    def write_byte(self, i2c_addr: int, value: int) -> None:
        """One byte."""
        self._write(i2c_addr, bytes([value]))

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """A byte and up to 32 more."""
        if len(data) > BLOCK_MAX:
            raise ValueError(f"Data length cannot exceed {BLOCK_MAX} bytes")
        self._write(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *i2c_msgs: Message) -> None:
        """Messages of any length, one after the other."""
        for message in i2c_msgs:
            self._write(message.addr, bytes(message))

    def _write(self, address: int, data: bytes) -> None:
        if self._port is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        current().write_i2c(self._port, address, data)
