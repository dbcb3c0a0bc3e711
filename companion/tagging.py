"""`companion tags`: which tags there are, as a list or as files, and what one of them means."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from companion.equipping import contents, things_of_all
from companion.games.shelf import open_box
from companion.host import default_journal
from companion.journal import Journal, Reader, tagfiles
from companion.portable.uid import from_text
from companion.rules.errors import CompanionError, NotUnderstood, WhichOne
from companion.rules.phrases import N_, Phrase
from companion.rules.tags import HIDDEN, Tag, TaggedThing, is_hidden, short
from companion.sealing import sealed_games
from companion.words import Words

LEAST_DIGITS = 4
"""As many digits of a UID as are shown; so many of its end are enough to name a tag."""


def tags(options: argparse.Namespace, words: Words, own: Mapping[str, Path]) -> int:
    """One action on the tags; gives the exit code.

    `options`: action, what (a file or a UID, None for `list`), game (None: all), move, journal (a
    path or None). `own` are content files in the place of those that ship. Raises CompanionError.
    """
    path, things = options.journal or default_journal(), _things(options.game, own)
    match options.action:
        case "list":
            told = _list(path, options.game, things)
        case "export":
            told = _export(path, options.game, Path(_named(options.what)))
        case "import":
            told = _import(path, Path(_named(options.what)), things, move=options.move)
        case "forget":
            told = _forget(path, _named(options.what), things)
        case _:
            told = _which(path, _named(options.what), things)
    for line in told:
        print(words.say(line))
    return 0


Told = Iterator[Phrase]


def _named(what: str | None) -> str:
    if what is None:
        raise NotUnderstood(N_("Name a file (import, export) or a UID (forget, which)."))
    return what


def _things(game: str | None, own: Mapping[str, Path]) -> dict[tuple[str, str, str], TaggedThing]:
    """All that can carry a tag, of every game and of the table; `own` files are of one game."""
    texts = contents(None, {}) | (contents(game, own) if own else {})
    return {thing.key: thing for thing in things_of_all(texts)}


def _stored(path: Path, game: str | None = None) -> list[Tag]:
    """The tags of a journal, none where there is no journal yet."""
    if not path.exists():
        return []
    with Reader(path) as journal:
        return journal.tags(game)


def _sealed(path: Path) -> Collection[str]:
    """The games whose things that lie face down nobody may be told now."""
    if not path.exists():
        return ()
    with Reader(path) as journal:
        return sealed_games(journal)


def _list(path: Path, game: str | None, things: tagfiles.Things) -> Told:
    """How many copies of each thing have tags; of an unknown thing too, for it can be forgotten."""
    count: dict[tuple[str, str, str], int] = {}
    for tag in _stored(path, game):
        count[tag.key] = count.get(tag.key, 0) + 1
    for key, n in count.items():
        thing = things.get(key)
        if thing is None:
            args: dict[str, object] = {"game": key[0], "thing": key[2], "n": n}
            yield Phrase(N_("{game}  {thing}: {n}, no longer in the game"), args)
        else:
            args = {"game": key[0] or "-", "name": thing.name, "n": n, "copies": thing.copies}
            yield Phrase(N_("{game}  {name}: {n} of {copies}"), args)
    if not count:
        if game is not None:
            open_box(game)  # says which games there are
        yield Phrase(N_("No tags yet. Begin with companion enrol."))


def _export(path: Path, game: str | None, file: Path) -> Told:
    """Write all tags into a new file, but for those that are hidden."""
    stored, sealed = _stored(path, game), _sealed(path)
    shown = [tag for tag in stored if not is_hidden(tag, sealed)]
    text = tagfiles.written(shown, _suffix(file))
    try:
        with file.open("x", encoding="utf-8", newline="") as target:
            target.write(text)
    except OSError as error:
        raise CompanionError(
            N_("{file} was not written: {error}"), file=str(file), error=error.strerror or "?"
        ) from error
    yield Phrase(N_("Written: {file}"), {"file": str(file)})
    if len(shown) < len(stored):
        yield Phrase(
            N_("Without {n} tag: {why}."),
            {"n": len(stored) - len(shown), "why": HIDDEN},
            N_("Without {n} tags: {why}."),
        )


def _import(path: Path, file: Path, things: tagfiles.Things, *, move: bool) -> Told:
    """Take all tags of a file, or none."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise CompanionError(
            N_("{file} cannot be read: {error}"), file=str(file), error=error.strerror or "?"
        ) from error
    rows = tagfiles.read(data, _suffix(file), str(file))
    with Journal(path) as journal:
        before, sealed = journal.tags(), sealed_games(journal)
        found = tagfiles.checked(rows, things, before, str(file), move=move, sealed=sealed)
        journal.bind_all(found, move=move)
        args = {"n": len(found), "new": len(set(found) - set(before))}
    yield Phrase(N_("Tags in the file: {n}, new or changed: {new}."), args)


def _suffix(file: Path) -> str:
    suffix = file.suffix.casefold()
    if suffix not in tagfiles.SUFFIXES:
        raise NotUnderstood(
            N_("{file}: the name has to end in one of {suffixes}."),
            file=str(file),
            suffixes=list(tagfiles.SUFFIXES),
        )
    return suffix


def _forget(path: Path, typed: str, things: tagfiles.Things) -> Told:
    tag = _find(_stored(path), typed)
    with Journal(path) as journal:
        journal.unbind(tag.uid)
    yield Phrase(N_("Forgotten: {tag}"), {"tag": _told(tag, things, _sealed(path))})


def _which(path: Path, typed: str, things: tagfiles.Things) -> Told:
    yield _told(_find(_stored(path), typed), things, _sealed(path))


def _find(stored: list[Tag], typed: str) -> Tag:
    """The tag of a UID, or of its last digits as they are shown. Raises NotUnderstood, WhichOne."""
    end = typed.lstrip("….").upper()
    if len(end) != LEAST_DIGITS or set(end) - set("0123456789ABCDEF"):
        end = _uid(typed)
    found = [tag for tag in stored if tag.uid.endswith(end)]
    if len(found) > 1:
        raise WhichOne(
            N_("“{typed}” fits several: {names}. Which one?"),
            typed=typed,
            names=[tag.uid for tag in found],
        )
    if not found:
        raise NotUnderstood(N_("The tag {uid} means nothing."), uid=short(end))
    return found[0]


def _uid(typed: str) -> str:
    try:
        return from_text(typed)
    except ValueError as error:
        raise NotUnderstood(
            N_("“{typed}” is no UID: 8, 14 or 20 digits of 0-9 and A-F, or its last {n}."),
            typed=typed,
            n=LEAST_DIGITS,
        ) from error


def _told(tag: Tag, things: tagfiles.Things, sealed: Collection[str]) -> Phrase:
    if is_hidden(tag, sealed):
        return Phrase(N_("{uid}: {why}"), {"uid": short(tag.uid), "why": HIDDEN})
    thing = things.get(tag.key)
    name = tag.thing if thing is None else thing.name
    args = {"uid": short(tag.uid), "game": tag.game or "-", "name": name, "copy": tag.copy}
    return Phrase(N_("{uid}: {game}, {name}, copy {copy}"), args)
