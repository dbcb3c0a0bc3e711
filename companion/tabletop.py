"""A table on its devices: what they say goes to the scene in front, its picture to the display.

A scene is what people have before them: the boot page, the questions before a game, the game. One
thread turns the handle; inputs wait in the station's inbox, so no device ever waits for another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from queue import Empty
from threading import RLock
from typing import TYPE_CHECKING, Protocol

from companion.devices.buttons import button_name
from companion.devices.health import Condition, Health, label, told
from companion.devices.inputs import Crowded, Input, Lifted, Missed, Pushed, Stuck, Tapped
from companion.devices.lights import Light
from companion.devices.sound import Signal
from companion.devices.station import Station
from companion.rules.errors import CompanionError
from companion.rules.phrases import N_, Phrase
from companion.rules.seals import seal_of
from companion.rules.tags import Tag, TagKind, next_copy, short
from companion.screens.handset import Meaning, Misread, Outcome, Register, Result, Wish
from companion.screens.handset.boot import Farewell
from companion.screens.oled import Fonts, find_fonts
from companion.screens.panels import DeviceLine
from companion.screens.pixels import NoFont
from companion.words import Words

if TYPE_CHECKING:
    from PIL.Image import Image

TURN = 0.1
"""Seconds after which the scene is asked whether its page turns over by itself."""
LOOK_AFTER = 0.5
"""Seconds between two looks for devices that hang."""
BLINK = 1.2
"""Seconds for which the lights tell what came of an input."""

HOLD = 0.12
"""Seconds for which inputs are held back while a race is open."""
TIE = 0.02
"""Seconds within which two inputs of a race are at the same moment."""

Acted = Pushed | Tapped | Crowded
"""Inputs that people meant."""

SIGNALS = {
    Result.ACCEPTED: Signal.ACCEPTED,
    Result.REFUSED: Signal.REFUSED,
    Result.UNKNOWN: Signal.UNKNOWN,
}
BLINKS = {
    Result.ACCEPTED: Light.ACCEPTED,
    Result.REFUSED: Light.REFUSED,
    Result.UNKNOWN: Light.REFUSED,
}


Sealer = Callable[[Tag], str]
"""Makes the seal of a tag that is on something which lies face down."""
unsalted: Sealer = partial(seal_of, salt="")


class Scene(Protocol):
    """What people have before them. `now` is in seconds of the host's monotonic clock."""

    devices: Sequence[DeviceLine]

    @property
    def active(self) -> str:
        """The seat whose turn it is, "" for none."""

    @property
    def asked(self) -> str:
        """The seat that is asked, "" for none or for all."""

    @property
    def races(self) -> Sequence[str]:
        """What several may want to be first to call now, in the order that breaks a tie."""

    def called_by(self, button: str, how: str) -> str:
        """Which of these a button calls, "" for none."""

    def push(self, button: str, how: str, now: float, seat: str | None = None) -> Outcome: ...

    def tap(self, meaning: Meaning, now: float, seat: str | None = None) -> Outcome: ...

    def notice(self, title: Phrase, body: Phrase) -> None: ...

    def look(self) -> object: ...

    def tick(self, now: float) -> bool: ...

    def picture(self) -> Image: ...


class TagBook(Protocol):
    """Knows what each tag means. The journal does; simulated tags have a book of their own."""

    def tag(self, uid: str) -> Tag | None: ...

    def tags(self) -> Sequence[Tag]: ...

    def bind(self, tag: Tag, *, move: bool = False) -> object: ...


def fonts_for(words: Words) -> tuple[Words, Fonts]:
    """A language with its fonts, or where these cannot be had, with the one that is always there.

    That one has no Japanese: then it is English.
    """
    try:
        return words, find_fonts(words.language)
    except NoFont:
        spoken = Words("en") if words.language == "ja" else words
        return spoken, find_fonts(spoken.language, places=())


class HeldBack:
    """Inputs held back for a moment while a race is open, so that the earliest wins.

    They come from several devices and may overtake each other by up to `HOLD` seconds. Those within
    `TIE` seconds of the earliest count as one moment; then the lowest rank is first.
    """

    def __init__(self) -> None:
        self._inputs: list[tuple[float, int, Acted]] = []

    def add(self, message: Acted, rank: int) -> None:
        """Hold an input back."""
        self._inputs.append((message.at, rank, message))

    def wait(self, now: float) -> float:
        """Seconds until an input is ready; endless when none is held."""
        return max(0.0, self._first() + HOLD - now) if self._inputs else inf

    def ready(self, now: float, *, racing: bool) -> Acted | None:
        """The input to be dealt with next, if its time has come; at once when no race is open."""
        if not self._inputs or (racing and now < self._first() + HOLD):
            return None
        end = self._first() + TIE
        moment = [held for held in self._inputs if held[0] <= end]
        chosen = min(moment, key=lambda held: (held[1], held[0]))
        self._inputs.remove(chosen)
        return chosen[2]

    def _first(self) -> float:
        return min(at for at, _, _ in self._inputs)


class Tabletop:
    """Turns the handle of one table. Scenes change only in the thread that calls `turn`.

    `lock` is held while a scene is asked: a terminal or phone may use the same session. `changed`
    is called, in the turning thread, after something has happened.
    """

    def __init__(
        self,
        station: Station,
        tags: TagBook,
        scene: Scene,
        *,
        changed: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.station = station
        self.tags = tags
        self.scene = scene
        self.lock = RLock()
        self.clock = clock
        self.game = ""
        """The name of the game in front, "" for none."""
        self.seal: Sealer = unsalted
        """Makes the seals of that game."""
        self.wishes: Callable[[Wish], None] = lambda _: None
        """What only the host can do is asked for here."""
        self.handled = 0
        """How many taps and pushes have been dealt with."""
        self.stopped = False
        self._changed = changed
        self._looked = 0.0
        self._blinks = 0.0
        self._blink: tuple[str, Light] = ("", Light.OFF)
        self._lit: tuple[Mapping[str, Light], float] = ({}, 0.0)
        self._turn_of = ""
        self._held = HeldBack()
        self._usable: dict[str, bool] = {}

    # -- turning -------------------------------------------------------------------------------

    def run(self) -> None:
        """Turn until somebody calls `stop`."""
        while not self.stopped:
            self.turn(TURN)

    def stop(self) -> None:
        """End `run` soon; for any thread."""
        self.stopped = True

    def turn(self, wait: float = 0.0) -> bool:
        """Deal with the next input, if one comes in so many seconds; gives whether one came."""
        message = self._next(wait)
        if message is None:
            self._idle()
            return False
        with self.lock:
            self._take(message)
            self.show()
        if not isinstance(message, (Health, Lifted)):
            self.handled += 1
        self._changed()
        return True

    def _next(self, wait: float) -> Input | Health | None:
        """The next input to be dealt with; while a race is open, in the order of their times."""
        ready = self._held.ready(self.clock(), racing=bool(self._races()))
        if ready is not None:
            return ready
        wait = min(wait, self._held.wait(self.clock()))
        try:
            message = self.station.inbox.get(block=wait > 0, timeout=wait or None)
        except Empty:
            return self._held.ready(self.clock(), racing=bool(self._races()))
        if not isinstance(message, (Pushed, Tapped, Crowded)) or not self._races():
            return message
        self._held.add(message, self._rank(message))
        return self._held.ready(self.clock(), racing=True)

    def _races(self) -> Sequence[str]:
        with self.lock:
            return self.scene.races

    def _rank(self, message: Acted) -> int:
        """The place of what an input calls among those that are at the same moment."""
        called = ""
        if isinstance(message, Pushed):
            called = self.scene.called_by(message.button, message.how)
        elif isinstance(message, Tapped):
            with suppress(CompanionError):  # the journal cannot be read: said when it is dealt with
                called = self.meaning(message).thing
        races = self._races()
        return races.index(called) if called in races else len(races)

    def enter(self, scene: Scene, game: str = "", seal: Sealer = unsalted) -> None:
        """Put another scene in front: a game by its name, with what makes its seals, or none."""
        with self.lock:
            self.scene, self.game, self.seal = scene, game, seal
            self._tell_devices()
            self.show()

    def look(self) -> None:
        """Somebody else may have changed the game: show it as it is now. For any thread."""
        with self.lock:
            self.scene.look()
            self.show()

    def farewell(self, words: Words) -> None:
        """Show that it may be unplugged."""
        self.enter(Farewell(*fonts_for(words)))

    def show(self) -> None:
        """Send the picture of the scene as it is now, and light the seats."""
        self.station.show(self.scene.picture())
        self._light()

    def _idle(self) -> None:
        now = self.clock()
        if now - self._looked >= LOOK_AFTER:
            self._looked = now
            self.station.check()
        with self.lock:
            if self.scene.tick(now) or now >= self._blinks > 0:
                self.show()

    def display_works(self) -> bool:
        """Whether what is shown can be seen."""
        health = self.station.health.all().get("display")
        return health is not None and health.usable

    # -- inputs --------------------------------------------------------------------------------

    def _take(self, message: Input | Health) -> None:
        asked = self.scene.asked or self.scene.active
        if isinstance(message, Health):
            self._news_of(message)
        elif isinstance(message, Pushed):
            was_dark = self.station.touched() and self.display_works()
            if not was_dark:  # who wakes a dark display has not seen what to choose
                seat = message.seat or None
                self._came(self.scene.push(message.button, message.how, message.at, seat), asked)
        elif isinstance(message, (Tapped, Crowded)):
            self.station.touched()
            self._tapped(message, asked)
        elif isinstance(message, Missed):
            self._missed(message)
        elif isinstance(message, Stuck) and message.stuck:
            args = {"button": button_name(message.button)}
            body = Phrase(N_("{button} has been down for a long time."), args)
            self.scene.notice(Phrase(N_("Button stuck?")), body)

    def _missed(self, missed: Missed) -> None:
        """Inputs were lost: whoever made them has to be told, for nobody else knows which."""
        body = Phrase(
            N_("{device}: {n} tap or push was lost. Do it again."),
            {"device": label(missed.device), "n": missed.count},
            plural=N_("{device}: {n} taps or pushes were lost. Do them again."),
        )
        self.scene.notice(Phrase(N_("Lost")), body)

    def _tapped(self, tap: Tapped | Crowded, asked: str) -> None:
        try:
            meaning = self.meaning(tap)
        except CompanionError as error:  # the journal cannot be read
            self.scene.notice(Phrase(N_("Not understood")), error.phrase)
        else:
            self._came(self.scene.tap(meaning, tap.at, tap.seat or None), asked)

    def meaning(self, tap: Tapped | Crowded) -> Meaning:
        """What a tap is to the scene in front. Raises CompanionError."""
        if isinstance(tap, Crowded):
            return Meaning(Misread.CROWD)
        tag = self.tags.tag(tap.uid)
        tail = tap.uid[-4:]
        if tag is None:
            return Meaning(Misread.UNKNOWN, tail=tail, uid=tap.uid)
        if tag.game not in ("", self.game):
            return Meaning(Misread.OTHER_GAME, tail=tail, game=tag.game)
        if tag.kind is TagKind.SEALED:  # from here on nobody knows more of it than its sort
            return Meaning(tag.kind, self.seal(tag))
        return Meaning(tag.kind, tag.thing, tail)

    def _came(self, outcome: Outcome, asked: str) -> None:
        """Make light and sound of what came of an input, and see to what the host has to do."""
        signal = SIGNALS.get(outcome.result)
        if signal is not None:
            self.station.play(signal)
            self._blink = (asked, BLINKS[outcome.result])
            self._blinks = self.clock() + BLINK
        if isinstance(outcome.wish, Register):
            self._register(outcome.wish)
        elif outcome.wish is not None:
            self.wishes(outcome.wish)

    def _register(self, wish: Register) -> None:
        """Bind a new tag to what somebody has chosen, and say so."""
        thing = wish.thing
        copy = next_copy(thing, self.tags.tags())
        tag = Tag(wish.uid, thing.game, thing.kind, thing.thing, copy)
        args = {"tail": short(wish.uid), "thing": thing.name}
        try:
            self.tags.bind(tag)
        except CompanionError as error:
            self.scene.notice(Phrase(N_("Not registered")), error.phrase)
        else:
            self.scene.notice(Phrase(N_("Registered")), Phrase(N_("{tail} is {thing} now."), args))

    # -- lights --------------------------------------------------------------------------------

    def _light(self) -> None:
        """Whose turn it is and who is asked; for a moment, what came of the last input."""
        active, asked = self.scene.active, self.scene.asked
        lights = {seat: Light.TURN for seat in (active,) if seat}
        if asked:
            lights[asked] = Light.ASKED
        if self.clock() < self._blinks:
            seat, light = self._blink
            lights[seat] = light
        else:
            self._blinks = 0.0
        lights.pop("", None)
        if (lights, self._blinks) != self._lit:
            self._lit = (lights, self._blinks)
            self.station.light(lights)
        if active != self._turn_of and active:
            self.station.play(Signal.YOUR_TURN)
        self._turn_of = active

    # -- devices -------------------------------------------------------------------------------

    def _news_of(self, health: Health) -> None:
        """Say that a device has gone, or has come back; at the start the boot page says it."""
        self._tell_devices()
        if health.condition is Condition.STARTING:
            return
        was = self._usable.get(health.device)
        self._usable[health.device] = health.usable
        if was not in (None, health.usable):
            self.scene.notice(label(health.device), _news(health))

    def _tell_devices(self) -> None:
        self.scene.devices = [
            DeviceLine(one.usable, told(one)) for one in self.station.health.all().values()
        ]


def _news(health: Health) -> Phrase:
    """What a device's coming and going means, for the body of a page."""
    if health.usable:
        return Phrase(N_("It works again."))
    return health.reason or told(health)
