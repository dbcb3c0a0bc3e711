"""The hub's loop: buttons, readers, the line to the host; none of them can stop the others.

Every part is called in turn, and comes back within milliseconds. Whatever one raises is told to
the host as `err`, and the loop goes on; only a loop that hangs is left to the watchdog.
"""

from parts import Buttons, Lights, Readers
from wiring import READERS, Draft

from companion.portable.messages import FIRMWARE, MOST_TICKS, VERSION, Message, decode, encode
from companion.portable.ticks import add, diff
from companion.portable.wire import Lines, Outbox

BEAT_MS = 1000
"""From one beat to the next."""
DEAF_MS = 3000
"""A host that has said nothing for so long is gone; then each beat is a hello."""
LEAVE_MS = 200
"""From the command to leave until it is done: the answer has to get out."""
SAME_ERROR_S = 10
"""Seconds before the same error of the same part is told again."""
REPLIES = 16
"""Answers kept for a host that does not read; it asks again."""
CAN = f"readers={READERS},buttons,lights"


class Hub:
    """All of it on one board."""

    def __init__(self, board: object) -> None:
        self.board = board
        self.outbox = Outbox()
        self.draft = Draft()
        self.used = Draft()
        self.readers = Readers(board, self.used, self._event)
        self.buttons = Buttons(board, self.used, self._event)
        self.lights = Lights(board, self.used)
        self._lines = Lines()
        self._replies = []
        self._state = iter(())
        self._errors = {}
        self._seconds = 0
        self._beat_at = board.ticks()
        self._heard_at = None
        self._leaving_at = None
        self._say_hello()

    def run(self) -> None:
        """Work for ever."""
        while True:
            self.step()

    def step(self) -> None:
        """Once round. It takes as long as the slowest part: one poll of one reader."""
        self.board.feed()
        self._guard("buttons", self.buttons.step)
        self._guard("readers", self.readers.step)
        self._guard("line", self._listen)
        self._guard("clock", self._count)
        self._guard("line", self._talk)
        self._guard("board", self._leave_or_rest)

    def _guard(self, where: str, do: object) -> None:
        """Let nothing but the watchdog's reset end the loop."""
        try:
            do()
        except Exception as error:
            self._tell_error(where, error)

    def _tell_error(self, where: str, error: Exception) -> None:
        what = f"{type(error).__name__}: {error}"
        told = self._errors.get(where)
        if told is None or told[0] != what or self._seconds - told[1] >= SAME_ERROR_S:
            self._errors[where] = (what, self._seconds)
            self.outbox.add(("err", (where, what), None, 0))

    def _event(self, name: str, values: tuple, at: int) -> None:
        """Something happened at these ticks."""
        self.outbox.add((name, values, at, self._seconds))

    # -- the host speaks -----------------------------------------------------------------------

    def _listen(self) -> None:
        for text in self._lines.feed(self.board.channel.read()):
            if not self._host_is_here():
                self.outbox.again()
            self._heard_at = self.board.ticks()
            try:
                message = decode(text)
            except ValueError as error:
                self._refuse_text(text, error)
                continue
            self._obey(message)

    def _refuse_text(self, text: str, error: ValueError) -> None:
        """A message that does not fit its declaration; its number may be readable."""
        words = text.split(" ")
        if len(words) > 1 and words[1].isdigit() and len(words[1]) < 10:
            self._reply("no", int(words[1]), str(error))

    def _obey(self, message: Message) -> None:
        name = message.name
        if name == "ack":
            self.outbox.acknowledge(message.number("number"))
        elif name == "who":
            self._say_hello()
        elif "number" in message.values:
            number = message.number("number")
            try:
                self._command(message, number)
            except Exception as error:
                self._reply("no", number, str(error) or type(error).__name__)
            else:
                self._reply("ack", number)

    def _command(self, message: Message, number: int) -> None:
        """Do what is asked, or raise why it is not done."""
        name = message.name
        if name == "set-begin":
            self.draft = Draft()
        elif name[:4] == "set-":
            self.draft.add(message)
        elif name == "use":
            self._use(self.draft)
        elif name == "led":
            levels = (message.number("red"), message.number("green"), message.number("blue"))
            self.lights.show(message.word("seat"), levels)
        elif name == "state":
            self._state = self._tell_state(number)
        elif name == "prompt":
            self._leaving_at = add(self.board.ticks(), LEAVE_MS)
        else:
            raise ValueError(name + " is not for a hub")

    def _use(self, draft: Draft) -> None:
        """Put a configuration in force; the one that already is changes nothing."""
        draft.check()
        if draft.mark() == self.used.mark():
            return
        self._wire(Draft())  # the pins have to be free first
        self._wire(draft)

    def _wire(self, draft: Draft) -> None:
        self.readers.close()
        self.lights.close()
        self.readers = Readers(self.board, draft, self._event)
        self.buttons = Buttons(self.board, draft, self._event)
        self.lights = Lights(self.board, draft)
        self.used = draft

    # -- the hub speaks ------------------------------------------------------------------------

    def _reply(self, name: str, *values: object) -> None:
        if len(self._replies) < REPLIES:
            self._replies.append(encode(name, *values))

    def _say_hello(self) -> None:
        board = self.board
        mark = self.used.mark()
        acknowledged = self.outbox.acknowledged
        self._reply("hello", VERSION, FIRMWARE, board.boot, board.cause, mark, acknowledged, CAN)

    def _host_is_here(self) -> bool:
        heard = self._heard_at
        return heard is not None and diff(self.board.ticks(), heard) < DEAF_MS

    def _count(self) -> None:
        """Once a second: the beat, and what is done in peace."""
        now = self.board.ticks()
        if diff(now, self._beat_at) < BEAT_MS:
            return
        self._beat_at = add(self._beat_at, BEAT_MS)
        if diff(now, self._beat_at) >= BEAT_MS:
            self._beat_at = now
        self._seconds += 1
        self.board.tidy()
        if not self._host_is_here():
            self._heard_at = None  # before the counter comes round again
            self.lights.darken()
        if not self._replies:  # else the host does not read, and what waits says that all is well
            self._beat(now)

    def _beat(self, now: int) -> None:
        if self._heard_at is None:
            self._say_hello()
        else:
            self._reply("beat", now)

    def _talk(self) -> None:
        """Keep the line busy as far as it takes what is written."""
        channel = self.board.channel
        if channel.idle:
            line = self._next_line()
            if line is not None:
                channel.send(line)
        channel.flush()

    def _next_line(self) -> bytes | None:
        if self._replies:
            return self._replies.pop(0)
        if not self._host_is_here():
            return None
        event = self.outbox.next(self.board.ticks())
        if event is not None:
            return self._line_of(event[0], event[1])
        return next(self._state, None)

    def _line_of(self, number: int, what: object) -> bytes:
        if what is None:
            return encode("overflow", number, self.outbox.lost)
        name, values, at, second = what
        if at is None:
            return encode(name, number, *values)
        return encode(name, number, *(values + (self._age(at, second),)))

    def _age(self, at: int, second: int) -> int:
        """Milliseconds since; the ticks alone would be young again after some days."""
        if self._seconds - second > MOST_TICKS // 2000:
            return MOST_TICKS
        return min(max(0, diff(self.board.ticks(), at)), MOST_TICKS)

    def _tell_state(self, number: int) -> object:
        """The lines of the whole state, one after the other as the line takes them."""
        count = 0
        for name, values in self._facts():
            yield encode(name, number, *values)
            count += 1
        yield encode("whole", number, count)

    def _facts(self) -> object:
        for button in self.buttons.held():
            yield "held", (button,)
        for reader in self.readers.all:
            if not reader.tried:
                continue
            yield "stats", reader.stats()
            for uid, age in reader.lying().items():
                yield "lies", (reader.name, (uid,), min(age, MOST_TICKS))

    def _leave_or_rest(self) -> None:
        leaving = self._leaving_at
        if leaving is not None and diff(self.board.ticks(), leaving) >= 0:
            self.board.to_prompt()
        self.board.rest(1)
