"""What all rules of Chaos Kart share: looking at the state, markers (§15), standings (§19)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import msgspec

from companion.games.chaos_kart.content import Content
from companion.games.chaos_kart.effects import Clauses, Effect
from companion.games.chaos_kart.markers import DAMAGED, MARKERS, STUNNED
from companion.games.chaos_kart.state import Kart, KartState
from companion.rules.cards import CardGame
from companion.rules.events import Moved, Square
from companion.rules.rulings import Register
from companion.rules.tracks import Ring

NO_CLAUSES = Clauses()


Target = tuple[Effect, list[str]]
"""An effect and the seats it concerns, in the order in which it happens to them."""


class Source(msgspec.Struct, frozen=True):
    """What makes effects happen: the card, the seat it acts for and the other party."""

    card: str
    actor: str
    rule: str
    other: str = ""
    attack: bool = False
    answered: tuple[str, ...] = ()
    """The seats that have had their one defence against it (§16)."""
    spared: tuple[str, ...] = ()
    """The markers that those seats have warded off."""
    used: tuple[str, ...] = ()
    """The seats that have used their defence."""


class Table(CardGame[KartState]):
    """The state as the rules look at it."""

    name: ClassVar[str] = "chaos-kart"
    deck_rule = "18"
    hand_rule = "17"
    state: KartState

    def __init__(self, state: KartState, content: Content, register: Register) -> None:
        super().__init__(state, register)
        self.content = content
        self.catalogue = content.catalogue

    # Defined further down the line of classes; movements and effects call each other.

    async def carry_out(self, effects: Sequence[Effect], source: Source) -> None:
        """§20 Do what a card says."""
        raise NotImplementedError

    async def left_after_defences(
        self, effects: Sequence[Effect], source: Source
    ) -> tuple[list[Target], Source]:
        """§16, 20.2 Whom a card's effects happen to once these have defended themselves."""
        raise NotImplementedError

    async def do_all(self, targets: Sequence[Target], source: Source) -> None:
        """§20 Do effects in order to whom they happen."""
        raise NotImplementedError

    async def move(self, seat: str, steps: int, *, back: bool, clauses: Clauses, rule: str) -> None:
        """§7 Move a pawn and settle all that follows."""
        raise NotImplementedError

    # -- looking -------------------------------------------------------------------------------

    @property
    def ring(self) -> Ring:
        """§2.1 The track."""
        return Ring(self.state.squares)

    def kart(self, seat: str) -> Kart:
        """A seat's pawn and markers."""
        return self.state.karts[seat]

    def others(self, seat: str) -> list[str]:
        """§20.2 The opponents of a seat, in turn order from it."""
        seats = self.state.seats
        start = seats.index(seat)
        return [*seats[start + 1 :], *seats[:start]]

    def from_active(self) -> list[str]:
        """All seats in turn order from the active one (ruling A11)."""
        return [self.state.active, *self.others(self.state.active)]

    def occupant(self, square: Square, besides: str) -> str | None:
        """Who else stands on a square."""
        if square is None:
            return None
        karts = self.state.karts
        for seat in self.state.seats:
            if seat != besides and karts[seat].square == square:
                return seat
        return None

    def token(self, square: Square) -> str:
        """§2.3 The token on a square, "" for none."""
        return "" if square is None else self.state.tokens[square]

    def cards_elsewhere(self) -> Iterator[str]:
        """§13 Traps lie on the board."""
        return (trap.card for trap in self.state.traps)

    @property
    def target(self) -> int:
        """§3, 15.1 Laps to win; ruling A5 raises it where the entry gives one."""
        return self.state.target + (self.ruling("A5") == "lap_on_entry")

    # -- §15 markers ---------------------------------------------------------------------------

    def count(self, seat: str, marker: str) -> int:
        """How many markers of a kind a seat has."""
        return MARKERS.count(self.kart(seat).markers, marker)

    def gain(self, seat: str, marker: str) -> None:
        """§15 Get a marker, as far as its cap allows."""
        MARKERS.add(self, seat, self.kart(seat).markers, marker, self.state.turn)

    def lose(self, seat: str, marker: str, rule: str, ruling: str | None = None) -> None:
        """§15 Lose a marker."""
        MARKERS.remove(self, seat, self.kart(seat).markers, marker, rule, ruling)

    def is_damaged(self, seat: str) -> bool:
        """§15.2 Whether a move card moves a pawn by two squares at the most."""
        return self.count(seat, DAMAGED) > 0

    def stun_acts(self, seat: str) -> bool:
        """§15.3 Whether being stunned bars this turn's move; got in one's own turn it waits."""
        held = self.kart(seat).markers.get(STUNNED)
        if not held:
            return False
        return held[0].starts > 0 or self.ruling("A42") == "immediate"

    # -- pawns ---------------------------------------------------------------------------------

    def put_pawn(self, seat: str, end: Square, rule: str, ruling: str | None = None) -> None:
        """Put a pawn on a square (or off the track) and write it down."""
        kart = self.kart(seat)
        start = kart.square
        kart.square = end
        kart.moves += 1
        if end is None:
            kart.entered = False
        self.record(Moved(rule=rule, ruling=ruling, seat=seat, start=start, end=end))

    # -- §19 standings -------------------------------------------------------------------------

    def progress(self, seat: str) -> tuple[int, int, int]:
        """§19 How close a seat is to winning; compares higher the closer (rulings A7, A59, A66).

        Outside is behind all; a pawn that owes a crossing stands behind the start/finish.
        """
        kart = self.kart(seat)
        if kart.square is None:
            return (-1, 0, 0)
        owed = self.owed(kart)
        return (kart.laps, -owed, -self.ring.to_line(kart.square))

    def owed(self, kart: Kart) -> int:
        """Forward crossings that will give a pawn no lap (rulings A6, A36)."""
        variant = self.ruling("A6")
        owed = 0 if kart.entered or self.ruling("A5") == "lap_on_entry" else 1
        if variant == "lap_debt":
            return owed + kart.debt
        if variant == "reentry" and kart.laps == 0 and kart.debt:
            return owed + 1
        return owed

    def leaders(self, seats: Sequence[str]) -> list[str]:
        """§19 Who is closest to winning among some seats: one, or several outside (A58)."""
        best = max(self.progress(seat) for seat in seats)
        return [seat for seat in seats if self.progress(seat) == best]

    def stragglers(self, seats: Sequence[str]) -> list[str]:
        """§19 Who is farthest from winning among some seats: one, or several outside."""
        worst = min(self.progress(seat) for seat in seats)
        return [seat for seat in seats if self.progress(seat) == worst]

    def nearest_ahead(self, seat: str) -> str | None:
        """§20.2 The nearest opponent in front on the track (ruling A3)."""
        return self._nearest(seat, forward=True)

    def nearest_behind(self, seat: str) -> str | None:
        """§20.2 The nearest opponent behind on the track (ruling A3)."""
        return self._nearest(seat, forward=False)

    def _nearest(self, seat: str, *, forward: bool) -> str | None:
        here = self.kart(seat).square
        if here is None:
            return None
        gaps: dict[str, int] = {}
        for other in self.others(seat):
            there = self.kart(other).square
            if there is not None:
                ends = (here, there) if forward else (there, here)
                gaps[other] = self.ring.distance(*ends)
        return min(gaps, key=gaps.__getitem__, default=None)
