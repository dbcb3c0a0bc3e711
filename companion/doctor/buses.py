"""The Pi's buses and pins: switched on, usable by this user, and not taken by the system.

Settings of config.txt and their default pins are those of the Pi's README of overlays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.configuration import Use, pi_pins
from companion.devices.faults import switch_on
from companion.devices.health import label
from companion.devices.machine import Access, Machine
from companion.devices.settings import DeviceSettings
from companion.doctor.findings import (
    Case,
    Finding,
    advice,
    fault,
    holder_findings,
    node_findings,
)
from companion.doctor.system import uses_pins
from companion.rules.phrases import N_, Phrase

FAST_I2C = 400_000
"""Bits a second that both display chips can take (SSD1306 data sheet, table 13-6)."""

SPI0_SELECTS = {"spi0-0cs": (), "spi0-1cs": (8,)}
"""The chip selects that SPI0 takes under an overlay; without one it takes both."""

OVERLAYS: dict[str, tuple[tuple[str, int], ...]] = {
    "w1-gpio": (("gpiopin", 4),),
    "dht11": (("gpiopin", 4),),
    "gpio-shutdown": (("gpio_pin", 3),),
    "gpio-fan": (("gpiopin", 12),),
    "gpio-ir": (("gpio_pin", 18),),
    "gpio-ir-tx": (("gpio_pin", 18),),
    "pps-gpio": (("gpiopin", 18),),
    "pwm": (("pin", 18),),
    "pwm-2chan": (("pin", 18), ("pin2", 19)),
}
"""Overlays that take pins: the parameter that names each, and what holds without it."""
I2S_PINS = (18, 19, 20, 21)
I2S_OVERLAYS = ("hifiberry-", "i2s-", "iqaudio-", "max98357a", "googlevoicehat", "audioinjector-")
UART_PINS = (14, 15)


def spi(case: Case) -> Iterator[Finding]:
    """The device node of each reader and display on SPI."""
    for bus, device, who in _on_spi(case.configuration.devices):
        node = f"/dev/spidev{bus}.{device}"
        if case.machine.access(node) is Access.MISSING:
            text = N_("{node} is missing for {device}: SPI is off")
            yield fault(text, _spi_on(case.machine, bus, device), node=node, device=who)
        else:
            yield from node_findings(case.machine, node)
            yield from holder_findings(case.machine, node)


def i2c(case: Case) -> Iterator[Finding]:
    """The device node of a display on I2C, and the bus's speed."""
    display, machine = case.configuration.devices.display, case.machine
    if display is None or display.bus != "i2c":
        return
    node = f"/dev/i2c-{display.port}"
    if machine.access(node) is Access.MISSING:
        text = N_("{node} is missing for {device}: I2C is off")
        yield fault(text, _i2c_on(machine, display.port), node=node, device=label("display"))
        return
    yield from node_findings(machine, node)
    clock = machine.i2c_clock(display.port)
    if 0 < clock < FAST_I2C:
        text = N_("{node} runs at {clock} kHz: a picture takes {slow} ms instead of 23")
        mend = _add_line(machine, f"dtparam=i2c_arm_baudrate={FAST_I2C}")
        slow = 23 * FAST_I2C // clock
        yield advice(text, mend, node=node, clock=clock // 1000, slow=slow)


def pin_nodes(case: Case) -> Iterator[Finding]:
    """The device nodes of the pins: one that can be used is enough."""
    if not uses_pins(case.configuration.devices):
        return
    nodes = case.machine.nodes("/dev/gpiochip*")
    usable = [node for node in nodes if case.machine.access(node) is Access.OK]
    if not nodes:
        yield fault(N_("{node} is missing: the pins cannot be used"), node="/dev/gpiochip0")
    for node in usable[:1] or nodes[:1]:
        yield from node_findings(case.machine, node)


def taken_pins(case: Case) -> Iterator[Finding]:
    """Pins that the system has for itself by its boot settings."""
    machine, uses = case.machine, pi_pins(case.configuration.devices)
    settings = machine.boot_settings()
    overlays = _overlay_pins(settings)
    buses = _bus_pins(settings)
    for use in uses:
        if use.pin in overlays:
            setting = overlays[use.pin]
            yield _taken(use, setting, _remove_line(machine, setting))
        elif use.pin in buses and not use.bus:
            setting = buses[use.pin]
            yield _taken(use, setting, _free(machine, use.pin, uses))


def console(case: Case) -> Iterator[Finding]:
    """The kernel's console writes to the pins of the UART."""
    uses = [use for use in pi_pins(case.configuration.devices) if use.pin in UART_PINS]
    port = case.machine.console()
    if uses and port:
        mend = "sudo raspi-config nonint do_serial_cons 1 && sudo reboot"
        yield _taken(uses[0], f"console={port}", mend)


# -- what is on and what it takes ------------------------------------------------------------------


def _on_spi(devices: DeviceSettings) -> Iterator[tuple[int, int, Phrase]]:
    for reader in devices.readers:
        yield reader.bus, reader.device, label(f"reader/{reader.name}")
    if devices.display is not None and devices.display.bus == "spi":
        yield devices.display.port, devices.display.device, label("display")


def _words(settings: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each dtparam or dtoverlay with its comma-separated words."""
    for line in settings:
        kind, _, value = line.replace(" ", "").partition("=")
        if kind in ("dtparam", "dtoverlay"):
            yield line, value.split(",")


def _overlay_pins(settings: Sequence[str]) -> dict[int, str]:
    """Pins that something other than the buses takes, each with the line that says so."""
    taken: dict[int, str] = {}
    for line, (name, *rest) in _words(settings):
        given = dict(word.split("=", 1) for word in rest if "=" in word)
        pins = [given.get(parameter, str(pin)) for parameter, pin in OVERLAYS.get(name, ())]
        taken |= {int(pin): line for pin in pins if pin.isdigit()}
        if name == "i2s=on" or "i2s=on" in rest or name.startswith(I2S_OVERLAYS):
            taken |= dict.fromkeys(I2S_PINS, line)
    return taken


def _bus_pins(settings: Sequence[str]) -> dict[int, str]:
    """Pins that the buses take, each with the line that switches its bus on."""
    taken: dict[int, str] = {}
    selects: Sequence[int] = (8, 7)
    for line, words in _words(settings):
        selects = SPI0_SELECTS.get(words[0], selects)
        if "spi=on" in words:
            taken |= dict.fromkeys((7, 8, 9, 10, 11), line)
        if "i2c_arm=on" in words:
            taken |= dict.fromkeys((2, 3), line)
    return {pin: line for pin, line in taken.items() if pin not in (7, 8) or pin in selects}


def _taken(use: Use, setting: str, mend: str) -> Finding:
    text = N_("GPIO{pin} used by {what} and by the system ({setting})")
    return fault(text, mend, pin=use.pin, what=use.what, setting=setting)


# -- commands --------------------------------------------------------------------------------------


def _spi_on(machine: Machine, bus: int, device: int) -> str:
    if bus != 0:
        return _add_line(machine, f"dtoverlay=spi{bus}-{device + 1}cs")
    if any("spi=on" in words for _, words in _words(machine.boot_settings())):
        return "sudo reboot"
    return switch_on("spi")


def _i2c_on(machine: Machine, port: int) -> str:
    if port == 1:
        return switch_on("i2c")
    return _add_line(machine, "dtparam=i2c_vc=on" if port == 0 else f"dtoverlay=i2c{port}")


def _free(machine: Machine, pin: int, uses: Sequence[Use]) -> str:
    """What makes the system let go of a bus's pin; "" where the wire has to go elsewhere."""
    if pin in (2, 3):
        return "sudo raspi-config nonint do_i2c 1"
    if not any(use.bus and use.pin == 11 for use in uses):
        return "sudo raspi-config nonint do_spi 1"
    return _add_line(machine, "dtoverlay=spi0-1cs") if pin == 7 else ""


def _add_line(machine: Machine, line: str) -> str:
    return f"echo {line} | sudo tee -a {_config(machine)} && sudo reboot"


def _remove_line(machine: Machine, line: str) -> str:
    return f"sudo sed -i '/^{line.replace('/', '.')}/d' {_config(machine)} && sudo reboot"


def _config(machine: Machine) -> str:
    return "/" + str(machine.config_txt.relative_to(machine.root))
