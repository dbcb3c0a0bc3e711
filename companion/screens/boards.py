"""Boards on screens: rows and columns as lines of text, and pictures beside the question.

A choice that is about cells of the board is shown there. Choices that lead from the same cell are
one line to choose first; where to is asked next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import msgspec

from companion.rules.phrases import Named, Phrase
from companion.rules.views import Board, CellView, GraphBoard, GridBoard
from companion.rules.wording import Label
from companion.screens.road_picture import RoadPicture
from companion.screens.showing import RULES, Option, PieceShown, Shown
from companion.screens.signs import Sign, letter, lit

if TYPE_CHECKING:
    from companion.screens.oled import Pages, Sheet

EMPTY, MARKED = "·", "*"

# -- text ------------------------------------------------------------------------------------------


def grid_lines(board: GridBoard) -> list[str]:
    """The board in signs, with the names of its rows and columns."""
    heads = "    " + "  ".join(board.columns)
    width = len(board.columns)
    lines = [heads]
    for number, row in enumerate(board.rows):
        cells = board.cells[number * width : (number + 1) * width]
        lines.append(f"  {row} " + " ".join(map(cell_sign, cells)).rstrip())
    return lines


def cell_sign(cell: CellView) -> str:
    """A cell in two letters: whose piece, in capitals a great one; whether something holds for it.

    The seat's letter is what tells the players apart everywhere else, too.
    """
    if not cell.seat:
        return f"{EMPTY} "
    return piece_sign(cell) + (MARKED if cell.mark else " ")


def piece_sign(cell: CellView) -> str:
    """A piece in one letter."""
    return cell.seat.upper() if cell.great else cell.seat.lower()


def grid_legend(board: GridBoard) -> dict[str, list[str]]:
    """What the signs on the board mean: signs, and what they stand for."""
    kinds: dict[str, dict[str, None]] = {}
    marks: dict[str, None] = {}
    for cell in board.cells:
        if cell.seat:
            kinds.setdefault(cell.piece, {})[piece_sign(cell)] = None
        if cell.mark:
            marks[cell.mark] = None
    legend = {" ".join(sorted(signs)): [piece] for piece, signs in kinds.items()}
    return legend | ({MARKED: list(marks)} if marks else {})


def can_be_drawn(board: Board) -> bool:
    """Whether there is a picture for a board."""
    return isinstance(board, (GridBoard, GraphBoard))


def kinds_on(board: Board) -> set[str]:
    """The kinds of the layout that can be seen on the picture of a board."""
    if isinstance(board, GraphBoard):
        return set(board.kinds)
    return {cell.piece for cell in board.cells} if isinstance(board, GridBoard) else set()


# -- choices on the board --------------------------------------------------------------------------


class Group(msgspec.Struct, frozen=True):
    """What can be chosen with one press: an option, or all that begin on the same cell."""

    label: Label
    cells: tuple[str, ...]
    options: tuple[Option, ...]


def on_board(shown: Shown) -> bool:
    """Whether the open question is about cells of a board that can be drawn."""
    return (
        shown.kind == RULES
        and can_be_drawn(shown.board)
        and any(option.cells for option in shown.options)
    )


def groups_of(shown: Shown) -> list[Group]:
    """The options as they are chosen from, in their order; off a board each by itself."""
    if not on_board(shown):
        return [single(option) for option in shown.options]
    found: dict[object, list[Option]] = {}
    for option in shown.options:
        key = option.cells[0] if len(option.cells) > 1 else ("", option.choice)
        found.setdefault(key, []).append(option)
    return [
        single(options[0]) if len(options) == 1 else _begun(options) for options in found.values()
    ]


def single(option: Option) -> Group:
    """An option by itself."""
    return Group(option.label, option.cells, (option,))


def _begun(options: Sequence[Option]) -> Group:
    cell = options[0].cells[0]
    return Group(Named({"en": f"{cell} → …"}), (cell,), tuple(options))


# -- the picture -----------------------------------------------------------------------------------

LABEL = 5
"""Pixels for the names of rows at the left and columns below."""
LARGEST, SMALLEST = 9, 6
"""Pixels from one cell to the next."""
PIECE = 5
"""Pixels of a piece."""
LEAST_TEXT = 62
"""Pixels that the text beside the board needs."""

_PIECES = {
    (False, True): (".###.", "#####", "#####", "#####", ".###."),
    (False, False): (".###.", "#...#", "#...#", "#...#", ".###."),
    (True, True): ("#.#.#", "#####", "#####", "#####", "#####"),
    (True, False): ("#.#.#", "#####", "#...#", "#...#", "#####"),
}
"""Pieces by whether they are great, and whether they are the first player's."""


class Picture:
    """A board at the left of a page. `seats` in turn order; the first one's pieces are filled."""

    def __init__(self, sheet: Sheet, board: GridBoard, seats: Sequence[str]) -> None:
        self.draw = sheet.draw
        self.board = board
        self.first = seats[0] if seats else ""
        width, height = sheet.image.size
        across = (width - LEAST_TEXT - LABEL) // len(board.columns)
        down = (height - LABEL - 2) // len(board.rows)
        self.pitch = max(SMALLEST, min(across, down, LARGEST))
        self.right = LABEL + self.pitch * len(board.columns)
        """The last column of pixels that the board takes."""

    def paint(self, chosen: Sequence[str] = ()) -> None:
        """Draw the board, the chosen cells inverted."""
        width, bottom = len(self.board.columns), self.pitch * len(self.board.rows)
        for x in range(width + 1):
            for y in range(len(self.board.rows) + 1):
                self.draw.point((LABEL + x * self.pitch, y * self.pitch), fill=1)
        for number, cell in enumerate(self.board.cells):
            self._cell(cell, number % width, number // width, chosen=cell.name in chosen)
        middle = (self.pitch - 3) // 2 + 1
        for number, name in enumerate(self.board.columns):
            self._dots(letter(name), LABEL + number * self.pitch + middle, bottom + 2)
        for number, name in enumerate(self.board.rows):
            self._dots(letter(name), 0, number * self.pitch + (self.pitch - PIECE) // 2 + 1)

    def _cell(self, cell: CellView, column: int, row: int, *, chosen: bool) -> None:
        left, top = LABEL + column * self.pitch + 1, row * self.pitch + 1
        if chosen:
            end = (left + self.pitch - 1, top + self.pitch - 1)
            self.draw.rectangle((left - 1, top - 1, *end), fill=1)
        if cell.seat:
            edge = (self.pitch - PIECE) // 2
            self.piece(cell.great, cell.seat, left + edge, top + edge, on=not chosen)
        if cell.mark:
            under = top + self.pitch - 2
            self.draw.line((left, under, left + self.pitch - 2, under), fill=int(not chosen))

    def piece(self, great: bool, seat: str, x: int, y: int, *, on: bool = True) -> None:
        """Draw a piece of a seat with its upper left corner at a point."""
        self._dots(_PIECES[great, seat == self.first], x, y, on=on)

    def _dots(self, sign: Sign, x: int, y: int, *, on: bool = True) -> None:
        self.draw.point(list(lit(sign, x, y)), fill=int(on))


class Drawing(Protocol):
    """A board at the left of a page. `right` is the last column of pixels that it takes."""

    right: int

    def paint(self, chosen: Sequence[str] = ()) -> None:
        """Draw the board, the chosen cells inverted."""


class Beside:
    """The text at the right of a board, line by line."""

    def __init__(self, pages: Pages, sheet: Sheet, left: int) -> None:
        self.words, self.sheet = pages.words, sheet
        self.font = sheet.fonts.small
        self.left = left
        self.room = sheet.image.size[0] - left - 1
        self.top = 0
        self.bottom = sheet.image.size[1]

    def bar(self, text: str) -> None:
        """The inverted line at the top: whose turn it is."""
        self._invert(self.font.height + 1)
        self._write(text, on=False)
        self.top += 2

    def broken(self, label: Label) -> list[str]:
        """A text in lines that fit."""
        from companion.screens.oled import wrap

        return wrap(self.words.say(label), self.font, self.room)

    def lines(self, label: Label, most: int, *, chosen: bool = False) -> None:
        """A text in at most so many lines; the last one may be cut."""
        lines = self.broken(label)
        if len(lines) > most:
            lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
        for line in lines:
            if chosen:
                self._invert(self.pitch)
            self._write(line, on=not chosen)

    def pieces(self, pieces: Sequence[PieceShown]) -> None:
        """The letter and name of each piece, and at the right what holds for it."""
        from companion.screens.oled import shorten

        above = self.bottom - self.font.height
        pitch = max(self.font.height, min(self.pitch, above // max(1, len(pieces))))
        for number, piece in enumerate(pieces[: above // pitch]):
            name = f"{piece.sign} {self.words.say(piece.name)}"
            said = self.words.say(Phrase("{all}", {"all": list(piece.facts)}))
            facts = shorten(said, self.font, self.room * 2 // 3)
            room, top = self.room - self.font.width(facts), pitch * number
            self.sheet.write(shorten(name, self.font, room - 1), self.left, top, self.font)
            self.sheet.write(facts, self.left + room, top, self.font)

    def foot(self, text: str) -> None:
        """The last line: what the buttons do."""
        self.top = self.bottom - self.font.height
        self._write(text)

    @property
    def pitch(self) -> int:
        """Pixels from one line to the next."""
        return self.sheet.pitch(self.font)

    @property
    def left_lines(self) -> int:
        """How many lines fit above the foot."""
        return (self.bottom - self.font.height - self.top) // self.pitch

    def _invert(self, height: int) -> None:
        right = self.sheet.image.size[0] - 1
        box = (self.left - 1, self.top, right, self.top + height - 1)
        self.sheet.draw.rectangle(box, fill=1)

    def _write(self, text: str, *, on: bool = True) -> None:
        from companion.screens.oled import shorten

        shown = shorten(text, self.font, self.room)
        self.sheet.write(shown, self.left, self.top, self.font, on=on)
        self.top += self.pitch


def _empty(pages: Pages) -> Sheet:
    from companion.screens.oled import Sheet

    return Sheet(pages.fonts)


def choosing_sheet(
    pages: Pages, shown: Shown, groups: Sequence[Group], selected: int, who: str, hint: str = ""
) -> Sheet:
    """The question beside the board; the selected group's cells are inverted there.

    `hint` is shown instead of what the buttons do, where there is room for it.
    """
    sheet = _empty(pages)
    picture = _picture(sheet, shown)
    selected = min(max(selected, 0), len(groups) - 1)
    picture.paint(groups[selected].cells)
    text = Beside(pages, sheet, picture.right + 5)
    text.bar(who)
    label = groups[selected].label
    text.lines(shown.question, max(1, text.left_lines - min(2, len(text.broken(label)))))
    text.lines(label, max(1, text.left_lines), chosen=True)
    fits = hint and text.font.fits(hint, text.room)
    text.foot(hint if fits else f"▲▼● {selected + 1}/{len(groups)}")
    return sheet


def looking_sheet(pages: Pages, shown: Shown, hint: Label) -> Sheet:
    """The board by itself, with whose pieces are whose or what they are called."""
    sheet = _empty(pages)
    picture = _picture(sheet, shown)
    picture.paint()
    text = Beside(pages, sheet, picture.right + (3 if shown.pieces else 5))
    if isinstance(picture, Picture):
        _seats(text, shown, picture)
    text.pieces(shown.pieces)
    text.foot(pages.words.say(hint))
    return sheet


def _seats(text: Beside, shown: Shown, picture: Picture) -> None:
    """Each player with a piece like theirs, and the facts."""
    for seat in shown.seats:
        if text.left_lines < 1:
            break
        top = text.top + (text.font.height - PIECE) // 2
        text.left += PIECE + 3
        text.room -= PIECE + 3
        picture.piece(False, seat.seat, text.left - PIECE - 3, top)
        text.lines(Named({"en": seat.name}), 1)
        for fact in seat.facts[: max(0, text.left_lines)]:
            text.lines(fact, 1)
        text.left -= PIECE + 3
        text.room += PIECE + 3


def _picture(sheet: Sheet, shown: Shown) -> Drawing:
    if isinstance(shown.board, GraphBoard):
        return RoadPicture(sheet, shown.board, sheet.image.size[0] - LEAST_TEXT - 5)
    if isinstance(shown.board, GridBoard):
        return Picture(sheet, shown.board, [seat.seat for seat in shown.seats])
    raise TypeError("there is no picture of such a board")
