"""A game as a class of coroutines that read like its rulebook, and the run that drives it.

A rule that needs to know something awaits `ask`; nothing else may be awaited. The outermost loop
is a cursor in the state: `step` is one top-level decision with its consequences, asks before it
changes anything, and leaves no coroutine behind.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import Any, ClassVar, Generic, NoReturn, TypeVar, TypeVarTuple, Unpack

import msgspec

from companion.rules.errors import NotNow, Refused, RulesBug, WhichOne
from companion.rules.events import Answered, Because, Ended, Event, Log
from companion.rules.layouts import Layout, Place
from companion.rules.phrases import N_
from companion.rules.prompts import Choice, Prompt, Refusal
from companion.rules.rulings import Register
from companion.rules.seals import veiled
from companion.rules.views import View

P = TypeVarTuple("P")
T = TypeVar("T", bound=Choice)
S = TypeVar("S", bound="State")


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: the winner set and the rule that ended it."""

    winners: tuple[str, ...]
    rule: str
    reason: str


class State(msgspec.Struct, kw_only=True):
    """What every game's state has. All of it is explicit, JSON-able and comparable."""

    seats: list[str]
    """The seats in turn order; a seat's id never changes, its place may."""
    names: dict[str, str]
    rulings: dict[str, str] = {}
    """The variants in force that differ from the register's defaults."""
    ending: Ending | None = None


class Asking(msgspec.Struct, Generic[T], frozen=True, eq=False):
    """An offer with its arguments, waiting for its answer. Only a run can answer it."""

    offer: Callable[..., Prompt[T]]
    args: tuple[Any, ...]

    def __await__(self) -> Generator[Asking[T], T, T]:
        return (yield self)


class AskingEach(Generic[T]):
    """Several offers at once, answered in any order; gives the answers in the offers' order."""

    __slots__ = ("askings",)

    def __init__(self, askings: Sequence[Asking[T]]) -> None:
        self.askings = tuple(askings)

    def __await__(self) -> Generator[AskingEach[T], tuple[T, ...], tuple[T, ...]]:
        return (yield self)


class StepOver(Exception):
    """Drops the running step: nothing after it is resolved, and any open question is moot.

    Rules raise it where a rule ends more than itself, such as a round; `interject` when nothing
    is left to ask. The game has set its cursor to where it goes on, as for a correction.
    """


class GameOver(StepOver):
    """Unwinds the step in which the game ended: nothing after the end is resolved."""


class Game(Generic[S]):
    """One game: its rules as methods, its state, its log.

    A game defines `step`, the offers, `layout`, `put` and `view`; the rest has defaults.
    """

    name: ClassVar[str]
    counted: ClassVar[frozenset[str]] = frozenset()
    """The kinds of the layout whose place is a count."""
    tracked: ClassVar[frozenset[str]] = frozenset({"turn", "round"})
    """The kinds of the layout that lie nowhere on the table: nobody has to put them back."""
    state: S

    def __init__(self, state: S, register: Register) -> None:
        self.state = state
        self.log = Log()
        self.register = register

    # -- what rules use ------------------------------------------------------------------------

    def ask(self, offer: Callable[[Unpack[P]], Prompt[T]], *args: *P) -> Asking[T]:
        """Ask a question and await its answer; the offer is made again whenever it is looked at."""
        return Asking(offer, args)

    def ask_each(self, *askings: Asking[T]) -> AskingEach[T]:
        """Ask several seats at once; each is asked once."""
        return AskingEach(askings)

    def record(self, event: Event) -> int:
        """Write an event into the log; gives its number."""
        return self.log.append(event)

    def because(self, number: int) -> Because:
        """A `with` block whose events are caused by event `number`."""
        return self.log.because(number)

    def ruling(self, ruling: str) -> str:
        """The variant in force of one of the register's rulings; notes that it was asked."""
        return self.register.decide(ruling, self.state.rulings)

    def end(
        self, winners: tuple[str, ...], rule: str, reason: str, ruling: str | None = None
    ) -> NoReturn:
        """End the game at once."""
        self.state.ending = Ending(winners, rule, reason)
        self.record(Ended(rule=rule, ruling=ruling, winners=winners, reason=reason))
        raise GameOver

    # -- what a game defines -------------------------------------------------------------------

    async def step(self) -> None:
        """Ask the next top-level decision and do what follows from it."""
        raise NotImplementedError

    def beside(self) -> Sequence[Prompt[Any]]:
        """What seats may do beside the open question. A pure function of the state."""
        return ()

    def interject(self, prompt: Prompt[Any], choice: Choice) -> None:
        """Do what was chosen from `beside`. No coroutine: the open question is offered anew.

        Of two interjections at the same moment the first in `beside` counts. Raise StepOver when
        there is nothing left to ask.
        """
        raise NotImplementedError

    def out_of_turn(self, seat: str, choice: Choice) -> Refusal | None:
        """Why a seat that is not asked anything cannot do this now, where a rule says so."""
        return None

    def layout(self) -> Layout:
        """Where every piece, marker and card pile is on the real table, as all can see it."""
        raise NotImplementedError

    def piles(self) -> Layout:
        """The piles of which nobody counts what lies there; what is taken back goes onto them."""
        return {}

    def put(self, thing: str, place: Place) -> Refusal | None:
        """Correct one thing of the layout, or say why it cannot be there; then nothing changed."""
        raise NotImplementedError

    def leave(self, seat: str) -> None:
        """Take a seat out of the game; raises BadSetup where the rules forbid it."""
        raise NotNow(N_("This game does not let players leave."))

    def join(self, seat: str, name: str) -> None:
        """Seat a new player; raises BadSetup where the rules forbid it."""
        raise NotNow(N_("This game does not let players join."))

    def view(self, who: str | None) -> View:
        """What a seat may see; None: what everybody may."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise RulesBug when the state breaks an invariant of the game."""


class Run(Generic[S]):
    """A game in motion: runs steps until somebody must answer.

    `on_step` is called at the start of every step, when no rule is in the middle of anything.
    """

    LIMIT = 1000
    """Steps without a question before a game counts as stuck."""

    def __init__(self, game: Game[S], on_step: Callable[[], None] | None = None) -> None:
        self.game = game
        self.on_step = on_step
        self.open: list[Asking[Any]] = []
        self._made: Prompt[Any] | None = None
        """The only open question as it was last offered; made anew when something has changed."""
        self._each: dict[int, Choice] | None = None
        self._coroutine: Coroutine[Any, Any, None] | None = None
        self.in_step = 0
        """Answers that the running step has taken."""
        self._quiet = 0
        """Steps without a question since the last answer."""

    @property
    def prompts(self) -> list[Prompt[Any]]:
        """The open questions as offers of the present state; none when the game is over."""
        return [self._made or self._prompt(index) for index in range(len(self.open))]

    @property
    def prompt(self) -> Prompt[Any]:
        """The open question; raises NotNow when the game is over."""
        return self._made or self._prompt(0)

    def _prompt(self, index: int) -> Prompt[Any]:
        if not self.open:
            raise NotNow(N_("The game is over."))
        asking = self.open[index]
        prompt = asking.offer(*asking.args)
        if len(self.open) == 1:
            self._made = prompt
        return prompt

    def reoffer(self) -> None:
        """Make the open questions anew: something beside them has changed the state."""
        self._made = None

    def start(self, cause: int = -1) -> None:
        """Run from the state's cursor to the first question; `cause` is the event that led here."""
        self.stop()
        self.game.log.cause = cause
        if self.game.state.ending is None:
            self._resume(None)

    def stop(self) -> None:
        """Drop the running step where it is; the state stays as it is."""
        if self._coroutine is not None:
            self._coroutine.close()
            self._coroutine = None
        self.open = []
        self._made = None
        self._each = None
        self.in_step = 0

    def answer(
        self, choice: Choice, seat: str | None = None, *, forced: bool = False, via: str = ""
    ) -> None:
        """Answer the open question (of `seat`, where several are asked); runs to the next.

        Raises Refused, and changes nothing, when the choice is not allowed.
        """
        index = 0 if seat is None and self._made else self._index(seat)
        prompt = self._made or self._prompt(index)
        refusal = prompt.why_not(choice)
        if refusal is not None and not (forced and refusal.can_be_forced):
            raise Refused(refusal)
        log = self.game.log
        if not self.in_step:
            log.cause = -1
        self.in_step += 1
        log.cause = log.append(
            Answered(
                rule=prompt.rule,
                audience=(prompt.seat,) if prompt.private and prompt.hides_answer else None,
                seat=prompt.seat,
                prompt=prompt.key,
                choice=veiled(choice) if prompt.seals else choice,
                forced=refusal is not None,
                via=via,
                chance=prompt.chance,
            )
        )
        self._made = None
        if self._each is None:
            self.open = []
            self._resume(choice)
        else:
            self._take_one(self._each, index, choice)

    def _index(self, seat: str | None) -> int:
        if not self.open:
            raise NotNow(N_("The game is over."))
        seats = [prompt.seat for prompt in self.prompts]
        if seat is None and len(seats) == 1:
            return 0
        if seat is None:
            raise WhichOne(N_("Several are asked. Say who answers: {seats}."), seats=seats)
        if seat not in seats:
            raise NotNow(N_("This seat is not asked anything now."))
        return seats.index(seat)

    def _take_one(self, given: dict[int, Choice], index: int, choice: Choice) -> None:
        """Take the answer of one of several seats that are asked at once."""
        del self.open[index]
        places = [place for place in self._places if place not in given]
        given[places[index]] = choice
        if not self.open:
            self._each = None
            self._resume(tuple(given[place] for place in self._places))

    def _resume(self, value: object) -> None:
        if self._coroutine is None:
            self._coroutine = self._steps()
        self._quiet = 0
        try:
            asking = self._coroutine.send(value)
        except StopIteration:
            self._coroutine = None
            return
        if type(asking) is Asking:
            self.open = [asking]
        else:
            self._open_each(asking)

    async def _steps(self) -> None:
        """One step after the other, until the game ends."""
        game = self.game
        while game.state.ending is None:
            if not self.in_step:
                self._note_quiet()
            self.in_step = 0
            if self.on_step is not None:
                self.on_step()
            try:
                await game.step()
            except StepOver:
                continue

    def _note_quiet(self) -> None:
        """Count a step that asked nothing."""
        self._quiet += 1
        if self._quiet > self.LIMIT:
            raise RulesBug(f"{self.game.name}: {self.LIMIT} steps without a question")

    def _open_each(self, asking: object) -> None:
        if type(asking) is not AskingEach:
            self.stop()
            raise RulesBug(f"rules may await only ask and ask_each, not {asking!r}")
        self.open = list(asking.askings)
        seats = [prompt.seat for prompt in self.prompts]
        if len(set(seats)) < len(seats):
            raise RulesBug(f"one seat is asked twice at once: {seats}")
        self._places = range(len(self.open))
        self._each = {}
