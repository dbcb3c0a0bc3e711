"""What all rules of Tapak Arwah Nusantara share: looking at the state, lives, what lies where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar

from companion.games.tapak_arwah.content import BUFF_DECKS, Content, Track, Until, Zone, deck_of
from companion.games.tapak_arwah.effects import CardSort, Effect, NoBuff, Unstoppable
from companion.games.tapak_arwah.happenings import LifeLost, SkipCancelled
from companion.games.tapak_arwah.markers import EXTRA_TURN, MARKERS, NO_BUFF, SKIP
from companion.games.tapak_arwah.state import Lying, Pawn, Role, TapakState
from companion.rules.cards import CardGame
from companion.rules.events import Moved
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Choice, Refusal, elsewhere
from companion.rules.rulings import Register
from companion.rules.tracks import Ring

E = TypeVar("E", bound=Effect)

START = 0
"""§1.1 The square that everybody starts on."""
FOUR = 4
"""§6 The highest number that combat knows (ruling T1)."""


class Table(CardGame[TapakState]):
    """The state as the rules look at it."""

    name: ClassVar[str] = "tapak-arwah"
    deck_rule = "1.2"
    deck_ruling = "T24"
    hand_rule = "4.d"
    state: TapakState

    def __init__(
        self, state: TapakState, content: Content, track: Track, register: Register
    ) -> None:
        super().__init__(state, register)
        self.content = content
        self.track = track
        self.catalogue = content.catalogue

    # Defined further down the line of classes; attacks, cards and squares call each other.

    async def carry_out(self, card: str, seat: str) -> None:
        """§4.d Do what a card says at once."""
        raise NotImplementedError

    async def move(
        self, seat: str, steps: int, rule: str, ruling: str | None, chain: tuple[int, ...] = ()
    ) -> None:
        """§4.b Move a pawn and let the square reached work."""
        raise NotImplementedError

    # -- looking -------------------------------------------------------------------------------

    @property
    def ring(self) -> Ring:
        """§1.1 The track; forward is clockwise (ruling T26)."""
        return Ring(self.track.size)

    @property
    def sides(self) -> int:
        """§4.a The sides of the die (ruling T1)."""
        return FOUR if self.ruling("T1") == "four_sided" else self.state.sides

    @property
    def human(self) -> str:
        """§2 The seat that plays the human."""
        return self.other(self.state.ghost)

    def pawn(self, seat: str) -> Pawn:
        """A seat's pawn, lives and what lies before it."""
        return self.state.pawns[seat]

    def role(self, seat: str) -> Role:
        """§2 Which side a seat plays."""
        return Role.GHOST if seat == self.state.ghost else Role.HUMAN

    def other(self, seat: str) -> str:
        """The opponent."""
        return next(other for other in self.state.seats if other != seat)

    def zone(self, square: int) -> Zone:
        """§6 The zone of a square (ruling T7)."""
        return self.track.zones[square]

    def buff_deck(self, seat: str) -> str:
        """Ruling T23 The deck that a seat takes its buffs from."""
        return deck_of(self.role(seat), CardSort.BUFF)

    def debuff_deck(self, seat: str) -> str:
        """Ruling T23 The deck that a seat turns its debuffs up from."""
        return deck_of(self.role(seat), CardSort.DEBUFF)

    def cards_elsewhere(self) -> Iterator[str]:
        """Ruling T10 Cards lie before the players."""
        return (lying.card for pawn in self.state.pawns.values() for lying in pawn.before)

    def together(self) -> bool:
        """§6 Whether both pawns stand on the same square."""
        return self.pawn(self.state.ghost).square == self.pawn(self.human).square

    def arrivals(self) -> tuple[int, int]:
        """Ruling T4 How often each pawn has been moved: differs once one has gone on."""
        return self.pawn(self.state.ghost).moves, self.pawn(self.human).moves

    # -- pawns and lives -----------------------------------------------------------------------

    def put_pawn(self, seat: str, end: int, rule: str, ruling: str | None = None) -> int:
        """Put a pawn on a square and write it down; gives the event's number."""
        pawn = self.pawn(seat)
        start = pawn.square
        pawn.square = end
        pawn.moves += 1
        return self.record(Moved(rule=rule, ruling=ruling, seat=seat, start=start, end=end))

    def lose_life(self, seat: str, rule: str) -> None:
        """§6, 7.1 Lose a life; without any, the other side has won at once."""
        pawn = self.pawn(seat)
        pawn.lives -= 1
        with self.because(self.record(LifeLost(rule=rule, seat=seat, lives=pawn.lives))):
            if pawn.lives == 0:
                self.end((self.other(seat),), "7.1", "lives")

    # -- markers -------------------------------------------------------------------------------

    def count(self, seat: str, marker: str) -> int:
        """How many markers of a kind a seat has."""
        return MARKERS.count(self.pawn(seat).markers, marker)

    def gain(self, seat: str, marker: str) -> None:
        """§5 Get a marker; a turn to skip and one to add cancel each other (ruling T14)."""
        MARKERS.add(self, seat, self.pawn(seat).markers, marker, self.state.turn)
        if self.count(seat, SKIP) and self.count(seat, EXTRA_TURN):
            cancelled = SkipCancelled(rule="5.5.4", ruling="T14", seat=seat)
            with self.because(self.record(cancelled)):
                self.lose(seat, SKIP, "5.5.4", "T14")
                self.lose(seat, EXTRA_TURN, "5.5.4", "T14")

    def lose(self, seat: str, marker: str, rule: str, ruling: str | None = None) -> None:
        """Lose a marker."""
        MARKERS.remove(self, seat, self.pawn(seat).markers, marker, rule, ruling)

    def acts(self, seat: str, marker: str) -> bool:
        """§5.3, 5.4 Whether a bar holds: not in the turn of its landing (rulings T8, T9)."""
        held = self.pawn(seat).markers.get(marker, ())
        return any(one.turn != self.state.turn for one in held)

    # -- cards that lie before a player --------------------------------------------------------

    def standing(self, seat: str, kind: type[E]) -> Iterator[E]:
        """Ruling T10 What the cards before a seat say all the while."""
        for lying in self.pawn(seat).before:
            for effect in self.content.cards[lying.card].effects:
                if isinstance(effect, kind):
                    yield effect

    def debuffs(self, seat: str) -> list[str]:
        """§5.3, 5.4 The debuffs that lie before a seat, oldest first."""
        deck = self.debuff_deck(seat)
        deck_of_card = self.catalogue.deck_of
        return [one.card for one in self.pawn(seat).before if deck_of_card[one.card] == deck]

    def lies_until(self, seat: str, until: Until) -> list[Lying]:
        """Ruling T10 The cards before a seat that something ends."""
        cards = self.content.cards
        return [one for one in self.pawn(seat).before if cards[one.card].lasts is until]

    def take_away(self, seat: str, lying: Lying, rule: str) -> None:
        """Ruling T10 A card before a seat goes to its discards."""
        self.pawn(seat).before.remove(lying)
        self.discard(seat, lying.card, "board", rule)

    def owner(self, card: str) -> str:
        """Whose deck a card is from."""
        role = Role(self.catalogue.deck_of[card].partition("-")[0])
        return self.state.ghost if role is Role.GHOST else self.human

    # -- buffs ---------------------------------------------------------------------------------

    def why_no_buff(self, seat: str) -> Refusal | None:
        """§5.4 Why a player can use no buff at all now, reactions included (ruling T9)."""
        if self.role(seat) is Role.HUMAN and self.acts(seat, NO_BUFF):
            return elsewhere(
                "5.4", N_("Cursed ground: no buff until your next turn is over."), "T9"
            )
        if any(self.standing(seat, NoBuff)):
            return elsewhere("4.d", N_("A card before you bars your buffs."))
        return None

    def why_unstoppable(self) -> Refusal | None:
        """§4.d Why no card can answer an attack: one that lies before the ghost forbids it."""
        if any(self.standing(self.state.ghost, Unstoppable)):
            return elsewhere("4.d", N_("This attack cannot be cancelled: a card says so."), "T12")
        return None

    def cannot_lay(self, seat: str, choice: str) -> Refusal | None:
        """§4.d Why a player cannot hold a card, by what everybody knows."""
        return None if choice == PASS else self.cannot_hold(seat, choice)

    def why_card_waits(self, seat: str, choice: Choice) -> Refusal | None:
        """§4.d Why a card cannot be used while its player is asked something else, or nothing."""
        card = self.content.cards.get(str(choice))
        if card is None:
            return None
        if self.catalogue.deck_of[card.id] not in BUFF_DECKS:
            return elsewhere("4.d", N_("A debuff works at once when it is turned up."))
        if self.owner(card.id) != seat:
            return elsewhere("4.d", N_("That is a card of the other side."), "T23")
        barred = self.why_no_buff(seat)
        if barred is not None:
            return barred
        if card.trigger is not None:
            return self.why_unstoppable() or elsewhere(
                "6", N_("This card waits for an attack."), "T12"
            )
        return elsewhere("4.d", N_("One card a turn, after your own roll, move and square."))

    def with_cards(self, seat: str, dice: Sequence[int]) -> tuple[Choice, ...]:
        """The candidates of a roll: cards too, so that the rules can say why they have to wait."""
        return (*dice, *self.content.buffs[self.role(seat)])
