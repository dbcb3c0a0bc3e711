"""Pages that tell: why something happened or may not be done, the rules, what somebody missed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from companion.rules.events import Answered
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Refusal
from companion.rules.rulings import Register, Section
from companion.rules.session import Session
from companion.rules.wording import Label, Wording
from companion.screens.handset.outcomes import Outcome
from companion.screens.handset.stack import Item, PageStack, Reading
from companion.screens.oled import Chapter
from companion.screens.panels import Panels
from companion.screens.showing import Happening, Shown, happening
from companion.screens.telling import Teller, refusal_title

Chapters = Callable[[Panels], list[Chapter]]

MOST_NEWS = 24
"""The most events that are told to who comes back."""
BUTTONS = Phrase(N_("Buttons"))
HOW_TO = (
    Phrase(N_("hold ●: why?")),
    Phrase(N_("hold ◀: undo")),
    Phrase(N_("● and ◀: menu")),
    Phrase(N_("hold ▲▼: go far")),
)
WHY = Phrase(N_("Why?"))


def why_events(
    session: Session[Any], wording: Wording, who: str | None, numbers: Sequence[int]
) -> Chapters:
    """A chapter for each of the events with these numbers in the log of `who`, rules in full."""

    def chapters(panels: Panels) -> list[Chapter]:
        teller = Teller(session, wording, panels.words, who)
        events = session.log(who)
        told = [happening(number, events[number], wording) for number in numbers]
        return [_of_event(panels, teller, one) for one in told]

    return chapters


def _of_event(panels: Panels, teller: Teller, one: Happening) -> Chapter:
    rules = [one.rule] if one.rule else []
    rulings = [one.ruling] if one.ruling else []
    return panels.text(WHY, [one.text, *teller.sources(rules, rulings)], cited(rules, rulings))


def why_refused(session: Session[Any], wording: Wording, refusal: Refusal) -> Chapters:
    """A refusal with its rule and ruling in full, and what the table may do all the same."""

    def chapters(panels: Panels) -> list[Chapter]:
        teller = Teller(session, wording, panels.words, None)
        rules = [refusal.rule] if refusal.rule else []
        rulings = [refusal.ruling] if refusal.ruling else []
        texts: list[Label | str] = [refusal.reason, *teller.sources(rules, rulings)]
        if refusal.can_be_forced:
            texts.append(Phrase(N_("If the table agrees all the same: menu (●+◀), force.")))
        return [panels.text(refusal_title(refusal), texts, cited(rules, rulings))]

    return chapters


def cited(rules: Sequence[str], rulings: Sequence[str]) -> str:
    """The numbers of rules and rulings, for the bar."""
    return " ".join([*(f"§{rule}" for rule in rules), *rulings])


def of_sections(sections: Sequence[Section]) -> Chapters:
    """Sections of the rulebook, each with its title in the bar."""
    return lambda panels: [
        panels.text(Named(section.title), [Named(section.text)], f"§{section.number}")
        for section in sections
    ]


def rule(register: Register, number: str) -> Chapters | None:
    """The section with a number, None where the register has none."""
    section = register.sections.get(number.partition("(")[0])
    return None if section is None else of_sections([section])


def show_contents(stack: PageStack, register: Register) -> Outcome:
    """The main sections, each with ● for its text and that of all below it."""

    def read(main: Section) -> Outcome:
        below = [s for s in register.sections.values() if s.number.startswith(main.number + ".")]
        return stack.open(Reading(of_sections([main, *below])))

    items = [
        Item(
            Phrase("§{number} {title}", {"number": s.number, "title": Named(s.title)}),
            partial(read, s),
        )
        for s in register.sections.values()
        if "." not in s.number
    ]
    return stack.offer(Phrase(N_("Rules")), items)


def missed(session: Session[Any], wording: Wording, seat: str, shown: Shown) -> Chapters:
    """What happened since a seat last did something, what is to be moved, where everybody stands.

    Where the question is explained to newcomers, that comes first; last, what the buttons do.
    """

    def chapters(panels: Panels) -> list[Chapter]:
        news = _news(session, wording, seat)
        found = [panels.items(Phrase(N_("What happened")), news, shown.names)] if news else []
        if shown.guide is not None:
            found.insert(0, panels.text(shown.phase or Phrase(N_("Rules")), [shown.guide]))
        if shown.to_move:
            found.append(panels.to_move(shown))
        return [*found, panels.standing(shown), panels.text(BUTTONS, HOW_TO)]

    return chapters


def _news(session: Session[Any], wording: Wording, seat: str) -> list[Phrase]:
    """What a seat missed, as far as everybody may see it; the last of it."""
    since = {id(event) for event in session.missed(seat)}
    events = [e for e in session.log(None) if id(e) in since and not isinstance(e, Answered)]
    return [wording.tell(event) for event in events[-MOST_NEWS:]]
