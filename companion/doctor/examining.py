"""All that can be said without touching a device, in the order in which to mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.doctor import buses, system, table, usb
from companion.doctor.findings import Case, Finding

Check = Callable[[Case], Iterator[Finding]]

MACHINE: tuple[Check, ...] = (system.python,)
PORTS: tuple[Check, ...] = (system.configuration, system.model, usb.hub, usb.modem_manager)
PINS: tuple[Check, ...] = (
    system.spi_library,
    system.pin_library,
    system.pins_by_rpi_gpio,
    buses.spi,
    buses.i2c,
    buses.pin_nodes,
    buses.taken_pins,
    buses.console,
)
"""What only a Raspberry Pi has."""
TABLE: tuple[Check, ...] = (table.journal, table.fonts)


def examine(case: Case) -> Iterator[Finding]:
    """The machine, and what a table needs besides devices."""
    yield from _of(MACHINE + TABLE, case)


def examine_ports(case: Case) -> Iterator[Finding]:
    """What devices are wired to; where it is simulated, there is nothing of it."""
    yield from _of(PORTS, case)
    if case.machine.model:
        yield from _of(PINS, case)


def _of(checks: tuple[Check, ...], case: Case) -> Iterator[Finding]:
    for check in checks:
        yield from check(case)
