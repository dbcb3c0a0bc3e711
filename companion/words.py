"""Phrases said in a language: the catalogues of this package, and names from content files.

Only this module knows the catalogues. Where one is missing, what is said is English.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.rules.phrases import Named, Phrase

if TYPE_CHECKING:
    from gettext import NullTranslations

LANGUAGES = {"id": "Bahasa Indonesia", "en": "English", "ja": "日本語"}
"""Every language by its code, named by itself."""

DOMAIN = "companion"
LOCALE = Path(__file__).parent / "locale"

Sayable = Phrase | Named | str | int


class Words:
    """Says phrases in one language. Raises ValueError for any that is not in `LANGUAGES`."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no language {language!r}; allowed: {', '.join(LANGUAGES)}")
        self.language = language
        self._comma = "、" if language == "ja" else ", "

    def say(self, what: Sayable) -> str:
        """A phrase with all that goes into it, a name, or a word or number as it is."""
        return str(self._worded(what))

    def _worded(self, what: object) -> object:
        if isinstance(what, Phrase):
            args = {name: self._worded(value) for name, value in what.args.items()}
            return self._message(what).format(**args)
        if isinstance(what, Named):
            return what.in_language(self.language)
        if isinstance(what, (list, tuple)):
            return self._comma.join(str(self._worded(item)) for item in what)
        return what

    def _message(self, phrase: Phrase) -> str:
        if not phrase.text:  # gettext would answer with the catalogue's header
            return ""
        catalogue = _catalogue(self.language)
        n = phrase.args.get("n")
        if phrase.plural and isinstance(n, int):
            return catalogue.ngettext(phrase.text, phrase.plural, n)
        return catalogue.gettext(phrase.text)


@cache
def _catalogue(language: str) -> NullTranslations:
    """A language's compiled catalogue, read when it is first needed; an empty one for none."""
    from gettext import GNUTranslations, NullTranslations

    with suppress(OSError, ValueError, struct.error), catalogue_file(language).open("rb") as file:
        return GNUTranslations(file)
    return NullTranslations()


def catalogue_file(language: str) -> Path:
    """Where a language's compiled catalogue is."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo"


def has_catalogue(language: str) -> bool:
    """Whether there is one that can be read; English needs none."""
    from gettext import GNUTranslations

    return language == "en" or isinstance(_catalogue(language), GNUTranslations)
