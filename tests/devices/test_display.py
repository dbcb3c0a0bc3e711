"""The display: real luma over the modelled chips."""

from __future__ import annotations

import gc
import itertools
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from companion.devices.display import PROBE, REFRESH, Display, test_frame
from companion.devices.health import Condition, DeviceFault, Health, HealthBoard
from companion.devices.settings import DisplaySettings
from companion.devices.simulated.bench import Bench, DrivenTime
from companion.devices.simulated.oled import Oled, Sh1106, Ssd1306
from companion.devices.spans import Span, changed_spans, packed
from companion.devices.worker import Worker

test_frame.__test__ = False  # type: ignore[attr-defined]  # not one of pytest's

BLACK = Image.new("1", (128, 64))


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(DrivenTime())
    bench.install()
    yield bench
    bench.remove()


@pytest.fixture
def chip(bench: Bench) -> Ssd1306:
    chip = bench.i2c[1, 0x3C] = Ssd1306()
    return chip


def settings(driver: str = "ssd1306", **more: object) -> DisplaySettings:
    import msgspec

    return msgspec.convert({"driver": driver, **more}, DisplaySettings)


def opened(bench: Bench, given: DisplaySettings | None = None) -> Display:
    display = Display(given or settings(), clock=bench.time.seconds, patience=0)
    display.open()
    return display


def picture(n: int = 0) -> Image.Image:
    """The n-th of many different ones, all with the same frame."""
    image = Image.new("1", (128, 64))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, 63), outline=1)
    draw.rectangle((4 + n, 4, 9 + n, 9), fill=1)
    return image


def shows(chip: Oled, image: Image.Image) -> bool:
    return chip.picture().tobytes() == image.tobytes()


def until(condition: Callable[[], bool]) -> None:
    limit = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.001)


# -- spans -----------------------------------------------------------------------------------------


def put_together(old: bytes, spans: list[Span]) -> bytes:
    memory = bytearray(old)
    for page, column, data in spans:
        memory[page * 128 + column : page * 128 + column + len(data)] = data
    return bytes(memory)


@given(
    st.lists(st.tuples(st.integers(0, 1023), st.integers(0, 255)), max_size=60), st.integers(0, 64)
)
def test_spans_turn_the_old_picture_into_the_new_one_as_cheaply_as_can_be(
    changes: list[tuple[int, int]], addressing: int
) -> None:
    old = bytes(1024)
    memory = bytearray(old)
    for at, byte in changes:
        memory[at] = byte
    new = bytes(memory)

    spans = changed_spans(old, new, addressing)

    assert put_together(old, spans) == new
    assert all(span.data[0] != 0 != span.data[-1] for span in spans)
    for one, following in itertools.pairwise(spans):
        if one.page == following.page:
            assert following.column - one.column - len(one.data) > addressing
    for span in spans:
        assert bytes(addressing + 1) not in span.data


def test_nothing_changed_is_nothing_to_send() -> None:
    assert changed_spans(packed(picture()), packed(picture()), 7) == []


def test_an_unknown_picture_is_sent_as_a_whole() -> None:
    spans = changed_spans(None, packed(picture()), 7)

    assert [(span.page, span.column, len(span.data)) for span in spans] == [
        (page, 0, 128) for page in range(8)
    ]


def test_packed_is_as_the_chip_has_it() -> None:
    image = Image.new("1", (128, 64))
    image.putpixel((3, 0), 1)
    image.putpixel((3, 9), 1)
    image.putpixel((127, 63), 1)

    assert {at: byte for at, byte in enumerate(packed(image)) if byte} == {
        3: 0x01,
        128 + 3: 0x02,
        1023: 0x80,
    }


# -- what is shown ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("driver", "kind"), [("ssd1306", Ssd1306), ("sh1106", Sh1106)])
@pytest.mark.parametrize("rotate", [0, 2])
def test_what_is_shown_is_seen(bench: Bench, driver: str, kind: type[Oled], rotate: int) -> None:
    chip = bench.i2c[1, 0x3C] = kind()
    display = opened(bench, settings(driver, rotate=rotate, contrast=200))
    for n in (0, 1, 50):
        display.show(picture(n))
        display.step()

        turned = picture(n).transpose(Image.Transpose.ROTATE_180) if rotate else picture(n)
        assert shows(chip, turned)
    assert chip.contrast == 200
    display.close()


@pytest.mark.parametrize(("driver", "kind"), [("ssd1306", Ssd1306), ("sh1106", Sh1106)])
def test_on_spi(bench: Bench, driver: str, kind: type[Oled]) -> None:
    chip = kind(lambda: bool(bench.pin(24).state))
    bench.spi[0, 1] = chip
    bench.resets[23] = chip
    given = settings(
        driver, bus="spi", port=0, device=1, data_command=24, reset=23, speed=5_000_000
    )
    display = opened(bench, given)
    display.show(picture())
    display.step()

    assert shows(chip, picture())
    traffic = bench.ledger.chips["spi0.1"]
    assert traffic.us == pytest.approx(traffic.bits / 5)
    display.close()
    assert shows(chip, picture())


def test_only_what_changed_goes_over_the_bus(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench)
    display.show(picture())
    display.step()
    bench.ledger.clear()

    for _ in range(5):
        display.show(picture())
        display.step()
    assert not bench.ledger.chips

    changed = picture()
    changed.putpixel((64, 32), 1)
    display.show(changed)
    display.step()
    assert bench.ledger.chips["i2c1.3c"].bytes == 8
    assert shows(chip, changed)


def test_the_latest_picture_wins(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench)
    for n in range(50):
        display.show(picture(n))
    bench.ledger.clear()
    display.step()

    assert shows(chip, picture(49))
    assert bench.ledger.chips["i2c1.3c"].bytes < 1200


def test_another_kind_of_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="128x64 in mode '1', not 64x128 in mode 'L'"):
        Display(settings()).show(Image.new("L", (64, 128)))


def test_the_last_picture_is_shown_at_the_end_and_stays(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench)
    display.show(picture(1))
    display.step()
    display.show(picture(2))
    display.close()
    assert shows(chip, picture(2))


def test_the_last_picture_stays_when_the_program_has_ended() -> None:
    """Luma would switch the panel off at the exit."""
    script = """if True:
        import atexit
        from companion.devices.display import Display, test_frame
        from companion.devices.settings import DisplaySettings
        from companion.devices.simulated.bench import Bench
        from companion.devices.simulated.oled import Ssd1306

        chip = Ssd1306()
        atexit.register(lambda: print(chip.picture().tobytes() == frame.tobytes()))
        bench = Bench()
        bench.install()
        bench.i2c[1, 0x3C] = chip
        settings = DisplaySettings(driver="ssd1306")
        frame = test_frame(settings)
        display = Display(settings)
        display.open()
        display.show(frame)
        display.close()
    """
    done = subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )

    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_wrong_driver_is_seen_in_the_test_frame(bench: Bench) -> None:
    """Noise at an edge: what the doctor asks for."""
    frame = test_frame(settings())
    for box in [(0, 0, 1, 64), (127, 0, 128, 64), (0, 0, 128, 1), (0, 63, 128, 64)]:
        assert set(frame.crop(box).tobytes()) <= {0xFF, 0x80}, "an edge is not complete"
    chip = bench.i2c[1, 0x3C] = Sh1106()
    right, wrong = settings("sh1106"), settings("ssd1306")
    for driver in (right, wrong):
        display = opened(bench, driver)
        display.show(test_frame(right))
        display.step()
        assert shows(chip, test_frame(right)) is (driver is right)
        display.close()


# -- dimming and blanking --------------------------------------------------------------------------


def test_it_dims_then_blanks_then_wakes(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench, settings(contrast=180))
    display.show(picture())
    display.step()
    assert (chip.contrast, display.is_dark) == (180, False)

    bench.time.sleep(300)
    display.step()
    assert chip.contrast == 1
    assert shows(chip, picture())
    assert not display.is_dark

    bench.time.sleep(1500)
    display.step()
    assert not chip.on
    assert not any(map(any, chip.memory))
    assert display.is_dark

    display.show(picture(7))
    display.step()
    assert not chip.on, "a new picture alone is nobody who looks"

    assert display.touched() is True
    assert display.touched() is False
    display.step()
    assert chip.contrast == 180
    assert shows(chip, picture(7))


def test_a_touch_of_a_dimmed_display_is_as_any_other(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench)
    display.show(picture())
    bench.time.sleep(301)
    display.step()

    assert display.touched() is False
    display.step()
    assert chip.contrast == 127


def test_an_idle_display_that_is_unplugged_is_noticed(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench)
    display.show(picture())
    display.step()
    chip.power_off()
    display.step()

    bench.time.sleep(PROBE)
    with pytest.raises(DeviceFault, match="no answer at I2C address 0x3C"):
        display.step()
    display.close()

    chip.power_on()
    display.open()
    display.step()
    assert shows(chip, picture())
    display.close()


def test_a_short_loss_of_power_is_made_good(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench)
    display.show(picture())
    display.step()
    chip.power_off()
    chip.power_on()
    display.step()
    assert not shows(chip, picture())

    bench.time.sleep(REFRESH)
    display.step()
    assert shows(chip, picture())
    display.close()


def test_on_spi_too_where_nobody_answers(bench: Bench) -> None:
    chip = bench.spi[0, 1] = Sh1106(lambda: bool(bench.pin(24).state))
    display = opened(bench, settings("sh1106", bus="spi", port=0, device=1, data_command=24))
    display.show(picture())
    chip.unplugged = True
    display.step()
    chip.power_on()
    chip.unplugged = False

    bench.time.sleep(REFRESH)
    display.step()
    assert shows(chip, picture())
    display.close()


def test_sending_everything_again_is_not_seen(
    bench: Bench, chip: Ssd1306, monkeypatch: pytest.MonkeyPatch
) -> None:
    display = opened(bench)
    display.show(picture())
    display.step()
    seen = set()

    def write(data: bytes) -> None:
        Ssd1306.write(chip, data)
        seen.add((chip.picture().tobytes(), chip.contrast))

    monkeypatch.setattr(chip, "write", write)
    bench.ledger.clear()
    bench.time.sleep(REFRESH)
    display.step()

    assert bench.ledger.chips["i2c1.3c"].bytes > 1024
    assert seen == {(picture().tobytes(), 127)}
    display.close()


# -- faults ----------------------------------------------------------------------------------------


def test_a_bus_that_fails_now_and_then_stops_nothing(bench: Bench, chip: Ssd1306) -> None:
    heard: list[Health] = []
    display = Display(settings(), patience=0.001)
    worker = Worker(display, HealthBoard(heard.append), pauses=(0.0,), steady=0.05)
    chip.fails_every = 31
    worker.start()

    for n in range(30):
        display.show(picture(n))  # never waits, never raises
        until(lambda n=n: chip.writes > 15 * n)  # type: ignore[misc]
    assert {Condition.OFFLINE, Condition.DEGRADED} <= {health.condition for health in heard}
    chip.fails_every = 0
    until(lambda: heard[-1].condition is Condition.WORKING)
    until(lambda: shows(chip, picture(29)))

    assert worker.stop(5)


def test_after_a_fault_the_current_picture_is_drawn_as_a_whole(bench: Bench, chip: Ssd1306) -> None:
    display = opened(bench)
    display.show(picture(1))
    display.step()
    display.show(picture(2))
    chip.unplugged = True
    with pytest.raises(DeviceFault):
        display.step()
    display.close()
    chip.unplugged = False
    chip.power_on()
    display.show(picture(3))
    display.open()
    display.step()

    assert shows(chip, picture(3))


def test_a_display_that_comes_later(bench: Bench, chip: Ssd1306) -> None:
    chip.unplugged = True
    board = HealthBoard()
    display = Display(settings(), patience=0.001)
    worker = Worker(display, board, pauses=(0.0, 0.01))
    display.show(picture())
    worker.start()
    until(lambda: board.all()["display"].condition is Condition.OFFLINE)
    reason = board.all()["display"].reason
    assert reason is not None
    assert reason.plain() == "no answer at I2C address 0x3C"

    chip.unplugged = False
    until(lambda: shows(chip, picture()))
    assert worker.stop(5)


def test_a_display_tried_again_and_again_leaves_nothing_behind(bench: Bench, chip: Ssd1306) -> None:
    from companion.devices import panels

    def full() -> set[int]:
        gc.collect()
        return {id(o) for o in gc.get_objects() if isinstance(o, panels.Ssd1306)}

    before = full()
    chip.unplugged = True
    display = Display(settings(), clock=bench.time.seconds, patience=0)
    for _ in range(3):
        with pytest.raises(DeviceFault):
            display.open()
        display.close()
    chip.unplugged = False
    display.open()
    display.close()

    assert full() <= before


@pytest.mark.parametrize(
    ("given", "denied", "message"),
    [
        (settings(), "", "I2C is off: sudo raspi-config nonint do_i2c 0"),
        (
            settings(port=2),
            "/dev/i2c-2",
            r"no right to use /dev/i2c-2: sudo usermod -aG i2c \$USER",
        ),
        (
            settings(bus="spi", port=0, data_command=24),
            "",
            "SPI is off: sudo raspi-config nonint do_spi 0",
        ),
        (
            settings(bus="spi", port=1, data_command=24),
            "/dev/spidev1.0",
            r"no right to use /dev/spidev1.0: sudo usermod -aG spi \$USER",
        ),
        (settings(bus="spi", port=1), "", "needs data_command"),
    ],
)
def test_what_is_wrong_is_said_with_what_mends_it(
    bench: Bench, given: DisplaySettings, denied: str, message: str
) -> None:
    bench.i2c[2, 0x3C] = Ssd1306()
    bench.spi[1, 0] = Ssd1306()
    bench.denied = {denied}
    display = Display(given, clock=bench.time.seconds, patience=0)

    with pytest.raises(DeviceFault, match=message):
        display.open()
    display.close()


def test_a_pin_that_somebody_else_has_is_named(bench: Bench) -> None:
    from gpiozero import LED

    bench.spi[0, 0] = Ssd1306()
    with LED(24):
        display = Display(settings(bus="spi", port=0, data_command=24))
        with pytest.raises(DeviceFault, match="GPIO24 is in use"):
            display.open()
    display.open()
    display.close()
