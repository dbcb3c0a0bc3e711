"""§11 Calling UNO and being caught."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.games.uno_mario_kart.happenings import Caught, UnoCalled
from companion.games.uno_mario_kart.rounds import Rounds
from companion.games.uno_mario_kart.state import Phase
from companion.rules.phrases import N_
from companion.rules.prompts import Prompt, Refusal, elsewhere

UNO, CATCH = "uno", "catch"
PENALTY = 2
"""§11 Cards for who forgot."""


class Calls(Rounds):
    """§11."""

    def must_call(self, seat: str) -> None:
        """§11 One card is left: UNO has to be called, unless it was while the card was laid."""
        state = self.state
        if state.called != seat and seat not in state.due:
            state.due.append(seat)

    def close_window(self, seat: str) -> None:
        """Ruling U16: who acts next closes the window in which others can be caught.

        As `own_next_turn` only the seat's own next act does.
        """
        due = self.state.due
        if self.ruling("U16") == "next_act":
            due.clear()
        elif seat in due:
            due.remove(seat)

    def offer_calls(self) -> Iterator[Prompt[str]]:
        """§11 Everybody may call UNO or catch who did not; the call counts if both come at once.

        The last offer is for a button that all share.
        """
        race = bool(self.state.due)
        for seat in self.state.seats:
            why_not = partial(self.why_not_call, seat)
            yield Prompt(UNO, seat, "11", (UNO,), why_not, race=race)
        for seat in (*self.state.seats, ""):
            why_not = partial(self.why_not_catch, seat)
            yield Prompt(CATCH, seat, "11", (CATCH,), why_not, race=race)

    def why_not_call(self, seat: str, _uno: str) -> Refusal | None:
        """§11 UNO is due with one card, and may be called just before laying the last but one."""
        state = self.state
        if seat in state.due:
            return None
        about_to = state.phase in (Phase.TURN, Phase.DRAWN) and seat == state.active
        if about_to and self.size(seat) == 2 and state.called != seat:
            return None
        return NO_CALL

    def why_not_catch(self, seat: str, _catch: str) -> Refusal | None:
        """§11, ruling U16: somebody else must have one card without having called UNO."""
        return None if any(due != seat for due in self.state.due) else NO_CATCH

    def call(self, seat: str) -> None:
        """§11 UNO is called in time; or at once with the card that is about to be laid."""
        state = self.state
        if seat in state.due:
            state.due.remove(seat)
        else:
            state.called = seat
        self.record(UnoCalled(rule="11", seat=seat))

    def catch(self, by: str) -> None:
        """§11, ruling U16: who forgot to call draws two; of several, who laid last."""
        seat = next(due for due in reversed(self.state.due) if due != by)
        self.state.due.remove(seat)
        with self.because(self.record(Caught(rule="11", ruling="U16", seat=seat, by=by))):
            self.take(seat, PENALTY, "11")


NO_CALL = elsewhere(
    "11", N_("There is no UNO for you to call now. It costs nothing."), ruling="U25"
)
NO_CATCH = elsewhere("11", N_("Nobody can be caught now. It costs nothing."), ruling="U25")
