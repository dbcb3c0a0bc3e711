"""The host: a table is a game, its session and its journal, wired together.

Everything that people do at a table goes through one lock, so that readers, buttons and phones can
do it from threads of their own.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Mapping
from pathlib import Path
from stat import S_ISREG
from typing import Any

import msgspec

from companion.games.shelf import open_box
from companion.journal import Journal, Recording
from companion.rules.box import AnyBox, Texts
from companion.rules.errors import BadContent, BadSetup, CompanionError, DifferentRules
from companion.rules.game import Game
from companion.rules.lines import Header, Line
from companion.rules.phrases import N_, Phrase
from companion.rules.session import Session
from companion.rules.setups import SeatSetup
from companion.sealing import Seals

FOLDER = "tabletop-companion"
"""The folder for games below the one for all programs' state."""
RANDOM = "random"
"""A seat that the host picks, because rules know no chance."""


class Table:
    """One game at one table. `journal` None: nothing is kept, as for scripts and trials."""

    def __init__(
        self, box: AnyBox, header: Header, game: Game[Any], journal: Journal | None
    ) -> None:
        self.box = box
        self.header = header
        self.wording = box.wording(game)
        self.journal = journal
        self.number = 0
        """The game's number in the journal."""
        self.lock = threading.RLock()
        """Held by whoever does something with the session."""
        self.seals = Seals(box.name, header.salt, journal)
        self.session: Session[Any] = Session(game, header.salt, silences=header.silences)
        self.session.open_seal = self.seals.open
        self._turn = self._turn_now()

    def keep(self, number: int) -> None:
        """Write every line from now on under the journal's game `number`."""
        self.number = number
        self._turn = self._turn_now()
        self.session.write = self._write

    def _write(self, line: Line) -> None:
        """Hand a line to the disk, with the state of the running step's start."""
        if self.journal is None:
            return
        turn = self._turn_now()
        self.journal.append(
            self.number,
            line,
            self.session.marks[-1].snapshot,
            turn_snapshot=turn != self._turn,
            label=self.label(),
            finished=self.session.over,
        )
        self._turn = turn

    def _turn_now(self) -> int:
        return self.session.view(None).turn

    def label(self) -> str:
        """How far the game is, for the list of games: the turn and whose it is."""
        view = self.session.view(None)
        names = self.session.game.state.names
        return f"{view.turn} · {names.get(view.active, view.active)}"

    def setup(self) -> Mapping[str, Any]:
        """The set-up as it was chosen, for a scenario."""
        setup: Mapping[str, Any] = msgspec.json.decode(self.header.setup)
        return setup


def default_journal() -> Path:
    """Where games are kept: COMPANION_JOURNAL, or the user's state folder.

    The home of the service's user is the service's state folder itself, so what that user runs by
    hand finds the table's games. Raises CompanionError for a user who has no folder at all.
    """
    named = os.environ.get("COMPANION_JOURNAL")
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) / FOLDER if state else _own_folder()) / "journal.db"


def _own_folder() -> Path:
    try:
        home = Path.home()
    except RuntimeError:
        text = N_("This user has no home folder to keep games in. Name a file with --journal.")
        raise CompanionError(text) from None
    return home if home.name == FOLDER else home / ".local" / "state" / FOLDER


def pick_seat(seats: list[str]) -> str:
    """A seat by chance."""
    return secrets.choice(seats)


def content_in(folder: Path) -> dict[str, Path]:
    """The content files in a folder by name. Raises BadSetup where there are none."""
    found = {path.name: path for path in sorted(folder.glob("*.toml"))}
    if not found:
        raise BadSetup(
            N_("{folder} has no content files. “companion cards sample” writes some to change."),
            folder=str(folder),
        )
    return found


def read_content(box: AnyBox, replaced: Mapping[str, Path]) -> dict[str, str]:
    """A box's content files with an owner's own in their place. Raises BadContent, BadSetup."""
    content = box.content()
    for name, path in replaced.items():
        if name not in content:
            raise BadSetup(
                N_("{game} has no file {file}. It has: {files}."),
                game=box.name,
                file=name,
                files=list(content),
            )
        content[name] = _text(path)
    try:
        box.check(content)
    except BadContent as error:
        args = dict(error.phrase.args)
        args["file"] = str(replaced.get(str(args.get("file")), args.get("file")))
        raise BadContent(error.phrase.text, **args) from error
    return content


def _text(path: Path) -> str:
    """What an owner has written. Raises BadSetup, also for a pipe, which might never end."""
    reason: str | Phrase = Phrase(N_("it is not a file"))
    try:
        if S_ISREG(path.stat().st_mode):
            return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise BadSetup(N_("{file} cannot be read: {error}"), file=str(path), error=reason)


def new_table(
    box: AnyBox,
    setup: SeatSetup,
    content: Texts,
    journal: Journal | None = None,
    *,
    silences: bool = True,
    language: str = "",
) -> Table:
    """Begin a game, and its entry in the journal. Raises BadSetup, BadContent, NotWritten."""
    header = Header(
        game=box.name,
        rules=box.version(),
        setup=msgspec.Raw(msgspec.json.encode(setup)),
        salt=secrets.token_hex(16),
        silences=silences,
        content=dict(content),
        language=language,
    )
    table = Table(box, header, box.begin(setup, content), journal)
    if journal is not None:
        table.keep(journal.begin(header))
    return table


def table_of(recording: Recording, journal: Journal | None) -> Table:
    """The table of a recorded game, at its beginning. Raises BadSetup, BadContent."""
    header = recording.header
    box = open_box(header.game)
    setup = msgspec.json.decode(header.setup, type=box.setup_type)
    game = box.begin(setup, header.content)
    if recording.start is not None:
        try:
            game.state = msgspec.msgpack.decode(recording.start, type=type(game.state))
        except msgspec.ValidationError as error:
            raise BadSetup(
                N_("The stored state does not fit today's rules: {error}"), error=str(error)
            ) from error
    return Table(box, header, game, journal)


def resume_table(journal: Journal, number: int) -> Table:
    """Go on with a game at the prompt where it stood.

    Raises DifferentRules when its journal comes out differently under the rules of today; then
    `go_on_from_stored` or `look_at` are left.
    """
    recording = journal.load(number)
    table = table_of(recording, journal)
    table.session.reenact(recording.lines)
    table.keep(number)
    table.session.resumed()
    return table


def look_at(journal: Journal, number: int) -> Table:
    """A game as far as today's rules can follow its journal, to read only: nothing is written."""
    recording = journal.load(number)
    table = table_of(recording, journal)
    try:
        table.session.reenact(recording.lines)
    except DifferentRules:
        table.session = table.session.fork()
    return table


def go_on_from_stored(journal: Journal, number: int) -> Table:
    """Go on under today's rules from the last stored state of a game, as a game of its own."""
    recording = journal.load(number)
    stored = journal.latest_snapshot(number)
    recording = msgspec.structs.replace(
        recording,
        header=msgspec.structs.replace(
            recording.header, rules=open_box(recording.header.game).version()
        ),
        start=stored[1] if stored else recording.start,
    )
    table = table_of(recording, journal)
    table.keep(journal.begin_from(recording.header, table.session.initial))
    return table
