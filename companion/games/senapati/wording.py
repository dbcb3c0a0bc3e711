"""Senapati and Rajasa in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which piece and where. The messages are keys of the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from companion.games.senapati import happenings as own
from companion.games.senapati.content import NO, SACRIFICE, SCAN, SKILL, SWAP, YES
from companion.games.senapati.game import Senapati
from companion.games.senapati.returning import BONUS, FREE_TURN
from companion.games.senapati.state import Mark, Phase
from companion.games.senapati.table import RAJASA, SENAPATI, is_rajasa, lane_of, owner
from companion.rules import events
from companion.rules.events import Event
from companion.rules.layouts import Place, Shift
from companion.rules.lines import SILENCE, SKIPPED
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Choice, Prompt
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
    YES: N_("yes"),
    NO: N_("no"),
    "done": N_("done"),
    SCAN: N_("scan"),
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
    YES: ("yes", "y", "ya", "はい"),
    NO: ("no", "n", "tidak", "いいえ"),
    "done": ("done", "sudah", "beres", "完了"),
    SCAN: ("scan", "pindai", "スキャン"),
}
"""The words that people may type for an option, in all languages, labels included."""

LANE_WORDS = ("lane {n}", "lajur {n}", "レーン{n}")

# -- what happened ---------------------------------------------------------------------------------

SENTENCES: dict[type[Event], str] = {
    events.Answered: N_("{seat} chooses: {choice}."),
    events.Corrected: N_("The table corrects: {what}."),
    events.RulingChanged: N_("The table decides ruling {ruling} anew: {choice}"),
    events.SeatLeft: N_("{seat} leaves the table."),
    events.SeatJoined: N_("{seat} joins the table."),
    events.SeatsSwapped: N_("{seat} and {other} swap places in the turn order."),
    events.Drew: N_("{seat} draws {cards}."),
    events.DrawIgnored: N_("{seat} draws nothing: no card is left."),
    events.Laid: N_("{seat} uses {card}."),
    events.Played: N_("{seat} uses the skill {card}."),
    events.Discarded: N_("{card} is laid with the used cards."),
    events.Reshuffled: N_("The used cards become a new deck: {cards}."),
    events.HandReturned: N_("{seat} puts {cards} away."),
    events.Scanned: N_("{seat} scans {card}."),
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

OTHERWISE: dict[type[Event], tuple[tuple[Callable[[Any], bool], str], ...]] = {
    events.Answered: (
        (lambda event: event.via in (SILENCE, SKIPPED), N_("{seat} says nothing: {choice}.")),
        (lambda event: event.forced, N_("{seat} chooses, as the table agrees: {choice}.")),
    ),
    events.Corrected: (
        (lambda event: bool(event.reason), N_("The table corrects: {what} ({reason}).")),
    ),
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
    "turn": ("giliran", "手番"),
    SENAPATI: ("セナパティ",),
    RAJASA: ("raja", "ラジャサ"),
    "hand": ("tangan", "手札"),
    "discard": ("discards", "bekas", "使用済み"),
    Mark.PINNED.value: ("held", "tertahan", "足止め"),
    Mark.GUARDED.value: ("dijaga", "護衛中"),
    SKILL: ("スキル",),
}
"""Kinds of things and places by what else people call them."""

PLACES = {
    "turn": N_("Turn: {who}"),
    SENAPATI: N_("Senapati {lane} of {who}: {cell}"),
    f"{SENAPATI}/none": N_("Senapati {lane} of {who}: off the board"),
    RAJASA: N_("Rajasa of {who}: {cell}"),
    f"{RAJASA}/none": N_("Rajasa of {who}: off the board"),
    "hand": N_("Hand of {who}: {cards}"),
    "discard": N_("Used {deck}: {n}"),
    "discard/own": N_("Used action cards of {who}: {n}"),
    Mark.PINNED.value: N_("{piece} of {who}: cannot move in the next turn"),
    Mark.GUARDED.value: N_("{piece} of {who}: cannot be taken"),
    "unmarked": N_("{piece} of {who}: nothing special"),
    "phase": N_("Phase: {phase}"),
    "other": N_("{thing}: {place}"),
}

TO_DO = {
    "move": N_("{piece} of {who}: to {cell}"),
    "out": N_("{piece} of {who}: off the board"),
    "take": N_("{who}: take {cards}"),
    "away": N_("{who}: put the action cards away"),
    "shuffle": N_("{who}: shuffle the used cards, they are the new deck"),
    "shuffle/skill": N_("Shuffle the used skill cards, they are the new deck"),
}


class SenapatiWording:
    """The words of one game. Implements `companion.rules.wording.Wording`."""

    def __init__(self, game: Senapati) -> None:
        self.game = game
        self._arguments: dict[str, Callable[[Any], object]] = {
            **dict.fromkeys(("seat", "other", "by"), self._who),
            "winners": lambda seats: [self._who(seat) for seat in seats],
            "card": self._card,
            "piece": self._piece,
            "gain": lambda gain: Phrase(OPTIONS[gain]),
        }
        self._additions: dict[type[Event], Callable[[Any], dict[str, object]]] = {
            events.Answered: lambda e: {"choice": self._choice(e.choice)},
            events.Corrected: lambda e: {"what": self.place(Shift(e.thing, e.before, e.place))},
            events.RulingChanged: lambda e: {"choice": self._variant_text(e.ruling, e.choice)},
        }
        self._to_do: dict[str, Callable[[Shift], Phrase | None]] = {
            SENAPATI: self._move,
            RAJASA: self._move,
            "hand": self._take_cards,
            "discard": self._shuffle,
        }

    # -- questions and choices -----------------------------------------------------------------

    def ask(self, prompt: Prompt[Any]) -> Phrase:
        """The question, verb first."""
        skills = self.game.state.hands[prompt.seat].counts.get(SKILL, 0)
        key = "act/skill" if prompt.key == "act" and skills else prompt.key
        return Phrase(QUESTIONS[key], self._question_args(prompt))

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        """Per 6 to 19 What may be done, in the first turns of each phase."""
        state = self.game.state
        if not state.guide or prompt.key not in GUIDES:
            return None
        turns = state.turn - (state.free_since if state.phase is Phase.FREE else 1)
        if turns >= GUIDED_TURNS and prompt.key in ("action", "push", "advance", "act"):
            return None
        return Phrase(GUIDES[prompt.key], self._question_args(prompt))

    def _question_args(self, prompt: Prompt[Any]) -> dict[str, object]:
        return {name: self._arguments[name](value) for name, value in prompt.args.items()}

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
        return self._choice(choice)

    def _taken(self, choice: Choice, seat: str) -> Phrase | None:
        """A move that takes a piece."""
        cells = self.game.field.cells_of(choice)
        there = self.game.piece_at(cells[1]) if len(cells) > 1 else ""
        if not there or owner(there) == seat:
            return None
        args = {"start": cells[0], "end": cells[1], "piece": self._piece(there)}
        return Phrase(TAKING, args)

    def _choice(self, choice: Choice) -> Label:
        if isinstance(choice, int):
            return Phrase(LANE, {"n": choice})
        name = self.game.catalogue.names.get(choice)
        if name is not None:
            return name
        cells = self.game.field.cells_of(choice)
        if len(cells) > 1:
            return Phrase(MOVE, {"start": cells[0], "end": cells[1]})
        if cells:
            return Named({"en": choice})
        return Phrase(OPTIONS[choice]) if choice in OPTIONS else self._who(choice)

    def detail(self, choice: Choice) -> Label | None:
        """What a card says."""
        if choice not in self.game.catalogue.names:
            return None
        text = self.game.content.text(str(choice))
        return Named(text) if text else None

    def things(self) -> Mapping[str, Iterable[str]]:
        """What is called otherwise in the rulebook's language and in Japanese."""
        return THINGS

    def names(self) -> Mapping[Choice, Iterable[str]]:
        """Cards, options, lanes, squares, moves and players by the words that people may type."""
        names: dict[Choice, list[str]] = {option: list(words) for option, words in TYPED.items()}
        for card, name in self.game.catalogue.names.items():
            names.setdefault(card, []).extend(name.words.values())
        for lane in self.game.field.lanes:
            names[lane] = [words.format(n=lane) for words in LANE_WORDS]
        names.update({choice: [str(choice)] for choice in self._places_to_name()})
        for seat, player in self.game.state.names.items():
            names.setdefault(seat, []).extend((seat, player))
        return {choice: tuple(dict.fromkeys(words)) for choice, words in names.items()}

    def _places_to_name(self) -> Iterator[str]:
        """Every way from a piece to a square, also those against the rules.

        Squares by themselves only where pieces come in: "a 6" may be what seat A says, too.
        """
        cells = self.game.field.cells
        if self.game.state.phase is Phase.RETURN:
            yield from cells
        for start in self.game.taken():
            yield from (f"{start}-{end}" for end in cells if end != start)

    # -- what happened -------------------------------------------------------------------------

    def tell(self, event: Event) -> Phrase:
        """What happened, in one sentence."""
        special = OTHERWISE.get(type(event), ())
        text = next((text for holds, text in special if holds(event)), SENTENCES[type(event)])
        return Phrase(text, self._event_args(event))

    def _event_args(self, event: Event) -> dict[str, object]:
        """Every field of an event by its name, put into words, and what its sentence adds."""
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        args = {
            name: self._arguments[name](value) if name in self._arguments else value
            for name, value in fields.items()
        }
        if "deck" in fields and "count" in fields:
            args["cards"] = _cards(fields["deck"], fields["count"])
        additions = self._additions.get(type(event))
        return args if additions is None else args | additions(event)

    def _variant_text(self, ruling: str, choice: str) -> Label:
        found = self.game.register.rulings[ruling]
        return Named(found.variant(choice).text)

    # -- the real table ------------------------------------------------------------------------

    def instruct(self, shift: Shift) -> Phrase | None:
        """What to do with one's hands so that the table follows."""
        to_do = self._to_do.get(shift.kind)
        return None if to_do is None else to_do(shift)

    def _move(self, shift: Shift) -> Phrase | None:
        """A piece to move, to bring in or to take off the board."""
        args = {"who": self._who(shift.owner), "piece": self._piece(shift.thing)}
        if shift.end is None:
            return Phrase(TO_DO["out"], args) if shift.start is not None else None
        return Phrase(TO_DO["move"], {**args, "cell": shift.end})

    def _take_cards(self, shift: Shift) -> Phrase | None:
        """Cards to draw, or a hand to put away."""
        deck = shift.thing.rpartition("/")[2]
        who = self._who(shift.owner)
        more = _number(shift.end) - _number(shift.start)
        if more > 0:
            return Phrase(TO_DO["take"], {"who": who, "cards": _cards(deck, more)})
        gone = deck != SKILL and not _number(shift.end)
        return Phrase(TO_DO["away"], {"who": who}) if gone else None

    def _shuffle(self, shift: Shift) -> Phrase | None:
        """Used cards get fewer only by becoming a new deck."""
        if _number(shift.end) >= _number(shift.start):
            return None
        if shift.owner == SKILL:
            return Phrase(TO_DO["shuffle/skill"])
        return Phrase(TO_DO["shuffle"], {"who": self._who(_whose(shift.owner))})

    def place(self, shift: Shift) -> Phrase:
        """One thing and where it is."""
        kind, args = self._placed(shift)
        return Phrase(PLACES[kind], {"who": self._who(shift.owner), "thing": shift.thing, **args})

    def _placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        """A message of PLACES and what goes into it."""
        kind, end = shift.kind, shift.end
        if kind in (SENAPATI, RAJASA) and shift.thing in self.game.state.pieces:
            return self._piece_placed(shift)
        if kind in tuple(Mark):
            which = shift.thing.rpartition("/")[2]
            named = RAJASA if which == RAJASA else f"{SENAPATI}/{shift.owner}/{which}"
            return kind if end else "unmarked", {"piece": self._piece(named)}
        match kind:
            case "turn":
                return kind, {"who": self._who(str(end))}
            case "hand":
                return kind, {"cards": _cards(shift.thing.rpartition("/")[2], _number(end))}
            case "discard":
                return self._used(shift.owner, _number(end))
            case "phase" if end in tuple(Phase):
                return kind, {"phase": self.phase(str(end))}
        return "other", {"place": "" if end is None else end}

    def _piece_placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        args: dict[str, object] = {"cell": shift.end}
        if not is_rajasa(shift.thing):
            args["lane"] = lane_of(shift.thing)
        return (f"{shift.kind}/none" if shift.end is None else shift.kind), args

    def _used(self, deck: str, count: int) -> tuple[str, dict[str, object]]:
        if deck == SKILL:
            return "discard", {"deck": Phrase(DECK_NAMES[SKILL]), "n": count}
        return "discard/own", {"who": self._who(_whose(deck)), "n": count}

    def fact(self, kind: str, value: int | str) -> Phrase:
        """Lanes won, or pieces left."""
        return _counted(LANES_WON if kind == "lanes" else PIECES, _number(value))

    def phase(self, phase: str) -> Phrase:
        """Which phase it is."""
        return Phrase(PHASES[Phase(phase)])

    # -- names ---------------------------------------------------------------------------------

    def _who(self, seat: str) -> Label:
        """A player; a seat nobody knows by its id."""
        return Named({"en": self.game.state.names.get(seat, seat)})

    def _card(self, card: str) -> Named:
        return self.game.catalogue.names.get(card) or Named({"en": card})

    def _piece(self, piece: str) -> Phrase:
        """A piece: the Rajasa, or a Senapati with the number of its lane."""
        if is_rajasa(piece):
            return Phrase(OPTIONS[RAJASA])
        return Phrase(N_("Senapati {lane}"), {"lane": lane_of(piece)})


def _whose(deck: str) -> str:
    """The seat whose action cards a deck has."""
    return deck.rpartition("-")[2].upper()


def _cards(deck: str, count: int) -> Phrase:
    return _counted(SKILL_CARDS if deck == SKILL else ACTION_CARDS, count)


def _counted(template: Phrase, n: int) -> Phrase:
    """A counted noun: "2 skill cards"."""
    return Phrase(template.text, {"n": n}, template.plural)


def _number(place: Place) -> int:
    """A count from a layout; nothing there is none."""
    return place if isinstance(place, int) else 0
