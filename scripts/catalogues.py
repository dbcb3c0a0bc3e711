"""The message catalogues of the package: companion/locale/<language>/LC_MESSAGES/companion.po.

    python scripts/catalogues.py extract    bring all messages of the code into the catalogues
    python scripts/catalogues.py compile    write the .mo files that changed
    python scripts/catalogues.py check      list what is missing, obsolete or mismatched

`extract` keeps every translation, adds new messages empty (in English: as they are) and drops
those that the code has no longer; nothing is ever guessed. Messages are the texts in `N_("…")`
and `Phrase("…")`; in a call with `plural=N_("…")` the two are one message with two forms.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

PACKAGE = ROOT / "companion"
LANGUAGES = ("id", "en", "ja")
SOURCE_LANGUAGE = "en"
WIDTH = 96

MessageId = str | tuple[str, str]
"""A message, or its singular and plural."""

Found = dict[MessageId, list[tuple[str, int]]]
"""Where each message stands: files with lines."""


# -- in the code -----------------------------------------------------------------------------------


def messages_of(package: Path = PACKAGE) -> Found:
    """Every message of a package, in the order of its files."""
    found: Found = {}
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package.parent).as_posix()
        for message, line in messages_in(path.read_text(encoding="utf-8")):
            found.setdefault(message, []).append((name, line))
    return _without_plain_doubles(found)


def messages_in(source: str) -> Iterator[tuple[MessageId, int]]:
    """The messages of one file with their lines."""
    inside_plurals: set[ast.expr] = set()
    for node in ast.walk(ast.parse(source)):  # a call comes before what is in it
        if not isinstance(node, ast.Call):
            continue
        text, plural = _text(node), _plural(node)
        if text is None or node in inside_plurals:
            continue
        if plural is None:
            yield text, node.lineno
        else:
            inside_plurals |= {node.args[0], *node.args, *(k.value for k in node.keywords)}
            yield (text, plural), node.lineno


def _text(node: ast.Call) -> str | None:
    """The message that a call marks: N_("…"), or any call of Phrase or with a plural."""
    if not node.args:
        return None
    if _name(node) == "N_" or (_name(node) == "Phrase" and _is_text(node.args[0])):
        return _literal(node.args[0])
    if _plural(node) is not None:
        return _marked(node.args[0])
    return None


def _plural(node: ast.Call) -> str | None:
    for keyword in node.keywords:
        if keyword.arg == "plural":
            return _marked(keyword.value)
    if _name(node) == "Phrase" and len(node.args) > 2:
        return _marked(node.args[2])
    return None


def _marked(node: ast.expr) -> str | None:
    """A text, in N_() or by itself."""
    if isinstance(node, ast.Call) and _name(node) == "N_":
        return _literal(node.args[0])
    return _literal(node) if _is_text(node) else None


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise SystemExit(f"line {node.lineno}: N_() takes a plain text, no expression")


def _without_plain_doubles(found: Found) -> Found:
    """Leave out a message that is also the singular of another: gettext has one entry for both."""
    singulars = {message[0] for message in found if isinstance(message, tuple)}
    return {message: places for message, places in found.items() if message not in singulars}


# -- in the catalogues -----------------------------------------------------------------------------


def path_of(language: str) -> Path:
    """The catalogue of a language."""
    return PACKAGE / "locale" / language / "LC_MESSAGES" / "companion.po"


def read(language: str) -> Catalog:
    """A catalogue as it is; an empty one where there is none yet."""
    path = path_of(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def extract() -> int:
    """Bring the catalogues up to the code."""
    found = messages_of()
    for language in LANGUAGES:
        catalogue = updated(read(language), found, language)
        path = path_of(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=WIDTH, include_lineno=False, omit_header=False)
        missing = sum(1 for message in catalogue if message.id and not all(_forms(message)))
        print(f"{language}: {len(found)} messages, {missing} to translate")
    return 0


def updated(old: Catalog, found: Found, language: str) -> Catalog:
    """A new catalogue with the messages found and the translations that were there."""
    new = Catalog(
        locale=language,
        project="tabletop-companion",
        version="0",
        msgid_bugs_address="the issues of this project",
        copyright_holder="The tabletop companion authors",
        header_comment=f"# {language}: what people see. Made by scripts/catalogues.py extract.",
        fuzzy=False,
        charset="utf-8",
        creation_date=old.creation_date,
        revision_date=old.revision_date,
        last_translator="The tabletop companion authors",
        language_team=language,
    )
    for message, places in found.items():
        files = [(name, 0) for name in dict.fromkeys(name for name, _ in places)]
        new.add(message, _translation(old, message, language), locations=files)
    return new


def _translation(old: Catalog, message: MessageId, language: str) -> str | tuple[str, ...]:
    if language == SOURCE_LANGUAGE:
        return message
    single = message if isinstance(message, str) else message[0]
    known = old.get(single)
    forms = _forms(known) if known is not None else ("",)
    if isinstance(message, str):
        return forms[0]
    return tuple((*forms, *[""] * old.num_plurals)[: old.num_plurals])


def _forms(message: Message) -> tuple[str, ...]:
    """The translation of a message, in all its forms."""
    string = message.string
    return (string,) if isinstance(string, str) else tuple(string or ("",))


# -- checking --------------------------------------------------------------------------------------


def check() -> int:
    """Print every fault of the catalogues; 1 if there is one."""
    found = messages_of()
    faults = [fault for language in LANGUAGES for fault in faults_of(language, found)]
    print("\n".join(faults) or f"{len(found)} messages in {len(LANGUAGES)} languages: complete")
    return 1 if faults else 0


def faults_of(language: str, found: Found) -> Iterator[str]:
    """What is wrong with a language's catalogue."""
    catalogue = read(language)
    for message in found:
        single = message if isinstance(message, str) else message[0]
        entry = catalogue.get(single)
        if entry is None or not all(_forms(entry)) or entry.pluralizable != (single != message):
            yield f"{language}: missing: {single}"
        elif any(_placeholders(form) != _placeholders(single) for form in _forms(entry)):
            yield f"{language}: other {{placeholders}}: {single}"
        elif entry.fuzzy:
            yield f"{language}: fuzzy: {single}"
    singles = {message if isinstance(message, str) else message[0] for message in found}
    for entry in catalogue:
        if entry.id and (entry.id if isinstance(entry.id, str) else entry.id[0]) not in singles:
            yield f"{language}: obsolete: {entry.id}"


def _placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


def compile_all() -> int:
    """Compile what changed, as the build does."""
    from hatch_build import compile_catalogues

    compile_catalogues(ROOT)
    return 0


COMMANDS = {"extract": extract, "compile": compile_all, "check": check}


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit status."""
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    return COMMANDS[arguments[0]]()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
