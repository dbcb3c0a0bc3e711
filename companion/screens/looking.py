"""Commands that change nothing: why, the rules, the log, what was missed, help."""

from __future__ import annotations

from companion.rules.errors import NotUnderstood, Refused
from companion.rules.phrases import N_
from companion.screens.commands import ALL, COMMANDS, NOT, Command, Commands, listed
from companion.screens.desk import HAPPENED, Desk, joined
from companion.screens.reading import fold, read_number, read_seat, shorten
from companion.screens.showing import refused
from companion.screens.telling import error_phrase, flow

LOGGED = 5
"""How many answers the log shows unless more are asked for."""


class Looking(Desk):
    """Looks things up."""

    def _why(self, rest: str) -> str:
        """The reason of the last refusal or event, of a numbered event, or of a refusal to come."""
        words = rest.split(None, 1)
        if words and fold(words[0]) in NOT:
            return self._why_not(words[1] if len(words) > 1 else "")
        if not rest and self._refusal is not None:
            return self._text(self.teller.why_refused(self._refusal))
        number = read_number(rest.strip("[]")) if rest else len(self.session.log(self.who)) - 1
        if number is None:
            raise NotUnderstood(
                N_("“{typed}” is no number of an event. Say why <number>, or why not <card>."),
                typed=shorten(rest),
            )
        return self._text(self.teller.why(number))

    def _why_not(self, rest: str) -> str:
        """What would come of an answer, tried on a copy of the game."""
        if not rest:
            return self._text([self._say(N_("Say which: why not <card>.")), *self._refused_now()])
        seat, text = self._who_says(rest)
        choice = self._read(text, seat)
        self._need_rules()
        try:
            self.session.fork().answer(choice, seat)
        except Refused as error:
            return self._text(self.teller.why_refused(error.refusal))
        return self._say(N_("{choice}: that may be chosen now."), choice=self.wording.label(choice))

    def _refused_now(self) -> list[str]:
        """The reasons for which candidates are refused, each with what it concerns."""
        reasons: dict[str, list[str]] = {}
        for one in refused(self.session, self.wording, self.who):
            reason = self._say(error_phrase(Refused(one.refusal)))
            reasons.setdefault(reason, []).append(self._say(one.label))
        return [
            line
            for reason, labels in reasons.items()
            for line in (reason, "    " + ", ".join(labels))
        ]

    def _rules(self, rest: str) -> str:
        if not rest:
            return joined(
                [self._say(N_("Say rules <card, word or section>.")), *self.teller.contents()]
            )
        return self._text(self.teller.search(rest))

    def _log(self, rest: str) -> str:
        if not self.session.entries:
            return self._say(N_("Nothing has been done yet."))
        if fold(rest) in ALL:
            return joined(self.teller.log(None))
        most = read_number(rest) if rest else LOGGED
        if most is None or most < 1:
            raise NotUnderstood(
                N_("“{typed}” is no number. Say log, log 20 or log all."), typed=shorten(rest)
            )
        return joined(self.teller.log(most))

    def _missed(self, rest: str) -> str:
        """Whose turn it is, and what a player has missed; without a name, who is asked."""
        shown = self.shown()
        by = self._by or shown.seat or next(iter(self._seats))
        seat = read_seat(rest, self._seats) if rest else by
        lines = self._title(shown) + self._question(shown)
        happened = self._told_since(seat)
        told = N_("Since {who} last did something:")
        lines.append(self._say(told, who=self._seats.get(seat, seat)))
        return joined([*lines, *(happened or ["  " + self._say(N_("nothing."))])])

    def _told_since(self, seat: str) -> list[str]:
        """What a seat has missed and this screen may show, the last of it."""
        missed = {id(event) for event in self.session.missed(seat)}
        mine = [n for n, event in enumerate(self.session.log(self.who)) if id(event) in missed]
        at = [self.teller.numbered(number) for number in mine[-3 * HAPPENED :]]
        return flow(at, self.columns, gap="  ")

    def _standings(self, _rest: str) -> str:
        return joined(self.teller.table(self.shown()))

    def _help(self, rest: str) -> str:
        if rest:
            return joined(
                Commands(*COMMANDS.all, *self._beside_commands(), *self.hands).help(rest, self._say)
            )
        start = N_(
            "Type a card's name, a number or an option's letter; the Enter key alone passes. "
            "A player's name before it says who answers: Budi: shield."
        )
        lines = [self._say(start), *listed([*COMMANDS.all, *self._beside_commands()], self._say)]
        if self.hands:
            lines += [self._say(N_("Hands at the simulated devices:"))]
            lines += listed(self.hands, self._say)
        return joined(lines)

    def _beside_commands(self) -> list[Command]:
        """What may be done beside the open question, as commands."""
        names = self.wording.names()
        offers = {offer.key: offer for offer in self._offers()}
        return [
            Command((key, *names.get(key, ())), self._usage(offer), self.wording.ask(offer))
            for key, offer in offers.items()
        ]
