"""A virtual table: real cards dealt from a seeded generator, and somebody who answers.

The rules see what a companion sees, counts and laid cards; this knows the hidden hands and decks,
follows the events, and gives answers that real people could give. It serves every game, for random
play in benchmarks, tests and demonstrations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from companion.rules.cards import CardGame
from companion.rules.events import (
    Discarded,
    Drew,
    Event,
    HandReturned,
    Played,
    Reshuffled,
    TurnedUp,
)
from companion.rules.game import Game, Run
from companion.rules.prompts import Choice, Prompt

DECK = "deck/"


class VirtualTable:
    """The hidden cards of one game. Call `follow` before every answer."""

    def __init__(self, game: Game[Any], random: Random) -> None:
        self.game = game
        self.random = random.random
        self.seen = 0
        self.hands: dict[str, list[str]] = {seat: [] for seat in game.state.seats}
        self.decks: dict[str, list[str]] = {}
        self.piles: dict[str, list[str]] = {}
        self._others: dict[int, tuple[Sequence[Choice], list[Choice]]] = {}
        if isinstance(game, CardGame):
            self._lay_out(game)

    def _lay_out(self, game: CardGame[Any]) -> None:
        catalogue = game.catalogue
        self.deck_of = catalogue.deck_of
        for card, count in catalogue.totals.items():
            self.decks.setdefault(catalogue.deck_of[card], []).extend([card] * count)
        self.piles = {deck: [] for deck in self.decks}

    # -- following -----------------------------------------------------------------------------

    def follow(self) -> None:
        """Move the virtual cards as the events since the last call say."""
        events = self.game.log.events
        for event in events[self.seen :] if self.seen else events:
            rule = _FOLLOW.get(type(event))
            if rule is not None:
                rule(self, event)
        self.seen = len(events)

    def pick(self, cards: list[str]) -> str:
        """Take one card at random: shuffling, as late as it can be."""
        index = int(self.random() * len(cards))
        cards[index], cards[-1] = cards[-1], cards[index]
        return cards.pop()

    def _drew(self, event: Drew) -> None:
        deck, hand = self.decks[event.deck], self.hands.setdefault(event.seat, [])
        for _ in range(event.count):
            hand.append(self.pick(deck))

    def _played(self, event: Played) -> None:
        self.hands[event.seat].remove(event.card)

    def _turned_up(self, event: TurnedUp) -> None:
        self.decks[event.deck].remove(event.card)

    def _discarded(self, event: Discarded) -> None:
        if event.start == "hand":
            self.hands[event.seat].remove(event.card)
        self.piles[event.deck].append(event.card)

    def _reshuffled(self, event: Reshuffled) -> None:
        pile = self.piles[event.deck]
        self.decks[event.deck] += pile[: event.count]
        del pile[: event.count]

    def _returned(self, event: HandReturned) -> None:
        hand = self.hands[event.seat]
        back = [card for card in hand if self.deck_of[card] == event.deck]
        self.decks[event.deck] += back
        self.hands[event.seat] = [card for card in hand if self.deck_of[card] != event.deck]

    # -- answering -----------------------------------------------------------------------------

    def options(self, prompt: Prompt[Any]) -> list[Choice]:
        """What the people at this table could answer: cards they hold, the card on top."""
        predicate = prompt.predicate
        if prompt.source == "hand":
            cards = [card for card in self.hands[prompt.seat] if predicate(card) is None]
            return cards + [
                choice for choice in self._no_cards(prompt) if predicate(choice) is None
            ]
        if prompt.source.startswith(DECK):
            deck = self.decks[prompt.source[len(DECK) :]]
            return [deck[int(self.random() * len(deck))]]
        return list(prompt.options())

    def _no_cards(self, prompt: Prompt[Any]) -> list[Choice]:
        """The candidates that are no cards, remembered by their list."""
        key = id(prompt.candidates)
        if key not in self._others:
            others = [choice for choice in prompt.candidates if choice not in self.deck_of]
            self._others[key] = (prompt.candidates, others)
        return self._others[key][1]

    def answer(self, prompt: Prompt[Any]) -> Choice:
        """One of the possible answers at random."""
        self.follow()
        options = self.options(prompt)
        return options[int(self.random() * len(options))]


_FOLLOW: dict[type[Event], Callable[[VirtualTable, Any], None]] = {
    Drew: VirtualTable._drew,
    Played: VirtualTable._played,
    TurnedUp: VirtualTable._turned_up,
    Discarded: VirtualTable._discarded,
    Reshuffled: VirtualTable._reshuffled,
    HandReturned: VirtualTable._returned,
}


def play_out(game: Game[Any], random: Random, limit: int = 100_000) -> int:
    """Play a game to its end at random; gives the number of decisions, at most `limit`."""
    run: Run[Any] = Run(game)
    run.start()
    table = VirtualTable(game, random)
    decisions = 0
    while run.open and decisions < limit:
        run.answer(table.answer(run.prompt))
        decisions += 1
    return decisions
