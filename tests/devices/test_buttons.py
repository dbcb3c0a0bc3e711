"""The Pi's buttons and pins, on the mock pins of gpiozero."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import Any

import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.devices import pins
from companion.devices.buttons import Buttons
from companion.devices.health import Condition, DeviceFault, HealthBoard, told
from companion.devices.inputs import Button, Input, Push, Pushed, Stuck
from companion.devices.machine import Machine
from companion.devices.settings import ButtonSettings, PushSettings
from companion.devices.simulated.bench import DrivenTime
from companion.devices.simulated.pins import Fingers, drop_mock_pins, use_mock_pins
from companion.devices.worker import Worker

SETTINGS = ButtonSettings(up=5, down=6, ok=13, back=19)
OK, UP = Button.OK, Button.UP


@pytest.fixture
def mock() -> Iterator[MockFactory]:
    yield use_mock_pins()
    drop_mock_pins()


@pytest.fixture
def no_factory() -> Iterator[None]:
    """As at the start of a program."""
    drop_mock_pins()
    yield
    drop_mock_pins()


class Table:
    """Buttons, the fingers on them, and a clock; steps every millisecond."""

    def __init__(self, mock: MockFactory, settings: ButtonSettings = SETTINGS) -> None:
        self.time = DrivenTime()
        self.time.sleep(1000)
        self.inputs: list[Input] = []
        self.fingers = Fingers(mock, settings)
        self.buttons = Buttons(
            settings, PushSettings(), self.inputs.append, clock=self.time.seconds, patience=0
        )

    def wait(self, milliseconds: int, step: int = 1) -> None:
        for _ in range(0, milliseconds, step):
            self.time.sleep(step / 1000)
            self.buttons.step()

    def push(self, button: Button, milliseconds: int) -> None:
        self.fingers.press(button)
        self.wait(milliseconds)
        self.fingers.release(button)
        self.wait(50)

    def pushes(self) -> list[tuple[Button, Push]]:
        return [(i.button, i.how) for i in self.inputs if isinstance(i, Pushed)]


@pytest.fixture
def table(mock: MockFactory) -> Iterator[Table]:
    table = Table(mock)
    table.buttons.open()
    yield table
    table.buttons.close()


# -- pushes ----------------------------------------------------------------------------------------


def test_short_long_and_two_together(table: Table) -> None:
    table.push(OK, 200)
    table.push(Button.BACK, 1200)
    table.fingers.press(UP)
    table.wait(30)
    table.push(Button.DOWN, 100)
    table.fingers.release(UP)
    table.wait(50)

    assert [(i.button, i.how, i.other) for i in table.inputs if isinstance(i, Pushed)] == [
        (OK, Push.SHORT, None),
        (Button.BACK, Push.LONG, None),
        (UP, Push.CHORD, Button.DOWN),
    ]
    assert 1000.2 < table.inputs[0].at < 1000.25


@pytest.mark.parametrize("pull", ["up", "down"])
def test_buttons_against_ground_and_against_the_supply(mock: MockFactory, pull: Any) -> None:
    table = Table(mock, ButtonSettings(ok=13, pull=pull))
    table.buttons.open()
    table.wait(100)
    table.push(OK, 100)
    table.buttons.close()

    assert table.pushes() == [(OK, Push.SHORT)]


def test_bounces_and_spikes(table: Table) -> None:
    table.fingers.press(UP)
    table.wait(3)
    table.fingers.release(UP)
    table.wait(100)
    assert not table.inputs

    for _ in range(5):
        table.fingers.press(OK)
        table.wait(1)
        table.fingers.release(OK)
        table.wait(1)
    table.push(OK, 300)
    assert table.pushes() == [(OK, Push.SHORT)]


def test_pushes_are_told_right_even_if_the_thread_comes_late(table: Table) -> None:
    table.fingers.press(OK)
    table.time.sleep(0.3)
    table.fingers.release(OK)
    table.time.sleep(3)
    table.wait(100)

    assert table.pushes() == [(OK, Push.SHORT)]


def test_an_edge_that_got_lost_does_not_matter(table: Table, mock: MockFactory) -> None:
    """Some kernels and libraries drop edges: the level is what counts."""
    mock.pin(13).when_changed = None

    table.push(OK, 200)

    assert table.pushes() == [(OK, Push.SHORT)]


def test_a_button_down_at_the_start(mock: MockFactory) -> None:
    table = Table(mock)
    mock.pin(13)
    table.buttons.open()
    table.buttons.close()

    class Pressed(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
        """Held down from the beginning: its pull cannot lift it."""

        held = True

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self.held:
                self._change_state(False)

    mock.reset()
    mock.pin(13, pin_class=Pressed)
    table.buttons.open()
    table.wait(12_000, step=10)
    assert table.inputs == [Stuck(OK, True, table.inputs[0].at)]
    assert 10.0 <= table.inputs[0].at - 1000 < 10.1

    table.fingers.release(OK)
    table.wait(50)
    table.push(OK, 100)
    table.buttons.close()
    assert [type(i) for i in table.inputs] == [Stuck, Stuck, Pushed]
    assert table.pushes() == [(OK, Push.SHORT)]


def test_in_a_thread_of_its_own(mock: MockFactory) -> None:
    inbox: SimpleQueue[Input] = SimpleQueue()
    board = HealthBoard()
    worker = Worker(Buttons(SETTINGS, PushSettings(), inbox.put), board)
    worker.start()
    fingers = Fingers(mock, SETTINGS)
    while "buttons" not in board.all() or not board.all()["buttons"].usable:
        time.sleep(0.001)
    fingers.press(OK)
    time.sleep(0.05)
    fingers.release(OK)

    pushed = inbox.get(timeout=5)
    assert isinstance(pushed, Pushed)
    assert (pushed.button, pushed.how) == (OK, Push.SHORT)
    assert worker.stop(5)


def test_a_button_that_is_not_wired(mock: MockFactory) -> None:
    with pytest.raises(ValueError, match="the button up is not wired"):
        Fingers(mock, ButtonSettings(ok=13)).press(UP)


# -- pins that cannot be had -----------------------------------------------------------------------


class KernelHasSome(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """As lgpio says it when the kernel or another program holds a pin."""

    held: frozenset[int] = frozenset()

    def pin(self, name: int, pin_class: Any = None, **more: Any) -> Any:
        if name in self.held:
            raise RuntimeError("GPIO busy")
        return super().pin(name, pin_class=pin_class, **more)


def test_one_busy_pin_takes_no_other_button_with_it(no_factory: None) -> None:
    Device.pin_factory = factory = KernelHasSome(pin_class=MockPWMPin)
    factory.held = frozenset([13])
    table = Table(factory)
    table.buttons.open()
    table.wait(50)
    table.push(UP, 100)
    assert table.pushes() == [(UP, Push.SHORT)]
    assert table.buttons.warning is not None
    assert table.buttons.warning.plain() == "button OK: GPIO13 is in use by something else"

    factory.held = frozenset()
    table.wait(int(pins.RETRY * 1000) + 1000, step=100)
    table.push(OK, 100)
    table.buttons.close()
    assert table.pushes() == [(UP, Push.SHORT), (OK, Push.SHORT)]
    assert table.buttons.warning is None


def test_the_warning_goes_along_with_the_health(mock: MockFactory) -> None:
    board = HealthBoard()
    worker = Worker(Buttons(SETTINGS, PushSettings(), SimpleQueue[Input]().put), board)
    with LED(13):
        worker.start()
        while "buttons" not in board.all() or not board.all()["buttons"].usable:
            time.sleep(0.001)
        health = board.all()["buttons"]
        assert worker.stop(5)

    assert health.condition is Condition.WORKING
    assert told(health).plain() == ("buttons: ready: button OK: GPIO13 is in use by something else")


def test_not_one_pin_is_a_fault(no_factory: None) -> None:
    Device.pin_factory = factory = KernelHasSome(pin_class=MockPWMPin)
    factory.held = frozenset(range(28))
    buttons = Buttons(SETTINGS, PushSettings(), list[Input]().append)

    with pytest.raises(DeviceFault) as raised:
        buttons.open()
    assert str(raised.value) == ", ".join(
        f"button {name}: GPIO{pin} is in use by something else"
        for name, pin in [("up", 5), ("down", 6), ("OK", 13), ("back", 19)]
    )
    buttons.close()


# -- which library drives the pins -----------------------------------------------------------------


@pytest.fixture
def a_pi(no_factory: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with pins, and without any library for them."""
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(pins, "CHIPS", tmp_path)
    monkeypatch.delenv(pins.CHOICE, raising=False)
    monkeypatch.setenv(pins.LGPIO_PLACE, str(tmp_path))
    for module in ("lgpio", "RPi", "RPi.GPIO"):
        monkeypatch.setitem(sys.modules, module, None)
    return tmp_path


def test_without_a_library_there_is_one_line_that_says_what_to_do(a_pi: Path) -> None:
    board = HealthBoard()
    worker = Worker(Buttons(SETTINGS, PushSettings(), list[Input]().append), board)
    worker.start()
    while (health := board.all()["buttons"]).condition is Condition.STARTING:
        time.sleep(0.001)
    assert worker.stop(5)

    assert told(health).plain() == (
        f"buttons: offline: lgpio is missing: {Machine().install('lgpio')}"
    )


def test_a_machine_without_pins(a_pi: Path) -> None:
    (a_pi / "gpiochip0").unlink()
    with pytest.raises(DeviceFault, match="this machine has no pins"):
        pins.factory()


def test_gpiozero_s_own_choice_is_honoured(
    no_factory: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(pins.CHOICE, "mock")
    assert isinstance(pins.factory(), MockFactory)
    assert pins.factory() is pins.factory()


def test_a_choice_that_does_not_work_is_said(
    no_factory: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(pins.CHOICE, "nonsense")
    with pytest.raises(DeviceFault, match="no pins by GPIOZERO_PIN_FACTORY=nonsense"):
        pins.factory()


@pytest.mark.parametrize("pi_5", [False, True])
def test_rpi_gpio_is_the_second_choice_but_not_on_a_pi_5(
    a_pi: Path, pi_5: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = ModuleType("gpiozero.pins.rpigpio")
    library.RPiGPIOFactory = MockFactory  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.rpigpio", library)
    monkeypatch.setattr(Machine, "is_pi_5", pi_5)

    if pi_5:
        with pytest.raises(DeviceFault, match="lgpio is missing"):
            pins.factory()
    else:
        assert isinstance(pins.factory(), MockFactory)


def test_lgpio_gets_a_folder_that_it_may_write_into(
    a_pi: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps a pipe in the working folder, which a service has no right to write into."""
    library = ModuleType("gpiozero.pins.lgpio")
    library.LGPIOFactory = MockFactory  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", library)
    monkeypatch.delenv(pins.LGPIO_PLACE)

    pins.factory()

    place = Path(os.environ[pins.LGPIO_PLACE])
    (place / "pipe").touch()
    assert place.stat().st_mode & 0o777 == 0o700
