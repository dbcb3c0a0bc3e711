"""People's words as choices: letters, numbers, ids, and names in any language, whole or begun.

All of it is pure. Case, accents, width, hyphens and hiragana or katakana make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Protocol

from companion.rules.errors import CompanionError, NotUnderstood, WhichOne
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt

Names = Mapping[Choice, Iterable[str]]
"""Each choice with the words that people may type for it."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LISTED = 8
"""The most options that an error message lists."""
RAW = "="
"""What goes before an id that is meant as it is, whatever letters and names there are."""
ALIKE = 0.72
"""How similar a word must be to be offered as what was meant."""

_ACCENTS = re.compile("[\u0300-\u036f]")
"""Latin accents only: the marks of Japanese kana tell different letters apart."""
_PARTS = re.compile(r"\+?\d+|[^\W\d_]+")
"""A plus belongs to its number: "+2" is not 2."""
_NUMBER = re.compile(r"-?\d{1,6}")
_HIRAGANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}


class Lettered(Protocol):
    """An option with the letter that stands for it."""

    @property
    def choice(self) -> Choice: ...

    @property
    def letter(self) -> str: ...


# -- comparing -------------------------------------------------------------------------------------


def fold(text: str) -> str:
    """A text without the differences of case, accents, width and kana."""
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    composed = unicodedata.normalize("NFC", _ACCENTS.sub("", plain))
    return composed.translate(_HIRAGANA).strip()


@lru_cache(maxsize=2048)
def key_of(text: str) -> str:
    """The form in which texts are compared: words and numbers apart, signs left out.

    A text of nothing but signs is its own key.
    """
    folded = fold(text)
    return " ".join(_PARTS.findall(folded)) or folded


def give_letters(choices: Sequence[Choice], seats: Mapping[str, str]) -> list[str]:
    """A letter for each choice, "" for numbers and beyond 26.

    A player called by one letter has that letter, other players that of their seat where it is
    free, so that a letter never means somebody else than it seems to.
    """
    own = {choice: _own_letter(choice, seats) for choice in choices}
    taken = {letter for letter in own.values() if letter}
    free = iter(letter for letter in LETTERS if letter not in taken)
    given: list[str] = []
    for choice in choices:
        if isinstance(choice, int):
            given.append("")
        else:
            given.append(own[choice] or next(free, ""))
    return given


def _own_letter(choice: Choice, seats: Mapping[str, str]) -> str:
    if choice not in seats:
        return ""
    called = {fold(name): seat for seat, name in seats.items() if fold(name) in LETTERS}
    by_name = fold(seats[str(choice)])
    if called.get(by_name) == choice:
        return by_name
    letter = fold(str(choice))
    return letter if len(letter) == 1 and letter not in called else ""


# -- choices ---------------------------------------------------------------------------------------


def read_choice(
    text: str,
    prompt: Prompt[Any] | None,
    options: Sequence[Lettered],
    names: Names,
    label: Callable[[Choice], object] = str,
) -> Choice:
    """What a person means as an answer to a question.

    Names beyond the question's candidates are understood too, so that the rules can say why not.
    Raises WhichOne when several things fit, NotUnderstood with what is allowed when none does.
    """
    candidates: Sequence[Choice] = () if prompt is None else tuple(prompt.candidates)
    if text.startswith(RAW) and (text[1:] in candidates or text[1:] in names):
        return text[1:]
    letter = fold(text)
    for option in options:
        if letter and option.letter == letter:
            return option.choice
    number = read_number(text)
    if number is not None and number in candidates:
        return number
    offered = [option.choice for option in options]
    found = _find(key_of(text), {**_by_id(candidates), **_with_ids(names)}, offered, candidates)
    if len(found) == 1:
        return found[0]
    if found:
        raise WhichOne(
            N_("“{typed}” fits several: {names}. Which one?"),
            typed=shorten(text),
            names=[label(choice) for choice in found[:LISTED]],
        )
    raise _not_understood(text, options, names, candidates, label)


def read_number(text: str) -> int | None:
    """A whole number in digits of any width; None when it is none."""
    found = _NUMBER.fullmatch(fold(text))
    return int(found.group()) if found else None


def exactly(text: str, names: Names) -> list[Choice]:
    """The choices with exactly this name or id."""
    typed = key_of(text)
    return [choice for choice, words in _with_ids(names).items() if typed in map(key_of, words)]


def beginning(text: str, names: Names) -> list[Choice]:
    """The choices with a name or id that begins so."""
    typed = key_of(text)
    every = _with_ids(names).items()
    return [
        choice for choice, words in every if any(_is_beginning(typed, key_of(w)) for w in words)
    ]


def shorten(text: str, most: int = 40) -> str:
    """A typed text for use in an answer: one line, not too long, no control characters."""
    shown = "".join(char if char.isprintable() else "\ufffd" for char in text.strip())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def _by_id(choices: Iterable[Choice]) -> dict[Choice, list[str]]:
    return {choice: [choice] for choice in choices if isinstance(choice, str)}


def _with_ids(names: Names) -> dict[Choice, list[str]]:
    return {choice: [str(choice), *words] for choice, words in names.items()}


def _find(
    typed: str,
    names: Mapping[Choice, list[str]],
    offered: Sequence[Choice],
    candidates: Sequence[Choice],
) -> list[Choice]:
    """The choices that fit best: exactly, else by their beginning, else by their words'.

    Of several that fit equally, what may be chosen now goes before what is asked for.
    """
    if not typed:
        return []
    keys = {choice: [key_of(word) for word in words] for choice, words in names.items()}
    for fits in (_is_same, _is_beginning, _are_beginnings):
        found = [c for c, own in keys.items() if any(fits(typed, key) for key in own)]
        for preferred in (offered, candidates):
            asked_for = [choice for choice in found if choice in preferred]
            if asked_for:
                return asked_for
        if found:
            return found
    return []


def _is_same(typed: str, key: str) -> bool:
    return typed == key


def _is_beginning(typed: str, key: str) -> bool:
    return key.startswith(typed)


def _are_beginnings(typed: str, key: str) -> bool:
    """Whether every typed word begins a word of the name, in this order."""
    words = iter(key.split())
    return all(any(_begins(part, word) for word in words) for part in typed.split())


def _begins(part: str, word: str) -> bool:
    """Numbers count whole: 1 is not the beginning of 12."""
    return word == part if part.isdigit() else word.startswith(part)


def _not_understood(
    text: str,
    options: Sequence[Lettered],
    names: Names,
    candidates: Sequence[Choice],
    label: Callable[[Choice], object],
) -> CompanionError:
    meant = _alike(text, {**_by_id(candidates), **_with_ids(names)}, candidates)
    shown = shorten(text)
    if meant:
        return NotUnderstood(
            N_("“{typed}” is not understood. Did you mean {names}?"),
            typed=shown,
            names=[label(choice) for choice in meant],
        )
    listed = [label(option.choice) for option in options[:LISTED]]
    if len(options) > LISTED:
        return NotUnderstood(
            N_("“{typed}” is not understood. You can say {options}, and {more} more."),
            typed=shown,
            options=listed,
            more=len(options) - LISTED,
        )
    return NotUnderstood(
        N_("“{typed}” is not understood. You can say {options}."), typed=shown, options=listed
    )


def _alike(
    text: str, names: Mapping[Choice, list[str]], candidates: Sequence[Choice]
) -> list[Choice]:
    """Up to three choices with names like what was typed, those of the question before others."""
    keys = {key_of(word): choice for choice, words in names.items() for word in words}
    close = get_close_matches(key_of(text), keys, n=6, cutoff=ALIKE)
    found = dict.fromkeys(keys[key] for key in close)
    return sorted(found, key=lambda choice: choice not in candidates)[:3]


# -- seats -----------------------------------------------------------------------------------------


def read_seat(text: str, seats: Mapping[str, str]) -> str:
    """A seat by its player's name, its id, or the beginning of the name.

    Raises WhichOne or NotUnderstood, both with the names.
    """
    exact = seat_called(text, seats)
    if exact is not None:
        return exact
    typed = key_of(text)
    begun = [seat for seat, name in seats.items() if typed and key_of(name).startswith(typed)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise WhichOne(
            N_("“{typed}” fits several: {names}. Which one?"),
            typed=shorten(text),
            names=[seats[seat] for seat in begun],
        )
    raise NotUnderstood(
        N_("“{typed}” is nobody here. These are: {names}."),
        typed=shorten(text),
        names=list(seats.values()),
    )


def seat_called(text: str, seats: Mapping[str, str]) -> str | None:
    """The seat with exactly this name, else with this id; None when there is none."""
    if text.startswith(RAW):
        return text[1:] if text[1:] in seats else None
    typed = fold(text)
    named = [seat for seat, name in seats.items() if fold(name) == typed]
    alike = [seat for seat, name in seats.items() if key_of(name) == key_of(text) and typed]
    by_id = [seat for seat in seats if fold(seat) == typed]
    found = named or (alike if len(alike) == 1 else []) or by_id
    return found[0] if found else None


def split_seat(text: str, seats: Mapping[str, str]) -> tuple[str | None, str]:
    """A line that begins with a player, such as "Budi: dodge" or "B dodge", and the rest."""
    for head, rest in _ways_to_split(text):
        seat = seat_called(head, seats)
        if seat is not None and rest:
            return seat, rest
    return None, text


def _ways_to_split(text: str) -> Iterator[tuple[str, str]]:
    """Each way to cut a line in two, at colons first, the longest head first."""
    for colon in (":", "："):
        places = [found.start() for found in re.finditer(colon, text)]
        yield from ((text[:at], text[at + 1 :].strip()) for at in reversed(places))
    gaps = [found.start() for found in re.finditer(r"\s+", text)]
    yield from ((text[:at], text[at:].strip()) for at in reversed(gaps))
