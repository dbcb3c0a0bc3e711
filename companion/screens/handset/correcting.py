"""Setting the companion right by buttons: choose the thing, then where it really is."""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from companion.rules.errors import CompanionError
from companion.rules.events import Log
from companion.rules.layouts import Place, Shift
from companion.rules.phrases import N_, Phrase
from companion.rules.session import Session
from companion.screens.handset.outcomes import Outcome
from companion.screens.handset.stack import YES_HINT, Item

if TYPE_CHECKING:
    from companion.screens.handset.machine import Handset

MOST_SQUARES = 60
"""The highest number that is tried as a place."""
NO_PLACE = "?"
"""A place that cannot be, to be told what can."""

TITLE = Phrase(N_("Correct"))


def things_to_correct(handset: Handset) -> Outcome:
    """The list of everything on the table."""
    layout = handset.session.view(None).layout
    items = [
        Item(
            handset.wording.place(Shift(thing, None, place)),
            partial(_places, handset, thing),
            group=handset.names.get((thing.split("/") + [""])[1], ""),
        )
        for thing, place in layout.items()
    ]
    return handset.offer(TITLE, items, names=handset.shown.names)


def _places(handset: Handset, thing: str) -> Outcome:
    """The list of where a thing can be, beginning with where it is thought to be."""
    place = handset.session.view(None).layout.get(thing)
    items = [
        Item(handset.wording.place(Shift(thing, None, other)), partial(_ask, handset, thing, other))
        for other in places_for(handset.session, thing, place)
    ]
    return handset.offer(TITLE, items, names=handset.shown.names)


def _ask(handset: Handset, thing: str, place: Place) -> Outcome:
    """What the correction changes; ● does it."""
    before = handset.session.view(None).layout.get(thing)
    text = Phrase(
        N_("{after}. Until now: {before}."),
        {
            "after": handset.wording.place(Shift(thing, None, place)),
            "before": handset.wording.place(Shift(thing, None, before)),
        },
    )
    return handset.open(
        handset.message(
            TITLE,
            [text],
            hint=YES_HINT,
            press=lambda: handset.act(lambda by: handset.session.correct(thing, place, by=by)),
        )
    )


def places_for(session: Session[Any], thing: str, now: Place) -> list[Place]:
    """The places where the game would let a thing be put, tried on a copy of its state."""
    stem, at, _ = str(now).partition("@")
    numbers = [f"{stem}@{n}" if at else n for n in range(MOST_SQUARES + 1)]
    named = _listed(_complaint(session, thing, NO_PLACE))
    tried: dict[Place, None] = dict.fromkeys([now, *named, *numbers, None])
    return [place for place in tried if _complaint(session, thing, place) is None]


def _complaint(session: Session[Any], thing: str, place: Place) -> Phrase | None:
    """What the game would say against a correction, tried on a copy of it; None: nothing."""
    game = copy(session.game)
    game.state = msgspec.msgpack.decode(session.snapshot(), type=type(game.state))
    game.log = Log()
    try:
        refusal = game.put(thing, place)
    except CompanionError as error:
        return error.phrase
    return None if refusal is None else refusal.reason


def _listed(complaint: Phrase | None) -> list[str]:
    """The words that a complaint lists as allowed."""
    values = () if complaint is None else complaint.args.values()
    return [str(word) for value in values if isinstance(value, (list, tuple)) for word in value]
