"""A box on a disk of its own that is full or write-protected: run where mounting is allowed.

    unshare --map-root-user --mount python -m tests.host.disks full|protected|filling FOLDER

prints what the box said in its log.
"""

from __future__ import annotations

import errno
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.equipping import things_of
from companion.host import Table, resume_table
from companion.journal import Journal
from companion.journal.errors import cannot_open
from companion.rules.tags import Tag
from companion.screens.handset import Handset
from companion.screens.handset.boot import Answered
from companion.simulation import uid_of
from tests.host.boxes import SAMPLE, box, options
from tests.host.simulated import until
from tests.host.test_power_cuts import begin

FILL = "fill"
ABSENT = 0.8
"""Seconds after which a card that was lifted has left."""
WITHOUT_BUTTONS = SAMPLE.partition("[buttons]")[0] + "[display]" + SAMPLE.partition("[display]")[2]
"""Nobody is asked anything then: the game that is open goes on."""


def mount(folder: Path, *how: str) -> None:
    subprocess.run(["mount", *how, "tmpfs", folder], check=True)


def fill(folder: Path) -> None:
    """Leave no byte."""
    with (folder / FILL).open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(512))


def full(folder: Path) -> list[str]:
    mount(folder, "-t", "tmpfs", "-o", "size=300k")
    (folder / "companion.toml").write_text(SAMPLE)
    fill(folder)
    return until_it_goes_on(folder, errno.ENOSPC, (folder / FILL).unlink)


def protected(folder: Path) -> list[str]:
    mount(folder, "-t", "tmpfs")
    (folder / "companion.toml").write_text(SAMPLE)
    mount(folder, "-o", "remount,ro")
    return until_it_goes_on(folder, errno.EROFS, lambda: mount(folder, "-o", "remount,rw"))


def until_it_goes_on(folder: Path, number: int, mend: Callable[[], None]) -> list[str]:
    journal = folder / "journal.db"
    with box(options(journal, folder / "companion.toml")) as at:
        at.shows(cannot_open(journal, OSError(number, "")).phrase)
        mend()
        at.goes_on()
        return at.told


def filling(folder: Path) -> list[str]:
    """The disk fills up in the middle of a game: said, nothing changed, and done again later."""
    mount(folder, "-t", "tmpfs", "-o", "size=500k")
    (folder / "companion.toml").write_text(WITHOUT_BUTTONS)
    journal = folder / "journal.db"
    with Journal(journal) as whole:
        uid = tagged(whole, begin(whole), "forward-3")
    Answered.lasts = 0.1  # nobody has to read which devices there are
    with box(options(journal, folder / "companion.toml")) as at:
        until(lambda: isinstance(at.scene, Handset))
        assert at.service.server is not None
        table = at.service.server.table
        assert table is not None
        before = table.session.digest()
        fill(folder)
        at.chips.lay("A", uid)
        until(lambda: "disk is full" in at.text, at.text)
        assert table.session.digest() == before
        (folder / FILL).unlink()
        at.chips.lift("A")
        time.sleep(ABSENT)
        at.chips.lay("A", uid)
        until(lambda: table.session.digest() != before, at.text)
    with Journal(journal) as again:
        assert resume_table(again, 1).session.digest() == table.session.digest()
    return at.told


def tagged(journal: Journal, table: Table, thing: str) -> str:
    """Give a thing of a game its tag; its UID."""
    found = next(one for one in things_of(table) if one.thing == thing)
    uid = uid_of(found, 1)
    journal.bind(Tag(uid, found.game, found.kind, found.thing, 1))
    return uid


if __name__ == "__main__":
    kinds = {"full": full, "protected": protected, "filling": filling}
    for line in kinds[sys.argv[1]](Path(sys.argv[2])):
        print(line)
