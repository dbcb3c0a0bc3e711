"""The events that only Carpet Racers has."""

from __future__ import annotations

from typing import ClassVar

from companion.games.carpet_racers.board import Place
from companion.rules.events import Event


class ChipInserted(Event, frozen=True):
    """§3 A chip with a tag was put face down into a controller."""

    controller: str


class TrapPlaced(Event, frozen=True):
    """§2.8, 6.5 A trap from the supply was put face down on a space."""

    space: int


class DockFilled(Event, frozen=True):
    """§2.9 A trap from the supply was put face down on a dock."""

    controller: str


class SpaceFull(Event, frozen=True):
    """§6.5 Two traps lie on a space already."""

    space: int


class NoTrapLeft(Event, frozen=True):
    """Ruling R24: no trap is left, neither in the supply nor discarded."""


class Peeked(Event, frozen=True):
    """§4, 6.3.1 A player looks into a controller and takes its clue; all see that, not what."""

    seat: str
    controller: str

    def learners(self) -> tuple[str, ...]:
        return (self.seat,)


class NotPeeked(Event, frozen=True):
    """§4, 6.3.1 There is nobody's controller to look into, or no slot left for a clue."""

    seat: str


class Drove(Event, frozen=True):
    """§6.1, 8.1 A car has moved, forward or, by stops, back."""

    car: str
    start: Place
    end: Place
    spaces: int


class LapMarked(Event, frozen=True):
    """§6.1.1 A car has passed the start line; `lap` is the column of its marker now."""

    car: str
    lap: int


class RaceOver(Event, frozen=True):
    """§8 A lap marker has come to the chequered column."""

    car: str


class CatapultReached(Event, frozen=True):
    """§9 A catapult ends a car's movement; `left` spaces were not used."""

    car: str
    left: int


class RestLost(Event, frozen=True):
    """§9 Both cars are on catapults: the rest of the movement is not used."""

    left: int


class Launched(Event, frozen=True):
    """§9.1 The catapult was fired; `pips` is what the die showed: nobody rolls twice unnoticed."""

    car: str
    pips: int
    uncovers: ClassVar[bool] = True


class Landed(Event, frozen=True):
    """§9.1 A car has come to a sandcastle."""

    car: str
    castle: Place


class TrapWorks(Event, frozen=True):
    """§6.2 A trap works for the active player."""

    seat: str
    trap: str


class BonusGot(Event, frozen=True):
    """§6.3 A space gives its track bonus."""

    seat: str
    space: int


class Advanced(Event, frozen=True):
    """§6.3.1 A progress token goes up; `progress` is its space now."""

    seat: str
    progress: int


class ProgressEnds(Event, frozen=True):
    """Ruling R14: a progress token is at the end of its track."""

    seat: str


class HandLimitRaised(Event, frozen=True):
    """§6.6 A player may hold more cards from now on."""

    seat: str
    cards: int


class TokenGained(Event, frozen=True):
    """§6.3.2, 9, 10 Boosts of a colour, stops or stretch tokens were taken; `held` is the total.

    `token` is "stop", "stretch" or, for a boost, the car of its colour.
    """

    seat: str
    token: str
    count: int
    held: int


class TokenLost(Event, frozen=True):
    """§9.1, 10 Boosts or stretch tokens went back; `held` is what is left."""

    seat: str
    token: str
    count: int
    held: int


class NoBoost(Event, frozen=True):
    """§10 There is no boost to discard; or, by ruling R19, none left to take."""

    seat: str


class TrapTaken(Event, frozen=True):
    """§6.2.1 A player took a trap from the supply, looked at it and put it on the dock."""

    seat: str
    held: int

    def learners(self) -> tuple[str, ...]:
        return (self.seat,)


class TrapLaid(Event, frozen=True):
    """§6.2.1 A player laid a trap from the dock face down on a space."""

    seat: str
    space: int


class TrapBonusLost(Event, frozen=True):
    """Ruling R9: a player can neither take a trap nor lay one."""

    seat: str


class Looked(Event, frozen=True):
    """§6.3 A player looked at a trap on a space; all see where, and nothing more."""

    seat: str
    space: int

    def learners(self) -> tuple[str, ...]:
        return (self.seat,)


class NothingToLookAt(Event, frozen=True):
    """§6.3 No trap lies on the board."""

    seat: str


class EffectForbidden(Event, frozen=True):
    """§10 The card played has no effect this turn: a trap says it, or a trap has said it."""

    seat: str


class DrawForbidden(Event, frozen=True):
    """§6.6, 10 No new cards this turn: a trap says it, or a trap has said it."""

    seat: str


class NoCard(Event, frozen=True):
    """§6 A player has no card to play."""

    seat: str


class ChipRevealed(Event, frozen=True):
    """§8.1 A controller was opened: this car was the player's."""

    seat: str
    car: str
    uncovers: ClassVar[bool] = True


class StandsAt(Event, frozen=True):
    """§8.2 How far a player's car has come in the end, by ruling R16: lap, spaces from the line."""

    seat: str
    car: str
    lap: int
    spaces: int
