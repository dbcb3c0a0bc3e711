"""The messages between hub and host, declared once for both. docs/protocol.md explains them.

A message is a word and its fields, with one space between them. `encode` and `decode` refuse what
does not fit its declaration.
"""

from companion.portable.uid import LENGTHS
from companion.portable.wire import seal

FIRMWARE = "1.0.0"
"""The version of the hub's firmware."""
VERSION = 1
"""Of the protocol; a change that the other side has to know about raises it."""

TO_HUB = "to the hub"
TO_HOST = "to the host"
BOTH = "both ways"

MOST_TICKS = (1 << 29) - 1
MOST_NUMBER = (1 << 30) - 1
UIDS = 5
"""UIDs named in one message at the most."""

_UID_DIGITS = tuple(2 * length for length in LENGTHS)


class Field:
    """One field of a message: how its value is written, and read again. Both raise ValueError."""

    def __init__(self, name: str) -> None:
        self.name = name

    def write(self, value: object) -> str:
        raise NotImplementedError

    def read(self, text: str) -> object:
        raise NotImplementedError

    def refuse(self, value: object, allowed: str) -> ValueError:
        return ValueError(f"{self.name}: {str(value)[:24]!r} is not {allowed}")


class Number(Field):
    """A whole number within limits."""

    def __init__(self, name: str, low: int, high: int) -> None:
        super().__init__(name)
        self.low = low
        self.high = high

    def write(self, value: object) -> str:
        if not isinstance(value, int) or not self.low <= value <= self.high:
            raise self.refuse(value, f"in {self.low} to {self.high}")
        return str(int(value))

    def read(self, text: str) -> object:
        digits = text[1:] if text[:1] == "-" else text
        if not digits or len(digits) > 10 or not all("0" <= digit <= "9" for digit in digits):
            raise self.refuse(text, "a whole number")
        value = int(text)
        self.write(value)
        return value


class Word(Field):
    """Printable ASCII without spaces; with `among`, one of these words."""

    def __init__(self, name: str, longest: int, among: tuple[str, ...] = ()) -> None:
        super().__init__(name)
        self.longest = longest
        self.among = among

    def write(self, value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= self.longest:
            raise self.refuse(value, f"a word of 1 to {self.longest} signs")
        if not all("!" <= sign <= "~" for sign in value):
            raise self.refuse(value, "a word of printable ASCII")
        if self.among and value not in self.among:
            raise self.refuse(value, "one of " + ", ".join(self.among))
        return value

    def read(self, text: str) -> object:
        return self.write(text)


class Uids(Field):
    """UIDs as `companion.portable.uid` writes them, with a comma between them."""

    def __init__(self, name: str, most: int) -> None:
        super().__init__(name)
        self.most = most

    def write(self, value: object) -> str:
        if not isinstance(value, tuple) or not 0 < len(value) <= self.most:
            raise self.refuse(value, f"1 to {self.most} UIDs")
        for uid in value:
            if len(uid) not in _UID_DIGITS or not all(sign in "0123456789ABCDEF" for sign in uid):
                raise self.refuse(uid, "a UID")
        return ",".join(value)

    def read(self, text: str) -> object:
        value = tuple(text.split(","))
        self.write(value)
        return value


class Text(Field):
    """The rest of the line, for people. Other signs become "?", and what is too long is cut."""

    def __init__(self, name: str, longest: int) -> None:
        super().__init__(name)
        self.longest = longest

    def write(self, value: object) -> str:
        plain = "".join(sign if " " <= sign <= "~" else "?" for sign in str(value)[: self.longest])
        return plain.strip() or "?"

    def read(self, text: str) -> object:
        return text


class Kind:
    """One kind of message. A numbered one is sent until it is acknowledged or refused."""

    def __init__(self, name: str, way: str, fields: tuple[Field, ...], numbered: bool) -> None:
        self.name = name
        self.way = way
        self.fields = fields
        self.numbered = numbered


class Message:
    """A message that has been read; its fields by their names and kinds."""

    def __init__(self, name: str, values: dict[str, object]) -> None:
        self.name = name
        self.values = values

    def number(self, field: str) -> int:
        value = self.values[field]
        return value if isinstance(value, int) else 0

    def word(self, field: str) -> str:
        return str(self.values[field])

    def uids(self, field: str) -> tuple[str, ...]:
        value = self.values[field]
        return value if isinstance(value, tuple) else ()


def _number() -> Number:
    return Number("number", 0, MOST_NUMBER)


def _age() -> Number:
    return Number("age", 0, MOST_TICKS)


def _name(name: str) -> Word:
    return Word(name, 12)


def _pin(name: str, low: int = 0) -> Number:
    return Number(name, low, 28)


def _level(name: str) -> Number:
    return Number(name, 0, 255)


_BUTTONS = ("up", "down", "ok", "back")


def _event(name: str, *fields: Field) -> Kind:
    """What happened at the hub; the last field says how many milliseconds ago."""
    return Kind(name, TO_HOST, (_number(),) + fields + (_age(),), True)


def _command(name: str, *fields: Field) -> Kind:
    return Kind(name, TO_HUB, (_number(),) + fields, True)


def _answer(name: str, *fields: Field) -> Kind:
    return Kind(name, TO_HOST, (_number(),) + fields, False)


_ALL = (
    # Either side: it is there; it has everything up to a number.
    Kind("beat", BOTH, (Number("ms", 0, MOST_NUMBER),), False),
    Kind("ack", BOTH, (_number(),), False),
    # Who is there.
    Kind("who", TO_HUB, (), False),
    Kind(
        "hello",
        TO_HOST,
        (
            Number("protocol", 1, 999),
            Word("firmware", 16),
            Word("boot", 8),
            Word("cause", 12),
            Word("config", 8),
            Number("acknowledged", 0, MOST_NUMBER),
            Word("can", 40),
        ),
        False,
    ),
    Kind("no", TO_HOST, (_number(), Text("reason", 80)), False),
    # What happened.
    _event("tap", _name("reader"), Uids("uid", 1)),
    _event("lift", _name("reader"), Uids("uid", 1)),
    _event("crowd", _name("reader"), Uids("uids", UIDS)),
    _event("push", Word("button", 4, _BUTTONS), Word("how", 5, ("short", "long"))),
    _event("chord", Word("button", 4, _BUTTONS), Word("other", 4, _BUTTONS)),
    _event("stuck", Word("button", 4, _BUTTONS), Number("stuck", 0, 1)),
    _event("health", _name("reader"), Word("state", 7, ("ok", "unknown", "dead")), Word("chip", 2)),
    Kind("err", TO_HOST, (_number(), Word("where", 20), Text("what", 80)), True),
    Kind("overflow", TO_HOST, (_number(), Number("lost", 1, MOST_NUMBER)), True),
    # The hub's configuration, line by line.
    _command("set-begin"),
    _command("set-bus", _pin("sck"), _pin("mosi"), _pin("miso"), _pin("reset", -1)),
    _command("set-reader", _name("name"), _pin("select")),
    _command("set-button", Word("button", 4, _BUTTONS), _pin("pin")),
    _command("set-light", _name("seat"), _pin("red"), _pin("green"), _pin("blue")),
    _command(
        "set-poll",
        Number("period", 5, 1000),
        Number("absent", 50, 10_000),
        Number("swap", 20, 10_000),
    ),
    _command(
        "set-push",
        Number("bounce", 1, 200),
        Number("hold", 200, 10_000),
        Number("stuck", 2000, 120_000),
    ),
    _command("use"),
    # The rest of what a hub can do.
    _command("led", _name("seat"), _level("red"), _level("green"), _level("blue")),
    _command("prompt"),
    _command("state"),
    # The answer to "state": these lines carry the number of the question.
    _answer("lies", _name("reader"), Uids("uid", 1), _age()),
    _answer("held", Word("button", 4, _BUTTONS)),
    _answer(
        "stats",
        _name("reader"),
        Word("state", 7, ("ok", "unknown", "dead")),
        Word("chip", 2),
        Number("polls", 0, MOST_NUMBER),
        Number("reads", 0, MOST_NUMBER),
        Number("bcc", 0, MOST_NUMBER),
        Number("garbled", 0, MOST_NUMBER),
        Number("collisions", 0, MOST_NUMBER),
        Number("restarts", 0, MOST_NUMBER),
    ),
    _answer("whole", Number("lines", 0, 99)),
)

KINDS = {kind.name: kind for kind in _ALL}
"""All messages by their names."""


def body(name: str, *values: object) -> str:
    """A message's text, its fields in the declared order. Raises ValueError, saying which."""
    kind = KINDS[name]
    if len(values) != len(kind.fields):
        raise ValueError(f"{name} has {len(kind.fields)} fields, not {len(values)}")
    parts = [name]
    for place, field in enumerate(kind.fields):
        parts.append(field.write(values[place]))
    return " ".join(parts)


def encode(name: str, *values: object) -> bytes:
    """A message as a line."""
    return seal(body(name, *values))


def decode(text: str) -> Message:
    """Read a line's body. Raises ValueError, saying what does not fit the declaration."""
    name = text.split(" ", 1)[0]
    kind = KINDS.get(name)
    if kind is None:
        raise ValueError(f"unknown message {name[:20]!r}")
    count = len(kind.fields)
    last_is_text = count > 0 and isinstance(kind.fields[-1], Text)
    parts = text.split(" ", count) if last_is_text else text.split(" ")
    if len(parts) != count + 1:
        raise ValueError(f"{name} has {count} fields, not {len(parts) - 1}")
    values = {}
    for place, field in enumerate(kind.fields):
        values[field.name] = field.read(parts[place + 1])
    return Message(name, values)
