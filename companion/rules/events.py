"""What happened: small frozen records, each with its rule, its ruling and its audience.

The log keeps beside every event the number of the event that caused it, so that "why?" is a walk
up the chain to the answer a person gave.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from types import TracebackType
from typing import ClassVar

import msgspec

from companion.rules.prompts import Choice

Square = int | None
"""A square of the board by number; None is off the board."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, gc=False):
    """Something that happened. `rule` is the section, `ruling` the ruling that decided it."""

    rule: str
    ruling: str | None = None
    audience: tuple[str, ...] | None = None
    """The seats that may see it; None: everybody."""
    uncovers: ClassVar[bool] = False
    """Whether everybody learns something that was hidden."""

    def may_be_seen_by(self, who: str | None) -> bool:
        """Whether a seat, or everybody (None), may see it."""
        return self.audience is None or who in self.audience

    def learners(self) -> tuple[str, ...]:
        """The seats that learn something which only they know."""
        return ()


class Answered(Event, frozen=True):
    """A person answered: the root of every chain of causes."""

    seat: str
    prompt: str
    choice: Choice
    forced: bool = False
    via: str = ""
    chance: bool = False
    """Whether a die or a deck gave the answer: everybody has learned what was not known before."""


class Corrected(Event, frozen=True):
    """The table set something right by hand."""

    thing: str
    before: Choice | None
    place: Choice | None
    reason: str = ""


class RulingChanged(Event, frozen=True):
    """The table chose another variant of a ruling."""

    choice: str


class SeatLeft(Event, frozen=True):
    """A player left the table."""

    seat: str


class SeatJoined(Event, frozen=True):
    """A player joined the table."""

    seat: str


class SeatsSwapped(Event, frozen=True):
    """Two players changed places in the turn order."""

    seat: str
    other: str


class TurnBegan(Event, frozen=True):
    """A seat's turn begins."""

    seat: str
    turn: int


class TurnEnded(Event, frozen=True):
    """A seat's turn is over."""

    seat: str


class Drew(Event, frozen=True):
    """A seat took cards, unseen by the others."""

    seat: str
    deck: str
    count: int

    def learners(self) -> tuple[str, ...]:
        return (self.seat,)


class DrawIgnored(Event, frozen=True):
    """There was no card left to draw."""

    seat: str
    deck: str


class TurnedUp(Event, frozen=True):
    """The top card of a deck was turned up for all to see, into play or onto the discard pile."""

    deck: str
    card: str
    discarded: bool = False
    uncovers: ClassVar[bool] = True


class Played(Event, frozen=True):
    """A card was laid from a hand."""

    seat: str
    card: str


class Laid(Event, frozen=True):
    """A card was laid from a hand onto the discard pile of its deck, where it is played to."""

    seat: str
    card: str
    deck: str


class Discarded(Event, frozen=True):
    """A card went to the discard pile of its deck; `seat` is whose it was, "" for nobody's.

    `start` is where it came from: "hand", "play" or "board".
    """

    seat: str
    card: str
    deck: str
    start: str


class Reshuffled(Event, frozen=True):
    """A discard pile was shuffled to make a new deck."""

    deck: str
    count: int


class PutBack(Event, frozen=True):
    """A card that lay in sight was shuffled back into its deck."""

    card: str
    deck: str


class Gathered(Event, frozen=True):
    """All cards of a deck, wherever they were, were shuffled into a new one."""

    deck: str


class HandReturned(Event, frozen=True):
    """Unseen cards of a hand went back into their deck."""

    seat: str
    deck: str
    count: int


class Scanned(Event, frozen=True):
    """A player told the companion of a card in hand; only that player sees it."""

    seat: str
    card: str


class Moved(Event, frozen=True):
    """A piece went from one square to another, or on or off the board."""

    seat: str
    start: Square
    end: Square


class MarkerGained(Event, frozen=True):
    """A marker was laid before a seat; `count` is how many it has now."""

    seat: str
    marker: str
    count: int


class MarkerIgnored(Event, frozen=True):
    """A marker over the limit was not taken."""

    seat: str
    marker: str


class MarkerReplaced(Event, frozen=True):
    """A new marker took the place of the old one and starts afresh."""

    seat: str
    marker: str


class MarkerTurned(Event, frozen=True):
    """A marker was turned sideways: it has been here for one start of its owner's turn."""

    seat: str
    marker: str


class MarkerLost(Event, frozen=True):
    """A marker was taken away; `count` is how many are left."""

    seat: str
    marker: str
    count: int


class Ended(Event, frozen=True):
    """The game is over."""

    winners: tuple[str, ...]
    reason: str


class Seen:
    """What one viewer may see of a log: the events, and their numbers there.

    It is kept up to date as the log grows, so that nobody has to go through all of it again.
    """

    __slots__ = ("events", "numbers", "upto")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.events: list[Event] = []
        self.upto = 0
        """How many events of the log have been looked at."""

    def cut(self, length: int) -> None:
        """Forget the events from the log's number `length` on."""
        keep = bisect_left(self.numbers, length)
        del self.numbers[keep:], self.events[keep:]
        self.upto = min(self.upto, length)


class Log:
    """The events of a game in order, each with the number of its cause (-1: none)."""

    __slots__ = ("_seen", "cause", "causes", "events")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.causes: list[int] = []
        self.cause = -1
        self._seen: dict[str | None, Seen] = {}

    def __len__(self) -> int:
        return len(self.events)

    def append(self, event: Event) -> int:
        """Add an event under the present cause; gives its number."""
        self.events.append(event)
        self.causes.append(self.cause)
        return len(self.causes) - 1

    def because(self, number: int) -> Because:
        """A `with` block in which every event is caused by event `number`."""
        return Because(self, number)

    def cut(self, length: int) -> None:
        """Forget the events from number `length` on."""
        del self.events[length:], self.causes[length:]
        for seen in self._seen.values():
            seen.cut(length)
        self.cause = -1

    def seen_by(self, who: str | None) -> Seen:
        """What somebody may see as it is now: to be read, and not to be kept."""
        seen = self._seen.setdefault(who, Seen())
        for number in range(seen.upto, len(self.events)):
            if self.events[number].may_be_seen_by(who):
                seen.numbers.append(number)
                seen.events.append(self.events[number])
        seen.upto = len(self.events)
        return seen

    def chain(self, number: int) -> Iterator[int]:
        """The numbers from an event up to its first cause."""
        while number >= 0:
            yield number
            number = self.causes[number]


class Because(msgspec.Struct):
    """Sets the cause of a log for a while."""

    log: Log
    number: int
    before: int = -1

    def __enter__(self) -> None:
        self.before = self.log.cause
        self.log.cause = self.number

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.log.cause = self.before
