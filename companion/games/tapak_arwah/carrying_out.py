"""§4.d What cards do: those that lie before a player, those that happen at once."""

from __future__ import annotations

from functools import partial

from companion.games.tapak_arwah.attacks import Attacks
from companion.games.tapak_arwah.content import Kind
from companion.games.tapak_arwah.effects import (
    Back,
    CardSort,
    Discard,
    Draw,
    Effect,
    ExtraTurn,
    Forward,
    GainLife,
    GoTo,
    LoseLife,
    RemoveDebuff,
    Skip,
    Swap,
    Way,
    Who,
)
from companion.games.tapak_arwah.happenings import CardLaid, DebuffRemoved, LifeGained, NoEffect
from companion.games.tapak_arwah.markers import EXTRA_TURN, SKIP
from companion.games.tapak_arwah.state import LIVES, Lying
from companion.rules.events import DrawIgnored
from companion.rules.phrases import N_
from companion.rules.prompts import Prompt, Refusal, impossible


class CarryingOut(Attacks):
    """§4.d."""

    async def work(self, card: str, seat: str) -> None:
        """§4.d, ruling T10 A card in play lies down before a player, or happens and is over."""
        text = self.content.cards[card]
        if text.lasts is None:
            await self.carry_out(card, seat)
            self.discard_from_play(seat, card, "4.d")
            return
        before = self.whom(text.before, seat)
        self.state.in_play.remove(card)
        self.pawn(before).before.append(Lying(card))
        self.record(CardLaid(rule="4.d", ruling="T10", seat=before, card=card))

    async def carry_out(self, card: str, seat: str) -> None:
        """§4.d Do what a card says at once, one effect after the other."""
        for effect in self.content.cards[card].effects:
            await self.do(effect, card, seat)

    def whom(self, who: Who, seat: str) -> str:
        """Whom an effect concerns, seen from whose card it is."""
        return seat if who is Who.SELF else self.other(seat)

    async def do(self, effect: Effect, card: str, seat: str) -> None:
        """§4.d One effect."""
        whom = self.whom(getattr(effect, "who", Who.SELF), seat)
        match effect:
            case Forward() | Back() | GoTo():
                await self.send(effect, card, whom)
            case Swap():
                self.swap_pawns(seat, "4.d", card)
            case Draw():
                await self.take_cards(effect, whom)
            case Discard():
                await self.discard_buffs(effect, card, whom)
            case RemoveDebuff():
                await self.remove_debuff(whom, "4.d", card)
            case _:
                self.change(effect, card, whom)

    def change(self, effect: Effect, card: str, whom: str) -> None:
        """§4.d Turns to skip or to add, and lives."""
        match effect:
            case Skip():
                self.gain(whom, SKIP)
            case ExtraTurn():
                self.gain(whom, EXTRA_TURN)
            case GainLife():
                self.gain_life(whom, card)
            case LoseLife():
                self.lose_life(whom, "4.d")

    # -- pawns ---------------------------------------------------------------------------------

    async def send(self, effect: Forward | Back | GoTo, card: str, whom: str) -> None:
        """Ruling T25 A card moves a pawn: the square reached works, then the ghost may attack."""
        if isinstance(effect, GoTo):
            steps = self.steps_to(whom, Kind(effect.square), effect.way)
            if not steps:
                self.nothing(whom, card, "T20")
                return
            await self.move(whom, steps, "4.d", "T20")
            return
        steps = effect.steps if isinstance(effect, Forward) else -effect.steps
        await self.move(whom, steps, "4.d", "T25")

    def steps_to(self, seat: str, kind: Kind, way: Way) -> int:
        """Ruling T20 Steps to the nearest square of a kind, back as less than 0; 0 for none."""
        here, sign = self.pawn(seat).square, 1 if way is Way.FORWARD else -1
        for steps in range(1, self.track.size):
            if self.track.kinds[self.ring.forward(here, sign * steps)] is kind:
                return sign * steps
        return 0

    def swap_pawns(self, seat: str, rule: str, card: str = "") -> None:
        """Ruling T15 The pawns change places; no square works for it, and nobody attacks."""
        other = self.other(seat)
        if self.together():
            self.nothing(seat, card, "T15", rule)
            return
        mine, theirs = self.pawn(seat).square, self.pawn(other).square
        self.put_pawn(seat, theirs, rule, "T15")
        self.put_pawn(other, mine, rule, "T15")

    # -- cards ---------------------------------------------------------------------------------

    async def take_cards(self, effect: Draw, whom: str) -> None:
        """§4.d A card lets a player take buffs, or makes one turn up debuffs."""
        if effect.card is CardSort.BUFF:
            self.draw(whom, self.buff_deck(whom), effect.count, "4.d", "T23")
            return
        for _ in range(effect.count):
            await self.turn_up_debuff(whom, "4.d")

    async def turn_up_debuff(self, seat: str, rule: str) -> None:
        """§4.d A debuff works at once; it is not the one card of step d (rulings T11, T23)."""
        deck = self.debuff_deck(seat)
        if not self.refill(deck):
            self.record(DrawIgnored(rule=self.deck_rule, ruling="T24", seat=seat, deck=deck))
            return
        card = await self.ask(self.offer_debuff, seat, rule)
        with self.because(self.turn_up(card, rule)):
            await self.work(card, seat)

    def offer_debuff(self, seat: str, rule: str) -> Prompt[str]:
        """§4.d The top card of a player's debuffs, as everybody sees it."""
        return Prompt(
            "debuff",
            seat,
            rule,
            self.content.debuffs[self.role(seat)],
            cannot=self.cannot_turn_up,
            source=f"deck/{self.debuff_deck(seat)}",
            chance=True,
        )

    def cannot_turn_up(self, card: str) -> Refusal | None:
        """§1.2 A card that is in sight cannot lie on top of its deck."""
        if self.in_sight(card) < self.catalogue.totals[card]:
            return None
        return impossible(
            self.deck_rule,
            N_(
                "Every {card} is discarded or in play. If the deck was reshuffled, correct its "
                "discards to 0."
            ),
            card=self.catalogue.names[card],
        )

    async def discard_buffs(self, effect: Discard, card: str, whom: str) -> None:
        """§4.d Discard buffs of one's own choice, as many as there are."""
        held = self.state.hands[whom].size()
        if not held:
            self.nothing(whom, card, None)
        for _ in range(min(effect.count, held)):
            chosen = await self.ask(self.offer_discard, whom)
            self.discard_from_hand(whom, chosen, "4.d")

    def offer_discard(self, seat: str) -> Prompt[str]:
        """§4.d Any buff of the hand."""
        return Prompt(
            "discard",
            seat,
            "4.d",
            self.content.buffs[self.role(seat)],
            cannot=partial(self.cannot_hold, seat),
            source="hand",
        )

    async def remove_debuff(self, seat: str, rule: str, card: str = "") -> None:
        """§5.3, 5.4 Remove one debuff, if there is any; of several its owner chooses (T10)."""
        lying = self.debuffs(seat)
        if not lying:
            self.nothing(seat, card, "T10", rule)
            return
        gone = lying[0]
        if len(set(lying)) > 1:
            gone = await self.ask(self.offer_debuff_to_remove, seat, rule)
        with self.because(
            self.record(DebuffRemoved(rule=rule, ruling="T10", seat=seat, card=gone))
        ):
            before = self.pawn(seat).before
            self.take_away(seat, next(one for one in before if one.card == gone), rule)

    def offer_debuff_to_remove(self, seat: str, rule: str) -> Prompt[str]:
        """§5.3, 5.4 Which debuff to remove."""
        return Prompt(
            "remove",
            seat,
            rule,
            self.content.debuffs[self.role(seat)],
            cannot=partial(self.cannot_remove, seat, rule),
        )

    def cannot_remove(self, seat: str, rule: str, card: str) -> Refusal | None:
        """§5.3, 5.4 Only what lies there can be removed."""
        if card in self.debuffs(seat):
            return None
        return impossible(
            rule, N_("{card} does not lie before you."), "T10", card=self.catalogue.names[card]
        )

    # -- lives ---------------------------------------------------------------------------------

    def gain_life(self, seat: str, card: str) -> None:
        """Ruling T30 Get a life back, three at the most."""
        pawn = self.pawn(seat)
        if pawn.lives >= LIVES:
            self.nothing(seat, card, "T30")
            return
        pawn.lives += 1
        self.record(LifeGained(rule="4.d", ruling="T30", seat=seat, lives=pawn.lives))

    def nothing(self, seat: str, card: str, ruling: str | None, rule: str = "4.d") -> None:
        """Write down that a part of a card, or a square, did nothing."""
        self.record(NoEffect(rule=rule, ruling=ruling, seat=seat, card=card))
