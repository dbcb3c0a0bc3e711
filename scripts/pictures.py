"""The pictures of the small display in the documents: docs/pictures/*.png.

    python scripts/pictures.py [--fonts FOLDER]

A short scripted game of Chaos Kart is drawn by the same code that draws it at a table, so the
pictures show what the program shows. Nothing in it is left to chance: the same program and fonts
give the same pixels. The Japanese ones need the font that `make fonts` brings.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from companion.games.shelf import open_box
from companion.rules.errors import CompanionError, Refused
from companion.rules.scenarios import Playing, read_scenario
from companion.screens.oled import FONT_PLACES, HEIGHT, WIDTH, Pages, find_fonts
from companion.screens.showing import Watch, show
from companion.screens.telling import refusal_title
from companion.words import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.screens.showing import Shown

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SCALE = 3
"""Pixels of the picture for one of the display."""
EDGE = 6
"""Pixels of frame around each display."""
LIT, DARK, FRAME = (214, 232, 255), (6, 10, 18), (48, 52, 60)

GAME = """
game = "chaos-kart"
title = "Ana reaches Budi, who has a bump guard; Cici stands one square behind him"
setup = { seats = ["Ana", "Budi", "Cici"], laps = 2, guide = false }
play = []

[start]
"hand/*/move" = 4
"hand/*/power-up" = 1
"kart/A" = 4
"kart/B" = 8
"kart/C" = 7
"bump-guard/B" = 1
"phase" = "move"
"""

Page = Callable[[Pages], Image.Image]


class Scripted:
    """The table of the pictures."""

    def __init__(self) -> None:
        scenario = read_scenario(GAME, "the game of the pictures")
        self.playing = Playing(scenario, open_box(scenario.game))
        self.session = self.playing.session
        self.watch = Watch(self.session, self.playing.wording)

    def say(self, *choices: str) -> None:
        """Answers of whoever is asked."""
        for choice in choices:
            self.session.answer(choice, self.session.prompt.seat if self._rules_ask else None)
            self.watch.look()

    @property
    def _rules_ask(self) -> bool:
        return not self.session.put_back and self.session.consent is None

    @property
    def shown(self) -> Shown:
        """What a screen has to show now."""
        return show(self.session, self.playing.wording, None, self.watch)

    def question(self, selected: int = 0) -> Page:
        """The page of the moment."""
        shown = self.shown
        return lambda pages: pages.now(shown, selected)

    def moves(self) -> Page:
        """The page of what hands have to do now."""
        shown = self.shown
        return lambda pages: pages.moves(shown)

    def refused(self, choice: str) -> Page:
        """The page of a refusal."""
        try:
            self.session.answer(choice, "A")
        except Refused as error:
            refusal = error.refusal
            return lambda pages: pages.message(refusal_title(refusal), refusal.reason, refusal.rule)
        raise ValueError(f"{choice} must be refused")


# -- the pictures ----------------------------------------------------------------------------------


def question(languages: Sequence[str], places: Iterable[Path]) -> Image.Image:
    """One question in every language: Budi's bump guard, asked before Ana's last step."""
    table = Scripted()
    table.say("forward-4")
    page = table.question()
    return beside(page(pages_in(language, places)) for language in languages)


def turn(places: Iterable[Path]) -> Image.Image:
    """A turn in four pages: a refusal, the question, what to move, what an undo puts back."""
    table = Scripted()
    found = [table.refused("spanner"), table.question(4)]
    table.say("forward-4", "pass")
    found.append(table.moves())
    table.session.undo()
    table.session.undo()
    found.append(table.question())
    pages = pages_in("en", places)
    return beside(page(pages) for page in found)


def pages_in(language: str, places: Iterable[Path]) -> Pages:
    """The pages of the display in a language. Raises NoFont."""
    return Pages(Words(language), find_fonts(language, places))


def beside(displays: Iterable[Image.Image]) -> Image.Image:
    """Displays in a row, each in its frame."""
    framed = [
        display.convert("L").resize((WIDTH * SCALE, HEIGHT * SCALE), Image.Resampling.NEAREST)
        for display in displays
    ]
    step = WIDTH * SCALE + EDGE
    row = Image.new("RGB", (step * len(framed) + EDGE, HEIGHT * SCALE + 2 * EDGE), FRAME)
    for number, display in enumerate(framed):
        colours = Image.new("RGB", display.size, DARK)
        colours.paste(LIT, mask=display)
        row.paste(colours, (EDGE + number * step, EDGE))
    return row


def main() -> int:
    """Write every picture; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fonts", type=Path, action="append", default=[], metavar="FOLDER")
    places = (*parser.parse_args().fonts, *FONT_PLACES)
    PICTURES.mkdir(parents=True, exist_ok=True)
    try:
        pictures = {"oled-question": question(list(LANGUAGES), places), "oled-turn": turn(places)}
    except CompanionError as error:
        print(error, file=sys.stderr)
        return 2
    for name, picture in pictures.items():
        picture.quantize(8).save(PICTURES / f"{name}.png", optimize=True)
        print(f"docs/pictures/{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
