"""Pages lying on each other, the topmost in sight, turned and chosen from by four buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.rules.phrases import N_, Named, Phrase
from companion.rules.wording import Label
from companion.screens.handset.outcomes import NOTHING, Outcome
from companion.screens.oled import Chapter, Fonts, Sheet
from companion.screens.panels import CHOOSE, DeviceLine, Entry, Panels

if TYPE_CHECKING:
    from PIL.Image import Image

    from companion.words import Words

UP, DOWN, OK, BACK = "up", "down", "ok", "back"
SHORT, LONG, CHORD = "short", "long", "chord"
"""The values of `companion.devices.inputs.Button` and `Push`."""

SEEN = 0.3
"""Seconds that a page must have been in sight before ● or a held ◀ does something there: nobody
reads quicker, and so neither a second press nor one meant for the page before acts unread."""
STRIDE = 5
"""How many lines a held ▲ or ▼ goes, where a list has no groups to go by."""
LONG_LIST = 100
"""More lines than this are a long list, such as the points that a hand may have."""
NOTICE = 5.0
"""Seconds that news of a device is in sight."""

BACK_HINT = Phrase(N_("◀ back"))
YES_HINT = Phrase(N_("● yes  ◀ no"))


class Page:
    """One page. `lasts`: seconds after which it is over by itself, None: it stays."""

    lasts: float | None = None

    def sheet(self, panels: Panels) -> Sheet:
        """The page as it is now."""
        raise NotImplementedError

    def turn(self, step: int) -> bool:
        """▼ (1) or ▲ (-1) was pressed; whether the page stays."""
        raise NotImplementedError

    def stride(self, step: int) -> bool:
        """▼ or ▲ was held; whether the page stays."""
        return self.turn(step)

    def press(self) -> Outcome | None:
        """● was pressed; None: the page is over."""
        return None

    def hold(self) -> Outcome | None:
        """● was held; None: this page has no meaning of its own for it."""
        return None

    def expire(self) -> bool:
        """`lasts` is over; whether the page stays."""
        return False


class Reading(Page):
    """Chapters to be read, turned over by ▲▼. A page that has nothing to turn over is left so."""

    def __init__(
        self,
        chapters: Callable[[Panels], Sequence[Chapter]],
        hint: Phrase = BACK_HINT,
        *,
        lasts: float | None = None,
        press: Callable[[int], Outcome | None] | None = None,
    ) -> None:
        self.chapters = chapters
        self.hint = hint
        self.lasts = lasts
        self.page = 0
        self._press = press
        self._chapters: Sequence[Chapter] = ()
        self._pages: list[tuple[Chapter, list[str]]] = []

    def sheet(self, panels: Panels) -> Sheet:
        self._chapters = self.chapters(panels)
        self._pages = panels.pages_of(self._chapters)
        self.page = min(self.page, len(self._pages) - 1)
        return panels.book(self._chapters, self.page, self.hint)

    def turn(self, step: int) -> bool:
        if len(self._pages) < 2:
            return False
        self.page = min(max(self.page + step, 0), len(self._pages) - 1)
        return True

    def press(self) -> Outcome | None:
        """Do what ● does here, given the number of the chapter in sight; else the page is over."""
        if self._press is None:
            return None
        chapter = self._pages[self.page][0]
        return self._press(next(n for n, one in enumerate(self._chapters) if one is chapter))


class Passing(Reading):
    """Chapters that turn over by themselves, a page after the other, and are over after the last.

    `line` seconds for each line and `start` seconds for each page.
    """

    start, line = 2.0, 1.0

    def sheet(self, panels: Panels) -> Sheet:
        sheet = super().sheet(panels)
        self.lasts = self.start + self.line * len(self._pages[self.page][1])
        return sheet

    def turn(self, step: int) -> bool:
        """▼ goes on to the next page; after the last one, and by ▲, the page is over."""
        self.page += 1
        return step > 0 and self.page < len(self._pages)

    def expire(self) -> bool:
        return self.turn(1)


class Item:
    """One line of a list and what choosing it does."""

    def __init__(
        self,
        label: Label,
        choose: Callable[[], Outcome],
        *,
        value: Label | str = "",
        group: Label | str = "",
    ) -> None:
        self.entry = Entry(label, value, group)
        self.choose = choose


class Choosing(Page):
    """A list of at least one line. ▲▼ move on and around; held, from group to group or far."""

    def __init__(
        self,
        title: Label,
        items: Sequence[Item],
        *,
        question: Label | None = None,
        selected: int = 0,
        names: Sequence[str] = (),
        hint: Phrase = CHOOSE,
    ) -> None:
        self.title = title
        self.items = items
        self.question = question
        self.selected = selected
        self.names = names
        self.hint = hint

    def sheet(self, panels: Panels) -> Sheet:
        entries = [item.entry for item in self.items]
        return panels.choosing(
            self.title, entries, self.selected, self.question, self.names, self.hint
        )

    def turn(self, step: int) -> bool:
        self.selected = (self.selected + step) % len(self.items)
        return True

    def stride(self, step: int) -> bool:
        groups = [item.entry.group for item in self.items]
        self.selected = by_group(groups, self.selected, step)
        return True

    def press(self) -> Outcome | None:
        return self.items[self.selected].choose()


def far(selected: int, count: int, step: int) -> int:
    """The place in a list some lines on, twice as many in a long one, not beyond its ends."""
    stride = STRIDE if count <= LONG_LIST else 2 * STRIDE
    return min(max(selected + step * stride, 0), max(0, count - 1))


def by_group(groups: Sequence[object], selected: int, step: int) -> int:
    """The first line of the next or the last group; some lines on where all are of one."""
    starts = [n for n, group in enumerate(groups) if n == 0 or group != groups[n - 1]]
    if len(starts) < 2:
        return far(selected, len(groups), step)
    if step > 0:
        return next((n for n in starts if n > selected), len(groups) - 1)
    return next(n for n in reversed(starts) if n < selected or n == 0)


class PageStack:
    """Pages on one display. Times are seconds of one clock that never goes back.

    ▲▼ and ● are the page's, ◀ takes the topmost page away. What held buttons and two buttons
    together do is up to who derives from this. ● and a held ◀ do nothing on a page that has not
    been in sight for `SEEN` seconds.
    """

    def __init__(self, panels: Panels, home: Page) -> None:
        self.panels = panels
        self.home = home
        self.devices: Sequence[DeviceLine] = ()
        """How the devices are, for the page about them. Set it whenever that changes."""
        self.now = 0.0
        self._wound = False
        self._pages = [home]
        self._since = 0.0
        self._notice: Page | None = None
        self._sheet: Sheet | None = None
        self._redrawn = True

    # -- for the host's lights -----------------------------------------------------------------

    @property
    def active(self) -> str:
        """The seat whose turn it is, "" for none."""
        return ""

    @property
    def asked(self) -> str:
        """The seat that is asked, "" for none or for all."""
        return ""

    @property
    def races(self) -> tuple[str, ...]:
        """What several may want to be first to call now, in the order that breaks a tie."""
        return ()

    def called_by(self, button: str, how: str) -> str:
        """Which of these a button calls, "" for none."""
        return ""

    def look(self) -> bool:
        """Take note of what was done elsewhere; whether something was."""
        return False

    # -- pages ---------------------------------------------------------------------------------

    @property
    def top(self) -> Page:
        """The page in sight."""
        return self._pages[-1]

    @property
    def in_sight(self) -> float:
        """Seconds for which the page has been in sight as it is."""
        return self.now - self._since

    def open(self, page: Page) -> Outcome:
        """Lay a page on the others."""
        self._pages.append(page)
        self.renew()
        return NOTHING

    def offer(
        self,
        title: Label,
        items: Sequence[Item],
        *,
        question: Label | None = None,
        names: Sequence[str] = (),
    ) -> Outcome:
        """Lay a list on the others; where it is empty, a page that says so."""
        if not items:
            return self.open(self.message(title, [Phrase(N_("There is nothing to choose."))]))
        return self.open(Choosing(title, items, question=question, names=names))

    def close(self) -> Outcome:
        """Take the topmost page away; the lowest one stays."""
        if len(self._pages) > 1:
            self._pages.pop()
        self.renew()
        return NOTHING

    def clear(self) -> Outcome:
        """Take all pages away but the lowest."""
        del self._pages[1:]
        self.renew()
        return NOTHING

    def speak(self, words: Words, fonts: Fonts) -> None:
        """Go on in another language, at the lowest page."""
        self.panels = Panels(words, fonts)
        self.clear()

    def renew(self) -> None:
        """The page in sight has changed by itself or is another one: its time begins anew."""
        self._since = self.now
        self.redraw()

    def redraw(self) -> None:
        """Something on the page in sight has changed."""
        self._sheet = None
        self._redrawn = True

    # -- what happens to them ------------------------------------------------------------------

    def wind(self, now: float) -> None:
        """Set the clock. What is in sight when that is first done is in sight from then on."""
        if not self._wound:
            self._wound, self._since = True, now
        self.now = now

    def push(self, button: str, how: str, now: float, seat: str | None = None) -> Outcome:
        """A button was used: "up", "down", "ok" or "back", "short", "long" or as a "chord".

        `seat` is whose button it was, where each has its own. Nothing that people push raises.
        """
        self.wind(now)
        self.sheet()  # what is pushed is meant for the page as it is now
        self.redraw()
        if how == CHORD:
            return self.chorded()
        if button in (UP, DOWN):
            return self._turned(1 if button == DOWN else -1, long=how == LONG)
        if button == OK:
            return self._held() if how == LONG else self._pressed()
        if how == LONG:
            return NOTHING if self.in_sight < SEEN else self.held_back()
        return self.back_at_home() if self.top is self.home else self.close()

    def _turned(self, step: int, *, long: bool) -> Outcome:
        page = self.top
        stays = page.stride(step) if long else page.turn(step)
        if not stays:
            self.left(page, step)
        elif page.lasts is not None:
            self._since = self.now  # who turns over goes on reading
        return NOTHING

    def left(self, page: Page, step: int) -> None:
        """A page was left by ▼ (1) or ▲ (-1)."""
        self.close()

    def _pressed(self) -> Outcome:
        if self.in_sight < SEEN:
            return NOTHING
        outcome = self.top.press()
        return self.close() if outcome is None else outcome

    def _held(self) -> Outcome:
        outcome = self.top.hold()
        return self.held_ok() if outcome is None else outcome

    def held_ok(self) -> Outcome:
        """● was held."""
        return NOTHING

    def held_back(self) -> Outcome:
        """◀ was held."""
        return NOTHING

    def back_at_home(self) -> Outcome:
        """◀ was pressed on the lowest page."""
        return NOTHING

    def chorded(self) -> Outcome:
        """Two buttons were pressed together."""
        return NOTHING

    def tick(self, now: float) -> bool:
        """Let time pass; whether there is something new to be drawn since the last tick."""
        self.wind(now)
        self.sheet()
        lasts = self.top.lasts
        if lasts is not None and self.in_sight >= lasts:
            if self.top.expire():
                self.renew()
            else:
                self.close()
        redrawn, self._redrawn = self._redrawn, False
        return redrawn

    @property
    def due(self) -> float | None:
        """When `tick` has something to do next, None: not before something happens."""
        lasts = self.top.lasts
        return None if lasts is None else self._since + lasts

    def notice(self, title: Phrase, body: Phrase | Named) -> None:
        """News that need no answer, such as that a device has failed. The last ones count."""
        if self.top is self._notice:
            self.close()
        self._notice = self.message(title, [body], lasts=NOTICE)
        self.open(self._notice)

    def message(
        self,
        title: Label,
        body: Sequence[Label],
        beside: str = "",
        *,
        hint: Phrase = BACK_HINT,
        lasts: float | None = None,
        press: Callable[[], Outcome | None] | None = None,
    ) -> Reading:
        """A page of text."""
        return Reading(
            lambda panels: [panels.text(title, body, beside)],
            hint,
            lasts=lasts,
            press=None if press is None else lambda _: press(),
        )

    # -- the picture ---------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """The page in sight, with what is written on it."""
        if self._sheet is None:
            self._sheet = self.top.sheet(self.panels)
        return self._sheet

    def picture(self) -> Image:
        """The page in sight, 128×64 pixels of two colours; the same object while it is the same."""
        return self.sheet().image
