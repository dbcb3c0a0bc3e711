"""One game as people drive it: answers, undo, corrections, and a line written for each.

Going back is always the step's snapshot and a replay, never an inverse operation. A line is
handed to `write` before anybody is shown its outcome; if that fails, it is taken back.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

from companion.rules.errors import (
    CompanionError,
    DifferentRules,
    NotNow,
    Refused,
    StaleQuestion,
)
from companion.rules.events import Answered, Event
from companion.rules.game import Game, State
from companion.rules.layouts import Layout, Place, Shift, in_order, shifts
from companion.rules.lines import (
    NO_SPLICE,
    OPENED,
    Answer,
    Correction,
    Entry,
    Interjection,
    Join,
    Kind,
    Leave,
    Line,
    RulingChoice,
    Splice,
    Swap,
    answer_to,
    may_see,
)
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal
from companion.rules.understanding import Understanding

S = TypeVar("S", bound=State)


class Consent(msgspec.Struct):
    """An undo or amendment that waits until other seats agree."""

    number: int
    kind: Kind
    splice: Splice
    by: str
    needed: list[str]
    """Who must still agree; with `any_one`, the first of them is enough."""
    any_one: bool


class Preview(msgspec.Struct, frozen=True):
    """What an amendment would do: later answers kept, and the ones to be given again."""

    kept: int
    lost: tuple[Entry, ...]


class Reason(msgspec.Struct, frozen=True):
    """One link of a "why?": an event and its number among those the asker may see."""

    number: int
    event: Event


class Session(Understanding[S]):
    """Drives one game. `write` gets every line and may raise OSError to have it taken back.

    `silences`: take the silence of a question that carries one, instead of asking aloud.
    """

    def __init__(
        self,
        game: Game[S],
        salt: str = "",
        *,
        silences: bool = True,
        write: Callable[[Line], None] | None = None,
    ) -> None:
        self.write = write
        self.history: list[Splice] = []
        self.future: list[Splice] = []
        self.consent: Consent | None = None
        self.put_back: list[Shift] = []
        """What is still to be moved on the real table after an undo or a correction."""
        self._table: Layout | None = None
        self._put_back_number = 0
        super().__init__(game, salt, silences=silences)

    # -- what is asked -------------------------------------------------------------------------

    @property
    def races(self) -> tuple[str, ...]:
        """The words that several may want to be first to say beside the question, in its order."""
        if self.consent is not None or self.put_back or not self.run.open:
            return ()
        offers = (offer for offer in self.game.beside() if offer.race and offer.is_word)
        return tuple(dict.fromkeys(offer.key for offer in offers if any(offer.options())))

    def question_id(self, index: int = 0) -> str:
        """The id of the session's or rules' open question; "" when nothing is asked."""
        if self.consent is not None:
            return self._id(self.consent.number, "consent")
        if self.put_back:
            return self._id(self._put_back_number, "put back")
        if not self.run.open:
            return ""
        return self._id(self._minted[index][1], self.prompts[index].seat)

    def _id(self, number: int, kind: str) -> str:
        return blake2b(f"{number} {kind}".encode(), key=self.salt, digest_size=6).hexdigest()

    # -- answering -----------------------------------------------------------------------------

    def answer(
        self, choice: Choice, seat: str | None = None, *, question: str = "", via: str = ""
    ) -> None:
        """Answer the open question, of the session or of the rules.

        `seat` is who answers, where known; `question` the id that the answer is for, where known.
        Raises Refused with the rule, StaleQuestion, WhichOne or NotNow; then nothing changed.
        """
        seat = self._seat_of(question, seat)
        if self.consent is not None or self.put_back:
            self._answer_session(choice, seat)
            return
        try:
            kind, splice = self._understand(choice, seat, via)
        except Refused as error:
            self._refused(error.refusal, choice, seat, via)
            raise
        self._commit(kind, splice, by=seat or "", via=via)

    def _seat_of(self, question: str, seat: str | None) -> str | None:
        """Who answers, given the id of the question; raises StaleQuestion when it is not open."""
        if not question:
            return seat
        ids = [self.question_id(index) for index in range(max(1, len(self.run.open)))]
        if question not in ids:
            raise StaleQuestion(N_("That question is answered already. Look again."))
        if self.consent is not None or self.put_back or not self.run.open:
            return seat
        asked = self.prompts[ids.index(question)].seat
        if seat not in (None, asked):
            raise NotNow(N_("This seat is not asked."))
        return asked

    def interject(self, key: str, seat: str, choice: Choice, *, via: str = "") -> None:
        """Do something beside the open question, from the game's `beside`."""
        self._need_table()
        entry = Interjection(key, seat, choice, via)
        try:
            private = self._beside(entry).private
        except Refused as error:
            self._refused(error.refusal, choice, seat, via)
            raise
        entry = msgspec.structs.replace(entry, private=private)
        self._commit(Kind.BESIDE, Splice(len(self.entries), (), (entry,)), by=seat, via=via)

    def unknown(self, tail: str, via: str = "") -> None:
        """Note the tap of a tag that nobody knows, by the last digits of its UID."""
        self._note(Kind.UNKNOWN, tail, "", via)

    def force(
        self, choice: Choice, seat: str | None = None, *, by: str = "", via: str = ""
    ) -> None:
        """Do something that is not allowed because the table agrees; impossible stays refused.

        `seat` is whose question it is, `by` who asks for it.
        """
        self._need_table()
        prompt = self._prompt_for(seat)
        if prompt is None:
            raise NotNow(N_("This seat is not asked anything now."))
        refusal = prompt.why_not(choice)
        if refusal is not None and not refusal.can_be_forced:
            self._refused(refusal, choice, prompt.seat, via)
            raise Refused(refusal)
        entry = answer_to(prompt, choice, via, forced=refusal is not None)
        self._commit(Kind.FORCE, Splice(len(self.entries), (), (entry,)), by=by, via=via)

    # -- setting right -------------------------------------------------------------------------

    def preview_amend(self, at: int, choice: Choice, *, by: str = "") -> Preview:
        """What giving another answer at entry `at` would keep and lose. Changes nothing."""
        return self._amendment(at, choice, by)[1]

    def amend(self, at: int, choice: Choice, *, by: str = "", via: str = "") -> Preview:
        """Give another answer to an earlier question; later answers stay as far as they fit.

        Answers of other seats that would be lost are asked for consent first.
        """
        self._need_table()
        splice, preview = self._amendment(at, choice, by)
        chose = {entry.by for entry in preview.lost} - {by, ""}
        if chose:
            self._ask_consent(Kind.AMEND, splice, by, sorted(chose), any_one=False)
        else:
            self._commit(Kind.AMEND, splice, by=by, via=via)
        return preview

    def _amendment(self, at: int, choice: Choice, by: str) -> tuple[Splice, Preview]:
        if not 0 <= at < len(self.entries) or not isinstance(self.entries[at], Answer):
            raise NotNow(N_("There is no answer with that number."))
        old = self.entries[at]
        if not may_see(old, by):
            raise NotNow(N_("Only who gave a private answer can amend it."))
        entries = list(self.entries)
        try:
            self._rewind(at)
            prompt = next(p for p in self.prompts if p.seat == old.by)
            refusal = prompt.why_not(choice)
            if refusal is not None:
                raise Refused(refusal)
            self._do(answer_to(prompt, choice))
            lost = self._replay(entries[at + 1 :])
            come = tuple(self.entries[at:])
        finally:
            self._restore(at, entries)
        return Splice(at, tuple(entries[at:]), come), Preview(len(come) - 1, tuple(lost))

    def correct(self, thing: str, place: Place, *, by: str = "", reason: str = "") -> Preview:
        """Set one thing of the layout right.

        What the running step has not changed yet is corrected at its start and its answers are
        given again; anything else is corrected now and the step is over. Raises Refused or
        BadSetup with what is allowed.
        """
        if isinstance(place, str) and place.isdigit():
            place = int(place)
        return self._at_boundary(
            Kind.CORRECT, Correction(thing, place, by, reason), self._touched(thing)
        )

    def choose_ruling(self, ruling: str, choice: str, *, by: str = "") -> Preview:
        """Decide a ruling otherwise from the running step on."""
        self.game.register.check({ruling: choice})
        return self._at_boundary(Kind.RULING, RulingChoice(ruling, choice, by), touched=False)

    def _at_boundary(self, kind: Kind, entry: Entry, touched: bool) -> Preview:
        """Do an entry between two steps: at the running step's start, or now."""
        self._need_table()
        entries = list(self.entries)
        at = len(entries) if touched or not self.run.in_step else self.marks[-1].at
        table = dict(self.game.layout())
        try:
            self._rewind(at)
            self._do(entry)
            lost = self._replay(entries[at:])
            come = tuple(self.entries[at:])
        finally:
            self._restore(at, entries)
        self._commit(kind, Splice(at, tuple(entries[at:]), come), by=entry.by)
        self._list_put_back({**_corrected(table, (entry,)), **self.game.piles()})
        return Preview(len(come) - 1, tuple(lost))

    def leave(self, seat: str, *, by: str = "") -> None:
        """Take a seat out of the game, between two decisions."""
        self._between_steps(Leave(seat, by))

    def join(self, seat: str, name: str, *, by: str = "") -> None:
        """Seat a new player, between two decisions."""
        self._between_steps(Join(seat, name, by))

    def swap(self, seat: str, other: str, *, by: str = "") -> None:
        """Let two seats change places in the turn order, between two decisions."""
        self._between_steps(Swap(seat, other, by))

    def _between_steps(self, entry: Entry) -> None:
        self._need_table()
        if self.run.in_step:
            raise NotNow(N_("Finish this decision first; then seats can change."))
        self._commit(Kind.SEATS, Splice(len(self.entries), (), (entry,)), by=entry.by)

    # -- going back ----------------------------------------------------------------------------

    def undo(self, *, by: str = "") -> None:
        """Take the last line back. Asks other seats first where they chose or learned something."""
        self._no_consent_open()
        if not self.history:
            raise NotNow(N_("There is nothing to undo."))
        splice = self.history[-1].turned()
        by = by or self._undone_by(splice.gone)
        needed, any_one = self._whom_to_ask(splice, by)
        if needed:
            self._ask_consent(Kind.UNDO, splice, by, needed, any_one)
        else:
            self._go_back(Kind.UNDO, splice, by)

    def redo(self, *, by: str = "") -> None:
        """Do again what the last undo took back."""
        self._no_consent_open()
        if not self.future:
            raise NotNow(N_("There is nothing to redo."))
        self._go_back(Kind.REDO, self.future[-1], by)

    def _undone_by(self, gone: Sequence[Entry]) -> str:
        return next((e.by for e in gone if not (isinstance(e, Answer) and e.implied)), "")

    def _whom_to_ask(self, splice: Splice, by: str) -> tuple[list[str], bool]:
        """The seats that must agree to a way back, and whether any one of them is enough."""
        lost = splice.lost
        chose = {e.by for e in lost if not (isinstance(e, Answer) and e.implied)}
        answers = any(isinstance(e, (Answer, Interjection)) for e in lost)
        since = self.event_at[splice.at] if splice.at < len(self.event_at) else 0
        stays = bool(splice.come) and not answers  # a correction goes, the answers after it stay
        events = [] if stays or not splice.gone else self.game.log.events[since:]
        learned = {seat for event in events for seat in event.learners()} | self._lookers(lost)
        seats = self.game.state.seats
        others = [seat for seat in seats if seat in (learned | chose) and seat != by]
        if others:
            return others, False
        if by in learned or any(map(_uncovers, [*events, *lost])):
            return [seat for seat in seats if seat != by], True
        return [], False

    def _lookers(self, lost: Sequence[Entry]) -> set[str]:
        """The seats that may have looked at what the open question shows, if it goes with these."""
        if not any(isinstance(entry, Answer) for entry in lost):
            return set()
        return {prompt.seat for prompt in self.prompts if prompt.shows}

    def _ask_consent(
        self, kind: Kind, splice: Splice, by: str, needed: list[str], any_one: bool
    ) -> None:
        line = self._line(Kind.ASKED, splice, by=by, via=kind, question=",".join(needed))
        line = msgspec.structs.replace(line, refusal="one" if any_one else "")
        self._put_down(line)
        self.consent = Consent(self.number, kind, splice, by, needed, any_one)

    def _answer_session(self, choice: Choice, seat: str | None) -> None:
        if self.consent is not None:
            self._answer_consent(self.consent, choice, seat)
        elif choice == "done":
            self._put_down(self._line(Kind.DONE, by=seat or ""))
            self.put_back, self._table = [], None
        else:
            raise NotNow(N_("First put the pieces back as listed, then say done."))

    def _answer_consent(self, consent: Consent, choice: Choice, seat: str | None) -> None:
        if choice not in ("yes", "no"):
            raise NotNow(N_("Answer yes or no."))
        seat = seat or consent.needed[0]
        if seat not in consent.needed and not (choice == "no" and seat == consent.by):
            raise NotNow(N_("This seat is not asked."))
        if choice == "no":
            self._put_down(self._line(Kind.DECLINED, by=seat))
            self.consent = None
            return
        needed = [other for other in consent.needed if other != seat]
        if needed and not consent.any_one:
            self._ask_consent(consent.kind, consent.splice, consent.by, needed, any_one=False)
            return
        self.consent = None
        try:
            if consent.kind is Kind.AMEND:
                self._commit(Kind.AMEND, consent.splice, by=consent.by)
            else:
                self._go_back(consent.kind, consent.splice, consent.by)
        except BaseException:
            self.consent = consent
            raise

    def _go_back(self, kind: Kind, splice: Splice, by: str) -> None:
        before = self._real_table()
        self._commit(kind, splice, by=by)
        self._list_put_back(before)

    def _real_table(self) -> Layout:
        """How the real table stands: not yet as the companion has it, while things are put back."""
        return self._table if self._table is not None else self._should_be()

    def _should_be(self) -> Layout:
        return {**self.game.layout(), **self.game.piles()}

    def _list_put_back(self, table: Layout) -> None:
        """Note what must be moved on the real table, which stands as `table`."""
        moved = shifts(table, self._should_be(), self.game.counted)
        self.put_back = in_order([shift for shift in moved if shift.kind not in self.game.tracked])
        self._table = table if self.put_back else None
        self._put_back_number = self.number

    def _no_consent_open(self) -> None:
        if self.consent is not None:
            raise NotNow(N_("Answer yes or no first."))

    def _need_table(self) -> None:
        """Raise unless the rules' own question is what is open."""
        self._no_consent_open()
        if self.put_back:
            raise NotNow(N_("First put the pieces back as listed, then say done."))
        if self.over:
            raise NotNow(N_("The game is over. Undo reopens it."))

    # -- telling -------------------------------------------------------------------------------

    def seen(self, who: str | None) -> list[int]:
        """The numbers of the events that somebody may see, in order."""
        return list(self.game.log.seen_by(who).numbers)

    def log(self, who: str | None) -> list[Event]:
        """The events that somebody may see; their places in this list are their numbers."""
        return list(self.game.log.seen_by(who).events)

    def why(self, number: int, who: str | None = None) -> list[Reason]:
        """The chain of causes of the viewer's event `number`, up to the answer of a person."""
        seen = self.seen(who)
        if not 0 <= number < len(seen):
            raise NotNow(N_("There is no event with that number."))
        place = {n: index for index, n in enumerate(seen)}
        chain = self.game.log.chain(seen[number])
        return [Reason(place[n], self.game.log.events[n]) for n in chain if n in place]

    def shown_to(self, who: str | None, offer: Prompt[Any] | None = None) -> list[Choice]:
        """The cards that the open question, or an offer beside it, shows to somebody.

        What is sealed is shown to the eyes of its seat alone; it is looked up now and kept nowhere.
        A seal stays where nobody knows what is under it.
        """
        mine = [prompt for prompt in self.prompts if prompt.seat == who] or self.prompts
        if not mine or self.consent is not None or self.put_back:
            return []
        prompt = offer or mine[0]
        if not prompt.private:
            return list(prompt.shows)
        return [self._opened(one) for one in prompt.shows] if prompt.seat == who else []

    def missed(self, seat: str) -> list[Event]:
        """What a seat may see of all that happened since it last answered itself."""
        last = 0
        for at, entry in enumerate(self.entries):
            if entry.by == seat and not (isinstance(entry, Answer) and entry.implied):
                last = self.event_at[at] + 1
        return [event for event in self.game.log.events[last:] if event.may_be_seen_by(seat)]

    def fork(self) -> Session[S]:
        """A session of its own at the same point, which writes no journal."""
        twin: Session[S] = Session(self._fresh_game(), self.salt.decode(), silences=self.silences)
        twin._rewind(0)
        for entry in self.entries:
            twin._do(entry)
        twin.open_seal = self.open_seal
        twin.number = self.number
        twin._mint()
        return twin

    def _fresh_game(self) -> Game[S]:
        game = copy.copy(self.game)
        game.state = self._decode(self.initial)
        game.log = type(self.game.log)()
        return game

    # -- replaying a journal -------------------------------------------------------------------

    def reenact(self, lines: Iterable[Line]) -> None:
        """Do the lines of a journal again, checking every digest.

        Raises DifferentRules at the first line that comes out otherwise.
        """
        write, self.write = self.write, None
        try:
            for line in lines:
                self._reenact(line)
        finally:
            self.write = write

    def _reenact(self, line: Line) -> None:
        try:
            if line.kind in NO_SPLICE:
                self._reenact_other(line)
            else:
                self._reenact_splice(line)
        except CompanionError as error:
            raise DifferentRules(line.n) from error
        if self.number != line.n or (line.digest and line.digest != self.digest()):
            raise DifferentRules(line.n)

    def _reenact_splice(self, line: Line) -> None:
        self.consent = None
        gone = tuple(self.entries[line.at : line.at + line.gone])
        splice = Splice(line.at, gone, line.come)
        before = self._real_table()
        self._commit(line.kind, splice, by=line.by, settle=False)
        if line.kind in (Kind.UNDO, Kind.REDO):
            self._list_put_back(before)
        elif line.kind in (Kind.CORRECT, Kind.RULING):
            self._list_put_back({**_corrected(before, line.come[:1]), **self.game.piles()})

    def _reenact_other(self, line: Line) -> None:
        self.number += 1
        if line.kind is Kind.ASKED:
            gone = tuple(self.entries[line.at : line.at + line.gone])
            splice = Splice(line.at, gone, line.come)
            needed = line.question.split(",")
            self.consent = Consent(
                line.n, Kind(line.via), splice, line.by, needed, line.refusal == "one"
            )
        elif line.kind is Kind.DECLINED:
            self.consent = None
        elif line.kind is Kind.DONE:
            self.put_back, self._table = [], None
        elif line.kind is Kind.RESUMED:
            self._minted = []
            self._mint()

    def resumed(self) -> None:
        """Note that the game goes on after a stop; open questions get new ids."""
        self._put_down(self._line(Kind.RESUMED))
        self._minted = []
        self._mint()

    # -- the machinery -------------------------------------------------------------------------

    def _commit(
        self, kind: Kind, splice: Splice, *, by: str, via: str = "", settle: bool = True
    ) -> None:
        """Do a splice, write its line, and only then let it be seen. All or nothing."""
        before = list(self.entries)
        self.game.register.take_asked()
        try:
            self._rewind(splice.at)
            for entry in splice.come:
                self._do(entry)
            if settle and kind not in (Kind.UNDO, Kind.REDO):
                self._settle()
            done = Splice(splice.at, splice.gone, tuple(self.entries[splice.at :]))
            self._put_down(self._line(kind, done, by=by, via=via))
        except BaseException:
            self._restore(splice.at, before)
            raise
        self._remember(kind, done)
        self._mint()

    def _remember(self, kind: Kind, done: Splice) -> None:
        if kind is Kind.UNDO:
            self.history.pop()
            self.future.append(done.turned())
        elif kind is Kind.REDO:
            self.future.pop()
            self.history.append(done)
        else:
            self.future.clear()
            self.history.append(done)

    def _line(
        self,
        kind: Kind,
        splice: Splice | None = None,
        *,
        by: str = "",
        via: str = "",
        question: str = "",
    ) -> Line:
        return Line(
            n=self.number + 1,
            kind=kind,
            at=splice.at if splice else 0,
            gone=len(splice.gone) if splice else 0,
            come=splice.come if splice else (),
            by=by,
            via=via,
            question=question,
            rulings=self.game.register.take_asked(),
            digest=self.digest(),
        )

    def _put_down(self, line: Line) -> None:
        if self.write is not None:
            self.write(line)
        self.number = line.n

    def _refused(self, refusal: Refusal, choice: Choice, seat: str | None, via: str) -> None:
        self._note(Kind.REFUSED, choice, seat or "", via, refusal.rule)

    def _note(self, kind: Kind, choice: Choice, seat: str, via: str, rule: str = "") -> None:
        """Write down what changes nothing; failing to must not hide what is said about it."""
        line = Line(
            n=self.number + 1,
            kind=kind,
            come=(Answer("", seat, choice, via),),
            by=seat,
            via=via,
            refusal=rule,
        )
        try:
            self._put_down(line)
        except OSError:
            self.game.register.take_asked()


def _corrected(table: Layout, entries: Sequence[Entry]) -> Layout:
    """The real table once the companion agrees with a correction: there it was so already."""
    right = {e.thing: e.place for e in entries if isinstance(e, Correction) and e.thing in table}
    return {**table, **right}


def _uncovers(what: Event | Entry) -> bool:
    """Whether everybody learned something: by an event, a roll, or a seal that was opened."""
    if isinstance(what, Event):
        return what.uncovers or (isinstance(what, Answered) and what.chance)
    return isinstance(what, Answer) and what.via == OPENED
