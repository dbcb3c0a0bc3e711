"""What goes into a handset besides pushes, and what comes of it for the host."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.rules.setups import SeatSetup
from companion.rules.tags import TaggedThing, TagKind


class Misread(StrEnum):
    """Why a tap means nothing to the table."""

    UNKNOWN = "unknown"
    """Nobody has said yet what it is."""
    CROWD = "crowd"
    """Several tags at once: nobody knows which is meant."""
    OTHER_GAME = "other game"
    """It belongs to a game that is not played now."""


class Meaning(msgspec.Struct, frozen=True):
    """What a tap means, as the host has looked it up.

    `thing` is the choice that a card, token or piece stands for, the seal of what lies face down,
    or a seat's id. `tail`, the last
    four digits of the tag's UID, is all of it that is ever shown; `uid` only comes back in
    `Register`. `game` is the title of the other game.
    """

    kind: TagKind | Misread
    thing: str = ""
    tail: str = ""
    game: str = ""
    uid: str = ""


class Result(StrEnum):
    """What the host makes light and sound of."""

    NOTHING = "nothing"
    """Only the page has changed, if anything."""
    ACCEPTED = "accepted"
    """Done: the game has gone on or back, or a seat's tag was understood."""
    REFUSED = "refused"
    """Understood and not done; the page says why."""
    UNKNOWN = "unknown"
    """Not understood: an unknown tag, two tags, a tag of another game."""


class Register(msgspec.Struct, frozen=True):
    """The unknown tag is to be bound to this thing. The host tells by `notice` what came of it."""

    uid: str
    tail: str
    thing: TaggedThing


class NewGame(msgspec.Struct, frozen=True):
    """Another game is to begin; this one stays and can be gone on with."""


class Stop(msgspec.Struct, frozen=True):
    """The device is to be switched off."""


class Speak(msgspec.Struct, frozen=True):
    """The handset speaks this language from now on."""

    language: str


class Begin(msgspec.Struct, frozen=True):
    """A new game: its name on the shelf, the set-up, the language of the table."""

    game: str
    setup: SeatSetup
    language: str


class Resume(msgspec.Struct, frozen=True):
    """Go on with an open game, by its number in the journal."""

    number: int
    language: str


Wish = Register | NewGame | Stop | Speak | Begin | Resume
"""What only the host can do."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of a push or a tap, and what the host is asked to do."""

    result: Result
    wish: Wish | None = None


NOTHING = Outcome(Result.NOTHING)
ACCEPTED = Outcome(Result.ACCEPTED)
REFUSED = Outcome(Result.REFUSED)
UNKNOWN = Outcome(Result.UNKNOWN)
