"""UNO beside other programs: rounds of four, the same policy, all in one run.

Everybody answers at random among what is allowed, and draws only when nothing can be laid. Our
rounds go on to the score and have every event with its rule, cause and citation. RLCard's UNO has
no items, challenges or scores and lays a drawn card in the same step; OpenSpiel's crazy eights is
another game of the same family, written in C++. Both are only measured where they are installed:
`pip install rlcard open-spiel`, or the group `peers` of this project.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from benchmarks.play import SEATS, SEED
from companion.games.uno_mario_kart.box import BOX
from companion.games.uno_mario_kart.game import UnoMarioKart
from companion.rules.game import Run
from companion.rules.prompts import Choice, Prompt
from companion.virtual import HANDS, VirtualTable

BUDGET = 1.5


class Rate(NamedTuple):
    """What was done in one second, and how long a round was."""

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
        refusal_of = prompt.predicate
        if prompt.key == "drawn":
            held = held[-1:]
        return [card for card in held if refusal_of(card) is None] or NOTHING[prompt.key]


def measures(seconds: float) -> Iterator[str]:
    """Our rounds, and those of whatever peers there are, with the ratios."""
    ours = our_rounds(seconds)
    yield _line("our rules, with events", ours)
    for name, measure, budget in (
        ("RLCard, Game.step", rlcard_steps, f" (budget {BUDGET})"),
        ("RLCard, Env.step", rlcard_env, ""),
        ("RLCard, rules only", rlcard_rules, ""),
        ("OpenSpiel, crazy eights from Python", openspiel, ""),
    ):
        try:
            peer = measure(seconds)
        except ImportError as error:
            yield f"uno: {name}: not installed ({error.name})"
            continue
        again = our_rounds(seconds / 2)
        here = Rate(*((one + two) / 2 for one, two in zip(ours, again, strict=True)))
        ours = again
        yield (
            f"{_line(name, peer)}; ours has {here.decisions / peer.decisions:.2f} times its "
            f"decisions a second{budget} and {here.rounds / peer.rounds:.2f} times its rounds"
        )


def _line(name: str, rate: Rate) -> str:
    return (
        f"uno: {name}: {rate.decisions:,.0f} decisions/s, {rate.rounds:,.0f} rounds/s, "
        f"{rate.length:.0f} decisions a round"
    )


def our_rounds(seconds: float) -> Rate:
    """Rounds by our rules: from the deal to the score."""
    content = BOX.content()
    names = [f"Player {n}" for n in range(SEATS)]
    setup = msgspec.convert({"seats": names, "target": 1}, BOX.setup_type)
    random = Random(SEED)
    rounds = decisions = 0
    started = perf_counter()
    while perf_counter() - started < seconds:
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
    started = perf_counter()
    while perf_counter() - started < seconds:
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
    started = perf_counter()
    while perf_counter() - started < seconds:
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
    started = perf_counter()
    while perf_counter() - started < seconds:
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
    started = perf_counter()
    while perf_counter() - started < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random.random() * len(legal))])
            decisions += 1
        rounds += 1
    return _rate(decisions, rounds, started)


def _rate(decisions: int, rounds: int, started: float) -> Rate:
    spent = perf_counter() - started
    return Rate(decisions / spent, rounds / spent)


def main() -> None:
    """Print every measure."""
    for line in measures(5):
        print(line, flush=True)


if __name__ == "__main__":
    main()
