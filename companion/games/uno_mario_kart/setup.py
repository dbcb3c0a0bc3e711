"""§2, 5, 14 What a table decides before the game, as a record that describes itself."""

from __future__ import annotations

from companion.games.uno_mario_kart.content import STOCK, Content
from companion.games.uno_mario_kart.rounds import FIRST_HAND
from companion.games.uno_mario_kart.state import Phase, UnoState
from companion.rules.bounds import seat_of
from companion.rules.cards import Deck, Hand
from companion.rules.errors import BadSetup
from companion.rules.phrases import N_, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, check_names, seat_ids

LEAST, MOST = 2, 10
"""§2 Players."""
TARGET, MOST_POINTS = 500, 10_000
"""§14 Points to win, and the most that a table can choose."""

DEALER, FIRST, DRAW = N_("dealer"), N_("first player"), N_("draw cards")
STARTS = (DEALER, FIRST, DRAW)
"""§5.1 How the game begins: with a dealer or first player who is named, or one found by cards."""


class Setup(SeatSetup, frozen=True):
    """A table's choices. `who` is the seat that is meant by `start`, unless cards are drawn."""

    target: int = TARGET
    start: str = DEALER
    who: str = "A"
    guide: bool = True
    """Whether the first round explains what may be done."""


def fields() -> list[Field]:
    """What is asked before a game, in order; the seats come first and are asked by themselves."""
    return [
        Field(
            "target",
            Phrase(N_("How many points win the game?")),
            default=TARGET,
            least=1,
            most=MOST_POINTS,
        ),
        Field(
            "start",
            Phrase(N_("Name the dealer, or who plays first, or draw cards for the deal?")),
            default=DEALER,
            choices=STARTS,
        ),
        Field(
            "who", Phrase(N_("Who is that? (Where cards are drawn: anybody.)")), "random", seat=True
        ),
        Field("guide", Phrase(N_("Explain the game in the first round?")), default=True),
    ]


def check(setup: Setup, content: Content, register: Register) -> None:
    """Raise BadSetup, saying what is allowed, when a table cannot be set up so."""
    players = len(setup.seats)
    if not LEAST <= players <= MOST:
        raise BadSetup(
            N_("{n} players: allowed are {least} to {most} (§2)."),
            n=players,
            least=LEAST,
            most=MOST,
        )
    if content.catalogue.sizes[STOCK] <= players * FIRST_HAND:
        raise BadSetup(
            N_("{n} cards are too few for {players} hands of seven."),
            n=content.catalogue.sizes[STOCK],
            players=players,
        )
    if not 1 <= setup.target <= MOST_POINTS:
        raise BadSetup(
            N_("{target} points: allowed is any number from 1 to {most}."),
            target=setup.target,
            most=MOST_POINTS,
        )
    if setup.start not in STARTS:
        raise BadSetup(
            N_("{start} is no way to begin. Allowed: {allowed}."),
            start=setup.start,
            allowed=list(STARTS),
        )
    seat_of(setup.who, seat_ids(players))
    check_names(setup.seats)
    register.check(setup.rulings)


def warnings(setup: Setup) -> list[Phrase]:
    """Ruling U9: what two players should know."""
    if len(setup.seats) > 2:
        return []
    if setup.rulings.get("U9") == "acts_as_skip":
        return [
            Phrase(
                N_(
                    "Reverse acts as a Skip for two players: not in the rulebook, a table setting "
                    "(ruling U9)."
                )
            )
        ]
    return [
        Phrase(
            N_(
                "The rulebook has no rule for two players: a Reverse only turns the direction, so "
                "the other one plays. Table setting: ruling U9 = acts_as_skip."
            )
        )
    ]


def new_state(setup: Setup, content: Content, register: Register) -> UnoState:
    """§5 The state before the first cards are dealt. Raises BadSetup."""
    check(setup, content, register)
    seats = seat_ids(len(setup.seats))
    before = seats[seats.index(setup.who) - 1]
    draws = setup.start == DRAW
    return UnoState(
        seats=seats,
        names=dict(zip(seats, setup.seats, strict=True)),
        rulings=dict(setup.rulings),
        decks={STOCK: Deck(content.catalogue.sizes[STOCK], [])},
        hands={seat: Hand({STOCK: 0}, [], []) for seat in seats},
        in_play=[],
        target=setup.target,
        guide=setup.guide,
        scores=dict.fromkeys(seats, 0),
        phase=Phase.LOTS if draws else Phase.DEAL,
        dealer=before if setup.start == FIRST else setup.who,
        to_draw=list(seats) if draws else [],
    )
