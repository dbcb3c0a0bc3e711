"""A tiny game of things that lie face down, for the tests of seals.

Each player lays a stone under the own cup. The first player may look under the other's, then all
cups are lifted, and whoever has a crimson stone wins. A bell is a tag of another sort.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from companion.rules.box import Box, Texts
from companion.rules.events import Event
from companion.rules.game import Game, State
from companion.rules.layouts import Layout, Place
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import PASS, SEEN, Choice, Prompt, Refusal, elsewhere, impossible
from companion.rules.rulings import Register
from companion.rules.seals import is_seal, sort_of
from companion.rules.setups import Field, SeatSetup, seat_ids
from companion.rules.tags import TaggedThing, TagKind, sealed_thing
from companion.rules.views import RingBoard, SeatView, View
from companion.rules.wording import Label

STONES = ("crimson", "indigo")
UNSEEN = "unseen"


class Laid(Event, frozen=True):
    seat: str


class Looked(Event, frozen=True):
    seat: str
    at: str

    def learners(self) -> tuple[str, ...]:
        return (self.seat,)


class Lifted(Event, frozen=True):
    seat: str
    stone: str


class CupsState(State, kw_only=True):
    cups: dict[str, str] = {}
    """What lies under the cup of each seat: a seal, or nobody knows."""
    stones: dict[str, str] = {}
    """What was under the cups that have been lifted."""
    looked: bool = False
    looks: dict[str, str] = {}
    """Who has looked under whose cup."""
    ready: bool = False


class Cups(Game[CupsState]):
    name: ClassVar[str] = "cups"

    async def step(self) -> None:
        state = self.state
        seat = next((seat for seat in state.seats if seat not in state.cups), "")
        if seat:
            stone = await self.ask(self.offer_lay, seat)
            state.cups[seat] = str(stone)
            self.record(Laid(rule="1", seat=seat))
        elif not state.looked:
            await self.look(state.seats[0])
        elif not state.ready:
            await self.ask(self.offer_ready, state.seats[1])
            state.ready = True
        else:
            await self.lift()

    async def look(self, seat: str) -> None:
        at = await self.ask(self.offer_look, seat)
        self.state.looked = True
        if at != PASS:
            self.state.looks[seat] = str(at)
            self.record(Looked(rule="2", seat=seat, at=str(at)))
            await self.ask(self.offer_peek, seat, str(at))

    async def lift(self) -> None:
        state = self.state
        for seat in state.seats:
            stone = await self.ask(self.offer_lift, seat)
            state.stones[seat] = str(stone)
            state.cups[seat] = ""
            self.record(Lifted(rule="3", seat=seat, stone=str(stone)))
        winners = tuple(seat for seat in state.seats if state.stones[seat] == STONES[0])
        self.end(winners, "3", "crimson")

    def offer_lay(self, seat: str) -> Prompt[str]:
        return Prompt(
            "lay", seat, "1", (UNSEEN,), self.why_not_lay, seals="stone", otherwise=self.no_stone
        )

    def why_not_lay(self, stone: str) -> Refusal | None:
        if is_seal(stone) and stone in self.state.cups.values():
            return impossible("1", "That one lies under another cup already.")
        return None

    def no_stone(self, choice: Choice) -> Refusal | None:
        return elsewhere("1", "That is no stone.") if is_seal(choice) else None

    def offer_look(self, seat: str) -> Prompt[str]:
        return Prompt("look", seat, "2", (*self.state.seats[1:], PASS))

    def offer_peek(self, seat: str, at: str) -> Prompt[str]:
        return Prompt("peek", seat, "2", (SEEN,), private=True, shows=(self.state.cups[at],))

    def beside(self) -> Sequence[Prompt[Any]]:
        """Who has looked may look again, until the cups are lifted."""
        state = self.state
        return [
            Prompt("again", seat, "2", (), private=True, shows=(state.cups[at],), args={"at": at})
            for seat, at in state.looks.items()
            if state.cups[at]
        ]

    def offer_ready(self, seat: str) -> Prompt[str]:
        return Prompt("ready", seat, "3", ("ready",))

    def offer_lift(self, seat: str) -> Prompt[str]:
        lies = self.state.cups[seat]
        return Prompt("lift", seat, "3", STONES, reveals=lies if is_seal(lies) else "")

    def layout(self) -> Layout:
        return {f"stone/{seat}": stone for seat, stone in self.state.stones.items()}

    def put(self, thing: str, place: Place) -> Refusal | None:
        return impossible("", "Nothing can be corrected here.")

    def view(self, who: str | None) -> View:
        state = self.state
        seats = tuple(
            SeatView(seat, state.names[seat], {"stone": int(seat in state.cups)}, {})
            for seat in state.seats
        )
        return View("cups", who, 1, state.seats[0], "", seats, RingBoard((), ()), ())


class CupsWording:
    """Words in English."""

    LABELS: ClassVar[Mapping[str, str]] = {"stone": "a stone", "bell": "a bell"}

    def __init__(self, game: Cups) -> None:
        self.game = game

    def ask(self, prompt: Prompt[Any]) -> Phrase:
        return Phrase("Please {key}", {"key": prompt.key})

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        called = {**self.LABELS, **self.game.state.names}
        key = sort_of(choice) or str(choice)
        return Named({"en": called.get(key, key)})

    def detail(self, choice: Choice) -> Label | None:
        return None

    def tell(self, event: Event) -> Phrase:
        what = getattr(event, "choice", getattr(event, "stone", ""))
        args = {"event": type(event).__name__, "what": self.label(what)}
        return Phrase("{event} {what}", args)

    def instruct(self, shift: object) -> Phrase | None:
        return None

    def place(self, shift: object) -> Phrase:
        return Phrase("{shift}", {"shift": str(shift)})

    def fact(self, kind: str, value: int | str) -> Phrase:
        return Phrase("{kind} {value}", {"kind": kind, "value": value})

    def phase(self, phase: str) -> Phrase:
        return Phrase(phase)

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        return None

    def things(self) -> Mapping[str, Sequence[str]]:
        return {}

    def names(self) -> Mapping[Choice, Sequence[str]]:
        return {word: (word,) for word in (*STONES, "yes", "no")}


class CupsBox(Box[SeatSetup, Cups]):
    """One crimson stone, two indigo ones and a bell."""

    name = "cups"
    title = Named({"en": "Cups"})
    seats = (2, 3)
    files = ()
    setup_type = SeatSetup

    def register(self) -> Register:
        return Register([], [])

    def fields(self) -> Sequence[Field]:
        return ()

    def check(self, content: Texts) -> list[Phrase]:
        return []

    def schemas(self) -> dict[str, dict[str, Any]]:
        return {}

    def begin(self, setup: SeatSetup, content: Texts) -> Cups:
        seats = seat_ids(len(setup.seats))
        names = dict(zip(seats, setup.seats, strict=True))
        return Cups(CupsState(seats=seats, names=names), self.register())

    def wording(self, game: Cups) -> CupsWording:
        return CupsWording(game)

    def tagged(self, content: Texts) -> list[TaggedThing]:
        stones = Phrase("stones")
        return [
            self.thing(TagKind.CARD, "ready", Phrase("ready"), Phrase("words")),
            *(
                sealed_thing("cups", "stone", stone, Phrase(f"{stone} stone"), stones, copies)
                for stone, copies in zip(STONES, (1, 2), strict=True)
            ),
            sealed_thing("cups", "bell", "brass", Phrase("brass bell"), Phrase("bells")),
        ]


BOX = CupsBox()


def cups() -> Cups:
    """A game of Ana, Budi."""
    return BOX.begin(SeatSetup(seats=("Ana", "Budi")), {})
