"""The plug is pulled again and again, while people answer by hub, buttons and terminal.

`companion` runs as a process on simulated devices and is killed at random moments. What it showed
is judged from outside, by its display and its terminal: the next process has to show the same.
CUTS=100 tries it so often, SEED=7 in another way.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.equipping import handset_of, things_of
from companion.games.shelf import open_box
from companion.host import Table, new_table, table_of
from companion.journal import Journal, Reader
from companion.rules.tags import TagKind
from companion.screens.handset import Handset, Meaning
from companion.screens.pixels import as_text
from companion.screens.showing import show
from companion.words import Words
from tests.host.simulated import until

CUTS = int(os.environ.get("CUTS", "6"))
SEED = int(os.environ.get("SEED", "1"))
SETUP = {"seats": ["Ana", "Budi"], "laps": 9, "first": "A", "guide": False}
START = 30.0
"""Seconds that a process may take on a busy machine."""
FACT = re.compile(r"\[(\d+)\] ([^\[\n]*)")
"""What the terminal says of one event, with its number."""

pytestmark = pytest.mark.soak

Frame = list[str]


class Process:
    """A companion, the lines that people type there, and the pictures of its display."""

    def __init__(self, journal: Path, *command: str) -> None:
        self.frames: list[Frame] = []
        self.text = ""
        self.child = subprocess.Popen(
            [sys.executable, "-m", "tests.host.quick", *command, "chaos-kart", "--language", "en",
             "--devices", "simulated", "--journal", str(journal)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        """Note what comes; a picture counts when it is there as a whole."""
        assert self.child.stdout is not None
        frame: Frame = []
        for raw in self.child.stdout:
            line = raw.decode(errors="replace").rstrip("\n")
            if "┌─" in line:
                frame = [line[line.index("┌") :]]
            elif line.startswith(("│", "└")):
                frame.append(line)
                if line.startswith("└"):
                    self.frames.append(frame)
            else:
                self.text += line + "\n"

    def type(self, line: str) -> None:
        """Type a line, and wait for nothing."""
        assert self.child.stdin is not None
        self.child.stdin.write(line.encode() + b"\n")
        self.child.stdin.flush()

    def do(self, *lines: str) -> Frame:
        """Do what lines say, one after the other; gives the last picture."""
        for line in lines:
            seen = len(self.frames)
            self.type(line)
            self.wait_for(seen)
        return self.frames[-1]

    def wait_for(self, seen: int) -> None:
        """Wait for one more picture."""
        until(lambda: len(self.frames) > seen or self.child.poll() is not None, seconds=START)
        assert len(self.frames) > seen, self.text

    def kill(self) -> None:
        """Pull the plug."""
        self.child.kill()
        self._reader.join()
        for pipe in (self.child.stdin, self.child.stdout):
            assert pipe is not None
            pipe.close()
        self.child.wait()


class Player:
    """Somebody who answers a while and has seen what was shown. `number` is the game's."""

    def __init__(self, journal: Path, chance: Random) -> None:
        self.journal = journal
        self.chance = chance
        self.facts: dict[int, str] = {}
        """What the terminal has said so far."""
        self.number = 0

    # -- what must be shown --------------------------------------------------------------------

    def table(self) -> Table:
        """The game as the journal has it, by itself."""
        with Reader(self.journal) as reader:
            recording = reader.load(self.number)
        table = table_of(recording, None)
        table.session.reenact(recording.lines)
        table.session.resumed()
        return table

    def answers(self) -> int:
        """How many answers the journal has."""
        with Reader(self.journal) as reader:
            return sum(line.kind == "answer" for line in reader.load(self.number).lines)

    # -- rounds --------------------------------------------------------------------------------

    def begin(self) -> None:
        """A new game where none is open."""
        with Journal(self.journal) as journal:
            assert journal.recovery is None
            games = journal.games()
            if not games or games[0].finished:
                box = open_box("chaos-kart")
                setup = msgspec.convert(SETUP, box.setup_type)
                self.facts.clear()
                new_table(box, setup, box.content(), journal, language="en")
            self.number = journal.games()[0].id

    def at_the_terminal(self) -> int:
        """Resume, compare, answer by typing and by the hub, be cut off; gives what was shown."""
        table = self.table()
        with process(self.journal, "play", "--resume", str(self.number)) as play:
            play.wait_for(0)
            assert play.frames[-1] == picture(handset(table)), play.text
            until(lambda: question(table) in " ".join(play.text.split()), play.text)
            if self.facts:
                play.do("log all")
                self.compare(play.text)
            done = self.answers()
            for _ in range(self.chance.randrange(3)):
                play.do("a")
                assert self.answers() > done, play.text
                done = self.answers()
            seen = len(play.frames)
            self.hurry(play, "a", hub_line(self.table()) or "a")
        self.facts |= facts(play.text)
        return done + min(1, len(play.frames) - seen)

    def compare(self, text: str) -> None:
        """Whatever was shown before the cut is told again; where lines end does not matter."""
        told = facts(text.partition("> A:")[2])
        for number, fact in self.facts.items():
            # The log begins with the first answer, and says it as a line that can be typed again.
            if number >= min(told) and " chooses: " not in fact:
                again = told.get(number, "nothing")
                assert again.startswith(fact) or fact.startswith(again), f"{fact}: {again}"

    def at_the_box(self) -> int:
        """Go on by buttons, compare, answer by hub and button, be cut off; what was shown."""
        table = self.table()
        with process(self.journal, "serve") as serve:
            serve.wait_for(0)
            serve.do("press ok", "press ok")
            expected = handset(table)
            assert serve.do("press back") == picture(expected), "it resumed at another prompt"
            done, before = self.answers(), len(table.session.entries)
            line = hub_line(table)
            if line:
                expected.tap(Meaning(TagKind.CARD, "forward-1"), 2.0)
            else:
                expected.push("ok", "short", 2.0)
            assert serve.do(line or "press ok") == picture(expected)
            self.hurry(serve, "press ok", "press ok")
        return done + (len(table.session.entries) > before)

    def hurry(self, process: Process, *lines: str) -> None:
        """Do more without looking, while somebody is at the plug already."""
        for line in lines[: self.chance.randrange(len(lines) + 1)]:
            process.type(line)
        time.sleep(self.chance.choice((0.0, self.chance.uniform(0.0, 0.4))))

    def while_it_starts(self) -> int:
        """Be cut off before anything is to be seen."""
        done = self.answers()
        with process(self.journal, self.chance.choice(("serve", "play"))):
            time.sleep(self.chance.uniform(0.0, 1.0))
        return done


@contextmanager
def process(journal: Path, *command: str) -> Iterator[Process]:
    """A companion that is killed at the end of the block."""
    one = Process(journal, *command)
    try:
        yield one
    finally:
        one.kill()


def facts(text: str) -> dict[int, str]:
    """What a terminal says of events, by their numbers; of each as much as stands on one line."""
    return {int(number): fact.strip() for number, fact in FACT.findall(text)}


def handset(table: Table) -> Handset:
    """What a display shows that has just been switched on."""
    scene = handset_of(table, Words("en"), things_of(table))
    scene.tick(0.0)
    return scene


def picture(scene: Handset) -> Frame:
    return as_text(scene.picture())


def question(table: Table) -> str:
    """What a terminal asks."""
    return Words("en").say(show(table.session, table.wording).question)


def hub_line(table: Table) -> str:
    """A card laid on the asked player's reader at the hub; "" where none is asked for."""
    prompt = table.session.prompt
    if "forward-1" in prompt.options():
        return f"tap forward 1 on seat-{prompt.seat}"
    return ""


def test_nothing_that_was_shown_is_lost_however_often_the_plug_is_pulled(tmp_path: Path) -> None:
    player = Player(tmp_path / "journal.db", Random(SEED))
    rounds = [player.at_the_box, player.at_the_terminal]
    for cut in range(CUTS):
        player.begin()
        act = player.while_it_starts if cut % 5 == 4 else rounds[cut % 2]
        shown = act()
        assert shown <= player.answers(), f"cut {cut}: shown as done and lost"
        player.table()
