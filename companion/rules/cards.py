"""Decks of real cards that people hold: counts, what is known, and what can still be where.

The companion sees a card when it is laid, discarded or turned up. A drawn card stays unseen: a
hand is a count by deck. `open` cards lie in a hand for all to see; `scanned` ones only their
holder has shown to the companion, and no refusal ever uses them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Generic, Protocol, Self, TypeVar

import msgspec

from companion.rules.bounds import number, one_of
from companion.rules.content import Fault, Words, id_faults, words_faults
from companion.rules.errors import BadSetup, RulesBug
from companion.rules.events import (
    Discarded,
    DrawIgnored,
    Drew,
    Gathered,
    HandReturned,
    Laid,
    Played,
    PutBack,
    Reshuffled,
    Scanned,
    TurnedUp,
)
from companion.rules.game import Game, State
from companion.rules.layouts import Layout, Place
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Prompt, Refusal, impossible
from companion.rules.views import PileView, SeatView

SCAN: Final = "scan"
"""The offer to show the companion a card."""


class Countable(Protocol):
    """A kind of card as content files have it: id, copies, name and text by language."""

    @property
    def id(self) -> str: ...

    @property
    def count(self) -> int: ...

    @property
    def name(self) -> Words: ...

    @property
    def text(self) -> Words: ...


def deck_faults(
    decks: Mapping[str, Sequence[Countable]], taken: Iterable[str] = ()
) -> Iterator[Fault]:
    """What is wrong with the decks of a content file, each a table called like its deck.

    `taken` are ids that stand for other choices.
    """
    every = [
        ((deck.replace("-", "_"), number), card)
        for deck, cards in decks.items()
        for number, card in enumerate(cards)
    ]
    for deck, cards in decks.items():
        if not cards:
            yield (deck.replace("-", "_"),), Phrase(N_("a deck needs at least one card"))
    yield from id_faults((((*path, "id"), card.id) for path, card in every), taken)
    for path, card in every:
        yield from words_faults((*path, "name"), card.name)
        yield from words_faults((*path, "text"), card.text or None)


class CardCatalogue:
    """All cards of a game: how many of each, in which deck, and by what name."""

    def __init__(
        self,
        totals: Mapping[str, int],
        deck_of: Mapping[str, str],
        names: Mapping[str, Named],
    ) -> None:
        self.totals = totals
        self.deck_of = deck_of
        self.names = names
        self.sizes: dict[str, int] = {}
        for card, count in totals.items():
            self.sizes[deck_of[card]] = self.sizes.get(deck_of[card], 0) + count

    @classmethod
    def of_decks(cls, decks: Mapping[str, Sequence[Countable]]) -> Self:
        """The cards of content files, deck by deck."""
        every = [(deck, card) for deck, cards in decks.items() for card in cards]
        return cls(
            totals={card.id: card.count for _, card in every},
            deck_of={card.id: deck for deck, card in every},
            names={card.id: Named(card.name) for _, card in every},
        )


class Deck(msgspec.Struct):
    """A face-down pile of `draw` cards and its discard pile, oldest first."""

    draw: int
    discard: list[str] = []


class Hand(msgspec.Struct):
    """A hand: how many cards of each deck, which of them lie open, which were scanned."""

    counts: dict[str, int]
    open: list[str] = []
    scanned: list[str] = []

    def size(self) -> int:
        """How many cards."""
        return sum(self.counts.values())


class CardState(State, kw_only=True):
    """The state of a game with decks and hands."""

    decks: dict[str, Deck]
    hands: dict[str, Hand]
    in_play: list[str] = []
    """Cards laid and not yet on a discard pile, in order."""


C = TypeVar("C", bound=CardState)


class CardGame(Game[C], Generic[C]):
    """What games with decks share.

    `deck_rule` is the section on decks that run out, decided by `deck_ruling` where the rulebook
    leaves it open; `hand_rule` is the section on what hands are.
    """

    catalogue: CardCatalogue
    deck_rule: str
    deck_ruling: str | None = None
    hand_rule: str

    # -- where cards are -----------------------------------------------------------------------

    def cards_elsewhere(self) -> Iterable[str]:
        """Cards that lie in sight outside hands and piles, such as on the board."""
        return ()

    def unseen_elsewhere(self, deck: str) -> int:
        """How many cards of a deck lie face down outside hands and its pile."""
        return 0

    def deck_rule_of(self, deck: str) -> str:
        """The section on what is done when a deck runs out."""
        return self.deck_rule

    def in_sight(self, card: str) -> int:
        """How many copies of a card everybody can see now."""
        state = self.state
        count = state.decks[self.catalogue.deck_of[card]].discard.count(card)
        if state.in_play:
            count += state.in_play.count(card)
        for elsewhere in self.cards_elsewhere():
            count += elsewhere == card
        for hand in state.hands.values():
            if hand.open:
                count += hand.open.count(card)
        return count

    def hidden_in_hand(self, seat: str, deck: str) -> int:
        """How many cards of a deck a seat holds that not everybody has seen."""
        hand = self.state.hands[seat]
        hidden = hand.counts.get(deck, 0)
        if hand.open:
            deck_of = self.catalogue.deck_of
            hidden -= sum(1 for card in hand.open if deck_of[card] == deck)
        return hidden

    def may_hold(self, seat: str, card: str) -> bool:
        """Whether a seat could hold a card, by what everybody knows."""
        hand = self.state.hands[seat]
        if hand.open and card in hand.open:
            return True
        catalogue = self.catalogue
        deck = catalogue.deck_of[card]
        hidden = self.hidden_in_hand(seat, deck) if hand.open else hand.counts.get(deck, 0)
        return hidden > 0 and self.in_sight(card) < catalogue.totals[card]

    def cannot_hold(self, seat: str, card: str) -> Refusal | None:
        """Why a seat cannot hold a card, with the way out; None when it can."""
        if self.may_hold(seat, card):
            return None
        name = self.catalogue.names[card]
        deck = self.catalogue.deck_of[card]
        who = self.state.names[seat]
        if self.hidden_in_hand(seat, deck) <= 0:
            return impossible(
                self.hand_rule,
                N_("{who} holds no unseen card of that deck. If that is wrong, correct the hand."),
                who=who,
            )
        holder = next((s for s, h in self.state.hands.items() if card in h.open), None)
        if holder is not None:
            return impossible(
                self.deck_rule,
                N_(
                    "Every {card} is in sight, one open before {holder}. If the deck was "
                    "reshuffled, correct its discards to 0."
                ),
                card=name,
                holder=self.state.names[holder],
            )
        return impossible(
            self.deck_rule,
            N_(
                "Every {card} is discarded or in play. If the deck was reshuffled, correct its "
                "discards to 0."
            ),
            card=name,
        )

    # -- what cards do -------------------------------------------------------------------------

    def draw(self, seat: str, deck: str, count: int, rule: str, ruling: str | None = None) -> int:
        """Take cards unseen from a deck, one by one, reshuffling at the draw that finds none.

        Gives how many there were to be taken.
        """
        pile, counts = self.state.decks[deck], self.state.hands[seat].counts
        missing = count
        while missing > 0 and self.refill(deck):
            run = min(missing, pile.draw)
            pile.draw -= run
            counts[deck] = counts.get(deck, 0) + run
            self.record(Drew(rule=rule, ruling=ruling, seat=seat, deck=deck, count=run))
            missing -= run
        if missing > 0:
            self.record(
                DrawIgnored(rule=self.deck_rule, ruling=self.deck_ruling, seat=seat, deck=deck)
            )
        return count - missing

    def refill(self, deck: str) -> bool:
        """Shuffle the discard pile if the deck is empty; whether there is a card to draw."""
        pile = self.state.decks[deck]
        if pile.draw == 0 and pile.discard:
            self.reshuffle(deck)
        return pile.draw > 0

    def reshuffle(self, deck: str, keep: int = 0) -> None:
        """Turn the discard pile, but for the newest `keep` cards, into unseen cards of the deck."""
        pile = self.state.decks[deck]
        count = max(0, len(pile.discard) - keep)
        pile.draw += count
        del pile.discard[:count]
        self.record(
            Reshuffled(
                rule=self.deck_rule_of(deck), ruling=self.deck_ruling, deck=deck, count=count
            )
        )

    def turn_up(self, card: str, rule: str, *, discarded: bool = False) -> int:
        """Take the top card of its deck face up into play; gives the event's number.

        `discarded`: straight onto the discard pile of the deck.
        """
        deck = self.catalogue.deck_of[card]
        pile = self.state.decks[deck]
        pile.draw -= 1
        (pile.discard if discarded else self.state.in_play).append(card)
        self.drop_wrong_scans(card)
        return self.record(TurnedUp(rule=rule, deck=deck, card=card, discarded=discarded))

    def play(self, seat: str, card: str, rule: str) -> int:
        """Lay a card from a hand into play; gives the event's number."""
        self.take_from_hand(seat, card)
        self.state.in_play.append(card)
        self.drop_wrong_scans(card)
        return self.record(Played(rule=rule, seat=seat, card=card))

    def lay(self, seat: str, card: str, rule: str) -> int:
        """Lay a card from a hand onto the discard pile of its deck; gives the event's number."""
        deck = self.catalogue.deck_of[card]
        self.take_from_hand(seat, card)
        self.state.decks[deck].discard.append(card)
        self.drop_wrong_scans(card)
        return self.log.append(Laid(rule=rule, seat=seat, card=card, deck=deck))

    def put_back(self, card: str, rule: str, ruling: str | None = None) -> None:
        """Shuffle a card that was in play back into its deck."""
        deck = self.catalogue.deck_of[card]
        self.state.in_play.remove(card)
        self.state.decks[deck].draw += 1
        self.record(PutBack(rule=rule, ruling=ruling, card=card, deck=deck))

    def gather(self, deck: str, rule: str) -> None:
        """Shuffle all cards of a deck, from hands, piles and play, into a new one."""
        state = self.state
        deck_of = self.catalogue.deck_of
        for hand in state.hands.values():
            hand.counts[deck] = 0
            hand.open = [card for card in hand.open if deck_of[card] != deck]
            hand.scanned = [card for card in hand.scanned if deck_of[card] != deck]
        state.in_play = [card for card in state.in_play if deck_of[card] != deck]
        state.decks[deck] = Deck(self.catalogue.sizes[deck], [])
        self.record(Gathered(rule=rule, deck=deck))

    def take_from_hand(self, seat: str, card: str) -> None:
        """Count a card out of a hand, wherever it was known to be."""
        hand = self.state.hands[seat]
        deck = self.catalogue.deck_of[card]
        hand.counts[deck] -= 1
        if hand.open and card in hand.open:
            hand.open.remove(card)
        elif hand.scanned and card in hand.scanned:
            hand.scanned.remove(card)
        if hand.scanned:
            self.trim_scans(seat, deck)

    def drop_wrong_scans(self, card: str) -> None:
        """Forget scans of a card that what is in sight has shown to be wrong, the oldest seat's."""
        scans: list[list[str]] = []
        for hand in self.state.hands.values():
            if hand.scanned:
                scans.append(hand.scanned)
        if not scans:
            return
        spare = self.catalogue.totals[card] - self.in_sight(card)
        for scanned in scans:
            while card in scanned and sum(known.count(card) for known in scans) > spare:
                scanned.remove(card)

    def discard_from_hand(self, seat: str, card: str, rule: str) -> None:
        """Put a card from a hand on its discard pile."""
        self.take_from_hand(seat, card)
        self.discard(seat, card, "hand", rule)

    def discard_from_play(self, seat: str, card: str, rule: str) -> None:
        """Put a card that was in play on its discard pile."""
        self.state.in_play.remove(card)
        self.discard(seat, card, "play", rule)

    def discard(self, seat: str, card: str, start: str, rule: str) -> None:
        """Put a card that came from `start` on its discard pile."""
        deck = self.catalogue.deck_of[card]
        self.state.decks[deck].discard.append(card)
        self.drop_wrong_scans(card)
        self.record(Discarded(rule=rule, seat=seat, card=card, deck=deck, start=start))

    def return_hand(self, seat: str, rule: str) -> None:
        """Shuffle all cards of a hand, unseen, back into their decks."""
        hand = self.state.hands[seat]
        for deck in sorted(hand.counts):
            count = hand.counts[deck]
            if count:
                self.state.decks[deck].draw += count
                self.record(HandReturned(rule=rule, seat=seat, deck=deck, count=count))
        self.state.hands[seat] = Hand({})

    def scan(self, seat: str, card: str, rule: str) -> None:
        """Note a card that a player showed to the companion alone."""
        self.state.hands[seat].scanned.append(card)
        self.drop_wrong_scans(card)
        self.record(Scanned(rule=rule, audience=(seat,), seat=seat, card=card))

    def offer_scan(self, seat: str, cards: Collection[str], rule: str = "") -> Prompt[str]:
        """Beside the open question: show the companion, and nobody else, a card of one's hand."""
        cannot = partial(self.cannot_scan, seat)
        return Prompt(SCAN, seat, rule or self.hand_rule, cards, cannot=cannot, private=True)

    def cannot_scan(self, seat: str, card: str) -> Refusal | None:
        """Why a seat cannot scan a card, by public facts and its own scans."""
        deck = self.catalogue.deck_of[card]
        scanned = [c for c in self.state.hands[seat].scanned if self.catalogue.deck_of[c] == deck]
        if len(scanned) >= self.hidden_in_hand(seat, deck):
            return impossible(
                self.hand_rule, N_("All your cards of that deck are scanned already.")
            )
        known = self.in_sight(card) + scanned.count(card)
        if known >= self.catalogue.totals[card]:
            return impossible(
                self.deck_rule,
                N_("Every {card} is somewhere else already."),
                card=self.catalogue.names[card],
            )
        return None

    # -- keeping count -------------------------------------------------------------------------

    def check_cards(self) -> None:
        """Raise RulesBug unless every card of every deck is in exactly one place."""
        state = self.state
        deck_of = self.catalogue.deck_of
        for deck, size in self.catalogue.sizes.items():
            there = state.decks[deck].draw + len(state.decks[deck].discard)
            there += sum(hand.counts.get(deck, 0) for hand in state.hands.values())
            out = [*state.in_play, *self.cards_elsewhere()]
            there += sum(1 for card in out if deck_of[card] == deck)
            there += self.unseen_elsewhere(deck)
            if there != size:
                raise RulesBug(f"deck {deck} has {there} cards instead of {size}")
        for card, total in self.catalogue.totals.items():
            if self.in_sight(card) > total:
                raise RulesBug(f"{self.in_sight(card)} of {card} in sight, there are {total}")
        for seat, hand in state.hands.items():
            if any(self.hidden_in_hand(seat, deck) < 0 for deck in hand.counts):
                raise RulesBug(f"{seat} shows more cards than it holds")

    def set_hand_count(self, seat: str, deck: str, count: int) -> None:
        """Correct how many cards of a deck a seat holds; the difference is in the deck.

        Raises BadSetup when there are not that many.
        """
        counts = self.state.hands[seat].counts
        before = counts.get(deck, 0)
        least = before - self.hidden_in_hand(seat, deck)
        most = before + self.state.decks[deck].draw
        if not least <= count <= most:
            raise BadSetup(
                N_("That hand can hold {least} to {most} cards of this deck now."),
                least=least,
                most=most,
            )
        self.state.decks[deck].draw += before - count
        counts[deck] = count
        self.trim_scans(seat, deck)

    def open_card(self, seat: str, place: Place) -> None:
        """Correct that a card of a hand lies open for all to see. Raises BadSetup."""
        card = str(place)
        if card not in self.catalogue.totals:
            raise BadSetup(N_("There is no card {card}."), card=card)
        refusal = self.cannot_hold(seat, card)
        if refusal is not None:
            raise BadSetup(refusal.reason.text, **refusal.reason.args)
        self.state.hands[seat].open.append(card)
        self.trim_scans(seat, self.catalogue.deck_of[card])
        self.drop_wrong_scans(card)

    def put_discards(self, deck: str, place: Place) -> None:
        """Correct that a discard pile was shuffled in: none lie there now. Raises BadSetup."""
        deck = one_of(deck, self.catalogue.sizes)
        number(place, 0, 0)
        self.reshuffle(deck)

    def trim_scans(self, seat: str, deck: str) -> None:
        """Forget scans of a deck beyond the unseen cards that the hand holds of it."""
        scanned = self.state.hands[seat].scanned
        if not scanned:
            return
        of_deck = [card for card in scanned if self.catalogue.deck_of[card] == deck]
        for card in of_deck[self.hidden_in_hand(seat, deck) :]:
            scanned.remove(card)

    def piles(self) -> Layout:
        """How many cards are left in each deck."""
        return {f"deck/{deck}": pile.draw for deck, pile in sorted(self.state.decks.items())}

    def seat_view(self, seat: str, who: str | None, facts: Mapping[str, int | str]) -> SeatView:
        """What a viewer sees before a seat: of its hand counts, open cards, and own scans alone."""
        hand = self.state.hands[seat]
        cards = (*hand.open, *hand.scanned) if seat == who else tuple(hand.open)
        counts = dict(sorted(hand.counts.items()))
        return SeatView(seat, self.state.names[seat], facts, counts, cards)

    def pile_views(self) -> tuple[PileView, ...]:
        """What everybody sees of the decks: cards left, cards discarded, the top of these."""
        return tuple(
            PileView(deck, pile.draw, len(pile.discard), (pile.discard or [""])[-1])
            for deck, pile in sorted(self.state.decks.items())
        )
