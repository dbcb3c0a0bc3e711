"""Measure play, sessions, start-up and memory. `python -m benchmarks [--short] [game …]`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from benchmarks import play, sessions, soak, start, taps, uno
from companion.games.shelf import GAMES


def lines(games: list[str], *, short: bool) -> Iterator[str]:
    """Every measure as a line of text, as soon as it is taken."""
    for game in games:
        yield play.random_play(game, seconds=1 if short else 5)
        yield from sessions.measures(game, answers=200 if short else 1000)
    yield from uno.measures(1 if short else 5)
    yield from taps.measures(20 if short else 100)
    yield from soak.measures("chaos-kart", (100, 200, 300) if short else (1000, 5000, 10_000))
    yield from start.measures(runs=3 if short else 11)


def main() -> None:
    """Print every measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(GAMES), help="which games")
    parser.add_argument("--short", action="store_true", help="a quick look")
    options = parser.parse_args()
    for line in lines(options.games, short=options.short):
        print(line, flush=True)


if __name__ == "__main__":
    main()
