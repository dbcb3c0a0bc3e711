"""§10 to 12 What the tokens of the track do: power-up, event, bend."""

from __future__ import annotations

from companion.games.chaos_kart.content import EVENT, POWER_UP, Token, Trigger
from companion.games.chaos_kart.defence import Threat
from companion.games.chaos_kart.happenings import EventIgnored, HitBend, JudgeAsked, TokenUsed
from companion.games.chaos_kart.moving import Movement
from companion.games.chaos_kart.table import Source
from companion.games.chaos_kart.traps import Traps
from companion.rules.phrases import N_
from companion.rules.prompts import PASS, Prompt, Refusal, elsewhere, impossible

EVENT_LIMIT = 10
"""Ruling A57: events inside one another before the table is asked."""

GO_ON, STOP = "go-on", "stop"


class Tokens(Traps):
    """§10, 11, 12."""

    def use_power_up_token(self, seat: str) -> None:
        """§10 Stopping on a power-up token: draw one power-up card."""
        square = self.kart(seat).square
        if square is not None and self.token(square) == Token.POWER_UP:
            used = self.record(TokenUsed(rule="10", seat=seat, square=square, token=Token.POWER_UP))
            with self.because(used):
                self.draw(seat, POWER_UP, 1, "10")

    async def use_event_token(self, seat: str) -> None:
        """§11 Stopping on an event token: turn up a card, do it, discard it."""
        square = self.kart(seat).square
        if square is None or self.token(square) != Token.EVENT:
            return
        used = self.record(TokenUsed(rule="11", seat=seat, square=square, token=Token.EVENT))
        with self.because(used):
            if await self.may_turn_up(seat):
                await self.turn_up_event(seat)

    async def may_turn_up(self, seat: str) -> bool:
        """§18 and ruling A57: whether there is a card, and not an event too many."""
        if self.ruling("A57") == "one_extra" and self.state.events >= 2:
            self.record(EventIgnored(rule="11.1", ruling="A57", seat=seat))
            return False
        if self.state.events_open >= EVENT_LIMIT:
            self.record(JudgeAsked(rule="11.1", ruling="A57", seat=seat))
            if await self.ask(self.offer_judge_events, seat) == STOP:
                return False
        if not self.refill(EVENT):
            self.record(EventIgnored(rule="18", ruling="A56", seat=seat))
            return False
        return True

    def offer_judge_events(self, seat: str) -> Prompt[str]:
        """Ruling A57: the table decides whether a long chain of events goes on."""
        return Prompt("judge-events", seat, "11.1", (GO_ON, STOP))

    def offer_event_card(self, seat: str) -> Prompt[str]:
        """§11(1) The top card of the event deck, as everybody sees it."""
        return Prompt(
            "event-card",
            seat,
            "11",
            self.content.event_cards,
            self.why_not_event,
            source="deck/event",
            chance=True,
        )

    def why_not_event(self, card: str) -> Refusal | None:
        """§11(4) An event card that lies on the discard pile cannot be turned up."""
        if self.in_sight(card) < self.catalogue.totals[card]:
            return None
        return impossible(
            "18",
            N_(
                "Every {card} is discarded or in play. If the deck was reshuffled, correct its "
                "discards to 0."
            ),
            card=self.catalogue.names[card],
        )

    async def turn_up_event(self, seat: str) -> None:
        """§11(1–4) Turn up the top event card, carry it out, discard it."""
        card = await self.ask(self.offer_event_card, seat)
        turned_up = self.turn_up(card, "11")
        self.state.events += 1
        self.state.events_open += 1
        with self.because(turned_up):
            await self.carry_out(self.content.events[card].effects, Source(card, seat, "11"))
        self.state.events_open -= 1
        self.discard_from_play("", card, "11")

    # -- §12 bends -----------------------------------------------------------------------------

    async def hit_bend(self, movement: Movement) -> None:
        """§12, 20.3 Whether a movement hit a bend, and what cards that mention bends then do.

        Once for a movement, however many bends lie on its path (ruling A23).
        """
        square = next((s for s, _ in movement.visits() if self.token(s) == Token.BEND), None)
        if square is None:
            return
        seat = movement.seat
        hit = self.record(HitBend(rule="12", ruling="A23", seat=seat, square=square))
        with self.because(hit):
            if movement.clauses.bend:
                await self.carry_out(movement.clauses.bend, Source("", seat, "20.3"))
            await self.lay_at_bend(seat)

    async def lay_at_bend(self, seat: str) -> None:
        """§14.2 Passive cards may be laid when their holder hits a bend.

        Not limited to one, since they are no defences (ruling A60).
        """
        threat = Threat((Trigger.BEND,), (), "")
        while self.could_defend(seat, threat):
            card = await self.ask(self.offer_bend_card, seat)
            if card == PASS:
                return
            await self.lay_passive(seat, card, "")

    def offer_bend_card(self, seat: str) -> Prompt[str]:
        """§14.2(6) Passive cards that wait for a bend."""
        return Prompt(
            "bend",
            seat,
            "14.2",
            self.content.turn_choices,
            lambda choice: self.why_not_at_bend(seat, choice),
            source="hand",
            silence=PASS,
        )

    def why_not_at_bend(self, seat: str, choice: str) -> Refusal | None:
        """§14.2 Why a card cannot be laid when its holder hits a bend."""
        if choice == PASS:
            return None
        if choice not in self.content.passives[Trigger.BEND]:
            return elsewhere("14.2", N_("Only a passive card for bends can be laid now."))
        return self.cannot_hold(seat, choice)
