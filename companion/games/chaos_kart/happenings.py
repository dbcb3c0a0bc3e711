"""The events that only Chaos Kart has."""

from __future__ import annotations

from companion.rules.events import Event, Square


class TurnedAway(Event, frozen=True):
    """§15.5 A pawn that was about to come onto a guarded square goes elsewhere."""

    seat: str
    holder: str
    square: int
    end: Square


class Bumped(Event, frozen=True):
    """§9.1 A pawn is pushed back by another."""

    seat: str
    by: str


class StoodStill(Event, frozen=True):
    """§7.5 A movement of no squares: nothing is set off."""

    seat: str


class LapCompleted(Event, frozen=True):
    """§8.1 A lap card was gained; `laps` is how many there are now."""

    seat: str
    laps: int


class Capped(Event, frozen=True):
    """§15.2 Damage cut a move card short; the rest of its squares is lost."""

    seat: str
    printed: int
    steps: int


class Entered(Event, frozen=True):
    """§2.2, 7.4 A pawn came onto the track over the start/finish."""

    seat: str


class LapWithheld(Event, frozen=True):
    """Ruling A6: a forward crossing that only makes up for one backward gives no lap."""

    seat: str


class HitBend(Event, frozen=True):
    """§12 A movement passed or stopped on a bend."""

    seat: str
    square: int


class TokenUsed(Event, frozen=True):
    """§10, 11 A pawn stopped on a token."""

    seat: str
    square: int
    token: str


class EventIgnored(Event, frozen=True):
    """§18, ruling A57: an event token without a card, or one too many this turn."""

    seat: str


class TrapLaid(Event, frozen=True):
    """§13.1 A trap was laid on a square."""

    seat: str
    card: str
    square: int


class TrapSprung(Event, frozen=True):
    """§13.2 A trap was set off."""

    seat: str
    owner: str
    card: str
    square: int


class TrapRemoved(Event, frozen=True):
    """§13.3, 13.4 A trap was taken off the board."""

    seat: str
    card: str
    square: int


class Defended(Event, frozen=True):
    """§16 A defence was used; `means` is a marker or a card."""

    seat: str
    means: str


class NotDefended(Event, frozen=True):
    """§16 No defence was used."""

    seat: str


class NoEffect(Event, frozen=True):
    """A part of a card did nothing; the rule or ruling says why."""

    seat: str
    card: str


class JudgeAsked(Event, frozen=True):
    """Ruling A57: a chain so long that the table must decide."""

    seat: str


class PhaseBarred(Event, frozen=True):
    """§15.3 Being stunned bars the move phase of this turn."""

    seat: str
