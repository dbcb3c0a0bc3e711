"""A tiny game for the kernel's own tests: count up to a number, with everything a game can do.

In turn a player adds 1, 2 or 3, or passes once both have added. Whoever reaches the target wins.
Adding 3 asks the other seat, silently, whether it vetoes. Any seat may shout beside the question.
At 5 both vote at once; two yes votes end the game with nobody winning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from companion.rules.errors import BadSetup
from companion.rules.events import Drew, Event, Moved, TurnedUp
from companion.rules.game import Game, State
from companion.rules.layouts import Layout, Place
from companion.rules.prompts import PASS, Choice, Prompt, Refusal, elsewhere, impossible, refuse
from companion.rules.rulings import Register, Ruling, Variant
from companion.rules.views import RingBoard, SeatView, View

TARGET = 12


class Shouted(Event, frozen=True):
    seat: str
    word: str


class Voted(Event, frozen=True):
    votes: tuple[str, ...]


class TinyState(State, kw_only=True):
    total: int = 0
    turn: int = 0
    bets: int = 0
    shouts: list[str] = []
    voted: bool = False
    betting: bool = True


def register() -> Register:
    words = {"id": "-", "en": "-", "ja": "-"}
    return Register(
        [
            Ruling(
                "T1",
                ("1",),
                words,
                "exact",
                True,
                (Variant("exact", words), Variant("over", words)),
            )
        ],
        [],
    )


class Tiny(Game[TinyState]):
    name: ClassVar[str] = "tiny"

    @property
    def active(self) -> str:
        return self.state.seats[self.state.turn % 2]

    async def step(self) -> None:
        if self.state.total >= 5 and not self.state.voted:
            one, two = self.state.seats
            votes = await self.ask_each(
                self.ask(self.offer_vote, one), self.ask(self.offer_vote, two)
            )
            self.state.voted = True
            self.record(Voted(rule="3", votes=votes))
            if votes == ("yes", "yes"):
                self.end((), "3", "vote")
            return
        if self.state.betting:
            bet = await self.ask(self.offer_bet, self.active)
            self.state.betting = False
            if bet != PASS:
                self.state.bets += 1
            return
        number = await self.ask(self.offer_number, self.active)
        self.state.betting = True
        vetoed = False
        if number == 3:
            other = self.state.seats[(self.state.turn + 1) % 2]
            vetoed = await self.ask(self.offer_veto, other) == "veto"
        with self.because(self.record(Drew(rule="2", seat=self.active, deck="d", count=1))):
            if not vetoed:
                self.add(number)
        self.state.turn += 1

    def add(self, number: int) -> None:
        before, after = self.state.total, self.state.total + number
        if after > TARGET and self.ruling("T1") == "exact":
            after = TARGET
        self.state.total = after
        self.record(Moved(rule="1", seat=self.active, start=before, end=after))
        if number == 2:
            self.record(TurnedUp(rule="2", deck="d", card="c"))
        if after >= TARGET:
            self.end((self.active,), "1", "reached")

    def offer_number(self, seat: str) -> Prompt[int]:
        return Prompt("number", seat, "1", (1, 2, 3, 4, 5), self.why_not_number)

    def why_not_number(self, number: int) -> Refusal | None:
        if number == 4:
            return refuse("1", "Four is not allowed.")
        if number == 5:
            return impossible("1", "There is no five.")
        return None

    def offer_bet(self, seat: str) -> Prompt[str]:
        return Prompt("bet", seat, "0", ("bet", PASS), skippable=True)

    def offer_veto(self, seat: str) -> Prompt[str]:
        return Prompt("veto", seat, "2", ("veto", PASS), silence=PASS)

    def offer_vote(self, seat: str) -> Prompt[str]:
        return Prompt("vote", seat, "3", ("yes", "no"))

    def beside(self) -> Sequence[Prompt[Any]]:
        return [Prompt("shout", seat, "9", ("hey", "ho")) for seat in self.state.seats]

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        self.state.shouts.append(f"{prompt.seat}:{choice}")
        self.record(Shouted(rule="9", audience=(prompt.seat,), seat=prompt.seat, word=str(choice)))

    def out_of_turn(self, seat: str, choice: Choice) -> Refusal | None:
        return elsewhere("4", "Not your turn.") if choice == 3 else None

    def layout(self) -> Layout:
        return {"total": self.state.total, "bets": self.state.bets}

    def put(self, thing: str, place: Place) -> Refusal | None:
        if thing == "total":
            if not isinstance(place, int) or not 0 <= place < TARGET:
                raise BadSetup("0 to 11")
            self.state.total = place
        elif thing == "bets":
            self.state.bets = int(str(place))
        else:
            return impossible("", "There is no such thing.")
        return None

    def view(self, who: str | None) -> View:
        seats = tuple(SeatView(s, s, {}, {}) for s in self.state.seats)
        return View("tiny", who, self.state.turn, self.active, "", seats, RingBoard((), ()), ())


def tiny(**state: Any) -> Tiny:
    return Tiny(TinyState(seats=["A", "B"], names={"A": "Ana", "B": "Budi"}, **state), register())
