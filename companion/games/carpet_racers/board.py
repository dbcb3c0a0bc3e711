"""§7, 9 The two sides of the board, read from TOML and checked.

The real ones belong to the publisher of the game. What ships are samples, made up for this project;
an owner of the game gives files of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Annotated

import msgspec

from companion.games.carpet_racers.effects import (
    OF_CASTLES,
    OF_PROGRESS,
    OF_SPACES,
    Effect,
    Stretch,
    effect_faults,
    tag_of,
)
from companion.rules.content import Fault, read_checked
from companion.rules.phrases import N_
from companion.rules.prompts import Choice
from companion.rules.tracks import Graph

CASTLES = 5
"""§9.1 As many sandcastles, the farthest one last."""
CASTLE = "castle-"
"""What the names of the sandcastles begin with."""
SANDBOX = "sandbox"
"""What the castles are together."""

Number = Annotated[int, msgspec.Meta(ge=1, le=99)]
Place = int | str
"""Where a car is: the number of a space, or the name of a sandcastle."""


class Mode(StrEnum):
    """The two sides of the board."""

    LIVING_ROOM = "living-room"
    PLAYGROUND = "playground"

    @property
    def file(self) -> str:
        """The file of this side's track."""
        return f"{self}.toml"


class Tyre(StrEnum):
    """§6.5 The colours of tyres."""

    RED = "red"
    BLUE = "blue"


# -- the files -------------------------------------------------------------------------------------


class Space(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One space. Without `next`, the space of the next number follows.

    `line`: a car that arrives here has crossed the start line. `bonus`: what a striped space gives;
    it gets a trap at the set-up, as does one with `trap`, such as the pizza box.
    """

    number: Number
    next: tuple[Number, ...] = ()
    line: bool = False
    bonus: tuple[Effect, ...] = ()
    trap: bool = False
    tyre: Tyre | None = None
    catapult: bool = False


class Bonus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a space of the progress track or a sandcastle gives."""

    effects: tuple[Effect, ...]


class Sandbox(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """§9.1 The five sandcastles, the faces of the catapult die, and the space outside."""

    exit: Number
    die: Annotated[
        tuple[Annotated[int, msgspec.Meta(ge=1, le=CASTLES)], ...],
        msgspec.Meta(min_length=2, max_length=12),
    ]
    castle: Annotated[tuple[Bonus, ...], msgspec.Meta(min_length=CASTLES, max_length=CASTLES)]


class TrackFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A side of the board: its spaces, its progress track from the second space up, its sandbox."""

    mode: Mode
    start: Number
    space: Annotated[tuple[Space, ...], msgspec.Meta(min_length=3, max_length=99)]
    progress: Annotated[tuple[Bonus, ...], msgspec.Meta(min_length=1, max_length=30)]
    sandbox: Sandbox | None = None
    sample: bool = False

    def following(self, space: Space) -> tuple[Place, ...]:
        """What comes after a space, as the file says it."""
        if space.catapult:
            return (castle(1),)
        return space.next or (space.number + 1,)


def castle(number: int) -> str:
    """The name of a sandcastle, from 1, the nearest one."""
    return f"{CASTLE}{number}"


# -- what the rules look up ------------------------------------------------------------------------

PRINTED = {
    "bonus-progress": ("p", N_("progress bonus")),
    "bonus-boost": ("+", N_("boost bonus")),
    "bonus-trap": ("t", N_("trap bonus")),
    "bonus-look": ("o", N_("look bonus")),
    "bonus-stretch": ("s", N_("stretch bonus")),
    "bonus-stop": ("-", N_("stop tokens")),
    "catapult": ("^", N_("catapult")),
    "tyre-red": ("r", N_("red tyre")),
    "tyre-blue": ("b", N_("blue tyre")),
}
"""What there is to see on places: the sign for it in pictures, and what it is called."""


class Track:
    """One side of the board as the rules look at it.

    A place is the number of a space or the name of a sandcastle. All castles are one step before
    the exit and one after the catapult (ruling R26); a car that runs past the catapult comes to the
    first of them (R18).
    """

    def __init__(self, file: TrackFile) -> None:
        self.file = file
        self.mode = file.mode
        self.start = file.start
        self.spaces = {space.number: space for space in file.space}
        self.bonuses: dict[Place, tuple[Effect, ...]] = {s.number: s.bonus for s in file.space}
        """What a car that ends its move there brings."""
        given = file.sandbox.castle if file.sandbox else ()
        self.castles = tuple(castle(number + 1) for number in range(len(given)))
        self.bonuses |= {name: one.effects for name, one in zip(self.castles, given, strict=True)}
        self.die = file.sandbox.die if file.sandbox else ()
        self.printed: dict[Place, str] = {place: _bonus(e) for place, e in self.bonuses.items()}
        """What there is to see on a place, by its name in `PRINTED`; "" for nothing."""
        self.printed |= {s.number: _printed(s) for s in file.space if not s.bonus}
        self.graph = graph_of(file)
        self.in_order = tuple(sorted(self.spaces, key=lambda number: number != self.start))
        """The spaces from the start on, for pictures."""
        self.steps = tuple((s.number, place) for s in file.space for place in _drawn(file, s))
        """The steps between spaces, for pictures: from a catapult to the exit."""
        self.lines = tuple(s.number for s in file.space if s.line)
        """The spaces on which a car has just crossed the start line."""
        self.catapults = tuple(s.number for s in file.space if s.catapult)
        self.trapped = tuple(s.number for s in file.space if s.trap or s.bonus)
        """§2.8 The spaces with a trap at the beginning."""
        self.tyres = {tyre: tuple(s.number for s in file.space if s.tyre is tyre) for tyre in Tyre}
        self.progress = tuple(one.effects for one in file.progress)
        """§6.3.1 What its spaces give; the first one is the space after the lowest."""

    def next(self, place: Place) -> tuple[Place, ...]:
        """One step forward: several places at a fork."""
        return self.graph.after[place]

    def previous(self, place: Place) -> tuple[Place, ...]:
        """One step back: several places at a merge. From any castle it is a catapult.

        Out of the sandbox's exit one backs into the first castle.
        """
        if place in self.castles:
            return self.catapults
        return tuple(one for one in self.graph.before[place] if one not in self.castles[1:])

    def crosses(self, place: Place) -> bool:
        """§6.1.1 Whether a car that steps forward onto a place has crossed the start line."""
        return place in self.lines

    def holds_traps(self, place: Place) -> bool:
        """§9 Whether traps can lie there: nowhere on catapults and castles."""
        return place in self.spaces and place not in self.catapults

    def cells(self, choice: Choice) -> tuple[str, ...]:
        """The place that a choice is about, for pictures; none for anything else."""
        return (str(choice),) if choice in self.printed else ()

    def from_line(self, place: Place) -> int:
        """§8.2 Spaces from the start line to a place by the shortest way, 1 for the first one."""
        end = self.castles[0] if place in self.castles else place
        return 1 + min(self.graph.distance(line, end) for line in self.lines)

    def merge_after(self, place: Place) -> Place:
        """§8.2 The next place, from one on, that every lap leads over."""
        while not self._is_passed(place):
            place = self.graph.after[place][0]
        return place

    def _is_passed(self, place: Place) -> bool:
        """Whether every lap leads over a place."""
        around = {
            other: [one for one in following if one != place]
            for other, following in self.graph.after.items()
            if other != place
        }
        road = Graph(around)
        return place == self.start or all(
            self.start not in road.reached_from(one) for one in around[self.start]
        )


def _bonus(effects: Sequence[Effect]) -> str:
    return f"bonus-{tag_of(effects[0])}" if effects else ""


def _printed(space: Space) -> str:
    if space.catapult:
        return "catapult"
    return f"tyre-{space.tyre}" if space.tyre else ""


def _drawn(file: TrackFile, space: Space) -> tuple[int, ...]:
    if space.catapult and file.sandbox is not None:
        return (file.sandbox.exit,)
    return space.next or (space.number + 1,)


def graph_of(file: TrackFile) -> Graph[Place]:
    """The spaces and castles with the steps between them."""
    steps: dict[Place, tuple[Place, ...]] = {s.number: file.following(s) for s in file.space}
    if file.sandbox is not None:
        steps |= {castle(number + 1): (file.sandbox.exit,) for number in range(CASTLES)}
    return Graph(steps)


# -- reading ---------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def read_track(text: str, mode: Mode) -> TrackFile:
    """A side of the board from TOML; raises BadContent with line, field and what is allowed."""
    return read_checked(text, TrackFile, mode.file, lambda file: _track_faults(file, mode))


# -- what is wrong with tracks ---------------------------------------------------------------------


def _track_faults(file: TrackFile, mode: Mode) -> Iterator[Fault]:
    """What is wrong with a side of the board; each check may rely on those before it."""
    if file.mode is not mode:
        yield ("mode",), f"{mode.file} has the mode {mode}"
    yield from _mode_faults(file)
    yield from _space_faults(file)
    for index, space in enumerate(file.space):
        yield from _next_faults(file, space, ("space", index))
    graph = graph_of(file)
    yield from _road_faults(file, graph)
    yield from _lap_faults(file, graph)
    yield from _bonus_faults(file)


def _mode_faults(file: TrackFile) -> Iterator[Fault]:
    """§9 Catapult and sandbox are there in the playground, and nowhere else."""
    playground = file.mode is Mode.PLAYGROUND
    catapults = [index for index, space in enumerate(file.space) if space.catapult]
    if playground and not catapults:
        yield ("space",), "a playground needs a space with catapult = true"
    if playground and file.sandbox is None:
        yield ("mode",), "a playground needs a [sandbox] with exit, die and five castles"
    if not playground and catapults:
        yield ("space", catapults[0], "catapult"), "only a playground has a catapult"
    if not playground and file.sandbox is not None:
        yield ("sandbox",), "only a playground has a sandbox"


def _space_faults(file: TrackFile) -> Iterator[Fault]:
    numbers = [space.number for space in file.space]
    for index, space in enumerate(file.space):
        here = ("space", index)
        if space.number in numbers[:index]:
            yield (*here, "number"), f"{space.number} is taken; every space has its own number"
        if space.catapult and space.next:
            yield (*here, "next"), "the sandbox follows a catapult, and its exit says what then"
        if space.catapult and (space.bonus or space.trap or space.tyre):
            yield (*here, "catapult"), "no trap can lie on a catapult: no bonus, trap or tyre there"
    named: list[tuple[tuple[str, ...], int]] = [(("start",), file.start)]
    named += [(("sandbox", "exit"), file.sandbox.exit)] if file.sandbox else []
    for path, number in named:
        if number not in numbers:
            yield path, f"there is no space {number}"
        if file.space[numbers.index(number)].catapult:
            yield path, f"space {number} is a catapult; take one where cars only stand"


def _next_faults(file: TrackFile, space: Space, path: Sequence[str | int]) -> Iterator[Fault]:
    numbers = [one.number for one in file.space]
    following = file.following(space)
    for place in following:
        if place not in numbers and not space.catapult:
            hint = "" if space.next else "; say with next what follows, as on the last space"
            yield (*path, "next"), f"there is no space {place}{hint}"
    if space.number in following or len(set(following)) < len(following):
        yield (*path, "next"), "the spaces one step forward, each once"


def _road_faults(file: TrackFile, graph: Graph[Place]) -> Iterator[Fault]:
    """Every space is on a way round: no detour begins nowhere or ends nowhere."""
    reached, leading = graph.reached_from(file.start), graph.leading_to(file.start)
    for index, space in enumerate(file.space):
        if space.number not in reached:
            yield ("space", index), f"no road leads to space {space.number}: no next names it"
        if space.number not in leading:
            reason = f"no road leads from space {space.number} back to the start, {file.start}"
            yield ("space", index, "next"), reason


def _lap_faults(file: TrackFile, graph: Graph[Place]) -> Iterator[Fault]:
    """§6.1.1 Every lap crosses the line once, and the cars start before it."""
    lines = {space.number for space in file.space if space.line}
    if not lines:
        yield ("space",), "mark the first space after the start line with line = true"
    if file.start in lines:
        yield ("start",), "the cars start before the line, on a space without line = true"
    missing, twice = _round_without(graph, lines), _to_line_again(graph, lines, file.start)
    for index, space in enumerate(file.space):
        if space.number in missing:
            reason = "from here one can go round without crossing the line; every road needs it"
            yield ("space", index), reason
        if space.number in twice:
            reason = "from the line one comes here without passing the start; one line a lap"
            yield ("space", index, "line"), reason


def _round_without(graph: Graph[Place], lines: Collection[Place]) -> set[Place]:
    """The places from which one can come back to them without crossing the line."""
    rest = {
        place: [one for one in following if one not in lines]
        for place, following in graph.after.items()
        if place not in lines
    }
    off_line = Graph(rest)
    return {
        place
        for place, following in rest.items()
        if any(place in off_line.reached_from(one) for one in following)
    }


def _to_line_again(graph: Graph[Place], lines: Collection[Place], start: Place) -> set[Place]:
    """The line's spaces to which one comes from the line without passing the start."""
    until_start = Graph({p: () if p == start else after for p, after in graph.after.items()})
    beyond = {one for line in lines for one in graph.after[line]}
    return {place for one in beyond for place in until_start.reached_from(one) if place in lines}


def _bonus_faults(file: TrackFile) -> Iterator[Fault]:
    """§6.3, 6.3.1, 9.1 What is given where."""
    indoors = () if file.mode is Mode.PLAYGROUND else (Stretch,)
    spaces = tuple(kind for kind in OF_SPACES if kind not in indoors)
    shown = tuple(kind for kind in OF_PROGRESS if kind not in indoors)
    for index, space in enumerate(file.space):
        yield from effect_faults(("space", index), space.bonus, spaces, "spaces", "bonus")
    for index, one in enumerate(file.progress):
        yield from effect_faults(("progress", index), one.effects, shown, "the progress track")
    for index, one in enumerate(file.sandbox.castle if file.sandbox else ()):
        yield from effect_faults(("sandbox", "castle", index), one.effects, OF_CASTLES, "castles")
    if not any(space.bonus for space in file.space):
        yield ("space",), "at least one space needs a bonus (those with yellow stripes)"
