"""Wording by tables: what all games say alike, and a class that fills in who, which and how many.

A game gives tables of messages by event, question or kind of thing, and adds what is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from companion.rules import events
from companion.rules.events import Event
from companion.rules.game import Game
from companion.rules.layouts import Shift, count_at
from companion.rules.lines import SILENCE, SKIPPED
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, Choice, Prompt
from companion.rules.wording import Label

GameT = TypeVar("GameT", bound=Game[Any])


Special = tuple[Callable[[Any], bool], str]
"""A special case of an event and its sentence."""

PEOPLE = ("seat", "other", "by", "holder", "owner", "dealer")
"""Fields of events and arguments of questions that name a seat."""

SENTENCES: Mapping[type[Event], str] = {
    events.Answered: N_("{seat} chooses: {choice}."),
    events.Corrected: N_("The table corrects: {what}."),
    events.RulingChanged: N_("The table decides ruling {ruling} anew: {choice}"),
    events.SeatJoined: N_("{seat} joins the table."),
    events.SeatLeft: N_("{seat} leaves the table."),
    events.SeatsSwapped: N_("{seat} and {other} swap places in the turn order."),
    events.TurnBegan: N_("Turn {turn}: it is the turn of {seat}."),
    events.TurnEnded: N_("The turn of {seat} ends."),
    events.Drew: N_("{seat} draws {cards}."),
    events.DrawIgnored: N_("{seat} draws nothing: no card is left."),
    events.Scanned: N_("{seat} scans {card}."),
    events.Played: N_("{seat} plays {card}."),
    events.TurnedUp: N_("{card} is turned up."),
    events.Discarded: N_("{card} goes to the discards."),
    events.Reshuffled: N_("The discards of the {deck} are shuffled in: {cards}."),
    events.HandReturned: N_("{seat} shuffles {cards} back into the {deck}, unseen."),
    events.Ended: N_("The game is over. {winners} wins."),
}

SPECIALS: Mapping[type[Event], tuple[Special, ...]] = {
    events.Answered: (
        (lambda event: event.via in (SILENCE, SKIPPED), N_("{seat} says nothing: {choice}.")),
        (lambda event: event.forced, N_("{seat} chooses, as the table agrees: {choice}.")),
    ),
    events.Corrected: (
        (lambda event: bool(event.reason), N_("The table corrects: {what} ({reason}).")),
    ),
}

OPTIONS: Mapping[Choice, str] = {
    PASS: N_("pass"),
    "on": N_("on"),
    "off": N_("off"),
    "yes": N_("yes"),
    "no": N_("no"),
    "done": N_("done"),
    "scan": N_("scan"),
}

TYPED: Mapping[Choice, Iterable[str]] = {
    "yes": ("yes", "y", "ya", "はい"),
    "no": ("no", "n", "tidak", "いいえ"),
    "done": ("done", "sudah", "beres", "完了"),
    "scan": ("scan", "pindai", "スキャン"),
    "on": ("on", "yes, ask me", "nyala", "ya, tanyakan", "オン", "はい、尋ねる"),
    "off": ("off", "no, do not ask", "mati", "tidak usah", "オフ", "いいえ、尋ねない"),
}
"""The words that people may type for an option, in all languages, labels included."""

THINGS: Mapping[str, Iterable[str]] = {
    "turn": ("giliran", "手番"),
    "round": ("putaran", "ronde", "ラウンド"),
    "hand": ("tangan", "手札"),
    "discard": ("discards", "buangan", "buang", "捨て札"),
}
"""Kinds of things by what else people call them."""

PLACES: Mapping[str, str] = {
    "turn": N_("Turn: {who}"),
    "round": N_("Round: {n}"),
    "phase": N_("Phase: {phase}"),
    "hand": N_("Hand of {who}: {cards}"),
    "open": N_("Open before {who}: {card}"),
    "discard": N_("Discards of the {deck}: {cards}"),
    "deck/more": N_("Back on the deck: {cards}"),
    "deck/less": N_("From the deck again: {cards}"),
}
OTHER_PLACE = N_("{thing}: {place}")

TO_DO: Mapping[str, str] = {
    "take": N_("{who}: take {cards}"),
    "shuffle": N_("Shuffle the discards of the {deck} into a new deck"),
}

CARDS = Phrase(N_("{n} card"), plural=N_("{n} cards"))


def counted(template: Phrase, n: int) -> Phrase:
    """A counted noun: "2 cards"."""
    return Phrase(template.text, {"n": n}, template.plural)


class TabledWording(Generic[GameT]):
    """`Wording` by tables: a game fills these with its own messages, and adds what is its own.

    A table of a game goes before the one in this module of the same name. `arguments` says how a
    field of an event, or an argument of a question, is put into words; `additions` what else the
    sentence of an event needs; `to_do` what hands do, by kind of thing.
    """

    questions: ClassVar[Mapping[Any, str]] = {}
    guides: ClassVar[Mapping[str, str]] = {}
    phases: ClassVar[Mapping[Any, str]] = {}
    sentences: ClassVar[Mapping[type[Event], str]] = {}
    specials: ClassVar[Mapping[type[Event], tuple[Special, ...]]] = {}
    options: ClassVar[Mapping[Any, str]] = {}
    options_at: ClassVar[Mapping[Any, str]] = {}
    """Options that the question with a key calls otherwise."""
    usual: ClassVar[Sequence[str]] = ("yes", "no", "done")
    """Which of the usual options the game has."""
    typed: ClassVar[Mapping[Any, Iterable[str]]] = {}
    kinds: ClassVar[Mapping[Any, Iterable[str]]] = {}
    places: ClassVar[Mapping[str, str]] = {}
    tasks: ClassVar[Mapping[str, str]] = {}
    decks: ClassVar[Mapping[Any, str]] = {}
    counts: ClassVar[Mapping[Any, Phrase]] = {}
    """How cards of a deck are counted, where that is not "2 cards"."""
    facts: ClassVar[Mapping[str, Phrase]] = {}
    """What is counted before a seat, such as points, by the kinds of its `SeatView.facts`."""

    def __init__(self, game: GameT) -> None:
        self.game = game
        self.card_names: Mapping[str, Named] = {}
        self.arguments: dict[str, Callable[[Any], object]] = {
            **dict.fromkeys(PEOPLE, self.who),
            **dict.fromkeys(("seats", "winners"), lambda seats: [self.who(s) for s in seats]),
            "card": self.card,
            "deck": self.deck,
        }
        self.additions: dict[type[Event], Callable[[Any], dict[str, object]]] = {
            events.Answered: lambda e: {"choice": self.answer(e)},
            events.Corrected: lambda e: {"what": self.place(Shift(e.thing, e.before, e.place))},
            events.RulingChanged: lambda e: {"choice": self._ruled(e.ruling, e.choice)},
        }
        self.to_do: dict[str, Callable[[Shift], Phrase | None]] = {
            "hand": self.take_cards,
            "discard": self.shuffle,
        }

    # -- questions and choices -----------------------------------------------------------------

    def ask(self, prompt: Prompt[Any]) -> Phrase:
        """The question, verb first."""
        return Phrase(self.questions[self.question(prompt)], self.question_args(prompt))

    def question(self, prompt: Prompt[Any]) -> str:
        """The key of a question in `questions`, where that is not the prompt's."""
        return prompt.key

    def question_args(self, prompt: Prompt[Any]) -> dict[str, object]:
        """What goes into a question, and into its guide."""
        args: dict[str, object] = {"who": self.who(prompt.seat)}
        for name, value in prompt.args.items():
            args[name] = self.arguments[name](value) if name in self.arguments else value
        return args

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        """What a newcomer should know at this question, while it is guided."""
        if prompt.key not in self.guides or not self.guided(prompt):
            return None
        return Phrase(self.guides[prompt.key], self.question_args(prompt))

    def guided(self, prompt: Prompt[Any]) -> bool:
        """Whether a question is still explained."""
        return False

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        """What a choice is called at a question, or without one."""
        return self.choice(choice, prompt.key if prompt is not None else "")

    def choice(self, choice: Choice, key: str) -> Label:
        """What a choice is called at the question with a key: option, card, player, or itself."""
        if isinstance(choice, int):
            return Phrase("{n}", {"n": choice})
        option = self.options_at.get((key, choice))
        if option is None and choice in self.card_names:
            return self.card_names[choice]
        option = option or self.options.get(choice) or OPTIONS.get(choice)
        return self.who(choice) if option is None else Phrase(option)

    def answer(self, event: events.Answered) -> Label:
        """What was answered."""
        return self.choice(event.choice, event.prompt)

    def detail(self, choice: Choice) -> Label | None:
        """What a card says."""
        return None

    def names(self) -> Mapping[Choice, Iterable[str]]:
        """Options, cards and players by the words that people may type."""
        names: dict[Choice, list[str]] = {}
        for choice, words in self.named():
            names.setdefault(choice, []).extend(words)
        return {choice: tuple(dict.fromkeys(words)) for choice, words in names.items()}

    def named(self) -> Iterator[tuple[Choice, Iterable[str]]]:
        """Choices and words for them; one may come several times."""
        yield from ((option, TYPED[option]) for option in self.usual)
        yield from self.typed.items()
        for card, name in self.card_names.items():
            yield card, (card, *name.words.values())
        for seat, player in self.game.state.names.items():
            yield seat, (seat, player)

    def things(self) -> Mapping[str, Iterable[str]]:
        """What is called otherwise in the rulebook's language and in Japanese."""
        return {**THINGS, **self.kinds}

    # -- what happened -------------------------------------------------------------------------

    def tell(self, event: Event) -> Phrase:
        """What happened, in one sentence."""
        return Phrase(self.sentence(event), self.event_args(event))

    def sentence(self, event: Event) -> str:
        """The message for an event: of the first special case that holds, else the usual one."""
        kind = type(event)
        for holds, text in (*self.specials.get(kind, ()), *SPECIALS.get(kind, ())):
            if holds(event):
                return text
        return self.sentences.get(kind) or SENTENCES[kind]

    def event_args(self, event: Event) -> dict[str, object]:
        """Every field of an event by its name, put into words, and what its sentence adds."""
        args: dict[str, object] = {}
        for name in event.__struct_fields__:
            value = getattr(event, name)
            args[name] = self.arguments[name](value) if name in self.arguments else value
        if "count" in args:
            args["cards"] = self.cards(getattr(event, "deck", ""), getattr(event, "count", 0))
        additions = self.additions.get(type(event))
        return args if additions is None else args | additions(event)

    def _ruled(self, ruling: str, choice: str) -> Label:
        return Named(self.game.register.rulings[ruling].variant(choice).text)

    # -- the real table ------------------------------------------------------------------------

    def instruct(self, shift: Shift) -> Phrase | None:
        """What to do with one's hands so that the table follows."""
        to_do = self.to_do.get(shift.kind)
        return None if to_do is None else to_do(shift)

    def take_cards(self, shift: Shift) -> Phrase | None:
        """Cards to draw; those that left a hand were laid by its owner."""
        if shift.more <= 0:
            return None
        return self.task("take", shift, cards=self.cards(shift.last, shift.more))

    def shuffle(self, shift: Shift) -> Phrase | None:
        """A pile of discards only ever gets smaller by becoming a new deck."""
        return self.task("shuffle", shift, deck=self.deck(shift.last)) if shift.more < 0 else None

    def task(self, how: str, shift: Shift, **args: object) -> Phrase:
        """A message of `tasks` about a thing of somebody."""
        text = self.tasks.get(how) or TO_DO[how]
        return Phrase(text, {"who": self.who(shift.owner), **args})

    def place(self, shift: Shift) -> Phrase:
        """One thing and where it is."""
        kind, args = self.placed(shift)
        text = self.places.get(kind) or PLACES.get(kind, OTHER_PLACE)
        usual = {"who": self.who(shift.owner), "thing": shift.thing, "n": count_at(shift.end)}
        place = "" if shift.end is None else shift.end
        return Phrase(text, {**usual, "place": place, **args})

    def placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        """The key of a thing in `places`, "other" for none, and what goes into the message."""
        kind, end = shift.kind, shift.end
        match kind:
            case "turn":
                return kind, {"who": self.who(str(end))}
            case "phase" if end in self.phases:
                return kind, {"phase": self.phase(str(end))}
            case "hand" | "discard":
                cards = self.cards(shift.last, count_at(end))
                return kind, {"cards": cards, "deck": self.deck(shift.last)}
            case "deck":
                how = "deck/more" if shift.more > 0 else "deck/less"
                return how, {"cards": self.cards(shift.last, abs(shift.more))}
            case "open":
                return kind, {"card": self.card(str(end))}
        return kind if kind in self.places or kind in PLACES else "other", {}

    def fact(self, kind: str, value: int | str) -> Phrase:
        """What lies or counts before a seat in short."""
        return counted(self.facts[kind], count_at(value))

    def phase(self, phase: str) -> Phrase:
        """The phase of the turn."""
        return Phrase(self.phases[phase])

    # -- names ---------------------------------------------------------------------------------

    def who(self, seat: str) -> Label:
        """A player, also one who has left; a seat nobody knows by its id."""
        return Named({"en": self.game.state.names.get(seat, seat)})

    def card(self, card: str) -> Label:
        """A card by its name."""
        return self.card_names.get(card) or Named({"en": card})

    def deck(self, deck: str) -> Label:
        """A deck by its name."""
        return Phrase(self.decks[deck]) if deck in self.decks else Named({"en": deck})

    def cards(self, deck: str, n: int) -> Phrase:
        """So many cards of a deck."""
        return counted(self.counts.get(deck, CARDS), n)
