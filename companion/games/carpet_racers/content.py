"""§1 Cards, trap tokens and all that is played with, read from TOML and checked.

`board.py` has the two sides of the board: `Mode`, `Tyre`, `Place`, `Space`, `Track`.

The real ones belong to the publisher of the game. What ships are samples, made up for this project;
an owner of the game gives files of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Protocol

import msgspec

from companion.games.carpet_racers.board import (
    PRINTED,
    SANDBOX,
    Mode,
    Place,
    Track,
    TrackFile,
    Tyre,
    read_track,
)
from companion.games.carpet_racers.effects import (
    OF_CARDS,
    OF_TRAPS,
    Effect,
    LookInside,
    effect_faults,
    tag_of,
)
from companion.rules.cards import CardCatalogue
from companion.rules.content import (
    LANGUAGES,
    ContentId,
    Fault,
    Words,
    fault,
    id_faults,
    read_checked,
    same_names,
    words_faults,
)
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS
from companion.rules.views import GraphBoard, PieceView, SpaceView

CARS = 5
"""As many cars as controllers and chips."""
CAR, LAP, TRAP = "car", "lap", "trap"
"""Kinds of the layout that a picture of the track shows."""
CARDS, TRAPS = "cards.toml", "traps.toml"
DECK = "card"
"""The one deck of cards."""
GREY = "grey"
"""§6.1 The car that stands for any other one on a card."""

REAL_CARDS, REAL_TRAPS, REAL_SET_UP = 45, 32, 6
"""What the rulebook counts; of traps also those that lie on spaces at the set-up."""
LOOKS = 2
"""§6.3.1 Looks into controllers that a progress track gives."""
LARGEST_HANDS = 20
"""Cards that five players may hold."""

Copies = Annotated[int, msgspec.Meta(ge=1, le=99)]
Letter = Annotated[str, msgspec.Meta(pattern=r"^[F-Z]$")]


# -- cards.toml ------------------------------------------------------------------------------------


class Car(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A car. `letter` stands for it in pictures; A to E are the players'."""

    id: ContentId
    name: Words
    letter: Letter


class Controller(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A controller, with its dock, clue tokens and progress token."""

    id: ContentId
    name: Words


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """§6 One card. With one car, the player chooses the second one (the grey car).

    `id` and `name` are made from the cars and the movement where a file gives none.
    """

    cars: Annotated[tuple[ContentId, ...], msgspec.Meta(min_length=1, max_length=2)]
    move: Annotated[int, msgspec.Meta(ge=2, le=20)]
    effects: tuple[Effect, ...]
    tyre: Tyre | None = None
    count: Copies = 1
    id: ContentId = ""
    name: Words = {}
    text: Words = {}


class Cards(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cards.toml`: the cars, controllers and cards, and how many tokens there are."""

    car: Annotated[tuple[Car, ...], msgspec.Meta(min_length=CARS, max_length=CARS)]
    controller: Annotated[tuple[Controller, ...], msgspec.Meta(min_length=CARS, max_length=CARS)]
    card: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1)]
    boosts: Copies = 13
    """Of each colour."""
    stops: Copies = 24
    sample: bool = False


# -- traps.toml ------------------------------------------------------------------------------------


class Trap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """§6.2.1 A kind of trap token."""

    id: ContentId
    count: Copies
    name: Words
    effects: Annotated[tuple[Effect, ...], msgspec.Meta(min_length=1)]


class Traps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`traps.toml`: the trap tokens."""

    trap: Annotated[tuple[Trap, ...], msgspec.Meta(min_length=1)]
    sample: bool = False


# -- what the rules look up ------------------------------------------------------------------------


class Content:
    """Cards, traps and the track that is played on."""

    def __init__(self, cards: Cards, traps: Traps, track: TrackFile) -> None:
        self.file = cards
        self.cars = {car.id: car for car in cards.car}
        """The cars in the order in which they are named."""
        self.controllers = {controller.id: controller for controller in cards.controller}
        self.cards = {card.id: card for card in cards.card}
        self.traps = {trap.id: trap for trap in traps.trap}
        self.trap_totals = {trap.id: trap.count for trap in traps.trap}
        self.track = Track(track)
        self.catalogue = CardCatalogue.of_decks({DECK: cards.card})
        self.names = {
            thing.id: Named(thing.name)
            for things in (cards.car, cards.controller, cards.card, traps.trap)
            for thing in things
        }
        """What cars, controllers, cards and traps are called."""

    def board_view(
        self,
        cars: Mapping[str, Place],
        hidden: Mapping[Place, int],
        laps: Mapping[str, int | str],
    ) -> GraphBoard:
        """The track for screens: where each car is, how many traps lie where, each car's lap.

        Its tokens are called as `PRINTED` says, its places by number or castle.
        """
        track = self.track

        def seen(place: Place) -> SpaceView:
            token = track.printed[place]
            return SpaceView(
                place,
                tuple(car for car in self.cars if cars.get(car) == place),
                token,
                PRINTED[token][0] if token else "",
                hidden.get(place, 0),
                track.crosses(place),
            )

        return GraphBoard(
            spaces=tuple(map(seen, track.in_order)),
            steps=track.steps,
            pieces=tuple(
                PieceView(car.id, car.letter, {LAP: laps[car.id]}) for car in self.cars.values()
            ),
            apart=tuple(map(seen, track.castles)),
            zone=SANDBOX if track.castles else "",
            kinds=(CAR, LAP, TRAP),
        )


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def read_cards(text: str) -> Cards:
    """Cards from TOML, each with id and name; raises BadContent with line, field, allowed."""
    cards = read_checked(text, Cards, CARDS, _table_faults)
    complete = msgspec.structs.replace(cards, card=tuple(_with_names(cards)))
    for path, reason in _card_faults(complete):
        raise fault(text, CARDS, path, reason)
    return complete


@lru_cache(maxsize=4)
def read_traps(text: str) -> Traps:
    """Traps from TOML; raises BadContent with line, field and what is allowed."""
    return read_checked(text, Traps, TRAPS, _trap_faults)


def read_content(texts: Mapping[str, str], mode: Mode) -> Content:
    """All that is played with on one side of the board. Raises BadContent."""
    cards, traps = read_cards(texts[CARDS]), read_traps(texts[TRAPS])
    track = read_track(texts[mode.file], mode)
    for path, reason in _tyre_faults(cards, track):
        raise fault(texts[CARDS], CARDS, path, reason)
    for path, reason in _supply_faults(cards, traps, track):
        raise fault(texts[TRAPS], TRAPS, path, reason)
    return Content(cards, traps, track)


def advice(texts: Mapping[str, str]) -> Iterator[Phrase]:
    """What is odd about content files, though they can be played. Raises BadContent."""
    contents = [read_content(texts, mode) for mode in Mode]
    cards, traps = read_cards(texts[CARDS]), read_traps(texts[TRAPS])
    if cards.sample:
        yield Phrase(N_("Sample cards made for this project: the real ones are not public."))
    if traps.sample:
        yield Phrase(N_("Sample traps made for this project: the real ones are not public."))
    yield from same_names(Named(card.name) for card in cards.card)
    for content in contents:
        yield from _track_advice(content.track)
    in_all = contents[0].catalogue.sizes[DECK], sum(contents[0].trap_totals.values())
    if in_all[0] != REAL_CARDS:
        args = {"n": in_all[0], "real": REAL_CARDS}
        yield Phrase(N_("There are {n} cards; the game comes with {real}."), args)
    if in_all[1] != REAL_TRAPS:
        args = {"n": in_all[1], "real": REAL_TRAPS}
        yield Phrase(N_("There are {n} traps; the game comes with {real}."), args)


def _track_advice(track: Track) -> Iterator[Phrase]:
    where = {"file": track.mode.file}
    if track.file.sample:
        yield Phrase(N_("{file}: a sample track, not the real one."), where)
    trapped = len(track.trapped)
    if trapped != REAL_SET_UP:
        yield Phrase(
            N_("{file}: {n} space gets a trap at the set-up; the rulebook says {real}."),
            {**where, "n": trapped, "real": REAL_SET_UP},
            plural=N_("{file}: {n} spaces get a trap at the set-up; the rulebook says {real}."),
        )
    looks = sum(isinstance(e, LookInside) for effects in track.progress for e in effects)
    if looks != LOOKS:
        yield Phrase(
            N_("{file}: {n} controller on the progress track; docks have room for {real} clues."),
            {**where, "n": looks, "real": LOOKS},
            plural=N_(
                "{file}: {n} controllers on the progress track; docks have room for {real} clues."
            ),
        )


# -- names -----------------------------------------------------------------------------------------

_GREY: Words = {"id": "Abu-abu", "en": "Grey", "ja": "灰"}
_CALLED: Mapping[str, Words] = {
    "progress": {"id": "kemajuan", "en": "progress", "ja": "進行"},
    "boost": {"id": "boost", "en": "boost", "ja": "ブースト"},
    "trap": {"id": "perangkap", "en": "trap", "ja": "罠"},
    "look": {"id": "intip", "en": "look", "ja": "罠を見る"},
}
_TYRES: Mapping[Tyre, Words] = {
    Tyre.RED: {"id": "ban merah", "en": "red tyre", "ja": "赤タイヤ"},
    Tyre.BLUE: {"id": "ban biru", "en": "blue tyre", "ja": "青タイヤ"},
}


def _with_names(cards: Cards) -> Iterator[Card]:
    """The cards with ids and names, made of cars and movement where the file gives none.

    Names of cards that are alike in these say the rest, too.
    """
    order = [car.id for car in cards.car]
    names = {car.id: car.name for car in cards.car}
    ids = ["-".join([*_cars_of(card, order), str(card.move)]) for card in cards.card]
    for card, made in zip(cards.card, ids, strict=True):
        name = _short_name(card, [names.get(car, _GREY) for car in _cars_of(card, order)])
        if ids.count(made) > 1:
            name = _long_name(card, name)
        yield msgspec.structs.replace(card, id=card.id or made, name=card.name or name)


def _cars_of(card: Card, order: Sequence[str]) -> list[str]:
    """The two cars of a card, always in the same order; the grey one last."""
    return [*sorted(card.cars, key=order.index), GREY][:2]


def _short_name(card: Card, cars: Sequence[Words]) -> Words:
    return {
        language: f"{' + '.join(car.get(language, '') for car in cars)} {card.move}"
        for language in LANGUAGES
    }


def _long_name(card: Card, name: Words) -> Words:
    told = [(_CALLED[tag_of(effect)], getattr(effect, "count", 1)) for effect in card.effects]
    if card.tyre is not None:
        told.append((_TYRES[card.tyre], 1))
    return {
        language: ", ".join([name[language], *(_times(word[language], n) for word, n in told)])
        for language in LANGUAGES
    }


def _times(word: str, count: int) -> str:
    return word if count == 1 else f"{word} ×{count}"


# -- what is wrong with cards and traps ------------------------------------------------------------


def _table_faults(cards: Cards) -> Iterator[Fault]:
    """What is wrong with cars and controllers, and with what cards say of cars."""
    yield from _thing_faults("car", cards.car, ())
    yield from _thing_faults("controller", cards.controller, [car.id for car in cards.car])
    letters = [car.letter for car in cards.car]
    for number, letter in enumerate(letters):
        if letter in letters[:number]:
            yield ("car", number, "letter"), f"{letter} is taken; every car has its own letter"
    known = [car.id for car in cards.car]
    for number, card in enumerate(cards.card):
        here = ("card", number)
        if not set(card.cars) <= set(known):
            yield (*here, "cars"), f"there is no such car; allowed: {', '.join(known)}"
        if len(set(card.cars)) < len(card.cars):
            yield (*here, "cars"), "two different cars, or one where the other is the grey one"
        yield from effect_faults(here, card.effects, OF_CARDS, "cards")


def _card_faults(cards: Cards) -> Iterator[Fault]:
    """What is wrong with the cards themselves, once each has its id and name."""
    taken = [*(car.id for car in cards.car), *(one.id for one in cards.controller)]
    yield from _thing_faults("card", cards.card, taken)
    for number, card in enumerate(cards.card):
        yield from words_faults(("card", number, "text"), card.text or None)
    if sum(card.count for card in cards.card) < LARGEST_HANDS:
        yield ("card",), f"five hands of four need {LARGEST_HANDS} cards at the least"


def _trap_faults(traps: Traps) -> Iterator[Fault]:
    yield from _thing_faults("trap", traps.trap, ())
    for number, trap in enumerate(traps.trap):
        yield from effect_faults(("trap", number), trap.effects, OF_TRAPS, "traps")


class _Thing(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def name(self) -> Words: ...


def _thing_faults(table: str, things: Iterable[_Thing], taken: Iterable[str]) -> Iterator[Fault]:
    """What is wrong with ids and names: an id stands for one thing, so that it can be typed."""
    every = list(enumerate(things))
    ids = (((table, number, "id"), thing.id) for number, thing in every)
    yield from id_faults(ids, (PASS, GREY, *taken))
    for number, thing in every:
        yield from words_faults((table, number, "name"), thing.name)


def _tyre_faults(cards: Cards, track: TrackFile) -> Iterator[Fault]:
    """§6.5 Tyres on cards that no space of a track has."""
    there = {space.tyre for space in track.space}
    for number, card in enumerate(cards.card):
        if card.tyre not in (None, *there):
            yield ("card", number, "tyre"), f"no space of {track.mode.file} has that tyre"


def _supply_faults(cards: Cards, traps: Traps, track: TrackFile) -> Iterator[Fault]:
    """§2.8, 2.9 Too few traps for the spaces and docks, or names that cards have, too."""
    taken = [one.id for things in (cards.car, cards.controller, cards.card) for one in things]
    yield from _thing_faults("trap", traps.trap, taken)
    needed = CARS + sum(bool(space.trap or space.bonus) for space in track.space)
    if sum(trap.count for trap in traps.trap) < needed:
        yield ("trap",), f"the set-up with {track.mode.file} needs {needed} traps at the least"
