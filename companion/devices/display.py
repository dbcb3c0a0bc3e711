"""An OLED of 128x64 by luma.oled: shows the latest picture, dims, blanks.

Nobody waits for it: `show` leaves a picture, the worker's thread sends what changed.
"""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum
from typing import TYPE_CHECKING

from companion.devices import faults, pins
from companion.devices.claims import claim
from companion.devices.health import DeviceFault
from companion.devices.settings import DisplaySettings
from companion.devices.spans import HEIGHT, WIDTH
from companion.rules.phrases import N_

if TYPE_CHECKING:
    from PIL.Image import Image
    from spidev import SpiDev

    from companion.devices.panels import Panel

DIM_CONTRAST = 1
PROBE = 2.0
"""Seconds after which a display is written to anyway: one that is gone does not answer."""
REFRESH = 15.0
"""Seconds after which everything is sent again: a short loss of power is not noticed otherwise,
and on SPI nobody ever answers."""
RESET_TIME = 0.001
"""Seconds for a reset and after it; the chips need some microseconds (SSD1306 data sheet 8.9)."""


class Brightness(Enum):
    """How bright the display is."""

    DARK = "dark"
    DIM = "dim"
    BRIGHT = "bright"


class Display:
    """A worker's device; `show`, `touched` and `is_dark` are for any thread.

    Wired to the Pi's SDA and SCL, or to MOSI, SCLK and a chip select with a pin at D/C.
    `clock` gives seconds; `patience` is how long a step waits for a new picture.
    """

    name = "display"

    def __init__(
        self,
        settings: DisplaySettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        patience: float = 0.25,
    ) -> None:
        self.settings = settings
        self._clock = clock
        self._patience = patience
        self._touched = clock()
        self._news = threading.Event()
        self._wanted: Image | None = None
        self._shown: Image | None = None
        self._brightness: Brightness | None = None
        """What the panel was set to; None: not known."""
        self._panel: Panel | None = None
        self._probed = self._refreshed = 0.0
        self._held = ExitStack()

    # -- for everybody -------------------------------------------------------------------------

    def show(self, image: Image) -> None:
        """Show a picture of 128x64 in mode "1", which nobody changes any more; the latest wins."""
        if image.size != (WIDTH, HEIGHT) or image.mode != "1":
            found = f"{image.size[0]}x{image.size[1]} in mode {image.mode!r}"
            raise ValueError(f"a picture has to be {WIDTH}x{HEIGHT} in mode '1', not {found}")
        self._wanted = image
        self._news.set()

    def touched(self) -> bool:
        """Somebody is there: shine again. Gives whether the display was dark until now."""
        was_dark = self.is_dark
        self._touched = self._clock()
        self._news.set()
        return was_dark

    @property
    def is_dark(self) -> bool:
        """Whether nothing is shown because nobody was there for so long."""
        return self._wished() is Brightness.DARK

    # -- for the worker ------------------------------------------------------------------------

    def open(self) -> None:
        """Set the display up. Raises DeviceFault, saying what to look at."""
        with ExitStack() as held, _said(self.settings):
            self._panel = _panel(self.settings, held)
            self._held = held.pop_all()
        self._begin_anew()
        self._news.set()

    def step(self) -> float:
        """Wait a moment for something new and show it. Raises DeviceFault."""
        self._news.wait(self._patience)
        self._news.clear()
        with _said(self.settings):
            self._update()
        return 0.0

    def wake(self) -> None:
        """Do not wait any longer; from any thread."""
        self._news.set()

    def close(self) -> None:
        """Let go of the bus. What was left to be shown last is shown, and stays."""
        with suppress(Exception):
            self._update()
        self._forget()

    # -- drawing -------------------------------------------------------------------------------

    def _wished(self) -> Brightness:
        idle = self._clock() - self._touched
        if idle >= self.settings.blank_after:
            return Brightness.DARK
        return Brightness.DIM if idle >= self.settings.dim_after else Brightness.BRIGHT

    def _update(self) -> None:
        """Bring the panel to what is wanted; one that fails is let go of and has to be reopened."""
        if self._panel is None:
            return
        try:
            self._draw(self._panel)
        except BaseException:
            self._forget()
            raise

    def _begin_anew(self) -> None:
        self._shown = self._brightness = None
        self._refreshed = self._clock()

    def _draw(self, panel: Panel) -> None:
        if self._clock() - self._refreshed >= REFRESH:
            panel.refresh()
            self._begin_anew()
        brightness, image = self._wished(), self._wanted
        if brightness is Brightness.DARK:
            self._blank(panel)
            return
        if image is not None and image is not self._shown:
            panel.display(image)
            self._shown = image
        if brightness is not self._brightness or self._is_due():
            contrast = self.settings.contrast
            dim = brightness is Brightness.DIM
            panel.contrast(min(contrast, DIM_CONTRAST) if dim else contrast)
            panel.show()
            self._set(brightness)

    def _blank(self, panel: Panel) -> None:
        """Nothing is lit and the panel is off: some keep their picture after one of the two."""
        if self._brightness is not Brightness.DARK:
            panel.clear()
            self._shown = None
        if self._brightness is not Brightness.DARK or self._is_due():
            panel.hide()
            self._set(Brightness.DARK)

    def _is_due(self) -> bool:
        return self._clock() - self._probed >= PROBE

    def _set(self, brightness: Brightness) -> None:
        self._brightness = brightness
        self._probed = self._clock()

    def _forget(self) -> None:
        self._panel = None
        with suppress(Exception):
            self._held.close()


def test_frame(settings: DisplaySettings) -> Image:
    """A picture to check a display by: a line at all four edges, and which driver draws it.

    With the wrong driver an edge is missing or beside two columns of noise.
    """
    from PIL import Image, ImageDraw

    frame = Image.new("1", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(frame)
    draw.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=1)
    draw.text((WIDTH // 2, HEIGHT // 2), settings.driver, fill=1, anchor="mm")
    return frame


# -- luma ------------------------------------------------------------------------------------------


def _panel(settings: DisplaySettings, held: ExitStack) -> Panel:
    """The driver on its bus; `held` lets go of both."""
    from companion.devices import panels

    bus = _i2c(settings, held) if settings.bus == "i2c" else _spi(settings, held)
    kind = panels.Ssd1306 if settings.driver == "ssd1306" else panels.Sh1106
    panel = kind(bus, settings.rotate)
    if settings.bus == "spi":
        panel.addressing = panels.SPI_ADDRESSING
    return panel


def _i2c(settings: DisplaySettings, held: ExitStack) -> object:
    from luma.core.error import DeviceNotFoundError, DevicePermissionError
    from luma.core.interface.serial import i2c

    try:
        bus = i2c(port=settings.port, address=settings.address)
    except DeviceNotFoundError as error:
        raise faults.switched_off("i2c") from error
    except DevicePermissionError as error:
        raise faults.no_right(f"/dev/i2c-{settings.port}", "i2c") from error
    held.callback(bus.cleanup)
    claim(bus._bus.fd, f"/dev/i2c-{settings.port}")
    return bus


def _spi(settings: DisplaySettings, held: ExitStack) -> object:
    from luma.core.error import DeviceNotFoundError
    from luma.core.interface.serial import spi

    lines = _Lines(settings, held)
    device = _spi_device()
    try:
        bus = spi(
            spi=device,
            gpio=lines,
            port=settings.port,
            device=settings.device,
            gpio_DC=_Lines.DATA_COMMAND,
            gpio_RST=None if settings.reset is None else _Lines.RESET,
            reset_hold_time=RESET_TIME,
            reset_release_time=RESET_TIME,
        )
    except DeviceNotFoundError as error:
        raise faults.switched_off("spi") from error
    except PermissionError as error:
        raise faults.no_right(f"/dev/spidev{settings.port}.{settings.device}", "spi") from error
    held.callback(bus.cleanup)
    claim(device.fileno(), f"/dev/spidev{settings.port}.{settings.device}")
    device.max_speed_hz = settings.speed  # luma itself takes only some speeds
    return bus


def _spi_device() -> SpiDev:
    try:
        from spidev import SpiDev
    except ImportError as error:
        raise faults.missing("spidev") from error
    return SpiDev()


class _Lines:
    """The pins at D/C and RST by gpiozero, for luma, which asks for what RPi.GPIO has."""

    OUT, LOW, HIGH = 0, 0, 1
    DATA_COMMAND, RESET = 1, 2

    def __init__(self, settings: DisplaySettings, held: ExitStack) -> None:
        from gpiozero import DigitalOutputDevice

        if settings.data_command is None:
            raise DeviceFault(N_("a display on SPI needs data_command, the pin at its D/C"))
        self._lines = {}
        given = {self.DATA_COMMAND: settings.data_command, self.RESET: settings.reset}
        for line, pin in given.items():
            if pin is not None:
                with pins.claiming(pin):
                    device = DigitalOutputDevice(pin, pin_factory=pins.factory())
                held.callback(device.close)
                self._lines[line] = device

    def setup(self, line: int, direction: int) -> None:
        """All of them are outputs already."""

    def output(self, line: int, level: int) -> None:
        self._lines[line].value = level


# -- faults ----------------------------------------------------------------------------------------

_SILENT = (errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT)


@contextmanager
def _said(settings: DisplaySettings) -> Iterator[None]:
    """Says a missing answer plainly; luma tells of some by an error of its own, of some not."""
    from luma.core.error import DeviceNotFoundError

    try:
        yield
    except DeviceNotFoundError as error:
        raise _no_answer(settings) from error
    except OSError as error:
        if settings.bus != "i2c" or error.errno not in _SILENT:
            raise
        raise _no_answer(settings) from error


def _no_answer(settings: DisplaySettings) -> DeviceFault:
    return DeviceFault(
        N_("no answer at I2C address {address}"), address=f"0x{settings.address:02X}"
    )
