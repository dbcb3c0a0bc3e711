"""The hub at USB: whether it is plugged in, and whether anybody else wants its port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.devices.hub.ports import PICO
from companion.devices.machine import Access, Machine, UsbPort
from companion.devices.settings import HubSettings
from companion.doctor.findings import (
    Case,
    Finding,
    advice,
    fault,
    holder_findings,
    node_findings,
    ok,
)
from companion.portable.messages import FIRMWARE
from companion.rules.phrases import N_

UDEV_RULES = "/usr/lib/udev/rules.d/60-tabletop-companion.rules"
"""What the Debian package tells the system about the hub."""


def hub(case: Case) -> Iterator[Finding]:
    """The port of the hub: by its serial number, else by its path, else the only one there is."""
    settings, machine = case.configuration.devices.hub, case.machine
    if settings is None:
        return
    if settings.port and not settings.serial:
        yield from _port(machine, settings.port)
        return
    ports = [port for port in machine.usb_ports() if settings.serial or _is_pico(port)]
    wanted = [port for port in ports if settings.serial.lower() in ("", port.serial.lower())]
    if len(wanted) != 1:
        yield _not_found(settings, ports)
        return
    yield ok(N_("hub {serial} at {node}"), serial=wanted[0].serial, node=wanted[0].node)
    yield from _port(machine, str(wanted[0].node))


def modem_manager(case: Case) -> Iterator[Finding]:
    """It opens every new serial port and talks to it as to a modem, unless our rules forbid it."""
    if case.machine.path(UDEV_RULES).is_file():
        return
    if case.configuration.devices.hub is not None and case.machine.running("ModemManager"):
        text = N_("ModemManager takes the hub's port whenever it is plugged in")
        yield fault(text, "sudo systemctl disable --now ModemManager")


def firmware(about: Mapping[str, str]) -> Iterator[Finding]:
    """Whether a hub that introduced itself runs the firmware that this program brings."""
    if not about:
        return
    its, ours = about["firmware"], FIRMWARE
    if its == ours:
        yield ok(N_("hub: firmware {its}"), its=its)
    else:
        text = N_("hub: firmware {its}, this program brings {ours}")
        yield advice(text, "companion hub flash", its=its, ours=ours)


def _is_pico(port: UsbPort) -> bool:
    return (int(port.vendor or "0", 16), int(port.product or "0", 16)) == PICO


def _port(machine: Machine, node: str) -> Iterator[Finding]:
    if machine.access(node) is Access.MISSING:
        yield fault(N_("{node} is missing: plug the hub in"), node=node)
    else:
        yield from node_findings(machine, node)
        yield from holder_findings(machine, node)


def _not_found(settings: HubSettings, ports: Sequence[UsbPort]) -> Finding:
    there = [port.serial for port in ports if port.serial]
    if settings.serial:
        text = N_("no hub with the serial number {serial}. Plugged in: {there}")
        return fault(text, serial=settings.serial, there=there or "-")
    if there:
        return fault(N_("several hubs; set serial in [hub] to one of {there}"), there=there)
    return fault(N_("no hub is plugged in"))
