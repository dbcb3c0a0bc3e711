"""What seats may do beside the open question, by buttons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from companion.rules.phrases import N_, Phrase
from companion.rules.prompts import Prompt
from companion.screens.handset.outcomes import Outcome
from companion.screens.handset.sight import SHOWN, UNCOVERED
from companion.screens.handset.stack import Item, Reading
from companion.screens.oled import Chapter
from companion.screens.panels import Panels
from companion.screens.showing import shown_cards

if TYPE_CHECKING:
    from companion.screens.handset.machine import Handset

TITLE = Phrase(N_("Beside the question"))


def acts_beside(handset: Handset) -> list[Item]:
    """A line for each thing that a seat may do; a private one is covered at first."""
    items = []
    for prompt in handset.session.game.beside():
        if next(prompt.options(), None) is None and not prompt.only_shows:
            continue
        who = handset.wording.label(prompt.seat)
        label = Phrase(N_("{who}: {what}"), {"who": who, "what": handset.wording.ask(prompt)})
        if prompt.is_word:
            choose = partial(_do, handset, prompt, prompt.key)
        else:
            choose = partial(_cover if prompt.private else _options, handset, prompt)
        items.append(Item(label, choose, group=who))
    return items


def _cover(handset: Handset, prompt: Prompt[Any]) -> Outcome:
    body = Phrase(N_("Only {who} should look now."), {"who": handset.wording.label(prompt.seat)})
    hint = Phrase(N_("● show"))
    show = partial(_look if prompt.only_shows else _options, handset, prompt)
    return handset.open(handset.message(TITLE, [body], hint=hint, press=show))


def _look(handset: Handset, prompt: Prompt[Any]) -> Outcome:
    """What an offer shows to its seat, for a while; what is sealed is opened while it is drawn."""

    def shown(panels: Panels) -> list[Chapter]:
        cards = shown_cards(handset.session, handset.wording, prompt.seat, prompt)
        return [panels.items(SHOWN, (handset.wording.ask(prompt), *cards), ())]

    return handset.open(Reading(shown, lasts=UNCOVERED))


def _options(handset: Handset, prompt: Prompt[Any]) -> Outcome:
    items = [
        Item(handset.wording.label(choice, prompt), partial(_do, handset, prompt, choice))
        for choice in prompt.options()
    ]
    who, question = handset.wording.label(prompt.seat), handset.wording.ask(prompt)
    return handset.offer(who, items, question=question)


def _do(handset: Handset, prompt: Prompt[Any], choice: Any) -> Outcome:
    interject, via = handset.session.interject, handset.via
    return handset.act(
        lambda _: interject(prompt.key, prompt.seat, choice, via=via), reminds=not prompt.private
    )
