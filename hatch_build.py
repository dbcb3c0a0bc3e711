"""Compiles the message catalogues: in the working tree, and for the wheel.

``python hatch_build.py`` compiles what is older than its source; ``make`` calls it before a game
and before tests. Building a wheel does the same through the hook below.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CATALOGUES = "companion/**/locale/*/LC_MESSAGES/*.po"


class CatalogueHook(BuildHookInterface[Any]):
    """Lets a wheel carry compiled catalogues although git does not."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_catalogues(Path(self.root))


def compile_catalogues(root: Path) -> None:
    """Bring every .mo file below ``root`` up to its .po file."""
    for source in sorted(root.glob(CATALOGUES)):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime <= source.stat().st_mtime:
            compile_catalogue(source, target)


def compile_catalogue(source: Path, target: Path) -> None:
    """Write ``target``, or stop with the line of the first message that is wrong."""
    # Imported here because most runs find nothing to compile.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po

    language = source.parent.parent.name
    try:
        with source.open("rb") as file:
            catalogue = read_po(file, locale=language, abort_invalid=True)
    except PoFileError as error:
        reason = str(error).rpartition(" on ")[0]  # babel adds the line, counted from 0
        raise SystemExit(f"{source}:{error.lineno + 1}: {reason}") from error
    for message, errors in catalogue.check():
        raise SystemExit(f"{source}:{message.lineno}: {errors[0]}")
    # Written beside and renamed, so that a break in between leaves no half catalogue.
    unfinished = target.with_suffix(".mo.part")
    with unfinished.open("wb") as file:
        write_mo(file, catalogue)
    unfinished.replace(target)


if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent)
