"""Every message of the code is in every catalogue, with the same placeholders."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from companion.words import LANGUAGES, LOCALE

PACKAGE = LOCALE.parent

# The scan here is not that of scripts/catalogues.py: what that one overlooked would be missed.


@cache
def _marked() -> frozenset[str]:
    return frozenset(_scan())


def _scan() -> Iterator[str]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _is_message(node):
                yield ast.literal_eval(node.args[0])


def _is_message(node: ast.Call) -> bool:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    return name == "N_" or (name == "Phrase" and isinstance(node.args[0], ast.Constant))


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@cache
def _catalogue(language: str) -> Catalog:
    path: Path = LOCALE / language / "LC_MESSAGES" / "companion.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def _texts(part: str | Iterable[str] | None) -> tuple[str, ...]:
    return (part,) if isinstance(part, str) else tuple(part or ())


def _messages(language: str) -> dict[str, Message]:
    """Every message by its text, a plural by both."""
    return {
        text: message for message in _catalogue(language) for text in _texts(message.id) if text
    }


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_no_message_is_missing(language: str) -> None:
    messages = _messages(language)
    missing = [text for text in _marked() if text not in messages]
    empty = [text for text, message in messages.items() if not all(_texts(message.string))]
    assert (missing, empty) == ([], [])


def test_no_message_is_left_over_or_guessed(language: str) -> None:
    assert [text for text in _messages(language) if text not in _marked()] == []
    assert [message.id for message in _catalogue(language) if message.id and message.fuzzy] == []


def test_placeholders_are_those_of_the_message(language: str) -> None:
    wrong = [
        (text, form)
        for text, message in _messages(language).items()
        for form in _texts(message.string)
        if _placeholders(form) != _placeholders(text)
    ]
    assert wrong == []


def test_english_is_the_message_itself() -> None:
    for message in _catalogue("en"):
        if message.id:
            assert _texts(message.string) == _texts(message.id)


def test_plural_rules_are_those_of_the_language() -> None:
    forms = {language: _catalogue(language).num_plurals for language in LANGUAGES}
    assert forms == {"id": 1, "en": 2, "ja": 1}


def test_the_script_finds_nothing_wrong() -> None:
    script = PACKAGE.parent / "scripts" / "catalogues.py"
    done = subprocess.run(
        [sys.executable, str(script), "check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith("complete")


def test_the_script_pairs_a_plural_with_its_singular() -> None:
    source = (
        'Phrase(N_("{n} egg"), plural=N_("{n} eggs")); Phrase(N_("{n} hen"), {}, N_("{n} hens"))'
    )
    code = f"import catalogues; print(sorted(m for m, _ in catalogues.messages_in({source!r})))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        cwd=PACKAGE.parent / "scripts",
    )  # fmt: skip
    assert ast.literal_eval(done.stdout) == [("{n} egg", "{n} eggs"), ("{n} hen", "{n} hens")]
