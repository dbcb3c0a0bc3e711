"""The hub as a device: a port, and the conversation through it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

from companion.devices.health import Condition, Health, HealthBoard
from companion.devices.hub.ports import HubFault, Port, find_port
from companion.devices.hub.talk import Reader, Talk
from companion.devices.inputs import Input
from companion.devices.lights import Light, SeatLights
from companion.devices.settings import HubSettings, PollSettings, PushSettings
from companion.rules.phrases import N_, Phrase


class Hub:
    """What a worker drives. Its readers have a health each, "reader/<name>"."""

    name = "hub"
    pauses = (0.0, 0.5, 1.0)
    """Of its worker: a hub that was plugged in again has to be back within three seconds."""

    def __init__(
        self,
        settings: HubSettings,
        poll: PollSettings,
        push: PushSettings,
        put: Callable[[Input], None],
        board: HealthBoard,
        *,
        clock: Callable[[], float] = time.monotonic,
        find: Callable[[], str] | None = None,
    ) -> None:
        self.settings = settings
        self._board = board
        self._clock = clock
        self._find = find or partial(find_port, settings)
        self._port: Port | None = None
        self._lights = SeatLights(clock)
        self._talk = Talk(settings, poll, push, put, self._note, clock())

    @property
    def waiting(self) -> Phrase | None:
        """Why the open hub is of no use yet; None once it has its settings."""
        return None if self._talk.ready else Phrase(N_("waiting for the hub to answer"))

    @property
    def readers(self) -> Mapping[str, Reader]:
        """What is known of each reader that has said something."""
        return dict(self._talk.readers)

    @property
    def about(self) -> Mapping[str, str]:
        """What the hub says of itself: firmware, boot, cause, can. Empty before its hello."""
        hello = self._talk.hello
        names = ("firmware", "boot", "cause", "can")
        return {} if hello is None else {name: hello.word(name) for name in names}

    def show(self, lights: Mapping[str, Light]) -> None:
        """Change what the lights of some seats say; from any thread."""
        self._lights.show(lights)

    # -- the worker's calls --------------------------------------------------------------------

    def open(self) -> None:
        """Find and open the port. Raises HubFault."""
        self._port = Port(self._find())
        self._talk.opened(self._clock())

    def step(self) -> float:
        """Hear and answer; waits a moment if there is nothing to hear. Raises HubFault."""
        if self._port is None:
            raise HubFault(N_("the hub was unplugged"))
        data = self._port.read()
        now = self._clock()
        self._talk.hear(data, now)
        self._talk.wanted = self._colours()
        answer = self._talk.say(now)
        if answer:
            self._port.write(answer)
        return 0.0

    def close(self) -> None:
        """Let go of the port; the hub's readers are gone with it."""
        port, self._port = self._port, None
        if port is not None:
            port.close()
        self._talk.closed()
        for reader in self.settings.readers:
            self._note(reader.name, Condition.OFFLINE, Phrase(N_("hub offline")))

    def _colours(self) -> dict[str, tuple[int, int, int]]:
        """What the lights at the hub have to show now, 0 to 255 each."""
        colours, _ = self._lights.colours()
        levels = {}
        for seat, (red, green, blue) in colours.items():
            if seat in self.settings.lights:
                levels[seat] = round(red * 255), round(green * 255), round(blue * 255)
        return levels

    def _note(self, reader: str, condition: Condition, reason: Phrase | None) -> None:
        self._board.set(Health(f"reader/{reader}", condition, reason))
