"""Hands at a simulated table: lines of text that tap cards, push buttons and pull plugs.

Whoever calls `Workbench.handle` waits until the table has dealt with what was done, so that a
script sees what came of each line. The picture is read out of the simulated display's memory.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from companion.devices.inputs import Button
from companion.rules.errors import NotUnderstood, WhichOne
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import TaggedThing, TagKind
from companion.screens.commands import Command, Commands
from companion.screens.handset.stack import SEEN
from companion.screens.pixels import as_text
from companion.screens.reading import LISTED, fold, seat_called, shorten
from companion.screens.tag_walk import Walk
from companion.simulation import SimulatedTags, Simulation
from companion.tabletop import TURN, Tabletop
from companion.words import Words

PUSH = 0.06
"""Seconds for which a finger stays on a button."""
HELD = 0.2
"""Seconds for which a hand holds a card to a reader at least; two cards at once are a crowd."""
PATIENCE = 3.0
"""Seconds to wait for what should come of something."""
RELEASED = 2
"""A finger stays off for so many times as long as a contact bounces, or its next push is lost."""
GLANCE = 0.005
ON_A_READER = (" on ", " di ", " で ")
"""What stands between a card and the reader."""
STRANGER = "04C0FFEE5EED99"
"""The UID of a tag that nobody has registered."""

HANDS = Commands(
    Command(
        ("tap", "tempel", "タップ"),
        Phrase(N_("tap <card, piece or seat> [on <reader>]")),
        Phrase(N_("Holds a card to a reader for a moment; “tap ?” one that nobody knows.")),
    ),
    Command(
        ("lay", "taruh", "置く"),
        Phrase(N_("lay <card, piece or seat> [on <reader>]")),
        Phrase(N_("Leaves a card lying on a reader.")),
    ),
    Command(
        ("lift", "angkat", "持ち上げる"),
        Phrase(N_("lift [reader]")),
        Phrase(N_("Takes everything off a reader, or off all of them.")),
    ),
    Command(
        ("press", "tekan", "押す"),
        Phrase(N_("press up|down|ok|back …")),
        Phrase(N_("Pushes buttons, one after the other.")),
    ),
    Command(
        ("hold", "tahan", "長押し"),
        Phrase(N_("hold up|down|ok|back, or two of them")),
        Phrase(N_("Holds a button down, or pushes two together.")),
    ),
    Command(
        ("unplug", "cabut", "抜く"),
        Phrase(N_("unplug <device>")),
        Phrase(N_("Pulls a device's plug.")),
    ),
    Command(
        ("plug", "colok", "挿す"),
        Phrase(N_("plug <device>")),
        Phrase(N_("Plugs a device in again.")),
    ),
    Command(
        ("devices", "perangkat", "機器"),
        Phrase(N_("devices")),
        Phrase(N_("How each device is.")),
    ),
    Command(
        ("wait", "tunggu", "待つ"),
        Phrase(N_("wait <seconds>")),
        Phrase(N_("Lets time go by.")),
    ),
)
_BUTTONS = {
    Button.UP: ("up", "atas", "上", "▲", "u"),
    Button.DOWN: ("down", "bawah", "下", "▼", "d"),
    Button.OK: ("ok", "●", "決定", "o"),
    Button.BACK: ("back", "kembali", "戻る", "◀", "b"),
}
_BUTTON_OF = {fold(word): button for button, words in _BUTTONS.items() for word in words}


class Workbench:
    """A person at a simulated table. `things` is all that has a tag, `called` who sits where."""

    def __init__(
        self,
        simulation: Simulation,
        tabletop: Tabletop,
        book: SimulatedTags,
        things: Sequence[TaggedThing],
        words: Words,
        called: Mapping[str, str] | None = None,
    ) -> None:
        self.simulation = simulation
        self.tabletop = tabletop
        self.book = book
        self.words = words
        self._walk = Walk(things)
        self._seats = {thing.thing: thing for thing in things if thing.kind is TagKind.SEAT}
        self._called = {seat: (called or {}).get(seat, seat) for seat in self._seats}
        self._used: Counter[tuple[str, str, str]] = Counter()
        self._lifted: dict[str, float] = {}
        self._seen: bytes | None = None
        self._acts: Mapping[str, Callable[[str], str]] = {
            "tap": self._tap,
            "lay": self._lay,
            "lift": self._lift,
            "press": self._press,
            "hold": self._hold,
            "unplug": lambda rest: self._plugged(self.simulation.unplug, rest),
            "plug": lambda rest: self._plugged(self.simulation.plug, rest),
            "devices": lambda _: self._devices(),
            "wait": self._wait,
        }

    def handle(self, line: str) -> str | None:
        """Do what a line says; None if it is nothing for hands. Raises CompanionError."""
        found = HANDS.find(line)
        return None if found is None else self._acts[found[0].name](found[1])

    def picture(self, columns: int, rows: int = 0) -> list[str]:
        """What the display shows, as text."""
        image = self.simulation.picture()
        self._seen = None if image is None else image.tobytes()
        return [] if image is None else as_text(image, columns, rows)

    @property
    def stale(self) -> bool:
        """Whether the display has turned to something else since `picture` was asked for."""
        image = self.simulation.picture()
        return image is not None and image.tobytes() != self._seen and self._shows()

    # -- cards ---------------------------------------------------------------------------------

    def _tap(self, rest: str) -> str:
        uid, reader = self._what_and_where(rest)
        began = time.monotonic()
        self._lay_down(uid, reader)
        time.sleep(max(0.0, began + HELD - time.monotonic()))
        self.simulation.lift(reader)
        self._lifted[uid] = time.monotonic()
        return ""

    def _lay(self, rest: str) -> str:
        self._lay_down(*self._what_and_where(rest))
        return ""

    def _lay_down(self, uid: str, reader: str) -> None:
        absent = self.simulation.settings.poll.absent_ms / 1000 + 0.1
        time.sleep(max(0.0, self._lifted.get(uid, 0.0) + absent - time.monotonic()))
        self._until_handled(lambda: self.simulation.lay(reader, uid))

    def _lift(self, rest: str) -> str:
        now = time.monotonic()
        for reader in [rest] if rest else self.simulation.reader_names:
            self._lifted.update(dict.fromkeys(self.simulation.lift(reader), now))
        return ""

    def _what_and_where(self, rest: str) -> tuple[str, str]:
        """The UID that is meant and the reader: "boost 2 on B"."""
        text, reader = rest, self._first_reader()
        for on in ON_A_READER:
            if on in rest:
                text, _, reader = (part.strip() for part in rest.rpartition(on))
        if not text:
            raise NotUnderstood(N_("Say it so: {usage}"), usage=HANDS.all[0].usage)
        if text.strip() == "?":
            return STRANGER, reader
        return self._next_of(self._things(text.strip())), reader

    def _things(self, text: str) -> list[TaggedThing]:
        """What a name means: a player's or a seat's letter that seat's tag. Raises WhichOne.

        It may mean several only of what lies face down: whoever taps that knows no better.
        """
        seat = seat_called(text, self._called)
        if seat is not None:
            return [self._seats[seat]]
        found = self._walk.find(text)
        if len(found) > 1 and any(thing.kind is not TagKind.SEALED for thing in found):
            raise WhichOne(
                N_("“{typed}” fits several: {names}. Which one?"),
                typed=shorten(text),
                names=[thing.name for thing in found[:LISTED]],
            )
        return found

    def _next_of(self, things: Sequence[TaggedThing]) -> str:
        """Another copy of a card each time, as people have them; of several things, any of them."""
        keys = [thing.key for thing in things]
        uids = [tag.uid for tag in self.book.tags() if tag.key in keys]
        if len(keys) > 1:
            uids.sort()  # UIDs are hashes, so this mixes the things
        self._used[keys[0]] += 1
        return uids[(self._used[keys[0]] - 1) % len(uids)]

    def _first_reader(self) -> str:
        readers = self.simulation.reader_names
        if not readers:
            raise NotUnderstood(N_("There is no reader."))
        return readers[0]

    # -- buttons -------------------------------------------------------------------------------

    def _press(self, rest: str) -> str:
        for button in _buttons(rest):
            if button is Button.OK:
                time.sleep(SEEN + TURN)  # whoever chooses has looked first
            self._until_handled(partial(self._push, [button], PUSH))
        return ""

    def _hold(self, rest: str) -> str:
        buttons = _buttons(rest)
        seconds = PUSH if len(buttons) > 1 else self.simulation.settings.push.hold_ms / 1000 + 0.1
        self._until_handled(lambda: self._push(buttons, seconds))
        return ""

    def _push(self, buttons: Sequence[Button], seconds: float) -> None:
        for button in buttons:
            self.simulation.press(button)
        time.sleep(seconds)
        for button in buttons:
            self.simulation.release(button)
        time.sleep(RELEASED * self.simulation.settings.push.bounce_ms / 1000)

    # -- plugs and time ------------------------------------------------------------------------

    def _plugged(self, act: Callable[[str], None], rest: str) -> str:
        act(rest)
        return ""

    def _devices(self) -> str:
        with self.tabletop.lock:
            lines = list(self.tabletop.scene.devices)
        marks = {True: "✓", False: "✗"}
        return "\n".join(f"{marks[one.usable]} {self.words.say(one.text)}" for one in lines)

    def _wait(self, rest: str) -> str:
        seconds = 0.0
        with suppress(ValueError):
            seconds = float(rest)
        if not 0 < seconds <= 60:
            raise NotUnderstood(N_("Say how many seconds, up to 60."))
        time.sleep(seconds)
        return ""

    def _until_handled(self, act: Callable[[], None]) -> None:
        """Do something and wait until the table has dealt with it and shows what came of it."""
        before = self.tabletop.handled
        act()
        end = time.monotonic() + PATIENCE
        while self.tabletop.handled == before and time.monotonic() < end:
            time.sleep(GLANCE)
        self.settle()

    def wait_for_devices(self) -> None:
        """Wait until every device has said how it is, at the start."""
        end = time.monotonic() + PATIENCE
        while not self.tabletop.station.settled and time.monotonic() < end:
            time.sleep(GLANCE)
        self.settle()

    def settle(self) -> None:
        """Wait a moment for the display to show what the scene shows."""
        end = time.monotonic() + PATIENCE / 3
        while not self._shows() and time.monotonic() < end:
            time.sleep(GLANCE)

    def _shows(self) -> bool:
        shown = self.simulation.picture()
        if shown is None or not self.tabletop.display_works():
            return True
        with self.tabletop.lock:
            wanted = self.tabletop.scene.picture()
        return shown.tobytes() == wanted.tobytes()


def _buttons(rest: str) -> list[Button]:
    words = rest.split()
    unknown = next((word for word in words if fold(word) not in _BUTTON_OF), None)
    if unknown is not None:
        raise NotUnderstood(N_("“{word}” is no button: up, down, ok, back."), word=unknown)
    if not words:
        raise NotUnderstood(N_("Name buttons: up, down, ok, back."))
    return [_BUTTON_OF[fold(word)] for word in words]
