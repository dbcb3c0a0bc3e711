"""What a table needs besides devices: a place for its games, and letters for its display."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from companion.doctor.findings import Case, Finding, Verdict, advice, fault, ok
from companion.rules.phrases import N_

LITTLE, TOO_LITTLE = 100_000_000, 5_000_000
"""Bytes of free disk. A long game takes less than one million."""


def journal(case: Case) -> Iterator[Finding]:
    """Whether games can be kept."""
    folder = _existing(case.journal.parent)
    user = case.machine.user.name
    if not os.access(folder, os.W_OK | os.X_OK):
        mend = f"sudo install -d -o {user} {case.journal.parent}"
        yield fault(N_("{folder} cannot be written by {user}"), mend, folder=folder, user=user)
        return
    free = case.machine.free(folder)
    args = {"file": str(case.journal), "free": free // 1_000_000}
    if free < TOO_LITTLE:
        text = N_("{file}: the disk is full ({free} MB free)")
        yield fault(text, "sudo journalctl --vacuum-size=50M && sudo apt clean", **args)
    elif free < LITTLE:
        text = N_("{file}: {free} MB free, that is little")
        yield advice(text, "sudo apt clean", **args)
    else:
        yield ok(N_("{file}: games can be kept, {free} MB free"), **args)


def fonts(case: Case) -> Iterator[Finding]:
    """Whether the display has all the letters of its language."""
    from companion.screens.oled import MEND, find_fonts
    from companion.screens.pixels import NoFont

    language = case.configuration.language
    if case.configuration.devices.display is None and language != "ja":
        return
    try:
        fonts = find_fonts(language or "en")
    except NoFont as error:
        yield Finding(Verdict.FAULT, error.phrase, MEND)
        return
    if fonts.japanese:
        yield ok(N_("The display has the letters of all three languages"))
    else:
        yield advice(N_("The display has no Japanese letters"), MEND)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next(place for place in (folder, *folder.parents) if place.exists())
