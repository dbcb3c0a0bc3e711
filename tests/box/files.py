"""The service's files, as the package installs them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVICE = "tabletop-companion.service"
UNIT = ROOT / "systemd" / SERVICE
SYSUSERS = ROOT / "systemd" / "tabletop-companion.sysusers"
RULES = ROOT / "systemd" / "tabletop-companion.rules"
DEBIAN = ROOT / "systemd" / "debian"

LATER = ("RestartSteps", "RestartMaxDelaySec")
"""Settings that systemd knows from 254 on, and those before only mention."""


def not_understood(said: str) -> list[str]:
    """The lines that systemd says of the unit, but for what newer ones understand."""
    return [
        line
        for line in said.splitlines()
        if not any(
            f"Unknown key '{key}'" in line or f"Unknown key name '{key}'" in line for key in LATER
        )
    ]
