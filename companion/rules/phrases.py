"""Text that is not made yet: a message in English as its key, and what goes into it.

Rules, events and refusals carry phrases; a screen says them in the language of whoever looks.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


def N_(text: str) -> str:
    """Mark a message for the catalogues without translating it now."""
    return text


class Phrase(msgspec.Struct, frozen=True):
    """A message and its arguments.

    An argument is a string or number said as it is, another phrase, a `Named` thing from a
    content file, or a list of these. `{n}` with `plural` set chooses the form by number.
    """

    text: str
    args: Mapping[str, object] = {}
    plural: str = ""

    def plain(self) -> str:
        """The phrase in English, for error messages and developers."""
        many = self.plural and self.args.get("n") != 1
        return (self.plural if many else self.text).format(
            **{key: _plain(value) for key, value in self.args.items()}
        )


class Named(msgspec.Struct, frozen=True):
    """A name that a content file gives in every language: `{"id": …, "en": …, "ja": …}`."""

    words: Mapping[str, str]

    def in_language(self, language: str) -> str:
        """The name in a language, in English where that is missing."""
        return self.words.get(language) or self.words["en"]


def _plain(value: object) -> object:
    if isinstance(value, Phrase):
        return value.plain()
    if isinstance(value, Named):
        return value.in_language("en")
    if isinstance(value, (list, tuple)):
        return ", ".join(str(_plain(item)) for item in value)
    return value
