"""A start that is not possible yet: says why on the display and in the log, and tries again.

What only a person can mend keeps the process alive with the message in sight: a service that ended
would be started again and again, and leave a dark display to somebody who has no other screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event
from typing import TypeVar

from companion.devices.station import Station
from companion.rules.errors import CompanionError
from companion.rules.phrases import N_, Phrase
from companion.screens.handset.boot import Boot, Trouble
from companion.screens.oled import find_fonts
from companion.screens.pixels import NoFont
from companion.simulation import SimulatedTags
from companion.supervision import Supervisor
from companion.tabletop import TURN, Tabletop, fonts_for
from companion.words import Words, catalogue_file, has_catalogue

T = TypeVar("T")

PAUSES = (2.0, 5.0, 10.0, 30.0)
"""Seconds before each further try; the last one stays. ● on the display tries at once."""
NO_TAGS = SimulatedTags([])
"""A tap means nothing yet."""


class Waiting:
    """What people see of a start that takes its time or fails, on the devices of a station.

    `stop` is set when it is to end; `log` takes each trouble once, as one line; `clock` gives
    seconds.
    """

    def __init__(
        self,
        station: Station,
        words: Words,
        stop: Event,
        supervisor: Supervisor,
        log: Callable[[str], None],
        *,
        pauses: Sequence[float] = PAUSES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.station = station
        self.words = words
        self.stop = stop
        self.supervisor = supervisor
        self.log = log
        self.pauses = pauses
        self.clock = clock
        self.trouble: Trouble | None = None
        """What is in sight; None: nothing has failed."""
        boot = Boot(*fonts_for(words))
        self.tabletop = Tabletop(station, NO_TAGS, boot, clock=clock)
        self.tabletop.enter(boot)  # what is started may take its time, such as a recovery
        self._tries = 0
        self._told = ""

    def until(self, start: Callable[[], T]) -> T | None:
        """What `start` gives as soon as it raises no CompanionError; None: stopped before."""
        while not self.stop.is_set():
            try:
                started = start()
            except CompanionError as error:
                self.after(error)
            else:
                self.trouble, self._tries = None, 0
                return started
        return None

    def after(self, error: CompanionError) -> None:
        """Show what has failed until it is time to try again."""
        trouble = self._show(error.phrase)
        trouble.again = False
        if not self.station.has_buttons:  # nobody could wake a dark display
            self.station.touched()
        end = self.clock() + self.pauses[min(self._tries, len(self.pauses) - 1)]
        while not (trouble.again or self.stop.is_set() or self.clock() >= end):
            self.tabletop.turn(TURN)
            self.supervisor.ready()
            self.supervisor.turned(lambda: self._told)
        self._tries += 1
        if self.stop.is_set():
            self.supervisor.stopping()
            self.tabletop.farewell(self.words)

    def _show(self, what: Phrase) -> Trouble:
        """The page about it: the one in sight, if that says the same and is being read."""
        if self.trouble is None or self.trouble.what != what:
            self._told = in_one_line(what, self.words)
            self.log(self._told)
            words, fonts = fonts_for(self.words)
            self.trouble = Trouble(words, fonts, what, buttons=self.station.has_buttons)
            self.tabletop.enter(self.trouble)
        return self.trouble


def shortcomings(words: Words) -> list[Phrase]:
    """What is missing and can be done without: said at the start, or nobody would know why."""
    found: list[Phrase] = []
    if not has_catalogue(words.language):
        file = str(catalogue_file(words.language))
        found.append(Phrase(N_("{file} is missing. Install anew."), {"file": file}))
    try:
        find_fonts(words.language)
    except NoFont as error:
        found.append(error.phrase)
    return found


def in_one_line(what: Phrase, words: Words) -> str:
    """A message for the log, in which each message has one line."""
    return "; ".join(words.say(what).splitlines())
