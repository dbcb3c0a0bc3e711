"""Faults that several devices can have, each with the one command that mends it."""

from __future__ import annotations

from companion.devices.health import DeviceFault
from companion.devices.machine import Machine
from companion.rules.phrases import N_

_OFF = {"spi": N_("SPI is off: {command}"), "i2c": N_("I2C is off: {command}")}


def switched_off(bus: str) -> DeviceFault:
    """A bus, "spi" or "i2c", that the system does not drive."""
    return DeviceFault(_OFF[bus], command=switch_on(bus))


def switch_on(bus: str) -> str:
    """The command that lets the system drive a bus."""
    return f"sudo raspi-config nonint do_{bus} 0"


def no_right(node: str, group: str) -> DeviceFault:
    """A device node that is for the members of a group."""
    text = N_("no right to use {node}: {command}")
    return DeviceFault(text, node=node, command=join_group(group))


def join_group(group: str, user: str = "$USER") -> str:
    """The command that makes somebody a member of a group; it holds from the next login on."""
    return f"sudo usermod -aG {group} {user}"


def missing(package: str) -> DeviceFault:
    """A Python package that is not there."""
    text = N_("{package} is missing: {command}")
    return DeviceFault(text, package=package, command=Machine().install(package))
