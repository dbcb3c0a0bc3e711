"""A game in the terminal with devices beside it: real ones, or simulated ones to try it all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.configuration import Configuration, parse_configuration, read_configuration
from companion.games.shelf import GAMES, open_box
from companion.host import Table, read_content
from companion.rules.box import Texts
from companion.rules.content import shipped
from companion.rules.errors import BadContent, BadSetup
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import TaggedThing, table_things
from companion.screens.commands import Command
from companion.screens.handset import Handset, Speak, Wish
from companion.simulation import SimulatedTags, Simulation, working_station
from companion.tabletop import Tabletop, fonts_for
from companion.words import Words
from companion.workbench import HANDS, Workbench

REAL, SIMULATED = "real", "simulated"
KINDS = (REAL, SIMULATED)
SIMULATED_TABLE = Path(__file__).with_name("simulated.toml")
"""What is wired where no file says it."""
RULEBOOK = ("rulings.toml", "rulebook.toml")
"""What a game reads only when somebody begins it: better missed before."""


def configuration_of(kind: str | None, path: Path | None) -> Configuration:
    """What is wired: by the file, else by /etc/companion.toml.

    Simulated devices without a file are those of `SIMULATED_TABLE`. Raises BadConfiguration.
    """
    if kind == SIMULATED and path is None:
        return parse_configuration(shipped("companion", SIMULATED_TABLE.name), SIMULATED_TABLE)
    return read_configuration(path)


def things_of(table: Table) -> list[TaggedThing]:
    """All that can carry a tag in a game, and at any table."""
    return [*table.box.tagged(table.header.content), *table_things(table.box.seats[1])]


def contents(game: str | None, own: Mapping[str, Path]) -> dict[str, Texts]:
    """The content files of one game, or of each on the shelf, by its name.

    `own` are files in the place of those that ship. Raises BadContent, BadSetup.
    """
    return {name: read_content(open_box(name), own) for name in games_of(game, own)}


def games_of(game: str | None, own: Mapping[str, Path]) -> list[str]:
    """The games that a command line means: one, or all. Raises NotUnderstood, BadSetup."""
    games = list(GAMES) if game is None else [open_box(game).name]
    if own and len(games) > 1:
        raise BadSetup(N_("Say whose cards these are. There is: {games}."), games=games)
    return games


def playable(game: str | None, own: Mapping[str, Path]) -> tuple[dict[str, Texts], list[Phrase]]:
    """The content files of each game that is whole, and what is missing or wrong of others.

    Raises as `contents` does where no game is whole.
    """
    found: dict[str, Texts] = {}
    faults: list[BadContent] = []
    told: list[Phrase] = []
    for name in games_of(game, own):
        try:
            for filename in RULEBOOK:
                shipped(open_box(name).package, filename)
            found |= contents(name, own)
        except BadContent as error:
            faults.append(error)
            args = {"game": open_box(name).title, "fault": error.phrase}
            told.append(Phrase("{game}: {fault}", args))
    if not found:
        raise faults[0]
    return found, told


def things_of_all(texts: Mapping[str, Texts]) -> list[TaggedThing]:
    """All that can carry a tag, of games with these content files and of the table."""
    boxes = {name: open_box(name) for name in texts}
    seats = max(box.seats[1] for box in boxes.values())
    tagged = (thing for name, box in boxes.items() for thing in box.tagged(texts[name]))
    return [*tagged, *table_things(seats)]


def handset_of(table: Table, words: Words, things: list[TaggedThing]) -> Handset:
    """The small display, buttons and reader of a game."""
    spoken, fonts = fonts_for(words)
    return Handset(table.session, table.box, table.wording, spoken, fonts, things=things)


class Equipment:
    """The devices beside a terminal. `bench` is for hands at simulated ones, else None."""

    def __init__(self, tabletop: Tabletop, scene: Handset, bench: Workbench | None) -> None:
        self.tabletop = tabletop
        self.scene = scene
        self.bench = bench

    def handle(self, line: str) -> str | None:
        """Do what hands are told to; None where a line is nothing for them."""
        return None if self.bench is None else self.bench.handle(line)

    @property
    def hands(self) -> Sequence[Command]:
        """What hands can be told to do, for `help`."""
        return () if self.bench is None else HANDS.all

    @property
    def stale(self) -> bool:
        """Whether a simulated display has turned to something else by itself."""
        return self.bench is not None and self.bench.stale

    def look(self) -> None:
        """The terminal may have changed the game: show it on the display too."""
        self.tabletop.look()
        if self.bench is not None:
            self.bench.settle()

    def speak(self, words: Words) -> None:
        """Go on in the language that was chosen in the terminal."""
        with self.tabletop.lock:
            self.scene.speak(*fonts_for(words))
        if self.bench is not None:
            self.bench.words = words

    def picture(self, columns: int, rows: int) -> list[str]:
        """What a simulated display shows, as text."""
        return [] if self.bench is None else self.bench.picture(columns, rows)


@contextmanager
def equipped(
    table: Table,
    configuration: Configuration,
    words: Words,
    *,
    simulated: bool,
    changed: Callable[[], None],
) -> Iterator[Equipment]:
    """The devices of a game at work. `changed` is called when one of them has done something."""
    things = things_of(table)
    scene = handset_of(table, words, things)
    simulation = Simulation(configuration.devices) if simulated else None
    book = SimulatedTags(things) if simulated else table.journal
    if book is None:
        raise BadSetup(N_("Real devices need a journal: it knows the tags."))
    with working_station(configuration.devices, simulation) as station:
        tabletop = Tabletop(station, book, scene, changed=changed)
        tabletop.lock = table.lock
        tabletop.wishes = lambda wish: _not_here(tabletop, wish)
        table.seals.book = book
        tabletop.enter(scene, table.box.name, table.seals.seal)
        thread = threading.Thread(target=tabletop.run, name="table", daemon=True)
        thread.start()
        try:
            bench = None
            if simulation is not None and isinstance(book, SimulatedTags):
                names = table.session.game.state.names
                bench = Workbench(simulation, tabletop, book, things, words, names)
                bench.wait_for_devices()
            yield Equipment(tabletop, scene, bench)
        finally:
            tabletop.stop()
            thread.join()
            tabletop.farewell(scene.panels.words)


def _not_here(tabletop: Tabletop, wish: Wish) -> None:
    """Only the terminal ends a game or begins one; another language, the handset speaks already."""
    if isinstance(wish, Speak):
        return
    tabletop.scene.notice(
        Phrase(N_("Not now")), Phrase(N_("This table was opened in the terminal: do it there."))
    )
