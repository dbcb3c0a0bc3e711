"""The serial line to the host, which is never waited for.

A full USB buffer makes `print` wait, for ever if the host does not read. So each byte is written
only when the line says that there is room for it.
"""

import select
import sys

AT_ONCE = 64
"""Bytes read or written in one call at the most: the readers come in between."""


class Channel:
    """Bytes to and from the host."""

    def __init__(self, source: object = sys.stdin, sink: object = sys.stdout) -> None:
        self._source = source.buffer
        self._sink = sink.buffer
        self._readable = select.poll()
        self._readable.register(source, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sink, select.POLLOUT)
        self._byte = bytearray(1)
        self._line = b""
        self._done = 0

    def read(self) -> bytes:
        """What has come, without waiting."""
        data = bytearray()
        while len(data) < AT_ONCE and _ready(self._readable, select.POLLIN):
            if not self._source.readinto(self._byte):
                break
            data.append(self._byte[0])
        return data

    @property
    def idle(self) -> bool:
        """Whether the last line is out, so that the next one can be sent."""
        return self._done >= len(self._line)

    def send(self, line: bytes) -> None:
        """Write this line next; only if `idle`."""
        self._line = line
        self._done = 0

    def flush(self) -> None:
        """Write as much of the line as there is room for."""
        end = min(len(self._line), self._done + AT_ONCE)
        while self._done < end and _ready(self._writable, select.POLLOUT):
            self._byte[0] = self._line[self._done]
            self._sink.write(self._byte)
            self._done += 1


def _ready(poll: object, what: int) -> bool:
    return any(event[1] & what for event in poll.ipoll(0))
