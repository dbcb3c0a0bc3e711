"""§3, 4 What a table decides before the game, as a record that describes itself to every screen."""

from __future__ import annotations

from companion.games.chaos_kart.content import MOVE, Content, Track
from companion.games.chaos_kart.state import Kart, KartState
from companion.rules.bounds import seat_of
from companion.rules.cards import Deck, Hand
from companion.rules.errors import BadSetup
from companion.rules.phrases import N_, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, check_names, seat_ids

LEAST, MOST = 2, 8
"""§1 Players."""

MODES = {"quick": 1, "normal": 2, "long": 3}
"""§3 Laps by mode; any other number is allowed as well (ruling A12)."""

MOST_LAPS = 99

CLOCKWISE, COUNTER_CLOCKWISE = N_("clockwise"), N_("counter-clockwise")


class Setup(SeatSetup, frozen=True):
    """A table's choices. `first` is the seat that begins; `laps` the laps to win."""

    laps: int = MODES["normal"]
    direction: str = CLOCKWISE
    first: str = "A"
    guide: bool = True
    """Whether the first turns explain their phases."""


def fields() -> list[Field]:
    """What is asked before a game, in order; the seats come first and are asked by themselves."""
    return [
        Field(
            "laps",
            Phrase(N_("How many laps? 1 quick, 2 normal, 3 long, or any other number.")),
            default=MODES["normal"],
            least=1,
            most=MOST_LAPS,
        ),
        Field(
            "direction",
            Phrase(N_("Which way round the track?")),
            default=CLOCKWISE,
            choices=(CLOCKWISE, COUNTER_CLOCKWISE),
        ),
        Field("first", Phrase(N_("Who begins?")), default="random", seat=True),
        Field("guide", Phrase(N_("Explain the phases in the first turns?")), default=True),
    ]


def check(setup: Setup, track: Track, register: Register) -> None:
    """Raise BadSetup, saying what is allowed, when a table cannot be set up so."""
    players = len(setup.seats)
    if not LEAST <= players <= MOST:
        raise BadSetup(
            N_("{n} players: allowed are {least} to {most} (§1)."),
            n=players,
            least=LEAST,
            most=MOST,
        )
    if track.squares <= players:
        raise BadSetup(
            N_("{squares} squares are too few for {n} pawns: at least {least}."),
            squares=track.squares,
            n=players,
            least=players + 1,
        )
    if not 1 <= setup.laps <= MOST_LAPS:
        raise BadSetup(
            N_("{laps} laps: allowed is any number from 1 to {most} (§3)."),
            laps=setup.laps,
            most=MOST_LAPS,
        )
    if setup.direction not in (CLOCKWISE, COUNTER_CLOCKWISE):
        raise BadSetup(
            N_("{direction} is no direction. Allowed: {allowed}."),
            direction=setup.direction,
            allowed=[CLOCKWISE, COUNTER_CLOCKWISE],
        )
    seat_of(setup.first, seat_ids(players))
    check_names(setup.seats)
    register.check(setup.rulings)


def warnings(setup: Setup) -> list[Phrase]:
    """Ruling A6: what a table should know before it plays by the letter of §8.1, and A5."""
    found: list[Phrase] = []
    variant = setup.rulings.get("A6", "printed")
    players = len(setup.seats)
    if variant == "printed" and (setup.laps == 1 or players >= 5):
        found.append(
            Phrase(
                N_(
                    "By the letter of §8.1 a pawn bumped back over the line gains a lap on its "
                    "next step forward. With 1 lap or 5 and more players that can decide the "
                    "race after a few squares. Recommended: ruling A6 = reentry, or lap_debt for "
                    "tournaments."
                )
            )
        )
    if setup.rulings.get("A5") == "lap_on_entry":
        found.append(
            Phrase(
                N_(
                    "The entry gives a lap, so the laps to win are raised by one: {n}. Without "
                    "that, the first card would win a race of 1 lap (ruling A5)."
                ),
                {"n": setup.laps + 1},
            )
        )
    return found


def new_state(setup: Setup, content: Content, track: Track, register: Register) -> KartState:
    """§4 The state before the first cards are drawn. Raises BadSetup."""
    check(setup, track, register)
    seats = seat_ids(len(setup.seats))
    return KartState(
        seats=seats,
        names=dict(zip(seats, setup.seats, strict=True)),
        rulings=dict(setup.rulings),
        decks={deck: Deck(size, []) for deck, size in content.catalogue.sizes.items()},
        hands={seat: Hand({MOVE: 0}, [], []) for seat in seats},
        in_play=[],
        karts={seat: Kart(markers={}) for seat in seats},
        squares=track.squares,
        target=setup.laps,
        direction=setup.direction,
        tokens=_tokens(track, setup.direction),
        active=setup.first,
        guide=setup.guide,
    )


def _tokens(track: Track, direction: str) -> list[str]:
    """§2.1 The tokens by square counted forward; the board is printed clockwise."""
    tokens = [""] * track.squares
    for place in track.token:
        square = place.square if direction == CLOCKWISE else track.squares - place.square
        tokens[square] = place.token.value
    return tokens
