"""Whole games in plain text, compared with the files in `golden`, and counts of ways to play.

After a wanted change: UPDATE_GOLDEN=1 pytest …, then read the difference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games.shelf import open_box
from companion.rules.events import Answered
from companion.rules.session import Session

HERE = Path(__file__).parent / "golden"


def compare(name: str, text: str) -> None:
    file = HERE / name
    if os.environ.get("UPDATE_GOLDEN"):
        HERE.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def told(session: Session[Any]) -> Iterator[str]:
    """Every event with its rule, what follows from an answer below it."""
    wording = open_box(session.game.name).wording(session.game)
    for event in session.game.log.events:
        ruling = f", {event.ruling}" if event.ruling else ""
        mark = "" if isinstance(event, Answered) else "    "
        yield f"{mark}{wording.tell(event).plain()} (§{event.rule}{ruling})"


def ways(session: Session[Any], depth: int) -> int:
    """How many sequences of so many answers there are from here; a shorter game is one."""
    if depth == 0 or session.over:
        return 1
    total = 0
    for choice in list(session.prompt.options()):
        session.answer(choice)
        total += ways(session, depth - 1)
        session.undo()
        while session.consent is not None:
            session.answer("yes")
        if session.put_back:
            session.answer("done")
    return total
