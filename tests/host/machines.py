"""A Raspberry Pi as a tree of files, for the doctor."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from companion.configuration import parse_configuration
from companion.devices.machine import Machine, User
from companion.doctor.findings import Case

PI_4 = "Raspberry Pi 4 Model B Rev 1.5"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
CONFIG_TXT = "boot/firmware/config.txt"
SOMEBODY = 4321
"""The number of a user and of a group that nobody has."""


class Tree:
    """Builds a machine, by default a healthy Pi 4 for the sample configuration and a hub."""

    def __init__(self, root: Path, model: str = PI_4) -> None:
        self.root = root
        self.options: dict[str, Any] = {"packages": {"lgpio", "spidev"}, "bits": 64}
        self.user = User("ana", SOMEBODY, frozenset([os.getgid()]))
        self.write("proc/device-tree/model", model + "\0")
        self.write(CONFIG_TXT, "# boot\n[all]\ndtparam=spi=on\ndtparam=i2c_arm=on\n")
        self.write("proc/cmdline", "root=/dev/mmcblk0p2 quiet")
        self.write("etc/group", f"root:x:0:\nplugged:x:{os.getgid()}:\n")
        for node in ("spidev0.0", "spidev0.1", "i2c-1", "gpiochip0"):
            self.node(node)
        clock = self.file("sys/class/i2c-adapter/i2c-1/of_node/clock-frequency")
        clock.write_bytes((400_000).to_bytes(4, "big"))
        (root / "games").mkdir()

    def file(self, name: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def write(self, name: str, text: str) -> None:
        self.file(name).write_text(text)

    def node(self, name: str, mode: int = 0o660) -> None:
        """A device node that belongs to somebody else, and to this process's group."""
        self.write(f"dev/{name}", "")
        (self.root / "dev" / name).chmod(mode)

    def unplug(self, name: str) -> None:
        (self.root / "dev" / name).unlink()

    def usb(self, name: str, serial: str, vendor: str = "2e8a") -> None:
        """A serial port at USB, as the kernel shows it."""
        device = f"sys/devices/usb1/{name}"
        for fact, text in (("idVendor", vendor), ("idProduct", "0005"), ("serial", serial)):
            self.write(f"{device}/{fact}", text + "\n")
        (self.root / device / "interface").mkdir()
        self.file(f"sys/class/tty/{name}/device").symlink_to(self.root / device / "interface")
        self.node(name)

    def process(self, pid: int, name: str, *nodes: str) -> None:
        """A program that runs and has some nodes open."""
        self.write(f"proc/{pid}/comm", name + "\n")
        (self.root / f"proc/{pid}/fd").mkdir()
        for number, node in enumerate(nodes):
            (self.root / f"proc/{pid}/fd/{number}").symlink_to(self.root / "dev" / node)

    def machine(self) -> Machine:
        return Machine(self.root, self.user, **self.options)

    def case(self, text: str) -> Case:
        """The machine with a configuration of this text."""
        configuration = parse_configuration(text, Path("companion.toml"))
        return Case(self.machine(), configuration, self.root / "games" / "journal.db")
