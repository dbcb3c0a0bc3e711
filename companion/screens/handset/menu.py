"""The menu and its lists: what is needed rarely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from companion.rules.phrases import N_, Named, Phrase
from companion.rules.tags import TaggedThing, short
from companion.rules.wording import Label
from companion.screens.boards import can_be_drawn
from companion.screens.handset.beside import TITLE as BESIDE
from companion.screens.handset.beside import acts_beside
from companion.screens.handset.board import BoardPage
from companion.screens.handset.correcting import things_to_correct
from companion.screens.handset.outcomes import (
    ACCEPTED,
    NOTHING,
    Meaning,
    NewGame,
    Outcome,
    Register,
    Speak,
    Stop,
    Wish,
)
from companion.screens.handset.racing import calls
from companion.screens.handset.reasons import show_contents
from companion.screens.handset.seating import TITLE as PLAYERS
from companion.screens.handset.seating import who_plays
from companion.screens.handset.stack import YES_HINT, Choosing, Item, Page, Reading
from companion.screens.oled import Sheet, find_fonts
from companion.screens.panels import Panels
from companion.screens.pixels import NoFont
from companion.screens.showing import OVER, RULES
from companion.words import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.screens.handset.machine import Handset


def menu(handset: Handset) -> Choosing:
    """Everything that needs no button of its own; after the end a new game comes first."""
    items = list(_items(handset))
    if handset.shown.kind == OVER:
        items.sort(key=lambda item: item.entry.label != NEW_GAME)
    return Choosing(handset.box.title, items)


def _items(handset: Handset) -> Iterator[Item]:
    session = handset.session
    if handset.refusal is not None and handset.refusal.can_be_forced:
        yield _force(handset)
    yield from calls(handset)
    if session.future:
        yield Item(Phrase(N_("Redo")), lambda: handset.act(lambda by: session.redo(by=by)))
    yield Item(Phrase(N_("Standings")), handset.show_standings)
    if can_be_drawn(handset.shown.board):
        yield Item(Phrase(N_("Board")), lambda: handset.open(BoardPage(handset)))
    yield Item(Phrase(N_("Rules")), lambda: show_contents(handset, session.game.register))
    yield Item(Phrase(N_("Correct…")), lambda: things_to_correct(handset))
    beside = acts_beside(handset)
    if beside:
        yield Item(Phrase(N_("Beside the question…")), lambda: handset.offer(BESIDE, beside))
    if handset.shown.kind == RULES:
        yield Item(PLAYERS, lambda: who_plays(handset))
    if handset.address:
        yield Item(Phrase(N_("Join by phone")), lambda: handset.open(Address(handset)))
    yield Item(language_label(handset.panels), lambda: handset.open(_languages(handset)))
    yield Item(Phrase(N_("Devices")), lambda: handset.open(_devices(handset)))
    yield Item(NEW_GAME, lambda: handset.open(NewGameAsked(handset)))
    yield Item(Phrase(N_("Switch off…")), lambda: handset.open(_stop(handset)))


def _force(handset: Handset) -> Item:
    """What was refused last, done because the table agrees."""
    choice, seat = handset.tried
    label = Phrase(N_("Force: {choice}"), {"choice": handset.wording.label(choice)})
    session, via = handset.session, handset.via
    return Item(label, lambda: handset.act(lambda by: session.force(choice, seat, by=by, via=via)))


def _devices(handset: Handset) -> Page:
    return Reading(lambda panels: [panels.devices(handset.devices, Phrase(N_("Devices")))])


class Address(Page):
    """What a phone opens to join."""

    def __init__(self, handset: Handset) -> None:
        self.handset = handset

    def sheet(self, panels: Panels) -> Sheet:
        return panels.address(self.handset.address)

    def turn(self, step: int) -> bool:
        return False


# -- language --------------------------------------------------------------------------------------


def language_label(panels: Panels) -> Named:
    """The word for language in every one, for who cannot read the present one."""
    return Named({"en": "Bahasa/Language/言語" if panels.fonts.japanese else "Bahasa/Language"})


def _languages(handset: Handset) -> Choosing:
    def speak(code: str) -> Outcome:
        try:
            fonts = find_fonts(code)
        except NoFont as error:
            return handset.open(handset.message(Phrase(N_("Language")), [error.phrase]))
        handset.speak(Words(code), fonts)
        return Outcome(ACCEPTED.result, Speak(code))

    codes = list(LANGUAGES)
    return Choosing(
        language_label(handset.panels),
        [Item(Named({"en": LANGUAGES[code]}), partial(speak, code)) for code in codes],
        selected=codes.index(handset.panels.words.language),
    )


# -- a new game, the stop --------------------------------------------------------------------------

NEW_GAME = Phrase(N_("New game…"))


class NewGameAsked(Reading):
    """Asks before another game begins. Only a held ● is a yes, so that nobody starts one unawares.

    The running game is kept, whatever is done here.
    """

    def __init__(self, handset: Handset) -> None:
        body = Phrase(N_("Another game? This one is kept and can be gone on with."))
        super().__init__(
            lambda panels: [panels.text(NEW_GAME, [body])],
            Phrase(N_("hold ●: yes  ◀ no")),
            press=lambda _: NOTHING,
        )
        self.handset = handset

    def hold(self) -> Outcome:
        return _wish(self.handset, NewGame())


def _stop(handset: Handset) -> Page:
    body = Phrase(N_("Switch off? The game is kept and goes on at this point."))
    return handset.message(
        Phrase(N_("Switch off…")), [body], hint=YES_HINT, press=lambda: _wish(handset, Stop())
    )


def _wish(handset: Handset, wish: Wish) -> Outcome:
    handset.clear()
    return Outcome(ACCEPTED.result, wish)


# -- an unknown tag --------------------------------------------------------------------------------


def registering(handset: Handset, meaning: Meaning) -> Choosing:
    """What the tag may be: first what may be chosen now, then everything, deck by deck."""
    options = {option.choice for option in handset.shown.options}
    now = [thing for thing in handset.things if thing.thing in options]
    here = Phrase(N_("now"))

    def register(thing: TaggedThing) -> Outcome:
        handset.clear()
        return Outcome(ACCEPTED.result, Register(meaning.uid, meaning.tail, thing))

    def items(things: Sequence[TaggedThing], group: Label | None = None) -> Iterator[Item]:
        for thing in things:
            yield Item(thing.name, partial(register, thing), group=group or thing.group)

    title = Phrase(N_("{tail} is"), {"tail": short(meaning.tail)})
    return Choosing(title, [*items(now, here), *items(handset.things)])
