"""The tests about every game, called for one that is not on the shelf of the box."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any

import pytest

from companion.games.shelf import GAMES
from tests.contract import tables, test_contract, test_secrets, test_wording


def put_on_the_shelf(
    monkeypatch: pytest.MonkeyPatch, game: str, box: str, setups: Sequence[dict[str, Any]]
) -> None:
    """Add a game for the length of a test; `box` is the module with its box."""
    monkeypatch.setitem(GAMES, game, box)
    monkeypatch.setitem(tables.SETUPS, game, setups)


def contract_for(game: str, setups: int, *more: ModuleType) -> list[Any]:
    """Every test about any game, or any table of one, as a call without arguments for pytest.

    `setups`: how many the game has; `more`: modules with such tests beyond the contract. The game
    must be on the shelf when the calls are made, not before.
    """
    modules = (test_contract, test_secrets, test_wording, *more)
    return [call for module in modules for call in _calls(module, game, setups)]


def _calls(module: ModuleType, game: str, setups: int) -> Iterator[Any]:
    for name, test in vars(module).items():
        for chosen in _arguments(test, game, setups) if name.startswith("test_") else ():
            label = "-".join(map(str, (name, *chosen.values())))
            yield pytest.param(partial(test, **chosen), id=label)


def _arguments(test: Callable[..., None], game: str, setups: int) -> list[dict[str, Any]]:
    """What a test is called with: once for the game, or for each of its set-ups; or not at all."""
    parameters = inspect.signature(test).parameters
    if "number" in parameters:
        return [{"game": game, "number": number} for number in range(setups)]
    return [{"game": game}] if "game" in parameters else []
