"""The register of a rulebook's open questions, each decided one way by default.

A table chooses variants before the game; rules ask the register, which notes what was asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from companion.rules.content import read_toml, shipped
from companion.rules.errors import BadSetup
from companion.rules.phrases import N_, Named


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way of deciding a ruling."""

    name: str
    text: Mapping[str, str]


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An open question of the rulebook. Only a `switch` can be decided otherwise at the table."""

    id: str
    sections: tuple[str, ...]
    question: Mapping[str, str]
    default: str
    switch: bool
    choice: tuple[Variant, ...]

    @property
    def title(self) -> Named:
        """The question in every language."""
        return Named(self.question)

    def variant(self, name: str) -> Variant:
        """One of the variants by name."""
        return next(variant for variant in self.choice if variant.name == name)


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A numbered section of the rulebook, told in our own words. `rule`: it decides something."""

    number: str
    rule: bool
    title: Mapping[str, str]
    text: Mapping[str, str]


class Register:
    """The rulings of one game and the sections of its rulebook."""

    def __init__(self, rulings: Iterable[Ruling], sections: Iterable[Section]) -> None:
        self.rulings = {ruling.id: ruling for ruling in rulings}
        self.sections = {section.number: section for section in sections}
        self.asked: set[str] = set()
        self._defaults = {ruling.id: ruling.default for ruling in self.rulings.values()}

    def decide(self, ruling: str, chosen: Mapping[str, str]) -> str:
        """The variant of a ruling in force, given the table's choices."""
        self.asked.add(ruling)
        return chosen.get(ruling) or self._defaults[ruling]

    def take_asked(self) -> tuple[str, ...]:
        """The rulings asked since the last call, sorted."""
        asked = tuple(sorted(self.asked))
        self.asked.clear()
        return asked

    @property
    def switches(self) -> list[Ruling]:
        """The rulings that a table may decide otherwise."""
        return [ruling for ruling in self.rulings.values() if ruling.switch]

    def check(self, chosen: Mapping[str, str]) -> None:
        """Raise BadSetup, saying what is allowed, when a choice is none of the register's."""
        for key, name in chosen.items():
            ruling = self.rulings.get(key)
            if ruling is None or not ruling.switch:
                raise BadSetup(
                    N_("{ruling} cannot be chosen. These can: {switches}."),
                    ruling=key,
                    switches=[switch.id for switch in self.switches],
                )
            names = [variant.name for variant in ruling.choice]
            if name not in names:
                raise BadSetup(
                    N_("{ruling} has no variant {name}. It has: {variants}."),
                    ruling=key,
                    name=name,
                    variants=names,
                )


class _Rulings(msgspec.Struct, forbid_unknown_fields=True):
    ruling: tuple[Ruling, ...]


class _Sections(msgspec.Struct, forbid_unknown_fields=True):
    section: tuple[Section, ...]


def register_of(package: str | None) -> Register:
    """A new register of a game's package, from its `rulings.toml` and `rulebook.toml`.

    Raises BadContent.
    """
    return Register(*_rulebook(package))


@cache
def _rulebook(package: str | None) -> tuple[tuple[Ruling, ...], tuple[Section, ...]]:
    rulings = read_toml(shipped(package, "rulings.toml"), _Rulings, "rulings.toml").ruling
    sections = read_toml(shipped(package, "rulebook.toml"), _Sections, "rulebook.toml").section
    return rulings, sections
