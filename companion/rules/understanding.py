"""What an input means: an answer, a broken silence, or an answer after skipped questions."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from companion.rules.errors import Refused, WhichOne
from companion.rules.game import State
from companion.rules.lines import SKIPPED, Answer, Entry, Interjection, Kind, Splice, answer_to
from companion.rules.phrases import N_
from companion.rules.prompts import (
    PASS,
    Choice,
    Forbidden,
    Prompt,
    Refusal,
    allow,
    elsewhere,
)
from companion.rules.timeline import Timeline, is_silence

S = TypeVar("S", bound=State)


class Understanding(Timeline[S]):
    """Reads inputs against the open question. Trials leave the timeline as it was."""

    def _understand(self, choice: Choice, seat: str | None, via: str) -> tuple[Kind, Splice]:
        """The splice that a choice means.

        The answer, a word said beside the question, a broken silence, or an answer after skips.
        """
        end = len(self.entries)
        prompt = self._prompt_for(seat)
        if prompt is not None and choice == prompt.reveals:
            choice = self._opened(choice)
        refusal = self._not_asked(seat, choice) if prompt is None else prompt.why_not(choice)
        if refusal is None:
            prompt = prompt or self.prompt
            return Kind.ANSWER, Splice(end, (), (answer_to(prompt, choice, via),))
        beside = self._word_beside(choice, seat)
        if beside is not None:
            entry = Interjection(beside.key, beside.seat or seat or "", choice, via, beside.private)
            return Kind.BESIDE, Splice(end, (), (entry,))
        late = self._break_silence(choice, seat, via)
        if late is not None:
            return Kind.AMEND, late
        come, refusal = self._skip_to(choice, seat, refusal, via)
        if come:
            return Kind.ANSWER, Splice(end, (), come)
        raise Refused(refusal)

    def _word_beside(self, choice: Choice, seat: str | None) -> Prompt[Any] | None:
        """The offer beside the open question that a word takes up; raises Refused with the reason.

        Where nobody knows who said it, it is anybody's, or whose it may be now.
        """
        offers = [
            offer
            for offer in self.game.beside()
            if offer.key == choice and offer.is_word and (not seat or offer.seat in ("", seat))
        ]
        offers.sort(key=lambda offer: bool(offer.seat) is not bool(seat))
        if not offers:
            return None
        refusals = [offer.why_not(choice) for offer in offers]
        if None not in refusals:
            raise Refused(next(refusal for refusal in refusals if refusal is not None))
        return offers[refusals.index(None)]

    def _not_asked(self, seat: str | None, choice: Choice) -> Refusal:
        asked = self.prompt.seat
        names = self.game.state.names
        return self.game.out_of_turn(seat or "", choice) or elsewhere(
            self.prompt.rule,
            N_("{asked} is asked now, not {who}."),
            asked=names.get(asked, asked),
            who=names.get(seat or "", seat or ""),
        )

    def _break_silence(self, choice: Choice, seat: str | None, via: str) -> Splice | None:
        """The splice that puts a choice where a silence was since the last real answer."""
        start = len(self.entries)
        while start and _leaves_silence_open(self.entries[start - 1]):
            start -= 1
        fits: list[tuple[int, Answer]] = []
        for at in range(start, len(self.entries)):
            silent = self.entries[at]
            if isinstance(silent, Answer) and seat in (None, silent.seat):
                prompt = self._prompt_at(at, silent.seat)
                if prompt.why_not(choice) is None:
                    fits.append((at, answer_to(prompt, choice, via)))
        if len({answer.seat for _, answer in fits}) > 1:
            seats = [answer.seat for _, answer in fits]
            names = [self.game.state.names[seat] for seat in seats]
            raise WhichOne(N_("Whose card is it? It fits {names}."), among=seats, names=names)
        if not fits:
            return None
        at, answer = fits[0]
        beside = [entry for entry in self.entries[at:] if isinstance(entry, Interjection)]
        return Splice(at, tuple(self.entries[at:]), (answer, *beside))

    def _prompt_at(self, at: int, seat: str) -> Prompt[Any]:
        """The question to a seat that entry `at` answered, offered on the state of then."""
        entries = list(self.entries)
        try:
            self._rewind(at)
            return _frozen_prompt(next(p for p in self.prompts if p.seat == seat))
        finally:
            self._restore(at, entries)

    def _skip_to(
        self, choice: Choice, seat: str | None, refusal: Refusal, via: str
    ) -> tuple[tuple[Entry, ...], Refusal]:
        """Answers that pass over optional questions up to one that takes the choice.

        Questions of the same seat are passed over; the last one of a turn also by the seat that
        is asked next, where the input tells whose it is.
        """
        entries = list(self.entries)
        asked = self.prompt.seat
        who = seat or asked
        come: list[Entry] = []
        first = refusal
        try:
            while refusal.how is Forbidden.ELSEWHERE and self._may_skip(who, asked):
                come.append(answer_to(self.prompt, PASS, SKIPPED))
                self._do(come[-1])
                if not self.run.open:
                    break
                prompt = self.prompt
                found = prompt.why_not(choice) if prompt.seat == who else refusal
                if found is None:
                    return (*come, answer_to(prompt, choice, via)), first
                refusal = found
        finally:
            self._restore(len(entries), entries)
        return (), first if refusal.how is Forbidden.ELSEWHERE else refusal

    def _may_skip(self, who: str, asked: str) -> bool:
        """Whether an input of `who` may pass over the open question, `asked` having the turn."""
        prompt = self.prompt
        if prompt.ends_turn:
            return prompt.skippable and prompt.seat == asked != who
        return prompt.skippable and prompt.seat == who


def _frozen_prompt(prompt: Prompt[Any]) -> Prompt[Any]:
    """The prompt with its refusals made now, for looking at after the state has moved on."""
    refusals = {choice: prompt.refusal_of(choice) for choice in prompt.candidates}
    return msgspec.structs.replace(prompt, predicate=refusals.get, cannot=allow)


def _leaves_silence_open(entry: Entry) -> bool:
    """Whether a card may still break a silence before this: no real action is done beside."""
    return is_silence(entry) or isinstance(entry, Interjection)
