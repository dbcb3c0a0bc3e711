"""The doctor: holds the configuration against the machine, tries the devices, says what to do.

`examining` looks without touching anything, `trying` opens the devices, `command` prints. A check
is a function that gives findings; a new one has to be put into a list in `examining`.
"""

from companion.doctor.command import run

__all__ = ["run"]
