"""The reader hub starts: MicroPython runs this file when the Pico gets power or is reset.

docs/protocol.md tells how to get to MicroPython's prompt again.
"""

from board import Board
from hub import Hub


def main() -> None:
    """Work for ever, or leave the prompt to whoever asked for it."""
    board = Board()
    if board.prompt_wanted():
        print("This is the prompt of the hub; it goes on working after the next reset.")
        return
    board.begin()
    Hub(board).run()


main()
