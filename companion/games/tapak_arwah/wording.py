"""Tapak Arwah Nusantara in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which card and how many. The messages are keys of the catalogues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
from companion.rules.layouts import Place, Shift
from companion.rules.lines import SILENCE, SKIPPED
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, Choice, Prompt
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

OPTIONS = {
    PASS: N_("pass"),
    "on": N_("on"),
    "off": N_("off"),
    "yes": N_("yes"),
    "no": N_("no"),
    "done": N_("done"),
}

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
    "on": ("on", "yes, ask me", "nyala", "ya, tanyakan", "オン", "はい、尋ねる"),
    "off": ("off", "no, do not ask", "mati", "tidak usah", "オフ", "いいえ、尋ねない"),
    "yes": ("yes", "y", "ya", "はい"),
    "no": ("no", "n", "tidak", "いいえ"),
    "done": ("done", "sudah", "beres", "完了"),
}
"""The words that people may type for an option, in all languages, labels included."""

# -- what happened ---------------------------------------------------------------------------------

SENTENCES: dict[type[Event], str] = {
    events.Answered: N_("{seat} chooses: {choice}."),
    events.Corrected: N_("The table corrects: {what}."),
    events.RulingChanged: N_("The table decides ruling {ruling} anew: {choice}"),
    events.SeatLeft: N_("{seat} leaves the table."),
    events.SeatsSwapped: N_("{seat} and {other} swap places in the turn order."),
    events.TurnBegan: N_("Turn {turn}: it is the turn of {seat}."),
    events.TurnEnded: N_("The turn of {seat} ends."),
    events.Drew: N_("{seat} draws {cards}."),
    events.DrawIgnored: N_("{seat} draws nothing: no card of the {deck} is left."),
    events.TurnedUp: N_("{card} is turned up."),
    events.Played: N_("{seat} plays {card}."),
    events.Discarded: N_("{card} goes to the discards."),
    events.Reshuffled: N_("The discards of the {deck} are shuffled in: {cards}."),
    events.Scanned: N_("{seat} scans {card}."),
    events.Moved: N_("{seat} goes from square {start} to square {end}."),
    events.MarkerGained: N_("{seat}: {marker}."),
    events.MarkerIgnored: N_("{seat} has that already: {marker}."),
    events.MarkerLost: N_("{seat}, no longer: {marker}."),
    events.Ended: N_("The game is over. {winners} wins."),
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

_Special = tuple[Callable[[Any], bool], str]

OTHERWISE: dict[type[Event], tuple[_Special, ...]] = {
    events.Answered: (
        (lambda event: event.via in (SILENCE, SKIPPED), N_("{seat} says nothing: {choice}.")),
        (lambda event: event.prompt == "debuff", N_("{seat} turns up a card: {choice}.")),
        (lambda event: event.prompt in DICE_QUESTIONS, N_("{seat} rolls {choice}.")),
        (lambda event: event.forced, N_("{seat} chooses, as the table agrees: {choice}.")),
    ),
    events.Corrected: (
        (lambda event: bool(event.reason), N_("The table corrects: {what} ({reason}).")),
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
    "turn": ("giliran", "手番"),
    "round": ("putaran", "ronde", "ラウンド"),
    "pawn": ("pion", "bidak", "コマ"),
    "life": ("lives", "nyawa", "ライフ"),
    SKIP: ("lewat", "休み"),
    EXTRA_TURN: ("extra", "giliran tambahan", "追加手番"),
    NO_ATTACK: ("tanpa-serangan", "攻撃不可"),
    NO_BUFF: ("tanpa-buff", "バフ不可"),
    "dice": ("die", "dadu", "サイコロ"),
    "hand": ("tangan", "手札"),
    BEFORE: ("depan", "前"),
    "discard": ("discards", "buangan", "buang", "捨て札"),
}
"""Kinds of things and places by what else people call them."""

ANY_ROLL_CHANGED = N_("The next roll of {seat} is changed by {dice}.")
"""Where combat counts too, instead of the sentence of DiceAdded."""

PLACES = {
    "turn": N_("Turn: {who}"),
    "round": N_("Round: {n}"),
    "phase": N_("Phase: {phase}"),
    "pawn": N_("The pawn of {who}: {square}"),
    "life": N_("Lives of {who}: {n}"),
    "dice": N_("Next movement roll of {who}: {dice}"),
    "any dice": N_("Next roll of {who}: {dice}"),
    "hand": N_("Hand of {who}: {cards}"),
    "open": N_("Open before {who}: {card}"),
    "before": N_("Before {who}: {n} × {card}"),
    "discard": N_("Discards of the {deck}: {cards}"),
    "marker": N_("{who}: {marker} ({n})"),
    "other": N_("{thing}: {place}"),
}

TO_DO = {
    "pawn/enter": N_("{who}: put your pawn on {end}"),
    "pawn/move": N_("{who}: take your pawn from {start} to {end}"),
    "life/lose": N_("{who}: give away {life}"),
    "life/gain": N_("{who}: take back {life}"),
    "take": N_("{who}: take {cards}"),
    "lay": N_("{who}: lay {card} before you"),
    "away": N_("{who}: put {card} on its discards"),
    "shuffle": N_("Shuffle the discards of the {deck} into a new deck"),
}

FACTS = {
    "dice": N_("next roll {dice}"),
    "marker": N_("{marker} {n}"),
}


class TapakWording:
    """The words of one game. Implements `companion.rules.wording.Wording`."""

    def __init__(self, game: TapakArwah) -> None:
        self.game = game
        self._texts = {card.id: card.text for card in game.content.cards.values()}
        self._arguments: dict[str, Callable[[Any], object]] = {
            **dict.fromkeys(("seat", "other"), self._who),
            "winners": lambda seats: [self._who(seat) for seat in seats],
            "card": self._card,
            "marker": lambda marker: Phrase(MARKER_NAMES[marker]),
            "deck": lambda deck: Phrase(DECK_NAMES[deck]),
            "kind": lambda kind: Phrase(KIND_NAMES[Kind(kind)]),
            "zone": lambda zone: Phrase(ZONE_NAMES[Zone(zone)]),
            "dice": _signed,
        }
        self._additions: dict[type[Event], Callable[[Any], dict[str, object]]] = {
            events.Answered: lambda e: {"choice": self._answer(e)},
            events.Corrected: lambda e: {"what": self.place(Shift(e.thing, e.before, e.place))},
            events.RulingChanged: lambda e: {"choice": self._variant_text(e.ruling, e.choice)},
            tapak.LifeLost: lambda e: {"life": _counted(LIVES, e.lives)},
            tapak.LifeGained: lambda e: {"life": _counted(LIVES, e.lives)},
        }
        self._to_do: dict[str, Callable[[Shift], Phrase | None]] = {
            "pawn": self._move_pawn,
            "life": self._handle_lives,
            "hand": self._take_cards,
            BEFORE: self._handle_before,
            "discard": self._shuffle,
        }

    # -- questions and choices -----------------------------------------------------------------

    def ask(self, prompt: Prompt[Any]) -> Phrase:
        """The question, verb first."""
        return Phrase(QUESTIONS[prompt.key], {"who": self._who(prompt.seat)})

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        """§4 What the questions are for, in everybody's first turns."""
        state = self.game.state
        if not state.guide or state.turn > 2 * len(state.seats):
            return None
        return Phrase(GUIDES[prompt.key]) if prompt.key in GUIDES else None

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        """What a choice is called at a question, or without one."""
        key = prompt.key if prompt is not None else ""
        if isinstance(choice, int):
            return self._number(choice, key, prompt)
        if (key, choice) in OPTIONS_AT:
            return Phrase(OPTIONS_AT[key, choice])
        names = self.game.catalogue.names
        if choice in names:
            return names[choice]
        for table in (OPTIONS, ZONE_NAMES, KIND_NAMES, ROLE_NAMES):
            if choice in table:
                return Phrase(table[choice])  # type: ignore[index]  # these are strings
        return self._who(choice)

    def _number(self, number: int, key: str, prompt: Prompt[Any] | None) -> Label:
        """A number of a die with what it means, or else a square with what it is."""
        if key in DICE_QUESTIONS:
            return self._pips(number, key, prompt.seat if prompt is not None else "")
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

    def _answer(self, event: events.Answered) -> Label:
        if isinstance(event.choice, int):
            return Phrase("{n}", {"n": event.choice})
        return self.label(event.choice, Prompt(event.prompt, event.seat, "", ()))

    def detail(self, choice: Choice) -> Label | None:
        """A card's text."""
        text = self._texts.get(str(choice))
        return Named(text) if text else None

    def things(self) -> Mapping[str, Iterable[str]]:
        """What is called otherwise in the rulebook's language and in Japanese."""
        return THINGS

    def names(self) -> Mapping[Choice, Iterable[str]]:
        """Cards, options and players by the words that people may type."""
        names: dict[Choice, list[str]] = {option: list(words) for option, words in TYPED.items()}
        for card, name in self.game.catalogue.names.items():
            names.setdefault(card, []).extend((card, *name.words.values()))
        for seat, player in self.game.state.names.items():
            names.setdefault(seat, []).extend((seat, player))
        return {choice: tuple(dict.fromkeys(words)) for choice, words in names.items()}

    # -- what happened -------------------------------------------------------------------------

    def tell(self, event: Event) -> Phrase:
        """What happened, in one sentence."""
        if isinstance(event, events.TurnedUp) and self._texts.get(event.card):
            said = Named(self._texts[event.card])
            return Phrase(TURNED_UP, {"card": self._card(event.card), "text": said})
        if isinstance(event, tapak.DiceAdded) and self._any_roll:
            return Phrase(ANY_ROLL_CHANGED, self._event_args(event))
        special = OTHERWISE.get(type(event), ())
        text = next((text for holds, text in special if holds(event)), SENTENCES[type(event)])
        return Phrase(text, self._event_args(event))

    @property
    def _any_roll(self) -> bool:
        """Whether a change of the next roll counts in combat too (ruling T2)."""
        return self.game.state.rulings.get("T2") == "also_combat"

    def _event_args(self, event: Event) -> dict[str, object]:
        """Every field of an event by its name, put into words, and what its sentence adds."""
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        args = {
            name: self._arguments[name](value) if name in self._arguments else value
            for name, value in fields.items()
        }
        if "deck" in fields and "count" in fields:
            args["cards"] = _counted(COUNTED_CARDS[fields["deck"]], fields["count"])
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

    def _move_pawn(self, shift: Shift) -> Phrase:
        """Of a pawn that was not there before, as in the beginning, only where it goes."""
        if shift.start is None:
            return self._do("pawn/enter", shift, end=self.label(_count(shift.end)))
        return self._do("pawn/move", shift, start=shift.start, end=shift.end)

    def _handle_lives(self, shift: Shift) -> Phrase:
        """Lives that are lost or won back; those of the beginning are simply taken."""
        if shift.start is None:
            return self._do("take", shift, cards=_counted(LIVES, _count(shift.end)))
        more = _count(shift.end) - _count(shift.start)
        how = "life/gain" if more > 0 else "life/lose"
        return self._do(how, shift, life=_counted(LIVES, abs(more)))

    def _take_cards(self, shift: Shift) -> Phrase | None:
        """Cards to draw; those that left a hand were laid by its owner."""
        more = _count(shift.end) - _count(shift.start)
        if more <= 0:
            return None
        return self._do("take", shift, cards=_counted(COUNTED_CARDS[_last(shift)], more))

    def _handle_before(self, shift: Shift) -> Phrase:
        more = _count(shift.end) > _count(shift.start)
        return self._do("lay" if more else "away", shift, card=self._card(_last(shift)))

    def _shuffle(self, shift: Shift) -> Phrase | None:
        """A pile of discards only ever gets smaller by becoming a new deck."""
        if _count(shift.end) >= _count(shift.start):
            return None
        return self._do("shuffle", shift, deck=Phrase(DECK_NAMES[_last(shift)]))

    def _do(self, how: str, shift: Shift, **args: object) -> Phrase:
        return Phrase(TO_DO[how], {"who": self._who(shift.owner), **args})

    def place(self, shift: Shift) -> Phrase:
        """One thing and where it is."""
        kind, args = self._placed(shift.kind, shift)
        return Phrase(PLACES[kind], {"who": self._who(shift.owner), "n": _count(shift.end), **args})

    def _placed(self, kind: str, shift: Shift) -> tuple[str, dict[str, object]]:
        """A message of PLACES and what goes into it."""
        end, last = shift.end, _last(shift)
        match kind:
            case "turn":
                return kind, {"who": self._who(str(end))}
            case "phase" if end in tuple(Phase):
                return kind, {"phase": self.phase(str(end))}
            case "pawn" if isinstance(end, int):
                return kind, {"square": self.label(end)}
            case "dice":
                kind = "any dice" if self._any_roll else kind
                return kind, {"dice": _signed(_count(end))}
            case "hand" | "discard" if last in DECK_NAMES:
                cards = _counted(COUNTED_CARDS[last], _count(end))
                return kind, {"cards": cards, "deck": Phrase(DECK_NAMES[last])}
            case "open":
                return kind, {"card": self._card(str(end))}
            case "before":
                return kind, {"card": self._card(last)}
            case "round" | "life":
                return kind, {}
            case _ if kind in MARKER_NAMES:
                return "marker", {"marker": Phrase(MARKER_NAMES[kind])}
        return "other", {"thing": shift.thing, "place": "" if end is None else end}

    def fact(self, kind: str, value: int | str) -> Phrase:
        """What there is to know of a seat in short: role, lives, zone, what waits, what lies."""
        match kind:
            case "role":
                return Phrase(ROLE_NAMES[Role(str(value))])
            case "zone":
                return Phrase(ZONE_NAMES[Zone(str(value))])
            case "life":
                return _counted(LIVES, int(value))
            case "dice":
                return Phrase(FACTS["dice"], {"dice": _signed(int(value))})
        card = kind.partition("/")[2]
        marker: Label = self._card(card) if card else Phrase(MARKER_NAMES[kind])
        return Phrase(
            FACTS["marker"] if int(value) > 1 else "{marker}", {"marker": marker, "n": value}
        )

    def phase(self, phase: str) -> Phrase:
        """§4 The step of the turn."""
        return Phrase(PHASES[Phase(phase)])

    # -- names ---------------------------------------------------------------------------------

    def _who(self, seat: str) -> Named:
        """A player; a seat nobody knows by its id."""
        return Named({"en": self.game.state.names.get(seat, seat)})

    def _card(self, card: str) -> Named:
        return self.game.catalogue.names.get(card) or Named({"en": card})


def _counted(template: Phrase, n: int) -> Phrase:
    """A counted noun: "2 ghost buffs"."""
    return Phrase(template.text, {"n": n}, template.plural)


def _signed(change: int) -> str:
    """A change of a roll: "+2", "−1"."""
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "0"


def _count(place: Place) -> int:
    """A count from a layout; nothing there, or no number, is none."""
    return place if isinstance(place, int) else 0


def _last(shift: Shift) -> str:
    """The last part of a thing's name: the deck of a hand or pile, the card before a player."""
    return shift.thing.rpartition("/")[2]
