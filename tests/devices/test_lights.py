"""Lights and sound, on the mock pins of gpiozero and a driven clock."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory

from companion.devices.health import DeviceFault, HealthBoard
from companion.devices.lights import PATTERNS, Colour, Light, Lights, SeatLights, colour_at
from companion.devices.settings import LightSettings, SoundSettings
from companion.devices.simulated.bench import DrivenTime
from companion.devices.simulated.pins import drop_mock_pins, use_mock_pins
from companion.devices.sound import TONES, Signal, Sound, tone_at
from companion.devices.worker import Worker

BLACK = (0.0, 0.0, 0.0)
SEATS = LightSettings(seats={"A": (17, 27, 22), "B": (5, 6, 13)})


@pytest.fixture
def mock() -> Iterator[MockFactory]:
    yield use_mock_pins()
    drop_mock_pins()


@pytest.fixture
def clock() -> DrivenTime:
    return DrivenTime()


def opened(clock: DrivenTime, settings: LightSettings = SEATS) -> Lights:
    lights = Lights(settings, clock=clock.seconds, patience=0)
    lights.open()
    return lights


def seen(mock: MockFactory, numbers: tuple[int, int, int]) -> Colour:
    red, green, blue = (round(mock.pin(n).state, 6) for n in numbers)
    return red, green, blue


def rhythm(light: Light) -> list[tuple[int, bool]]:
    """On and off in the first three seconds, by tens of milliseconds: what anybody can see."""
    levels = [sum(colour_at(light, i / 100)) > 0.5 for i in range(300)]
    return [(len(list(group)), lit) for lit, group in itertools.groupby(levels)]


# -- which colour when -----------------------------------------------------------------------------


def test_all_lights_differ_in_rhythm_alone() -> None:
    rhythms = [rhythm(light) for light in Light]

    assert all(a != b for a, b in itertools.combinations(rhythms, 2))
    assert rhythm(Light.ACCEPTED) == [(60, True), (240, False)]
    assert rhythm(Light.REFUSED) == [(15, True), (15, False), (15, True), (255, False)]


@pytest.mark.parametrize("light", Light)
def test_what_stays_stays_and_what_ends_ends(light: Light) -> None:
    days_later = colour_at(light, 1e6)

    if not PATTERNS[light].repeats or light is Light.OFF:
        assert days_later == BLACK
    else:
        assert sum(days_later) > 0


def test_after_a_blink_comes_what_stays(clock: DrivenTime) -> None:
    seats = SeatLights(clock.seconds)
    seats.show({"A": Light.TURN})
    turn = seats.colours()[0]["A"]
    seats.show({"A": Light.ACCEPTED})
    seats.show({"A": Light.OFF, "B": Light.TURN})

    assert seats.colours()[0] == {"A": (0.0, 1.0, 0.0), "B": turn}
    clock.sleep(1)
    assert seats.colours()[0] == {"A": BLACK, "B": turn}


def test_showing_the_same_again_does_not_begin_anew(clock: DrivenTime) -> None:
    seats = SeatLights(clock.seconds)
    colours = set()
    for _ in range(30):
        seats.show({"A": Light.ASKED})
        colours.add(seats.colours()[0]["A"])
        clock.sleep(0.05)

    assert len(colours) == 2


def test_it_is_known_for_how_long_the_colours_stay(clock: DrivenTime) -> None:
    seats = SeatLights(clock.seconds)
    seats.show({"A": Light.TURN, "B": Light.ASKED})
    for _ in range(10):
        before, lasts = seats.colours()
        clock.sleep(lasts - 0.001)
        assert seats.colours()[0] == before
        clock.sleep(0.002)
        assert seats.colours()[0] != before


# -- the lights at the Pi --------------------------------------------------------------------------


def test_each_seat_has_its_own(mock: MockFactory, clock: DrivenTime) -> None:
    lights = opened(clock)
    lights.show({"A": Light.REFUSED, "B": Light.ACCEPTED, "Z": Light.TURN})
    lights.step()
    assert seen(mock, SEATS.seats["A"]) == (1, 0, 0)
    assert seen(mock, SEATS.seats["B"]) == (0, 1, 0)

    clock.sleep(2)
    lights.step()
    assert seen(mock, SEATS.seats["A"]) == seen(mock, SEATS.seats["B"]) == BLACK
    lights.close()


def test_a_common_anode_is_the_other_way_round(mock: MockFactory, clock: DrivenTime) -> None:
    lights = opened(clock, LightSettings(seats={"A": (17, 27, 22)}, common="anode"))
    lights.step()
    assert seen(mock, (17, 27, 22)) == (1, 1, 1)
    lights.show({"A": Light.REFUSED})
    lights.step()
    assert seen(mock, (17, 27, 22)) == (0, 1, 1)
    lights.close()


def test_one_busy_pin_takes_no_other_seat_with_it(mock: MockFactory, clock: DrivenTime) -> None:
    with LED(27):
        lights = opened(clock)
        lights.show({"B": Light.ACCEPTED})
        lights.step()
        assert seen(mock, SEATS.seats["B"]) == (0, 1, 0)
        assert lights.warning is not None
        said = lights.warning.plain()
        assert said == "light of seat A: GPIO27 is in use by something else"

    clock.sleep(15)
    lights.show({"A": Light.REFUSED})
    lights.step()
    assert seen(mock, SEATS.seats["A"]) == (1, 0, 0)
    assert lights.warning is None
    lights.close()


def test_not_one_light_is_a_fault(mock: MockFactory, clock: DrivenTime) -> None:
    with LED(17), LED(13), pytest.raises(DeviceFault, match=r"seat A: GPIO17.*seat B: GPIO13"):
        opened(clock)


def test_a_light_in_a_thread_of_its_own(mock: MockFactory) -> None:
    board = HealthBoard()
    lights = Lights(SEATS)
    worker = Worker(lights, board)
    worker.start()
    lights.show({"A": Light.TURN})
    limit = time.monotonic() + 5
    while seen(mock, SEATS.seats["A"]) == BLACK:
        assert time.monotonic() < limit
        time.sleep(0.001)
    assert worker.stop(5)


# -- sound -----------------------------------------------------------------------------------------


@pytest.fixture
def sound(mock: MockFactory, clock: DrivenTime) -> Iterator[Sound]:
    sound = Sound(SoundSettings(buzzer=18), clock=clock.seconds, patience=0)
    sound.open()
    yield sound
    sound.close()


def heard(sound: Sound, mock: MockFactory, clock: DrivenTime, milliseconds: int) -> list[int]:
    """The tones of that time, one after the other; 0 is silence."""
    pin, tones = mock.pin(18), []
    for _ in range(milliseconds):
        sound.step()
        tones.append(int(pin.frequency) if pin.state else 0)
        clock.sleep(0.001)
    return [hertz for hertz, _ in itertools.groupby(tones)]


@pytest.mark.parametrize("signal", Signal)
def test_each_signal_is_short_then_silence(
    sound: Sound, mock: MockFactory, clock: DrivenTime, signal: Signal
) -> None:
    sound.play(signal)

    assert heard(sound, mock, clock, 700) == [hertz for _, hertz in TONES[signal]] + [0]


def test_signals_differ_in_rhythm_too() -> None:
    lengths = [[(seconds, hertz > 0) for seconds, hertz in TONES[signal]] for signal in Signal]

    assert all(a != b for a, b in itertools.combinations(lengths, 2))


def test_the_latest_signal_wins(sound: Sound, mock: MockFactory, clock: DrivenTime) -> None:
    sound.play(Signal.ACCEPTED)
    sound.step()
    for _ in range(20):
        sound.play(Signal.UNKNOWN)
    sound.play(Signal.REFUSED)

    assert heard(sound, mock, clock, 2000) == [440, 294, 0]


def test_nothing_is_heard_before_the_first_signal(
    sound: Sound, mock: MockFactory, clock: DrivenTime
) -> None:
    assert heard(sound, mock, clock, 50) == [0]
    assert tone_at(Signal.ACCEPTED, 5.0) == (0, None)


def test_a_busy_buzzer_is_a_fault_that_names_the_pin(mock: MockFactory) -> None:
    with LED(18), pytest.raises(DeviceFault, match="GPIO18 is in use by something else"):
        Sound(SoundSettings(buzzer=18)).open()
