"""§4.b, 4.c, 5 Movements, and what every kind of square does to the pawn that stops on it."""

from __future__ import annotations

from companion.games.tapak_arwah.carrying_out import CarryingOut
from companion.games.tapak_arwah.content import DICE, MOVES, Kind
from companion.games.tapak_arwah.happenings import DiceAdded, SquareSpent, StoppedOn
from companion.games.tapak_arwah.markers import EXTRA_TURN, NO_ATTACK, NO_BUFF, SKIP
from companion.games.tapak_arwah.state import Role

SECTIONS = {
    Kind.START: "1.1",
    Kind.WHITE: "5.5",
    Kind.GREEN: "5.1",
    Kind.PURPLE: "5.2",
    Kind.SACRED: "5.3",
    Kind.CURSED: "5.4",
    Kind.TRAP: "5.6",
    Kind.SWAP: "5.5.3",
    Kind.EXTRA_TURN: "5.5.4",
    **dict.fromkeys(DICE, "5.5.1"),
    **dict.fromkeys(MOVES, "5.5.2"),
}
"""The section that says what a kind of square does."""


class Squares(CarryingOut):
    """§4.b, 4.c, 5."""

    # -- §4.b, 4.c -----------------------------------------------------------------------------

    async def move(
        self, seat: str, steps: int, rule: str, ruling: str | None, chain: tuple[int, ...] = ()
    ) -> None:
        """§4.b Move a pawn, less than 0 for back; passing sets nothing off (rulings T17, T26)."""
        end = self.ring.forward(self.pawn(seat).square, steps)
        with self.because(self.put_pawn(seat, end, rule, ruling)):
            await self.arrive(seat, chain)

    async def arrive(self, seat: str, chain: tuple[int, ...]) -> None:
        """§4.c, 6 The square first, then the attack if the pawns are still together (ruling T6).

        One arrival is one attack at the most (ruling T4).
        """
        met, arrival, mine = self.together(), self.arrivals(), self.pawn(seat).moves
        attack_first = self.ruling("T6") == "attack_first"
        if met and attack_first:
            await self.contact(seat)
        if self.pawn(seat).moves == mine:
            await self.square_works(seat, chain)
        if met and not attack_first and self.arrivals() == arrival:
            await self.contact(seat)

    async def square_works(self, seat: str, chain: tuple[int, ...]) -> None:
        """§4.c, 5 What the square does; one that moves pawns works once in a chain (T28)."""
        square = self.pawn(seat).square
        kind = self.track.kinds[square]
        rule = SECTIONS[kind]
        if square in chain:
            self.record(SquareSpent(rule=rule, ruling="T28", seat=seat, square=square))
            return
        stopped = StoppedOn(rule=rule, seat=seat, square=square, kind=kind)
        with self.because(self.record(stopped)):
            await self.square_effect(seat, kind, (*chain, square))

    async def square_effect(self, seat: str, kind: Kind, chain: tuple[int, ...]) -> None:
        """§5 The kinds of squares, in the rulebook's order."""
        match kind:
            case Kind.GREEN:
                await self.green(seat)
            case Kind.PURPLE:
                await self.purple(seat)
            case Kind.SACRED:
                await self.sacred_ground(seat)
            case Kind.CURSED:
                await self.cursed_ground(seat)
            case Kind.TRAP:
                self.trap(seat)
            case _:
                await self.printed(seat, kind, chain)

    # -- §5.1, 5.2 -----------------------------------------------------------------------------

    async def green(self, seat: str) -> None:
        """§5.1 The human takes a buff, the ghost a debuff."""
        await self.take_one(seat, Role.HUMAN, "5.1")

    async def purple(self, seat: str) -> None:
        """§5.2 The ghost takes a buff, the human a debuff."""
        await self.take_one(seat, Role.GHOST, "5.2")

    async def take_one(self, seat: str, blessed: Role, rule: str) -> None:
        """§5.1, 5.2 One card of one's own deck (ruling T23): a buff is kept, a debuff works."""
        if self.role(seat) is blessed:
            self.draw(seat, self.buff_deck(seat), 1, rule, "T23")
        else:
            await self.turn_up_debuff(seat, rule)

    # -- §5.3, 5.4 -----------------------------------------------------------------------------

    async def sacred_ground(self, seat: str) -> None:
        """§5.3 The ghost cannot attack next turn (ruling T8); the human loses a debuff."""
        if self.role(seat) is Role.GHOST:
            self.gain(seat, NO_ATTACK)
        else:
            await self.remove_debuff(seat, "5.3")

    async def cursed_ground(self, seat: str) -> None:
        """§5.4 The human can use no buff next turn (ruling T9); the ghost loses a debuff."""
        if self.role(seat) is Role.HUMAN:
            self.gain(seat, NO_BUFF)
        else:
            await self.remove_debuff(seat, "5.4")

    # -- §5.5 ----------------------------------------------------------------------------------

    async def printed(self, seat: str, kind: Kind, chain: tuple[int, ...]) -> None:
        """§5.5 What is printed on a square; without anything, as on the start, it is neutral."""
        if kind in DICE:
            await self.dice_square(seat, DICE[kind], chain)
        elif kind in MOVES:
            await self.move(seat, MOVES[kind], "5.5.2", "T16", chain)
        elif kind is Kind.SWAP:
            self.swap_pawns(seat, "5.5.3")
        elif kind is Kind.EXTRA_TURN:
            self.gain(seat, EXTRA_TURN)

    async def dice_square(self, seat: str, change: int, chain: tuple[int, ...]) -> None:
        """§5.5.1 The next movement roll is changed, or by ruling T2 the pawn moves at once."""
        if self.ruling("T2") == "at_once":
            await self.move(seat, change, "5.5.1", "T2", chain)
            return
        pawn = self.pawn(seat)
        pawn.dice += change
        added = DiceAdded(rule="5.5.1", ruling="T2", seat=seat, change=change, dice=pawn.dice)
        self.record(added)

    # -- §5.6 ----------------------------------------------------------------------------------

    def trap(self, seat: str) -> None:
        """§5.6 The next turn is skipped; one at the most (ruling T13)."""
        self.gain(seat, SKIP)
