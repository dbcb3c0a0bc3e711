"""Pushes of buttons from the raw levels of their pins: debounced, short, long, two together.

A level counts when it has lasted `bounce_ms`; shorter ones never happened. One push gives one
event: "short" when the button is let go, or "long" as soon as it has been down for `hold_ms`, or
"chord" as soon as a second one is down too. A button that is down when it is first seen says
nothing until it was let go: it may be stuck, or wired the other way round. One that is down for
`stuck_ms` is "stuck", and "free" when it is let go.

Events are tuples: what, which button, and for a chord the second one. They depend on the times
that are handed in, not on how late that happens.
"""

from companion.portable.ticks import add, diff


class _Button:
    """One button: its raw level, the level that counts, and what its push has come to."""

    __slots__ = ("name", "raw", "since", "settling", "down", "pushed", "spent", "stuck")

    def __init__(self, name: str, down: bool, now: int) -> None:
        self.name = name
        self.raw = down
        self.since = now  # of the raw level
        self.settling = False  # the raw level has yet to last
        self.down = down  # the level that counts
        self.pushed = now  # since when it is down
        self.spent = down  # this push gives no further event
        self.stuck = False


class Presses:
    """The pushes of several buttons. All times are milliseconds of wrapping ticks."""

    def __init__(self, bounce_ms: int, hold_ms: int, stuck_ms: int) -> None:
        self.bounce_ms = bounce_ms
        self.hold_ms = hold_ms
        self.stuck_ms = stuck_ms
        self._buttons: dict[str, _Button] = {}

    def level(self, name: str, down: bool, now: int) -> list[tuple[str, ...]]:
        """A button's raw level, by an edge or a sample; gives the events until then.

        The first one tells how the button was found.
        """
        events = self.tick(now)
        button = self._buttons.get(name)
        if button is None:
            self._buttons[name] = _Button(name, down, now)
        elif button.raw != down:
            button.raw = down
            button.since = now
            button.settling = True
        return events

    def tick(self, now: int) -> list[tuple[str, ...]]:
        """Time has come so far; gives the events until then."""
        events: list[tuple[str, ...]] = []
        while True:
            due = self.next_deadline(now)
            if due is None or diff(due, now) > 0:
                return events
            for button in self._buttons.values():
                if self._deadline(button) == due:
                    self._come(button, events)

    def next_deadline(self, now: int) -> int | None:
        """The ticks at which `tick` has something to do if no level changes; None: never."""
        nearest = None
        for button in self._buttons.values():
            due = self._deadline(button)
            if due is not None and (nearest is None or diff(due, now) < diff(nearest, now)):
                nearest = due
        return nearest

    def held(self) -> list[str]:
        """The buttons that are down."""
        return [button.name for button in self._buttons.values() if button.down]

    def _deadline(self, button: _Button) -> int | None:
        if button.settling:
            return add(button.since, self.bounce_ms)
        if not button.down or button.stuck:
            return None
        return add(button.pushed, self.stuck_ms if button.spent else self.hold_ms)

    def _come(self, button: _Button, events: list[tuple[str, ...]]) -> None:
        """A button's deadline has come."""
        if not button.settling:
            if button.spent:
                button.stuck = True
                events.append(("stuck", button.name))
            else:
                button.spent = True
                events.append(("long", button.name))
            return
        button.settling = False
        if button.down and not button.raw:
            self._let_go(button, events)
        elif button.raw and not button.down:
            button.down = True
            button.pushed = button.since
            button.spent = False
        self._find_chord(events)

    def _let_go(self, button: _Button, events: list[tuple[str, ...]]) -> None:
        button.down = False
        if not button.spent:
            events.append(("short", button.name))
        elif button.stuck:
            button.stuck = False
            events.append(("free", button.name))

    def _find_chord(self, events: list[tuple[str, ...]]) -> None:
        """Two buttons that are down for sure, neither of which has given an event."""
        ready = [
            button
            for button in self._buttons.values()
            if button.down and not button.spent and not button.settling
        ]
        if len(ready) < 2:
            return
        first, second = ready[:2]
        if diff(second.pushed, first.pushed) < 0:
            first, second = second, first
        first.spent = second.spent = True
        events.append(("chord", first.name, second.name))
