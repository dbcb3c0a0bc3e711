"""Which tags lie on a reader: a state with hysteresis. A tap is its edge.

Only completed polls count. Neither a tag that skips a poll nor a reader that fails for a while
makes a removal, so a tag is never tapped twice without one.
"""

from companion.portable import ticks

TAP = "tap"
LIFT = "lift"
CROWD = "crowd"

INSTANT_MS = 100
"""Tags that come within so many milliseconds came together: no hand taps two after another."""


class Lying:
    """One tag that is there."""

    def __init__(self, poll: int) -> None:
        self.came = poll
        self.seen = poll
        """The number of the poll that saw it last."""
        self.for_ms = 0
        self.missing_ms = 0


class Presence:
    """The tags on one reader.

    A tag is lifted after `absent_ms` of polls without it, or `swap_ms` if another tag has come
    instead. A poll stands for the time since the one before, at most for two periods: before
    that nobody looked.
    """

    def __init__(self, absent_ms: int, swap_ms: int, period_ms: int) -> None:
        self.absent_ms = absent_ms
        self.swap_ms = swap_ms
        self.longest_ms = 2 * period_ms
        self._polls = 0
        self._last = 0
        self._there: dict[str, Lying] = {}

    def feed(self, uids: list[str], now: int) -> list[tuple[str, tuple[str, ...]]]:
        """Take a completed poll, at `now` in ticks; gives what it changed, liftings first.

        A change is what happened and to whom: one UID, or several of which nobody knows the
        one that is meant.
        """
        self._note(uids, self._elapsed(now))
        new = [uid for uid in uids if uid not in self._there]
        together = [uid for uid in uids if uid not in new and self._just_came(uid)]
        for uid in new:
            self._there[uid] = Lying(self._polls)
        edges: list[tuple[str, tuple[str, ...]]] = []
        for uid in self._gone():
            del self._there[uid]
            edges.append((LIFT, (uid,)))
        if len(new) == 1 and not together:
            edges.append((TAP, (new[0],)))
        elif new:
            edges.append((CROWD, tuple(together + new)))
        return edges

    def lying(self) -> dict[str, int]:
        """For how many milliseconds each tag has been there."""
        return {uid: tag.for_ms for uid, tag in self._there.items()}

    def _elapsed(self, now: int) -> int:
        self._polls += 1
        elapsed = ticks.diff(now, self._last) if self._polls > 1 else 0
        self._last = now
        return min(max(elapsed, 0), self.longest_ms)

    def _note(self, uids: list[str], elapsed: int) -> None:
        """Who of those that were there was seen, and who was missing."""
        for uid, tag in self._there.items():
            tag.for_ms += elapsed
            if uid in uids:
                tag.seen, tag.missing_ms = self._polls, 0
            else:
                tag.missing_ms += elapsed

    def _just_came(self, uid: str) -> bool:
        return self._there[uid].for_ms < INSTANT_MS

    def _gone(self) -> list[str]:
        """A tag is swapped, not only missing, if one that is seen came after it was seen last."""
        newest = 0
        for tag in self._there.values():
            if not tag.missing_ms:
                newest = max(newest, tag.came)
        gone = []
        for uid, tag in self._there.items():
            limit = self.swap_ms if newest > tag.seen else self.absent_ms
            if tag.missing_ms >= limit:
                gone.append(uid)
        return gone
