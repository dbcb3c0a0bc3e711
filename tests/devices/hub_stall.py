"""Runs under MicroPython: writes far more than a terminal that nobody reads can take."""

import sys

from channel import Channel

channel = Channel()
for _ in range(20_000):
    if channel.idle:
        channel.send(b"x" * 64 + b"\n")
    channel.flush()
    channel.read()
sys.stderr.write("still going\n")
