"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "short",
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("short"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))

# Programs that tests start begin as they do for people: from compiled files.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
