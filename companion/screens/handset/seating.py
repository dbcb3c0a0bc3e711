"""Who plays, by buttons: somebody leaves, somebody joins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.rules.phrases import N_, Named, Phrase
from companion.rules.setups import free_seat
from companion.screens.handset.outcomes import Outcome
from companion.screens.handset.stack import YES_HINT, Item

if TYPE_CHECKING:
    from companion.screens.handset.machine import Handset

TITLE = Phrase(N_("Players"))


def who_plays(handset: Handset) -> Outcome:
    """A line for each player, who may leave, and one for somebody new where there is room."""
    items = [
        Item(Named({"en": name}), partial(_leaves, handset, seat, name))
        for seat, name in handset.names.items()
    ]
    if len(items) < handset.box.seats[1]:
        items.append(Item(Phrase(N_("Somebody joins")), partial(_joins, handset)))
    return handset.offer(TITLE, items, question=Phrase(N_("Who leaves or joins?")))


def _leaves(handset: Handset, seat: str, name: str) -> Outcome:
    """Ask first: who leaves takes pieces and cards along."""
    text = Phrase(N_("{who} leaves the game?"), {"who": name})
    leave = partial(handset.act, lambda by: handset.session.leave(seat, by=by))
    return handset.open(handset.message(TITLE, [text], hint=YES_HINT, press=leave))


def _joins(handset: Handset) -> Outcome:
    """The new player is called by the seat, as the others may be."""
    seat = free_seat(handset.session.game.state.names)
    name = handset.panels.words.say(Phrase(N_("Player {seat}"), {"seat": seat}))
    return handset.act(lambda by: handset.session.join(seat, name, by=by))
