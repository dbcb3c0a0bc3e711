"""What people see and do with one small display, four buttons and a card reader.

`Handset` is a game being played, `SetupHandset` the questions before it. Both are state machines
without threads, clock or devices: pushes and taps go in with the time, pictures come out.
"""

from companion.screens.handset.machine import Handset
from companion.screens.handset.outcomes import (
    Begin,
    Meaning,
    Misread,
    NewGame,
    Outcome,
    Register,
    Result,
    Resume,
    Speak,
    Stop,
    Wish,
)
from companion.screens.handset.setting_up import OpenGame, SetupHandset

__all__ = [
    "Begin",
    "Handset",
    "Meaning",
    "Misread",
    "NewGame",
    "OpenGame",
    "Outcome",
    "Register",
    "Result",
    "Resume",
    "SetupHandset",
    "Speak",
    "Stop",
    "Wish",
]
