"""`companion doctor`: prints what is found, and what mends it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator
from functools import partial

from companion.configuration import Configuration
from companion.devices.machine import Machine
from companion.doctor.desks import SimulatedDesk, TerminalDesk
from companion.doctor.examining import examine, examine_ports
from companion.doctor.findings import (
    Case,
    Finding,
    Verdict,
    exit_code,
    fault,
    in_lines,
    skipped,
)
from companion.doctor.trying import TRIALS, Desk, Open, answering
from companion.equipping import SIMULATED, configuration_of
from companion.host import default_journal
from companion.rules.errors import NotUnderstood
from companion.rules.phrases import N_, Phrase
from companion.simulation import Simulation, working_station
from companion.words import Words

WAIT = 20.0
"""Seconds for a card or for all buttons."""
LONGEST_WAIT = 3600.0


def run(options: Namespace, words: Words) -> int:
    """Examine this machine; gives 1 if anything is at fault.

    Raises BadConfiguration, and NotUnderstood for options that cannot be.
    """
    _check(options)
    configuration = configuration_of(options.devices, options.config)
    if options.language is None and configuration.language is not None:
        words = Words(configuration.language)
    simulation = Simulation(configuration.devices) if options.devices == SIMULATED else None
    return diagnose(configuration, options, words, simulation)


def _check(options: Namespace) -> None:
    if options.test not in (None, *TRIALS):
        text = N_("There is no test {test}. Allowed: {allowed}")
        raise NotUnderstood(text, test=options.test, allowed=list(TRIALS))
    if options.wait is not None and not 0 < options.wait <= LONGEST_WAIT:
        text = N_("{seconds} seconds cannot be waited. Allowed: above 0, up to {longest}")
        raise NotUnderstood(text, seconds=options.wait, longest=LONGEST_WAIT)


def diagnose(
    configuration: Configuration,
    options: Namespace,
    words: Words,
    simulation: Simulation | None = None,
) -> int:
    """Examine devices, real ones with what they are wired to; gives the exit code."""
    findings = []
    for finding in _findings(configuration, options, words, simulation):
        findings.append(finding)
        if not options.json:
            print(*in_lines(finding, words), sep="\n", flush=True)
    if options.json:
        print(as_json(findings, words))
    else:
        print(words.say(_summary(findings)))
    return exit_code(findings)


def as_json(findings: list[Finding], words: Words) -> str:
    """A list of objects with verdict, text and mend."""
    import msgspec

    told = [
        {"verdict": finding.verdict, "text": words.say(finding.text), "mend": finding.mend}
        for finding in findings
    ]
    return msgspec.json.format(msgspec.json.encode(told)).decode()


def _findings(
    configuration: Configuration, options: Namespace, words: Words, simulation: Simulation | None
) -> Iterator[Finding]:
    opened = partial(working_station, simulation=simulation)
    if options.test:
        yield from _trial(configuration, options.test, _desk(options, words, simulation), opened)
        return
    case = Case(Machine(), configuration, configuration.journal or default_journal())
    yield from examine(case)
    ports = [] if simulation else list(examine_ports(case))
    yield from ports
    if all(finding.verdict in (Verdict.OK, Verdict.ADVICE) for finding in ports):
        yield from answering(configuration, opened)
    else:
        yield skipped(N_("The devices themselves were not tried: mend this first"))


def _desk(options: Namespace, words: Words, simulation: Simulation | None) -> Desk | None:
    """Who helps to try: simulated hands, or somebody at the terminal; None if nobody is there."""
    wait = WAIT if options.wait is None else options.wait
    if simulation is not None:
        return SimulatedDesk(simulation, wait)
    somebody = sys.stdin.isatty()
    if not somebody and options.wait is None:
        return None
    return TerminalDesk(words, wait, somebody=somebody)


def _trial(
    configuration: Configuration, test: str, desk: Desk | None, opened: Open
) -> Iterator[Finding]:
    """One kind of device, with somebody's help."""
    if desk is None:
        text = N_("{test}: nobody is at the terminal. {option} tries it all the same")
        yield skipped(text, test=test, option="--wait SECONDS")
        return
    nothing = True
    for finding in TRIALS[test](configuration, desk, opened):
        nothing = False
        yield finding
    if nothing:
        yield fault(N_("The configuration has no {test}"), test=test)


def _summary(findings: list[Finding]) -> Phrase:
    faults = sum(finding.verdict is Verdict.FAULT for finding in findings)
    if not faults:
        return Phrase(N_("All is well."))
    return Phrase(N_("{n} fault."), {"n": faults}, plural=N_("{n} faults."))
