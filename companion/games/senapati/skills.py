"""Per 17, 18, Cara 11 Skill cards: what each of them does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.games.senapati.content import SKILL
from companion.games.senapati.effects import (
    Draw,
    Effect,
    Guard,
    Move,
    Pattern,
    Pin,
    Push,
    Revive,
    Sort,
    Swap,
)
from companion.games.senapati.happenings import NoEffect, Pushed, Returned
from companion.games.senapati.moves import Moves
from companion.games.senapati.state import Mark
from companion.games.senapati.table import is_rajasa, owner
from companion.rules.grids import CROSS, PLUS, Direction
from companion.rules.prompts import Prompt

WAYS: dict[Pattern, tuple[Direction, ...]] = {
    Pattern.PLUS: PLUS,
    Pattern.CROSS: CROSS,
    Pattern.BOTH: (*PLUS, *CROSS),
}


class Skills(Moves):
    """Per 18."""

    async def carry_out(self, seat: str, card: str) -> None:
        """Per 18 Do what a skill card says, one effect after the other, then it is used up."""
        with self.because(self.play(seat, card, "Per 18")):
            self.state.used_skill = True
            self.state.positions = {}
            for effect in self.content.skills[card].effects:
                await self.do(effect, seat, card)
            self.discard_from_play(seat, card, "Per 18")

    async def do(self, effect: Effect, seat: str, card: str) -> None:
        """Per 18 One effect; what can only be done in one way is not asked."""
        targets = self.targets(effect, seat)
        if not targets:
            self.record(NoEffect(rule="Per 18", seat=seat, card=card))
            return
        number = self.content.skills[card].effects.index(effect)
        target = targets[0]
        if len(targets) > 1:
            target = await self.ask(self.offer_target, seat, card, number)
        DO[type(effect)](self, effect, seat, target)

    def offer_target(self, seat: str, card: str, number: int) -> Prompt[str]:
        """Per 18 The squares or moves that an effect can be used on."""
        effect = self.content.skills[card].effects[number]
        return Prompt(
            f"skill-{ASKS[type(effect)]}",
            seat,
            "Per 18",
            tuple(self.targets(effect, seat)),
            args={"card": card},
            where=self.field.cells_of,
        )

    def targets(self, effect: Effect, seat: str) -> Sequence[str]:
        """Per 18 All that an effect could be used on now; "" where there is nothing to choose."""
        return tuple(TARGETS[type(effect)](self, effect, seat))

    def is_useful(self, card: str, seat: str) -> bool:
        """Per 18 Whether any part of a skill card could do something now."""
        return any(self.targets(effect, seat) for effect in self.content.skills[card].effects)

    # -- moving --------------------------------------------------------------------------------

    def of_sort(self, sort: Sort, seat: str) -> Iterator[str]:
        """A player's pieces of a sort on the board."""
        for piece in self.on_board(seat):
            if sort is Sort.ANY or is_rajasa(piece) == (sort is Sort.RAJASA):
                yield piece

    def skill_moves(self, effect: Move, seat: str) -> Iterator[str]:
        """Per 18 From and to, for pieces that nothing holds."""
        for piece in self.of_sort(effect.piece, seat):
            if not self.is_marked(piece, Mark.PINNED):
                for direction in WAYS[effect.pattern]:
                    yield from self.along(effect, piece, direction)

    def along(self, effect: Move, piece: str, direction: Direction) -> Iterator[str]:
        """Per 18 The moves in one direction up to what stands in the way."""
        start = self.cell(piece)
        for steps in range(1, effect.steps + 1):
            end = self.field.grid.step(start, direction, steps)
            if not end:
                return
            there = self.piece_at(end)
            if self.may_end(effect, piece, there):
                yield f"{start}-{end}"
            if there and not effect.jumps:
                return

    def may_end(self, effect: Move, piece: str, there: str) -> bool:
        """Per 18 Whether a skill's move may end where `there` stands, "" for nothing."""
        if not there:
            return True
        enemy = owner(there) != owner(piece)
        return effect.captures and enemy and not self.is_marked(there, Mark.GUARDED)

    def do_move(self, effect: Move, seat: str, target: str) -> None:
        """Per 18 A further move."""
        start, end = target.split("-")
        self.move(seat, start, end, "Per 18")

    # -- pushing -------------------------------------------------------------------------------

    def pushable(self, effect: Push, seat: str) -> Iterator[str]:
        """Per 18 Enemy Senapati with a free square behind them."""
        for piece in self.of_sort(Sort.SENAPATI, self.other(seat)):
            if self.behind(piece, effect.steps):
                yield self.cell(piece)

    def behind(self, piece: str, steps: int) -> str:
        """Per 18 The farthest of so many free squares behind a piece, "" for none."""
        way = (0, -1) if self.field.row(owner(piece), 1) == 1 else (0, 1)
        reached = ""
        for count in range(1, steps + 1):
            cell = self.field.grid.step(self.cell(piece), way, count)
            if not cell or self.piece_at(cell):
                break
            reached = cell
        return reached

    def do_push(self, effect: Push, seat: str, target: str) -> None:
        """Per 18 Push an enemy Senapati back."""
        piece = self.piece_at(target)
        end = self.behind(piece, effect.steps)
        pushed = Pushed(
            rule="Per 18", seat=owner(piece), piece=piece, by=seat, start=target, end=end
        )
        self.put_piece(piece, end, pushed)

    # -- changing places -----------------------------------------------------------------------

    def pairs(self, effect: Swap, seat: str) -> Iterator[str]:
        """Per 18 Every two of one's own pieces of which none is held."""
        cells = [self.cell(p) for p in self.on_board(seat) if not self.is_marked(p, Mark.PINNED)]
        for number, one in enumerate(cells):
            yield from (f"{one}-{two}" for two in cells[number + 1 :])

    def do_swap(self, effect: Swap, seat: str, target: str) -> None:
        """Per 18 Two pieces change places."""
        one, two = target.split("-")
        first, second = self.piece_at(one), self.piece_at(two)
        self.go(first, two, "Per 18")
        self.go(second, one, "Per 18")

    # -- marks ---------------------------------------------------------------------------------

    def to_pin(self, effect: Pin, seat: str) -> Iterator[str]:
        """Per 18 Enemy pieces without a mark of this kind."""
        for piece in self.of_sort(effect.piece, self.other(seat)):
            if not self.is_marked(piece, Mark.PINNED):
                yield self.cell(piece)

    def to_guard(self, effect: Guard, seat: str) -> Iterator[str]:
        """Per 18 Own pieces without a mark of this kind."""
        for piece in self.of_sort(effect.piece, seat):
            if not self.is_marked(piece, Mark.GUARDED):
                yield self.cell(piece)

    def do_mark(self, effect: Pin | Guard, seat: str, target: str) -> None:
        """Per 18 A piece gets a mark."""
        self.mark(self.piece_at(target), Mark.PINNED if isinstance(effect, Pin) else Mark.GUARDED)

    # -- coming back, drawing ------------------------------------------------------------------

    def to_revive(self, effect: Revive, seat: str) -> Iterator[str]:
        """Per 18 The squares to which the first lost Senapati can come back."""
        lost = self.lost(seat)
        if lost:
            yield from self.places_for(lost[0])

    def do_revive(self, effect: Revive, seat: str, target: str) -> None:
        """Per 18 A Senapati comes back, as after the Lane Phase (ruling S9)."""
        piece = self.lost(seat)[0]
        back = Returned(rule="Per 18", ruling="S9", seat=seat, piece=piece, end=target)
        self.put_piece(piece, target, back)

    def to_draw(self, effect: Draw, seat: str) -> Iterator[str]:
        """Per 18 Something to draw, if there is a card."""
        if self.skills_left():
            yield ""

    def do_draw(self, effect: Draw, seat: str, target: str) -> None:
        """Per 18 Take further skill cards, as many as there are."""
        self.draw(seat, SKILL, effect.count, "Per 18")


TARGETS: dict[type[Effect], Callable[[Skills, Any, str], Iterator[str]]] = {
    Move: Skills.skill_moves,
    Push: Skills.pushable,
    Swap: Skills.pairs,
    Pin: Skills.to_pin,
    Guard: Skills.to_guard,
    Revive: Skills.to_revive,
    Draw: Skills.to_draw,
}
DO: dict[type[Effect], Callable[[Skills, Any, str, str], None]] = {
    Move: Skills.do_move,
    Push: Skills.do_push,
    Swap: Skills.do_swap,
    Pin: Skills.do_mark,
    Guard: Skills.do_mark,
    Revive: Skills.do_revive,
    Draw: Skills.do_draw,
}
ASKS: dict[type[Effect], str] = {
    Move: "move",
    Push: "push",
    Swap: "swap",
    Pin: "pin",
    Guard: "guard",
    Revive: "revive",
    Draw: "draw",
}
