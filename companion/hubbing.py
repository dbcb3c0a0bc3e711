"""`companion hub flash`, `console` and `status`: the reader hub from the command line."""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import TextIO

import msgspec

from companion.configuration import read_configuration
from companion.devices.firmware import firmware_files
from companion.devices.health import HealthBoard, label, told
from companion.devices.hub import Hub, HubFault, Port, find_port
from companion.devices.hub.talk import Reader
from companion.devices.settings import DeviceSettings, HubSettings
from companion.portable.messages import KINDS, MOST_NUMBER, TO_HOST, Message, decode, encode
from companion.portable.wire import Lines, seal
from companion.rules.phrases import N_, Phrase
from companion.words import Words

LISTEN = 2.5
"""Seconds to find out whether the firmware runs: it says something every second."""
GREETING = b"This is the prompt of the hub"
"""What firmware/main.py says when it leaves."""
RETURN = 15.0
"""Seconds until the port has to be there again after a reset."""
STATUS = 20.0
"""Seconds that the hub may take to say how it is."""
BEAT = 1.0
AFTER_END = 1.0
"""Seconds that the console goes on listening after the last line of a script."""
FOLDERS = """
import os
for name in {names}:
    try:
        os.mkdir(name)
    except OSError:
        pass
"""
"""What the Pico is asked before files are copied; folders may be there already."""
HASHES = """
import hashlib
for name in {names}:
    with open(name, "rb") as file:
        print(name, hashlib.sha256(file.read()).digest().hex())
"""
"""What the Pico is asked to make sure that it has what it was given."""


def run(options: argparse.Namespace, words: Words) -> int:
    """Do what was asked for; gives the exit code. Raises HubFault, BadConfiguration."""
    devices = read_configuration(options.config).devices
    hub = devices.hub or HubSettings()
    if options.port:
        hub = msgspec.structs.replace(hub, serial="", port=options.port)
    if options.action == "flash":
        return flash(hub, words)
    if options.action == "console":
        return console(hub, sys.stdin, sys.stdout)
    return status(msgspec.structs.replace(devices, hub=hub), words)


# -- status ----------------------------------------------------------------------------------------


def status(devices: DeviceSettings, words: Words) -> int:
    """Print what the hub says of itself and its readers; 1 if a reader does not answer."""
    settings = devices.hub or HubSettings()
    board = HealthBoard()
    hub = Hub(settings, devices.poll, devices.push, lambda _: None, board)
    try:
        hub.open()
        names = [reader.name for reader in settings.readers]
        end = time.monotonic() + STATUS
        while hub.waiting or not all(_is_known(hub.readers.get(name)) for name in names):
            if time.monotonic() > end:
                raise HubFault(N_("the hub does not say how its readers are"))
            hub.step()
        for phrase in _report(hub, board, names):
            print(words.say(phrase))
        return 1 if any(hub.readers[name].state == "dead" for name in names) else 0
    finally:
        hub.close()


def _is_known(reader: Reader | None) -> bool:
    return reader is not None and bool(reader.statistics)


def _report(hub: Hub, board: HealthBoard, names: Iterable[str]) -> Iterator[Phrase]:
    about = hub.about
    yield Phrase(
        N_("hub: firmware {firmware}, start {boot} ({cause}), {can}"),
        {name: about[name] for name in ("firmware", "boot", "cause", "can")},
    )
    health = board.all()
    for name in names:
        device = f"reader/{name}"
        yield told(health[device]) if device in health else label(device)
        counted = [f"{key} {count}" for key, count in hub.readers[name].statistics.items()]
        yield Phrase("  {counted}", {"counted": counted})


# -- console ---------------------------------------------------------------------------------------


def console(settings: HubSettings, source: TextIO, sink: TextIO) -> int:
    """Print what the hub says and send what is typed, with number and checksum.

    It beats, and acknowledges what the hub reports, as every host does: else the hub would say
    nothing but hello.
    """
    typed = _lines_of(source)
    with closing(Port(find_port(settings))) as port:
        talk = _Console(port, sink)
        while not talk.is_over():
            talk.hear()
            with suppress(Empty):
                if talk.heard:
                    talk.type(typed.get_nowait())
    return 0


def _lines_of(source: TextIO) -> SimpleQueue[str | None]:
    """Lines as they are typed, then None."""
    lines: SimpleQueue[str | None] = SimpleQueue()

    def read() -> None:
        for line in source:
            lines.put(line.strip())
        lines.put(None)

    threading.Thread(target=read, name="console", daemon=True).start()
    return lines


class _Console:
    """One open console."""

    def __init__(self, port: Port, sink: TextIO) -> None:
        self._port = port
        self._sink = sink
        self.heard = False
        """Whether the hub has said anything: before that it may still be starting."""
        self._lines = Lines()
        self._unfinished = b""
        self._number = 0
        self._acknowledged = 0
        self._beat_at = 0.0
        self._ended: float | None = None

    def is_over(self) -> bool:
        """Whether a script has ended, and what it set off was heard."""
        return self._ended is not None and time.monotonic() - self._ended >= AFTER_END

    def hear(self) -> None:
        """Print what has come; answer as a host does."""
        data = self._port.read()
        *lines, self._unfinished = (self._unfinished + data).split(b"\n")
        for line in lines:
            print(line.decode("ascii", errors="replace").strip("\r"), file=self._sink, flush=True)
        for text in self._lines.feed(data):
            self.heard = True
            with suppress(ValueError):
                self._answer(decode(text))
        if self.heard and time.monotonic() - self._beat_at >= BEAT:
            self._beat_at = time.monotonic()
            self._port.write(encode("beat", int(self._beat_at) % MOST_NUMBER))

    def _answer(self, message: Message) -> None:
        if message.name == "hello":
            self._acknowledged = message.number("acknowledged")
        elif KINDS[message.name].numbered:
            self._acknowledged = max(self._acknowledged, message.number("number"))
            self._port.write(encode("ack", self._acknowledged))

    def type(self, text: str | None) -> None:
        """Send a line; what is no message is told and not sent."""
        if text is None:
            self._ended = time.monotonic()
        elif text:
            try:
                self._port.write(self._numbered(text))
            except ValueError as error:
                print(error, file=self._sink)

    def _numbered(self, text: str) -> bytes:
        """The line for what was typed, with a number of its own where one belongs."""
        name, _, rest = text.partition(" ")
        kind = KINDS.get(name)
        if kind is not None and kind.numbered and kind.way != TO_HOST:
            self._number += 1
            text = f"{name} {self._number} {rest}".rstrip()
        decode(text)
        return seal(text)


# -- flash -----------------------------------------------------------------------------------------


def flash(settings: HubSettings, words: Words) -> int:
    """Put the firmware on the Pico, see that it is there as it is here, and start it."""
    _need_mpremote()
    path = _port_of(settings)
    if _leave_firmware(path):
        path = _port_again(settings)
    files = firmware_files()
    with TemporaryDirectory(prefix="companion-") as folder:
        _verify(files, _mpremote(path, *_copying(files, Path(folder))))
    _mpremote(path, "reset")
    hello = _hello(settings)
    print(
        words.say(
            Phrase(
                N_("The hub runs firmware {firmware}: {count} files written."),
                {"firmware": hello.word("firmware"), "count": len(files)},
            )
        )
    )
    return 0


def _need_mpremote() -> None:
    if importlib.util.find_spec("mpremote") is None:
        raise HubFault(
            N_("mpremote is missing. This brings it: {command}"), command="pip install mpremote"
        )


def _port_of(settings: HubSettings) -> str:
    try:
        return find_port(settings)
    except HubFault as fault:
        raise HubFault(
            N_(
                "{reason}. A new Pico needs MicroPython: hold BOOTSEL while you plug it in, copy "
                "the UF2 file from {page} onto the drive that appears, and call this again."
            ),
            reason=fault.phrase,
            page="micropython.org/download/RPI_PICO",
        ) from fault


def _leave_firmware(path: str) -> bool:
    """Send a running hub to MicroPython's prompt; False if no hub runs there."""
    with closing(Port(path)) as port:
        if _message(port, KINDS, LISTEN) is None:
            return False
        port.write(encode("prompt", 1))
        if _message(port, ("ack",), LISTEN) is None:
            raise HubFault(N_("the hub does not obey"))
        _await_prompt(port)
    return True


def _await_prompt(port: Port) -> None:
    """The hub is being reset: either the port vanishes, or the prompt is announced in it."""
    end = time.monotonic() + LISTEN
    heard = b""
    with suppress(HubFault):
        while GREETING not in heard and time.monotonic() < end:
            heard += port.read()


def _port_again(settings: HubSettings) -> str:
    """The port once it is back, perhaps under another name."""
    end = time.monotonic() + RETURN
    while True:
        try:
            path = find_port(settings)
            Port(path).close()
            return path
        except HubFault:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def _hello(settings: HubSettings) -> Message:
    """What the firmware says once it has started; until then the port may come and go."""
    end = time.monotonic() + RETURN
    while time.monotonic() < end:
        with suppress(HubFault), closing(Port(find_port(settings))) as port:
            hello = _message(port, ("hello",), LISTEN)
            if hello is not None:
                return hello
        time.sleep(0.2)
    raise HubFault(N_("the firmware was written, but does not start"))


def _message(port: Port, names: Iterable[str], seconds: float) -> Message | None:
    """The next message of these kinds, None if there is none in time."""
    lines = Lines()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for text in lines.feed(port.read()):
            with suppress(ValueError):
                message = decode(text)
                if message.name in names:
                    return message
    return None


def _copying(files: dict[str, bytes], folder: Path) -> list[str]:
    """What mpremote is told: make the folders, copy the files by way of `folder`, tell hashes."""
    places = {str(parent) for name in files for parent in Path(name).parents} - {"."}
    arguments = ["exec", FOLDERS.format(names=sorted(places))]
    for number, (name, data) in enumerate(files.items()):
        source = folder / str(number)
        source.write_bytes(data)
        arguments += ["+", "fs", "cp", str(source), f":{name}"]
    return [*arguments, "+", "exec", HASHES.format(names=sorted(files))]


def _verify(files: dict[str, bytes], told_hashes: str) -> None:
    """Compare the hash of each file. Raises HubFault naming the first that differs."""
    there = dict(line.split() for line in told_hashes.splitlines() if line.count(" ") == 1)
    for name, data in files.items():
        if there.get(name) != hashlib.sha256(data).hexdigest():
            raise HubFault(N_("{file} was not written as it should be"), file=name)


def _mpremote(path: str, *arguments: str) -> str:
    """Run mpremote at a port, without a soft reset; gives what it prints. Raises HubFault."""
    command = [sys.executable, "-m", "mpremote", "connect", path, "resume", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines()
        raise HubFault(
            N_("mpremote failed: {error}"), error=lines[-1] if lines else str(done.returncode)
        )
    return done.stdout
