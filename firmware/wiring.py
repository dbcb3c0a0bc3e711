"""The configuration that the host sends, line by line, and what it makes of the board.

Nothing of it is stored: the host sends it again at each hello.
"""

from companion.portable.messages import KINDS, Message
from companion.portable.wire import crc

READERS = 8
"""Readers at the most."""
BUS = (2, 3, 4, 6)
POLL = (20, 600, 150)
PUSH = (20, 1000, 10_000)

_KEYS = {"set-reader": "name", "set-button": "button", "set-light": "seat"}
_PINS = {
    "set-bus": ("sck", "mosi", "miso", "reset"),
    "set-reader": ("select",),
    "set-button": ("pin",),
    "set-light": ("red", "green", "blue"),
}


class Draft:
    """Lines of a configuration, until `use` puts it in force. A line that comes twice is one."""

    def __init__(self) -> None:
        self.lines = {}

    def add(self, message: Message) -> None:
        """A `set-…` message."""
        key = _KEYS.get(message.name)
        self.lines[message.name, message.word(key) if key else ""] = message

    def called(self, name: str) -> list[Message]:
        """All lines of one kind, in the order of their names: both sides know it."""
        keys = sorted(key for key in self.lines if key[0] == name)
        return [self.lines[key] for key in keys]

    def numbers(self, name: str, fields: tuple[str, ...], default: tuple[int, ...]) -> list[int]:
        """The numbers of the one line of its kind, or the default."""
        found = self.called(name)
        return [found[0].number(field) for field in fields] if found else list(default)

    def mark(self) -> str:
        """Four digits that tell one configuration from another; "default" for none."""
        if not self.lines:
            return "default"
        texts = sorted(_text(message) for message in self.lines.values())
        mark = crc("\n".join(texts).encode())
        return f"{mark:04X}"

    def check(self) -> None:
        """Raises ValueError if there is too much or if two things want the same pin."""
        if len(self.called("set-reader")) > READERS:
            raise ValueError(f"more than {READERS} readers")
        owners = {}
        for pin, owner in self._pins():
            if pin in owners:
                raise ValueError(f"GP{pin} is used by {owners[pin]} and {owner}")
            owners[pin] = owner

    def _pins(self) -> list[tuple[int, str]]:
        pins = []
        if self.called("set-reader"):
            bus = self.numbers("set-bus", _PINS["set-bus"], BUS)
            pins += [(pin, "bus") for pin in bus if pin >= 0]
        for kind, key in _KEYS.items():
            for message in self.called(kind):
                owner = kind[4:] + " " + message.word(key)
                pins += [(message.number(field), owner) for field in _PINS[kind]]
        return pins


def _text(message: Message) -> str:
    """A line without its number."""
    fields = KINDS[message.name].fields[1:]
    return " ".join([message.name] + [field.write(message.values[field.name]) for field in fields])
