"""§2 What a table decides before the game, as a record that describes itself to every screen."""

from __future__ import annotations

from companion.games.carpet_racers.board import Mode
from companion.games.carpet_racers.content import DECK, Content
from companion.games.carpet_racers.state import CarpetState, Controller, Racer, Tags
from companion.games.carpet_racers.table import TRAP
from companion.rules.bounds import one_of, seat_of
from companion.rules.cards import Deck, Hand
from companion.rules.errors import BadSetup
from companion.rules.phrases import N_, Phrase
from companion.rules.rulings import Register
from companion.rules.setups import Field, SeatSetup, check_names, seat_ids

LEAST, MOST = 2, 5
"""Players: the rulebook has rules for three and five controllers; two is this project's option."""
SHORT = 3
"""§2.4 As many players, no fewer and no more, race two laps only."""


class Setup(SeatSetup, frozen=True):
    """A table's choices. `tags` says which of the secret things carry tags and stay sealed."""

    track: str = Mode.LIVING_ROOM.value
    tags: str = Tags.NONE.value
    first: str = "A"
    guide: bool = True
    """Whether the first turns explain their questions."""


def fields() -> list[Field]:
    """What is asked before a game, in order; the seats come first and are asked by themselves."""
    return [
        Field(
            "track",
            Phrase(N_("Which side of the board?")),
            default=Mode.LIVING_ROOM.value,
            choices=(N_("living-room"), N_("playground")),
        ),
        Field(
            "tags",
            Phrase(N_("Which secret tokens carry tags?")),
            default=Tags.NONE.value,
            choices=(N_("none"), N_("chips"), N_("chips and traps")),
        ),
        Field(
            "first",
            Phrase(N_("Who changed batteries last, and so begins?")),
            default="random",
            seat=True,
        ),
        Field("guide", Phrase(N_("Explain the questions in the first turns?")), default=True),
    ]


def check(setup: Setup, register: Register) -> None:
    """Raise BadSetup, saying what is allowed, when a table cannot be set up so."""
    players = len(setup.seats)
    if not LEAST <= players <= MOST:
        raise BadSetup(
            N_("{n} players: allowed are {least} to {most} (§2.3)."),
            n=players,
            least=LEAST,
            most=MOST,
        )
    one_of(setup.track, [mode.value for mode in Mode])
    one_of(setup.tags, [tags.value for tags in Tags])
    seat_of(setup.first, seat_ids(players))
    check_names(setup.seats)
    register.check(setup.rulings)


def warnings(setup: Setup) -> list[Phrase]:
    """What a table should know about its choices."""
    found: list[Phrase] = []
    if len(setup.seats) == LEAST:
        found.append(
            Phrase(
                N_(
                    "Two players are not in the rulebook: you race three laps, with three "
                    "automatic racers."
                )
            )
        )
    if len(setup.seats) < MOST and setup.rulings.get("R15") == "nobody":
        found.append(
            Phrase(N_("If an automatic racer’s car is in front, everybody loses (ruling R15)."))
        )
    return found


def new_state(setup: Setup, content: Content) -> CarpetState:
    """§2 The state before the first trap is laid."""
    seats = seat_ids(len(setup.seats))
    track = content.track
    controllers = list(content.controllers)
    tags = Tags(setup.tags)
    return CarpetState(
        seats=seats,
        names=dict(zip(seats, setup.seats, strict=True)),
        rulings=dict(setup.rulings),
        decks={
            DECK: Deck(content.catalogue.sizes[DECK], []),
            TRAP: Deck(sum(content.trap_totals.values()), []),
        },
        hands={seat: Hand({DECK: 0}, [], []) for seat in seats},
        in_play=[],
        racers={
            seat: Racer(controller) for seat, controller in zip(seats, controllers, strict=False)
        },
        controllers={controller: Controller() for controller in controllers},
        cars=dict.fromkeys(content.cars, track.start),
        laps=dict.fromkeys(content.cars, int(len(seats) == SHORT)),
        driven=dict.fromkeys(content.cars, track.from_line(track.start)),
        crossed=dict.fromkeys(content.cars, 0),
        tags=tags,
        guide=setup.guide,
        active=setup.first,
        to_fill=list(track.trapped),
        to_dock=list(controllers),
        to_insert=[] if tags is Tags.NONE else list(controllers),
    )
