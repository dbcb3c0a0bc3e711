"""§14.2 and 16 Passive cards and defences: one question to whom an effect concerns.

It is asked of a seat that could hold a fitting card by the public counts, the same whether or not
it does. Where nothing in sight can defend, the question carries a silence.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.games.chaos_kart.content import Trigger, moves_pawns
from companion.games.chaos_kart.effects import (
    Cancel,
    Effect,
    GiveMarker,
    MarkerName,
    Reflect,
    harms,
)
from companion.games.chaos_kart.happenings import Defended, NotDefended
from companion.games.chaos_kart.markers import BUMP_GUARD, MARKERS, SHIELD
from companion.games.chaos_kart.table import Source, Table
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Prompt, Refusal, elsewhere, impossible

MARKER_TRIGGERS = {
    MarkerName.DAMAGED: Trigger.DAMAGED,
    MarkerName.STUNNED: Trigger.STUNNED,
}
"""§14.2 The triggers "about to get damaged" and "about to get stunned"."""


class Threat(msgspec.Struct, frozen=True):
    """What a seat may defend itself against: the triggers that are met, and by whom."""

    triggers: tuple[Trigger, ...]
    means: tuple[str, ...]
    """Markers that answer it: shield, bump guard."""
    by: str
    """Who attacks, arrives or owns the trap: the other party of a card laid against it."""
    card: str = ""
    arrival: bool = False
    """Whether it is a pawn that comes onto the seat's square (§15.5)."""


class Outcome(msgspec.Struct, frozen=True):
    """What a defence cancelled: everything, some markers, or nothing; whether it came back."""

    all: bool = False
    markers: tuple[str, ...] = ()
    reflected: bool = False
    used: bool = True

    def cancels(self, effect: Effect) -> bool:
        """Whether an effect does not happen."""
        return self.all or (isinstance(effect, GiveMarker) and effect.marker in self.markers)


UNHARMED = Outcome(all=True)
HIT = Outcome(used=False)


class Defence(Table):
    """§14.2, 16."""

    def offer_defence(self, seat: str, threat: Threat) -> Prompt[str]:
        """§16 Shield, guard or passive card against one effect; never more than one of them."""
        held = tuple(marker for marker in threat.means if self.count(seat, marker))
        return Prompt(
            "guard" if threat.arrival else "defend",
            seat,
            "15.5" if threat.arrival else "16",
            self.content.defence_choices,
            lambda choice: self.why_not_defend(seat, choice, threat),
            {"card": threat.card, "by": threat.by},
            source="hand",
            silence=None if held else PASS,
        )

    def why_not_defend(self, seat: str, choice: str, threat: Threat) -> Refusal | None:
        """§16 Why a seat cannot defend itself so."""
        if choice == PASS:
            return None
        if choice in (SHIELD, BUMP_GUARD):
            return self._why_not_marker(seat, choice, threat)
        card = self.content.power_ups.get(choice)
        if card is None or not card.passive:
            return elsewhere("16", N_("Only a defence answers this: shield, guard or passive."))
        if card.trigger not in threat.triggers:
            return elsewhere("14.2", N_("The trigger of this passive card is not met."))
        return self.cannot_hold(seat, choice)

    def _why_not_marker(self, seat: str, marker: str, threat: Threat) -> Refusal | None:
        if not self.count(seat, marker):
            return impossible("16", N_("There is no such marker to spend."))
        if marker not in threat.means:
            rule = "15.4" if marker == SHIELD else "15.5"
            return elsewhere(rule, N_("That marker does not answer this."))
        return None

    async def defend(
        self, seat: str, effects: Sequence[Effect], source: Source, *, trap: bool = False
    ) -> Outcome:
        """§16 Let a seat answer a card as a whole with one defence (rulings A46, A48)."""
        return await self.meet(seat, self.threat(seat, effects, source, trap=trap))

    async def meet(self, seat: str, threat: Threat) -> Outcome:
        """§16 Ask a seat that could answer a threat, and spend what it answers with."""
        if not self.could_defend(seat, threat):
            return HIT
        choice = await self.ask(self.offer_defence, seat, threat)
        if choice == PASS:
            if not threat.arrival:
                self.record(NotDefended(rule="16", ruling="A46", seat=seat))
            return HIT
        if choice not in (SHIELD, BUMP_GUARD):
            return await self.lay_passive(seat, choice, threat.by)
        rule = "15.5" if choice == BUMP_GUARD else "15.4"
        ruling = None if threat.arrival else "A47"
        self.record(Defended(rule=rule, ruling=ruling, seat=seat, means=choice))
        self.lose(seat, choice, rule)
        return UNHARMED

    def threat(self, seat: str, effects: Sequence[Effect], source: Source, *, trap: bool) -> Threat:
        """§14.2 Which triggers a set of effects on a seat meets, and which markers answer it."""
        attacked = source.attack and seat != source.actor
        triggers: list[Trigger] = []
        if attacked:
            triggers.append(Trigger.ATTACKED)
        if trap:
            triggers.append(Trigger.TRAPPED)
        for effect in effects:
            if isinstance(effect, GiveMarker) and effect.marker in MARKER_TRIGGERS:
                full = MARKERS.is_full(self.kart(seat).markers, effect.marker)
                if not full:
                    triggers.append(MARKER_TRIGGERS[effect.marker])
        harmful = any(harms(effect) and self.reaches(effect, seat) for effect in effects)
        any_negative = harmful and self.ruling("A47") == "any_negative"
        shielded = attacked or trap or any_negative
        return Threat(
            tuple(dict.fromkeys(triggers)),
            (SHIELD,) if shielded else (),
            source.other if trap else source.actor,
            source.card,
        )

    def reaches(self, effect: Effect, seat: str) -> bool:
        """Rulings A16, A65, A67: what only moves a pawn does nothing to one outside."""
        return not moves_pawns(effect) or self.kart(seat).square is not None

    def could_defend(self, seat: str, threat: Threat) -> bool:
        """§16 Whether by what everybody sees a seat could hold an answer."""
        if any(self.count(seat, marker) for marker in threat.means):
            return True
        return self.kart(seat).asks and any(
            self.may_hold(seat, card)
            for trigger in threat.triggers
            for card in self.content.passives[trigger]
        )

    async def lay_passive(self, seat: str, card: str, other: str) -> Outcome:
        """§14.2 Lay a passive card whose trigger is met; it is discarded at once (ruling A54)."""
        text = self.content.power_ups[card]
        played = self.play(seat, card, "14.2")
        with self.because(played):
            self.record(Defended(rule="16", seat=seat, means=card))
            self.discard_from_play(seat, card, "14.2")
            rest = [e for e in text.effects if not isinstance(e, (Cancel, Reflect))]
            if rest:
                await self.carry_out(rest, Source(card, seat, "14.2", other))
        return self._outcome_of(card)

    def _outcome_of(self, card: str) -> Outcome:
        """§14.3 What the card cancels: all of the effect, or the marker its trigger names."""
        text = self.content.power_ups[card]
        if any(isinstance(effect, Reflect) for effect in text.effects):
            return Outcome(all=True, reflected=True)
        if not any(isinstance(effect, Cancel) for effect in text.effects):
            return Outcome()
        if text.trigger in (Trigger.DAMAGED, Trigger.STUNNED):
            return Outcome(markers=(text.trigger.value,))
        return UNHARMED

    async def guards(self, seat: str, intruder: str, *, bump: bool = True) -> bool:
        """§15.5 Whether a seat turns away a pawn that is about to come onto its square.

        Without `bump` the pawn passes or changes places: cards that wait for a bump do not answer.
        """
        triggers = (Trigger.BUMPED,) if bump else ()
        shields = bump and self.ruling("A47") == "any_negative"
        means = (BUMP_GUARD, SHIELD) if shields else (BUMP_GUARD,)
        return (await self.meet(seat, Threat(triggers, means, intruder, arrival=True))).all
