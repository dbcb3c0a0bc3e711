"""§2, 3 What a table decides before the game, as a record that describes itself to every screen."""

from __future__ import annotations

from companion.games.tapak_arwah.content import Content, deck_of
from companion.games.tapak_arwah.effects import CardSort
from companion.games.tapak_arwah.state import Pawn, Role, TapakState
from companion.rules.bounds import number, seat_of
from companion.rules.cards import Deck, Hand
from companion.rules.errors import BadSetup
from companion.rules.phrases import N_, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, check_names, seat_ids

PLAYERS = 2
"""§2"""

DICE, GHOST, HUMAN = N_("dice"), N_("ghost"), N_("human")
"""§3 Who begins: by the dice, or as the table says."""

LEAST_SIDES, USUAL_SIDES, MOST_SIDES = 4, 6, 20
MOST_ROUNDS = 999


class Setup(SeatSetup, frozen=True):
    """A table's choices. `ghost` is the seat that plays the ghost; `rounds` 0 is no limit."""

    ghost: str = "A"
    first: str = DICE
    rounds: int = 0
    die: int = USUAL_SIDES
    guide: bool = True
    """Whether the first turns explain their questions."""


def fields() -> list[Field]:
    """What is asked before a game, in order; the seats come first and are asked by themselves."""
    return [
        Field("ghost", Phrase(N_("Who is the ghost?")), default="random", seat=True),
        Field(
            "first",
            Phrase(N_("Who begins? By the dice, or one of you.")),
            default=DICE,
            choices=(DICE, GHOST, HUMAN),
        ),
        Field(
            "rounds",
            Phrase(N_("After how many rounds does the game end at the latest? 0 = no limit.")),
            default=0,
            least=0,
            most=MOST_ROUNDS,
        ),
        Field(
            "die",
            Phrase(N_("How many sides has your die?")),
            default=USUAL_SIDES,
            least=LEAST_SIDES,
            most=MOST_SIDES,
        ),
        Field("guide", Phrase(N_("Explain the questions in the first turns?")), default=True),
    ]


def check(setup: Setup, register: Register) -> None:
    """Raise BadSetup, saying what is allowed, when a table cannot be set up so."""
    if len(setup.seats) != PLAYERS:
        raise BadSetup(
            N_("{n} players: this game is for two, a ghost and a human (§2)."), n=len(setup.seats)
        )
    seats = seat_ids(PLAYERS)
    seat_of(setup.ghost, seats)
    if setup.first not in (DICE, GHOST, HUMAN):
        raise BadSetup(
            N_("{first} cannot begin. Allowed: {allowed}."),
            first=setup.first,
            allowed=[DICE, GHOST, HUMAN],
        )
    number(setup.rounds, 0, MOST_ROUNDS)
    number(setup.die, LEAST_SIDES, MOST_SIDES)
    check_names(setup.seats)
    register.check(setup.rulings)


def warnings(setup: Setup) -> list[Phrase]:
    """Rulings T1 and T3: what a table should know about its choices."""
    found: list[Phrase] = []
    if setup.rulings.get("T1") == "no_effect" and setup.die == USUAL_SIDES:
        found.append(
            Phrase(
                N_(
                    "With 5 and 6 as blanks attacks hurt less often: by day the human loses a "
                    "life in 1 of 6 attacks instead of 1 of 4, by night in 1 of 3 instead of "
                    "1 of 2 (ruling T1)."
                )
            )
        )
    if setup.rulings.get("T3") == "attack":
        found.append(
            Phrase(N_("The game begins with an attack: both pawns stand on the start (T3)."))
        )
    return found


def new_state(setup: Setup, content: Content, register: Register) -> TapakState:
    """§2 The state before anybody has rolled. Raises BadSetup."""
    check(setup, register)
    seats = seat_ids(PLAYERS)
    human = next(seat for seat in seats if seat != setup.ghost)
    roles = {setup.ghost: Role.GHOST, human: Role.HUMAN}
    first = {GHOST: setup.ghost, HUMAN: human}.get(setup.first, "")
    return TapakState(
        seats=seats,
        names=dict(zip(seats, setup.seats, strict=True)),
        rulings=dict(setup.rulings),
        decks={deck: Deck(size, []) for deck, size in content.catalogue.sizes.items()},
        hands={seat: Hand({deck_of(roles[seat], CardSort.BUFF): 0}, [], []) for seat in seats},
        in_play=[],
        pawns={seat: Pawn(markers={}, before=[]) for seat in seats},
        ghost=setup.ghost,
        sides=setup.die,
        limit=setup.rounds,
        guide=setup.guide,
        active=first or seats[0],
        first=first,
    )
