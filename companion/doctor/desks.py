"""Who helps to try the devices: somebody at the terminal, or hands at simulated devices."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

from companion.devices.health import label
from companion.devices.inputs import Button
from companion.rules.phrases import N_, Phrase
from companion.simulation import Simulation
from companion.words import Words

YES = ("y", "yes", "ya", "はい")
"""What counts as yes, in every language."""

CARD = "04C0FFEE5EED01"
"""The UID that simulated hands hold to readers."""
PUSH = 0.06
"""Seconds for which a simulated finger stays on a button, and away from the next."""
PATIENCE = 1.0
"""Seconds for which simulated eyes and ears wait for something."""
GLANCE = 0.005


class TerminalDesk:
    """Somebody at the terminal, if there is. Findings have the standard output for themselves."""

    def __init__(self, words: Words, wait: float, *, somebody: bool) -> None:
        self.words = words
        self.wait = wait
        self.somebody = somebody

    def tap(self, readers: Sequence[str]) -> None:
        names = [label(f"reader/{reader}") for reader in readers]
        self._tell(Phrase(N_("Tap a card on each: {readers}."), {"readers": names}))

    def push(self, buttons: Sequence[str]) -> None:
        self._tell(Phrase(N_("Press each button once: {buttons}."), {"buttons": buttons}))

    def sees_edges(self) -> bool | None:
        return self._ask(Phrase(N_("Do you see a line at all four edges of the display?")))

    def sees_yellow(self, seat: str) -> bool | None:
        text = N_("Is the light of seat {seat} yellow, bright and dim in turn?")
        return self._ask(Phrase(text, {"seat": seat}))

    def hears_tones(self) -> bool | None:
        return self._ask(Phrase(N_("Do you hear two tones?")))

    def _tell(self, text: Phrase) -> None:
        print(self.words.say(text), file=sys.stderr, flush=True)

    def _ask(self, question: Phrase) -> bool | None:
        """The answer to a question; None where nobody gives one."""
        if not self.somebody:
            return None
        print(f"{self.words.say(question)} (y/n)", end=" ", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        return answer.strip().lower() in YES if answer else None


class SimulatedDesk:
    """Hands, eyes and ears at simulated devices: it looks at what the chips and pins really do."""

    def __init__(self, simulation: Simulation, wait: float) -> None:
        self.simulation = simulation
        self.wait = wait
        self.patience = PATIENCE

    def tap(self, readers: Sequence[str]) -> None:
        for reader in readers:
            self.simulation.lay(reader, CARD)

    def push(self, buttons: Sequence[str]) -> None:
        for button in map(Button, buttons):
            self.simulation.press(button)
            time.sleep(PUSH)
            self.simulation.release(button)
            time.sleep(PUSH)

    def sees_edges(self) -> bool | None:
        return _within(self.patience, self._has_edges)

    def sees_yellow(self, seat: str) -> bool | None:
        if self._colours(seat) is None:
            return None

        def is_yellow() -> bool:
            red, green, blue = self._colours(seat) or (0, 0, 0)
            return red > 0 and green > 0 and blue == 0

        return _within(self.patience, is_yellow)

    def hears_tones(self) -> bool | None:
        sound = self.simulation.settings.sound
        if sound is None:
            return None
        buzzer = self.simulation.bench.pin(sound.buzzer)
        heard = set[float]()

        def are_two() -> bool:
            if buzzer.state:
                heard.add(buzzer.frequency)
            return len(heard) == 2

        return _within(self.patience, are_two)

    def _has_edges(self) -> bool:
        picture = self.simulation.picture()
        if picture is None:
            return False
        width, height = picture.size
        edges = [(0, 0, width, 1), (0, height - 1, width, height)]
        edges += [(0, 0, 1, height), (width - 1, 0, width, height)]
        return all(picture.crop(edge).getextrema() == (255, 255) for edge in edges)

    def _colours(self, seat: str) -> tuple[float, float, float] | None:
        """Red, green and blue of a seat's light, at the Pi or at the hub; None if it has none."""
        lights, hub = self.simulation.settings.lights, self.simulation.hub
        if lights is not None and seat in lights.seats:
            red, green, blue = (
                float(self.simulation.bench.pin(p).state) for p in lights.seats[seat]
            )
            if lights.common == "anode":
                return 1 - red, 1 - green, 1 - blue
            return red, green, blue
        return hub.light(seat) if hub is not None and seat in hub.settings.lights else None


def _within(seconds: float, come: Callable[[], bool]) -> bool:
    """Whether something comes to be within so many seconds."""
    until = time.monotonic() + seconds
    while not come():
        if time.monotonic() > until:
            return False
        time.sleep(GLANCE)
    return True
