"""Runs under MicroPython: the firmware's loop in driven time, without files, and its memory.

Prints the bytes in use after a while at the table and after as long again, how many events were
acknowledged, and what failed.
"""

import builtins
import gc

from hub import Hub

from companion.devices.simulated.mfrc522 import Mfrc522
from companion.devices.simulated.tags import tag
from companion.portable.messages import encode
from companion.portable.rc522 import RegisterPort


class Port(RegisterPort):
    def __init__(self, board):
        self.board = board

    def read(self, register):
        return self.board.chip.transfer(bytes([0x80 | register << 1, 0]), 1)[1]

    def write(self, register, value):
        self.board.chip.transfer(bytes([register << 1, value]), 1)

    def sleep_us(self, microseconds):
        self.board.micros += microseconds


class Line:
    idle = True

    def __init__(self):
        self.received = b""
        self.last = 0

    def send(self, line):
        words = line.split(b" ")
        if words[0] in (b"tap", b"lift", b"push"):
            self.received += encode("ack", int(words[1]))

    def flush(self):
        pass

    def read(self):
        data, self.received = self.received, b""
        return data


class Board:
    boot = "0000B007"
    cause = "power"

    def __init__(self):
        self.micros = 0
        self.channel = Line()
        self.chip = Mfrc522(lambda: self.micros)
        self.is_down = False

    def ticks(self):
        return self.micros // 1000

    def rest(self, milliseconds):
        self.micros += 1000 * 10 * milliseconds

    def feed(self):
        pass

    def tidy(self):
        pass

    def let_go(self):
        pass

    def reset(self):
        pass

    def bus(self, sck, mosi, miso, reset):
        return self

    def port(self, select):
        return Port(self)

    def button(self, pin):
        return self

    def down(self):
        return self.is_down


def play(board, hub, seconds):
    """A card every other second, a push every second, a host that beats."""
    for second in range(seconds):
        board.channel.received += encode("beat", second)
        card = tag(b"\x04\xa3\xc6\xca\xe2\x61\x80")
        if second % 2:
            board.chip.put(card)
        board.is_down = True
        run(board, hub, 400)
        board.is_down = False
        run(board, hub, 600)
        if second % 2:
            board.chip.take(card)


def run(board, hub, milliseconds):
    end = board.micros + 1000 * milliseconds
    while board.micros < end:
        hub.step()


def used():
    gc.collect()
    return gc.mem_alloc()


def refuse(*arguments):
    raise OSError("the firmware opens a file")


builtins.open = refuse
board = Board()
hub = Hub(board)
for line in (
    ("set-begin", 1),
    ("set-poll", 2, 50, 600, 150),
    ("set-reader", 3, "A", 5),
    ("set-button", 4, "ok", 12),
    ("use", 5),
):
    board.channel.received += encode(*line)
play(board, hub, 25)
first = used()
play(board, hub, 25)
print(first, used(), hub.outbox.acknowledged, sorted(hub._errors))
