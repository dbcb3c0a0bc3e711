"""A simulated Pico starts: the current folder is its flash, main.py in it is run.

When that is not there or comes to its end, this is MicroPython's prompt, which the Unix port has
for people only: the raw one that mpremote speaks with.
"""

import os
import sys

import machine  # brings the chips' models, before the flash's own package comes first

sys.path.insert(0, os.getcwd())

CTRL_A, CTRL_B, CTRL_C, CTRL_D, CTRL_E = b"\x01", b"\x02", b"\x03", b"\x04", b"\x05"
BANNER = b"raw REPL; CTRL-B to exit\r\n>"


def run(code: str, space: dict[str, object]) -> None:
    """Run it, and tell its error as MicroPython does."""
    try:
        exec(code, space)
    except Exception as error:
        sys.print_exception(error)


def prompt() -> None:
    """Take code and run it, for ever."""
    space = {"__name__": "__main__", "machine": machine}
    raw = False
    code = b""
    while True:
        byte = sys.stdin.buffer.read(1)
        if not byte:
            sys.exit()  # whoever ran this Pico is gone
        if byte == CTRL_A:
            raw, code = True, b""
            tell(BANNER)
        elif byte == CTRL_B:
            raw = False
            tell(b"\r\n>>> ")
        elif not raw or byte == CTRL_C:
            code = b""
        elif byte == CTRL_E:
            sys.stdin.buffer.read(2)
            tell(b"R\x00")  # the quicker way of handing code over is not there
        elif byte == CTRL_D:
            answer(code, space)
            code = b""
        else:
            code += byte


def answer(code: bytes, space: dict[str, object]) -> None:
    """Run the code: its output, its error, each closed by CTRL-D."""
    tell(b"OK")
    try:
        exec(code.decode(), space)
    except Exception as error:
        tell(CTRL_D)
        sys.print_exception(error)
        tell(CTRL_D + b">")
    else:
        tell(CTRL_D + CTRL_D + b">")


def tell(data: bytes) -> None:
    """Write bytes to whoever is at the prompt."""
    sys.stdout.buffer.write(data)


if "main.py" in os.listdir():
    with open("main.py") as file:
        run(file.read(), {"__name__": "__main__"})
prompt()
