"""Lines with a checksum, and messages that arrive once, in order, or not without notice.

A line is a body of printable ASCII, a space, an asterisk, the checksum of the body as four
hexadecimal digits, and a line feed: `tap 12 A 04A3C6CAE26180 35 *9B1C`. The checksum is a CRC of
16 bits: it finds every burst of damage of up to 16 bits and lets one in 65,536 of all other damage
through; 8 bits would let one in 256 through, too many for a cable that is pulled out and in.
"""

from companion.portable.ticks import diff

LONGEST = 160
"""Bytes of a line, the line feed not counted."""
KEPT = 32
"""Messages kept for a side that does not read; older ones are lost, and that is told."""
PATIENCE_MS = 500
"""How long an acknowledgement may take before everything is sent again."""

_TAIL = 6  # " *" and four digits
_DIGITS = b"0123456789ABCDEF"


def _table() -> tuple[int, ...]:
    entries = []
    for nibble in range(16):
        value = nibble << 12
        for _ in range(4):
            value = (value << 1) ^ (0x1021 if value & 0x8000 else 0)
        entries.append(value & 0xFFFF)
    return tuple(entries)


_TABLE = _table()


def crc(data: bytes) -> int:
    """CRC-16/XMODEM: polynomial 0x1021, start 0, most significant bit first."""
    value = 0
    for byte in data:
        value = (value << 4) & 0xFFFF ^ _TABLE[(value >> 12) ^ (byte >> 4)]
        value = (value << 4) & 0xFFFF ^ _TABLE[(value >> 12) ^ (byte & 15)]
    return value


def seal(body: str) -> bytes:
    """A body as a line with its checksum. Raises ValueError if it cannot be one."""
    data = body.encode()
    if not _printable(data) or len(data) + _TAIL > LONGEST:
        raise ValueError(f"no line: {body!r}; {LONGEST - _TAIL} printable ASCII signs at the most")
    return data + f" *{crc(data):04X}\n".encode()


def opened(line: bytes) -> str | None:
    """The body of a line without its line feed; None if the line is damaged or none of ours."""
    body, tail = line[:-_TAIL], line[-_TAIL:]
    if len(tail) < _TAIL or not body or not _printable(body) or tail[:2] != b" *":
        return None
    for digit in tail[2:]:
        if digit not in _DIGITS:
            return None
    return body.decode() if int(tail[2:].decode(), 16) == crc(body) else None


def _printable(data: bytes) -> bool:
    return all(0x20 <= byte <= 0x7E for byte in data)


class Lines:
    """Cuts what arrives, in whatever pieces, into bodies. What is no line of ours is counted."""

    def __init__(self) -> None:
        self.bad = 0
        """Lines that were damaged, too long or something else, such as a banner."""
        self._line = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> list[str]:
        """The bodies of the good lines that are complete now."""
        bodies = []
        for byte in data:
            if byte != 0x0A:
                self._add(byte)
                continue
            body = self._end()
            if body is not None:
                bodies.append(body)
        return bodies

    def _add(self, byte: int) -> None:
        if len(self._line) < LONGEST + 1:  # a carriage return may come before the line feed
            self._line.append(byte)
        else:
            self._too_long = True

    def _end(self) -> str | None:
        line = bytes(self._line)
        if line[-1:] == b"\r":
            line = line[:-1]
        body = None if self._too_long else opened(line)
        if body is None and line:
            self.bad += 1
        self._line = bytearray()
        self._too_long = False
        return body


class Outbox:
    """Numbered messages until the other side has acknowledged them.

    All that wait are sent in order, again and again until acknowledged. If there are more than
    `kept`, the oldest are dropped; a notice then stands in their place and has the number of the
    last one dropped, so numbers have no gaps. `what` is anything but None.
    """

    def __init__(self, kept: int = KEPT, patience_ms: int = PATIENCE_MS) -> None:
        self.kept = kept
        self.patience_ms = patience_ms
        self.lost = 0
        """Messages dropped since the last acknowledged notice."""
        self.acknowledged = 0
        """The number up to which the other side has said that it has everything."""
        self._waiting: list[object] = []
        self._first = 1  # the number of the first that waits
        self._next = 1  # the number to send next
        self._sent_at = 0

    def add(self, what: object) -> None:
        """A further message."""
        self._waiting.append(what)
        if len(self._waiting) > self.kept:
            self._waiting.pop(0)
            self._first += 1
            self.lost += 1

    def next(self, now: int) -> tuple[int, object] | None:
        """Number and message to be sent now; None for the message means the notice of loss."""
        lowest = self._lowest()
        after = self._first + len(self._waiting)
        if self._next >= after:
            if lowest == after or diff(now, self._sent_at) < self.patience_ms:
                return None
            self._next = lowest
        number = max(self._next, lowest)
        self._next = number + 1
        self._sent_at = now
        return number, (None if number < self._first else self._waiting[number - self._first])

    def again(self) -> None:
        """Send everything that waits anew: somebody else may be listening now."""
        self._next = self._lowest()

    def _lowest(self) -> int:
        """The first number to send: that of the notice, if there is one."""
        return self._first - (1 if self.lost else 0)

    def acknowledge(self, number: int) -> None:
        """The other side has everything up to this number. What was never sent is not believed."""
        if not self.acknowledged < number < self._next:
            return
        self.acknowledged = number
        if number >= self._first - 1:
            self.lost = 0
        while self._waiting and self._first <= number:
            self._waiting.pop(0)
            self._first += 1


class Inbox:
    """Takes numbered messages in order, each once: the other end of an `Outbox`."""

    def __init__(self, last: int = 0) -> None:
        self.last = last
        """The number up to which everything has come; this is what is acknowledged."""

    def take(self, number: int) -> bool:
        """Whether this is the next one; if not, it came before or something is missing yet."""
        if number != self.last + 1:
            return False
        self.last = number
        return True

    def skip(self, number: int) -> int:
        """A notice that nothing up to this number comes any more; gives how many were lost."""
        lost = max(0, number - self.last)
        self.last += lost
        return lost
