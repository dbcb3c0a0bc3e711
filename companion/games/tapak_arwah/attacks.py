"""§6 Attacks: when the pawns are together, by day and by night."""

from __future__ import annotations

from functools import partial

from companion.games.tapak_arwah.content import Until, Zone
from companion.games.tapak_arwah.effects import Cancel, NoAttack
from companion.games.tapak_arwah.happenings import (
    AttackBarred,
    AttackCancelled,
    Attacked,
    Missed,
    NotCancelled,
    NotHitBack,
    RollChanged,
    Withstood,
)
from companion.games.tapak_arwah.markers import NO_ATTACK
from companion.games.tapak_arwah.table import FOUR, START, Table
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Choice, Prompt, Refusal, elsewhere, impossible

ATTACK, COUNTER, DEFEND = "attack", "counter", "defend"
"""§6.1, 6.2 The three rolls of combat."""
NOTHING = 0
"""Ruling T1 What a 5 or 6 counts as where it has no effect."""


class Attacks(Table):
    """§6."""

    # -- §6 ------------------------------------------------------------------------------------

    async def contact(self, seat: str) -> None:
        """§6 A pawn has come to stand with the other: the ghost attacks (rulings T4, T5, T18)."""
        ghost, human = self.state.ghost, self.human
        barred = self.why_no_attack()
        if barred is not None:
            self.record(barred)
            return
        zone = self.zone(self.pawn(seat).square)
        attack = Attacked(rule="6", ruling="T5", seat=ghost, other=human, zone=zone)
        with self.because(self.record(attack)):
            if not await self.is_called_off(human):
                if zone is Zone.DAY:
                    await self.attack_by_day(ghost, human)
                else:
                    await self.attack_by_night(ghost, human)
            for player in (ghost, human):
                self.end_with_attack(player)

    def why_no_attack(self) -> AttackBarred | None:
        """§5.3 Why the ghost does not attack; nobody rolls then (rulings T3, T8, T19)."""
        ghost = self.state.ghost
        if self.pawn(ghost).square == START and self.ruling("T3") == "start_safe":
            return AttackBarred(rule="2", ruling="T3", seat=ghost)
        if self.bar_acts(ghost):
            return AttackBarred(rule="5.3", ruling="T8", seat=ghost)
        if any(self.standing(ghost, NoAttack)):
            return AttackBarred(rule="4.d", ruling="T10", seat=ghost)
        return None

    def bar_acts(self, ghost: str) -> bool:
        """§5.3 Whether sacred ground bars the ghost now (ruling T8)."""
        if self.ruling("T8") == "own_turn_only":
            held = self.pawn(ghost).markers.get(NO_ATTACK, ())
            return self.state.active == ghost and any(one.starts for one in held)
        return self.acts(ghost, NO_ATTACK)

    def end_with_attack(self, seat: str) -> None:
        """Ruling T10 Cards before a player that last until the next attack are over."""
        for lying in self.lies_until(seat, Until.ATTACK):
            self.take_away(seat, lying, "6")

    # -- §6, ruling T12 ------------------------------------------------------------------------

    async def is_called_off(self, human: str) -> bool:
        """§4.d, ruling T12 Whether the human lays a card that calls the attack off."""
        if not self.could_react(human):
            return False
        card = await self.ask(self.offer_reaction, human)
        if card == PASS:
            self.record(NotCancelled(rule="6", ruling="T12", seat=human))
            return False
        arrival = self.arrivals()
        with self.because(self.play(human, card, "4.d")):
            await self.carry_out(card, human)
            self.discard_from_play(human, card, "4.d")
            moved_on = self.arrivals() != arrival  # together again would be another arrival
            off = self.content.cards[card].has(Cancel) or moved_on
            if off:
                self.record(AttackCancelled(rule="6", ruling="T12", seat=human, card=card))
        return off

    def could_react(self, human: str) -> bool:
        """§4.d Whether by what everybody sees the human could hold a card against an attack."""
        return self.pawn(human).asks and any(
            self.why_no_reaction(human, card) is None and self.may_hold(human, card)
            for card in self.content.buffs[self.role(human)]
        )

    def offer_reaction(self, human: str) -> Prompt[str]:
        """§4.d, ruling T12 A card that waits for an attack, or none."""
        return Prompt(
            "react",
            human,
            "6",
            self.content.turn_choices[self.role(human)],
            partial(self.why_no_reaction, human),
            cannot=partial(self.cannot_lay, human),
            source="hand",
            silence=PASS,
        )

    def why_no_reaction(self, human: str, choice: str) -> Refusal | None:
        """§4.d, 5.4 Why a card cannot be laid against an attack (rulings T9, T12)."""
        if choice == PASS:
            return None
        card = self.content.cards[choice]
        if card.trigger is None:
            return elsewhere("4.d", N_("Only a card that waits for an attack answers one."), "T12")
        return self.why_no_buff(human) or self.why_unstoppable()

    # -- §6.1 ----------------------------------------------------------------------------------

    async def attack_by_day(self, ghost: str, human: str) -> None:
        """§6.1 The ghost rolls: 4 hits. If it fails the human hits back with 3 or 4."""
        pips = await self.ask(self.offer_combat_roll, ATTACK, ghost)
        if self.result(ghost, pips) == FOUR:
            self.lose_life(human, "6.1")
            return
        self.record(Missed(rule="6.1", seat=ghost))
        pips = await self.ask(self.offer_combat_roll, COUNTER, human)
        if self.result(human, pips) >= 3:
            self.lose_life(ghost, "6.1")
        else:
            self.record(NotHitBack(rule="6.1", seat=human))

    # -- §6.2 ----------------------------------------------------------------------------------

    async def attack_by_night(self, ghost: str, human: str) -> None:
        """§6.2 Only the human rolls: 1 and 2 are a hit, with 4 the ghost is the one hurt."""
        pips = await self.ask(self.offer_combat_roll, DEFEND, human)
        result = self.result(human, pips)
        if result in (1, 2):
            self.lose_life(human, "6.2")
            return
        self.record(Withstood(rule="6.2", seat=human))
        if result == FOUR:
            self.lose_life(ghost, "6.2")

    # -- the dice of §6 ------------------------------------------------------------------------

    def offer_combat_roll(self, key: str, seat: str) -> Prompt[Choice]:
        """§6.1, 6.2 What the die shows in combat."""
        return Prompt(
            key,
            seat,
            "6.2" if key == DEFEND else "6.1",
            self.with_cards(seat, range(1, self.sides + 1)),
            partial(self.why_not_in_combat, seat),
            chance=True,
        )

    def why_not_in_combat(self, seat: str, choice: Choice) -> Refusal | None:
        """§6, ruling T1: combat knows 1 to 4; anything above is rolled again."""
        if isinstance(choice, str):
            return self.why_card_waits(seat, choice)
        if choice > FOUR and self.ruling("T1") == "reroll":
            return impossible("6", N_("In combat the die counts 1 to 4: roll again."), "T1")
        return None

    def result(self, seat: str, pips: Choice) -> int:
        """§6 What a roll in combat counts as (rulings T1, T2)."""
        shown = int(pips)
        counts = shown if shown <= FOUR else NOTHING
        pawn = self.pawn(seat)
        if self.ruling("T2") != "also_combat" or not pawn.dice:
            return counts
        change, pawn.dice = pawn.dice, 0
        if counts:
            counts = min(max(1, counts + change), FOUR)
        self.record(RollChanged(rule="6", ruling="T2", seat=seat, pips=shown, result=counts))
        return counts
