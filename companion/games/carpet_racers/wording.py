"""Carpet Racers in words: what is asked, what happened, what to move.

All of it is tables of messages by event, question or kind of thing, and below them one class that
fills in who, which car and where. The messages are keys of the catalogues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.games.carpet_racers import happenings as own
from companion.games.carpet_racers.board import CASTLE, PRINTED, SANDBOX
from companion.games.carpet_racers.bonuses import LAY, TAKE
from companion.games.carpet_racers.content import DECK
from companion.games.carpet_racers.game import AGAIN, OWN_DOCK, CarpetRacers
from companion.games.carpet_racers.movement import BETWEEN, parse_leg
from companion.games.carpet_racers.state import Phase, Tags
from companion.games.carpet_racers.table import (
    BOOST,
    CHEQUERED,
    CHIP,
    CLUE,
    CONTROLLER,
    PROGRESS,
    REVEALED,
    STOP,
    STRETCH,
    TRAP,
    UNSEEN,
)
from companion.rules import events
from companion.rules.cards import SCAN
from companion.rules.events import Event
from companion.rules.layouts import Place, Shift, count_at
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import PASS, SEEN, Choice, Prompt
from companion.rules.seals import sort_of
from companion.rules.tabled import Special, TabledWording, counted
from companion.rules.wording import Label

MOST_NAMED = 20
"""The most spaces for which a car's part of the movement has words to be typed."""

# -- nouns -----------------------------------------------------------------------------------------

DECK_NAMES = {DECK: N_("cards"), TRAP: N_("traps")}

TRAPS = Phrase(N_("{n} trap"), plural=N_("{n} traps"))
STOPS = Phrase(N_("{n} stop"), plural=N_("{n} stops"))
STRETCHES = Phrase(N_("{n} stretch token"), plural=N_("{n} stretch tokens"))
BOOSTS = Phrase(N_("{n} boost"), plural=N_("{n} boosts"))
"""§6.3.2 Of a colour that is said beside it."""
SPACES = Phrase(N_("{n} space"), plural=N_("{n} spaces"))

SEALED = {CHIP: N_("a chip"), TRAP: N_("a trap token")}

# -- questions -------------------------------------------------------------------------------------

QUESTIONS = {
    "chip": N_("Tap the chip for {controller}"),
    "token": N_("Tap the trap for {where}"),
    "card": N_("Play a card"),
    "second-car": N_("Which car moves as the grey one?"),
    "split": N_("Share {n} spaces: how far each?"),
    "way": N_("{car}: which way? {n} to go"),
    "way-back": N_("Back by which way? {n} to go"),
    "controller": N_("Look into which controller?"),
    "sight": N_("For you alone: the chip of {controller}"),
    "boost": N_("Take a boost: which colour?"),
    "boost/of": N_("Boost {n} of {count}: which colour?"),
    "lose-boost": N_("Discard a boost: which colour?"),
    "trap-bonus": N_("Take a trap or lay one?"),
    "trap-bonus/of": N_("Trap {n} of {count}: take or lay one?"),
    "lay": N_("Tap the trap that you lay"),
    "look": N_("Look at a trap: on which space?"),
    "trap": N_("Which trap is first?"),
    "trap/tap": N_("Tap the trap that is first"),
    "turned-over": N_("Trap on {space}: what does it show?"),
    "bonus": N_("Which bonus is first?"),
    "launch": N_("Which car flies first?"),
    "die": N_("Catapult, {car}: roll the die"),
    "stretch": N_("Fly further than {n}?"),
    "discard": N_("Discard one more card?"),
    "reveal": N_("Open your controller: which car?"),
    SCAN: N_("Scan a card of your hand"),
    AGAIN: N_("Look again: {controller}"),
    OWN_DOCK: N_("Look at the traps of your dock"),
}

GUIDES = {
    "chip": N_(
        "Shuffle the chips face down. Tap one without looking at it and put it into this "
        "controller (§3)."
    ),
    "token": N_("Traps with tags are tapped face down; nobody learns what this one is (§6.2.1)."),
    "card": N_(
        "Play one card. Its two cars move, whoever drives them; then traps, bonuses and the card’s "
        "effect follow (§6)."
    ),
    "second-car": N_("The grey car is any other car of your choice (§6.1)."),
    "split": N_(
        "Choose how far each of the two cars goes, one space at the least; the one named first "
        "moves first (§6.1)."
    ),
    "way": N_("At a fork you choose the way of the car, main way or detour (§7)."),
    "controller": N_(
        "Look at the chip in another controller, in secret, and put its clue on your dock. You may "
        "look there again at any time (§6.3.1)."
    ),
    "boost": N_(
        "Each boost of the colour of your own car is a space forward at the end. Everybody sees "
        "yours, so they also tell what you believe (§6.3.2)."
    ),
    "trap-bonus": N_(
        "Take a trap, look at it and put it face down on your dock, or lay one of your dock where "
        "a car has stopped that you moved (§6.2.1)."
    ),
    "look": N_(
        "Look at one face-down trap and put it back. Only where you looked is noted (§6.3)."
    ),
    "turned-over": N_(
        "A car has stopped on a trap. It hits you, whoever’s car it was, and is discarded (§6.2)."
    ),
    "stretch": N_("Each stretch token takes the car one sandcastle further (§9.1)."),
    "discard": N_(
        "You may discard one more card before you draw up to your hand limit (§6.6). Then the turn "
        "passes on."
    ),
    "reveal": N_(
        "Open your controller: that car is yours. Boosts of its colour take it forward, stops back "
        "(§8.1)."
    ),
}

FIRST_CLUES = N_(
    "First each of you looks, in secret, into the controller whose clue is yours: you see it in "
    "the standings (§4). Then play one card (§6)."
)
"""Before the very first card, where no screen has shown the chips."""

PHASES = {
    Phase.SET_UP: N_("Setting up"),
    Phase.START: N_("Start of the turn"),
    Phase.CARD: N_("Play a card"),
    Phase.MOVE: N_("1) Movement"),
    Phase.TRAPS: N_("2) Traps"),
    Phase.BONUS: N_("3) Track bonus"),
    Phase.CATAPULT: N_("3.5) Catapult"),
    Phase.EFFECT: N_("4) Card effect"),
    Phase.TYRES: N_("5) Tyres"),
    Phase.NEW_CARDS: N_("6) New cards"),
    Phase.REVEAL: N_("Who drove which car?"),
    Phase.FINAL: N_("Final moves"),
}

# -- choices ---------------------------------------------------------------------------------------

OPTIONS = {
    TAKE: N_("take a trap"),
    UNSEEN: N_("no tag"),
    SEEN: N_("seen"),
}

OPTIONS_AT = {
    ("trap-bonus", PASS): N_("neither"),
    ("look", PASS): N_("do not look"),
    ("stretch", PASS): N_("no further"),
    ("discard", PASS): N_("end turn"),
}
"""Choices that one question calls otherwise."""

SPACE, SPACE_WITH = N_("space {n}"), N_("{what}: {n}")
CASTLE_NAME, CASTLE_WITH = N_("sandcastle {n}"), N_("castle {n}: {what}")
UNTAGGED = N_("{n}: no tag")
"""§6.2 A space, where the trap that is meant cannot be tapped."""
MAIN_WAY, DETOUR = N_("main way: {n}"), N_("detour: {n}")
LAY_ON = N_("lay on {n} ({cars})")
LAY_AT = N_("lay a trap on space {n}")
LEG, LEGS = N_("{car} {n}"), N_("{car} {n} + {other} {rest}")
HELD_BY, AUTOMATIC = N_("{who} ({controller})"), N_("{controller} (automatic)")

TYPED: dict[Choice, tuple[str, ...]] = {
    PASS: (
        *("pass", "end turn", "end", "skip", "neither", "do not look", "no further"),
        *("lewat", "akhiri giliran", "selesai giliran", "tidak keduanya", "tidak melihat"),
        *("tidak lebih jauh", "パス", "手番終了", "どちらもしない", "見ない", "そのまま"),
    ),
    TAKE: ("take", "take a trap", "ambil", "ambil perangkap", "獲得", "罠を獲得"),
    UNSEEN: ("no tag", "tanpa tag", "タグなし"),
    SEEN: ("seen", "sudah lihat", "見た"),
    AGAIN: ("look-again", "look again", "lihat lagi", "もう一度見る"),
    OWN_DOCK: ("own-dock", "own dock", "my dock", "dok sendiri", "自分のドック"),
}
"""The words that people may type for an option, in all languages, labels included."""

LAY_WORDS = ("lay {n}", "lay-{n}", "lay on {n}", "pasang {n}", "{n}に設置", "設置 {n}")
CASTLE_WORDS = ("castle {n}", "castle-{n}", "sandcastle {n}", "istana {n}", "城 {n}", "砂の城 {n}")

# -- what happened ---------------------------------------------------------------------------------

SENTENCES: dict[type[Event], str] = {
    own.ChipInserted: N_("A chip lies in the controller {controller} now."),
    own.TrapPlaced: N_("A trap lies on {space} now, face down."),
    own.DockFilled: N_("A trap lies on the dock of {controller}, face down."),
    own.SpaceFull: N_("Two traps lie on {space} already: no further one."),
    own.NoTrapLeft: N_("No trap is left."),
    own.Peeked: N_("{seat} looks into the controller of {controller}."),
    own.NotPeeked: N_("{seat} looks into no controller."),
    own.Drove: N_("{car} goes {counted} from {start} to {end}."),
    own.LapMarked: N_("{car} passes the start line: {lap}."),
    own.RaceOver: N_("{car} has finished: the race ends."),
    own.CatapultReached: N_("{car} stops on a catapult; {counted} left."),
    own.RestLost: N_("Both cars are on catapults: {counted} not used."),
    own.Launched: N_("{car} is launched: {pips}."),
    own.Landed: N_("{car} lands on {castle}."),
    own.TrapWorks: N_("The trap hits {seat}: {trap}."),
    own.BonusGot: N_("{seat} gets the bonus of {space}."),
    own.Advanced: N_("{seat} moves the progress token up to {progress}."),
    own.ProgressEnds: N_("{seat} is at the end of the progress track."),
    own.HandLimitRaised: N_("{seat} may hold {cards} cards from now on."),
    own.TokenGained: N_("{seat} takes {counted} ({token}): {held} now."),
    own.TokenLost: N_("{seat} puts back {counted} ({token}): {held} left."),
    own.NoBoost: N_("{seat} has no boost to discard."),
    own.TrapTaken: N_("{seat} takes a trap onto the dock: {counted} there."),
    own.TrapLaid: N_("{seat} lays a trap on {space}."),
    own.TrapBonusLost: N_("{seat} can neither take a trap nor lay one."),
    own.Looked: N_("{seat} looks at a trap on {space}."),
    own.NothingToLookAt: N_("There is no trap to look at for {seat}."),
    own.EffectForbidden: N_("The card of {seat} has no effect in this turn."),
    own.DrawForbidden: N_("{seat} draws no new cards in this turn."),
    own.NoCard: N_("{seat} has no card to play."),
    own.ChipRevealed: N_("{seat} drove {car}."),
    own.StandsAt: N_("{car} of {seat} has come to lap {lap}, {counted} past the line."),
}

SPECIALS: dict[type[Event], tuple[Special, ...]] = {
    events.Answered: (
        (lambda event: event.prompt == "turned-over", N_("{seat} turns over a trap: {choice}.")),
        (lambda event: event.prompt == "die", N_("{seat} rolls {choice}.")),
        (lambda event: event.prompt == "reveal", N_("{seat} opens the controller: {choice}.")),
    ),
    events.Discarded: (
        (lambda event: event.start == "hand", N_("{seat} discards {card}.")),
        (lambda event: event.deck == TRAP, N_("The trap {card} is discarded.")),
    ),
    events.Ended: (
        (lambda event: not event.winners, N_("An automatic racer is in front: everybody loses.")),
        (lambda event: event.reason == "furthest", N_("{winners} wins: the car is furthest.")),
        (
            lambda event: event.reason == "boosts",
            N_("{winners} wins the tie with more matching boosts."),
        ),
        (lambda event: event.reason == "stops", N_("{winners} wins the tie with fewer stops.")),
        (lambda event: event.reason == "shared", N_("A tie: {winners} share the victory.")),
    ),
    own.Drove: (
        (
            lambda event: event.ruling == "R17",
            N_("{car} goes {counted} back from {start} to {end}."),
        ),
    ),
    own.NoBoost: ((lambda event: event.ruling == "R19", N_("No boost is left for {seat}.")),),
    own.EffectForbidden: (
        (lambda event: event.rule == "6.4", N_("The card has no effect: a trap forbids it.")),
    ),
    own.DrawForbidden: (
        (lambda event: event.rule == "6.6", N_("{seat} draws none: a trap forbids it.")),
    ),
    own.TokenGained: (
        (lambda event: event.token in (STOP, STRETCH), N_("{seat} takes {counted}: {held} now.")),
    ),
    own.TokenLost: (
        (lambda event: event.token == STRETCH, N_("{seat} uses {counted}: {held} left.")),
    ),
}
"""Sentences for special cases of an event; the first whose condition holds is said."""

# -- things on the table ---------------------------------------------------------------------------

THINGS = {
    "car": ("mobil", "車"),
    "lap": ("putaran", "周回"),
    BOOST: ("boosts", "ブースト"),
    STOP: ("stops", "ストップ"),
    STRETCH: ("rentang", "ストレッチ"),
    PROGRESS: ("kemajuan", "進行"),
    CLUE: ("petunjuk", "手がかり"),
    CONTROLLER: ("pengendali", "コントローラー"),
    REVEALED: ("cip", "チップ"),
    "dock": ("dok", "ドック"),
    TRAP: ("perangkap", "罠"),
}
"""Kinds of things and places by what else people call them."""

PLACES = {
    "car": N_("{car}: {place}"),
    "lap": N_("Lap marker of {car}: {lap}"),
    BOOST: N_("{car} boosts of {who}: {n}"),
    STOP: N_("Stops of {who}: {n}"),
    STRETCH: N_("Stretch tokens of {who}: {n}"),
    PROGRESS: N_("Progress token of {who}: {n}"),
    CLUE: N_("Clue of {controller} before {who}: slot {n}"),
    f"{CLUE}/none": N_("Clue of {controller} before {who}: none"),
    CONTROLLER: N_("Controller of {who}: {controller}"),
    REVEALED: N_("Chip of {who}: {car}"),
    "dock": N_("Dock of {controller}: {counted}"),
    TRAP: N_("Traps on {space}: {n}"),
}

TO_DO = {
    "car": N_("{car}: to {place}"),
    "lap": N_("Lap marker of {car}: {lap}"),
    "lap/all": N_("All lap markers: {lap}"),
    "boost/take": N_("{who}: take {counted} ({car})"),
    "boost/back": N_("{who}: put back {counted} ({car})"),
    "tokens/take": N_("{who}: take {counted}"),
    "tokens/back": N_("{who}: put back {counted}"),
    PROGRESS: N_("{who}: progress token to {n}"),
    CLUE: N_("{who}: look into {controller}, its clue into slot {n}"),
    "clue/shown": N_("{who}: put the clue of {controller} into slot {n}"),
    "clue/none": N_("{who}: give back the clue of {controller}"),
    CONTROLLER: N_("{who}: the controller {controller} is yours"),
    "dock/chip": N_("{controller}: a chip inside, {counted} on the dock, all face down"),
    "dock/take": N_("Put {counted} face down on the dock of {controller}"),
    "trap/lay": N_("Put {counted} face down on {space}"),
    "trap/away": N_("Take {counted} off {space}"),
    "shuffle": N_("Shuffle the discarded {deck} into a new supply"),
}

BEFORE_LAP_1, LAP_N, FINISHED = N_("before lap 1"), N_("lap {n}"), N_("finished")
ZONES = {SANDBOX: N_("sandbox")}

FACTS = {
    BOOST: N_("{car} +{n}"),
    PROGRESS: N_("progress {n}"),
    CLUE: N_("clue: {controller}"),
    "car": N_("drove {car}"),
}


class CarpetWording(TabledWording[CarpetRacers]):
    """The words of one game."""

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
    decks = DECK_NAMES
    counts = {TRAP: TRAPS}

    def __init__(self, game: CarpetRacers) -> None:
        super().__init__(game)
        self.card_names = game.catalogue.names
        self.arguments |= {
            **dict.fromkeys(("car", "first", "second", "trap"), self.named_thing),
            **dict.fromkeys(("space", "start", "end", "castle", "where"), self.spot),
            CONTROLLER: self.controller,
            "token": self.named_thing,
        }
        self.additions |= {
            own.Drove: lambda e: {"counted": counted(SPACES, e.spaces)},
            own.LapMarked: lambda e: {"lap": self.lap(e.lap)},
            own.CatapultReached: lambda e: {"counted": counted(SPACES, e.left)},
            own.RestLost: lambda e: {"counted": counted(SPACES, e.left)},
            own.StandsAt: lambda e: {"counted": counted(SPACES, e.spaces)},
            own.TokenGained: lambda e: {"counted": self.tokens(e.token, e.count)},
            own.TokenLost: lambda e: {"counted": self.tokens(e.token, e.count)},
            own.TrapTaken: lambda e: {"counted": counted(TRAPS, e.held)},
            own.HandLimitRaised: lambda e: {"cards": e.cards},
        }
        self.to_do |= {
            "car": self._move_car,
            "lap": self._move_marker,
            BOOST: self._handle_boosts,
            STOP: self._handle_tokens,
            STRETCH: self._handle_tokens,
            PROGRESS: lambda shift: self.task(PROGRESS, shift, n=count_at(shift.end)),
            CLUE: self._handle_clue,
            CONTROLLER: self._handle_controller,
            "dock": self._fill_dock,
            TRAP: self._handle_traps,
        }

    # -- questions and choices -----------------------------------------------------------------

    def question(self, prompt: Prompt[Any]) -> str:
        """Of several boosts or traps it says which this is; one of traps with tags is tapped."""
        if prompt.key == "trap" and prompt.seals:
            return "trap/tap"
        return f"{prompt.key}/of" if prompt.args.get("count", 1) != 1 else prompt.key

    def guided(self, prompt: Prompt[Any]) -> bool:
        """§6 What the questions are for, in everybody's first two turns and at the end."""
        state = self.game.state
        early = state.turn <= 2 * len(state.seats)
        return state.guide and (early or state.phase in (Phase.REVEAL, Phase.FINAL))

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        """What a newcomer should know; before the first card, that there are clues to look at."""
        state = self.game.state
        first = prompt.key == "card" and state.turn == 1 and state.tags is Tags.NONE
        return Phrase(FIRST_CLUES) if first and state.guide else super().guide(prompt)

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        """What a choice is called at a question, or without one."""
        if prompt is None:
            return self.choice(choice, "")
        match prompt.key:
            case "split" if prompt.args:
                return self._split(choice, prompt)
            case "trap" if prompt.seals and isinstance(choice, int):
                return Phrase(UNTAGGED, {"n": choice})
            case "way" if choice in prompt.candidates:
                main = choice == next(iter(prompt.candidates))
                return Phrase(MAIN_WAY if main else DETOUR, {"n": choice})
        return self.choice(choice, prompt.key)

    def _split(self, choice: Choice, prompt: Prompt[Any]) -> Label:
        """§6.1 How far both cars go."""
        car, spaces = parse_leg(choice)
        other = next((one for one in self._cars_of(prompt) if one != car), car)
        rest = int(str(prompt.args["n"])) - spaces
        args = {"car": self.named_thing(car), "n": spaces, "other": self.named_thing(other)}
        return Phrase(LEGS, {**args, "rest": rest})

    def _cars_of(self, prompt: Prompt[Any]) -> list[str]:
        return [str(prompt.args["first"]), str(prompt.args["second"])]

    def choice(self, choice: Choice, key: str) -> Label:
        """What a choice is called: a thing, a space, an act with a space, a seal, an option."""
        if isinstance(choice, int):
            return Phrase("{n}", {"n": choice}) if key == "die" else self._space(choice, key)
        if sort := sort_of(choice):
            return Phrase(SEALED[sort]) if sort in SEALED else Named({"en": choice})
        if choice in self.game.content.controllers:
            return self.controller(choice)
        if choice in self.game.content.names:
            return self.named_thing(choice)
        return self._act(choice) or super().choice(choice, key)

    def _space(self, space: int, key: str) -> Label:
        """A space; where a bonus is chosen, with what it gives."""
        token = self.game.track.printed.get(space, "")
        if key == "bonus" and token:
            return Phrase(SPACE_WITH, {"n": space, "what": Phrase(PRINTED[token][1])})
        return Phrase(SPACE, {"n": space})

    def _act(self, choice: str) -> Label | None:
        """Choices that are made of a word and a number."""
        if choice in self.game.track.castles:
            return self._castle(choice)
        if choice in PRINTED:
            return Phrase(PRINTED[choice][1])
        if choice in ZONES:
            return Phrase(ZONES[choice])
        if choice.startswith(LAY):
            return self._lay(int(choice.removeprefix(LAY)))
        car, spaces = parse_leg(choice)
        if car in self.game.content.cars:
            return Phrase(LEG, {"car": self.named_thing(car), "n": spaces})
        return None

    def _castle(self, choice: str) -> Phrase:
        """§9.1 A sandcastle with what it gives."""
        token = self.game.track.printed[choice]
        args: dict[str, object] = {"n": choice.removeprefix(CASTLE)}
        if not token:
            return Phrase(CASTLE_NAME, args)
        return Phrase(CASTLE_WITH, {**args, "what": Phrase(PRINTED[token][1])})

    def _lay(self, space: int) -> Phrase:
        """§6.2.1 Where a trap may be laid, with the cars that stand there."""
        state = self.game.state
        cars = [car for car in dict.fromkeys(state.moved) if state.cars[car] == space]
        if not cars:
            return Phrase(LAY_AT, {"n": space})
        return Phrase(LAY_ON, {"n": space, "cars": [self.named_thing(car) for car in cars]})

    def named(self) -> Iterator[tuple[Choice, tuple[str, ...]]]:
        """Choices and words for them: cars, controllers, parts of a movement, spaces, castles."""
        for choice, words in super().named():
            yield choice, tuple(words)
        for thing, name in self.game.content.names.items():
            yield thing, (thing, *name.words.values())
        yield from self._named_legs()
        for space in self.game.track.spaces:
            yield f"{LAY}{space}", tuple(words.format(n=space) for words in LAY_WORDS)
        for castle in self.game.track.castles:
            number = castle.removeprefix(CASTLE)
            yield castle, tuple(words.format(n=number) for words in CASTLE_WORDS)

    def _named_legs(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """§6.1 A car and its spaces: "red 2"."""
        for car in self.game.content.cars.values():
            called = dict.fromkeys((car.id, *car.name.values()))
            for n in range(1, MOST_NAMED + 1):
                said = (f"{name}{gap}{n}" for name in called for gap in (" ", BETWEEN, ""))
                yield f"{car.id}{BETWEEN}{n}", tuple(said)

    def things(self) -> Mapping[str, Iterable[str]]:
        """What is called otherwise, cars and controllers, too."""
        content = self.game.content
        called = {one: content.names[one].words for one in (*content.cars, *content.controllers)}
        return {**super().things(), **{one: words.values() for one, words in called.items()}}

    # -- what happened -------------------------------------------------------------------------

    def answer(self, event: events.Answered) -> Label:
        """What was answered."""
        return self.choice(event.choice, event.prompt)

    def lap(self, column: int) -> Phrase:
        """§6.1.1 What the column of a lap marker means."""
        if column >= CHEQUERED:
            return Phrase(FINISHED)
        return Phrase(LAP_N, {"n": column}) if column else Phrase(BEFORE_LAP_1)

    def tokens(self, token: str, n: int) -> Phrase:
        """Stops, stretch tokens, or boosts, whose colour is said beside."""
        return counted({STOP: STOPS, STRETCH: STRETCHES}.get(token, BOOSTS), n)

    # -- the real table ------------------------------------------------------------------------

    def _move_car(self, shift: Shift) -> Phrase:
        args = {"car": self.named_thing(shift.owner), "place": self.spot(shift.end)}
        return Phrase(TO_DO["car"], args)

    def _move_marker(self, shift: Shift) -> Phrase | None:
        """A lap marker; in the beginning all of them stand in one column."""
        lap = self.lap(count_at(shift.end))
        if shift.start is None:
            first = shift.owner == self.game.car_ids[0]
            return Phrase(TO_DO["lap/all"], {"lap": lap}) if first else None
        return Phrase(TO_DO["lap"], {"car": self.named_thing(shift.owner), "lap": lap})

    def _handle_boosts(self, shift: Shift) -> Phrase:
        how = "boost/take" if shift.more > 0 else "boost/back"
        boosts = counted(BOOSTS, abs(shift.more))
        return self.task(how, shift, counted=boosts, car=self.named_thing(shift.last))

    def _handle_tokens(self, shift: Shift) -> Phrase | None:
        if not shift.more:
            return None
        how = "tokens/take" if shift.more > 0 else "tokens/back"
        return self.task(how, shift, counted=self.tokens(shift.kind, abs(shift.more)))

    def _handle_clue(self, shift: Shift) -> Phrase:
        """A clue to take; a chip with a tag was shown on a screen already."""
        controller = self.controller(shift.last)
        how = "clue/shown" if self.game.state.controllers[shift.last].chip else CLUE
        how = how if shift.end else "clue/none"
        return self.task(how, shift, controller=controller, n=count_at(shift.end))

    def _handle_controller(self, shift: Shift) -> Phrase | None:
        if shift.end is None:
            return None
        return self.task(CONTROLLER, shift, controller=self.named_thing(str(shift.end)))

    def _fill_dock(self, shift: Shift) -> Phrase | None:
        """Traps that come to a dock; those that leave it are laid on spaces.

        In the beginning a chip comes into the controller, too; one with a tag is asked for.
        """
        if shift.more <= 0:
            return None
        beginning = shift.start is None and self.game.state.tags is Tags.NONE
        args = {"counted": counted(TRAPS, shift.more), "controller": self.controller(shift.owner)}
        return Phrase(TO_DO["dock/chip" if beginning else "dock/take"], args)

    def _handle_traps(self, shift: Shift) -> Phrase:
        how = "trap/lay" if shift.more > 0 else "trap/away"
        args = {"counted": counted(TRAPS, abs(shift.more)), "space": self.spot(shift.owner)}
        return Phrase(TO_DO[how], args)

    def placed(self, shift: Shift) -> tuple[str, dict[str, object]]:
        """The key of a thing in `PLACES` and what goes into the message."""
        kind, end = shift.kind, shift.end
        match kind:
            case "car":
                return kind, {"car": self.named_thing(shift.owner), "place": self.spot(end)}
            case "lap":
                return kind, {"car": self.named_thing(shift.owner), "lap": self.lap(count_at(end))}
            case "boost":
                return kind, {"car": self.named_thing(shift.last)}
            case "clue":
                return kind if end else "clue/none", {"controller": self.controller(shift.last)}
            case "controller":
                return kind, {"controller": self.named_thing(str(end))}
            case "chip":
                return kind, {"car": self.named_thing(str(end))}
            case "dock":
                traps = counted(TRAPS, count_at(end))
                return kind, {"controller": self.controller(shift.owner), "counted": traps}
            case "trap":
                return kind, {"space": self.spot(shift.owner)}
        return super().placed(shift)

    def fact(self, kind: str, value: int | str) -> Phrase:
        """What there is to know of a seat or a car in short."""
        kind, _, more = kind.partition("/")
        match kind:
            case "lap":
                return self.lap(count_at(value))
            case "controller":
                return Phrase("{controller}", {"controller": self.named_thing(str(value))})
            case "car":
                return Phrase(FACTS["car"], {"car": self.named_thing(str(value))})
            case "boost":
                return Phrase(FACTS[BOOST], {"car": self.named_thing(more), "n": value})
            case "clue":
                return Phrase(FACTS[CLUE], {"controller": self.controller(more)})
            case "progress":
                return Phrase(FACTS[PROGRESS], {"n": value})
            case "dock":
                return counted(TRAPS, count_at(value))
        return self.tokens(kind, count_at(value))

    # -- names ---------------------------------------------------------------------------------

    def named_thing(self, thing: str) -> Named:
        """A car, controller, card or trap by its name."""
        return self.game.content.names.get(thing) or Named({"en": thing})

    def spot(self, place: Place) -> Label:
        """A space, a sandcastle, or the dock of a controller."""
        if isinstance(place, int) or str(place).isdecimal():
            return Phrase(SPACE, {"n": place})
        if place in self.game.track.castles:
            return Phrase(CASTLE_NAME, {"n": str(place).removeprefix(CASTLE)})
        return self.controller(str(place))

    def controller(self, controller: str) -> Label:
        """§2.3 A controller, with who holds it."""
        name = self.named_thing(controller)
        holder = self.game.holder(controller)
        if controller not in self.game.content.controllers:
            return name
        if not holder:
            return Phrase(AUTOMATIC, {"controller": name})
        return Phrase(HELD_BY, {"who": self.who(holder), "controller": name})
