"""The two OLED chips, down to the bits of their commands and their memory as a picture.

After the SSD1306 data sheet rev 1.1 (sections 8 to 10) and the SH1106 data sheet V2.3. The panel
is the usual 128x64 module: upright with segment remap A1h and COM scan direction C8h, 128 columns
in the middle of an SH1106's 132, no supply for the pixels but the SSD1306's charge pump.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, HEIGHT = 128, 64
PAGES = HEIGHT // 8


class Oled:
    """What both chips have in common. `memory` has a row of bytes for each of the eight pages.

    On I2C it is written to by `write`, on SPI by `transfer`, with `data_command` telling the level
    of its D/C pin. To try what goes wrong: `unplugged`, `fails_every`, `power_off`, `power_on`.
    """

    columns = WIDTH
    first_column = 0
    """The column of the memory at the left edge of the panel."""
    arguments: dict[int, int] = {}
    """Commands that take further bytes, and how many."""

    def __init__(self, data_command: Callable[[], bool] | None = None, *, seed: int = 1) -> None:
        self.data_command = data_command or (lambda: False)
        self.unplugged = False
        self.fails_every = 0
        """Every n-th write fails; 0: none."""
        self.writes = 0
        self._random = Random(seed)
        self.power_on()

    # -- power ---------------------------------------------------------------------------------

    def power_on(self) -> None:
        """Power has come: the memory holds anything at all, the registers their reset values."""
        self.powered = True
        self.memory = [bytearray(self._random.randbytes(self.columns)) for _ in range(PAGES)]
        self.reset()

    def power_off(self) -> None:
        """Power has gone; the chip neither shows anything nor answers."""
        self.powered = False

    def reset(self) -> None:
        """The reset values (SSD1306 data sheet 8.9); the memory stays."""
        self.on = False
        self.contrast = 0x7F
        self.inverted = False
        self.all_on = False
        self.remapped = False
        self.scans_down = False
        self.start_line = 0
        self.offset = 0
        self.page = 0
        self.column = 0
        self._command: list[int] = []

    def hold_reset(self, low: bool) -> None:
        """The level of the reset pin, where there is one."""
        if low:
            self.reset()

    # -- the buses -----------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """One I2C message after the address: control bytes say what follows (SSD1306 8.1.5).

        Co (80h) set: one byte follows, then the next control byte; else all the rest. D/C (40h)
        set: to the memory. Raises OSError as the kernel does when nobody answers.
        """
        self._answer()
        at = 0
        while at < len(data):
            control = data[at]
            end = at + 2 if control & 0x80 else len(data)
            self._take(data[at + 1 : end], bool(control & 0x40))
            at = end

    def transfer(self, data: bytes, hz: int) -> bytes:
        """One SPI transfer, at any speed; there is no way back from the chip."""
        if self.powered and not self.unplugged:
            self._take(data, self.data_command())
        return bytes(len(data))

    def _answer(self) -> None:
        self.writes += 1
        failing = self.fails_every and self.writes % self.fails_every == 0
        if self.unplugged or not self.powered or failing:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def _take(self, data: bytes, is_data: bool) -> None:
        for byte in data:
            if is_data:
                self._store(byte)
                self._advance()
            else:
                self._take_command(byte)

    def _store(self, byte: int) -> None:
        if self.column < self.columns:
            self.memory[self.page][self.column] = byte

    # -- commands ------------------------------------------------------------------------------

    def _take_command(self, byte: int) -> None:
        self._command.append(byte)
        code, *arguments = self._command
        if len(arguments) < self.arguments.get(code, 0):
            return
        self._command = []
        if arguments:
            self._set(code, arguments)
        else:
            self._do(code)

    def _do(self, code: int) -> None:
        """A command of one byte."""
        if code <= 0x0F:
            self.column = self.column & 0xF0 | code
        elif code <= 0x1F:
            self.column = self.column & 0x0F | (code & 0x0F) << 4
        elif 0x40 <= code <= 0x7F:
            self.start_line = code & 0x3F
        elif 0xB0 <= code <= 0xB7:
            self.page = code & 0x07
        else:
            self._switch(code)

    def _switch(self, code: int) -> None:
        if code & 0xFE == 0xA0:
            self.remapped = bool(code & 1)
        elif code & 0xFE == 0xA4:
            self.all_on = bool(code & 1)
        elif code & 0xFE == 0xA6:
            self.inverted = bool(code & 1)
        elif code & 0xFE == 0xAE:
            self.on = bool(code & 1)
        elif code & 0xF0 == 0xC0:
            self.scans_down = bool(code & 8)

    def _set(self, code: int, arguments: list[int]) -> None:
        """A command with further bytes."""
        if code == 0x81:
            self.contrast = arguments[0]
        elif code == 0xD3:
            self.offset = arguments[0] & 0x3F

    def _advance(self) -> None:
        """Where the next byte of data goes."""
        raise NotImplementedError

    # -- what people see -----------------------------------------------------------------------

    @property
    def lit(self) -> bool:
        """Whether the panel shines at all."""
        return self.powered and not self.unplugged and self.on

    def picture(self) -> Image:
        """What the panel shows: 128x64 in mode "1", black while it is off."""
        from PIL import Image, ImageChops

        if not self.lit:
            return Image.new("1", (WIDTH, HEIGHT))
        # A column of the chip, from the bottom up, is a row of the picture turned clockwise.
        columns = b"".join(bytes(page[c] for page in self.memory[::-1]) for c in self._visible())
        turned = Image.frombytes("1", (HEIGHT, WIDTH), columns)
        shown = turned.transpose(Image.Transpose.ROTATE_90)
        shown = ImageChops.offset(shown, 0, -(self.start_line + self.offset))
        if not self.scans_down:
            shown = shown.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        if self.all_on:
            shown = Image.new("1", (WIDTH, HEIGHT), 1)
        return ImageChops.invert(shown) if self.inverted else shown

    def _visible(self) -> range:
        """The memory's columns from the panel's left edge to its right one."""
        columns = range(self.first_column, self.first_column + WIDTH)
        if self.remapped:
            return columns
        last = self.columns - 1
        return range(last - columns[0], last - columns[-1] - 1, -1)


class Ssd1306(Oled):
    """128 columns, three ways of addressing, and a charge pump without which it stays dark."""

    arguments = {
        **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1),
        **dict.fromkeys((0x21, 0x22, 0xA3), 2),
        **dict.fromkeys((0x29, 0x2A), 5),
        **dict.fromkeys((0x26, 0x27), 6),
    }

    HORIZONTAL, VERTICAL, BY_PAGE = 0, 1, 2

    def reset(self) -> None:
        super().reset()
        self.pumping = False
        self.addressing = self.BY_PAGE
        self.first, self.last = 0, WIDTH - 1
        self.first_page, self.last_page = 0, PAGES - 1

    @property
    def lit(self) -> bool:
        return super().lit and self.pumping

    def _set(self, code: int, arguments: list[int]) -> None:
        if code == 0x20:
            self.addressing = arguments[0] & 3
        elif code == 0x21:
            self.first, self.last = (argument & 0x7F for argument in arguments)
            self.column = self.first
        elif code == 0x22:
            self.first_page, self.last_page = (argument & 0x07 for argument in arguments)
            self.page = self.first_page
        elif code == 0x8D:
            self.pumping = bool(arguments[0] & 0x04)
        else:
            super()._set(code, arguments)

    def _advance(self) -> None:
        if self.addressing == self.HORIZONTAL:
            if self._next_column():
                self._next_page()
        elif self.addressing == self.VERTICAL:
            if self._next_page():
                self._next_column()
        else:
            self.column = (self.column + 1) % WIDTH

    def _next_column(self) -> bool:
        """The next one of the range; gives whether it began anew."""
        anew = self.column == self.last
        self.column = self.first if anew else (self.column + 1) % WIDTH
        return anew

    def _next_page(self) -> bool:
        anew = self.page == self.last_page
        self.page = self.first_page if anew else (self.page + 1) % PAGES
        return anew


class Sh1106(Oled):
    """132 columns; only page addressing, and the columns end where they end."""

    columns = 132
    first_column = 2
    arguments = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)

    def _advance(self) -> None:
        self.column = min(self.column + 1, self.columns - 1)
