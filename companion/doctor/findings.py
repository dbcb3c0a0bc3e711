"""What the doctor finds: a line each, and for what is wrong the one command that mends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from companion.configuration import Configuration
from companion.devices.faults import join_group
from companion.devices.machine import Access, Machine
from companion.rules.phrases import N_, Phrase
from companion.words import Words

SERVICE = "tabletop-companion"
"""The name of our unit, as the Debian package installs it."""


class Verdict(StrEnum):
    """How a thing is."""

    OK = "ok"
    ADVICE = "advice"
    """It works, and could be better; or it is not there and need not be."""
    FAULT = "fault"
    SKIPPED = "skipped"


_SHOWN = {
    Verdict.OK: N_("ok"),
    Verdict.ADVICE: N_("advice"),
    Verdict.FAULT: N_("fault"),
    Verdict.SKIPPED: N_("skipped"),
}


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at. `mend` is a command for a shell, "" where none helps."""

    verdict: Verdict
    text: Phrase
    mend: str = ""


class Case(msgspec.Struct, frozen=True):
    """What is examined: a machine, what should be wired to it, and where games are to be kept."""

    machine: Machine
    configuration: Configuration
    journal: Path


def ok(text: str, **args: object) -> Finding:
    """A thing that is as it should be."""
    return Finding(Verdict.OK, Phrase(text, args))


def advice(text: str, mend: str = "", **args: object) -> Finding:
    """A thing that works and could be better."""
    return Finding(Verdict.ADVICE, Phrase(text, args), mend)


def fault(text: str, mend: str = "", **args: object) -> Finding:
    """A thing that does not work."""
    return Finding(Verdict.FAULT, Phrase(text, args), mend)


def skipped(text: str, **args: object) -> Finding:
    """A thing that could not be looked at."""
    return Finding(Verdict.SKIPPED, Phrase(text, args))


def in_lines(finding: Finding, words: Words) -> Iterator[str]:
    """A finding as it is printed: the verdict before it, the command on a line of its own."""
    verdict = words.say(Phrase(_SHOWN[finding.verdict]))
    yield f"{verdict}: {words.say(finding.text)}"
    if finding.mend:
        yield f"    $ {finding.mend}"


def exit_code(findings: Iterable[Finding]) -> int:
    """For scripts: 1 if anything is at fault."""
    return int(any(finding.verdict is Verdict.FAULT for finding in findings))


def node_findings(machine: Machine, node: str) -> Iterator[Finding]:
    """Whether a device node that exists can be used by this user."""
    group, user = machine.group(node), machine.user.name
    access = machine.access(node)
    if access is Access.DENIED:
        text = N_("{node}: {user} is not in the group {group}. Then log in again")
        yield fault(text, join_group(group, user), node=node, user=user, group=group)
    elif access is Access.LOG_IN_AGAIN:
        text = N_("{node}: {user} is in the group {group} from the next login on")
        yield fault(text, "sudo reboot", node=node, user=user, group=group)
    else:
        yield ok(N_("{node}: can be used"), node=node)


def holder_findings(machine: Machine, node: str) -> Iterator[Finding]:
    """Who else has a node open that only one program can use."""
    for holder in machine.holders(node):
        args: dict[str, Any] = {"node": node, "name": holder.name, "pid": holder.pid}
        if holder.name == "companion":
            text = N_("{node} is in use by the companion itself (PID {pid})")
            yield Finding(Verdict.SKIPPED, Phrase(text, args), f"sudo systemctl stop {SERVICE}")
        else:
            text = N_("{node} is in use by {name} (PID {pid})")
            yield fault(text, f"sudo kill {holder.pid}", **args)
