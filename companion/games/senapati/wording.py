"""Senapati and Rajasa in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which piece and where. The messages are keys of the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.senapati import happenings as own
from companion.games.senapati.content import SACRIFICE, SKILL, SWAP
from companion.games.senapati.game import Senapati
from companion.games.senapati.returning import BONUS, FREE_TURN
from companion.games.senapati.state import Mark, Phase
from companion.games.senapati.table import RAJASA, SENAPATI, is_rajasa, lane_of, owner
from companion.rules import events
from companion.rules.cards import SCAN
from companion.rules.events import Event
from companion.rules.layouts import Shift, count_at
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Choice, Prompt
from companion.rules.tabled import Special, TabledWording, counted
from companion.rules.wording import Label

GUIDED_TURNS = 4
"""Turns of each phase in which newcomers are told what may be done."""

# -- nouns -----------------------------------------------------------------------------------------

ACTION_CARDS = Phrase(N_("{n} action card"), plural=N_("{n} action cards"))
SKILL_CARDS = Phrase(N_("{n} skill card"), plural=N_("{n} skill cards"))
LANES_WON = Phrase(N_("{n} lane won"), plural=N_("{n} lanes won"))
PIECES = Phrase(N_("{n} piece"), plural=N_("{n} pieces"))
DECK_NAMES = {"action": N_("action cards"), SKILL: N_("skill cards")}

# -- questions -------------------------------------------------------------------------------------

QUESTIONS = {
    "action": N_("Lay an action card"),
    "push": N_("{card}: push the enemy of which lane?"),
    "advance": N_("{card}: move forward in which lane?"),
    "return": N_("Where does {piece} come in?"),
    "act": N_("Move a piece, or sacrifice"),
    "act/skill": N_("Move, sacrifice, or use a skill"),
    "sacrifice": N_("Sacrifice which Senapati?"),
    "draw": N_("The same position again: agree to a draw?"),
    "skill-move": N_("{card}: move which piece, where to?"),
    "skill-push": N_("{card}: push which Senapati?"),
    "skill-swap": N_("{card}: which two change places?"),
    "skill-pin": N_("{card}: which piece is held?"),
    "skill-guard": N_("{card}: which piece is guarded?"),
    "skill-revive": N_("{card}: where does it come back?"),
    SCAN: N_("Scan a card of your hand"),
}

GUIDES = {
    "action": N_(
        "Lane Phase: lay one card of your hand. A machete pushes an enemy Senapati back 1 square, "
        "a spear 2, a shield moves one of yours forward 1. Then take a new card (Per 6 to 9)."
    ),
    "push": N_("Pushed off the board, it is lost and the lane is yours (Per 10)."),
    "advance": N_("Not where two Senapati stand face to face (Per 8)."),
    "return": N_(
        "The Free Phase begins: all pieces come to the board, as near as can be to their places "
        "(Cara 7). Two squares are equally near, so you choose."
    ),
    "act": N_(
        "Free Phase: a Senapati moves one square up, down, left or right, a Rajasa in any "
        "direction. Take the enemy’s Rajasa to win. Or sacrifice a Senapati for a skill card "
        "(Per 14 to 19)."
    ),
    "sacrifice": N_("It is gone for good; you take a skill card, and your turn is over (Per 17)."),
    "draw": N_("The rulebook knows no draw; your table has chosen it (ruling S17)."),
}

PHASES = {
    Phase.DEAL: N_("The deal"),
    Phase.LANE: N_("Lane Phase"),
    Phase.RETURN: N_("All pieces come in"),
    Phase.FREE: N_("Free Phase"),
}

# -- choices ---------------------------------------------------------------------------------------

OPTIONS = {
    SWAP: N_("swap a shield (with three)"),
    SACRIFICE: N_("sacrifice for a skill card"),
    SENAPATI: N_("Senapati"),
    RAJASA: N_("Rajasa"),
    Mark.PINNED.value: N_("held"),
    Mark.GUARDED.value: N_("guarded"),
    FREE_TURN: N_("the first turn of the Free Phase"),
    BONUS: N_("a skill card"),
}

LANE = N_("lane {n}")
LANE_AT = N_("lane {n}: {cell}")
MOVE = N_("{start} → {end}")
TAKING = N_("{start} → {end}: takes {piece}")

TYPED: dict[Choice, tuple[str, ...]] = {
    SWAP: (
        *("swap", "swap a shield (with three)", "exchange", "tukar perisai (bila ada tiga)"),
        *("tukar", "盾を交換（3枚あるとき）", "盾を交換", "交換"),
    ),
    SACRIFICE: (
        *("sacrifice", "sacrifice for a skill card", "take a skill", "korbankan demi kartu skill"),
        *("korban", "korbankan", "ambil skill", "犠牲でスキルを取る", "犠牲", "スキルを取る"),
    ),
}
"""The words that people may type for an option, in all languages, labels included."""

LANE_WORDS = ("lane {n}", "lajur {n}", "レーン{n}")

# -- what happened ---------------------------------------------------------------------------------

SENTENCES: dict[type[Event], str] = {
    events.Laid: N_("{seat} uses {card}."),
    events.Played: N_("{seat} uses the skill {card}."),
    events.Discarded: N_("{card} is laid with the used cards."),
    events.Reshuffled: N_("The used cards become a new deck: {cards}."),
    events.HandReturned: N_("{seat} puts {cards} away."),
    events.Ended: N_("{winners} wins: the enemy’s Rajasa is taken."),
    own.PhaseBegan: N_("The Free Phase begins; {seat} has the first turn."),
    own.Pushed: N_("{piece} of {seat} is pushed from {start} to {end}."),
    own.Advanced: N_("{piece} of {seat} goes forward from {start} to {end}."),
    own.Beaten: N_("{by} wins lane {lane}."),
    own.ShieldSwapped: N_("{seat} has three shields and exchanges one."),
    own.LanesWon: N_("{seat} has won more lanes ({count}) and gets {gain}."),
    own.Returned: N_("{piece} of {seat} comes to {end}."),
    own.PieceMoved: N_("{piece} of {seat} moves from {start} to {end}."),
    own.Taken: N_("{piece} of {seat} on {start} is taken."),
    own.Sacrificed: N_("{seat} sacrifices the Senapati on {start}."),
    own.Marked: N_("{piece} of {seat} cannot move in the next turn."),
    own.MarkLifted: N_("{piece} of {seat} can move again."),
    own.NoEffect: N_("{card} can do nothing more."),
    own.Repeated: N_("The same position has come up {times} times."),
    own.DrawAnswered: N_("No draw: the game goes on."),
}

SPECIALS: dict[type[Event], tuple[Special, ...]] = {
    events.Ended: (
        (
            lambda event: event.reason == "stuck",
            N_("{winners} wins: the enemy has no piece that can move."),
        ),
        (lambda event: event.reason == "left", N_("{winners} wins: the other player has left.")),
        (
            lambda event: event.reason == "pieces",
            N_("{winners} wins with more pieces: 30 turns went by without one taken."),
        ),
        (lambda event: event.reason == "draw", N_("A draw.")),
    ),
    own.PhaseBegan: (
        (
            lambda event: event.phase == Phase.LANE,
            N_("The Lane Phase begins; {seat} has the first turn."),
        ),
    ),
    own.Pushed: (
        (lambda event: not event.end, N_("{piece} of {seat} is pushed from {start} and lost.")),
    ),
    own.Marked: (
        (
            lambda event: event.mark == Mark.GUARDED,
            N_("{piece} of {seat} cannot be taken until their next turn."),
        ),
    ),
    own.MarkLifted: (
        (
            lambda event: event.mark == Mark.GUARDED,
            N_("{piece} of {seat} is no longer guarded."),
        ),
    ),
    own.DrawAnswered: ((lambda event: event.agreed, N_("Both agree to a draw.")),),
}
"""Sentences for special cases of an event; the first whose condition holds is said."""

# -- things on the table ---------------------------------------------------------------------------

THINGS = {
    SENAPATI: ("セナパティ",),
    RAJASA: ("raja", "ラジャサ"),
    "discard": ("discards", "bekas", "使用済み"),
    Mark.PINNED.value: ("held", "tertahan", "足止め"),
    Mark.GUARDED.value: ("dijaga", "護衛中"),
    SKILL: ("スキル",),
}
"""Kinds of things and places by what else people call them."""

PLACES = {
    SENAPATI: N_("Senapati {lane} of {who}: {cell}"),
    f"{SENAPATI}/none": N_("Senapati {lane} of {who}: off the board"),
    RAJASA: N_("Rajasa of {who}: {cell}"),
    f"{RAJASA}/none": N_("Rajasa of {who}: off the board"),
    "discard": N_("Used {deck}: {n}"),
    "discard/own": N_("Used action cards of {who}: {n}"),
    Mark.PINNED.value: N_("{piece} of {who}: cannot move in the next turn"),
    Mark.GUARDED.value: N_("{piece} of {who}: cannot be taken"),
    "unmarked": N_("{piece} of {who}: nothing special"),
}

TO_DO = {
    "move": N_("{piece} of {who}: to {cell}"),
    "out": N_("{piece} of {who}: off the board"),
    "away": N_("{who}: put the action cards away"),
    "shuffle": N_("{who}: shuffle the used cards, they are the new deck"),
    "shuffle/skill": N_("Shuffle the used skill cards, they are the new deck"),
}

FACTS = {"lanes": LANES_WON, "pieces": PIECES}


class SenapatiWording(TabledWording[Senapati]):
    """The words of one game."""

    questions = QUESTIONS
    guides = GUIDES
    phases = PHASES
    sentences = SENTENCES
    specials = SPECIALS
    options = OPTIONS
    usual = ("yes", "no", "done", "scan")
    typed = TYPED
    kinds = THINGS
    places = PLACES
    tasks = TO_DO
    facts = FACTS

    def __init__(self, game: Senapati) -> None:
        super().__init__(game)
        self.card_names = game.catalogue.names
        self.arguments |= {
            "piece": self._piece,
            "gain": lambda gain: Phrase(OPTIONS[gain]),
        }
        self.to_do |= {SENAPATI: self._move, RAJASA: self._move}

    # -- questions and choices -----------------------------------------------------------------

    def question(self, prompt: Prompt[Any]) -> str:
        """The key of a question: who holds skill cards may use one."""
        skills = self.game.state.hands[prompt.seat].counts.get(SKILL, 0)
        return "act/skill" if prompt.key == "act" and skills else prompt.key

    def guided(self, prompt: Prompt[Any]) -> bool:
        """Per 6 to 19 What may be done, in the first turns of each phase."""
        state = self.game.state
        turns = state.turn - (state.free_since if state.phase is Phase.FREE else 1)
        again = prompt.key in ("action", "push", "advance", "act")
        return state.guide and not (again and turns >= GUIDED_TURNS)

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        """What a choice is called at a question, or without one."""
        if prompt is not None and prompt.key in ("push", "advance") and choice in prompt.candidates:
            cells = prompt.where(choice)
            if cells:
                return Phrase(LANE_AT, {"n": choice, "cell": cells[0]})
        if prompt is not None and prompt.key in ("act", "skill-move"):
            taken = self._taken(choice, prompt.seat)
            if taken is not None:
                return taken
        return super().label(choice, prompt)

    def _taken(self, choice: Choice, seat: str) -> Phrase | None:
        """A move that takes a piece."""
        cells = self.game.field.cells_of(choice)
        there = self.game.piece_at(cells[1]) if len(cells) > 1 else ""
        if not there or owner(there) == seat:
            return None
        args = {"start": cells[0], "end": cells[1], "piece": self._piece(there)}
        return Phrase(TAKING, args)

    def choice(self, choice: Choice, key: str) -> Label:
        """What a choice is called; a number is a lane, a cell a square, two of them a move."""
        if isinstance(choice, int):
            return Phrase(LANE, {"n": choice})
        cells = self.game.field.cells_of(choice)
        if len(cells) > 1:
            return Phrase(MOVE, {"start": cells[0], "end": cells[1]})
        return Named({"en": choice}) if cells else super().choice(choice, key)

    def detail(self, choice: Choice) -> Label | None:
        """What a card says."""
        if choice not in self.game.catalogue.names:
            return None
        text = self.game.content.text(str(choice))
        return Named(text) if text else None

    def named(self) -> Iterator[tuple[Choice, Iterable[str]]]:
        """Choices and words for them: lanes, squares and moves, too."""
        yield from super().named()
        for lane in self.game.field.lanes:
            yield lane, [words.format(n=lane) for words in LANE_WORDS]
        for choice in self._places_to_name():
            yield choice, (choice,)

    def _places_to_name(self) -> Iterator[str]:
        """Every way from a piece to a square, also those against the rules.

        Squares by themselves only where pieces come in: "a 6" may be what seat A says, too.
        """
        cells = self.game.field.cells
        if self.game.state.phase is Phase.RETURN:
            yield from cells
        for start in self.game.taken():
            yield from (f"{start}-{end}" for end in cells if end != start)

    # -- the real table ------------------------------------------------------------------------

    def _move(self, shift: Shift) -> Phrase | None:
        """A piece to move, to bring in or to take off the board."""
        args = {"who": self.who(shift.owner), "piece": self._piece(shift.thing)}
        if shift.end is None:
            return Phrase(TO_DO["out"], args) if shift.start is not None else None
        return Phrase(TO_DO["move"], {**args, "cell": shift.end})

    def take_cards(self, shift: Shift) -> Phrase | None:
        """Cards to draw, or a hand to put away."""
        gone = shift.last != SKILL and not count_at(shift.end)
        return self.task("away", shift) if gone else super().take_cards(shift)

    def shuffle(self, shift: Shift) -> Phrase | None:
        """Used cards get fewer only by becoming a new deck."""
        if shift.more >= 0:
            return None
        if shift.owner == SKILL:
            return Phrase(TO_DO["shuffle/skill"])
        return Phrase(TO_DO["shuffle"], {"who": self.who(_whose(shift.owner))})

    def placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        """The key of a thing in `PLACES` and what goes into the message."""
        kind, end = shift.kind, shift.end
        if kind in (SENAPATI, RAJASA) and shift.thing in self.game.state.pieces:
            return self._piece_placed(shift)
        if kind in tuple(Mark):
            named = RAJASA if shift.last == RAJASA else f"{SENAPATI}/{shift.owner}/{shift.last}"
            return kind if end else "unmarked", {"piece": self._piece(named)}
        if kind == "discard":
            return self._used(shift.owner)
        return super().placed(shift)

    def _piece_placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        args: dict[str, object] = {"cell": shift.end}
        if not is_rajasa(shift.thing):
            args["lane"] = lane_of(shift.thing)
        return (f"{shift.kind}/none" if shift.end is None else shift.kind), args

    def _used(self, deck: str) -> tuple[str, dict[str, object]]:
        if deck == SKILL:
            return "discard", {"deck": Phrase(DECK_NAMES[SKILL])}
        return "discard/own", {"who": self.who(_whose(deck))}

    # -- names ---------------------------------------------------------------------------------

    def cards(self, deck: str, n: int) -> Phrase:
        """So many cards of a deck: skill cards, or action cards of either player."""
        return counted(SKILL_CARDS if deck == SKILL else ACTION_CARDS, n)

    def _piece(self, piece: str) -> Phrase:
        """A piece: the Rajasa, or a Senapati with the number of its lane."""
        if is_rajasa(piece):
            return Phrase(OPTIONS[RAJASA])
        return Phrase(N_("Senapati {lane}"), {"lane": lane_of(piece)})


def _whose(deck: str) -> str:
    """The seat whose action cards a deck has."""
    return deck.rpartition("-")[2].upper()
