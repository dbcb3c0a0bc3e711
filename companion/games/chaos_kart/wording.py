"""Chaos Kart in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which card and how many. The messages are keys of the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.games.chaos_kart import happenings as kart
from companion.games.chaos_kart.content import (
    EVENT,
    MOVE,
    POWER_UP,
    REPAIR,
    PowerUpType,
    Token,
)
from companion.games.chaos_kart.game import OUTSIDE, TURNED, ChaosKart
from companion.games.chaos_kart.markers import (
    BUMP_GUARD,
    DAMAGED,
    MARKERS,
    SHIELD,
    SILENCED,
    STUNNED,
)
from companion.games.chaos_kart.state import Phase
from companion.games.chaos_kart.tokens import GO_ON, STOP
from companion.rules import events
from companion.rules.events import Event
from companion.rules.layouts import Place, Shift, count_at
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, Choice, Prompt
from companion.rules.tabled import Special, TabledWording, counted
from companion.rules.wording import Label

# -- nouns -----------------------------------------------------------------------------------------

MARKER_NAMES = {
    DAMAGED: N_("damaged"),
    STUNNED: N_("stunned"),
    SHIELD: N_("shield"),
    BUMP_GUARD: N_("bump guard"),
    SILENCED: N_("silenced"),
}

DECK_NAMES = {
    MOVE: N_("move deck"),
    POWER_UP: N_("power-up deck"),
    EVENT: N_("event deck"),
}

TOKEN_NAMES = {
    Token.POWER_UP: N_("power-up token"),
    Token.EVENT: N_("event token"),
    Token.BEND: N_("bend"),
}

COUNTED = {
    MOVE: Phrase(N_("{n} move card"), plural=N_("{n} move cards")),
    POWER_UP: Phrase(N_("{n} power-up card"), plural=N_("{n} power-up cards")),
    EVENT: Phrase(N_("{n} event card"), plural=N_("{n} event cards")),
    "lap": Phrase(N_("{n} lap card"), plural=N_("{n} lap cards")),
    DAMAGED: Phrase(N_("{n} damaged marker"), plural=N_("{n} damaged markers")),
    STUNNED: Phrase(N_("{n} stunned marker"), plural=N_("{n} stunned markers")),
    SHIELD: Phrase(N_("{n} shield"), plural=N_("{n} shields")),
    BUMP_GUARD: Phrase(N_("{n} bump guard"), plural=N_("{n} bump guards")),
    SILENCED: Phrase(N_("{n} silenced marker"), plural=N_("{n} silenced markers")),
}
"""Cards by deck, and markers, with their number."""

STEPS = Phrase(N_("{n} square"), plural=N_("{n} squares"))

CARD_TYPES = {
    PowerUpType.ATTACK: N_("attack"),
    PowerUpType.TRAP: N_("trap"),
    PowerUpType.DEFENCE: N_("defence"),
    PowerUpType.UTILITY: N_("utility"),
}

# -- questions -------------------------------------------------------------------------------------
# A question may have a variant, "key/variant": see `_variant`.

QUESTIONS = {
    "repair": N_("Discard a card to repair 1 damaged?"),
    "before-move": N_("Play a power-up before moving?"),
    "move": N_("Play a move card"),
    "move/stunned": N_("Pass: stunned, no move card"),
    "after-move": N_("Play a power-up or end your turn"),
    "after-move/over": N_("End your turn"),
    "steps": N_("Choose {least} to {most} squares"),
    "discard": N_("Discard a card"),
    "discard/5.3": N_("Discard a card for the repair"),
    "discard/5.8": N_("Discard a card: 7 are the limit"),
    "event-card": N_("Turn up an event card"),
    "opponent": N_("Choose an opponent"),
    "leader": N_("Choose who counts as the leader"),
    "last": N_("Choose who counts as the last"),
    "trap-square": N_("Choose a square for {card}"),
    "defend": N_("Defend yourself?"),
    "defend/card": N_("Defend against {card}?"),
    "defend/by": N_("Defend against {card} of {by}?"),
    "guard": N_("Turn {by} away from your square?"),
    "bend": N_("Play a passive card for the bend?"),
    "judge-events": N_("Agree: do the events go on?"),
    "judge-square": N_("Agree on a square for {who}"),
    "scan": N_("Scan a card of your hand"),
    "passives": N_("Ask you about passive cards?"),
}

GUIDES = {
    "repair": N_(
        "You are damaged: move cards take you 2 squares at the most (§15.2). Once a turn you may "
        "discard any card to lose one damaged marker (§5.3)."
    ),
    "before-move": N_(
        "Before moving you may play one active power-up, or none (§5.4). One a turn is the limit, "
        "before or after the move (§6)."
    ),
    "move": N_(
        "You have drawn your move card of this turn (§5.2). Now play one from your hand and move "
        "your pawn, or none at all (§5.5). From outside, the first step is onto start/finish "
        "(§7.4)."
    ),
    "move/stunned": N_(
        "Stunned, you draw but play no move card this turn; the marker goes at its end (§15.3). "
        "Power-ups and repairs are still allowed."
    ),
    "after-move": N_(
        "After moving you may play an active power-up if you have not played one this turn (§5.7). "
        "Otherwise end your turn."
    ),
    "after-move/over": N_(
        "Nothing more can be played, so end your turn. Used cards go to the discards and the hand "
        "goes down to 7 cards (§5.8)."
    ),
    "steps": N_(
        "A card with a range lets you choose how far to go (§7.2). You then go all the way."
    ),
    "discard": N_("Choose any card of your hand and put it on the discards of its deck (§17)."),
    "discard/5.3": N_(
        "Pay for the repair: put any card of your hand on the discards of its deck (§5.3)."
    ),
    "discard/5.8": N_(
        "At the end of a turn nobody keeps more than 7 cards. Choose which one to discard (§5.8)."
    ),
    "event-card": N_(
        "You stopped on an event token: turn up the top event card for all to see. It works at "
        "once and is then discarded (§11)."
    ),
    "opponent": N_("The card works on one opponent, and you choose which one (§20.2)."),
    "leader": N_(
        "The leader has the most laps, then the shortest way to the line. Several are equal, so "
        "you choose (§19)."
    ),
    "last": N_(
        "The last player has the longest way to go. Several are equal, so you choose (§19)."
    ),
    "trap-square": N_(
        "Lay the trap on an empty square, never on start/finish, as its card says (§13.1). You can "
        "have one trap on the track (§13.4)."
    ),
    "defend": N_(
        "You may answer with one defence: a shield against attacks and traps, or a passive card "
        "that fits (§16). Keep it and the effect happens."
    ),
    "guard": N_(
        "Another pawn is about to come onto your square. A bump guard or a fitting passive card "
        "turns it away, one square behind you (§15.5)."
    ),
    "bend": N_(
        "Bends do nothing by themselves, but some cards wait for one: you may play such a passive "
        "card now (§12, 14.2)."
    ),
}

PHASES = {
    Phase.SETUP: N_("Set-up"),
    Phase.START: N_("Start of the turn"),
    Phase.REPAIR: N_("Repair"),
    Phase.BEFORE: N_("Action before moving"),
    Phase.MOVE: N_("Move"),
    Phase.AFTER: N_("Action after moving"),
    Phase.END: N_("End of the turn"),
}

# -- choices ---------------------------------------------------------------------------------------

OPTIONS = {
    REPAIR: N_("repair"),
    SHIELD: N_("shield"),
    BUMP_GUARD: N_("bump guard"),
    GO_ON: N_("go on"),
    STOP: N_("stop"),
}

OPTIONS_AT = {
    ("repair", PASS): N_("no repair"),
    ("before-move", PASS): N_("no power-up"),
    ("move", PASS): N_("no move"),
    ("after-move", PASS): N_("end turn"),
    ("defend", PASS): N_("no defence"),
    ("guard", PASS): N_("let it come"),
    ("bend", PASS): N_("no card"),
    ("passives", "on"): N_("yes, ask me"),
    ("passives", "off"): N_("no, do not ask"),
}
"""Choices that one question calls otherwise."""

SEAT_QUESTIONS = ("opponent", "leader", "last")
MARKER_QUESTIONS = ("defend", "guard")

TYPED = {
    PASS: (
        *("pass", "end turn", "end", "skip", "no move", "no defence", "no defense", "no repair"),
        *("no card", "no power-up", "let it come"),
        *("lewat", "akhiri giliran", "selesai giliran", "tidak gerak", "tidak bergerak"),
        *("tanpa pertahanan", "tidak perbaiki", "tanpa kartu", "tanpa power-up", "biarkan"),
        *("パス", "手番終了", "移動なし", "防御なし", "修理しない", "カードなし"),
        *("パワーアップなし", "そのまま受ける"),
    ),
    REPAIR: ("repair", "perbaiki", "perbaikan", "修理", "修理する"),
    SHIELD: ("shield", "シールド"),
    BUMP_GUARD: ("bump guard", "guard", "anti-senggol", "anti senggol", "バンプガード"),
    GO_ON: ("go on", "continue", "lanjut", "lanjutkan", "続ける"),
    STOP: ("stop", "berhenti", "hentikan", "やめる"),
    "passives": ("passives", "pasif", "パッシブ"),
}
"""The words that people may type for an option, in all languages, labels included."""

# -- what happened ---------------------------------------------------------------------------------

SENTENCES: dict[type[Event], str] = {
    events.DrawIgnored: N_("{seat} draws nothing: the {deck} and its discards are empty."),
    events.TurnedUp: N_("{card} is turned up from the {deck}."),
    events.Discarded: N_("{seat} discards {card}."),
    events.Moved: N_("{seat} goes from {start} to {end}."),
    kart.LapCompleted: N_("{seat} completes lap {laps} of {target}."),
    events.MarkerGained: N_("{seat} gets {one}."),
    events.MarkerIgnored: N_("{seat} has as many as allowed: {one} is not taken."),
    events.MarkerReplaced: N_("{seat} gets {one} in place of the old one; it starts afresh."),
    events.MarkerTurned: N_("{seat} turns a marker sideways: {marker}."),
    events.MarkerLost: N_("{seat} loses {one}."),
    kart.TurnedAway: N_("{holder} keeps {seat} off {square}: {seat} goes to {end} instead."),
    kart.Bumped: N_("{by} bumps {seat}."),
    kart.StoodStill: N_("{seat} stays on the same square; nothing is set off."),
    kart.Capped: N_("{seat} is damaged: {printed} becomes {steps}."),
    kart.Entered: N_("{seat} comes onto the track."),
    kart.LapWithheld: N_("{seat} crosses the line without a lap: it makes up for going back."),
    kart.HitBend: N_("{seat} hits the bend on {square}."),
    kart.TokenUsed: N_("{seat} stops on {square} and uses the {token}."),
    kart.EventIgnored: N_("The event token does nothing for {seat}: no event card is left."),
    kart.TrapLaid: N_("{seat} lays {card} on {square}."),
    kart.TrapSprung: N_("{seat} sets off {card} of {owner} on {square}."),
    kart.TrapRemoved: N_("{card} of {seat} is taken off {square}."),
    kart.Defended: N_("{seat} answers with {means}."),
    kart.NotDefended: N_("{seat} does not defend."),
    kart.NoEffect: N_("A part of {card} does nothing for {seat}."),
    kart.JudgeAsked: N_("A chain without end: the table decides for {seat}."),
    kart.PhaseBarred: N_("{seat} is stunned: no move card this turn."),
}

SPECIALS: dict[type[Event], tuple[Special, ...]] = {
    events.Answered: (
        (lambda event: event.prompt == "event-card", N_("{seat} turns up a card: {choice}.")),
    ),
    events.Discarded: ((lambda event: event.start != "hand", N_("{card} goes to the discards.")),),
    events.MarkerGained: (
        (lambda event: event.count > 1, N_("{seat} gets {one}; that makes {count}.")),
    ),
    events.MarkerLost: ((lambda event: event.count > 0, N_("{seat} loses {one}; {count} left.")),),
    events.Ended: (
        (
            lambda event: event.reason == "laps",
            N_("{winners} wins the race: lap {target} of {target}."),
        ),
    ),
    kart.Bumped: ((lambda event: event.rule == "9.2", N_("Chain bump: {by} pushes {seat} back.")),),
    kart.EventIgnored: (
        (
            lambda event: event.rule != "18",
            N_("The event token does nothing for {seat}: too many events this turn."),
        ),
    ),
    kart.TrapSprung: (
        (lambda event: event.owner == event.seat, N_("{seat} sets off an own trap: {card}.")),
    ),
    kart.NoEffect: ((lambda event: not event.card, N_("This does nothing for {seat}.")),),
}
"""Sentences for special cases of an event; the first whose condition holds is said."""

# -- things on the table ---------------------------------------------------------------------------

THINGS = {
    "kart": ("pawn", "bidak", "コマ"),
    "lap": ("ラップ",),
    "damaged": ("rusak", "ダメージ"),
    "stunned": ("stun", "スタン"),
    "shield": ("シールド",),
    "bump-guard": ("anti-senggol", "バンプガード"),
    "silenced": ("bungkam", "沈黙"),
    "move": ("gerak", "移動"),
    "power-up": ("パワーアップ",),
    "event": ("イベント",),
    "trap": ("トラップ",),
    "outside": ("luar", "外", "コース外"),
    "upright": ("tegak", "縦"),
    "turned": ("sideways", "miring", "横"),
}
"""Kinds of things and places by what else people call them."""

TURNED_UP = N_("{card} is turned up: {text}")
"""What everybody wants to hear of a card that was turned up."""

PLACES = {
    "kart": N_("Pawn of {who}: {square}"),
    "kart/gone": N_("Pawn of {who}: off the table"),
    "trap": N_("Trap of {who}: {card} on {square}"),
    "trap/none": N_("Trap of {who}: none"),
    "shield": N_("Before {who}: shield upright"),
    "shield/turned": N_("Before {who}: shield sideways"),
    "marker": N_("Before {who}: {cards}"),
}

TO_DO = {
    "kart/enter": N_("{who}: put your pawn on {end}"),
    "kart/move": N_("{who}: move your pawn from {start} to {end}"),
    "kart/leave": N_("{who}: take your pawn off the track"),
    "give": N_("{who}: put back {cards}"),
    "turn": N_("{who}: turn the shield sideways"),
    "upright": N_("{who}: turn the shield upright"),
    "trap/lay": N_("{who}: lay {card} on {square}"),
    "trap/take": N_("{who}: take {card} off {square}"),
    "trap/replace": N_("{who}: take {card} off {square}, lay {new} on {end}"),
}

FACTS = {
    "lap": N_("lap {n}/{target}"),
    "shield": N_("shield"),
    "shield/turned": N_("shield sideways"),
    "marker": N_("{marker} {n}"),
}


class KartWording(TabledWording[ChaosKart]):
    """The words of one game of Chaos Kart."""

    questions = QUESTIONS
    guides = GUIDES
    phases = PHASES
    sentences = SENTENCES
    specials = SPECIALS
    options = OPTIONS
    options_at = OPTIONS_AT
    usual = ("yes", "no", "done", "on", "off", "scan")
    typed = TYPED
    kinds = THINGS
    places = PLACES
    tasks = TO_DO
    decks = DECK_NAMES
    counts = COUNTED

    def __init__(self, game: ChaosKart) -> None:
        super().__init__(game)
        content = game.content
        self.card_names = content.catalogue.names
        self._texts = {
            card.id: card.text for deck in content.cards.decks().values() for card in deck
        }
        self.arguments |= {
            **dict.fromkeys(("start", "end", "square"), self._square),
            "means": self.label,
            "marker": lambda marker: Phrase(MARKER_NAMES[marker]),
            "token": lambda token: Phrase(TOKEN_NAMES[token]),
            "printed": lambda n: counted(STEPS, n),
        }
        self.to_do |= {
            "kart": self._move_pawn,
            "shield": self._handle_shield,
            "trap": self._handle_trap,
            **dict.fromkeys(("lap", *MARKERS.kinds.keys() - {SHIELD}), self._handle_markers),
        }

    # -- questions and choices -----------------------------------------------------------------

    def question(self, prompt: Prompt[Any]) -> str:
        """The key of a question: with its variant, where there is a message for that."""
        return self._variant(prompt, QUESTIONS)

    def question_args(self, prompt: Prompt[Any]) -> dict[str, object]:
        """What goes into a question; of a range of steps, its ends."""
        args = super().question_args(prompt)
        if prompt.key == "steps":
            args |= {"least": min(prompt.candidates), "most": max(prompt.candidates)}
        return args

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        """§5 What the phases are for, in everybody's first turn."""
        state = self.game.state
        if not state.guide or state.turn > len(state.seats):
            return None
        text = GUIDES.get(self._variant(prompt, GUIDES))
        return None if text is None else Phrase(text)

    def _variant(self, prompt: Prompt[Any], table: Mapping[str, str]) -> str:
        key = f"{prompt.key}/{self._special_case(prompt)}"
        return key if key in table else prompt.key

    def _special_case(self, prompt: Prompt[Any]) -> str:
        match prompt.key:
            case "move" if prompt.skippable:
                return "stunned"
            case "after-move" if not self.game.could_play_active(prompt.seat):
                return "over"
            case "defend" if prompt.args.get("card"):
                return "by" if prompt.args.get("by") not in ("", prompt.seat) else "card"
            case _:
                return prompt.rule

    def choice(self, choice: Choice, key: str) -> Label:
        """What a choice is called; at some questions a marker goes before a card of its name."""
        if isinstance(choice, int):
            return counted(STEPS, choice) if key == "steps" else self._square(choice)
        if key in SEAT_QUESTIONS:
            return self.who(choice)
        if choice in OPTIONS and key in MARKER_QUESTIONS and (key, choice) not in OPTIONS_AT:
            return Phrase(OPTIONS[choice])
        if choice in TOKEN_NAMES and choice not in self.card_names:
            return Phrase(TOKEN_NAMES[Token(choice)])
        return super().choice(choice, key)

    def detail(self, choice: Choice) -> Label | None:
        """A card's text, after what kind of power-up it is: shields answer attacks and traps."""
        text = self._texts.get(str(choice))
        named = Named(text) if text else None
        card = self.game.content.power_ups.get(str(choice))
        if card is None:
            return named
        kind = Phrase(CARD_TYPES[card.type])
        if named is None:
            whole = N_("Passive, {kind}") if card.passive else N_("Active, {kind}")
            return Phrase(whole, {"kind": kind})
        whole = N_("Passive, {kind}: {text}") if card.passive else N_("Active, {kind}: {text}")
        return Phrase(whole, {"kind": kind, "text": named})

    def named(self) -> Iterator[tuple[Choice, Iterable[str]]]:
        """Choices and words for them; a plain move card is said by its number, too."""
        yield from super().named()
        for move in self.game.content.cards.move:
            if move.plain:
                yield move.id, (str(move.steps),)

    # -- what happened -------------------------------------------------------------------------

    def tell(self, event: Event) -> Phrase:
        """What happened, in one sentence; of a card that is turned up also what it says."""
        if isinstance(event, events.TurnedUp) and event.card in self._texts:
            said = Named(self._texts[event.card])
            return Phrase(TURNED_UP, {"card": self.card(event.card), "text": said})
        return super().tell(event)

    def event_args(self, event: Event) -> dict[str, object]:
        """Every field of an event by its name, and how many laps win."""
        args = super().event_args(event)
        marker = getattr(event, "marker", "")
        if marker:
            args["one"] = counted(COUNTED[marker], 1)
        return args | {"target": self.game.target}

    # -- the real table ------------------------------------------------------------------------

    def _move_pawn(self, shift: Shift) -> Phrase | None:
        was_off, is_off = shift.start in (OUTSIDE, None), shift.end in (OUTSIDE, None)
        if was_off and is_off:
            return None
        how = "kart/enter" if was_off else "kart/leave" if is_off else "kart/move"
        start: object = self._square(shift.start)
        end: object = self._square(shift.end)
        if how == "kart/move":
            start, end = shift.start or start, shift.end or end
        return self.task(how, shift, start=start, end=end)

    def _handle_shield(self, shift: Shift) -> Phrase | None:
        if shift.start and shift.end:
            return self.task("turn" if shift.end == TURNED else "upright", shift)
        how = "take" if shift.end else "give"
        return self.task(how, shift, cards=counted(COUNTED[SHIELD], 1))

    def _handle_markers(self, shift: Shift) -> Phrase | None:
        more = shift.more
        if not more:
            return None
        cards = counted(COUNTED[shift.kind], abs(more))
        return self.task("take" if more > 0 else "give", shift, cards=cards)

    def _handle_trap(self, shift: Shift) -> Phrase | None:
        old, new = self._trap(shift.start), self._trap(shift.end)
        if old and new:
            return self.task("trap/replace", shift, **old, new=new["card"], end=new["square"])
        return self.task("trap/lay" if new else "trap/take", shift, **(new or old))

    def placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        """The key of a thing in `PLACES` and what goes into the message."""
        kind, end = shift.kind, shift.end
        match kind:
            case "shield" if end:
                return ("shield/turned" if end == TURNED else "shield"), {}
            case "kart" if end is None:
                return "kart/gone", {}
            case "kart":
                return kind, {"square": self._square(end)}
            case "trap":
                trap = self._trap(end)
                return ("trap" if trap else "trap/none"), trap
            case _ if kind in COUNTED:
                return "marker", {"cards": counted(COUNTED[kind], count_at(end))}
        return super().placed(shift)

    def _trap(self, place: Place) -> dict[str, object]:
        """A trap's card and square from its place in a layout; empty for none."""
        card, at, square = str(place or "").partition("@")
        return {"card": self.card(card), "square": self._square(int(square))} if at else {}

    def fact(self, kind: str, value: int | str) -> Phrase:
        """A marker or lap count in short."""
        if kind == SHIELD:
            return Phrase(FACTS["shield/turned" if value == TURNED else "shield"])
        if kind == "lap":
            return Phrase(FACTS["lap"], {"n": value, "target": self.game.target})
        marker = Phrase(MARKER_NAMES[kind])
        if MARKERS.kinds[kind].cap == 1:
            return marker
        return Phrase(FACTS["marker"], {"marker": marker, "n": value})

    # -- names ---------------------------------------------------------------------------------

    def _square(self, square: Place) -> Phrase:
        if square in (None, OUTSIDE):
            return Phrase(N_("outside the track"))
        if square == 0:
            return Phrase(N_("start/finish"))
        return Phrase(N_("square {n}"), {"n": square})
