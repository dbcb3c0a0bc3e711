"""All that one viewer can get of a game, as bytes to compare and to search."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.rules.prompts import Prompt
from companion.rules.session import Session

LAST = 8
"""How many of the newest events are asked why."""


def everything(session: Session[Any], who: str | None) -> bytes:
    """The view, the log, its whys, and the questions open to a viewer with their refusals."""
    log = session.log(who)
    whys = [
        [repr(reason) for reason in session.why(n, who)]
        for n in range(max(0, len(log) - LAST), len(log))
    ]
    prompts = [_open_to(prompt, who) for prompt in session.prompts]
    return msgspec.json.encode([session.view(who), [repr(e) for e in log], whys, prompts])


def _open_to(prompt: Prompt[Any], who: str | None) -> list[object]:
    """A question; what may be answered to a private one only for its own seat."""
    asked: list[object] = [prompt.key, prompt.seat]
    if not prompt.private or prompt.seat == who:
        asked += [prompt.shows, [(c, repr(prompt.why_not(c))) for c in prompt.candidates]]
    return asked
