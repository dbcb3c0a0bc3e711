"""UNO beside other programs: rounds of four, the same policy, all in one run.

Everybody answers at random among what is allowed, and draws only when nothing can be laid. Ours
are whole games, each round from the deal to the score, with every event, its rule, cause and
citation. RLCard's UNO has no items, challenges or scores and lays a drawn card in the same step;
OpenSpiel's crazy eights is another game of the same family, written in C++. Both are only measured
where they are installed: `pip install rlcard open-spiel`, or the group `peers` of this project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import filterfalse
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import msgspec

from benchmarks.play import SEATS, SEED
from companion.games.uno_mario_kart.box import BOX
from companion.games.uno_mario_kart.game import UnoMarioKart
from companion.rules.game import Run
from companion.rules.prompts import Choice, Prompt
from companion.virtual import HANDS, VirtualTable

BUDGET = 1.5
TURNS = 15
"""How often a peer and we are measured, one after the other; the median counts."""


class Rate(NamedTuple):
    """What was done in one second of the processor, and how long a round was."""

    decisions: float
    rounds: float

    @property
    def length(self) -> float:
        """Decisions a round."""
        return self.decisions / self.rounds


NOTHING = {"turn": ("draw",), "drawn": ("pass",)}
"""What is said where nothing can be laid."""


class Shedding(VirtualTable):
    """People who lay a card whenever they can, and count their hands as totals."""

    def __init__(self, game: UnoMarioKart, random: Random) -> None:
        super().__init__(game, random)
        self.points = {card: kind.points for card, kind in game.content.kinds.items()}

    def options(self, prompt: Prompt[Any]) -> Sequence[Choice]:
        if prompt.source not in HANDS:
            return super().options(prompt)
        held = self.hands[prompt.seat]
        if prompt.key == "count":
            return (sum(self.points[card] for card in held),)
        if prompt.key == "drawn":
            held = held[-1:]
        return list(filterfalse(prompt.predicate, held)) or NOTHING[prompt.key]


def measures(seconds: float) -> Iterator[str]:
    """Our rounds, and those of whatever peers there are, with the ratios."""
    yield _line("our rules, with events", our_rounds(seconds))
    for name, peer, budget in (
        ("RLCard, Game.step", rlcard_steps, f" (budget {BUDGET})"),
        ("RLCard, Env.step", rlcard_env, ""),
        ("RLCard, rules only", rlcard_rules, ""),
        ("OpenSpiel, crazy eights from Python", openspiel, ""),
    ):
        try:
            pairs = _in_turn(peer, seconds)
        except ImportError as error:
            yield f"uno: {name}: not installed ({error.name})"
            continue
        theirs = Rate(*map(median, zip(*(rate for _, rate in pairs), strict=True)))
        decisions = median(ours.decisions / rate.decisions for ours, rate in pairs)
        rounds = median(ours.rounds / rate.rounds for ours, rate in pairs)
        yield (
            f"{_line(name, theirs)}; ours has {decisions:.2f} times its decisions a second{budget} "
            f"and {rounds:.2f} times its rounds"
        )


def _in_turn(peer: Callable[[float], Rate], seconds: float) -> list[tuple[Rate, Rate]]:
    """Our rounds and a peer's, by turns, so that what else the machine does meets both alike."""
    return [(our_rounds(seconds / TURNS), peer(seconds / TURNS)) for _ in range(TURNS)]


def _line(name: str, rate: Rate) -> str:
    return (
        f"uno: {name}: {rate.decisions:,.0f} decisions/s, {rate.rounds:,.0f} rounds/s, "
        f"{rate.length:.0f} decisions a round"
    )


def our_rounds(seconds: float) -> Rate:
    """Rounds by our rules, from the deal to the score, in whole games."""
    content = BOX.content()
    names = [f"Player {n}" for n in range(SEATS)]
    setup = msgspec.convert({"seats": names}, BOX.setup_type)
    random = Random(SEED)
    rounds = decisions = 0
    started = process_time()
    while process_time() - started < seconds:
        game = BOX.begin(setup, content)
        run: Run[Any] = Run(game)
        run.start()
        table = Shedding(game, random)
        while run.open:
            run.answer(table.answer(run.prompt))
            decisions += 1
        rounds += game.state.round
    return _rate(decisions, rounds, started)


def rlcard_steps(seconds: float) -> Rate:
    """Rounds by RLCard's `Game.step`."""
    from rlcard.games.uno import Game

    random = Random(SEED)
    rounds = decisions = 0
    started = process_time()
    while process_time() - started < seconds:
        game = Game(num_players=SEATS)
        game.init_game()
        while not game.is_over():
            legal = game.get_legal_actions()
            game.step(legal[int(random.random() * len(legal))])
            decisions += 1
        rounds += 1
    return _rate(decisions, rounds, started)


def rlcard_rules(seconds: float) -> Rate:
    """Rounds by the rules of RLCard alone, without the states that `step` makes."""
    from rlcard.games.uno import Game

    random = Random(SEED)
    rounds = decisions = 0
    started = process_time()
    while process_time() - started < seconds:
        game = Game(num_players=SEATS)
        game.init_game()
        while not game.is_over():
            legal = game.get_legal_actions()
            action = legal[int(random.random() * len(legal))]
            game.round.proceed_round(game.players, action)
            decisions += 1
        rounds += 1
    return _rate(decisions, rounds, started)


def rlcard_env(seconds: float) -> Rate:
    """Rounds by RLCard's `Env.step`; its environment is for two players."""
    import rlcard

    random = Random(SEED)
    env = rlcard.make("uno")
    rounds = decisions = 0
    started = process_time()
    while process_time() - started < seconds:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(random.random() * len(legal))])
            decisions += 1
        rounds += 1
    return _rate(decisions, rounds, started)


def openspiel(seconds: float) -> Rate:
    """Rounds of OpenSpiel's crazy eights, chance included."""
    import pyspiel

    random = Random(SEED)
    game = pyspiel.load_game(f"crazy_eights(players={SEATS})")
    rounds = decisions = 0
    started = process_time()
    while process_time() - started < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            decisions += 1
        rounds += 1
    return _rate(decisions, rounds, started)


def _rate(decisions: int, rounds: int, started: float) -> Rate:
    spent = process_time() - started
    return Rate(decisions / spent, rounds / spent)


def main() -> None:
    """Print every measure."""
    for line in measures(5):
        print(line, flush=True)


if __name__ == "__main__":
    main()
