"""Per 1 What a table decides before the game, as a record that describes itself."""

from __future__ import annotations

from companion.games.senapati.content import PLAYERS, Content, Field, action_deck
from companion.games.senapati.state import SenapatiState
from companion.rules import setups
from companion.rules.bounds import seat_of
from companion.rules.cards import Deck, Hand
from companion.rules.errors import BadSetup
from companion.rules.phrases import N_, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import SeatSetup, check_names, seat_ids


class Setup(SeatSetup, frozen=True):
    """A table's choices. `first` is the seat that begins the Lane Phase (ruling S10)."""

    first: str = "A"
    guide: bool = True
    """Whether the first turns explain what may be done."""


def fields() -> list[setups.Field]:
    """What is asked before a game, in order; the seats come first and are asked by themselves."""
    return [
        setups.Field("first", Phrase(N_("Who begins?")), default="random", seat=True),
        setups.Field(
            "guide", Phrase(N_("Explain what may be done in the first turns?")), default=True
        ),
    ]


def check(setup: Setup, field: Field, register: Register) -> None:
    """Raise BadSetup, saying what is allowed, when a table cannot be set up so."""
    if len(setup.seats) != PLAYERS:
        raise BadSetup(N_("{n} players: this game is for two (Per 1)."), n=len(setup.seats))
    seat_of(setup.first, seat_ids(PLAYERS))
    check_names(setup.seats)
    register.check(setup.rulings)
    board = field.board
    if setup.rulings.get("S1") == "defeat_row" and min(board.start) <= board.defeat_row:
        raise BadSetup(
            N_(
                "With ruling S1 = defeat_row no Senapati can start on row {row} or behind it. "
                "Change board.toml, or the ruling."
            ),
            row=board.defeat_row,
        )


def warnings(setup: Setup) -> list[Phrase]:
    """Ruling S17: what a table should know about its choices."""
    if setup.rulings.get("S17", "play_on") != "play_on":
        return [Phrase(N_("The rulebook knows no draw: ruling S17 is a setting of this table."))]
    return []


def new_state(setup: Setup, content: Content, field: Field, register: Register) -> SenapatiState:
    """Per 2, 3 The state before the first cards are drawn. Raises BadSetup."""
    check(setup, field, register)
    seats = seat_ids(PLAYERS)
    pieces = {
        f"senapati/{seat}/{lane}": field.start(seat, lane) for seat in seats for lane in field.lanes
    }
    return SenapatiState(
        seats=seats,
        names=dict(zip(seats, setup.seats, strict=True)),
        rulings=dict(setup.rulings),
        decks={deck: Deck(size, []) for deck, size in content.catalogue.sizes.items()},
        hands={seat: Hand({action_deck(seat): 0}, [], []) for seat in seats},
        in_play=[],
        active=setup.first,
        guide=setup.guide,
        pieces={**pieces, **{f"rajasa/{seat}": "" for seat in seats}},
    )
