"""A virtual table: real cards dealt from a seeded generator, and somebody who answers.

The rules see what a companion sees, counts and laid cards; this knows the hidden hands and decks,
follows the events, and gives answers that real people could give. It serves every game, for random
play in benchmarks, tests and demonstrations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import filterfalse
from random import Random
from typing import Any

from companion.rules.cards import CardGame
from companion.rules.events import (
    Discarded,
    Drew,
    Event,
    Gathered,
    HandReturned,
    Laid,
    Played,
    PutBack,
    Reshuffled,
    TurnedUp,
)
from companion.rules.game import Game, Run
from companion.rules.prompts import Choice, Prompt
from companion.rules.seals import OVER, SEAL

DECK = "deck/"
HANDS = ("hand", "drawn")


class VirtualTable:
    """The hidden cards of one game. Call `follow` before every answer."""

    def __init__(self, game: Game[Any], random: Random) -> None:
        self.game = game
        self.random = random.random
        self.seen = 0
        self.sealed = 0
        """Things tapped face down. What they are is decided when they are revealed."""
        self.hands: dict[str, list[str]] = {seat: [] for seat in game.state.seats}
        self.whole: dict[str, list[str]] = {}
        """All cards of every deck."""
        self.decks: dict[str, list[str]] = {}
        self.piles: dict[str, list[str]] = {}
        self._others: dict[int, tuple[Collection[Choice], list[str]]] = {}
        """The candidates that are no cards, remembered by their collection."""
        if isinstance(game, CardGame):
            self._lay_out(game)

    def _lay_out(self, game: CardGame[Any]) -> None:
        catalogue = game.catalogue
        self.deck_of = catalogue.deck_of
        for card, count in catalogue.totals.items():
            self.whole.setdefault(catalogue.deck_of[card], []).extend([card] * count)
        self.decks = {deck: cards.copy() for deck, cards in self.whole.items()}
        self.piles = {deck: [] for deck in self.whole}

    # -- following -----------------------------------------------------------------------------

    def follow(self) -> None:
        """Move the virtual cards as the events since the last call say."""
        events = self.game.log.events
        for event in events[self.seen :]:
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

    def _laid(self, event: Laid) -> None:
        self.hands[event.seat].remove(event.card)
        self.piles[event.deck].append(event.card)

    def _turned_up(self, event: TurnedUp) -> None:
        self.decks[event.deck].remove(event.card)
        if event.discarded:
            self.piles[event.deck].append(event.card)

    def _discarded(self, event: Discarded) -> None:
        if event.start == "hand":
            self.hands[event.seat].remove(event.card)
        self.piles[event.deck].append(event.card)

    def _reshuffled(self, event: Reshuffled) -> None:
        pile = self.piles[event.deck]
        self.decks[event.deck] += pile[: event.count]
        del pile[: event.count]

    def _put_back(self, event: PutBack) -> None:
        self.decks[event.deck].append(event.card)

    def _gathered(self, event: Gathered) -> None:
        for hand in self.hands.values():
            hand[:] = [card for card in hand if self.deck_of[card] != event.deck]
        self.piles[event.deck] = []
        self.decks[event.deck] = self.whole[event.deck].copy()

    def _returned(self, event: HandReturned) -> None:
        hand = self.hands[event.seat]
        back = [card for card in hand if self.deck_of[card] == event.deck]
        self.decks[event.deck] += back
        self.hands[event.seat] = [card for card in hand if self.deck_of[card] != event.deck]

    # -- answering -----------------------------------------------------------------------------

    def options(self, prompt: Prompt[Any]) -> Sequence[Choice]:
        """What the people at this table could answer: cards they hold, the card on top."""
        source = prompt.source
        if source in HANDS:
            held = self.hands[prompt.seat]
            return self._of_hand(prompt, held if source == "hand" else held[-1:])
        if source.startswith(DECK):
            deck = self.decks[source[len(DECK) :]]
            return [deck[int(self.random() * len(deck))]]
        if prompt.seals:
            return self._or_sealed(prompt)
        return list(prompt.options())

    def _or_sealed(self, prompt: Prompt[Any]) -> list[Choice]:
        """What may be chosen, or a tap of something that was not tapped before."""
        self.sealed += 1
        seal = f"{SEAL}{prompt.seals}{OVER}{self.sealed}"
        tapped = [seal] if prompt.why_not(seal) is None else []
        return [*prompt.options(), *tapped]

    def _of_hand(self, prompt: Prompt[Any], held: Sequence[str]) -> list[Choice]:
        """The held cards that the rules allow, and what else may be chosen.

        A number, such as a total, is left out: it only counts cards that can be laid as well.
        """
        others = self._others.get(id(prompt.candidates))
        if others is None:
            words = [c for c in prompt.candidates if isinstance(c, str) and c not in self.deck_of]
            others = self._others[id(prompt.candidates)] = (prompt.candidates, words)
        possible: list[Choice] = [*filterfalse(prompt.predicate, held)]
        said = (word for word in others[1] if prompt.refusal_of(word) is None)
        possible += [word for word in said if _has(held, prompt.needs.get(word, ()))]
        return possible

    def answer(self, prompt: Prompt[Any]) -> Choice:
        """One of the possible answers at random."""
        self.follow()
        options = self.options(prompt)
        return options[int(self.random() * len(options))]


def _has(held: Sequence[str], needed: Sequence[str]) -> bool:
    """Whether a hand holds all cards that a choice needs."""
    return all(held.count(card) >= needed.count(card) for card in needed)


_FOLLOW: dict[type[Event], Callable[[VirtualTable, Any], None]] = {
    Drew: VirtualTable._drew,
    Played: VirtualTable._played,
    TurnedUp: VirtualTable._turned_up,
    Discarded: VirtualTable._discarded,
    Reshuffled: VirtualTable._reshuffled,
    HandReturned: VirtualTable._returned,
    Laid: VirtualTable._laid,
    PutBack: VirtualTable._put_back,
    Gathered: VirtualTable._gathered,
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
