"""The hub's readers, buttons and lights, as the configuration wires them."""

from wiring import BUS, POLL, PUSH, Draft

from companion.portable.iso14443 import Scanner
from companion.portable.messages import MOST_NUMBER, UIDS
from companion.portable.presence import Presence
from companion.portable.presses import Presses
from companion.portable.rc522 import NoAnswer, Rc522
from companion.portable.ticks import add, diff

PAUSES = (500, 1000, 2000, 4000, 8000, 15_000, 30_000)
"""Milliseconds before a reader that does not answer is tried again; the last one stays."""
COUNTERS = ("polls", "reads", "bcc", "garbled", "collisions", "restarts")


class Reader:
    """One RC522: polled while it answers, tried again from time to time while it does not."""

    def __init__(self, name: str, port: object, poll: list[int], event: object) -> None:
        period, absent, swap = poll
        self.name = name
        self.period = period
        self.state = "dead"
        self.due = None
        """The ticks at which it wants to be called; None: at once."""
        self._event = event
        self._chip = Rc522(port)
        self._scanner = Scanner(self._chip)
        self._presence = Presence(absent, swap, period)
        self._failures = 0
        self._told = None

    def step(self, now: int) -> None:
        """One poll, or one try to start the chip."""
        self.due = add(now, self.period)
        try:
            if self.state == "dead":
                self._chip.start()
                self._become("ok" if self._chip.known else "unknown", now)
            uids = self._scanner.poll()
        except NoAnswer as error:
            self._chip.version = error.version
            self._fail(now)
            return
        except Exception:
            self._fail(now)
            raise
        self._failures = 0
        if uids is not None:
            self._see(uids, now)

    def _see(self, uids: list[str], now: int) -> None:
        for what, whose in self._presence.feed(uids, now):
            self._event(what, (self.name, whose[:UIDS]), now)

    def _fail(self, now: int) -> None:
        self.due = add(now, PAUSES[min(self._failures, len(PAUSES) - 1)])
        self._failures += 1
        self._become("dead", now)

    def _become(self, state: str, now: int) -> None:
        """Tell the state and the chip's version when they change."""
        self.state = state
        told = (self.name, state, f"{self._chip.version:02X}")
        if self._told != told:
            self._told = told
            self._event("health", told, now)

    @property
    def tried(self) -> bool:
        """Whether anything is known of it yet."""
        return self._told is not None

    def lying(self) -> dict[str, int]:
        """For how many milliseconds each tag has been there."""
        return self._presence.lying()

    def stats(self) -> tuple:
        """The values of the message `stats`."""
        counted = self._scanner.statistics()
        numbers = tuple(counted[name] % MOST_NUMBER for name in COUNTERS)
        return (self.name, self.state, f"{self._chip.version:02X}") + numbers


class Readers:
    """All readers on their bus: one poll of one reader a step."""

    def __init__(self, board: object, draft: Draft, event: object) -> None:
        self.all = []
        self._board = board
        self._bus = None
        self._turn = 0
        wanted = draft.called("set-reader")
        if not wanted:
            return
        sck, mosi, miso, reset = draft.numbers("set-bus", ("sck", "mosi", "miso", "reset"), BUS)
        poll = draft.numbers("set-poll", ("period", "absent", "swap"), POLL)
        self._bus = board.bus(sck, mosi, miso, reset if reset >= 0 else None)
        for line in wanted:
            port = self._bus.port(line.number("select"))
            self.all.append(Reader(line.word("name"), port, poll, event))
        self._bus.reset()

    def step(self) -> None:
        now = self._board.ticks()
        for _ in self.all:
            self._turn = (self._turn + 1) % len(self.all)
            reader = self.all[self._turn]
            if reader.due is None or diff(now, reader.due) >= 0:
                reader.step(now)
                return

    def close(self) -> None:
        """Let go of the bus."""
        if self._bus is not None:
            self._bus.close()


class Buttons:
    """The buttons that are wired."""

    def __init__(self, board: object, draft: Draft, event: object) -> None:
        self._board = board
        self._event = event
        self._presses = Presses(*draft.numbers("set-push", ("bounce", "hold", "stuck"), PUSH))
        self._pins = {}
        for line in draft.called("set-button"):
            self._pins[line.word("button")] = board.button(line.number("pin"))

    def step(self) -> None:
        now = self._board.ticks()
        for name, pin in self._pins.items():
            for event in self._presses.level(name, pin.down(), now):
                self._tell(event, now)

    def _tell(self, event: tuple, now: int) -> None:
        what, button = event[0], event[1]
        if what == "chord":
            self._event("chord", (button, event[2]), now)
        elif what in ("stuck", "free"):
            self._event("stuck", (button, 1 if what == "stuck" else 0), now)
        else:
            self._event("push", (button, what), now)

    def held(self) -> list[str]:
        """The buttons that are down."""
        return self._presses.held()


class Lights:
    """One light of three colours for each seat that has one."""

    def __init__(self, board: object, draft: Draft) -> None:
        self._board = board
        self._lamps = {}
        for line in draft.called("set-light"):
            pins = (line.number("red"), line.number("green"), line.number("blue"))
            self._lamps[line.word("seat")] = [board.lamp(pin) for pin in pins]

    def show(self, seat: str, levels: tuple[int, int, int]) -> None:
        """Set a seat's colour, 0 to 255 each. Raises ValueError for a seat without a light."""
        if seat not in self._lamps:
            raise ValueError("no light for seat " + seat)
        for place, lamp in enumerate(self._lamps[seat]):
            lamp.level(levels[place])

    def darken(self) -> None:
        """All off: there is nobody who knows what they should show."""
        for lamps in self._lamps.values():
            for lamp in lamps:
                lamp.level(0)

    def close(self) -> None:
        """Let go of the pins."""
        for lamps in self._lamps.values():
            for lamp in lamps:
                lamp.close()
        self._board.let_go()
