"""What people did, as a list of entries, and the game that follows from it.

Every step's start is a mark with the state there. Going back is always the mark's snapshot and a
replay, never an inverse operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import msgspec

from companion.rules.errors import NotNow, Refused, RulesBug, WhichOne
from companion.rules.events import (
    Answered,
    Corrected,
    RulingChanged,
    SeatJoined,
    SeatLeft,
    SeatsSwapped,
)
from companion.rules.game import Game, GameOver, Run, State, StepOver
from companion.rules.lines import (
    OPENED,
    SILENCE,
    Answer,
    Correction,
    Entry,
    Interjection,
    Join,
    Leave,
    RulingChoice,
    Swap,
    answer_to,
)
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt
from companion.rules.seals import is_seal, unknown, veiled
from companion.rules.views import View

S = TypeVar("S", bound=State)

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Mark(msgspec.Struct, frozen=True):
    """The start of a step: entries and events before it, what led to it, and the state there."""

    at: int
    events: int
    cause: int
    snapshot: bytes


class Timeline(Generic[S]):
    """A game and its entries.

    `silences`: take the silence of a question that carries one, instead of asking aloud.
    """

    def __init__(self, game: Game[S], salt: str = "", *, silences: bool = True) -> None:
        self.game = game
        self.silences = silences
        self.salt = salt.encode()
        self.open_seal: Callable[[str], str | None] = unknown
        """Says what lies under a seal, None where nobody knows; the host sets it."""
        self.run: Run[S] = Run(game, self._mark)
        self.entries: list[Entry] = []
        self.event_at: list[int] = []
        """For each entry, how many events were before it."""
        self.marks: list[Mark] = []
        self.number = 0
        """The lines written so far."""
        self._minted: list[tuple[object, int]] = []
        """The open questions, each with the number of the line that opened it."""
        self._decode = msgspec.msgpack.Decoder(type(game.state)).decode
        self.initial = _encode(game.state)
        self.run.start()
        self._settle()
        self._mint()

    # -- where the game stands -----------------------------------------------------------------

    @property
    def prompts(self) -> list[Prompt[Any]]:
        """The rules' open questions; none once the game is over."""
        return self.run.prompts

    @property
    def prompt(self) -> Prompt[Any]:
        """The rules' open question; raises NotNow once the game is over."""
        return self.run.prompt

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.state.ending is not None

    def digest(self) -> str:
        """The salted digest of the state: equal states, equal digests."""
        return blake2b(self.snapshot(), key=self.salt, digest_size=12).hexdigest()

    def snapshot(self) -> bytes:
        """The state in its deterministic encoding."""
        return _encode(self.game.state)

    def view(self, who: str | None) -> View:
        """What a seat, or everybody (None), may see.

        In the middle of a step the phase is the one whose decision is being carried out.
        """
        view = self.game.view(who)
        if not self.run.in_step:
            return view
        state, self.game.state = self.game.state, self._decode(self.marks[-1].snapshot)
        phase = self.game.view(who).phase
        self.game.state = state
        return msgspec.structs.replace(view, phase=phase)

    def _opened(self, choice: Choice) -> Choice:
        """What lies under a seal, where it is known; any other choice as it is.

        Only for what the rules reveal, and for the eyes of the seat that may look.
        """
        thing = self.open_seal(choice) if is_seal(choice) else None
        return choice if thing is None else thing

    def _prompt_for(self, seat: str | None) -> Prompt[Any] | None:
        """The open question to a seat; to anybody, where only one is asked."""
        prompts = self.prompts
        if not prompts:
            raise NotNow(N_("The game is over."))
        if seat is None and len(prompts) > 1:
            seats = [prompt.seat for prompt in prompts]
            names = [self.game.state.names.get(seat, seat) for seat in seats]
            text = N_("Several are asked. Say who answers: {seats}.")
            raise WhichOne(text, among=seats, seats=names)
        return next((prompt for prompt in prompts if seat in (None, prompt.seat)), None)

    # -- the ids of questions ------------------------------------------------------------------

    def _mint(self) -> None:
        """Give new questions the number of the last line; those still open keep theirs."""
        known = {id(asking): number for asking, number in self._minted}
        self._minted = [(asking, known.get(id(asking), self.number)) for asking in self.run.open]

    def _mint_again(self) -> None:
        """After a trial the same questions are open as before, as new objects."""
        numbers = [number for _, number in self._minted]
        self._minted = list(zip(self.run.open, numbers, strict=True))

    # -- doing ---------------------------------------------------------------------------------

    def _mark(self) -> None:
        """Keep the state at a step's start; of several at the same entry, the last."""
        log = self.game.log
        mark = Mark(len(self.entries), len(log), log.cause, _encode(self.game.state))
        if self.marks and self.marks[-1].at == mark.at:
            self.marks[-1] = mark
        else:
            self.marks.append(mark)

    def _do(self, entry: Entry) -> None:
        """Do one entry at the end of the list."""
        self.entries.append(entry)
        self.event_at.append(len(self.game.log))
        if isinstance(entry, Answer):
            self.run.answer(entry.choice, entry.seat, forced=entry.forced, via=entry.via)
        elif isinstance(entry, Interjection):
            prompt = self._beside(entry)
            self._do_beside(prompt, entry)
        else:
            self.run.stop()
            self._to_step_start(entry)
            self.game.log.cause = -1
            done = self._do_at_table(entry)
            self.game.check()
            self.run.start(done)

    def _to_step_start(self, entry: Entry) -> None:
        """Before anything is set right: take back what the step has done without asking.

        It is begun anew afterwards. Only a correction of what it has changed itself finds it so.
        """
        mark = self.marks[-1] if self.marks else None
        if mark is None or mark.at < len(self.entries) - 1:
            return
        if not (isinstance(entry, Correction) and self._touched(entry.thing)):
            self.game.state = self._decode(mark.snapshot)
            self.game.log.cut(mark.events)
            self.event_at[-1] = mark.events

    def _touched(self, thing: str) -> bool:
        """Whether the running step has changed a thing already."""
        now = self.game.layout().get(thing)
        state = self.game.state
        self.game.state = self._decode(self.marks[-1].snapshot)
        before = self.game.layout().get(thing)
        self.game.state = state
        return now != before

    def _beside(self, entry: Interjection) -> Prompt[Any]:
        """The offer beside the question that an interjection takes up; raises Refused.

        One to anybody is then that seat's, where a seat is known.
        """
        offers = [prompt for prompt in self.game.beside() if prompt.key == entry.prompt]
        for prompt in sorted(offers, key=lambda prompt: not prompt.seat):
            if prompt.seat in ("", entry.seat):
                refusal = prompt.why_not(entry.choice)
                if refusal is not None:
                    raise Refused(refusal)
                return msgspec.structs.replace(prompt, seat=entry.seat)
        raise NotNow(N_("This cannot be done beside the open question."))

    def _do_beside(self, prompt: Prompt[Any], entry: Interjection) -> None:
        log = self.game.log
        before = log.cause
        log.cause = -1
        root = log.append(
            Answered(
                rule=prompt.rule,
                audience=(entry.seat,) if prompt.private else None,
                seat=entry.seat,
                prompt=prompt.key,
                choice=veiled(entry.choice) if prompt.seals else entry.choice,
                via=entry.via,
            )
        )
        try:
            with log.because(root):
                self.game.interject(prompt, entry.choice)
            log.cause = before
            self.run.reoffer()
        except StepOver:
            self.run.start(root)

    def _do_at_table(self, entry: Entry) -> int:
        """What the table does by hand; gives the number of its event."""
        game = self.game
        match entry:
            case Correction():
                return self._correct(entry)
            case RulingChoice(ruling, choice):
                game.state.rulings[ruling] = choice
                return game.record(RulingChanged(rule="", ruling=ruling, choice=choice))
            case Leave(seat):
                with suppress(GameOver):  # who is left may have won
                    game.leave(seat)
                return game.record(SeatLeft(rule="", seat=seat))
            case Join(seat, name):
                game.join(seat, name)
                return game.record(SeatJoined(rule="", seat=seat))
            case Swap(seat, other):
                _swap_places(game.state, seat, other)
                return game.record(SeatsSwapped(rule="", seat=seat, other=other))
            case _:
                raise RulesBug(f"{entry!r} is not done at the table")

    def _correct(self, fix: Correction) -> int:
        """Set a thing of the layout right; raises Refused when it cannot be there."""
        before = self.game.layout().get(fix.thing)
        refusal = self.game.put(fix.thing, fix.place)
        if refusal is not None:
            raise Refused(refusal)
        return self.game.record(
            Corrected(rule="", thing=fix.thing, before=before, place=fix.place, reason=fix.reason)
        )

    def _settle(self) -> None:
        """Give the answers that nobody has to give, until a question must be asked aloud."""
        while (answer := self._revealed() or self._silence()) is not None:
            self._do(answer)

    def _silence(self) -> Answer | None:
        """The silence of an open question that carries one, where silences are taken."""
        prompts = self.prompts if self.silences else ()
        for prompt in prompts:
            if prompt.silence is not None:
                return answer_to(prompt, prompt.silence, SILENCE)
        return None

    def _revealed(self) -> Answer | None:
        """What lies under the seal that an open question reveals, where that is known."""
        for prompt in self.prompts:
            if prompt.reveals:
                thing = self._opened(prompt.reveals)
                if prompt.why_not(thing) is None:
                    return answer_to(prompt, thing, OPENED)
        return None

    # -- going back and doing again ------------------------------------------------------------

    def _rewind(self, at: int) -> None:
        """Go back to the moment before entry `at`."""
        if at == len(self.entries):
            return
        while self.marks and self.marks[-1].at > at:
            self.marks.pop()
        again = self.entries[self.marks[-1].at : at] if self.marks else self.entries[:at]
        self._back_to_mark()
        for entry in again:
            self._do(entry)

    def _back_to_mark(self) -> None:
        mark = self.marks[-1]
        self.run.stop()
        self.game.state = self._decode(mark.snapshot)
        self.game.log.cut(mark.events)
        del self.entries[mark.at :], self.event_at[mark.at :]
        self.run.start(mark.cause)

    def _restore(self, at: int, entries: Sequence[Entry]) -> None:
        """Bring back the entries from `at` on after a trial or a failure."""
        while len(self.marks) > 1 and self.marks[-1].at > min(at, len(self.entries)):
            self.marks.pop()
        start = self.marks[-1].at
        self._back_to_mark()
        for entry in entries[start:]:
            self._do(entry)
        self._mint_again()

    def _replay(self, tail: Sequence[Entry]) -> list[Entry]:
        """Give later answers again as far as they still fit; returns those that do not."""
        for index, entry in enumerate(tail):
            if isinstance(entry, Answer) and entry.via == OPENED:
                self._open_anew()
                continue
            if isinstance(entry, Answer) and entry.implied and not self._fits(entry):
                continue
            self._settle_before(entry)
            if not self._fits(entry):
                return [late for late in tail[index:] if not is_silence(late)]
            self._do(entry)
        return []

    def _open_anew(self) -> None:
        """Open what is revealed now: it may be another seal than before."""
        answer = self._revealed()
        if answer is not None:
            self._do(answer)

    def _settle_before(self, entry: Entry) -> None:
        if not self._fits(entry):
            self._settle()

    def _can_interject(self, entry: Interjection) -> bool:
        try:
            self._beside(entry)
        except (NotNow, Refused):
            return False
        return True

    def _fits(self, entry: Entry) -> bool:
        """Whether an earlier entry can be done again now."""
        if isinstance(entry, Interjection):
            return self._can_interject(entry)
        if not isinstance(entry, Answer):
            return True
        prompt = next((p for p in self.prompts if p.seat == entry.seat), None)
        if prompt is None or prompt.key != entry.prompt:
            return False
        refusal = prompt.why_not(entry.choice)
        return refusal is None or (entry.forced and refusal.can_be_forced)


def is_silence(entry: Entry) -> bool:
    """Whether nobody gave this answer: the question carried a silence."""
    return isinstance(entry, Answer) and entry.via == SILENCE


def _swap_places(state: State, seat: str, other: str) -> None:
    for name in (seat, other):
        if name not in state.seats:
            raise NotNow(N_("There is no seat {seat}."), seat=name)
    one, two = state.seats.index(seat), state.seats.index(other)
    state.seats[one], state.seats[two] = other, seat
