"""A game at the handset: what pushes and taps do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from companion.rules.box import AnyBox
from companion.rules.errors import (
    CompanionError,
    NotNow,
    NotUnderstood,
    Refused,
    StaleQuestion,
    WhichOne,
)
from companion.rules.layouts import shifts
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Choice
from companion.rules.session import Session
from companion.rules.tags import TaggedThing, TagKind, short
from companion.rules.wording import Label, Wording
from companion.screens.boards import can_be_drawn, kinds_on
from companion.screens.handset.board import BoardPage
from companion.screens.handset.menu import menu, registering
from companion.screens.handset.outcomes import (
    ACCEPTED,
    NOTHING,
    REFUSED,
    UNKNOWN,
    Meaning,
    Misread,
    Outcome,
)
from companion.screens.handset.question import Question
from companion.screens.handset.racing import Race, call
from companion.screens.handset.reasons import (
    BUTTONS,
    HOW_TO,
    WHY,
    missed,
    rule,
    show_contents,
    why_events,
    why_refused,
)
from companion.screens.handset.sight import REMINDS, Sight
from companion.screens.handset.stack import (
    BACK,
    BACK_HINT,
    LONG,
    OK,
    SHORT,
    Choosing,
    Item,
    Page,
    Passing,
    Reading,
)
from companion.screens.oled import Chapter, Fonts
from companion.screens.panels import Panels
from companion.screens.showing import RULES
from companion.screens.telling import refusal_title
from companion.words import Words

TAG = "tag"
"""Through what an answer came that was tapped."""
REFUSAL = 6.0
"""Seconds that a refusal is in sight unless somebody reads on."""
UNKNOWN_TAG = 10.0
"""Seconds in which an unknown tag may be registered."""
MOST_REASONS = 8

SET_UP_BOARD = 20.0
"""Seconds in which the pieces are set up as on the picture, unless a button is pressed."""
SET_UP = Phrase(N_("Set up the table"))
GO_ON = Phrase(N_("● go on"))
CAUSE_HINT = Phrase(N_("● cause  ◀ back"))
WHY_HINT = Phrase(N_("hold ●: why?"))
RULES_HINT = Phrase(N_("● all  ◀ back"))
TWO_TAGS = Phrase(N_("Two tags at once. Hold only one to the reader."))

_TITLES: dict[type[CompanionError], str] = {
    NotNow: N_("Not now"),
    StaleQuestion: N_("Too late"),
    WhichOne: N_("Which one?"),
    NotUnderstood: N_("Not understood"),
}


class Whose(Choosing):
    """Whose it was, where several players could be meant; a seat's tag says it too."""

    def __init__(self, items: Sequence[Item], answer: Callable[[str], Outcome]) -> None:
        super().__init__(Phrase(N_("Who was it?")), items)
        self.answer = answer


class Handset(Sight):
    """One table's small display, buttons and reader. Shows what everybody may see.

    ▲▼ choose, ● takes what is chosen, ◀ leads back to the question and there tells what was
    missed. Held, ● says why and ◀ undoes, on every page. Two buttons together are the menu.

    - A new game begins with what is to be laid out on the table.
    - After an act that needs hands, "Now on the table" comes first, for 2 seconds and one more
      for each line, and turns to the question by itself. Meanwhile a tap acts; ▲ and ▼ turn on
      (▼ through the list where it has several pages) and move the selection; ● and ◀ only turn
      to the question.
    - A refusal says why, for 6 seconds or until a button is pressed; taps act at once.
    - While the earliest of several wins, such as with UNO, ▲ and ▼ call for 5 seconds, and the
      menu begins with the calls.
    - A private question is covered until ● uncovers it, and covered again when it is answered,
      after 30 seconds, or by ◀.

    `things` is what an unknown tag may be registered as, but for what lies face down: nobody may
    say aloud what that is. Set `address` whenever it changes.
    Whoever else changes the session calls `look` afterwards.
    """

    def __init__(
        self,
        session: Session[Any],
        box: AnyBox,
        wording: Wording,
        words: Words,
        fonts: Fonts,
        *,
        things: Sequence[TaggedThing] = (),
        via: str = "handset",
    ) -> None:
        super().__init__(session, wording, Panels(words, fonts), Question(self))
        self.box = box
        self.things = [thing for thing in things if thing.kind is not TagKind.SEALED]
        self.via = via
        self.address = ""
        """What a phone opens to join, "" where none can."""
        self.seat: str | None = None
        """Whose button or reader was used last, where each has its own."""
        self.tried: tuple[Choice, str | None] = ("", None)
        """The last answer, whether it was taken or refused, and whose it was."""
        self._raced = bool(session.races)
        self._taps: dict[TagKind | Misread, Callable[[Meaning], Outcome]] = {
            TagKind.SEAT: self._seat_tag,
            TagKind.JUDGE: lambda _: self.judge(),
            TagKind.UNDO: lambda _: self.held_back(),
            Misread.UNKNOWN: self._unknown_tag,
            Misread.CROWD: lambda _: self._not_read(TWO_TAGS),
            Misread.OTHER_GAME: lambda meaning: self._not_read(
                Phrase(N_("This belongs to another game: {game}."), {"game": meaning.game})
            ),
        }
        self.question.begin()
        if not session.history:
            self._show_set_up()

    def _show_set_up(self) -> None:
        """What hands have to lay out before a game begins; for newcomers, what the buttons do."""
        layout = self.session.view(None).layout
        board = self.shown.board
        on_it = kinds_on(board)
        first = shifts({}, layout, self.session.game.counted)
        first = [shift for shift in first if shift.kind not in on_it]
        told = [phrase for shift in first if (phrase := self.wording.instruct(shift)) is not None]
        if told:
            self.open(Passing(partial(self._set_up, told), GO_ON))
        if can_be_drawn(board):
            self.open(BoardPage(self, GO_ON, SET_UP_BOARD))

    def _set_up(self, told: Sequence[Phrase], panels: Panels) -> list[Chapter]:
        newcomers = self.shown.guide is not None
        buttons = [panels.text(BUTTONS, HOW_TO)] if newcomers else []
        return [panels.items(SET_UP, told, self.shown.names), *buttons]

    @property
    def by(self) -> str | None:
        """Who does something now, where that is known."""
        return self.seat or self.speaker or None

    # -- buttons -------------------------------------------------------------------------------

    def push(self, button: str, how: str, now: float, seat: str | None = None) -> Outcome:
        self.wind(now)
        self.seat = seat
        key = self.called_by(button, how)
        if self.look() and (button, how) in ((OK, SHORT), (BACK, LONG)):
            return NOTHING  # it was meant for what was there before
        if key:
            return call(self, key)
        return super().push(button, how, now, seat)

    # -- races ---------------------------------------------------------------------------------

    @property
    def races(self) -> tuple[str, ...]:
        return self.session.races

    def called_by(self, button: str, how: str) -> str:
        page = self.top
        return page.called_by(button) if isinstance(page, Race) and how == SHORT else ""

    def look(self) -> bool:
        changed = super().look()
        opens = bool(self.races) and not self._raced
        self._raced = bool(self.races)
        if opens:
            self.open(Race(self))
        return changed

    # -- pages ---------------------------------------------------------------------------------

    def left(self, page: Page, step: int) -> None:
        self.close()
        if self.top is self.home:
            self.home.turn(step)

    def held_ok(self) -> Outcome:
        """Why the last act was refused, or why what happened last did."""
        if self.refusal is not None:
            return self.open(Reading(why_refused(self.session, self.wording, self.refusal)))
        happened = self.shown.happened[-MOST_REASONS:]
        return self.open(self._why([one.number for one in reversed(happened)]))

    def _why(self, numbers: Sequence[int]) -> Page:
        """Events, each with ● for its cause."""
        who = self.shown.who
        if not numbers:
            return self.message(WHY, [Phrase(N_("Nothing has happened yet."))])
        causes = [self.session.why(number, who)[1:2] for number in numbers]

        def to_cause(chapter: int) -> Outcome | None:
            found = causes[chapter]
            return self.open(self._why([found[0].number])) if found else None

        chapters = why_events(self.session, self.wording, who, numbers)
        return Reading(chapters, CAUSE_HINT if any(causes) else BACK_HINT, press=to_cause)

    def held_back(self) -> Outcome:
        """Take the last thing back, asking whom the session says."""
        return self.act(lambda by: self.session.undo(by=by), reminds=False)

    def back_at_home(self) -> Outcome:
        """What did I miss? For who uses the button, else for who is asked."""
        if self.shown.who is not None:
            return self.cover()
        seats = self.names
        seat = next((s for s in (self.by, self.shown.seat) if s in seats), None)
        seat = seat or next(iter(seats), "")
        return self.open(Reading(missed(self.session, self.wording, seat, self.shown)))

    def chorded(self) -> Outcome:
        """The menu comes, also over what passes by itself; from any other page, the question."""
        stays = self.top is not self.home and self.top.lasts is None
        self.clear()
        return NOTHING if stays else self.open(menu(self))

    def show_standings(self) -> Outcome:
        """The page of where everybody stands."""
        return self.open(Reading(lambda panels: [panels.standing(self.shown)]))

    def judge(self) -> Outcome:
        """What the rules say: of the last refusal, else of the open question, then of all."""
        if self.refusal is not None:
            return self.held_ok()
        register = self.session.game.register
        here = rule(register, self.shown.rule)
        if here is None:
            return show_contents(self, register)
        every = partial(show_contents, self, register)
        return self.open(Reading(here, RULES_HINT, press=lambda _: every()))

    # -- acts ----------------------------------------------------------------------------------

    def choose(self, choice: Choice) -> Outcome:
        """Answer the question in sight; by who has said so, else by who is asked."""
        asked = self.shown.seat if self.shown.kind == RULES else None
        return self.answer(choice, self.by or asked, self.via)

    def answer(self, choice: Choice, seat: str | None, via: str) -> Outcome:
        """Give an answer; where it could be several players', ask whose it is."""
        self.tried = choice, seat
        return self.act(
            lambda _: self.session.answer(choice, seat, via=via),
            reminds=self.shown.kind == RULES,
            whose=lambda other: self.answer(choice, other, via),
        )

    def act(
        self,
        do: Callable[[str], object],
        *,
        reminds: bool = True,
        whose: Callable[[str], Outcome] | None = None,
    ) -> Outcome:
        """Do something with the session and turn to what comes of it, or say why not.

        `do` is given who does it, "" where nobody knows; `whose` does it for a seat, should it
        be open whose it is.
        """
        by = self.by or ""
        self.stop("speaks")
        try:
            do(by)
        except CompanionError as error:
            return self._say_no(error, whose)
        except OSError as error:
            text = N_("It could not be written down and is not done: {error}")
            return self._no(Phrase(N_("Not done")), Phrase(text, {"error": str(error)}))
        if reminds:
            self.start("reminds", REMINDS)
        self.clear()
        self.look()
        return ACCEPTED

    def _say_no(self, error: CompanionError, whose: Callable[[str], Outcome] | None) -> Outcome:
        if isinstance(error, Refused):
            self.refusal = error.refusal
            number = f"§{error.refusal.rule}" if error.refusal.rule else ""
            return self._no(refusal_title(error.refusal), error.phrase, number)
        items = self._meant(error, whose) if whose is not None else []
        if whose is not None and items:
            self.clear()
            return self.open(Whose(items, whose))
        title = next((text for kind, text in _TITLES.items() if isinstance(error, kind)), "")
        return self._no(Phrase(title or N_("Not done")), error.phrase)

    def _meant(self, error: CompanionError, whose: Callable[[str], Outcome]) -> list[Item]:
        """The players one of whom an error asks for."""
        seats = error.seats if isinstance(error, WhichOne) else ()
        called = self.session.game.state.names
        return [Item(Named({"en": called[seat]}), partial(whose, seat)) for seat in seats]

    def _no(self, title: Label, body: Label, beside: str = "") -> Outcome:
        self.clear()
        hint = WHY_HINT if beside else BACK_HINT
        self.open(self.message(title, [body], beside, hint=hint, lasts=REFUSAL))
        return REFUSED

    # -- taps ----------------------------------------------------------------------------------

    def tap(self, meaning: Meaning, now: float, seat: str | None = None) -> Outcome:
        """A tag was tapped. `seat` is whose reader it was, where each has its own."""
        self.wind(now)
        self.seat = seat
        self.look()
        self.redraw()
        act = self._taps.get(meaning.kind)
        return act(meaning) if act is not None else self.answer(meaning.thing, self.by, TAG)

    def _seat_tag(self, meaning: Meaning) -> Outcome:
        """Somebody says who acts, or is meant, where a player is to be chosen."""
        seat = meaning.thing
        if isinstance(self.top, Whose):
            return self.top.answer(seat)
        if seat not in self.names:
            return self._no(
                Phrase(N_("Not now")), Phrase(N_("No seat {seat} in this game."), {"seat": seat})
            )
        if any(option.choice == seat for option in self.shown.options):
            return self.answer(seat, self.by, TAG)
        self.speaks(seat)
        return ACCEPTED

    def _unknown_tag(self, meaning: Meaning) -> Outcome:
        """Note it, and ask whether somebody wants to say what it is."""
        self.session.unknown(meaning.tail, TAG)
        self.clear()
        title, tail = Phrase(N_("Unknown card")), short(meaning.tail)
        if not self.things:
            body = Phrase(N_("Nobody has registered this tag."))
            self.open(self.message(title, [body], tail, lasts=UNKNOWN_TAG))
            return UNKNOWN
        self.open(
            self.message(
                title,
                [Phrase(N_("Register it? ● to say which card or thing it is."))],
                tail,
                hint=Phrase(N_("● register  ◀ back")),
                lasts=UNKNOWN_TAG,
                press=lambda: self.open(registering(self, meaning)),
            )
        )
        return UNKNOWN

    def _not_read(self, body: Phrase) -> Outcome:
        self._no(Phrase(N_("Not understood")), body)
        return UNKNOWN
