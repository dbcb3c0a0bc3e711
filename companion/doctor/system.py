"""The machine itself: Python, model, and the libraries that the devices need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.configuration import pi_pins
from companion.devices.machine import Machine
from companion.devices.settings import DeviceSettings
from companion.doctor.findings import Case, Finding, advice, fault, ok
from companion.rules.phrases import N_

OLDEST_PYTHON = (3, 11)


def python(case: Case) -> Iterator[Finding]:
    """Pillow and msgspec have no wheels for 32 bit."""
    version = ".".join(map(str, case.machine.python))
    args: dict[str, Any] = {"version": version, "bits": case.machine.bits}
    if case.machine.python < OLDEST_PYTHON:
        yield fault(N_("Python {version} is too old: 3.11 or newer"), **args)
    elif case.machine.bits != 64:
        yield fault(N_("This system has {bits} bit: write one with 64 bit to the card"), **args)
    else:
        yield ok(N_("Python {version}, {bits} bit"), **args)


def model(case: Case) -> Iterator[Finding]:
    """Which Raspberry Pi it is, and what it means where it is none."""
    machine, devices = case.machine, case.configuration.devices
    if machine.model:
        yield ok("{model}", model=machine.model)
    elif pi_pins(devices):
        text = N_("This is no Raspberry Pi, and the configuration has devices at its pins")
        yield fault(text, "companion play chaos-kart --devices simulated")
    else:
        text = N_("This is no Raspberry Pi. The terminal and a hub at USB work here too")
        yield advice(text)


def configuration(case: Case) -> Iterator[Finding]:
    """Which file holds."""
    file = case.configuration.file
    if file is None:
        text = N_("There is no configuration, so there are no devices")
        yield advice(text, "companion config sample | sudo tee /etc/companion.toml")
    else:
        yield ok(N_("{file}: all right"), file=str(file))


def pin_library(case: Case) -> Iterator[Finding]:
    """The package lgpio drives the pins of every Pi."""
    machine = case.machine
    if not uses_pins(case.configuration.devices):
        return
    installed = machine.packages()
    if "lgpio" in installed:
        yield ok(N_("{package} is there"), package="lgpio")
    elif "rpi.gpio" in installed and not machine.is_pi_5:
        text = N_("{package} is missing, RPi.GPIO takes its place")
        yield advice(text, machine.install("lgpio"), package="lgpio")
    else:
        text = N_("{package} is missing: buttons, lights and sound cannot work without it")
        yield fault(text, machine.install("lgpio"), package="lgpio")


def spi_library(case: Case) -> Iterator[Finding]:
    """What readers and displays on SPI are driven with."""
    devices, machine = case.configuration.devices, case.machine
    display = devices.display
    on_spi = any(reader.port == "spidev" for reader in devices.readers)
    if on_spi or (display is not None and display.bus == "spi"):
        yield _package(machine, "spidev")
    if any(reader.port == "mfrc522" for reader in devices.readers):
        if machine.is_pi_5:
            text = N_('A Pi 5 cannot run the package mfrc522: set port = "spidev" for the readers')
            yield fault(text, 'sudo sed -i \'s/"mfrc522"/"spidev"/\' ' + _file(case))
        else:
            yield _package(machine, "mfrc522")


def pins_by_rpi_gpio(case: Case) -> Iterator[Finding]:
    """Both packages bring a module RPi.GPIO; the one of the same name cannot drive a Pi 5."""
    installed = case.machine.packages()
    if case.machine.is_pi_5 and {"rpi.gpio", "rpi-lgpio"} <= installed:
        pip = case.machine.pip
        text = N_("RPi.GPIO, which cannot run on a Pi 5, lies over rpi-lgpio")
        yield fault(text, f"{pip} uninstall -y RPi.GPIO && {pip} install --force rpi-lgpio")


def uses_pins(devices: DeviceSettings) -> bool:
    """Whether anything is driven by single pins and not by a bus."""
    return any(not use.bus for use in pi_pins(devices))


def _package(machine: Machine, package: str) -> Finding:
    if package in machine.packages():
        return ok(N_("{package} is there"), package=package)
    text = N_("{package} is missing: the readers need it")
    return fault(text, machine.install(package), package=package)


def _file(case: Case) -> str:
    return str(case.configuration.file)
