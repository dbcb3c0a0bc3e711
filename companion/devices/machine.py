"""What the machine is: model, device nodes and who may use them, boot settings, USB, packages.

Everything is read below a root folder, so that tests can give a machine as a tree of files.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import struct
import sys
from collections.abc import Collection, Iterator
from enum import StrEnum
from pathlib import Path

import msgspec

BOOT_FOLDERS = ("boot/firmware", "boot")
"""Where config.txt lies: since Debian 12, and before."""
GROUPS = {"spidev": "spi", "i2c": "i2c", "gpiochip": "gpio", "ttyACM": "dialout", "tty": "dialout"}
"""The group that Raspberry Pi OS gives each kind of device node."""
READ_WRITE = 0o6
SYSTEM_PACKAGES = ("lgpio", "spidev")
"""Python packages that Raspberry Pi OS has too, as python3-lgpio and so on."""
NO_WHEEL_OF_LGPIO = (3, 13)
"""From this Python on lgpio comes from the system only."""


class Access(StrEnum):
    """Whether this user can use a device node."""

    OK = "ok"
    MISSING = "missing"
    """There is no such node."""
    DENIED = "denied"
    LOG_IN_AGAIN = "log in again"
    """The user was put into the group, and this login is older than that."""


class User(msgspec.Struct, frozen=True):
    """Who the program runs as: name, number, and the numbers of the groups."""

    name: str
    uid: int
    gids: frozenset[int]


class UsbPort(msgspec.Struct, frozen=True):
    """A serial port at USB: its node, and vendor, product and serial number as USB tells them."""

    node: Path
    vendor: str
    product: str
    serial: str


class Holder(msgspec.Struct, frozen=True):
    """A process that has a device open."""

    pid: int
    name: str


def this_user() -> User:
    """Who runs this program."""
    uid = os.getuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = str(uid)
    return User(name, uid, frozenset([os.getgid(), *os.getgroups()]))


class Machine:
    """The machine below a root folder. Nothing here raises: what cannot be read is not there."""

    def __init__(
        self,
        root: Path = Path("/"),
        user: User | None = None,
        *,
        python: tuple[int, int] = sys.version_info[:2],
        bits: int = struct.calcsize("P") * 8,
        environment: Path | None = Path(sys.prefix) if sys.prefix != sys.base_prefix else None,
        packages: Collection[str] | None = None,
    ) -> None:
        self.root = root
        self.user = user or this_user()
        self.python = python
        self.bits = bits
        self.environment = environment
        """The virtual environment that runs this, if one does."""
        self._packages = packages

    def path(self, absolute: str | Path) -> Path:
        """A path of the machine, below its root."""
        return self.root / str(absolute).lstrip("/")

    # -- what it is ----------------------------------------------------------------------------

    @property
    def model(self) -> str:
        """The model as a Raspberry Pi tells it, "" for other machines."""
        name = self._text("proc/device-tree/model").strip("\0\n ")
        return name if name.startswith("Raspberry Pi") else ""

    @property
    def is_pi_5(self) -> bool:
        """Whether its pins are those of the Pi 5, which some libraries cannot drive."""
        return re.search(r"Pi (Compute Module )?5", self.model) is not None

    def packages(self) -> frozenset[str]:
        """The Python packages that are installed, in small letters."""
        if self._packages is None:
            from importlib.metadata import distributions

            names = (found.metadata["Name"] for found in distributions())
            self._packages = {name.lower().replace("_", "-") for name in names if name}
        return frozenset(self._packages)

    def install(self, package: str) -> str:
        """The command that brings a package to the Python that runs this."""
        wheel = package != "lgpio" or self.python < NO_WHEEL_OF_LGPIO
        of_system = f"sudo apt install python3-{package}"
        if package in SYSTEM_PACKAGES and self._sees_system:
            return of_system
        if package not in SYSTEM_PACKAGES or wheel:
            return f"{self.pip} install {package}"
        return f"{of_system} && python3 -m venv --upgrade --system-site-packages {self.environment}"

    @property
    def _sees_system(self) -> bool:
        """Whether the Python that runs this finds the packages of the system's."""
        if self.environment is None:
            return True
        settings = self._text(self.path(self.environment / "pyvenv.cfg"))
        return "include-system-site-packages = true" in settings

    @property
    def pip(self) -> str:
        """The pip of the Python that runs this."""
        return f"{self.environment}/bin/pip" if self.environment else "pip"

    # -- device nodes --------------------------------------------------------------------------

    def nodes(self, pattern: str) -> list[str]:
        """The device nodes that fit, such as `/dev/gpiochip*`."""
        found = self.root.glob(pattern.lstrip("/"))
        return sorted("/" + str(node.relative_to(self.root)) for node in found)

    def access(self, node: str) -> Access:
        """Whether the user may read and write a node."""
        try:
            status = self.path(node).stat()
        except OSError:
            return Access.MISSING
        if self.user.uid == 0:
            return Access.OK
        if status.st_uid == self.user.uid:
            granted = status.st_mode >> 6
        elif status.st_gid in self.user.gids:
            granted = status.st_mode >> 3
        else:
            granted = status.st_mode
        if granted & READ_WRITE == READ_WRITE:
            return Access.OK
        listed = self.user.name in self._members(self.group(node))
        return Access.LOG_IN_AGAIN if listed else Access.DENIED

    def group(self, node: str) -> str:
        """The group whose members may use a node: its own, or the usual one where root has it."""
        name = self.path(node).resolve().name
        usual = next((group for kind, group in GROUPS.items() if name.startswith(kind)), "root")
        try:
            gid = self.path(node).stat().st_gid
        except OSError:
            return usual
        names = [name for name, number, _ in self._groups() if number == gid]
        return names[0] if names and gid != 0 else usual

    def holders(self, node: str) -> list[Holder]:
        """Other processes that have a node open, as far as this user may see them."""
        wanted = str(self.path(node).resolve())
        found = []
        for process in self._processes():
            try:
                opened = {str(link.readlink()) for link in (process / "fd").iterdir()}
            except OSError:
                continue
            if wanted in opened and int(process.name) != os.getpid():
                found.append(Holder(int(process.name), self._name(process)))
        return found

    def running(self, name: str) -> bool:
        """Whether a program of this name runs."""
        return any(self._name(process) == name for process in self._processes())

    # -- boot settings -------------------------------------------------------------------------

    @property
    def config_txt(self) -> Path:
        """The file of boot settings."""
        places = [self.root / folder / "config.txt" for folder in BOOT_FOLDERS]
        return next((place for place in places if place.is_file()), places[0])

    def boot_settings(self) -> list[str]:
        """The lines of config.txt that hold for this model, without comments."""
        lines, holds = [], True
        for line in self._text(self.config_txt).splitlines():
            line = line.partition("#")[0].strip()
            if line.startswith("["):
                holds = self._is_meant(line.strip("[] "))
            elif line and holds:
                lines.append(line)
        return lines

    def console(self) -> str:
        """The serial port on which the kernel speaks, "" for none."""
        found = re.search(r"console=((?:serial|ttyAMA|ttyS)\d+)", self._text("proc/cmdline"))
        return found[1] if found else ""

    def i2c_clock(self, bus: int) -> int:
        """Bits a second of an I2C bus, 0 if they are not known."""
        node = self.path(f"/sys/class/i2c-adapter/i2c-{bus}/of_node/clock-frequency")
        try:
            return int.from_bytes(node.read_bytes(), "big")
        except OSError:
            return 0

    def _is_meant(self, section: str) -> bool:
        """Whether a section of config.txt such as [pi4] is for this model."""
        models = {"all": "", "pi02": "Zero 2", "cm4": "Compute Module 4", "cm5": "Compute Module 5"}
        wanted = models.get(section, f"Raspberry Pi {section.removeprefix('pi')} ")
        return wanted in self.model

    # -- USB and disk --------------------------------------------------------------------------

    def usb_ports(self) -> list[UsbPort]:
        """The serial ports at USB."""
        found = []
        for tty in sorted(self.root.glob("sys/class/tty/tty*")):
            usb = (tty / "device").resolve().parent
            if (usb / "idVendor").is_file():
                facts = (self._text(usb / name) for name in ("idVendor", "idProduct", "serial"))
                found.append(UsbPort(Path("/dev", tty.name), *(fact.strip() for fact in facts)))
        return found

    def free(self, folder: Path) -> int:
        """Free bytes on the disk of a folder that exists."""
        return shutil.disk_usage(folder).free

    # -- files ---------------------------------------------------------------------------------

    def _text(self, path: str | Path) -> str:
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    def _groups(self) -> Iterator[tuple[str, int, list[str]]]:
        for line in self._text("etc/group").splitlines():
            parts = line.split(":")
            if len(parts) == 4 and parts[2].isdigit():
                yield parts[0], int(parts[2]), parts[3].split(",")

    def _members(self, group: str) -> list[str]:
        return next((members for name, _, members in self._groups() if name == group), [])

    def _processes(self) -> list[Path]:
        return [path for path in (self.root / "proc").glob("[0-9]*") if path.name.isdigit()]

    def _name(self, process: Path) -> str:
        return self._text(process / "comm").strip()
