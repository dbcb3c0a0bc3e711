"""Two companions never drive one reader or one display, whoever started them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from gpiozero import OutputDevice

from companion.devices import claims
from companion.devices.claims import claim
from companion.devices.display import Display
from companion.devices.health import DeviceFault
from companion.devices.ports import open_port
from companion.devices.settings import DisplaySettings, ReaderSettings
from companion.devices.simulated.bench import Bench
from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.oled import Ssd1306

OTHER = """
import fcntl, sys
with open(sys.argv[1], "r+b") as node:
    fcntl.flock(node, fcntl.LOCK_EX)
    print("held", flush=True)
    sys.stdin.read()
"""


class Nodes:
    """Files in the place of device nodes, as real drivers have them open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.opened: list[int] = []

    def open(self, name: str = "node") -> int:
        self.opened.append(os.open(self.folder / name, os.O_RDWR | os.O_CREAT))
        return self.opened[-1]


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    nodes = Nodes(tmp_path)
    yield nodes
    for file in nodes.opened:
        os.close(file)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    bench.spi[0, 0] = Mfrc522(bench.time.now_us)
    bench.spi[0, 1] = Ssd1306()
    bench.i2c[1, 0x3C] = Ssd1306()
    bench.install()
    yield bench
    bench.remove()


def test_another_companion_is_named_until_it_ends(nodes: Nodes) -> None:
    file = nodes.open()
    node = nodes.folder / "node"
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, str(node)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(DeviceFault, match=f"{node} is in use by process {other.pid}"):
            claim(file, str(node))
        other.communicate()
    claim(file, str(node))
    claim(file, str(node))


def test_where_the_kernel_does_not_say_who_it_is_another_program(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "LOCKS", nodes.folder / "nothing")
    claim(nodes.open(), "/dev/spidev0.0")
    with pytest.raises(DeviceFault, match=r"/dev/spidev0\.0 is in use by another program"):
        claim(nodes.open(), "/dev/spidev0.0")


def test_a_simulated_driver_has_nothing_to_claim() -> None:
    claim(None, "/dev/i2c-1")
    claim(-1, "/dev/spidev0.0")


@pytest.mark.parametrize("port", ["spidev", "mfrc522"])
def test_a_reader_is_driven_by_one_companion(
    bench: Bench, nodes: Nodes, monkeypatch: pytest.MonkeyPatch, port: str
) -> None:
    monkeypatch.setattr(import_module("spidev").SpiDev, "fileno", lambda _: nodes.open())
    settings = ReaderSettings(name="A", reset=25)
    first = open_port(settings)
    second = ReaderSettings(name="B", reset=24, port=port)  # type: ignore[arg-type]
    with pytest.raises(DeviceFault, match=r"/dev/spidev0\.0 is in use"):
        open_port(second)
    OutputDevice(24).close()  # nor is its pin held
    first.close()


@pytest.mark.parametrize(
    "settings",
    [
        DisplaySettings(driver="ssd1306"),
        DisplaySettings(driver="ssd1306", bus="spi", port=0, device=1, data_command=23),
    ],
)
def test_a_display_is_driven_by_one_companion(
    bench: Bench, nodes: Nodes, monkeypatch: pytest.MonkeyPatch, settings: DisplaySettings
) -> None:
    monkeypatch.setattr(import_module("spidev").SpiDev, "fileno", lambda _: nodes.open())
    monkeypatch.setattr(
        import_module("smbus2").SMBus, "fd", property(lambda _: nodes.open()), raising=True
    )
    claim(nodes.open(), "another companion's")
    display = Display(settings, patience=0)
    with pytest.raises(DeviceFault, match=r"/dev/(i2c-1|spidev0.1) is in use"):
        display.open()
    display.close()
