"""Mock pins of gpiozero as the Pi's pins, and fingers to push buttons with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.devices.inputs import Button
from companion.devices.settings import ButtonSettings

if TYPE_CHECKING:
    from gpiozero.pins.mock import MockFactory


def use_mock_pins(driven: Callable[[int, bool], None] = lambda _pin, _high: None) -> MockFactory:
    """From now on all of gpiozero's devices are at mock pins, which can do PWM; gives them.

    `driven` is told each pin's number and level when either may have changed. What nobody drives
    is pulled up by whatever hangs there.
    """
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    class Wired(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
        def close(self) -> None:
            self.function = "input"  # real pins are not pulled low first
            super().close()

        def _set_function(self, value: str) -> None:
            super()._set_function(value)
            self._tell()

        def _change_state(self, value: float) -> bool:
            changed: bool = super()._change_state(value)
            del self.states[:-1]  # which would grow as long as a light blinks
            self._tell()
            return changed

        def _tell(self) -> None:
            driven(self._number, self.function != "output" or bool(self.state))

    Device.pin_factory = MockFactory(pin_class=Wired)
    return Device.pin_factory


def drop_mock_pins() -> None:
    """Undo `use_mock_pins`: the next device chooses its pins anew."""
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory

    if isinstance(Device.pin_factory, MockFactory):
        Device.pin_factory.reset()
    Device.pin_factory = None


class Fingers:
    """Whoever pushes the buttons that are wired as the settings say."""

    def __init__(self, pins: MockFactory, settings: ButtonSettings) -> None:
        self._pins = pins
        self._settings = settings

    def press(self, button: Button) -> None:
        """Close the contact of a button. Raises ValueError if there is no such button."""
        self._drive(button, self._settings.pull == "down")

    def release(self, button: Button) -> None:
        """Open the contact of a button. Raises ValueError if there is no such button."""
        self._drive(button, self._settings.pull == "up")

    def _drive(self, button: Button, high: bool) -> None:
        number: int | None = getattr(self._settings, button)
        if number is None:
            raise ValueError(f"the button {button} is not wired")
        pin = self._pins.pin(number)
        if high:
            pin.drive_high()
        else:
            pin.drive_low()
