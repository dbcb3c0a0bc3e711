"""Commands that go back or set right: undo, amend, correct, force, rulings, seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules.errors import NotNow, NotUnderstood, Refused
from companion.rules.layouts import Shift
from companion.rules.lines import Answer
from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import Choice, Prompt
from companion.rules.setups import free_seat
from companion.screens.commands import OFF, ON
from companion.screens.correcting import read_correction, split_reason
from companion.screens.desk import joined
from companion.screens.looking import Looking
from companion.screens.reading import fold, read_choice, read_number, read_seat, shorten
from companion.screens.showing import DONE, shown_cards
from companion.screens.telling import error_phrase

LAST_ANSWERS = 10
"""How many answers are listed to be amended."""


class SettingRight(Looking):
    """Goes back, sets right, and changes who sits where."""

    def _undo(self, _rest: str) -> str:
        self.session.undo(by=self._by)
        self.redraw = True
        asks = self.session.consent is not None
        return "" if asks else self._say(N_("Taken back. redo does it again."))

    def _redo(self, _rest: str) -> str:
        self.session.redo(by=self._by)
        self.redraw = True
        return self._say(N_("Done again."))

    def _done(self, _rest: str) -> str:
        if self.session.consent is None and not self.session.put_back:
            return self._say(N_("There is nothing to put back."))
        self.session.answer(DONE, self._by or None, via=self.via)
        self.redraw = True
        return ""

    def _amend(self, rest: str) -> str:
        """Show what another answer would keep and lose, and do it when somebody says yes."""
        words = rest.split(None, 1)
        if len(words) < 2:
            listed = self.teller.answers(LAST_ANSWERS)
            how = self._say(N_("Say amend <number> <choice>. The last answers:"))
            return joined([how, *listed])
        self._need_rules()
        number = read_number(words[0])
        if number is None:
            raise NotUnderstood(
                N_("“{typed}” is no number of an answer. amend alone lists them."),
                typed=shorten(words[0]),
            )
        choice = self._read_for(number - 1, words[1])
        preview = self.session.preview_amend(number - 1, choice)
        entry = self.session.entries[number - 1]
        by = self._by or entry.by
        question = Phrase(
            N_("Answer {number} becomes {who}: {choice}. Do it? yes or no"),
            {
                "number": number,
                "who": self.wording.label(entry.by),
                "choice": self.wording.label(choice),
            },
        )
        kept = Phrase(
            N_("{n} later answer stays."), {"n": preview.kept}, N_("{n} later answers stay.")
        )
        lost = Phrase(
            N_("{n} later answer has to be given again."),
            {"n": len(preview.lost)},
            N_("{n} later answers have to be given again."),
        )
        return self._ask_first(
            question,
            (kept, lost) if preview.lost else (kept,),
            lambda: self._amended(number - 1, choice, by),
        )

    def _read_for(self, at: int, text: str) -> Choice:
        """A choice for an earlier answer: a number where that was one."""
        entries = self.session.entries
        old = entries[at] if 0 <= at < len(entries) else None
        number = read_number(text)
        if isinstance(old, Answer) and isinstance(old.choice, int) and number is not None:
            return number
        return read_choice(text, None, (), self._names, self._label(None))

    def _amended(self, at: int, choice: Choice, by: str) -> str:
        self.session.amend(at, choice, by=by, via=self.via)
        return "" if self.session.consent is not None else self._say(N_("Amended."))

    def _correct(self, rest: str) -> str:
        """Try a correction on a copy, show what it changes, and do it when somebody says yes."""
        if not rest:
            listed = self.teller.places()
            how = self._say(N_("Say correct and one of these with its right place:"))
            return joined([how, *listed])
        self._need_rules()
        text, reason = split_reason(rest)
        layout = self.session.view(self.who).layout
        thing, place = read_correction(
            text, layout, self._seats, self._names, self.wording.things()
        )
        lost = self.session.fork().correct(thing, place).lost
        question = Phrase(
            N_("Correct to: {after}. Until now: {before}. Do it? yes or no"),
            {
                "after": self.wording.place(Shift(thing, None, place)),
                "before": self.wording.place(Shift(thing, None, layout.get(thing))),
            },
        )
        again = Phrase(
            N_("{n} later answer has to be given again."),
            {"n": len(lost)},
            N_("{n} later answers have to be given again."),
        )
        by = self._by
        return self._ask_first(
            question,
            (again,) if lost else (),
            lambda: self._corrected(thing, place, by, reason),
        )

    def _corrected(self, thing: str, place: Any, by: str, reason: str) -> str:
        self.session.correct(thing, place, by=by, reason=reason)
        return self._say(N_("Corrected. undo takes it back."))

    def _force(self, rest: str) -> str:
        self._need_argument(rest, "force")
        self._need_rules()
        seat, text = self._who_says(rest)
        choice = self._read(text, seat)
        try:
            self.session.force(choice, seat, by=self._by or seat or "", via=self.via)
        except Refused as error:
            self.failed = True
            cannot = self._say(N_("This cannot be forced. Undo or correct instead."))
            return self._text([self._say(error_phrase(error)), cannot])
        self.redraw = True
        return self._say(N_("Done, because the table agrees. undo takes it back."))

    def _ruling(self, rest: str) -> str:
        """Show a ruling, or decide it otherwise from now on."""
        register = self.session.game.register
        words = rest.split()
        known = {fold(ruling): ruling for ruling in register.rulings}
        if not words or fold(words[0]) not in known:
            raise NotUnderstood(
                N_("Say ruling <id> <variant>. These may be chosen: {names}."),
                names=[ruling.id for ruling in register.switches],
            )
        ruling = register.rulings[known[fold(words[0])]]
        if len(words) == 1:
            return self._text(self.teller.ruling(ruling))
        self._need_rules()
        self.session.choose_ruling(ruling.id, fold(words[1]), by=self._by)
        self.redraw = True
        return self._text([self.teller.ruling_in_force(ruling)])

    # -- beside the question, seats -------------------------------------------------------------

    def _beside(self, key: str, rest: str) -> str:
        """Something that a seat, or anybody, does beside the open question."""
        self._need_rules()
        offers = self._offers(key)
        if all(offer.only_shows for offer in offers):
            return self._look(offers)
        self._need_argument(rest, key)
        anybody = not any(offer.seat for offer in offers)
        seat, text = (self._by, rest) if anybody else self._seat_and_text(rest, key)
        prompts = [offer for offer in offers if offer.seat in ("", seat)]
        if not prompts:
            raise NotNow(N_("This cannot be done beside the open question."))
        words = {"on": ON, "off": OFF}
        short = next((choice for choice, said in words.items() if fold(text) in said), None)
        known = short if short in prompts[0].candidates else None
        choice = known or read_choice(text, prompts[0], (), self._names, self._label(prompts[0]))
        self.session.interject(key, seat, choice, via=self.via)
        self.redraw = True
        who = self._seats.get(seat) or self.wording.label(choice, prompts[0])
        return self._say(N_("Noted for {who}."), who=who)

    def _look(self, offers: Sequence[Prompt[Any]]) -> str:
        """What a player may look at again, on a screen that is that player's own."""
        mine = [offer for offer in offers if offer.seat == self.who]
        if not mine:
            raise NotNow(N_("Only one player may see this: use the small display."))
        return self._text([self._looked_at(offer) for offer in mine])

    def _looked_at(self, offer: Prompt[Any]) -> str:
        cards = shown_cards(self.session, self.wording, self.who, offer)
        question = self.wording.ask(offer)
        return self._say(N_("{question}: {names}"), question=question, names=list(cards))

    def _join(self, rest: str) -> str:
        self._need_argument(rest, "join")
        seat = free_seat(self.session.game.state.names)
        self.session.join(seat, rest, by=self._by)
        self.redraw = True
        return self._say(N_("{who} joins."), who=rest)

    def _leave(self, rest: str) -> str:
        """Ask first: a player who leaves takes pieces and cards along."""
        self._need_argument(rest, "leave")
        seat, by = read_seat(rest, self._seats), self._by
        self._need_rules()
        who = self._seats[seat]

        def leave() -> str:
            self.session.leave(seat, by=by)
            return self._say(N_("{who} leaves."), who=who)

        return self._ask_first(
            Phrase(N_("{who} leaves the game? yes or no"), {"who": who}), (), leave
        )

    def _swap(self, rest: str) -> str:
        seat, text = self._seat_and_text(rest, "swap")
        self.session.swap(seat, read_seat(text, self._seats), by=self._by)
        self.redraw = True
        return self._say(N_("They have changed places."))
