"""Pages for a 128×64 picture of two colours. Every line is measured before it is drawn.

A page has a bar with who or what it is about, its text, and a foot with what the buttons do. The
bar, the beginning of the question and the foot are always there; only lists are turned over.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PIL import Image, ImageDraw, ImageFont

from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Refusal
from companion.rules.wording import Label
from companion.screens.boards import choosing_sheet, groups_of, on_board
from companion.screens.breaking import break_lines
from companion.screens.pixels import NoFont
from companion.screens.showing import CONSENT, OVER, PUT_BACK, SeatShown, Shown
from companion.screens.telling import refusal_title

if TYPE_CHECKING:
    from companion.words import Words

WIDTH, HEIGHT = 128, 64

SMALL, LARGE = 10, 12
"""The pixel sizes of the two fonts; a bitmap font has to be opened at exactly its own."""
FONT_FILE = "b{size}.pcf.gz"
FONT_PLACES = (
    Path(sys.prefix, "share", "companion", "fonts"),
    Path("/usr/share/fonts/X11/misc"),
)
IN_A_SOURCE_TREE = Path(__file__).parents[2].joinpath("scripts", "fonts.sh").is_file()
MEND = "make fonts" if IN_A_SOURCE_TREE else "sudo apt install xfonts-efont-unicode"
"""The command that brings the font with Japanese."""

MARGIN = 1
BAR = WIDTH - 2 * MARGIN - 2
"""Pixels for texts in the bar."""
LONGEST_QUESTION = 3
"""Lines; one is then still left for the option."""
SHORTEST_NAME = 4
ELLIPSIS = "…"

_PLAINER = str.maketrans(
    {
        "▲": "^",
        "▼": "v",
        "●": "o",
        "◀": "<",
        "▶": ">",
        "→": ">",
        "…": "..",
        "✓": "+",
        "—": "-",
        "–": "-",
        "“": '"',
        "”": '"',
        "’": "'",
        "‘": "'",
    }
)
"""For the built-in font, which has Latin letters only."""


# -- fonts -----------------------------------------------------------------------------------------


class Font:
    """A bitmap font that measures its texts. `plain` fonts know Latin letters only."""

    def __init__(
        self, face: ImageFont.FreeTypeFont | ImageFont.ImageFont, height: int, *, plain: bool
    ) -> None:
        self.face = face
        self.height = height
        self.plain = plain
        self._advances: dict[str, int] = {}

    def readable(self, text: str) -> str:
        """The text with what this font can show."""
        if not self.plain:
            return text
        return text.translate(_PLAINER).encode("latin-1", "replace").decode("latin-1")

    def width(self, text: str) -> int:
        """Pixels from the left edge to the right."""
        return sum(map(self._advance, text))

    def _advance(self, char: str) -> int:
        """How far a letter goes; bitmap fonts have no kerning, so letters add up."""
        known = self._advances.get(char)
        if known is None:
            known = self._advances[char] = round(self.face.getlength(self.readable(char)))
        return known

    def fits(self, text: str, width: int) -> bool:
        """Whether a text is no wider than so many pixels."""
        return self.width(text) <= width


class Fonts(msgspec.Struct, frozen=True):
    """The two fonts of the pages, and whether they have Japanese."""

    small: Font
    large: Font
    japanese: bool
    leading: int = 0
    """Pixels between lines: full-width letters fill theirs from top to bottom."""


def find_fonts(language: str, places: Iterable[Path] | None = None) -> Fonts:
    """The fonts for a language. Raises NoFont for Japanese where its font is missing."""
    for place in FONT_PLACES if places is None else places:
        files = [place / FONT_FILE.format(size=size) for size in (SMALL, LARGE)]
        if all(file.is_file() for file in files):
            leading = int(language == "ja")
            return Fonts(_open(files[0], SMALL), _open(files[1], LARGE), True, leading)
    if language == "ja":
        raise NoFont(
            N_("The picture has no font for Japanese. This command brings it: {command}"),
            command=MEND,
        )
    face = ImageFont.load_default_imagefont()
    font = Font(face, 11, plain=True)
    return Fonts(font, font, False)


@cache
def _open(file: Path, size: int) -> Font:
    """A bitmap font, unpacked in memory: FreeType would unpack the file anew for every letter.

    That takes megabytes, so it is done once for all games and languages.
    """
    try:
        unpacked = BytesIO(gzip.decompress(file.read_bytes()))
        face = ImageFont.truetype(unpacked, size, layout_engine=ImageFont.Layout.BASIC)
    except (OSError, EOFError, zlib.error) as error:
        raise NoFont(
            N_("{file} cannot be read. This command brings it anew: {command}"),
            file=str(file),
            command=MEND,
        ) from error
    return Font(face, size, plain=False)


def missing_glyphs(text: str, fonts: Fonts) -> set[str]:
    """The characters of a text that the small font lacks."""
    face = fonts.small.face
    if fonts.small.plain:
        shown = fonts.small.readable(text)
        return {char for char, seen in zip(text, shown, strict=False) if seen == "?" != char}
    nothing = bytes(face.getmask("\uffff"))
    return {
        char for char in set(text) if not char.isspace() and bytes(face.getmask(char)) == nothing
    }


# -- measuring -------------------------------------------------------------------------------------


def wrap(text: str, font: Font, width: int = WIDTH - 2 * MARGIN) -> list[str]:
    """A text in lines no wider than so many pixels, broken where its language may be broken."""
    return break_lines(text, lambda line: font.fits(line, width))


def balanced(lines: Sequence[str], font: Font) -> list[str]:
    """Lines of Japanese anew, so that no single letter stands alone on the last one."""
    text = "".join(lines)
    best = list(lines)
    if text.isascii() or any(" " in line for line in lines):
        return best
    for width in range(WIDTH - 2 * MARGIN, WIDTH // 2, -font.height // 2):
        tried = wrap(text, font, width)
        if len(tried) > len(lines):
            break
        best = tried
    return best


def shorten(text: str, font: Font, width: int) -> str:
    """A name that fits into so many pixels, with an ellipsis where it was cut."""
    if font.fits(text, width):
        return text
    for length in range(len(text) - 1, 0, -1):
        short = text[:length].rstrip() + ELLIPSIS
        if font.fits(short, width):
            return short
    return ""


def fit(
    phrase: Phrase | Named,
    words: Words,
    names: Sequence[str],
    font: Font,
    most: int,
    width: int = WIDTH - 2 * MARGIN,
) -> list[str]:
    """A phrase in at most so many lines if shorter names can bring that about."""
    text = words.say(phrase)
    lines = wrap(text, font, width)
    length = max((len(name) for name in names), default=0)
    while len(lines) > most and length > SHORTEST_NAME and isinstance(phrase, Phrase):
        length -= 1
        text = words.say(_with_short_names(phrase, names, length))
        lines = wrap(text, font, width)
    return lines


def _with_short_names(phrase: Phrase, names: Sequence[str], length: int) -> Phrase:
    def short(value: object) -> object:
        if isinstance(value, Phrase):
            return _with_short_names(value, names, length)
        if isinstance(value, (list, tuple)):
            return [short(item) for item in value]
        name = value.in_language("en") if isinstance(value, Named) else value
        if isinstance(name, str) and name in names and len(name) > length:
            return name[: length - 1].rstrip() + ELLIPSIS
        return value

    return msgspec.structs.replace(phrase, args={k: short(v) for k, v in phrase.args.items()})


# -- drawing ---------------------------------------------------------------------------------------


class Sheet:
    """An empty page, a bar at its top and a foot; text goes between them, from `top` to `foot`."""

    def __init__(self, fonts: Fonts) -> None:
        self.fonts = fonts
        self.image = Image.new("1", (WIDTH, HEIGHT))
        self.draw = ImageDraw.Draw(self.image)
        self.draw.fontmode = "1"
        self.top = 0
        self.foot = HEIGHT
        self.texts: list[tuple[str, int]] = []
        """Every text with its width in pixels: what the tests of the layout read."""

    def write(self, text: str, x: int, y: int, font: Font, *, on: bool = True) -> None:
        """One line of text."""
        self.draw.text((x, y), font.readable(text), fill=int(on), font=font.face)
        self.texts.append((text, x + font.width(text)))

    def bar(self, left: str, right: Sequence[str] = ()) -> None:
        """The inverted bar: a name at the left, at the right the first text that leaves it room."""
        font = self.fonts.small
        height = font.height + 1
        self.draw.rectangle((0, 0, WIDTH - 1, height - 1), fill=1)
        room = BAR
        gap = font.width("  ")
        beside = next((t for t in right if font.width(left) + gap + font.width(t) <= room), "")
        self.write(shorten(left, font, room), MARGIN + 1, 0, font, on=False)
        if beside:
            self.write(beside, WIDTH - MARGIN - 1 - font.width(beside), 0, font, on=False)
        self.top = height + 1

    def hints(self, left: str, right: str = "") -> None:
        """The foot: what the buttons do, and at the right where in a list one is."""
        font = self.fonts.small
        self.foot = HEIGHT - font.height - 1
        self.draw.point([(x, self.foot) for x in range(0, WIDTH, 2)], fill=1)
        room = WIDTH - 2 * MARGIN
        if right and not font.fits(f"{left} {right}", room):
            right = ""
        self.write(shorten(left, font, room), MARGIN, self.foot + 1, font)
        if right:
            self.write(right, WIDTH - MARGIN - font.width(right), self.foot + 1, font)

    def lines_left(self, font: Font) -> int:
        """How many lines still fit above the foot."""
        return (self.foot - self.top + self.fonts.leading) // self.pitch(font)

    def pitch(self, font: Font) -> int:
        """Pixels from one line to the next."""
        return font.height + self.fonts.leading

    def line(self, text: str, font: Font, *, chosen: bool = False, middle: bool = False) -> None:
        """The next line of the page; a chosen one is inverted."""
        x = (WIDTH - font.width(text)) // 2 if middle else MARGIN
        if chosen:
            bottom = self.top + self.pitch(font) - 1
            self.draw.rectangle((0, self.top - self.fonts.leading, WIDTH - 1, bottom), fill=1)
        self.write(text, x, self.top, font, on=not chosen)
        self.top += self.pitch(font)


# -- pages -----------------------------------------------------------------------------------------


class Chapter(msgspec.Struct, frozen=True):
    """Blocks of lines under a title; what stands beside the title, such as a rule's number."""

    title: Label
    blocks: tuple[list[str], ...]
    beside: str = ""


class Pages:
    """Draws what is to be shown, in one language."""

    def __init__(self, words: Words, fonts: Fonts) -> None:
        self.words = words
        self.fonts = fonts

    def now(
        self, shown: Shown, selected: int = 0, *, speaker: str = "", undo: bool = False
    ) -> Sheet:
        """The page for the moment: the question, the list to put back, or the end.

        `speaker` is the name of who has said to act next. `undo`: the bar reminds of it.
        """
        if shown.kind == PUT_BACK:
            return self._put_back(shown, selected)
        if shown.kind == OVER:
            return self._end(shown)
        who, beside = self._bar(shown, speaker, undo=undo)
        if on_board(shown):
            hint = beside[0] if undo and not speaker else ""
            return choosing_sheet(self, shown, groups_of(shown), selected, who, hint)
        sheet = Sheet(self.fonts)
        sheet.bar(who, beside)
        self._question(sheet, shown, selected)
        return sheet

    def refused(self, refusal: Refusal) -> Sheet:
        """Why not, with the rule's number."""
        beside = f"§{refusal.rule}" if refusal.rule else ""
        chapter = self.text(refusal_title(refusal), [refusal.reason], beside)
        return self.book([chapter], 0, Phrase(N_("hold ●: why?")))

    # -- the question --------------------------------------------------------------------------

    def _bar(self, shown: Shown, speaker: str, *, undo: bool) -> tuple[str, list[str]]:
        """Who is asked, or who has said to act; and beside it what matters most and fits."""
        who = f"{speaker}:" if speaker else self._whose(shown)
        if speaker:
            return who, [shown.asked]
        if not undo:
            return who, self._beside(shown)
        font = self.fonts.small
        hint = self.words.say(Phrase(N_("hold ◀: undo")))
        return shorten(who, font, BAR - font.width(f"  {hint}")), [hint]

    def _question(self, sheet: Sheet, shown: Shown, selected: int) -> None:
        font = self.fonts.small
        count = len(shown.options)
        selected = min(max(selected, 0), max(0, count - 1))
        hint = N_("▲▼ choose  ● OK") if count > 1 else N_("● OK") if count else N_("● show")
        sheet.hints(self.words.say(Phrase(hint)), f"{selected + 1}/{count}" if count > 1 else "")
        most = LONGEST_QUESTION if shown.kind == CONSENT or sheet.lines_left(font) > 3 else 2
        lines = balanced(fit(shown.question, self.words, shown.names, font, 2), font)
        self._above_options(sheet, lines, most)
        self._options(
            sheet, [(option.label, "") for option in shown.options], selected, shown.names
        )

    def _above_options(self, sheet: Sheet, lines: Sequence[str], most: int) -> None:
        """At most so many lines; the options then stand right above the foot."""
        font = self.fonts.small
        if len(lines) > most:
            lines = [*lines[: most - 1], lines[most - 1][:-1] + ELLIPSIS]
        for line in lines:
            sheet.line(line, font)
        sheet.top = max(sheet.top, sheet.foot - sheet.lines_left(font) * sheet.pitch(font))

    def _whose(self, shown: Shown) -> str:
        return shown.asked or self.words.say(Phrase(N_("All of you")))

    def _beside(self, shown: Shown) -> list[str]:
        """What may stand beside the name, the best first."""
        say = self.words.say
        number = say(Phrase(N_("turn {turn}"), {"turn": shown.turn}))
        if shown.also_asked:
            return [f"+ {say(Phrase('{names}', {'names': list(shown.also_asked)}))}", number]
        if shown.asked and shown.asked != shown.active:
            return [say(Phrase(N_("{who}’s turn"), {"who": shown.active})), number]
        return [*([say(shown.phase)] if shown.phase else []), number]

    def _options(
        self,
        sheet: Sheet,
        options: Sequence[tuple[Label, str]],
        selected: int,
        names: Sequence[str],
    ) -> None:
        """As many options as there is room for, the selected one among them."""
        room = sheet.lines_left(self.fonts.small)
        start = _window(selected, len(options), room)
        for number, (label, value) in enumerate(options[start : start + room], start):
            self._option(sheet, label, value, names, chosen=number == selected)

    def _option(
        self, sheet: Sheet, label: Label, value: str, names: Sequence[str], *, chosen: bool
    ) -> None:
        """One option and, at the right, the value it has now; both get shorter if they must."""
        font = self.fonts.small
        room = WIDTH - 2 * MARGIN - font.width("→ ")
        said = self.words.say(label)
        if value:
            value = "  " + shorten(value, font, max(room - font.width(f"{said}  "), room // 2))
        free = room - font.width(value)
        lines = fit(label, self.words, names, font, 1, free)
        text = lines[0] if len(lines) == 1 else shorten(said, font, free)
        gap = " " * ((room - font.width(text + value)) // font.width(" ")) if value else ""
        sheet.line(f"{'→' if chosen else ' '} {text}{gap}{value}", font, chosen=chosen)

    # -- lists and the end ---------------------------------------------------------------------

    def _put_back(self, shown: Shown, page: int) -> Sheet:
        return self.book([self.to_put_back(shown)], page, Phrase(N_("● done")))

    def standing(self, shown: Shown) -> Chapter:
        """Where everybody stands."""
        middle = wrap(
            self.words.say(Phrase("{all}", {"all": list(shown.middle)})), self.fonts.small
        )
        blocks = tuple(self._standing(seat) for seat in shown.seats)
        return Chapter(Phrase(N_("Standings")), (middle, *blocks) if shown.middle else blocks)

    def to_move(self, shown: Shown) -> Chapter:
        """What hands have to do after the last act."""
        return self.items(Phrase(N_("Now on the table")), shown.to_move, shown.names)

    def to_put_back(self, shown: Shown) -> Chapter:
        """What hands have to put back after an undo or a correction."""
        return self.items(Phrase(N_("Put back")), shown.put_back, shown.names)

    def items(self, title: Phrase, phrases: Sequence[Label], names: Sequence[str]) -> Chapter:
        """A list, each item with a dash."""
        return Chapter(title, tuple(self._items(phrases, names)))

    def text(self, title: Label, paragraphs: Iterable[Label | str], beside: str = "") -> Chapter:
        """Running text; a page ends anywhere between two lines."""
        texts = [one if isinstance(one, str) else self.words.say(one) for one in paragraphs]
        parts = (part for text in texts for part in text.split("\n"))
        lines = [line for part in parts for line in wrap(part, self.fonts.small)]
        return Chapter(title, tuple([line] for line in lines), beside)

    def pages_of(self, chapters: Sequence[Chapter]) -> list[tuple[Chapter, list[str]]]:
        """The pages of chapters, each begun on a page of its own."""
        font = self.fonts.small
        top, foot = font.height + 2, HEIGHT - font.height - 1
        room = (foot - top + self.fonts.leading) // (font.height + self.fonts.leading)
        return [(chapter, page) for chapter in chapters for page in paged(chapter.blocks, room)]

    def book(self, chapters: Sequence[Chapter], page: int, hint: Phrase) -> Sheet:
        """One page of chapters of lines; ▲▼ turn it over."""
        pages = self.pages_of(chapters)
        page = min(max(page, 0), len(pages) - 1)
        chapter, lines = pages[page]
        sheet = Sheet(self.fonts)
        sheet.bar(self.words.say(chapter.title), [chapter.beside])
        left, font = self.words.say(hint), self.fonts.small
        if len(pages) > 1:
            sheet.hints(f"▲▼ {left}", f"{page + 1}/{len(pages)}")
        else:
            sheet.hints(left)
        for line in lines:
            sheet.line(line, font)
        return sheet

    def _items(self, phrases: Sequence[Label], names: Sequence[str]) -> list[list[str]]:
        """A list's items, each with a dash and its further lines under it."""
        font = self.fonts.small
        room = WIDTH - 2 * MARGIN - font.width("- ")
        return [
            [
                f"{'-' if number == 0 else ' '} {line}"
                for number, line in enumerate(fit(phrase, self.words, names, font, 2, room))
            ]
            for phrase in phrases
        ]

    def _standing(self, seat: SeatShown) -> list[str]:
        """One player's lines: name and place, then the facts."""
        say = self.words.say
        font = self.fonts.small
        room = WIDTH - 2 * MARGIN
        place = say(seat.where) if seat.where is not None else ""
        gap = font.width("  ") if place else 0
        name = shorten(seat.name, font, room - font.width("● " + place) - gap)
        mark = "●" if seat.active else " "
        spaces = " " * ((room - font.width(f"{mark} {name}{place}")) // font.width(" "))
        facts = wrap(say(Phrase("{facts}", {"facts": list(seat.facts)})), font, room - 10)
        return [f"{mark} {name}{spaces}{place}", *(f"  {line}" for line in facts if line)]

    def _end(self, shown: Shown) -> Sheet:
        sheet = Sheet(self.fonts)
        small, large = self.fonts.small, self.fonts.large
        sheet.bar(self.words.say(Phrase(N_("Game over"))))
        sheet.hints(
            self.words.say(Phrase(N_("hold ◀: undo"))), self.words.say(Phrase(N_("● menu")))
        )
        told = shown.ending
        lines = [] if told is None else fit(told.text, self.words, shown.names, small, 2)
        room = WIDTH - 2 * MARGIN - large.width("★ ★ ")
        for name in shown.winners[: max(1, sheet.lines_left(large) - len(lines))]:
            sheet.line(f"★ {shorten(name, large, room)} ★", large, middle=True)
        for line in lines[: sheet.lines_left(small)]:
            sheet.line(line, small, middle=True)
        return sheet


def paged(blocks: Sequence[Sequence[str]], room: int) -> list[list[str]]:
    """Blocks of lines in pages; a block is broken only where no page could hold it."""
    pages: list[list[str]] = [[]]
    for block in blocks:
        for number, line in enumerate(block):
            rest = min(len(block) - number, room) if number % room == 0 else 1
            if len(pages[-1]) + rest > room:
                pages.append([])
            pages[-1].append(line)
    return pages


def _window(selected: int, count: int, room: int) -> int:
    """The first of the lines to show so that the selected one is seen, and what follows it."""
    return max(0, min(selected, count - room))
