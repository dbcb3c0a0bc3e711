"""The pictures of the small display in the documents: docs/pictures/*.png.

    python scripts/pictures.py [--fonts FOLDER]

A short scripted game of Chaos Kart is drawn by the same code that draws it at a table, so the
pictures show what the program shows. Nothing in it is left to chance: the same program and fonts
give the same pixels. The Japanese ones need the font that `make fonts` brings.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from PIL import Image

from companion.devices.display import Display, test_frame
from companion.devices.health import Condition, DeviceFault, Health, told
from companion.devices.settings import DisplaySettings
from companion.devices.simulated.bench import Bench, DrivenTime
from companion.devices.simulated.oled import Oled, Sh1106, Ssd1306
from companion.games.shelf import GAMES, open_box
from companion.rules.errors import CompanionError
from companion.rules.phrases import N_
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.tags import TagKind, table_things
from companion.screens.handset import Handset, Meaning, Misread, SetupHandset
from companion.screens.handset.boot import Boot
from companion.screens.oled import FONT_PLACES, HEIGHT, WIDTH, Fonts, find_fonts
from companion.screens.panels import DeviceLine
from companion.words import LANGUAGES, Words

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

READ = 30.0
"""Seconds for which each page is looked at: long enough to have turned over by itself."""


class Scripted:
    """The table of the pictures with its handset."""

    def __init__(self, language: str, places: Iterable[Path]) -> None:
        scenario = read_scenario(GAME, "the game of the pictures")
        playing = Playing(scenario, open_box(scenario.game))
        self.handset = Handset(
            playing.session,
            open_box(scenario.game),
            playing.wording,
            Words(language),
            find_fonts(language, places),
            things=list(table_things(2)),
        )
        self.now = 0.0
        self.look()

    def tap(self, thing: str, kind: TagKind | Misread = TagKind.CARD) -> Image.Image:
        """A tag is tapped; what is to be seen then."""
        self.handset.tap(Meaning(kind, thing, tail="5E0A"), self.now)
        return self.handset.picture()

    def push(self, *buttons: str, how: str = "short") -> Image.Image:
        """Buttons are pushed one after the other; what is to be seen then."""
        for button in buttons:
            self.now += 1.0
            self.handset.push(button, how, self.now)
        return self.handset.picture()

    def look(self) -> Image.Image:
        """What is to be seen a while later."""
        for _ in range(3):
            self.now += READ
            self.handset.tick(self.now)
        return self.handset.picture()


# -- the pictures ----------------------------------------------------------------------------------


def question(languages: Sequence[str], places: Iterable[Path]) -> Image.Image:
    """One question in every language: Budi's bump guard, asked before Ana's last step."""
    tables = [Scripted(language, places) for language in languages]
    for table in tables:
        table.tap("forward-4")
    return beside([table.look() for table in tables])


def turn(places: Iterable[Path]) -> Image.Image:
    """A turn in four pages: a refusal, the question, what to move, what an undo puts back."""
    table = Scripted("en", places)
    refused = table.tap("spanner")
    table.look()
    asked = table.push("down", "down", "down", "down")
    table.tap("forward-4")
    table.look()
    moved = table.tap("pass")
    return beside([refused, asked, moved, table.push("back", how="long")])


def device(places: Iterable[Path]) -> Image.Image:
    """Why, what was missed, an unknown tag, the menu."""
    table = Scripted("en", places)
    table.tap("spanner")
    why = table.push("ok", how="long")
    table.look()
    found = [why, table.tap("", Misread.UNKNOWN)]
    table.push("back")
    return beside([*found, table.push("up", how="chord"), table.push("down", "ok")])


def installing(places: Iterable[Path]) -> Image.Image:
    """After power-up: what answered, what did not and why, then the first questions."""
    words = Words("en")
    fonts = find_fonts("en", places)
    setup = SetupHandset([open_box(name) for name in GAMES], words, fonts, lambda seats: seats[0])
    language = setup.picture()
    setup.tick(READ)
    setup.push("ok", "short", READ + 1.0)
    return beside(
        [
            booting(words, fonts),
            booting(words, fonts, DeviceFault(N_("no answer, check wiring and power"))),
            language,
            setup.picture(),
        ]
    )


def booting(words: Words, fonts: Fonts, fault: DeviceFault | None = None) -> Image.Image:
    """The first page of all, with a reader that answers or has a fault."""
    reader = Health("reader/A", Condition.WORKING)
    if fault is not None:
        reader = Health("reader/A", Condition.OFFLINE, fault.phrase)
    others = [Health(name, Condition.WORKING) for name in ("buttons", "display")]
    boot = Boot(words, fonts)
    boot.devices = [DeviceLine(one.usable, told(one)) for one in (reader, *others)]
    return boot.picture()


def drivers() -> Image.Image:
    """The frame of the doctor on a chip with its own driver, and with that of the other chip."""
    return beside([driven("ssd1306", Ssd1306()), driven("ssd1306", Sh1106())])


def driven(driver: Literal["ssd1306", "sh1106"], chip: Oled) -> Image.Image:
    """What a chip shows of the doctor's frame under a driver."""
    settings = DisplaySettings(driver=driver)
    bench = Bench(DrivenTime())
    bench.i2c[settings.port, settings.address] = chip
    bench.install()
    try:
        display = Display(settings, clock=bench.time.seconds)
        display.show(test_frame(settings))
        display.open()
        display.step()
        return chip.picture()
    finally:
        bench.remove()


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
        pictures = {
            "oled-question": question(list(LANGUAGES), places),
            "oled-turn": turn(places),
            "oled-device": device(places),
            "oled-install": installing(places),
            "oled-driver": drivers(),
        }
    except CompanionError as error:
        print(error, file=sys.stderr)
        return 2
    for name, picture in pictures.items():
        picture.quantize(8).save(PICTURES / f"{name}.png", optimize=True)
        print(f"docs/pictures/{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
