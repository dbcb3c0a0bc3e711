"""luma.oled's drivers of the two chips, but sending only what changed.

luma does the set-up, the contrast and the switching on and off; its own way to draw sends the
whole picture each time. Imported only when there is a display: luma takes its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from luma.core.device import device
from luma.oled.device import sh1106, ssd1306

from companion.devices.spans import changed_spans, packed

if TYPE_CHECKING:
    from PIL.Image import Image

I2C_ADDRESSING = 7
"""Bytes on I2C to begin a span: address, control byte and three commands, address, control byte."""
SPI_ADDRESSING = 64
"""On SPI bytes are quick and calls are slow: as many bytes go in the time of two calls."""


class Panel(Protocol):
    """What luma's drivers are for us. Every call may raise OSError and luma's own errors."""

    def display(self, image: Image) -> None: ...
    def clear(self) -> None: ...
    def show(self) -> None: ...
    def hide(self) -> None: ...
    def contrast(self, level: int) -> None: ...
    def refresh(self) -> None: ...


class _Spans:
    """Takes the place of luma's `display`, its own `clear` during the set-up included.

    Both chips are driven by page addressing, the only kind that an SH1106 knows.
    """

    addressing = I2C_ADDRESSING
    first_column = 0
    _page_addressing: tuple[int, ...] = ()
    _sent: bytes | None = None
    """What the chip shows; None while that is not known."""
    _setup: tuple[int, ...] = ()
    """luma's first command, which is the whole set-up, after its first byte: display off."""

    if TYPE_CHECKING:

        def preprocess(self, image: Image) -> Image: ...
        def data(self, data: list[int]) -> None: ...

    def __init__(self, bus: object, rotate: int) -> None:
        super().__init__(bus, rotate=rotate)  # type: ignore[call-arg]  # luma's, not object's

    def command(self, *command: int) -> None:
        if not self._setup:
            self._setup = command[1:]
        super().command(*command)  # type: ignore[misc]  # luma's

    def refresh(self) -> None:
        """Set the chip up again, which is not seen; the next picture is sent as a whole."""
        self._sent = None
        self.command(*self._setup)

    def display(self, image: Image) -> None:
        new = packed(self.preprocess(image))
        old, self._sent = self._sent, None
        if old is None and self._page_addressing:
            self.command(*self._page_addressing)
        for page, column, data in changed_spans(old, new, self.addressing):
            at = column + self.first_column
            self.command(0xB0 | page, at & 0x0F, 0x10 | at >> 4)
            self.data(list(data))
        self._sent = new


class _Passing(device):  # type: ignore[misc]  # luma has no types
    """Comes between luma's drivers and their base, which keeps each for a `cleanup` at the end.

    That would switch off what is to stay visible, and add up when a display is tried all night.
    """

    def __init__(self, const: object, bus: object) -> None:
        self._const = const
        self._serial_interface = bus


class Ssd1306(_Spans, ssd1306, _Passing):  # type: ignore[misc]  # luma has no types
    """128 columns. Page addressing has to be chosen (data sheet 10.1.3)."""

    _page_addressing = (0x20, 0x02)


class Sh1106(_Spans, sh1106, _Passing):  # type: ignore[misc]  # luma has no types
    """132 columns, of which a panel of 128 uses those in the middle."""

    first_column = 2
