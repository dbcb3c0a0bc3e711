"""A hub without hardware: the real firmware under MicroPython, at a pseudo-terminal."""

from companion.devices.simulated.hub.launcher import SimulatedHub, find_micropython

__all__ = ["SimulatedHub", "find_micropython"]
