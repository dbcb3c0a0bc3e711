"""Seals: things that lie face down, whose tags may be tapped while nobody may know what they are.

A tap of such a thing gives its seal, a choice like others: the sort of thing, which everybody sees,
and a keyed hash of its tag, from which nobody can tell the thing. The same tag has the same seal
for a whole game, after a restart too, and another one in the next game. What lies under a seal is
looked up only when the rules reveal it, or for the eyes of the seat that may look.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeGuard

if TYPE_CHECKING:
    from companion.rules.tags import Tag

SEAL: Final = "seal:"
"""What every seal begins with."""
OVER: Final = "/"
"""Stands between the sort and the rest, in a seal as in the id of a thing that can be sealed."""


def is_seal(choice: object) -> TypeGuard[str]:
    """Whether a choice stands for something that lies face down."""
    return isinstance(choice, str) and choice.startswith(SEAL)


def sort_of(choice: object) -> str:
    """The sort of thing that a seal is on, such as "chip"; "" for a choice that is no seal."""
    return choice.removeprefix(SEAL).partition(OVER)[0] if is_seal(choice) else ""


def veiled(choice: str | int) -> str | int:
    """A seal as the log shows it: its sort alone, so that nobody knows one thing again by it."""
    return SEAL + sort_of(choice) if is_seal(choice) else choice


def seal_of(tag: Tag, salt: str) -> str:
    """The seal on a thing with a tag of kind `TagKind.SEALED`; `salt` is the game's secret."""
    mark = blake2b(tag.uid.encode(), key=salt.encode(), digest_size=6)
    return f"{SEAL}{tag.thing.partition(OVER)[0]}{OVER}{mark.hexdigest()}"


def under(seal: str, tags: Iterable[Tag], salt: str) -> str | None:
    """What lies under a seal, by the tags that there are; None where none of them fits."""
    found = (tag for tag in tags if seal_of(tag, salt) == seal)
    return next((tag.thing.partition(OVER)[2] for tag in found), None)


def unknown(_seal: str) -> str | None:
    """Opens no seal: where there is no book of tags."""
    return None
