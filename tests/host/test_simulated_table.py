"""A table on simulated chips, from the antenna to the pixels, and devices that fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.devices import station
from companion.devices.health import Condition
from companion.devices.worker import Worker
from companion.journal import Journal
from companion.rules.errors import NotUnderstood
from companion.rules.lines import Kind
from tests.host.simulated import SETTINGS, Hands, hands_at, until


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def hands(journal: Journal) -> Iterator[Hands]:
    with hands_at(journal) as at:
        yield at


def shown(hands: Hands) -> bytes:
    """What is in the display's memory."""
    picture = hands.bench.simulation.picture()
    assert picture is not None
    return picture.tobytes()


def wanted(hands: Hands) -> bytes:
    """What the scene wants to be shown."""
    tabletop = hands.equipment.tabletop
    with tabletop.lock:
        return tabletop.scene.picture().tobytes()


# -- the whole path ----------------------------------------------------------------------------


def test_a_tap_is_an_answer_on_the_disk_and_on_the_display(hands: Hands, journal: Journal) -> None:
    before = shown(hands)
    hands.do("tap forward 2")
    lines = journal.load(hands.table.number).lines
    assert [(line.kind, line.via) for line in lines] == [(Kind.ANSWER, "tag")]
    assert hands.table.session.game.state.karts["A"].square == 1
    assert shown(hands) == wanted(hands) != before


def test_either_reader_will_do(hands: Hands) -> None:
    hands.do("tap forward 2 on B")
    hands.choose()
    hands.do("tap forward 3 on A")
    assert hands.table.session.game.state.karts["B"].square == 2


def test_buttons_alone_are_enough(hands: Hands) -> None:
    hands.do("press down down ok")
    first = hands.table.session.entries[0]
    assert (first.by, hands.answers()) == ("A", 1)


def test_a_card_that_may_not_be_played_is_answered_with_the_rule(
    hands: Hands, journal: Journal
) -> None:
    hands.do("tap forward 2")
    digest = hands.table.session.digest()
    hands.do("tap forward 1")
    refused = journal.load(hands.table.number).lines[-1]
    assert (refused.kind, refused.refusal) == (Kind.REFUSED, "6")
    assert digest == hands.table.session.digest()
    assert shown(hands) == wanted(hands)


def test_an_unknown_tag_changes_nothing_and_can_be_registered(
    hands: Hands, journal: Journal
) -> None:
    digest = hands.table.session.digest()
    hands.do("tap ?")
    assert hands.table.session.digest() == digest
    unknown = journal.load(hands.table.number).lines[-1]
    assert unknown.kind is Kind.UNKNOWN
    assert unknown.come[0].choice == "ED99"  # type: ignore[union-attr]
    hands.do("press ok ok", "tap ?")
    assert hands.answers() == 1, "the tag has become the first card of the question"


def test_hold_back_undoes_and_hold_ok_says_why(hands: Hands) -> None:
    hands.do("tap forward 2", "hold ok", "hold back")
    assert hands.answers() == 0


def test_a_card_left_lying_counts_once_and_others_can_be_tapped(hands: Hands) -> None:
    hands.do("lay forward 2")
    time.sleep(0.3)
    assert hands.answers() == 1
    hands.choose()
    hands.do("tap forward 3")
    assert hands.table.session.game.state.karts["B"].square == 2
    hands.do("lift")


def test_two_cards_at_once_are_said_and_do_nothing(hands: Hands) -> None:
    tabletop, simulation = hands.equipment.tabletop, hands.bench.simulation
    chip = simulation.readers["A"]
    looks_away, handled = threading.Event(), tabletop.handled
    chip.obstacle = looks_away.wait  # type: ignore[assignment]
    for thing in ("forward-2", "forward-3"):
        simulation.lay("A", hands.bench.book.uids[thing][0])
    chip.obstacle = None
    looks_away.set()
    until(lambda: tabletop.handled > handled)
    assert hands.answers() == 0
    simulation.lift("A")


def test_what_hands_cannot_do_is_said(hands: Hands) -> None:
    for line in ("tap nonsense", "press sideways", "unplug kettle", "wait for it", "tap x on Z"):
        with pytest.raises(NotUnderstood):
            hands.do(line)


def test_the_light_of_who_is_asked_shines(hands: Hands) -> None:
    pins = hands.bench.simulation.bench.pins
    until(lambda: any(pins.pin(number).state for number in SETTINGS.lights.seats["A"]))  # type: ignore[union-attr]


def test_a_table_without_devices_loads_nothing_of_theirs(tmp_path: Path) -> None:
    code = (
        "import sys; from companion.command import main; "
        "main(['play', 'chaos-kart', '--players', 'Ana,Budi', '--script', '-']); "
        "print(sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\n",
        capture_output=True,
        text=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        check=True,
    )
    loaded = set(re.findall(r"'(\w+)'", done.stderr))
    assert "companion" in loaded
    assert not loaded & {"gpiozero", "luma", "serial", "PIL", "spidev", "smbus2", "segno"}


# -- devices that fail -------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["display", "reader/A", "reader/B"])
def test_any_device_may_go_and_come_back_in_the_middle_of_a_game(hands: Hands, device: str) -> None:
    hands.do("tap forward 2 on B" if device != "reader/B" else "tap forward 2 on A")
    hands.do(f"unplug {device}")
    other = "A" if device == "reader/B" else "B"
    hands.choose()
    hands.do(f"tap forward 3 on {other}")
    assert hands.table.session.game.state.karts["B"].square == 2
    until(lambda: hands.health(device).condition is Condition.OFFLINE)
    hands.do(f"plug {device}")
    until(lambda: hands.health(device).usable)
    hands.choose()
    if device.startswith("reader/"):
        hands.do(f"tap forward 4 on {device[-1]}")
        assert hands.table.session.game.state.karts["C"].square == 3
    until(lambda: shown(hands) == wanted(hands), "the display shows something old")


def test_a_display_that_fails_now_and_then_costs_no_answer(hands: Hands) -> None:
    oled = hands.bench.simulation.oled
    assert oled is not None
    oled.fails_every = 3
    session = hands.table.session
    while hands.answers() < 30:
        option = next(iter(session.prompt.options()))
        with hands.table.lock:
            session.answer(option)
        hands.equipment.tabletop.look()
        time.sleep(0.01)
    until(lambda: hands.health("display").condition is not Condition.WORKING)
    oled.fails_every = 0
    until(lambda: hands.health("display").usable)
    until(lambda: shown(hands) == wanted(hands), "not the present page, redrawn")


def test_a_reader_that_hangs_keeps_nobody_waiting(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(station, "END", 0.5)
    monkeypatch.setattr(station, "Worker", partial(Worker, deadline=0.5))
    hang = threading.Event()
    with hands_at(journal) as hands:
        hands.bench.simulation.readers["A"].obstacle = lambda: hang.wait(30)  # type: ignore[assignment]
        until(lambda: hands.health("reader/A").condition is Condition.STALLED)
        began = time.monotonic()
        hands.choose()
        assert hands.answers() == 1
        assert time.monotonic() - began < 3.0
        began = time.monotonic()
    assert time.monotonic() - began < 5.0, "it hung at the end"
    hang.set()


def test_no_display_no_buttons_no_reader_still_a_table(journal: Journal) -> None:
    with hands_at(journal) as hands:
        for device in ("display", "reader/A", "reader/B"):
            hands.do(f"unplug {device}")
        hands.table.session.answer("forward-2")
        hands.equipment.look()
        assert hands.answers() == 1
