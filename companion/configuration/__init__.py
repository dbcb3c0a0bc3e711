"""The configuration file: what is wired where, read and checked before any device is opened."""

from companion.configuration.pins import HEADER, Use, hub_pins, pi_pins
from companion.configuration.reading import (
    DEFAULT_FILE,
    BadConfiguration,
    Configuration,
    parse_configuration,
    read_configuration,
    rescued,
    sample,
)

__all__ = [
    "DEFAULT_FILE",
    "HEADER",
    "BadConfiguration",
    "Configuration",
    "Use",
    "hub_pins",
    "parse_configuration",
    "pi_pins",
    "read_configuration",
    "rescued",
    "sample",
]
