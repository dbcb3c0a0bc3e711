"""`companion enrol`: a deck gets its tags, card after card, by readers or by typed UIDs."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.devices.inputs import Crowded, Input, Tapped
from companion.games.shelf import open_box
from companion.host import default_journal, read_content
from companion.journal import Journal
from companion.portable.uid import from_text
from companion.rules.errors import CompanionError, NotUnderstood
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import table_things
from companion.screens.commands import ALL, HELP, Command, Commands
from companion.screens.enrolment import Enrolment, Outcome, What
from companion.screens.reading import fold, read_number
from companion.sealing import sealed_games
from companion.typed import typed_lines
from companion.words import Sayable, Words

Taps = Callable[[float], Input | None]
"""Gives what readers and buttons have to say next, or None after so many seconds without."""
Lines = Callable[[float | None], str | None]
"""Gives the next line, or None after so many seconds without; raises EOFError at the end."""

PAUSE = 0.1
"""Seconds of waiting for a tap between two looks for a line."""

COMMANDS = Commands(
    Command(
        ("undo", "batal", "batalkan", "戻す", "元に戻す", "取り消す"),
        Phrase(N_("undo")),
        Phrase(N_("Takes the last tag back.")),
    ),
    Command(
        ("skip", "lewati", "飛ばす", "スキップ"),
        Phrase(N_("skip [all]")),
        Phrase(N_("Passes over this copy, or all copies of this card.")),
    ),
    Command(
        ("which", "apa", "どれ"),
        Phrase(N_("which [UID]")),
        Phrase(N_("Says what the tag tapped next means.")),
    ),
    Command(
        ("go", "ke", "移動"),
        Phrase(N_("go <card or deck> [copy]")),
        Phrase(N_("Goes there; the name alone does too.")),
    ),
    Command(
        ("replace", "ganti", "交換"),
        Phrase(N_("replace <copy>")),
        Phrase(N_("Gives this copy a new tag, because its own is lost.")),
    ),
    Command(("yes", "y", "ya", "はい"), Phrase(N_("yes")), Phrase(N_("Agrees."))),
    Command(("no", "n", "tidak", "いいえ"), Phrase(N_("no")), Phrase(N_("Does not agree."))),
    Command(
        ("list", "daftar", "一覧"),
        Phrase(N_("list")),
        Phrase(N_("How many cards of each deck have tags.")),
    ),
    HELP,
    Command(
        ("quit", "exit", "keluar", "終了"),
        Phrase(N_("quit")),
        Phrase(N_("Stops here; next time it goes on at this point.")),
    ),
)

_DECIMAL = re.compile(r"\d{10}")


def enrol(
    options: argparse.Namespace,
    words: Words,
    own: Mapping[str, Path],
    *,
    taps: Taps | None = None,
    lines: Lines | None = None,
) -> int:
    """Walk through a game until somebody quits or the lines end; gives the exit code.

    `options`: game, thing (words to begin at, a list), journal and script (paths or None). `own`
    are content files in the place of those that ship. Without `taps` only typed UIDs count; lines
    come from `lines`, the script or standard input. Raises CompanionError.
    """
    box = open_box(options.game)
    things = [*box.tagged(read_content(box, own)), *table_things(box.seats[1])]
    with (
        Journal(options.journal or default_journal()) as journal,
        typed_lines(options.script) as typed,
    ):
        desk = Desk(Enrolment(things, journal, sealed_games(journal)), words)
        if journal.recovery is not None:
            desk.write(journal.recovery.phrase)
        if options.thing:
            desk.enrolment.jump(" ".join(options.thing))
        desk.write(Phrase(N_("Tap a tag, type its UID, or help.")))
        desk.write(desk.enrolment.prompt)
        _listen(desk, taps, lines or typed)
    return 0


def enrol_with_readers(options: argparse.Namespace, words: Words, own: Mapping[str, Path]) -> int:
    """The same with the readers of the configuration; without any, by typed UIDs alone."""
    import msgspec

    from companion.configuration import read_configuration
    from companion.simulation import working_station

    readers = msgspec.structs.replace(
        read_configuration(options.config).devices,
        buttons=None,
        display=None,
        lights=None,
        sound=None,
    )
    if not readers.readers and readers.hub is None:
        return enrol(options, words, own)
    with working_station(readers) as station:
        return enrol(options, words, own, taps=station.next_input)


def _listen(desk: Desk, taps: Taps | None, lines: Lines) -> None:
    """Take lines and taps as they come."""
    try:
        while not desk.closed:
            line = lines(None if taps is None else 0.0)
            if line is not None:
                desk.take_line(line)
            elif taps is not None:
                desk.take_input(taps(PAUSE))
    except (EOFError, KeyboardInterrupt):
        return


class Desk:
    """One enrolment at a terminal: what is typed and tapped goes in, what comes of it is shown."""

    def __init__(
        self, enrolment: Enrolment, words: Words, show: Callable[[str], None] = print
    ) -> None:
        self.enrolment = enrolment
        self.words = words
        self.show = show
        self.closed = False

    def write(self, text: Sayable) -> None:
        """Show a line."""
        self.show(self.words.say(text))

    def take_input(self, given: Input | None) -> None:
        """Take what a reader says; buttons and lifted tags mean nothing here."""
        if isinstance(given, Tapped):
            self._try(lambda: self.enrolment.tapped(given.uid))
        elif isinstance(given, Crowded):
            self._try(self.enrolment.crowded)

    def take_line(self, line: str) -> None:
        """Take a line: a UID, a command, or the name of something to go to."""
        line = line.strip()
        if line:
            self._try(lambda: self._understand(line))

    def _try(self, do: Callable[[], Outcome | None]) -> None:
        """Do something and tell what came of it, or why nothing did; then what to do next."""
        try:
            outcome = do()
        except CompanionError as error:
            self.write(error.phrase)
            return
        if outcome is None:
            return
        self.write(outcome.phrase)
        prompt = self.enrolment.prompt
        if outcome.what is not What.TAKEN and outcome.phrase != prompt:
            self.write(prompt)

    def _understand(self, line: str) -> Outcome | None:
        uid = read_uid(line)
        if uid is not None:
            return self.enrolment.tapped(uid)
        command, rest = COMMANDS.find(line) or (None, "")
        name = None if command is None else command.name
        if name == "help" or (name in ("list", "quit") and not rest):
            self._beside(name, rest)
            return None
        return self._command(name, rest, line)

    def _beside(self, command: str, rest: str) -> None:
        """The commands that change nothing."""
        if command == "quit":
            self.closed = True
        elif command == "help":
            for line in COMMANDS.help(rest, self.words.say):
                self.show(line)
        else:
            for group, progress in self.enrolment.groups():
                args = {"group": group, "done": progress.done, "total": progress.total}
                self.write(Phrase(N_("{group}: {done} of {total}"), args))

    def _command(self, command: str | None, rest: str, line: str) -> Outcome:
        """A command with what follows it; else the whole line is a name."""
        enrolment = self.enrolment
        alone = {
            "undo": enrolment.undo,
            "yes": enrolment.yes,
            "no": enrolment.no,
            "skip": enrolment.skip,
            "which": enrolment.look_up,
        }
        if command in alone and not rest:
            return alone[command]()
        if command == "skip" and fold(rest) in ALL:
            return enrolment.skip(all_copies=True)
        if command == "which":
            return enrolment.which(_uid(rest))
        if command == "replace":
            return enrolment.replace(_copy(rest))
        return enrolment.jump(rest if command == "go" else line)


def read_uid(text: str) -> str | None:
    """A line that is a UID, in our form; None for any other. Raises NotUnderstood.

    USB readers that type often type a decimal number, whose byte order nobody knows.
    """
    if _DECIMAL.fullmatch(text):
        raise NotUnderstood(
            N_("{text} is a decimal number: set the reader to type hexadecimal."), text=text
        )
    try:
        return from_text(text)
    except ValueError:
        return None


def _uid(text: str) -> str:
    uid = read_uid(text)
    if uid is None:
        raise NotUnderstood(N_("A UID has 8, 14 or 20 digits of 0-9 and A-F."))
    return uid


def _copy(text: str) -> int:
    number = read_number(text)
    if number is None:
        raise NotUnderstood(N_("Say which copy, such as: replace 3."))
    return number
