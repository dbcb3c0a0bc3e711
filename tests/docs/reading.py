"""Reads the documents: their fenced blocks, their links, and the words set as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("hardware/*.md")])

_FENCE = re.compile(r"^```(?P<info>\S[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_ANY_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_FILE_LINE = re.compile(r"# (companion/\S+)\n")


class Block(NamedTuple):
    """A fenced block: its kind ("toml", "console" …), its marks, its text, and where it is."""

    kind: str
    marks: tuple[str, ...]
    text: str
    where: str

    @property
    def file(self) -> str:
        """The file that the block shows, by its first line; "" for none."""
        found = _FILE_LINE.match(self.text)
        return found.group(1) if found else ""


def blocks(document: Path) -> list[Block]:
    """The fenced blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        kind, *marks = match["info"].split()
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(kind, tuple(marks), match["text"], f"{document.name}:{line}"))
    return found


def marked(document: Path, mark: str) -> list[Block]:
    """The blocks of TOML with a mark, of which there is one at the least."""
    found = [b for b in blocks(document) if b.kind == "toml" and mark in b.marks]
    assert found, f"no {mark} in {document.name}"
    return found


def said_below(document: Path, block: Block) -> list[str]:
    """The lines of the block that follows one: what is told of it."""
    every = blocks(document)
    return every[every.index(block) + 1].text.splitlines()


def links(document: Path) -> list[str]:
    """What a document links to."""
    return _LINK.findall(_prose(document))


def code_words(document: Path) -> list[str]:
    """Everything that is set as code in the text."""
    return _CODE.findall(_prose(document))


def anchors(document: Path) -> set[str]:
    """The headings of a document as links name them."""
    headings = _HEADING.findall(_prose(document))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}


def mentions(document: Path, command: str) -> Iterator[str]:
    """Every line or piece of code that calls a command, without its name."""
    text = document.read_text(encoding="utf-8")
    called = rf"(?:^(?:\$ )?|`)(?:sudo (?:-u \w+ )?)?{command} ([^`\n]+)"
    for match in re.finditer(called, text, re.MULTILINE):
        yield match.group(1)


def _prose(document: Path) -> str:
    return _ANY_FENCE.sub("", document.read_text(encoding="utf-8"))
