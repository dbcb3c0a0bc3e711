"""The host's half of the conversation with a hub: bytes in, bytes out. It opens nothing.

Nothing is sent before the hub has been heard: a board that has just been opened may still be
starting. What the hub reports arrives once and in order, or its loss is told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from companion.devices.health import Condition
from companion.devices.hub.ports import HubFault
from companion.devices.inputs import (
    Button,
    Crowded,
    Input,
    Lifted,
    Missed,
    Push,
    Pushed,
    Stuck,
    Tapped,
)
from companion.devices.settings import HubSettings, PollSettings, PushSettings
from companion.portable.messages import KINDS, MOST_NUMBER, VERSION, Message, decode, encode
from companion.portable.wire import Inbox, Lines
from companion.rules.phrases import N_, Phrase

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""
Note = Callable[[str, Condition, Phrase | None], None]
"""Takes a reader's name and how it is."""
Command = tuple[str, tuple[object, ...]]

HELLO_WAIT = 8.0
"""Seconds that a board may take to start before it is asked once."""
ANSWER_WAIT = 2.0
"""Seconds that it may then take to answer."""
SILENCE = 3.0
"""Seconds without a line after which the hub is gone; it beats once a second."""
BEAT = 1.0
RETRY = 0.5
TRIES = 6
"""Times that a command is sent before the hub counts as deaf."""
STATE_EVERY = 10.0
"""Seconds between two questions for the whole state."""
SETTLE = 0.2
"""Seconds until a started hub is asked again what it has found of what lay there before."""

COUNTERS = ("polls", "reads", "bcc", "garbled", "collisions", "restarts")


class Reader(msgspec.Struct, frozen=True):
    """What the hub said last of a reader: "ok", "unknown" or "dead", and the chip's version."""

    state: str
    chip: str
    statistics: dict[str, int] = {}


class Talk:
    """One hub, over all its comings and goings. Times are seconds of one clock.

    `since` is when the host began: what happened before is not passed on.
    """

    def __init__(
        self,
        settings: HubSettings,
        poll: PollSettings,
        push: PushSettings,
        put: Callable[[Input], None],
        note: Note,
        since: float,
    ) -> None:
        self.settings = settings
        self.wanted: dict[str, Colour] = {}
        """The colours to show, by seat."""
        self.readers: dict[str, Reader] = {}
        self.hello: Message | None = None
        """The last hello since the port was opened."""
        self.ready = False
        """Whether the hub has its settings."""
        self._configuration = list(_configuration(settings, poll, push))
        self._seats = {reader.name: reader.seat for reader in settings.readers}
        self._put = put
        self._note = note
        self._since = since
        self._boot = ""
        self._fresh = True
        """Nothing that the hub has numbered was heard yet: losses were before our time."""
        self._inbox = Inbox()
        self._lying: set[tuple[str, str]] = set()
        self._before: set[tuple[str, str]] = set()
        """What lay there before the hub started anew, until it has looked."""
        self._number = 0
        self._snapshot = Snapshot()
        self.opened(since)

    # -- the port ------------------------------------------------------------------------------

    def opened(self, now: float) -> None:
        """The port is open: from here on bytes may come."""
        self.closed()
        self._opened_at = self._heard_at = now
        self._beat_at = now
        self._state_at = now + STATE_EVERY

    def closed(self) -> None:
        """The port is gone, and with it all that was under way."""
        self.hello = None
        self.ready = False
        self._lines = Lines()
        self._asked_at: float | None = None
        self._commands: deque[Command] = deque()
        self._pending: Pending | None = None
        self._out = b""
        self._shown: dict[str, Colour] = {}

    def hear(self, data: bytes, now: float) -> None:
        """Take what came from the hub. Raises HubFault if it is of no use."""
        for text in self._lines.feed(data):
            try:
                message = decode(text)
            except ValueError:
                continue  # a newer firmware may say more than this program knows
            self._heard_at = now
            self._take(message, now)

    def say(self, now: float) -> bytes:
        """What is to be sent now. Raises HubFault if the hub has been silent for too long."""
        if self.hello is None:
            self._await_hello(now)
        else:
            self._keep_up(now)
        out, self._out = self._out, b""
        return out

    def _send(self, name: str, *values: object) -> None:
        self._out += encode(name, *values)

    def _await_hello(self, now: float) -> None:
        heard = self._heard_at > self._opened_at
        if self._asked_at is None:
            if heard or now - self._opened_at >= HELLO_WAIT:
                self._asked_at = now
                self._send("who")
        elif now - self._asked_at >= ANSWER_WAIT:
            raise HubFault(N_("the hub does not answer: {command}"), command="companion hub flash")

    def _keep_up(self, now: float) -> None:
        if now - self._heard_at >= SILENCE:
            raise HubFault(N_("the hub is silent"))
        if now - self._beat_at >= BEAT:
            self._beat_at = now
            self._send("beat", int(now * 1000) % MOST_NUMBER)
        if self._state_at <= now:
            self._ask_state(now)
        self._command(now)

    # -- commands ------------------------------------------------------------------------------

    def _command(self, now: float) -> None:
        """Send the next command, or the last one again: one at a time keeps them in order."""
        if self._pending is None:
            command = self._next_command()
            if command is None:
                return
            self._number = self._number % MOST_NUMBER + 1
            self._pending = Pending(command, self._number, now - RETRY)
        pending = self._pending
        if now - pending.sent_at < RETRY:
            return
        if pending.tries == TRIES:
            raise HubFault(N_("the hub does not obey"))
        pending.tries += 1
        pending.sent_at = now
        if pending.command[0] == "state":
            self._snapshot = Snapshot(pending.number)
        self._send(pending.command[0], pending.number, *pending.command[1])

    def _next_command(self) -> Command | None:
        if self._commands:
            return self._commands.popleft()
        for seat, colour in self.wanted.items():
            if self.ready and self._shown.get(seat) != colour:
                return "led", (seat, *colour)
        return None

    def _ask_state(self, now: float) -> None:
        self._state_at = now + STATE_EVERY
        self._commands.append(("state", ()))

    def _obeyed(self, number: int, now: float) -> None:
        pending = self._pending
        if pending is None or pending.number != number:
            return
        self._pending = None
        name, values = pending.command
        if name == "use":
            self.ready = True
        elif name == "led":
            seat, red, green, blue = values
            self._shown[str(seat)] = (int(str(red)), int(str(green)), int(str(blue)))

    def _refused(self, number: int, reason: str) -> None:
        """The hub will not do it. Its settings it has to take; anything else it may leave."""
        pending = self._pending
        if pending is None or pending.number != number:
            return
        if not self.ready:
            raise HubFault(N_("the hub refuses its settings: {reason}"), reason=reason)
        self._obeyed(number, 0.0)

    # -- what the hub says ---------------------------------------------------------------------

    def _take(self, message: Message, now: float) -> None:
        name = message.name
        if name == "hello":
            self._greet(message)
        elif self.hello is None:
            return
        elif KINDS[name].numbered:
            self._take_event(message, now)
        elif name == "ack":
            self._obeyed(message.number("number"), now)
        elif name == "no":
            self._refused(message.number("number"), message.word("reason"))
        elif name in ("stats", "lies", "held", "whole"):
            self._take_state(message, now)

    def _greet(self, hello: Message) -> None:
        """A hub introduces itself: it gets its settings, each time."""
        if hello.number("protocol") != VERSION:
            raise HubFault(
                N_("the hub speaks protocol {its}, this program {ours}: {command}"),
                its=hello.number("protocol"),
                ours=VERSION,
                command="companion hub flash",
            )
        self.hello = hello
        if hello.word("boot") != self._boot:
            self._fresh = not self._boot
            self._boot = hello.word("boot")
            self._inbox = Inbox(hello.number("acknowledged"))
            self._before |= self._lying
            self._lying = set()
        self.ready = False
        self._pending = None
        self._shown = {}
        self._commands = deque([*self._configuration, ("state", ())])

    def _take_event(self, message: Message, now: float) -> None:
        """A numbered message: acknowledged always, passed on once, in order."""
        number = message.number("number")
        if message.name == "overflow":
            lost = self._inbox.skip(number)
            if lost and not self._fresh:
                self._put(Missed("hub", lost, now))
                self._state_at = now
        elif self._inbox.take(number):
            self._snapshot.spoilt = True
            self._report(message, now)
        self._fresh = False
        self._send("ack", self._inbox.last)

    def _report(self, message: Message, now: float) -> None:
        if message.name == "err":
            return  # what follows from it for a reader comes as its health
        at = now - message.number("age") / 1000
        if message.name == "health":
            self._note_health(message.word("reader"), message)
        elif message.name in ("tap", "lift", "crowd"):
            self._report_tag(message, at)
        elif at >= self._since:
            self._put(_push(message, at))

    def _report_tag(self, message: Message, at: float) -> None:
        reader = message.word("reader")
        seat = self._seats.get(reader, "")
        uids = message.uids("uids" if message.name == "crowd" else "uid")
        tags = {(reader, uid) for uid in uids}
        known = tags <= self._before
        self._before -= tags
        if message.name == "lift":
            self._lying -= tags
        else:
            self._lying |= tags
        if at < self._since or (known and message.name != "lift"):
            return  # it was there before, and nobody has moved it
        if message.name == "tap":
            self._put(Tapped(reader, uids[0], at, seat))
        elif message.name == "lift":
            self._put(Lifted(reader, uids[0], at, seat))
        else:
            self._put(Crowded(reader, uids, at, seat))

    def _lift(self, gone: set[tuple[str, str]], now: float) -> None:
        """Tags that were taken away while nobody looked."""
        for reader, uid in sorted(gone):
            self._put(Lifted(reader, uid, now, self._seats.get(reader, "")))

    def _take_state(self, message: Message, now: float) -> None:
        """A line of the whole state; it counts once all lines of one answer are there."""
        snapshot = self._snapshot
        if message.number("number") != snapshot.number:
            return
        if message.name == "stats":
            self._note_health(message.word("reader"), message)
            failed = message.number("bcc") + message.number("garbled")
            if message.number("polls") > failed and message.word("state") != "dead":
                snapshot.looked.add(message.word("reader"))
        elif message.name == "lies":
            snapshot.lying.add((message.word("reader"), message.uids("uid")[0]))
        elif message.name == "whole":
            if message.number("lines") != snapshot.lines or snapshot.spoilt:
                self._ask_state(now)
            else:
                self._take_lying(snapshot, now)
        snapshot.lines += 1

    def _take_lying(self, snapshot: Snapshot, now: float) -> None:
        """What is on the readers now. What was there before a start counts until they looked."""
        looked = {tag for tag in self._before if tag[0] in snapshot.looked}
        self._lift((self._lying | looked) - snapshot.lying, now)
        self._lying = set(snapshot.lying)
        self._before -= looked
        unsure = {reader for reader, _ in self._before}
        if any(reader.state != "dead" for name, reader in self.readers.items() if name in unsure):
            self._state_at = now + SETTLE

    def _note_health(self, name: str, message: Message) -> None:
        """A reader's health, and its statistics where the message has them."""
        state, chip = message.word("state"), message.word("chip")
        counted = {key: message.number(key) for key in COUNTERS if key in message.values}
        known = self.readers.get(name)
        self.readers[name] = Reader(state, chip, counted or (known.statistics if known else {}))
        if state == "dead":
            self._note(name, Condition.OFFLINE, Phrase(N_("no answer, check wiring and power")))
        elif state == "unknown":
            reason = Phrase(N_("unknown chip {version}"), {"version": f"0x{chip}"})
            self._note(name, Condition.WORKING, reason)
        else:
            self._note(name, Condition.WORKING, None)


class Pending:
    """A command that waits for its answer."""

    def __init__(self, command: Command, number: int, sent_at: float) -> None:
        self.command = command
        self.number = number
        self.sent_at = sent_at
        self.tries = 0


class Snapshot:
    """The whole state as far as its lines have come."""

    def __init__(self, number: int = -1) -> None:
        self.number = number
        self.lines = 0
        self.lying: set[tuple[str, str]] = set()
        self.looked: set[str] = set()
        """The readers that have seen what is there, or that nothing is."""
        self.spoilt = False
        """Something happened meanwhile, so that the lines may not fit together."""


def _configuration(
    settings: HubSettings, poll: PollSettings, push: PushSettings
) -> Iterator[Command]:
    reset = -1 if settings.reset is None else settings.reset
    yield "set-begin", ()
    yield "set-bus", (settings.sck, settings.mosi, settings.miso, reset)
    yield "set-poll", (poll.period_ms, poll.absent_ms, poll.swap_ms)
    yield "set-push", (push.bounce_ms, push.hold_ms, push.stuck_ms)
    for reader in settings.readers:
        yield "set-reader", (reader.name, reader.select)
    for button, pin in settings.buttons.items():
        yield "set-button", (str(button), pin)
    for seat, pins in settings.lights.items():
        yield "set-light", (seat, *pins)
    yield "use", ()


def _push(message: Message, at: float) -> Input:
    button = Button(message.word("button"))
    if message.name == "stuck":
        return Stuck(button, bool(message.number("stuck")), at)
    if message.name == "chord":
        return Pushed(button, Push.CHORD, at, Button(message.word("other")))
    return Pushed(button, Push(message.word("how")), at)
