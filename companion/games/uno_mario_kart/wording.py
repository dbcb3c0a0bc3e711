"""UNO Mario Kart in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which card and how many. The messages are keys of the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from companion.games.uno_mario_kart import happenings as uno
from companion.games.uno_mario_kart.calls import CATCH, UNO
from companion.games.uno_mario_kart.content import DRAW, Item
from companion.games.uno_mario_kart.game import SCAN, TAKE_BACK, UnoMarioKart
from companion.games.uno_mario_kart.state import Phase
from companion.games.uno_mario_kart.table import LEFT, RIGHT
from companion.games.uno_mario_kart.turn import CHALLENGE, NO, YES
from companion.rules import events
from companion.rules.events import Event
from companion.rules.layouts import Place, Shift
from companion.rules.lines import SILENCE, SKIPPED
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, Choice, Prompt
from companion.rules.wording import Label

# -- nouns -----------------------------------------------------------------------------------------

DECK_NAME = Phrase(N_("cards"))
CARDS = Phrase(N_("{n} card"), plural=N_("{n} cards"))
POINTS = Phrase(N_("{n} point"), plural=N_("{n} points"))

ITEMS = {
    Item.MUSHROOM: N_("mushroom"),
    Item.BANANA: N_("banana"),
    Item.SHELL: N_("green shell"),
    Item.LIGHTNING: N_("lightning"),
    Item.BOB_OMB: N_("Bob-omb"),
}

# -- questions -------------------------------------------------------------------------------------
# A question may have a variant, "key/variant": see `_variant`.

QUESTIONS = {
    "turn": N_("Lay a card on {top}, or draw"),
    "turn/named": N_("Lay a card on {top}: {colour}, or draw"),
    "drawn": N_("Lay the drawn card, or end the turn"),
    "lot": N_("Draw a card for the deal. Which is it?"),
    "start-card": N_("Turn up the first card. Which is it?"),
    "colour": N_("Name a colour"),
    "flip": N_("Flip the top card of the stock. Which is it?"),
    "opponent": N_("Green shell: who draws a card?"),
    "challenge": N_("Draw 4, or challenge {by}?"),
    "shown": N_("Look at the hand of {by}: any {colour}?"),
    "count": N_("Lay down your {cards}, or say the points"),
    UNO: N_("Call UNO"),
    CATCH: N_("Catch who forgot UNO"),
    TAKE_BACK: N_("Laid against the rules: who takes it back?"),
    SCAN: N_("Scan a card of your hand"),
}

GUIDES = {
    "turn": N_(
        "Lay a card with the colour, number or symbol of the top card, or any wild card (§7). If "
        "you cannot or do not want to, draw one from the stock. Tap the card, or choose it here."
    ),
    "drawn": N_(
        "If the drawn card matches you may lay it at once, but no other card (§7.3). Otherwise end "
        "your turn."
    ),
    "lot": N_(
        "Everybody draws a card and shows it. The highest number deals first; action and wild "
        "cards count 0 (§5.1)."
    ),
    "start-card": N_(
        "The dealer turns up the top card of the stock to begin the pile. Action cards work "
        "already (§5.3, 6)."
    ),
    "colour": N_("The next card must have the colour that you name, or be wild (§8.5, 9.5)."),
    "flip": N_(
        "An Item Box: flip the top card of the stock onto the pile. The item in its corner works "
        "at once; if it is an action card, its action does not (§8.4, 9)."
    ),
    "opponent": N_("The green shell lets one opponent of your choice draw a card (§9.3)."),
    "challenge": N_(
        "You draw 4 and lose your turn (§8.5), unless you challenge. If {by} holds the colour that "
        "was on top, {by} draws the 4; if not, you draw 6 (§10)."
    ),
    "shown": N_(
        "Only you look at the hand. Say whether there is a card of that colour in it; numbers and "
        "symbols do not matter (§10)."
    ),
    "count": N_(
        "The round is over. What is left in your hand goes to the winner: numbers as printed, Draw "
        "Two, Skip and Reverse 20, wild cards 50 (§13). Tap your cards, or give their total."
    ),
}

PHASES = {
    Phase.LOTS: N_("Drawing for the deal"),
    Phase.DEAL: N_("The deal"),
    Phase.START: N_("The first card"),
    Phase.TURN: N_("Lay or draw"),
    Phase.DRAWN: N_("The drawn card"),
    Phase.COUNT: N_("Counting the hands"),
}

# -- choices ---------------------------------------------------------------------------------------

OPTIONS = {
    DRAW: N_("draw a card"),
    PASS: N_("end turn"),
    CHALLENGE: N_("challenge"),
    YES: N_("yes"),
    NO: N_("no"),
    "done": N_("done"),
    UNO: N_("UNO!"),
    CATCH: N_("Caught!"),
    TAKE_BACK: N_("take back"),
    SCAN: N_("scan"),
    LEFT: N_("to the left"),
    RIGHT: N_("to the right"),
    "": N_("somebody"),
    "due": N_("due"),
    "called": N_("called"),
}

OPTIONS_AT = {("challenge", PASS): N_("draw 4")}
"""Choices that one question calls otherwise."""

TYPED: dict[Choice, tuple[str, ...]] = {
    DRAW: ("draw", "draw a card", "ambil", "ambil kartu", "引く", "カードを引く"),
    PASS: (
        *("pass", "end turn", "end", "draw 4", "lewat", "akhiri giliran", "selesai", "ambil 4"),
        *("パス", "手番終了", "4枚引く"),
    ),
    CHALLENGE: ("challenge", "tantang", "チャレンジ"),
    YES: ("yes", "y", "ya", "はい"),
    NO: ("no", "n", "tidak", "いいえ"),
    "done": ("done", "sudah", "beres", "完了"),
    UNO: ("uno", "uno!", "ウノ"),
    CATCH: ("catch", "caught", "caught!", "tangkap", "ketahuan", "指摘", "言い忘れ"),
    TAKE_BACK: ("take-back", "take back", "tarik-kembali", "ambil kembali", "差し戻し"),
    SCAN: ("scan", "pindai", "スキャン"),
}
"""The words that people may type for an option, in all languages, labels included."""

SPOKEN = {
    "draw-two": ("+2", "draw 2", "ambil 2", "ambil dua", "ドロー2"),
    "reverse": ("balik", "リバース"),
    "skip": ("lewati", "スキップ"),
    "wild-draw-four": (
        "+4",
        "wild +4",
        "draw four",
        "draw 4",
        "wild draw 4",
        "undian liar empat",
        "ドロー4",
    ),
    "wild-item-box": ("item box", "box", "kotak item", "アイテムボックス"),
}
"""What else people call a symbol or wild card."""

# -- what happened ---------------------------------------------------------------------------------

SENTENCES: dict[type[Event], str] = {
    events.Answered: N_("{seat} chooses: {choice}."),
    events.Corrected: N_("The table corrects: {what}."),
    events.RulingChanged: N_("The table decides ruling {ruling} anew: {choice}"),
    events.SeatLeft: N_("{seat} leaves the table."),
    events.SeatJoined: N_("{seat} joins the table."),
    events.SeatsSwapped: N_("{seat} and {other} swap places in the turn order."),
    events.Drew: N_("{seat} draws {cards}."),
    events.DrawIgnored: N_("{seat} draws nothing more: no card is left."),
    events.TurnedUp: N_("{card} is turned up."),
    events.Laid: N_("{seat} lays {card}."),
    events.Discarded: N_("{seat} lays down {card}."),
    events.Reshuffled: N_("The pile but for its top card becomes the new stock: {cards}."),
    events.HandReturned: N_("{seat} shuffles {cards} back into the stock, unseen."),
    events.PutBack: N_("{card} is shuffled back into the stock."),
    events.Gathered: N_("All cards are shuffled."),
    events.Scanned: N_("{seat} scans {card}."),
    events.Ended: N_("{winners} wins the game with {score} points."),
    uno.LotsTied: N_("{seats} have drawn the same and draw again."),
    uno.DealerChosen: N_("{seat} has the highest card and deals first."),
    uno.RoundBegan: N_("Round {round}: {dealer} deals."),
    uno.ColourNamed: N_("{seat} names a colour: {colour}."),
    uno.DirectionTurned: N_("The turns go {direction} now."),
    uno.TurnLost: N_("{seat} loses a turn."),
    uno.ItemUsed: N_("The item works: {item}."),
    uno.NothingFlipped: N_("No card is left to flip: the Item Box of {seat} does nothing."),
    uno.OpponentChosen: N_("The green shell of {seat} hits {other}."),
    uno.Challenged: N_("{by} challenges {seat}."),
    uno.ChallengeDecided: N_("{by} was wrong: {seat} has no card of that colour."),
    uno.UnoCalled: N_("{seat} calls UNO."),
    uno.Caught: N_("{by} catches {seat}, who has not called UNO."),
    uno.TookBack: N_("{seat} takes a card back that did not match."),
    uno.StockEnded: N_("The stock is empty, which ends the round."),
    uno.WentOut: N_("{seat} has no cards left. The round is over."),
    uno.HandCounted: N_("The hand of {seat}: {points}."),
    uno.RoundWon: N_("{seat} scores {points} and has {score} now."),
    uno.RoundTied: N_("The hands of {seats} are equally low: nobody scores."),
}

OTHERWISE: dict[type[Event], tuple[tuple[Callable[[Any], bool], str], ...]] = {
    events.Answered: (
        (lambda event: event.via in (SILENCE, SKIPPED), N_("{seat} says nothing: {choice}.")),
        (
            lambda event: event.prompt in ("lot", "start-card", "flip"),
            N_("{seat} turns up a card: {choice}."),
        ),
        (lambda event: event.forced, N_("{seat} chooses, as the table agrees: {choice}.")),
    ),
    events.Corrected: (
        (lambda event: bool(event.reason), N_("The table corrects: {what} ({reason}).")),
    ),
    uno.DirectionTurned: (
        (
            lambda event: event.ruling == "U9",
            N_(
                "The turns go {direction} now. For two players: not in the rulebook, table setting."
            ),
        ),
    ),
    uno.TurnLost: (
        (
            lambda event: event.ruling == "U9",
            N_("{seat} loses a turn. For two players: not in the rulebook, table setting."),
        ),
    ),
    uno.ChallengeDecided: (
        (lambda event: event.right, N_("{by} was right: {seat} has a card of that colour.")),
    ),
    uno.Caught: ((lambda event: not event.by, N_("{seat} is caught without having called UNO.")),),
}
"""Sentences for special cases of an event; the first whose condition holds is said."""

# -- things on the table ---------------------------------------------------------------------------

THINGS = {
    "turn": ("giliran", "手番"),
    "dealer": ("pembagi", "親"),
    "direction": ("arah", "向き"),
    "top": ("atas", "一番上"),
    "colour": ("color", "warna", "色"),
    "pile": ("tumpukan", "捨て札"),
    "score": ("poin", "nilai", "得点"),
    "hand": ("tangan", "手札"),
    "stock": ("stok", "山札"),
    "left": ("kiri", "左"),
    "right": ("kanan", "右"),
    "red": ("merah", "赤"),
    "yellow": ("kuning", "黄"),
    "green": ("hijau", "緑"),
    "blue": ("biru", "青"),
}
"""Kinds of things and places by what else people call them."""

PLACES = {
    "turn": N_("Turn: {who}"),
    "dealer": N_("Dealer: {who}"),
    "direction": N_("Turns go {direction}"),
    "top": N_("On top of the pile: {card}"),
    "top/none": N_("The pile: not begun"),
    "colour": N_("Colour named: {colour}"),
    "colour/none": N_("Colour named: none"),
    "pile": N_("Pile: {cards}"),
    "round": N_("Round: {n}"),
    "score": N_("Score of {who}: {n}"),
    "hand": N_("Hand of {who}: {cards}"),
    "uno": N_("UNO of {who}: {state}"),
    "phase": N_("Phase: {phase}"),
    "other": N_("{thing}: {place}"),
}

TO_DO = {
    "take": N_("{who}: take {cards}"),
    "shuffle": N_("Shuffle the pile but for its top card: it is the new stock"),
    "deal": N_("{who}: shuffle all cards and deal everybody 7"),
}


class UnoWording:
    """The words of one game of UNO. Implements `companion.rules.wording.Wording`."""

    def __init__(self, game: UnoMarioKart) -> None:
        self.game = game
        people = ("seat", "other", "by", "dealer")
        self._arguments: dict[str, Callable[[Any], object]] = {
            **dict.fromkeys(people, self._who),
            **dict.fromkeys(("seats", "winners"), lambda seats: [self._who(s) for s in seats]),
            "card": self._card,
            "colour": self.label,
            "direction": self.label,
            "item": lambda item: Phrase(ITEMS[Item(item)]),
            "points": lambda n: _counted(POINTS, n),
        }
        self._additions: dict[type[Event], Callable[[Any], dict[str, object]]] = {
            events.Answered: lambda e: {"choice": self._choice(e.choice, e.prompt)},
            events.Corrected: lambda e: {"what": self.place(Shift(e.thing, e.before, e.place))},
            events.RulingChanged: lambda e: {"choice": self._variant_text(e.ruling, e.choice)},
            events.Ended: lambda e: {"score": self._best(e.winners)},
        }
        self._to_do: dict[str, Callable[[Shift], Phrase | None]] = {
            "hand": self._take_cards,
            "pile": self._shuffle,
            "round": self._deal,
        }

    # -- questions and choices -----------------------------------------------------------------

    def ask(self, prompt: Prompt[Any]) -> Phrase:
        """The question, verb first."""
        return Phrase(QUESTIONS[self._variant(prompt)], self._question_args(prompt))

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        """§7 to 13 What may be done, in the first round; of a turn, in everybody's first one."""
        state = self.game.state
        over = state.round > 1 or (prompt.key == "turn" and state.turn > len(state.seats))
        if not state.guide or over or prompt.key not in GUIDES:
            return None
        return Phrase(GUIDES[prompt.key], self._question_args(prompt))

    def _variant(self, prompt: Prompt[Any]) -> str:
        """The key of a question: on a wild card the colour that was named belongs to it."""
        return "turn/named" if prompt.key == "turn" and self.game.named else prompt.key

    def _question_args(self, prompt: Prompt[Any]) -> dict[str, object]:
        args: dict[str, object] = {
            name: self._arguments[name](value)
            for name, value in prompt.args.items()
            if name in self._arguments
        }
        if prompt.key == "turn":
            args |= {"top": self._card(self.game.top), "colour": self.label(self.game.state.colour)}
        if prompt.key == "count":
            args["cards"] = _counted(CARDS, int(str(prompt.args["n"])))
        return args

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        """What a choice is called at a question, or without one."""
        return self._choice(choice, prompt.key if prompt is not None else "")

    def _choice(self, choice: Choice, key: str) -> Label:
        if isinstance(choice, int):
            return _counted(POINTS, choice)
        if (key, choice) in OPTIONS_AT:
            return Phrase(OPTIONS_AT[key, choice])
        content = self.game.content
        name = content.catalogue.names.get(choice) or content.colour_names.get(choice)
        if name is not None:
            return name
        return Phrase(OPTIONS[choice]) if choice in OPTIONS else self._who(choice)

    def detail(self, choice: Choice) -> Label | None:
        """What a card does, and which item it shows."""
        kind = self.game.content.kinds.get(str(choice))
        if kind is None:
            return None
        item = Phrase(ITEMS[kind.item])
        if kind.text is None:
            return Phrase(N_("Item: {item}"), {"item": item})
        return Phrase(N_("{text} Item: {item}"), {"text": Named(kind.text), "item": item})

    def things(self) -> Mapping[str, Iterable[str]]:
        """What is called otherwise in the rulebook's language and in Japanese."""
        return THINGS

    def names(self) -> Mapping[Choice, Iterable[str]]:
        """Cards, colours, options and players by the words that people may type."""
        names: dict[Choice, list[str]] = {option: list(words) for option, words in TYPED.items()}
        for card in self.game.content.ids:
            names.setdefault(card, []).extend(self._card_words(card))
        for colour, name in self.game.content.colour_names.items():
            names.setdefault(colour, []).extend((colour, *name.words.values()))
        for seat, player in self.game.state.names.items():
            names.setdefault(seat, []).extend((seat, player))
        return {choice: tuple(dict.fromkeys(words)) for choice, words in names.items()}

    def _card_words(self, card: str) -> Iterator[str]:
        """A card's id and names; where it has a colour, also with the colour first."""
        content = self.game.content
        kind = content.kinds[card]
        yield card
        yield from content.catalogue.names[card].words.values()
        spoken = SPOKEN.get(kind.symbol, ())
        if not kind.colour:
            yield from spoken
            return
        for colour in content.colour_names[kind.colour].words.values():
            yield from (f"{colour} {symbol}" for symbol in (kind.symbol, *spoken))

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
        if "count" in fields:
            args["cards"] = _counted(CARDS, fields["count"])
        additions = self._additions.get(type(event))
        return args if additions is None else args | additions(event)

    def _variant_text(self, ruling: str, choice: str) -> Label:
        found = self.game.register.rulings[ruling]
        return Named(found.variant(choice).text)

    def _best(self, winners: Iterable[str]) -> int:
        return max((self.game.state.scores.get(seat, 0) for seat in winners), default=0)

    # -- the real table ------------------------------------------------------------------------

    def instruct(self, shift: Shift) -> Phrase | None:
        """What to do with one's hands so that the table follows."""
        to_do = self._to_do.get(shift.kind)
        return None if to_do is None else to_do(shift)

    def _take_cards(self, shift: Shift) -> Phrase | None:
        """Cards to draw; those that left a hand were laid by its owner."""
        more = _number(shift.end) - _number(shift.start)
        if more <= 0:
            return None
        args = {"who": self._who(shift.owner), "cards": _counted(CARDS, more)}
        return Phrase(TO_DO["take"], args)

    def _shuffle(self, shift: Shift) -> Phrase | None:
        """A pile gets smaller only by becoming a new stock, or all cards being dealt anew."""
        shuffled = 0 < _number(shift.end) < _number(shift.start)
        return Phrase(TO_DO["shuffle"]) if shuffled else None

    def _deal(self, shift: Shift) -> Phrase | None:
        dealt = _number(shift.end) > _number(shift.start)
        return Phrase(TO_DO["deal"], {"who": self._who(self.game.state.dealer)}) if dealt else None

    def place(self, shift: Shift) -> Phrase:
        """One thing and where it is."""
        kind, args = self._placed(shift.kind, shift.end)
        return Phrase(PLACES[kind], {"who": self._who(shift.owner), "thing": shift.thing, **args})

    def _placed(self, kind: str, end: Place) -> tuple[str, dict[str, object]]:
        """A message of PLACES and what goes into it."""
        match kind:
            case "turn" | "dealer":
                return kind, {"who": self._who(str(end))}
            case "top" | "colour" if end is None:
                return f"{kind}/none", {}
            case "top":
                return kind, {"card": self._card(str(end))}
            case "colour" | "direction":
                return kind, {kind: self.label(str(end))}
            case "hand" | "pile":
                return kind, {"cards": _counted(CARDS, _number(end))}
            case "score" | "round":
                return kind, {"n": _number(end)}
            case "uno":
                return kind, {"state": self.label(str(end))}
            case "phase" if end in tuple(Phase):
                return kind, {"phase": self.phase(str(end))}
        return "other", {"place": "" if end is None else end}

    def fact(self, kind: str, value: int | str) -> Phrase:
        """The score in short."""
        return _counted(POINTS, _number(value))

    def phase(self, phase: str) -> Phrase:
        """Where in a round or turn it is."""
        return Phrase(PHASES[Phase(phase)])

    # -- names ---------------------------------------------------------------------------------

    def _who(self, seat: str) -> Label:
        """A player, also one who has left; a seat nobody knows by its id."""
        if not seat:
            return Phrase(OPTIONS[""])
        return Named({"en": self.game.state.names.get(seat, seat)})

    def _card(self, card: str) -> Named:
        return self.game.catalogue.names.get(card) or Named({"en": card})


def _counted(template: Phrase, n: int) -> Phrase:
    """A counted noun: "2 cards"."""
    return Phrase(template.text, {"n": n}, template.plural)


def _number(place: Place) -> int:
    """A count from a layout; nothing there is none."""
    return place if isinstance(place, int) else 0
