"""What all rules of Carpet Racers share: looking at the state, tokens, and where traps lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from companion.games.carpet_racers.board import Place
from companion.games.carpet_racers.content import Card, Content
from companion.games.carpet_racers.effects import HandLimit
from companion.games.carpet_racers.happenings import NoTrapLeft, TokenGained, TokenLost
from companion.games.carpet_racers.state import CarpetState, Controller, Phase, Racer, Tags
from companion.rules.cards import CardCatalogue, CardGame
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal, elsewhere, impossible
from companion.rules.rulings import Register
from companion.rules.seals import is_seal

TRAP, CHIP = "trap", "chip"
"""The supply of traps; and the two sorts of things that can be sealed."""
STOP, STRETCH = "stop", "stretch"
BOOST, PROGRESS, CLUE, CONTROLLER, REVEALED = "boost", "progress", "clue", "controller", "chip"
"""Kinds of the layout, beside those two and "trap"."""
UNSEEN = "unseen"
"""What is said of a thing whose tag cannot be tapped."""

HAND = 3
"""§2.6, 6.6 The hand limit in the beginning."""
DOCK = 3
"""§6.2.1 The most traps on a dock."""
MOST_TRAPS = 2
"""§6.2.1 The most traps on a space."""
CLUES = 3
"""§6.3.1 The most clues on a dock."""
CHEQUERED = 4
"""§6.1.1 The column of the lap table that ends the race."""


class Table(CardGame[CarpetState]):
    """The state as the rules look at it."""

    name: ClassVar[str] = "carpet-racers"
    deck_rule = "6.6"
    hand_rule = "6"
    state: CarpetState

    def __init__(self, state: CarpetState, content: Content, register: Register) -> None:
        super().__init__(state, register)
        self.content = content
        self.track = content.track
        self.catalogue = with_traps(content)
        self.car_ids = tuple(content.cars)
        self.card_ids = tuple(content.cards)
        self.trap_ids = tuple(content.traps)
        self.controller_ids = tuple(content.controllers)

    # -- looking -------------------------------------------------------------------------------

    def racer(self, seat: str) -> Racer:
        """A player's controller and what lies before it."""
        return self.state.racers[seat]

    def controller(self, seat: str) -> Controller:
        """§3 The controller that a player holds."""
        return self.state.controllers[self.racer(seat).controller]

    def holder(self, controller: str) -> str:
        """§2.3 Who holds a controller; "" for an automatic racer."""
        racers = self.state.racers
        return next((seat for seat, one in racers.items() if one.controller == controller), "")

    @property
    def automatic(self) -> list[str]:
        """§3 The controllers of automatic racers."""
        held = {racer.controller for racer in self.state.racers.values()}
        return [controller for controller in self.controller_ids if controller not in held]

    @property
    def played(self) -> Card:
        """§6 The card of this turn."""
        return self.content.cards[self.state.in_play[0]]

    def limit(self, seat: str) -> int:
        """§6.6 How many cards a player may hold."""
        reached = self.track.progress[: self.racer(seat).progress]
        limits = (e.cards for effects in reached for e in effects if isinstance(e, HandLimit))
        return max(limits, default=HAND)

    @property
    def goal(self) -> int:
        """§6.1.1, 8 How far a lap marker has to come (ruling R2)."""
        return CHEQUERED - (self.ruling("R2") == "in_lap_1")

    def lap(self, car: str, more: int = 0) -> int:
        """§6.1.1 The column of a car's lap marker: 0 before lap 1, the last one is chequered."""
        return self.state.laps[car] + more + CHEQUERED - self.goal

    def finished(self) -> list[str]:
        """§8 The cars whose markers are in the chequered column."""
        return [car for car, laps in self.state.laps.items() if laps >= self.goal]

    def next_seat(self, seat: str) -> str:
        """§5 Who is next, clockwise."""
        seats = self.state.seats
        return seats[(seats.index(seat) + 1) % len(seats)]

    # -- tokens --------------------------------------------------------------------------------

    def boosts_left(self, car: str) -> int:
        """Ruling R19 How many boosts of a colour are in the supply."""
        taken = sum(racer.boosts.get(car, 0) for racer in self.state.racers.values())
        return self.content.file.boosts - taken

    def held(self, seat: str, token: str) -> int:
        """How many boosts of a colour, stops or stretch tokens a player has."""
        racer = self.racer(seat)
        if token == STOP:
            return racer.stops
        return racer.stretch if token == STRETCH else racer.boosts.get(token, 0)

    def set_held(self, seat: str, token: str, count: int) -> None:
        """Give a player so many boosts of a colour, stops or stretch tokens."""
        racer = self.racer(seat)
        if token == STOP:
            racer.stops = count
        elif token == STRETCH:
            racer.stretch = count
        elif count:
            racer.boosts[token] = count
        else:
            racer.boosts.pop(token, None)

    def gain(self, seat: str, token: str, count: int, rule: str, ruling: str | None = None) -> None:
        """§6.3.2, 9, 10 Take tokens out of the supply."""
        held = self.held(seat, token) + count
        self.set_held(seat, token, held)
        self.record(
            TokenGained(rule=rule, ruling=ruling, seat=seat, token=token, count=count, held=held)
        )

    def lose(self, seat: str, token: str, count: int, rule: str, ruling: str | None = None) -> None:
        """§9.1, 10 Put tokens back into the supply."""
        held = self.held(seat, token) - count
        self.set_held(seat, token, held)
        self.record(
            TokenLost(rule=rule, ruling=ruling, seat=seat, token=token, count=count, held=held)
        )

    # -- traps ---------------------------------------------------------------------------------

    def traps_on(self, place: Place) -> list[str]:
        """§6.2 The traps on a space, as far as anybody can say: a seal, or ""."""
        return self.state.traps.get(str(place), [])

    def has_room(self, place: Place) -> bool:
        """§6.2.1 Whether one more trap can lie on a space."""
        return len(self.traps_on(place)) < MOST_TRAPS

    def put_trap(self, space: int, token: str) -> None:
        """§6.2.1 Put a trap face down on a space."""
        self.state.traps.setdefault(str(space), []).append(token)

    def take_trap(self, space: int, token: str) -> None:
        """§6.2 Take a trap off a space."""
        there = self.state.traps[str(space)]
        there.remove(token)
        if not there:
            del self.state.traps[str(space)]

    def face_down(self) -> Iterator[str]:
        """The traps that lie face down on spaces and docks."""
        for there in self.state.traps.values():
            yield from there
        for controller in self.state.controllers.values():
            yield from controller.dock

    def unseen_elsewhere(self, deck: str) -> int:
        """§6.2 Traps lie face down on spaces and docks, too."""
        return len(list(self.face_down())) if deck == TRAP else 0

    def deck_rule_of(self, deck: str) -> str:
        """§6.2, 6.6 What is done when a supply runs out."""
        return "6.2" if deck == TRAP else self.deck_rule

    async def draw_trap(self, seat: str, rule: str, where: str | int) -> str | None:
        """§2.8, 6.2.1, 6.5 A trap off the supply, face down: its seal or "".

        None where there is none left (ruling R24). `where` it goes is said in the question.
        """
        if not self.refill(TRAP):
            self.record(NoTrapLeft(rule="6.2", ruling="R24"))
            return None
        token = UNSEEN
        if self.state.tags is Tags.ALL:
            token = await self.ask(self.offer_token, seat, rule, where)
        self.state.decks[TRAP].draw -= 1
        return "" if token == UNSEEN else token

    def offer_token(self, seat: str, rule: str, where: str | int) -> Prompt[str]:
        """§6.2.1 The tag of the trap that was drawn, face down."""
        return Prompt(
            "token",
            seat,
            rule,
            (UNSEEN,),
            cannot=self.cannot_draw,
            args={"where": where},
            otherwise=no_trap,
            seals=TRAP,
        )

    def cannot_draw(self, token: str) -> Refusal | None:
        """§6.2.1 Why a trap cannot come from the supply: it lies somewhere already."""
        if is_seal(token) and token in self.face_down():
            return impossible("6.2.1", N_("That trap lies on the track or a dock already."))
        return None

    def cannot_turn_up(self, trap: str) -> Refusal | None:
        """§6.2 Why a trap cannot be one that lay face down: all of its kind are in sight."""
        if self.in_sight(trap) < self.catalogue.totals[trap]:
            return None
        return impossible(
            "6.2",
            N_(
                "Every trap of that kind is discarded already. If the supply was shuffled anew, "
                "correct the discarded traps to 0."
            ),
        )

    # -- where the game stands -----------------------------------------------------------------

    def end_race(self) -> None:
        """§8 No turn goes on: what is in play is put away, and the chips are revealed."""
        self.clear_play()
        self.forget_turn()
        self.state.phase = Phase.REVEAL

    def clear_play(self) -> None:
        """What lies in play goes to the discards."""
        for card in list(self.state.in_play):
            self.discard_from_play(self.state.active, card, self.deck_rule_of(self.deck_of(card)))

    def deck_of(self, card: str) -> str:
        """Whether it is a card or a trap."""
        return self.catalogue.deck_of[card]

    def forget_turn(self) -> None:
        """What was still to be done in a turn is not."""
        state = self.state
        state.moved, state.legs, state.due, state.bonuses, state.to_fill = [], [], [], [], []
        state.effects = 0
        state.no_effect = state.no_draw = False


def no_trap(choice: Choice) -> Refusal | None:
    """§6.2.1 Why another sealed thing is no answer where a trap is asked for."""
    return elsewhere("6.2.1", N_("That is no trap token.")) if is_seal(choice) else None


def unseal(tokens: list[str]) -> str:
    """Of some face-down traps the one that was meant without its tag.

    Where all of them carry one, nobody can tell any more which is which.
    """
    if "" not in tokens:
        tokens[:] = [""] * len(tokens)
    return ""


def with_traps(content: Content) -> CardCatalogue:
    """The cards and, as a deck of their own, the traps."""
    cards = content.catalogue
    return CardCatalogue(
        totals={**cards.totals, **content.trap_totals},
        deck_of={**cards.deck_of, **dict.fromkeys(content.traps, TRAP)},
        names={**cards.names, **{trap: content.names[trap] for trap in content.traps}},
    )
