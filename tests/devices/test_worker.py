"""A device that is missing, fails, hangs or comes back never stops anything else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.devices.buttons import Buttons
from companion.devices.health import Condition, DeviceFault, Health, HealthBoard, told
from companion.devices.inputs import Input
from companion.devices.lights import Lights
from companion.devices.settings import ButtonSettings, LightSettings, PushSettings, SoundSettings
from companion.devices.simulated.pins import drop_mock_pins, use_mock_pins
from companion.devices.sound import Sound
from companion.devices.worker import PAUSES, Device, Worker
from companion.rules.phrases import Phrase

PATIENCE = 20.0


def until(true: Callable[[], object]) -> None:
    """Wait until something is true; fails after some seconds."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.002)


class Gadget:
    """A device that fails as it is told."""

    name = "gadget"

    def __init__(self) -> None:
        self.there = True
        self.fail_steps: set[int] = set()
        self.hang: threading.Event | None = None
        self.opened = self.closed = self.steps = 0

    def open(self) -> None:
        self.opened += 1
        if not self.there:
            raise DeviceFault("nothing at {place}", place="0x3C")

    def step(self) -> float:
        self.steps += 1
        if self.hang is not None:
            self.hang.wait(30)
        if self.steps in self.fail_steps:
            raise OSError(121, "Remote I/O error")
        return 0.001

    def close(self) -> None:
        self.closed += 1


@contextmanager
def working(
    device: Device, *, pauses: tuple[float, ...] = (0.001,), steady: float = 0.05
) -> Iterator[tuple[Worker, list[Health]]]:
    told: list[Health] = []
    worker = Worker(device, HealthBoard(told.append), pauses=pauses, steady=steady, deadline=0.05)
    worker.start()
    try:
        yield worker, told
    finally:
        worker.stop()


def checked(worker: Worker, said: list[Health]) -> Condition:
    """What is said of the device once somebody has looked after it."""
    worker.check()
    return said[-1].condition


def test_a_sound_device_starts_and_works() -> None:
    gadget = Gadget()
    with working(gadget) as (_, told):
        until(lambda: gadget.steps > 3)
        assert [health.condition for health in told] == [Condition.STARTING, Condition.WORKING]
    assert gadget.closed == 1


def test_one_fault_is_said_mended_and_forgotten() -> None:
    gadget = Gadget()
    gadget.fail_steps = {3}
    with working(gadget) as (_, told):
        until(lambda: told[-1].condition is Condition.WORKING and len(told) > 2)
        conditions = [health.condition for health in told]
    assert conditions == [
        Condition.STARTING,
        Condition.WORKING,
        Condition.OFFLINE,
        Condition.DEGRADED,
        Condition.WORKING,
    ]
    assert told[2].reason == Phrase("{error}", {"error": "Remote I/O error"})
    assert told[-1].reason is None
    assert gadget.opened == 2


class Mute(Gadget):
    """A device that can be opened and does not say anything before it fails."""

    waiting: Phrase | None = Phrase("waiting for an answer")


def test_why_a_device_is_of_no_use_stays_in_sight_while_it_is_tried_again() -> None:
    """What to do about it takes longer to read than the next try to fail."""
    mute = Mute()
    mute.fail_steps = set(range(3, 30, 3))
    with working(mute) as (_, told):
        until(lambda: mute.opened > 5)
        conditions = [health.condition for health in told]
        assert conditions == [Condition.STARTING, Condition.STARTING, Condition.OFFLINE]
        mute.waiting = None
        until(lambda: told[-1].condition is Condition.WORKING)


def test_a_device_that_was_missing_is_waited_for_when_it_comes() -> None:
    mute = Mute()
    mute.there = False
    with working(mute) as (_, told):
        until(lambda: mute.opened > 2)
        assert told[-1].reason == Phrase("nothing at {place}", {"place": "0x3C"})
        mute.there = True
        until(lambda: told[-1] == Health("gadget", Condition.STARTING, mute.waiting))


def test_a_missing_device_is_tried_with_growing_pauses_and_comes_late() -> None:
    gadget = Gadget()
    gadget.there = False
    worker = Worker(gadget, HealthBoard())
    pauses: list[float] = []

    def note(seconds: float) -> None:
        pauses.append(seconds)
        gadget.there = len(pauses) >= 10

    worker._pause = note  # type: ignore[method-assign]  # the test is its clock
    gadget.fail_steps = {1}
    worker.start()
    until(lambda: gadget.steps > 2)
    worker.stop()
    assert pauses[:10] == [*PAUSES, PAUSES[-1], PAUSES[-1]]
    assert PAUSES[-1] <= 30
    assert sum(PAUSES[:4]) < 5


def test_a_device_that_fails_now_and_then_is_never_put_off_for_long() -> None:
    gadget = Gadget()
    gadget.fail_steps = set(range(3, 90, 3))
    with working(gadget, pauses=(0.0, 30.0)):
        until(lambda: gadget.steps > 100)


def test_a_call_that_does_not_come_back_is_noticed_from_outside() -> None:
    gadget = Gadget()
    gadget.hang = threading.Event()
    with working(gadget) as (worker, said):
        until(lambda: gadget.steps)
        until(lambda: checked(worker, said) is Condition.STALLED)
        assert told(said[-1]).plain() == "gadget: stalled"
        assert not worker.stop(0.05), "it cannot have ended"
        gadget.hang.set()
    until(lambda: gadget.closed)


def test_it_comes_back_from_a_stall() -> None:
    gadget = Gadget()
    gadget.hang = threading.Event()
    with working(gadget) as (worker, said):
        until(lambda: checked(worker, said) is Condition.STALLED)
        gadget.hang.set()
        gadget.hang = None
        until(lambda: checked(worker, said) is Condition.WORKING)


def test_health_is_told_once_for_each_change() -> None:
    told: list[Health] = []
    board = HealthBoard(told.append)
    for _ in range(3):
        board.set(Health("display", Condition.OFFLINE, Phrase("gone")))
    board.set(Health("display", Condition.WORKING))
    assert len(told) == 2
    assert board.all()["display"].usable


def test_a_device_that_waits_inside_is_woken_at_the_end() -> None:
    """All of ours do, for as long as they are told to."""
    use_mock_pins()
    board = HealthBoard()
    devices: list[Device] = [
        Buttons(ButtonSettings(ok=5), PushSettings(), list[Input]().append, patience=60),
        Lights(LightSettings(seats={"A": (1, 2, 3)}), patience=60),
        Sound(SoundSettings(buzzer=4), patience=60),
    ]
    workers = [Worker(device, board) for device in devices]
    for worker in workers:
        worker.start()
    until(lambda: [health.usable for health in board.all().values()] == [True] * 3)
    assert all(worker.stop(5) for worker in workers)
    drop_mock_pins()
