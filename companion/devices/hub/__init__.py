"""The reader hub at a USB port: found, spoken with, and again when it comes back."""

from companion.devices.hub.device import Hub
from companion.devices.hub.ports import HubFault, Port, find_port

__all__ = ["Hub", "HubFault", "Port", "find_port"]
