"""The doctor: each fault is found, and told with the one command that mends it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from companion.configuration import Configuration, sample
from companion.devices.machine import Machine, User
from companion.doctor.examining import examine, examine_ports
from companion.doctor.findings import Case, Finding, Verdict, exit_code, in_lines
from companion.doctor.usb import UDEV_RULES, firmware
from companion.portable.messages import FIRMWARE
from companion.words import Words
from tests.docs.reading import ROOT, blocks
from tests.host.machines import CONFIG_TXT, PI_5, SOMEBODY, Tree

READER = '[[reader]]\nname = "A"\nreset = 25\n'
BUTTONS = "[buttons]\nok = 5\n"
DISPLAY = '[display]\ndriver = "ssd1306"\n'
HUB = "[hub]\n"


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def findings(tree: Tree, text: str) -> list[Finding]:
    case = tree.case(text)
    return [*examine(case), *examine_ports(case)]


def bad(tree: Tree, text: str) -> list[tuple[str, str]]:
    """Everything that is not right: what is told, and the command."""
    return [
        (finding.text.plain(), finding.mend)
        for finding in findings(tree, text)
        if finding.verdict is not Verdict.OK
    ]


def the_fault(tree: Tree, text: str) -> tuple[str, str]:
    found = [finding for finding in findings(tree, text) if finding.verdict is Verdict.FAULT]
    (fault,) = found
    assert exit_code(found) == 1
    return fault.text.plain(), fault.mend


def test_a_healthy_pi_has_no_faults(tree: Tree) -> None:
    tree.usb("ttyACM0", "E66")
    assert bad(tree, sample() + HUB) == []
    assert exit_code(findings(tree, sample())) == 0


# -- the machine -----------------------------------------------------------------------------------


def test_a_system_of_32_bit_is_a_fault(tree: Tree) -> None:
    tree.options["bits"] = 32
    assert "64 bit" in the_fault(tree, "")[0]


def test_an_old_python_is_a_fault(tree: Tree) -> None:
    tree.options["python"] = (3, 9)
    assert the_fault(tree, "")[0] == "Python 3.9 is too old: 3.11 or newer"


def test_a_laptop_is_told_kindly_what_works(tmp_path: Path) -> None:
    case = Case(Machine(tmp_path), Configuration(), tmp_path / "journal.db")
    found = [*examine(case), *examine_ports(case)]
    assert exit_code(found) == 0
    assert [f.mend for f in found if f.mend] == [
        "companion config sample | sudo tee /etc/companion.toml"
    ]
    assert any("no Raspberry Pi" in f.text.plain() for f in found)


def test_devices_at_pins_need_a_pi(tree: Tree) -> None:
    tree.write("proc/device-tree/model", "Some other board\0")
    told, mend = the_fault(tree, sample())
    assert "no Raspberry Pi" in told
    assert mend == "companion play chaos-kart --devices simulated"


@pytest.mark.parametrize(
    ("python", "environment", "mend"),
    [
        ((3, 11), "/home/ana/venv", "/home/ana/venv/bin/pip install lgpio"),
        (
            (3, 13),
            "/home/ana/venv",
            "sudo apt install python3-lgpio"
            " && python3 -m venv --upgrade --system-site-packages /home/ana/venv",
        ),
        ((3, 13), None, "sudo apt install python3-lgpio"),
    ],
)
def test_a_missing_lgpio_is_brought_as_the_python_needs_it(
    tree: Tree, python: tuple[int, int], environment: str | None, mend: str
) -> None:
    tree.options |= {
        "packages": {"spidev"},
        "python": python,
        "environment": environment and Path(environment),
    }
    told, command = the_fault(tree, BUTTONS)
    assert told.startswith("lgpio is missing")
    assert command == mend


def test_an_environment_that_sees_the_systems_packages_needs_no_others(tree: Tree) -> None:
    tree.options |= {"packages": {"spidev"}, "environment": Path("/usr/lib/tabletop-companion")}
    tree.write("usr/lib/tabletop-companion/pyvenv.cfg", "include-system-site-packages = true\n")
    assert the_fault(tree, BUTTONS)[1] == "sudo apt install python3-lgpio"


def test_rpi_gpio_takes_the_place_of_lgpio_but_not_on_a_pi_5(tree: Tree) -> None:
    tree.options["packages"] = {"rpi.gpio"}
    assert bad(tree, BUTTONS)[0][0] == "lgpio is missing, RPi.GPIO takes its place"
    assert exit_code(findings(tree, BUTTONS)) == 0
    tree.write("proc/device-tree/model", PI_5)
    assert the_fault(tree, BUTTONS)[0].startswith("lgpio is missing: buttons")


def test_a_missing_spidev_is_named(tree: Tree) -> None:
    tree.options |= {"packages": {"lgpio"}, "environment": None}
    assert the_fault(tree, READER)[1] == "sudo apt install python3-spidev"


def test_a_pi_5_cannot_run_mfrc522(tmp_path: Path) -> None:
    tree = Tree(tmp_path, PI_5)
    told, mend = the_fault(tree, READER + 'port = "mfrc522"\n')
    assert 'port = "spidev"' in told
    assert mend == 'sudo sed -i \'s/"mfrc522"/"spidev"/\' companion.toml'


def test_rpi_gpio_over_rpi_lgpio_is_found_on_a_pi_5(tmp_path: Path) -> None:
    tree = Tree(tmp_path, PI_5)
    tree.options |= {"environment": Path("/venv")}
    tree.options["packages"] |= {"rpi.gpio", "rpi-lgpio"}
    assert the_fault(tree, BUTTONS)[1] == (
        "/venv/bin/pip uninstall -y RPi.GPIO && /venv/bin/pip install --force rpi-lgpio"
    )


# -- buses -----------------------------------------------------------------------------------------


def test_spi_that_is_off_is_switched_on_by_one_command(tree: Tree) -> None:
    tree.unplug("spidev0.0")
    tree.write(CONFIG_TXT, "#dtparam=spi=on\n")
    assert the_fault(tree, READER) == (
        "/dev/spidev0.0 is missing for reader A: SPI is off",
        "sudo raspi-config nonint do_spi 0",
    )


def test_spi_that_was_switched_on_waits_for_a_restart(tree: Tree) -> None:
    tree.unplug("spidev0.0")
    assert the_fault(tree, READER)[1] == "sudo reboot"


def test_the_second_spi_is_an_overlay(tree: Tree) -> None:
    told, mend = the_fault(tree, READER + "bus = 1\n")
    assert told.startswith("/dev/spidev1.0 is missing")
    assert mend == (
        "echo dtoverlay=spi1-1cs | sudo tee -a /boot/firmware/config.txt && sudo reboot"
    )


def test_i2c_that_is_off_is_switched_on_by_one_command(tree: Tree) -> None:
    tree.unplug("i2c-1")
    told, mend = the_fault(tree, DISPLAY)
    assert told == "/dev/i2c-1 is missing for display: I2C is off"
    assert mend == "sudo raspi-config nonint do_i2c 0"


def test_a_slow_i2c_is_told_as_advice(tree: Tree) -> None:
    clock = tree.file("sys/class/i2c-adapter/i2c-1/of_node/clock-frequency")
    clock.write_bytes((100_000).to_bytes(4, "big"))
    assert bad(tree, DISPLAY) == [
        (
            "/dev/i2c-1 runs at 100 kHz: a picture takes 92 ms instead of 23",
            "echo dtparam=i2c_arm_baudrate=400000 | sudo tee -a /boot/firmware/config.txt"
            " && sudo reboot",
        )
    ]
    assert exit_code(findings(tree, DISPLAY)) == 0


def test_boot_settings_of_before_debian_12_are_found(tree: Tree) -> None:
    (tree.root / CONFIG_TXT).unlink()
    tree.write("boot/config.txt", "")
    tree.unplug("i2c-1")
    assert "tee -a /boot/config.txt" in the_fault(tree, READER + "bus = 1\n")[1]


# -- who may use what (I04) ------------------------------------------------------------------------


def test_a_user_without_groups_is_told_of_each_node(tree: Tree) -> None:
    tree.user = User("ana", SOMEBODY, frozenset([SOMEBODY]))
    tree.write("etc/group", "")
    tree.usb("ttyACM0", "E66")
    told = "{}: ana is not in the group {}. Then log in again"
    groups = {"ttyACM0": "dialout", "spidev0.0": "spi", "i2c-1": "i2c", "gpiochip0": "gpio"}
    assert bad(tree, READER + DISPLAY + HUB) == [
        (told.format(f"/dev/{node}", group), f"sudo usermod -aG {group} ana")
        for node, group in groups.items()
    ]


def test_nodes_that_can_be_used_are_listed_as_well(tree: Tree) -> None:
    tree.user = User("ana", SOMEBODY, frozenset([SOMEBODY]))
    tree.node("i2c-1", 0o666)
    told = [finding.text.plain() for finding in findings(tree, READER + DISPLAY)]
    assert "/dev/i2c-1: can be used" in told


def test_a_group_counts_from_the_next_login(tree: Tree) -> None:
    tree.user = User("ana", SOMEBODY, frozenset([SOMEBODY]))
    tree.write("etc/group", f"spi:x:{os.getgid() or 999}:budi,ana\ngpio:x:998:ana\n")
    told = {told for told, _ in bad(tree, READER)}
    assert "/dev/spidev0.0: ana is in the group spi from the next login on" in told


@pytest.mark.parametrize("mode", [0o640, 0o600])
def test_reading_alone_is_not_enough(tree: Tree, mode: int) -> None:
    tree.node("spidev0.0", mode)
    assert "is not in the group" in the_fault(tree, READER)[0]


# -- who else has it -------------------------------------------------------------------------------


def test_a_port_that_another_program_has_open_is_told_with_its_number(tree: Tree) -> None:
    tree.process(812, "minicom", "null", "spidev0.0")
    tree.process(813, "bash")
    assert the_fault(tree, READER) == (
        "/dev/spidev0.0 is in use by minicom (PID 812)",
        "sudo kill 812",
    )


def test_the_running_companion_is_no_fault(tree: Tree) -> None:
    tree.process(900, "companion", "spidev0.0")
    assert bad(tree, READER) == [
        (
            "/dev/spidev0.0 is in use by the companion itself (PID 900)",
            "sudo systemctl stop tabletop-companion",
        )
    ]
    assert exit_code(findings(tree, READER)) == 0


@pytest.mark.parametrize(
    ("line", "pin", "mend"),
    [
        ("dtoverlay=w1-gpio", 4, "sudo sed -i '/^dtoverlay=w1-gpio/d' /boot/firmware/config.txt"),
        ("dtoverlay=w1-gpio,gpiopin=17", 17, "sudo sed -i '/^dtoverlay=w1-gpio,gpiopin=17/d'"),
        ("dtparam=i2s=on", 19, "sudo sed -i '/^dtparam=i2s=on/d'"),
        ("dtoverlay=hifiberry-dac", 21, "sudo sed -i '/^dtoverlay=hifiberry-dac/d'"),
        ("dtparam=i2c_arm=on", 3, "sudo raspi-config nonint do_i2c 1"),
        ("dtparam=spi=on", 11, "sudo raspi-config nonint do_spi 1"),
    ],
)
def test_a_pin_that_the_system_takes_is_told_with_its_setting(
    tree: Tree, line: str, pin: int, mend: str
) -> None:
    tree.write(CONFIG_TXT, line + "  # a note\n[pi3]\ndtoverlay=w1-gpio,gpiopin=5\n")
    told, command = the_fault(tree, f"[buttons]\nok = {pin}\nback = 5\n")
    assert told == f"GPIO{pin} used by button ok and by the system ({line})"
    assert command.startswith(mend)


def test_the_chip_select_that_nobody_needs_can_be_freed(tree: Tree) -> None:
    text = READER + "[buttons]\nok = 7\n"
    told, mend = the_fault(tree, text)
    assert told == "GPIO7 used by button ok and by the system (dtparam=spi=on)"
    assert mend.startswith("echo dtoverlay=spi0-1cs | sudo tee -a")
    tree.write(CONFIG_TXT, "dtparam=spi=on\ndtoverlay=spi0-1cs\n")
    assert bad(tree, text) == []


def test_the_console_on_the_pins_of_the_uart_is_found(tree: Tree) -> None:
    assert bad(tree, "[sound]\nbuzzer = 14\n") == []
    tree.write("proc/cmdline", "console=serial0,115200 console=tty1 root=/dev/sda")
    told, mend = the_fault(tree, "[sound]\nbuzzer = 14\n")
    assert told == "GPIO14 used by buzzer and by the system (console=serial0)"
    assert mend == "sudo raspi-config nonint do_serial_cons 1 && sudo reboot"


# -- the hub ---------------------------------------------------------------------------------------


def test_a_hub_is_found_by_its_serial_number(tree: Tree) -> None:
    tree.usb("ttyACM0", "AAA")
    tree.usb("ttyACM1", "BBB")
    found = [f.text.plain() for f in findings(tree, HUB + 'serial = "BBB"\n')]
    assert "/dev/ttyACM1: can be used" in found


def test_a_missing_hub_is_told_with_those_that_are_there(tree: Tree) -> None:
    tree.usb("ttyACM0", "AAA")
    told, _ = the_fault(tree, HUB + 'serial = "BBB"\n')
    assert told == "no hub with the serial number BBB. Plugged in: AAA"


def test_only_a_pico_is_taken_for_a_hub_without_a_serial_number(tree: Tree) -> None:
    tree.usb("ttyUSB0", "QQQ", vendor="1a86")
    assert the_fault(tree, HUB)[0] == "no hub is plugged in"
    tree.usb("ttyACM3", "AAA")
    assert "hub AAA at /dev/ttyACM3" in [f.text.plain() for f in findings(tree, HUB)]


def test_several_hubs_need_a_serial_number(tree: Tree) -> None:
    assert the_fault(tree, HUB)[0] == "no hub is plugged in"
    tree.usb("ttyACM0", "AAA")
    tree.usb("ttyACM1", "BBB")
    assert the_fault(tree, HUB)[0] == "several hubs; set serial in [hub] to one of AAA, BBB"


def test_a_hub_named_by_a_path_has_to_be_there(tree: Tree) -> None:
    told, _ = the_fault(tree, HUB + 'port = "/dev/ttyACM7"\n')
    assert told == "/dev/ttyACM7 is missing: plug the hub in"


def test_modem_manager_is_switched_off_for_a_hub(tree: Tree) -> None:
    tree.usb("ttyACM0", "AAA")
    tree.process(77, "ModemManager")
    assert bad(tree, READER) == []
    assert the_fault(tree, HUB)[1] == "sudo systemctl disable --now ModemManager"
    tree.write(UDEV_RULES.lstrip("/"), "")
    assert bad(tree, HUB) == []


def test_an_older_firmware_is_told_with_the_command_that_renews_it() -> None:
    (finding,) = firmware({"firmware": "0.1.0"})
    assert finding.verdict is Verdict.ADVICE
    assert finding.text.plain() == f"hub: firmware 0.1.0, this program brings {FIRMWARE}"
    assert finding.mend == "companion hub flash"


def test_our_own_firmware_is_right() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", FIRMWARE)
    assert [f.verdict for f in firmware({"firmware": FIRMWARE})] == [Verdict.OK]
    assert list(firmware({})) == []


# -- the table -------------------------------------------------------------------------------------


def test_a_journal_that_cannot_be_written_is_a_fault(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    told, mend = the_fault(tree, "")
    assert "cannot be written by ana" in told
    assert mend == f"sudo install -d -o ana {tree.root}/games"


@pytest.mark.parametrize(
    ("free", "verdict"), [(1_000_000, Verdict.FAULT), (50_000_000, Verdict.ADVICE)]
)
def test_a_full_disk_is_told(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, free: int, verdict: Verdict
) -> None:
    monkeypatch.setattr(Machine, "free", lambda *_: free)
    (found,) = [f for f in findings(tree, "") if f.verdict is not Verdict.OK]
    assert found.verdict is verdict
    assert f"{free // 1_000_000} MB free" in found.text.plain()


def test_japanese_needs_its_font(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.screens import oled

    monkeypatch.setattr(oled, "FONT_PLACES", ())
    assert the_fault(tree, 'language = "ja"\n')[1] == "make fonts"
    assert bad(tree, DISPLAY) == [("The display has no Japanese letters", "make fonts")]


# -- the document ----------------------------------------------------------------------------------


def test_the_document_shows_what_the_doctor_says(tree: Tree) -> None:
    (block,) = [b for b in blocks(ROOT / "docs" / "configuration.md") if b.marks == ("doctor",)]
    tree.options["python"] = (3, 11)
    tree.write(CONFIG_TXT, "")
    tree.unplug("spidev0.0")
    tree.user = User("ana", SOMEBODY, frozenset([SOMEBODY]))
    told = [line for f in findings(tree, sample()) for line in in_lines(f, Words("en"))]
    rest = iter(told)
    assert [line for line in block.text.splitlines() if line not in rest] == []
