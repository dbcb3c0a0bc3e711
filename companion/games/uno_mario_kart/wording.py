"""UNO Mario Kart in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which card and how many. The messages are keys of the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.uno_mario_kart import happenings as uno
from companion.games.uno_mario_kart.calls import CATCH, UNO
from companion.games.uno_mario_kart.content import DRAW, Item
from companion.games.uno_mario_kart.game import TAKE_BACK, UnoMarioKart
from companion.games.uno_mario_kart.state import Phase
from companion.games.uno_mario_kart.table import LEFT, RIGHT
from companion.games.uno_mario_kart.turn import CHALLENGE
from companion.rules import events
from companion.rules.cards import SCAN
from companion.rules.events import Event
from companion.rules.layouts import Shift, count_at
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, Choice, Prompt
from companion.rules.tabled import CARDS, Special, TabledWording, counted
from companion.rules.wording import Label

# -- nouns -----------------------------------------------------------------------------------------

DECK_NAME = Phrase(N_("cards"))
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
    "flip": N_("Flip the stock’s top card: which is it?"),
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
    UNO: N_("UNO!"),
    CATCH: N_("Caught!"),
    TAKE_BACK: N_("take back"),
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
    UNO: ("uno", "uno!", "ウノ"),
    CATCH: ("catch", "caught", "caught!", "tangkap", "ketahuan", "指摘", "言い忘れ"),
    TAKE_BACK: ("take-back", "take back", "tarik-kembali", "ambil kembali", "差し戻し"),
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
    events.DrawIgnored: N_("{seat} draws nothing more: no card is left."),
    events.Laid: N_("{seat} lays {card}."),
    events.Discarded: N_("{seat} lays down {card}."),
    events.Reshuffled: N_("The pile but for its top card becomes the new stock: {cards}."),
    events.HandReturned: N_("{seat} shuffles {cards} back into the stock, unseen."),
    events.PutBack: N_("{card} is shuffled back into the stock."),
    events.Gathered: N_("All cards are shuffled."),
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

SPECIALS: dict[type[Event], tuple[Special, ...]] = {
    events.Answered: (
        (
            lambda event: event.prompt in ("lot", "start-card", "flip"),
            N_("{seat} turns up a card: {choice}."),
        ),
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
    "dealer": ("pembagi", "親"),
    "direction": ("arah", "向き"),
    "top": ("atas", "一番上"),
    "colour": ("color", "warna", "色"),
    "pile": ("tumpukan", "捨て札"),
    "score": ("poin", "nilai", "得点"),
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
    "dealer": N_("Dealer: {who}"),
    "direction": N_("Turns go {direction}"),
    "top": N_("On top of the pile: {card}"),
    "top/none": N_("The pile: not begun"),
    "colour": N_("Colour named: {colour}"),
    "colour/none": N_("Colour named: none"),
    "pile": N_("Pile: {cards}"),
    "score": N_("Score of {who}: {n}"),
    "uno": N_("UNO of {who}: {state}"),
}

TO_DO = {
    "shuffle": N_("Shuffle the pile but for its top card: it is the new stock"),
    "deal": N_("{who}: shuffle all cards and deal everybody 7"),
}

FACTS = {"score": POINTS}


class UnoWording(TabledWording[UnoMarioKart]):
    """The words of one game of UNO."""

    questions = QUESTIONS
    guides = GUIDES
    phases = PHASES
    sentences = SENTENCES
    specials = SPECIALS
    options = OPTIONS
    options_at = OPTIONS_AT
    usual = ("yes", "no", "done", "scan")
    typed = TYPED
    kinds = THINGS
    places = PLACES
    tasks = TO_DO
    facts = FACTS

    def __init__(self, game: UnoMarioKart) -> None:
        super().__init__(game)
        self.card_names = {**game.content.catalogue.names, **game.content.colour_names}
        self.arguments |= {
            "colour": self.label,
            "direction": self.label,
            "item": lambda item: Phrase(ITEMS[Item(item)]),
            "points": lambda n: counted(POINTS, n),
        }
        self.additions |= {events.Ended: lambda e: {"score": self._best(e.winners)}}
        self.to_do |= {"pile": self.shuffle, "round": self._deal}

    # -- questions and choices -----------------------------------------------------------------

    def guided(self, prompt: Prompt[Any]) -> bool:
        """§7 to 13 What may be done, in the first round; of a turn, in everybody's first one."""
        state = self.game.state
        over = state.round > 1 or (prompt.key == "turn" and state.turn > len(state.seats))
        return state.guide and not over

    def question(self, prompt: Prompt[Any]) -> str:
        """The key of a question: on a wild card the colour that was named belongs to it."""
        return "turn/named" if prompt.key == "turn" and self.game.named else prompt.key

    def question_args(self, prompt: Prompt[Any]) -> dict[str, object]:
        """What goes into a question: what is to be followed, how many cards are to be counted."""
        args = super().question_args(prompt)
        if prompt.key == "turn":
            args |= {"top": self.card(self.game.top), "colour": self.label(self.game.state.colour)}
        if prompt.key == "count":
            args["cards"] = counted(CARDS, int(str(prompt.args["n"])))
        return args

    def choice(self, choice: Choice, key: str) -> Label:
        """What a choice is called; a number is points."""
        return counted(POINTS, choice) if isinstance(choice, int) else super().choice(choice, key)

    def detail(self, choice: Choice) -> Label | None:
        """What a card does, and which item it shows."""
        kind = self.game.content.kinds.get(str(choice))
        if kind is None:
            return None
        item = Phrase(ITEMS[kind.item])
        if kind.text is None:
            return Phrase(N_("Item: {item}"), {"item": item})
        return Phrase(N_("{text} Item: {item}"), {"text": Named(kind.text), "item": item})

    def named(self) -> Iterator[tuple[Choice, Iterable[str]]]:
        """Choices and words for them: of a card also its colour and sign as they are spoken."""
        yield from super().named()
        for card in self.game.content.ids:
            yield card, self._card_words(card)

    def _card_words(self, card: str) -> Iterator[str]:
        """What a card's sign is called; where it has a colour, with the colour first."""
        content = self.game.content
        kind = content.kinds[card]
        spoken = SPOKEN.get(kind.symbol, ())
        if not kind.colour:
            yield from spoken
            return
        for colour in content.colour_names[kind.colour].words.values():
            yield from (f"{colour} {symbol}" for symbol in (kind.symbol, *spoken))

    # -- what happened -------------------------------------------------------------------------

    def _best(self, winners: Iterable[str]) -> int:
        return max((self.game.state.scores.get(seat, 0) for seat in winners), default=0)

    # -- the real table ------------------------------------------------------------------------

    def shuffle(self, shift: Shift) -> Phrase | None:
        """A pile gets smaller only by becoming a new stock, or all cards being dealt anew."""
        shuffled = shift.more < 0 < count_at(shift.end)
        return Phrase(TO_DO["shuffle"]) if shuffled else None

    def _deal(self, shift: Shift) -> Phrase | None:
        dealer = self.who(self.game.state.dealer)
        return Phrase(TO_DO["deal"], {"who": dealer}) if shift.more > 0 else None

    def placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        """The key of a thing in `PLACES` and what goes into the message."""
        kind, end = shift.kind, shift.end
        match kind:
            case "dealer":
                return kind, {"who": self.who(str(end))}
            case "top" | "colour" if end is None:
                return f"{kind}/none", {}
            case "top":
                return kind, {"card": self.card(str(end))}
            case "colour" | "direction":
                return kind, {kind: self.label(str(end))}
            case "pile":
                return kind, {"cards": counted(CARDS, count_at(end))}
            case "uno":
                return kind, {"state": self.label(str(end))}
        return super().placed(shift)

    # -- names ---------------------------------------------------------------------------------

    def who(self, seat: str) -> Label:
        """A player, also one who has left; nobody, where nobody is meant."""
        return super().who(seat) if seat else Phrase(OPTIONS[""])
