"""§1 What a table decides before a firefly night."""

from __future__ import annotations

from companion.rules.bounds import number, seat_of
from companion.rules.cards import Deck, Hand
from companion.rules.phrases import N_, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, check_names, seat_ids
from tests.sixth.content import DECK, Cards
from tests.sixth.state import NightState

LEAST, MOST = 2, 4


class Setup(SeatSetup, frozen=True):
    """A table's choices. `first` is the seat that begins."""

    first: str = "A"


def fields() -> list[Field]:
    """What is asked; the seats come first and are asked by themselves."""
    return [Field("first", Phrase(N_("Who begins?")), default="random", seat=True)]


def new_state(setup: Setup, cards: Cards, register: Register) -> NightState:
    """§1 Empty jars and hands, before the deal. Raises BadSetup, saying what is allowed."""
    number(len(setup.seats), LEAST, MOST)
    seats = seat_ids(len(setup.seats))
    check_names(setup.seats)
    register.check(setup.rulings)
    first = seat_of(setup.first, seats)
    return NightState(
        seats=seats,
        names=dict(zip(seats, setup.seats, strict=True)),
        rulings=dict(setup.rulings),
        decks={DECK: Deck(sum(card.count for card in cards.night))},
        hands={seat: Hand({DECK: 0}) for seat in seats},
        jars=dict.fromkeys(seats, 0),
        first=first,
        active=first,
    )
