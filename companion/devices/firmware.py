"""The files that a hub runs, in a source tree or in an installed package."""

from __future__ import annotations

from pathlib import Path

from companion.devices.health import DeviceFault
from companion.rules.phrases import N_

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the package `companion`."""


def firmware_folder() -> Path:
    """Where main.py and its kin lie. Raises DeviceFault if they were not installed."""
    for folder in (PACKAGE.parent / "firmware", PACKAGE / "firmware"):
        if (folder / "main.py").is_file():
            return folder
    raise DeviceFault(
        N_("the hub's firmware is missing: {file}"), file=str(PACKAGE / "firmware" / "main.py")
    )


def firmware_files() -> dict[str, bytes]:
    """Each file of a hub by its path there; only what it needs of the package `companion`."""
    files = {path.name: path.read_bytes() for path in sorted(firmware_folder().glob("*.py"))}
    files["companion/__init__.py"] = b""
    for path in sorted((PACKAGE / "portable").glob("*.py")):
        files[f"companion/portable/{path.name}"] = path.read_bytes()
    return files
