"""Pictures as text."""

from __future__ import annotations

from companion.screens.pixels import as_text, braille, half_blocks, wanted


class Dots:
    """A picture with some dots lit."""

    def __init__(self, width: int, height: int, *lit: tuple[int, int]) -> None:
        self.size = (width, height)
        self.lit = set(lit)

    def getpixel(self, xy: tuple[int, int], /) -> int:
        return int(xy in self.lit)


def test_braille_dots_stand_where_the_pixels_are() -> None:
    assert braille(Dots(2, 4, (0, 0))) == ["⠁"]
    assert braille(Dots(2, 4, (1, 3))) == ["⢀"]
    every = [(x, y) for x in range(2) for y in range(4)]
    assert braille(Dots(2, 4, *every)) == ["⣿"]
    assert braille(Dots(4, 4)) == ["⠀⠀"]


def test_half_blocks() -> None:
    assert half_blocks(Dots(4, 2, (1, 0), (2, 1), (3, 0), (3, 1))) == [" ▀▄█"]


def test_odd_sizes_are_filled_up_with_dark() -> None:
    assert braille(Dots(3, 5, (2, 4))) == ["⠀⠀", "⠀⠁"]


def test_narrow_terminals_get_braille_and_wide_ones_blocks() -> None:
    picture = Dots(128, 64, (0, 0))
    narrow, wide = as_text(picture, 80), as_text(picture, 130)
    assert (len(narrow), {len(line) for line in narrow}) == (18, {66})
    assert (len(wide), {len(line) for line in wide}) == (34, {130})
    assert narrow[0][0] == "┌"


def test_pictures_go_into_a_pipe_only_when_asked_for() -> None:
    assert wanted(None, to_a_person=True)
    assert not wanted(None, to_a_person=False)
    assert wanted(True, to_a_person=False)
    assert not wanted(False, to_a_person=True)
