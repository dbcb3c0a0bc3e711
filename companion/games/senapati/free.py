"""Cara 8 to 12, Per 13 to 19 The Free Phase: move, or give up a Senapati for a skill card."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.games.senapati.content import NO, SACRIFICE, SKILL, YES
from companion.games.senapati.happenings import DrawAnswered, Repeated, Sacrificed
from companion.games.senapati.moves import Taking
from companion.games.senapati.skills import Skills
from companion.games.senapati.state import Mark
from companion.games.senapati.table import is_rajasa, owner
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, elsewhere, impossible, refuse

THIRD = 3
"""Ruling S17 How often a position comes up before a draw is offered."""
QUIET = 30
"""Ruling S17 Turns without a piece taken that can end the game."""


class FreePhase(Skills):
    """Cara 8 to 12."""

    async def free_turn(self, seat: str) -> None:
        """Cara 8, ruling S12: move or sacrifice; a skill card may be used before that."""
        self.clear_play()
        self.check_stuck(seat)
        self.note_first_position()
        if self.state.repeated:
            await self.settle_repetition()
            return
        choice = await self.ask(self.offer_act, seat)
        if choice in self.content.skills:
            await self.use_skill(seat, choice)
        elif choice == SACRIFICE:
            await self.sacrifice(seat)
        else:
            start, end = choice.split("-")
            self.move(seat, start, end)
            self.next_free_turn()

    def clear_play(self) -> None:
        """A skill card that a correction left in the middle of its work is used up."""
        for card in list(self.state.in_play):
            self.discard_from_play(self.state.active, card, "Per 18")

    # -- Cara 8, 9 -----------------------------------------------------------------------------

    def offer_act(self, seat: str) -> Prompt[str]:
        """Cara 8 The moves of one's pieces, the sacrifice, the skill cards that one may hold."""
        taken = self.taken()
        return Prompt(
            "act",
            seat,
            "Cara 8",
            (*self.moves_of(seat), SACRIFICE, *self.content.skill_ids),
            partial(self.why_not_act, seat, taken),
            cannot=partial(self.cannot_act, seat, taken),
            source="hand",
            otherwise=partial(self.not_an_act, seat),
            where=self.field.cells_of,
        )

    def why_not_act(self, seat: str, taken: Taking, choice: str) -> Refusal | None:
        """Cara 8 Why the rules are against a move, the sacrifice or a skill card."""
        if choice in self.content.skills:
            return self.why_not_skill(seat, choice)
        if choice == SACRIFICE:
            return self.why_not_sacrifice()
        start, end = choice.split("-")
        return self.why_not_move(taken, start, end)

    def cannot_act(self, seat: str, taken: Taking, choice: str) -> Refusal | None:
        """Cara 8 Why something cannot be: no such card or piece, one's own piece in the way."""
        if choice in self.content.skills:
            return self.cannot_hold(seat, choice)
        if choice == SACRIFICE:
            return self.cannot_sacrifice(seat)
        start, end = choice.split("-")
        return self.cannot_move(seat, taken, start, end)

    def not_an_act(self, seat: str, choice: Choice) -> Refusal | None:
        """Per 13 No action cards any more; Per 14, 15 no moves further away."""
        if choice in self.content.action_of:
            return elsewhere("Per 13", N_("Action cards are not used in the Free Phase."))
        return self.no_such_move(seat, choice)

    def next_free_turn(self) -> None:
        """Cara 8 Turns alternate; what skill cards laid on pieces ends in its time."""
        state = self.state
        before, after = state.active, self.other(state.active)
        self.lift_marks(before, Mark.PINNED)
        self.lift_marks(after, Mark.GUARDED)
        state.active = after
        state.turn += 1
        state.used_skill = False
        state.quiet += 1
        self.count_turns()

    # -- Cara 11, Per 17 -----------------------------------------------------------------------

    async def sacrifice(self, seat: str) -> None:
        """Cara 11, Per 17 Give up a Senapati, take a skill card unseen; the turn is over."""
        own = [piece for piece in self.on_board(seat) if not is_rajasa(piece)]
        if len(own) == 1:
            cell = self.cell(own[0])
        else:
            cell = await self.ask(self.offer_sacrifice, seat)
        piece = self.piece_at(cell)
        self.state.pieces[piece] = ""
        self.forget_marks(piece)
        self.state.positions = {}
        with self.because(
            self.record(Sacrificed(rule="Per 17", seat=seat, piece=piece, start=cell))
        ):
            self.draw(seat, SKILL, 1, "Per 17")
        self.next_free_turn()

    def offer_sacrifice(self, seat: str) -> Prompt[str]:
        """Cara 11, Per 17 One's own Senapati, ruling S13: also the last one."""
        return Prompt(
            "sacrifice",
            seat,
            "Per 17",
            tuple(map(self.cell, self.on_board(seat))),
            cannot=self.cannot_give_up,
            otherwise=partial(self.not_ones_own, seat),
            where=self.field.cells_of,
        )

    def cannot_give_up(self, cell: str) -> Refusal | None:
        """Per 17 Only a Senapati."""
        if is_rajasa(self.piece_at(cell)):
            return impossible("Per 17", N_("Only a Senapati can be sacrificed."))
        return None

    def not_ones_own(self, seat: str, choice: Choice) -> Refusal | None:
        """Per 17 Only one's own."""
        if len(self.field.cells_of(choice)) != 1:
            return None
        return impossible("Per 17", N_("No piece of yours stands on {cell}."), cell=choice)

    def why_not_sacrifice(self) -> Refusal | None:
        """Per 17, ruling S13: not when there is no skill card to take."""
        if self.skills_left():
            return None
        return refuse("Per 17", N_("There is no skill card left to take."), "S13")

    def cannot_sacrifice(self, seat: str) -> Refusal | None:
        """Per 17 Without a Senapati there is nothing to give up."""
        if any(not is_rajasa(piece) for piece in self.on_board(seat)):
            return None
        return impossible("Per 17", N_("You have no Senapati left to sacrifice."))

    # -- Per 18 --------------------------------------------------------------------------------

    async def use_skill(self, seat: str, card: str) -> None:
        """Per 18, ruling S12: use a skill card; by default the turn's action is still to come."""
        await self.carry_out(seat, card)
        if self.ruling("S12") == "as_action":
            self.next_free_turn()

    def why_not_skill(self, seat: str, card: str) -> Refusal | None:
        """Per 18, ruling S12: at most one in a turn, and not one that could do nothing."""
        if self.state.used_skill:
            return refuse("Per 18", N_("You have used a skill card in this turn."), "S12")
        if not self.is_useful(card, seat):
            return refuse("Per 18", N_("It could do nothing now."))
        return None

    # -- Cara 12, Per 19 -----------------------------------------------------------------------

    def check_stuck(self, seat: str) -> None:
        """Cara 12, Per 19, ruling S14: who has no piece that can move has lost.

        That is looked at when a turn begins: after a skill card a sacrifice will still do.
        """
        if self.can_move(seat):
            return
        saved = self.state.used_skill or self.ruling("S14") == "sacrifice_saves"
        if saved and self.may_sacrifice(seat):
            return
        self.end((self.other(seat),), "Per 19", "stuck", "S14")

    def may_sacrifice(self, seat: str) -> bool:
        """Per 17 Whether a player could sacrifice a Senapati now."""
        return not self.why_not_sacrifice() and not self.cannot_sacrifice(seat)

    # -- ruling S17 ----------------------------------------------------------------------------

    def count_turns(self) -> None:
        """Ruling S17: by default the game goes on for ever; a table may choose an end."""
        ruling = self.ruling("S17")
        if ruling == "third_repetition":
            self.count_position()
        elif ruling == "thirty_turns" and self.state.quiet >= QUIET:
            self.end_by_count()

    def count_position(self) -> None:
        """Ruling S17, a variant: when a position comes up for the third time, offer a draw."""
        key = self.position()
        times = self.state.positions.get(key, 0) + 1
        self.state.positions[key] = times
        self.state.repeated = times >= THIRD
        if self.state.repeated:
            self.record(Repeated(rule="Per 19", ruling="S17", times=times))

    def note_first_position(self) -> None:
        """Ruling S17, a variant: the position that the Free Phase begins with counts, too."""
        state = self.state
        if self.ruling("S17") == "third_repetition" and not (state.positions or state.used_skill):
            self.count_position()

    def position(self) -> str:
        """Ruling S17 What makes two positions the same: whose turn, and what stands where."""
        kinds = (
            f"{cell}{owner(piece)}{'R' if is_rajasa(piece) else 'S'}"
            for piece, cell in self.state.pieces.items()
            if cell
        )
        return " ".join([self.state.active, *sorted(kinds), *self._held()])

    def _held(self) -> Iterator[str]:
        for mark, pieces in sorted(self.state.marks.items()):
            yield from sorted(f"{mark}{self.cell(piece)}" for piece in pieces)

    async def settle_repetition(self) -> None:
        """Ruling S17, a variant: a draw if both agree, first who is to move; else play on."""
        seat = self.state.active
        agreed = await self.ask(self.offer_draw, seat) == YES
        agreed = agreed and await self.ask(self.offer_draw, self.other(seat)) == YES
        self.state.repeated = False
        self.record(DrawAnswered(rule="Per 19", ruling="S17", agreed=agreed))
        if agreed:
            self.end(tuple(self.state.seats), "Per 19", "draw", "S17")

    def offer_draw(self, seat: str) -> Prompt[str]:
        """Ruling S17 Agree to a draw, or play on."""
        return Prompt("draw", seat, "Per 19", (YES, NO))

    def end_by_count(self) -> None:
        """Ruling S17, a variant: who has more pieces wins; as many are a draw."""
        counts = {seat: len(list(self.on_board(seat))) for seat in self.state.seats}
        most = max(counts.values())
        winners = tuple(seat for seat, count in counts.items() if count == most)
        self.end(winners, "Per 19", "pieces" if len(winners) == 1 else "draw", "S17")
