"""The models of the OLED chips do what their data sheets say, under luma.oled as it is."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image, ImageDraw

from companion.devices.simulated.bench import Bench, DrivenTime
from companion.devices.simulated.oled import Oled, Sh1106, Ssd1306

NOISE_FREE = Image.new("1", (128, 64))


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(DrivenTime())
    bench.install()
    yield bench
    bench.remove()


def frame() -> Image.Image:
    """Something without any symmetry, that touches all four edges."""
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.polygon([(3, 3), (90, 9), (20, 50)], fill=1)
    return image


def luma(driver: str, **wiring: Any) -> Any:
    """One of luma's own drivers, told to leave the panel alone at the end of the program."""
    from luma.core.interface.serial import i2c
    from luma.oled import device

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # luma's way to read a picture
        made = {"ssd1306": device.ssd1306, "sh1106": device.sh1106}[driver](i2c(port=1), **wiring)
        made.persist = True
    return made


def draw(device: Any, image: Image.Image) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        device.display(image)


def same(a: Image.Image, b: Image.Image) -> bool:
    return a.mode == b.mode and a.tobytes() == b.tobytes()


def up(chip: Oled) -> None:
    """Set up as a module is, without luma; the noise of the memory stays."""
    chip.write(bytes([0x00, 0x8D, 0x14, 0xA1, 0xC8, 0xAF]))


# -- under luma ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("driver", "chip"), [("ssd1306", Ssd1306()), ("sh1106", Sh1106())])
def test_luma_draws_pixel_for_pixel(bench: Bench, driver: str, chip: Oled) -> None:
    bench.i2c[1, 0x3C] = chip
    device = luma(driver)
    assert same(chip.picture(), NOISE_FREE)

    draw(device, frame())
    assert same(chip.picture(), frame())

    device.hide()
    assert same(chip.picture(), NOISE_FREE)
    device.show()
    device.contrast(5)
    assert same(chip.picture(), frame())
    assert chip.contrast == 5


@pytest.mark.parametrize(("driver", "chip"), [("ssd1306", Ssd1306()), ("sh1106", Sh1106())])
def test_luma_turns_it_upside_down(bench: Bench, driver: str, chip: Oled) -> None:
    bench.i2c[1, 0x3C] = chip

    draw(luma(driver, rotate=2), frame())

    assert same(chip.picture(), frame().transpose(Image.Transpose.ROTATE_180))


def test_a_whole_frame_of_luma_takes_as_long_as_known_from_the_real_bus(bench: Bench) -> None:
    bench.i2c[1, 0x3C] = Ssd1306()
    device = luma("ssd1306")
    bench.ledger.clear()

    draw(device, frame())

    assert 22_000 < bench.ledger.chips["i2c1.3c"].us < 25_000  # at 400 kHz


def test_an_sh1106_driven_as_an_ssd1306_shows_noise() -> None:
    chip = Sh1106()
    up(chip)
    for page in range(8):
        chip.write(bytes([0x00, 0xB0 | page, 0x00, 0x10]))
        chip.write(bytes([0x40] + [0] * 128))

    lit = chip.picture().getbbox()

    assert lit is not None
    assert lit[0] == 126
    assert lit[2] == 128


def test_nobody_at_the_address(bench: Bench) -> None:
    from luma.core.error import DeviceNotFoundError

    with pytest.raises(DeviceNotFoundError):
        luma("ssd1306")
    bench.i2c[1, 0x3D] = Ssd1306()
    with pytest.raises(DeviceNotFoundError, match="0x3C"):
        luma("ssd1306")


# -- commands --------------------------------------------------------------------------------------


def test_control_bytes_say_what_follows() -> None:
    chip = Ssd1306()
    chip.write(bytes([0x80, 0xB2, 0x80, 0x05, 0x80, 0x10, 0xC0, 0xAA, 0x40, 0xBB, 0xCC]))

    assert chip.memory[2][5:8] == bytes([0xAA, 0xBB, 0xCC])


def test_horizontal_addressing_fills_a_window() -> None:
    chip = Ssd1306()
    chip.memory = [bytearray(128) for _ in range(8)]
    chip.write(bytes([0x00, 0x20, 0x00, 0x21, 10, 12, 0x22, 3, 4]))
    chip.write(bytes([0x40, 1, 2, 3, 4, 5, 6, 7]))

    assert chip.memory[3][9:14] == bytes([0, 7, 2, 3, 0])
    assert chip.memory[4][9:14] == bytes([0, 4, 5, 6, 0])


def test_vertical_addressing_goes_down_first() -> None:
    chip = Ssd1306()
    chip.write(bytes([0x00, 0x20, 0x01, 0x21, 10, 11, 0x22, 3, 4]))
    chip.write(bytes([0x40, 1, 2, 3, 4]))

    assert [chip.memory[p][c] for c in (10, 11) for p in (3, 4)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("chip", "expected"), [(Ssd1306(), (2, 3, 1)), (Sh1106(), (1, None, None))]
)
def test_how_a_page_ends(chip: Oled, expected: tuple[int, int | None, int | None]) -> None:
    """An SSD1306 begins the page anew; an SH1106 has four more columns."""
    before = bytes(chip.memory[7])
    chip.write(bytes([0x00, 0xB7, 0x0F, 0x17]))
    chip.write(bytes([0x40, 1, 2, 3]))

    page = chip.memory[7]
    assert page[127] == 1
    if isinstance(chip, Ssd1306):
        assert (page[0], page[1]) == (2, 3)
    else:
        assert (page[128], page[129], page[0]) == (2, 3, before[0])


def test_the_end_of_an_sh1106_s_memory_holds() -> None:
    chip = Sh1106()
    chip.write(bytes([0x00, 0xB0, 0x02, 0x18]))
    chip.write(bytes([0x40, 1, 2, 3, 4]))

    assert chip.memory[0][130:] == bytes([1, 4])

    chip.write(bytes([0x00, 0x05]))  # the two halves of the address are set one by one
    chip.write(bytes([0x00, 0x10]))
    chip.write(bytes([0x40, 9]))
    assert chip.memory[0][5] == 9


@pytest.mark.parametrize("chip", [Ssd1306(), Sh1106()])
def test_directions_inversion_and_start_line(chip: Oled) -> None:
    up(chip)
    upright = chip.picture()

    chip.write(bytes([0x00, 0xA0, 0xC0]))
    assert same(chip.picture(), upright.transpose(Image.Transpose.ROTATE_180))
    chip.write(bytes([0x00, 0xA1, 0xC8, 0xA7]))
    assert same(chip.picture(), upright.point(lambda lit: not lit))
    chip.write(bytes([0x00, 0xA6, 0x40 | 3]))
    assert same(chip.picture().crop((0, 0, 128, 61)), upright.crop((0, 3, 128, 64)))
    chip.write(bytes([0x00, 0xA5]))
    assert chip.picture().getbbox() == (0, 0, 128, 64)


def test_an_ssd1306_stays_dark_without_its_charge_pump() -> None:
    chip = Ssd1306()
    chip.write(bytes([0x00, 0xAF]))
    assert not chip.lit
    chip.write(bytes([0x00, 0x8D, 0x14]))
    assert chip.lit


# -- what goes wrong -------------------------------------------------------------------------------


def test_power_lost_is_all_lost() -> None:
    chip = Ssd1306()
    up(chip)
    chip.write(bytes([0x00, 0x81, 9]))
    before = chip.picture()
    chip.power_off()
    with pytest.raises(OSError, match="121"):
        chip.write(bytes([0x00, 0xE3]))

    chip.power_on()

    assert not chip.lit
    assert chip.contrast == 0x7F
    up(chip)
    assert not same(chip.picture(), before)


def test_an_unplugged_chip_and_one_with_a_bad_contact() -> None:
    chip = Ssd1306()
    chip.unplugged = True
    with pytest.raises(OSError, match="121"):
        chip.write(bytes([0x00, 0xE3]))

    chip.unplugged, chip.fails_every, chip.writes = False, 3, 0
    failed = []
    for n in range(9):
        try:
            chip.write(bytes([0x00, 0xE3]))
        except OSError:
            failed.append(n)
    assert failed == [2, 5, 8]


# -- over SPI --------------------------------------------------------------------------------------


def test_on_spi_the_pin_at_d_c_tells_commands_from_data() -> None:
    level = [False]
    chip = Ssd1306(lambda: level[0])
    chip.transfer(bytes([0xB1, 0x00, 0x10]), 8_000_000)
    level[0] = True
    assert chip.transfer(bytes([7, 8]), 8_000_000) == bytes(2)

    assert chip.memory[1][:2] == bytes([7, 8])
