"""Tapak Arwah Nusantara in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which card and how many. The messages are keys of the catalogues.
"""

from __future__ import annotations

from typing import Any

from companion.games.tapak_arwah import happenings as tapak
from companion.games.tapak_arwah.attacks import ATTACK, COUNTER, DEFEND
from companion.games.tapak_arwah.content import DECKS, Kind, Zone
from companion.games.tapak_arwah.game import BEFORE, TapakArwah
from companion.games.tapak_arwah.markers import EXTRA_TURN, NO_ATTACK, NO_BUFF, SKIP
from companion.games.tapak_arwah.state import Phase, Role
from companion.games.tapak_arwah.table import FOUR
from companion.rules import events
from companion.rules.events import Event
from companion.rules.layouts import Shift, count_at
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, Choice, Prompt
from companion.rules.tabled import Special, TabledWording, counted
from companion.rules.wording import Label

# -- nouns -----------------------------------------------------------------------------------------

ROLE_NAMES = {Role.GHOST: N_("ghost"), Role.HUMAN: N_("human")}

ZONE_NAMES = {Zone.DAY: N_("day"), Zone.NIGHT: N_("night")}

KIND_NAMES = {
    Kind.START: N_("start"),
    Kind.WHITE: N_("white"),
    Kind.GREEN: N_("green"),
    Kind.PURPLE: N_("purple"),
    Kind.SACRED: N_("sacred ground"),
    Kind.CURSED: N_("cursed ground"),
    Kind.TRAP: N_("trap square"),
    Kind.DICE_PLUS_1: N_("dice +1"),
    Kind.DICE_PLUS_2: N_("dice +2"),
    Kind.DICE_MINUS_1: N_("dice −1"),
    Kind.DICE_MINUS_2: N_("dice −2"),
    Kind.FORWARD_1: N_("forward 1"),
    Kind.FORWARD_2: N_("forward 2"),
    Kind.FORWARD_3: N_("forward 3"),
    Kind.BACK_1: N_("back 1"),
    Kind.BACK_2: N_("back 2"),
    Kind.BACK_3: N_("back 3"),
    Kind.SWAP: N_("swap places"),
    Kind.EXTRA_TURN: N_("+1 turn"),
}

BOARD_NAMES: dict[str, str] = dict([*ZONE_NAMES.items(), *KIND_NAMES.items(), *ROLE_NAMES.items()])
"""What zones, squares and sides are called as choices."""

SHORT_NAMES = {Kind.SACRED: N_("sacred"), Kind.CURSED: N_("cursed")}
"""What stands beside a square's number, where the whole name has no room."""

DECK_NAMES = dict(
    zip(
        DECKS,
        (N_("ghost buffs"), N_("ghost debuffs"), N_("human buffs"), N_("human debuffs")),
        strict=True,
    )
)

COUNTED_CARDS = dict(
    zip(
        DECKS,
        (
            Phrase(N_("{n} ghost buff"), plural=N_("{n} ghost buffs")),
            Phrase(N_("{n} ghost debuff"), plural=N_("{n} ghost debuffs")),
            Phrase(N_("{n} human buff"), plural=N_("{n} human buffs")),
            Phrase(N_("{n} human debuff"), plural=N_("{n} human debuffs")),
        ),
        strict=True,
    )
)

LIVES = Phrase(N_("{n} life"), plural=N_("{n} lives"))

MARKER_NAMES = {
    SKIP: N_("skips a turn"),
    EXTRA_TURN: N_("extra turn"),
    NO_ATTACK: N_("no attack"),
    NO_BUFF: N_("no buff"),
}

# -- questions -------------------------------------------------------------------------------------

QUESTIONS = {
    "first": N_("Roll: who begins?"),
    "roll": N_("Roll the die and move"),
    "card": N_("Use a buff or end your turn"),
    "debuff": N_("Turn up a debuff"),
    "remove": N_("Choose a debuff to remove"),
    "discard": N_("Discard a buff"),
    "react": N_("Lay a card against the attack?"),
    ATTACK: N_("Attack by day: roll the die"),
    COUNTER: N_("Fight back: roll the die"),
    DEFEND: N_("Defend by night: roll the die"),
    "scan": N_("Scan a card of your hand"),
    "passives": N_("Ask you about cards against attacks?"),
}

GUIDES = {
    "first": N_(
        "Both roll once; the higher number has the first turn, a tie is rolled again (§3)."
    ),
    "roll": N_(
        "Your turn: roll (a), move clockwise as far as the die says (b), do what the square says "
        "(c), then use one buff if you like (d) (§4)."
    ),
    "card": N_(
        "You may use one of the buffs that you have kept, or keep them all (§4.d). Then the turn "
        "passes on."
    ),
    "debuff": N_(
        "Turn up the top card of your own debuffs: it works at once. If it lasts for a while it "
        "lies before you (§4.d)."
    ),
    "remove": N_("One debuff that lies before you goes; choose which (§5.3, 5.4)."),
    "discard": N_("Choose a buff of your hand and put it on its discards (§4.d)."),
    "react": N_(
        "The ghost is about to attack. Some buffs answer that and are laid now, before the dice "
        "(§6)."
    ),
    ATTACK: N_("By day the ghost rolls: a 4 hits. Otherwise the human may hit back (§6.1)."),
    COUNTER: N_("The attack has failed; with 3 or 4 the human takes a life of the ghost (§6.1)."),
    DEFEND: N_(
        "By night only the human rolls: 1 and 2 cost a life, 3 is safe, 4 costs the ghost a life "
        "(§6.2)."
    ),
}

PHASES = {
    Phase.FIRST: N_("Who begins"),
    Phase.START: N_("Start of the turn"),
    Phase.ROLL: N_("Roll and move"),
    Phase.CARD: N_("Use a card"),
    Phase.END: N_("End of the turn"),
}

# -- choices ---------------------------------------------------------------------------------------

OPTIONS_AT = {
    ("card", PASS): N_("end turn"),
    ("react", PASS): N_("no card"),
    ("passives", "on"): N_("yes, ask me"),
    ("passives", "off"): N_("no, do not ask"),
}
"""Choices that one question calls otherwise."""

DICE_QUESTIONS = ("first", "roll", ATTACK, COUNTER, DEFEND)

OUTCOMES = {
    (ATTACK, True): N_("{n}: hit"),
    (ATTACK, False): N_("{n}: miss"),
    (COUNTER, True): N_("{n}: hit"),
    (COUNTER, False): N_("{n}: miss"),
    (DEFEND, True): N_("{n}: safe"),
    (DEFEND, False): N_("{n}: hit by the ghost"),
}
HIT_BACK = N_("{n}: the ghost is hit")
"""§6.1, 6.2 What a number means, where nothing changes the roll."""
ROLL_CHANGED = N_("{n} → {steps}")

TYPED = {
    PASS: (
        *("pass", "end turn", "end", "skip", "no card"),
        *("lewat", "akhiri giliran", "selesai giliran", "tanpa kartu"),
        *("パス", "手番終了", "カードなし"),
    ),
}
"""The words that people may type for an option, in all languages, labels included."""

# -- what happened ---------------------------------------------------------------------------------

SENTENCES: dict[type[Event], str] = {
    events.DrawIgnored: N_("{seat} draws nothing: no card of the {deck} is left."),
    events.Moved: N_("{seat} goes from square {start} to square {end}."),
    events.MarkerGained: N_("{seat}: {marker}."),
    events.MarkerIgnored: N_("{seat} has that already: {marker}."),
    events.MarkerLost: N_("{seat}, no longer: {marker}."),
    tapak.RolledForFirst: N_("{seat} rolls {pips}."),
    tapak.RolledATie: N_("A tie: both roll again."),
    tapak.GoesFirst: N_("{seat} has the first turn."),
    tapak.RollChanged: N_("The roll of {seat} is changed: {pips} counts as {result}."),
    tapak.StoppedOn: N_("{seat} stops on square {square}: {kind}."),
    tapak.SquareSpent: N_("Square {square} has worked already; it does nothing more for {seat}."),
    tapak.DiceAdded: N_("The next movement roll of {seat} is changed by {dice}."),
    tapak.CardLaid: N_("{card} lies before {seat} now."),
    tapak.DebuffRemoved: N_("{seat} is rid of {card}."),
    tapak.TurnSkipped: N_("{seat} skips this turn."),
    tapak.SkipCancelled: N_("For {seat} a turn to skip and a turn more cancel each other."),
    tapak.Attacked: N_("{seat} attacks {other} ({zone})."),
    tapak.AttackBarred: N_("{seat} cannot attack; nobody rolls."),
    tapak.AttackCancelled: N_("The attack is called off: {card}."),
    tapak.NotCancelled: N_("{seat} lays no card against the attack."),
    tapak.Missed: N_("The attack of {seat} fails."),
    tapak.NotHitBack: N_("{seat} does not hit back."),
    tapak.Withstood: N_("{seat} withstands the attack."),
    tapak.LifeLost: N_("{seat} loses a life: {life} left."),
    tapak.LifeGained: N_("{seat} gets a life back: {life}."),
    tapak.NoEffect: N_("A part of {card} does nothing for {seat}."),
}

SPECIALS: dict[type[Event], tuple[Special, ...]] = {
    events.Answered: (
        (lambda event: event.prompt == "debuff", N_("{seat} turns up a card: {choice}.")),
        (lambda event: event.prompt in DICE_QUESTIONS, N_("{seat} rolls {choice}.")),
    ),
    events.Discarded: ((lambda event: event.start == "hand", N_("{seat} discards {card}.")),),
    events.Ended: (
        (
            lambda event: event.reason == "lives",
            N_("{winners} wins: the other side has no life left."),
        ),
        (
            lambda event: event.reason == "limit",
            N_("The last round is over. {winners} wins with more lives."),
        ),
        (
            lambda event: event.reason == "draw",
            N_("The last round is over: a draw, both have as many lives."),
        ),
        (lambda event: event.reason == "left", N_("{winners} wins: the other side has left.")),
    ),
    events.MarkerGained: (
        (lambda event: event.marker == SKIP, N_("{seat} will skip the next turn.")),
        (lambda event: event.marker == EXTRA_TURN, N_("{seat} gets one more turn.")),
        (lambda event: event.marker == NO_ATTACK, N_("{seat} cannot attack in the next turn.")),
        (lambda event: event.marker == NO_BUFF, N_("{seat} can use no buff in the next turn.")),
    ),
    events.MarkerLost: (
        (lambda event: event.count > 0, N_("{seat}, one less: {marker}; {count} left.")),
        (lambda event: event.marker == SKIP, N_("{seat} has no turn to skip any more.")),
        (lambda event: event.marker == EXTRA_TURN, N_("The extra turn of {seat} is used up.")),
        (lambda event: event.marker == NO_ATTACK, N_("{seat} can attack again.")),
        (lambda event: event.marker == NO_BUFF, N_("{seat} can use buffs again.")),
    ),
    tapak.AttackBarred: (
        (lambda event: event.rule == "2", N_("Nobody attacks on the start.")),
        (lambda event: event.rule == "4.d", N_("{seat} cannot attack: a card forbids it.")),
    ),
    tapak.NoEffect: ((lambda event: not event.card, N_("This does nothing for {seat}.")),),
}
"""Sentences for special cases of an event; the first whose condition holds is said."""

TURNED_UP = N_("{card} is turned up: {text}")
"""What everybody wants to hear of a card that was turned up."""

# -- things on the table ---------------------------------------------------------------------------

THINGS = {
    "pawn": ("pion", "bidak", "コマ"),
    "life": ("lives", "nyawa", "ライフ"),
    SKIP: ("lewat", "休み"),
    EXTRA_TURN: ("extra", "giliran tambahan", "追加手番"),
    NO_ATTACK: ("tanpa-serangan", "攻撃不可"),
    NO_BUFF: ("tanpa-buff", "バフ不可"),
    "dice": ("die", "dadu", "サイコロ"),
    BEFORE: ("depan", "前"),
}
"""Kinds of things and places by what else people call them."""

ANY_ROLL_CHANGED = N_("The next roll of {seat} is changed by {dice}.")
"""Where combat counts too, instead of the sentence of DiceAdded."""

PLACES = {
    "pawn": N_("The pawn of {who}: {square}"),
    "life": N_("Lives of {who}: {n}"),
    "dice": N_("Next movement roll of {who}: {dice}"),
    "any dice": N_("Next roll of {who}: {dice}"),
    "before": N_("Before {who}: {n} × {card}"),
    "marker": N_("{who}: {marker} ({n})"),
}

TO_DO = {
    "pawn/enter": N_("{who}: put your pawn on {end}"),
    "pawn/move": N_("{who}: take your pawn from {start} to {end}"),
    "life/lose": N_("{who}: give away {life}"),
    "life/gain": N_("{who}: take back {life}"),
    "lay": N_("{who}: lay {card} before you"),
    "away": N_("{who}: put {card} on its discards"),
}

FACTS = {
    "dice": N_("next roll {dice}"),
    "marker": N_("{marker} {n}"),
}


class TapakWording(TabledWording[TapakArwah]):
    """The words of one game."""

    questions = QUESTIONS
    guides = GUIDES
    phases = PHASES
    sentences = SENTENCES
    specials = SPECIALS
    options_at = OPTIONS_AT
    usual = ("yes", "no", "done", "on", "off")
    typed = TYPED
    kinds = THINGS
    places = PLACES
    tasks = TO_DO
    decks = DECK_NAMES
    counts = COUNTED_CARDS

    def __init__(self, game: TapakArwah) -> None:
        super().__init__(game)
        self.card_names = game.catalogue.names
        self._texts = {card.id: card.text for card in game.content.cards.values()}
        self.arguments |= {
            "marker": lambda marker: Phrase(MARKER_NAMES[marker]),
            "kind": lambda kind: Phrase(KIND_NAMES[Kind(kind)]),
            "zone": lambda zone: Phrase(ZONE_NAMES[Zone(zone)]),
        }
        self.arguments["dice"] = _signed
        self.additions |= {
            tapak.LifeLost: lambda e: {"life": counted(LIVES, e.lives)},
            tapak.LifeGained: lambda e: {"life": counted(LIVES, e.lives)},
        }
        self.to_do |= {
            "pawn": self._move_pawn,
            "life": self._handle_lives,
            BEFORE: self._handle_before,
        }

    # -- questions and choices -----------------------------------------------------------------

    def guided(self, prompt: Prompt[Any]) -> bool:
        """§4 What the questions are for, in everybody's first turns."""
        state = self.game.state
        return state.guide and state.turn <= 2 * len(state.seats)

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        """What a choice is called; of a die also what the number comes to for who rolls."""
        if isinstance(choice, int) and prompt is not None and prompt.key in DICE_QUESTIONS:
            return self._pips(choice, prompt.key, prompt.seat)
        return super().label(choice, prompt)

    def choice(self, choice: Choice, key: str) -> Label:
        """What a choice is called; a number is a square, and what it is."""
        if isinstance(choice, int):
            return self._square(choice)
        if choice in BOARD_NAMES and choice not in self.card_names:
            return Phrase(BOARD_NAMES[choice])
        return super().choice(choice, key)

    def _square(self, number: int) -> Label:
        if not 0 <= number < self.game.track.size:
            return Phrase("{n}", {"n": number})
        kind = self.game.track.kinds[number]
        name = Phrase(SHORT_NAMES.get(kind, KIND_NAMES[kind]))
        return Phrase(N_("{n} {kind}"), {"n": number, "kind": name})

    def _pips(self, pips: int, key: str, seat: str) -> Label:
        """§4.a, 6 What a number of the die comes to."""
        if key == "roll" and seat in self.game.state.pawns:
            change = self.game.change_of_roll(seat)
            if change:
                return Phrase(ROLL_CHANGED, {"n": pips, "steps": max(1, pips + change)})
        if key in (ATTACK, COUNTER, DEFEND) and not self._changes_combat(seat):
            return self._outcome(pips, key)
        return Phrase("{n}", {"n": pips})

    def _changes_combat(self, seat: str) -> bool:
        """Ruling T2 Whether a change waits that works in combat too."""
        pawn = self.game.state.pawns.get(seat)
        return self._any_roll and pawn is not None and pawn.dice != 0

    def _outcome(self, pips: int, key: str) -> Label:
        """§6.1, 6.2 What a number means in combat."""
        good = {ATTACK: pips == FOUR, COUNTER: pips in (3, FOUR), DEFEND: pips > 2}
        text = HIT_BACK if key == DEFEND and pips == FOUR else OUTCOMES[key, good[key]]
        return Phrase(text, {"n": pips})

    def answer(self, event: events.Answered) -> Label:
        """What was answered; a number is a die's."""
        number = isinstance(event.choice, int)
        return Phrase("{n}", {"n": event.choice}) if number else super().answer(event)

    def detail(self, choice: Choice) -> Label | None:
        """A card's text."""
        text = self._texts.get(str(choice))
        return Named(text) if text else None

    # -- what happened -------------------------------------------------------------------------

    def tell(self, event: Event) -> Phrase:
        """What happened, in one sentence; of a card that is turned up also what it says."""
        if isinstance(event, events.TurnedUp) and self._texts.get(event.card):
            said = Named(self._texts[event.card])
            return Phrase(TURNED_UP, {"card": self.card(event.card), "text": said})
        return super().tell(event)

    def sentence(self, event: Event) -> str:
        """The message for an event."""
        if isinstance(event, tapak.DiceAdded) and self._any_roll:
            return ANY_ROLL_CHANGED
        return super().sentence(event)

    @property
    def _any_roll(self) -> bool:
        """Whether a change of the next roll counts in combat too (ruling T2)."""
        return self.game.state.rulings.get("T2") == "also_combat"

    # -- the real table ------------------------------------------------------------------------

    def _move_pawn(self, shift: Shift) -> Phrase:
        """Of a pawn that was not there before, as in the beginning, only where it goes."""
        if shift.start is None:
            return self.task("pawn/enter", shift, end=self.label(count_at(shift.end)))
        return self.task("pawn/move", shift, start=shift.start, end=shift.end)

    def _handle_lives(self, shift: Shift) -> Phrase:
        """Lives that are lost or won back; those of the beginning are simply taken."""
        if shift.start is None:
            return self.task("take", shift, cards=counted(LIVES, count_at(shift.end)))
        more = shift.more
        how = "life/gain" if more > 0 else "life/lose"
        return self.task(how, shift, life=counted(LIVES, abs(more)))

    def _handle_before(self, shift: Shift) -> Phrase:
        more = count_at(shift.end) > count_at(shift.start)
        return self.task("lay" if more else "away", shift, card=self.card(shift.last))

    def placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        """The key of a thing in `PLACES` and what goes into the message."""
        kind, end = shift.kind, shift.end
        match kind:
            case "pawn" if isinstance(end, int):
                return kind, {"square": self.label(end)}
            case "dice":
                kind = "any dice" if self._any_roll else kind
                return kind, {"dice": _signed(count_at(end))}
            case "before":
                return kind, {"card": self.card(shift.last)}
            case _ if kind in MARKER_NAMES:
                return "marker", {"marker": Phrase(MARKER_NAMES[kind])}
        return super().placed(shift)

    def fact(self, kind: str, value: int | str) -> Phrase:
        """What there is to know of a seat in short: role, lives, zone, what waits, what lies."""
        match kind:
            case "role":
                return Phrase(ROLE_NAMES[Role(str(value))])
            case "zone":
                return Phrase(ZONE_NAMES[Zone(str(value))])
            case "life":
                return counted(LIVES, int(value))
            case "dice":
                return Phrase(FACTS["dice"], {"dice": _signed(int(value))})
        card = kind.partition("/")[2]
        marker: Label = self.card(card) if card else Phrase(MARKER_NAMES[kind])
        return Phrase(
            FACTS["marker"] if int(value) > 1 else "{marker}", {"marker": marker, "n": value}
        )


def _signed(change: int) -> str:
    """A change of a roll: "+2", "−1"."""
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "0"
