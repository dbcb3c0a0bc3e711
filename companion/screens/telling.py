"""The longer answers of the terminal: reasons, rules, the log, the table. Lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.rules.errors import CompanionError, NotUnderstood, Refused
from companion.rules.layouts import Shift
from companion.rules.lines import (
    Answer,
    Correction,
    Entry,
    Interjection,
    Join,
    Leave,
    RulingChoice,
    Swap,
    may_see,
)
from companion.rules.phrases import N_, Named, Phrase
from companion.rules.prompts import Choice, Forbidden, Refusal
from companion.rules.rulings import Register, Ruling, Section
from companion.rules.seals import is_seal
from companion.rules.session import Session
from companion.rules.views import Board, GraphBoard, GridBoard, PieceView, RingBoard, SquareView
from companion.rules.wording import Label, Wording
from companion.screens.boards import grid_legend, grid_lines, kinds_on
from companion.screens.breaking import break_lines, columns_of
from companion.screens.correcting import place_word, words_of
from companion.screens.reading import RAW, beginning, exactly, fold, shorten
from companion.screens.roads import FORK, HIDDEN, LINE, apart_signs, road_groups
from companion.screens.showing import Happening, SeatShown, Shown, happening, question_of

if TYPE_CHECKING:
    from companion.words import Words

SEVERAL = "&"
"""More than one piece on a square of a track."""
FOUND = 6
"""The most sections and rulings that a search shows in full."""

_REFUSALS = {
    (Forbidden.NOT_ALLOWED, False): N_("Not allowed (§{rule}): {reason}"),
    (Forbidden.NOT_ALLOWED, True): N_("Not allowed (§{rule}, ruling {ruling}): {reason}"),
    (Forbidden.ELSEWHERE, False): N_("Not now (§{rule}): {reason}"),
    (Forbidden.ELSEWHERE, True): N_("Not now (§{rule}, ruling {ruling}): {reason}"),
    (Forbidden.IMPOSSIBLE, False): N_("That cannot be (§{rule}): {reason}"),
    (Forbidden.IMPOSSIBLE, True): N_("That cannot be (§{rule}, ruling {ruling}): {reason}"),
}

_TITLES = {
    Forbidden.NOT_ALLOWED: N_("Not allowed"),
    Forbidden.ELSEWHERE: N_("Not now"),
    Forbidden.IMPOSSIBLE: N_("Cannot be"),
}


# -- lines of text ---------------------------------------------------------------------------------


def clean(text: str) -> str:
    """A text that a terminal can be given: no control characters but the ends of lines."""
    return "".join(char if char in "\n\u3000" or char.isprintable() else "\ufffd" for char in text)


def flow(cells: Iterable[str], columns: int, indent: str = "  ", gap: str = "   ") -> list[str]:
    """Short texts one after the other, as many on a line as fit."""
    lines: list[str] = []
    line = ""
    for cell in cells:
        longer = f"{line}{gap}{cell}" if line else indent + cell
        if line and columns_of(longer) > columns:
            lines.append(line)
            longer = indent + cell
        line = longer
    return [*lines, line] if line else lines


def paragraphs(lines: Iterable[str], columns: int) -> list[str]:
    """Texts broken into lines of a terminal, each with its further lines indented."""
    return [
        line
        for text in lines
        for line in break_lines(text, lambda part: columns_of(part) <= columns, _indent_of(text))
    ]


def _indent_of(text: str) -> str:
    return " " * (len(text) - len(text.lstrip()) + 4)


def refusal_phrase(refusal: Refusal) -> Phrase:
    """A refusal in one sentence, with the rule's number and the ruling that decided it."""
    if not refusal.rule:
        return refusal.reason
    text = _REFUSALS[refusal.how, refusal.ruling is not None]
    args = {"rule": refusal.rule, "ruling": refusal.ruling, "reason": refusal.reason}
    return Phrase(text, args)


def refusal_title(refusal: Refusal) -> Phrase:
    """How strong a refusal is, in one or two words."""
    return Phrase(_TITLES[refusal.how])


def error_phrase(error: CompanionError) -> Phrase:
    """An error in one sentence."""
    return refusal_phrase(error.refusal) if isinstance(error, Refused) else error.phrase


class Teller:
    """Puts one session into lines of text for one pair of eyes."""

    def __init__(
        self, session: Session[Any], wording: Wording, words: Words, who: str | None
    ) -> None:
        self.session = session
        self.wording = wording
        self.words = words
        self.who = who

    @property
    def register(self) -> Register:
        """The rulebook's sections and rulings."""
        return self.session.game.register

    def say(self, what: Label | str, /, **args: object) -> str:
        """A message, label or phrase in the language of the screen."""
        return self.words.say(Phrase(what, args) if isinstance(what, str) else what)

    # -- why -----------------------------------------------------------------------------------

    def why(self, number: int) -> list[str]:
        """The chain of causes of an event, and the rules and rulings behind it."""
        chain = self.session.why(number, self.who)
        told = [happening(reason.number, reason.event, self.wording) for reason in chain]
        lines = [self.event_line(told[0])]
        lines += ["  " + self.say(N_("because: {what}"), what=self.event_line(t)) for t in told[1:]]
        rules = dict.fromkeys(one.rule for one in told if one.rule)
        rulings = dict.fromkeys(one.ruling for one in told if one.ruling)
        return [*lines, *self.sources(rules, rulings)]

    def why_refused(self, refusal: Refusal) -> list[str]:
        """A refusal with the text of its rule and ruling."""
        rules = [refusal.rule] if refusal.rule else []
        rulings = [refusal.ruling] if refusal.ruling else []
        lines = [self.say(refusal_phrase(refusal)), *self.sources(rules, rulings)]
        if refusal.can_be_forced:
            lines.append(self.say(N_("If the table agrees all the same: force <choice>")))
        return lines

    def sources(self, rules: Iterable[str], rulings: Iterable[str]) -> list[str]:
        """The texts of sections and rulings, those that the register knows."""
        lines = [line for rule in rules for line in self.section(rule)]
        return lines + [
            self.ruling_in_force(self.register.rulings[ruling])
            for ruling in rulings
            if ruling in self.register.rulings
        ]

    def numbered(self, number: int) -> str:
        """The event with a number of the viewer's log."""
        return self.event_line(happening(number, self.session.log(self.who)[number], self.wording))

    def event_line(self, one: Happening) -> str:
        """An event with its number, rule and ruling."""
        text = self.say(one.text)
        if one.rule and one.ruling:
            return self.say(
                N_("[{number}] {text} (§{rule}, ruling {ruling})"),
                number=one.number,
                text=text,
                rule=one.rule,
                ruling=one.ruling,
            )
        if one.rule:
            return self.say(
                N_("[{number}] {text} (§{rule})"), number=one.number, text=text, rule=one.rule
            )
        return self.say("[{number}] {text}", number=one.number, text=text)

    # -- rules ---------------------------------------------------------------------------------

    def section(self, number: str) -> list[str]:
        """A section's number, title and text; nothing for a number that there is not."""
        found = self.register.sections.get(number.partition("(")[0])
        return [] if found is None else [self._section_line(found)]

    def _section_line(self, found: Section) -> str:
        return self.say(
            N_("§{number} {title}: {text}"),
            number=found.number,
            title=Named(found.title),
            text=Named(found.text),
        )

    def ruling_in_force(self, ruling: Ruling) -> str:
        """A ruling's question and how it is decided here."""
        variant = ruling.variant(self._in_force(ruling))
        return self.say(
            N_("Ruling {id}: {question} {answer}"),
            id=ruling.id,
            question=ruling.title,
            answer=Named(variant.text),
        )

    def _in_force(self, ruling: Ruling) -> str:
        return str(self.session.game.state.rulings.get(ruling.id, ruling.default))

    def ruling(self, ruling: Ruling) -> list[str]:
        """A ruling with all its variants, the one in force marked."""
        args = {"id": ruling.id, "rule": ruling.sections[0], "question": ruling.title}
        lines = [self.say(N_("Ruling {id} (§{rule}): {question}"), **args)]
        for variant in ruling.choice:
            mark = "●" if variant.name == self._in_force(ruling) else "○"
            text = self.say(Named(variant.text))
            lines.append(f"  {mark} {variant.name}: {text}")
        if ruling.switch:
            lines.append(self.say(N_("The table may choose: ruling {id} <variant>"), id=ruling.id))
        return lines

    def search(self, text: str) -> list[str]:
        """The cards, sections and rulings that a word or a number finds."""
        sought = fold(text.lstrip("§ "))
        for ruling in self.register.rulings.values():
            if fold(ruling.id) == sought:
                return self.ruling(ruling)
        sections = self._sections(sought)
        rulings = [ruling for ruling in self.register.rulings.values() if self._has(ruling, sought)]
        cards = self._cards(text)
        if not sections and not rulings and cards:
            return cards
        if not sections and not rulings:
            raise NotUnderstood(
                N_("The rules have nothing on “{typed}”. Try another word or a section, as {one}."),
                typed=shorten(text),
                one=next(iter(self.register.sections), "1"),
            )
        lines = cards + [self._section_line(section) for section in sections[:FOUND]]
        lines += [self.ruling_in_force(ruling) for ruling in rulings[: FOUND - len(lines)]]
        return lines + self._further(sections[FOUND:], rulings[max(0, FOUND - len(sections)) :])

    def _cards(self, text: str) -> list[str]:
        """What the cards of a name say, or else those whose name begins so."""
        names = self.wording.names()
        found = exactly(text, names) or beginning(text, names)
        lines = []
        for choice in found:
            detail = self.wording.detail(choice)
            if detail is not None:
                card = self.wording.label(choice)
                lines.append(self.say(N_("{card}: {text}"), card=card, text=detail))
        return list(dict.fromkeys(lines))

    def contents(self) -> list[str]:
        """The numbers and titles of the main sections."""
        mains = [s for s in self.register.sections.values() if "." not in s.number]
        return flow((f"§{s.number} {self.say(Named(s.title))}" for s in mains), 78)

    def _sections(self, sought: str) -> list[Section]:
        every = self.register.sections.values()
        numbered = [(s, fold(s.number)) for s in every]
        by_number = [s for s, n in numbered if n == sought or n.startswith(sought + ".")]
        titled = [s for s in every if _mentions(s.title, sought)]
        said = [s for s in every if _mentions(s.text, sought) and s not in titled]
        return by_number or [*titled, *said]

    def _has(self, ruling: Ruling, sought: str) -> bool:
        texts = [ruling.question, *(variant.text for variant in ruling.choice)]
        return any(_mentions(text, sought) for text in texts)

    def _further(self, sections: Sequence[Section], rulings: Sequence[Ruling]) -> list[str]:
        more = [*(f"§{s.number}" for s in sections), *(r.id for r in rulings)]
        return [self.say(N_("Also: {names}"), names=more)] if more else []

    # -- the log -------------------------------------------------------------------------------

    def log(self, most: int | None) -> list[str]:
        """The last entries as lines to be typed in again, and what came of each as comments."""
        entries = list(enumerate(self.session.entries))
        if most is not None:
            spoken = [at for at, entry in entries if not _silent(entry)][-most:]
            entries = entries[spoken[0] :] if spoken else []
        return [line for at, entry in entries for line in self._entry_lines(at, entry)]

    def _entry_lines(self, at: int, entry: Entry) -> Iterator[str]:
        number = at + 1
        typed = self.typed(entry)
        if not typed:
            what = self.say(N_("not to be typed again"))
            yield f"# {number}  {self._choice_line(entry)}  ({what})"
        for line in typed:
            yield f"{line}  # {number}" if line is typed[0] else line
        for one in self.events_of(at):
            yield f"#   {self.event_line(one)}"

    def events_of(self, at: int) -> list[Happening]:
        """What came of an entry, its own answer left out."""
        ends = [*self.session.event_at, len(self.session.game.log)]
        places, events = self.session.seen(self.who), self.session.log(self.who)
        return [
            happening(number, events[number], self.wording)
            for number, place in enumerate(places)
            if ends[at] + isinstance(self.session.entries[at], Answer) <= place < ends[at + 1]
        ]

    def typed(self, entry: Entry) -> list[str]:
        """The lines that do an entry again; none for what needs no line or may not be told."""
        if not may_see(entry, self.who):
            return []
        match entry:
            case Answer():
                if _silent(entry) or is_seal(entry.choice):
                    return []
                choice = self._raw(entry.choice)
                return [f"force {choice}" if entry.forced else f"{self._raw(entry.seat)}: {choice}"]
            case Interjection():
                return [self._typed_beside(entry)]
            case Correction():
                line = f"correct {words_of(entry.thing)} {place_word(entry.place)}"
                return [f"{line} because {entry.reason}" if entry.reason else line, "yes", "done"]
            case RulingChoice():
                return [f"ruling {entry.ruling} {entry.choice}", "done"]
            case Leave():
                return [f"leave {self._raw(entry.seat)}"]
            case Join():
                return [f"join {entry.name}"]
            case Swap():
                return [f"swap {self._raw(entry.seat)} {self._raw(entry.other)}"]

    def _typed_beside(self, entry: Interjection) -> str:
        """The line for what was done beside the question; what is one word is said as an answer."""
        seat = self._raw(entry.seat) if entry.seat else ""
        if entry.prompt == entry.choice:
            return f"{seat}: {entry.choice}" if seat else str(entry.choice)
        return " ".join(filter(None, (entry.prompt, seat, str(entry.choice))))

    def _raw(self, choice: Choice) -> str:
        """An id as it is typed: marked where a player is called by a letter like it."""
        names = self.session.game.state.names
        shadowed = choice in names and any(len(fold(name)) == 1 for name in names.values())
        return f"{RAW}{choice}" if shadowed else str(choice)

    def answers(self, most: int) -> list[str]:
        """The last answers with the numbers by which they can be amended."""
        numbered = [(at, e) for at, e in enumerate(self.session.entries) if isinstance(e, Answer)]
        return [f"  {at + 1}  {self._choice_line(entry)}" for at, entry in numbered[-most:]]

    def _choice_line(self, entry: Entry) -> str:
        if isinstance(entry, Answer) and may_see(entry, self.who):
            args = {
                "who": self.wording.label(entry.seat),
                "choice": self.wording.label(entry.choice, question_of(entry)),
            }
            silent = N_("{who} said nothing: {choice}")
            return self.say(silent if _silent(entry) else N_("{who}: {choice}"), **args)
        return self.say(N_("{who}: a hidden act"), who=self.wording.label(entry.by))

    # -- the table -----------------------------------------------------------------------------

    def places(self) -> list[str]:
        """Where everything stands, each as it is typed in a correction."""
        layout = self.session.view(self.who).layout
        lines = []
        for thing, place in layout.items():
            typed = f"{words_of(thing)} {place_word(place)}"
            gap = " " * max(2, 26 - columns_of(typed))
            told = self.say(self.wording.place(Shift(thing, None, place)))
            lines.append(f"  {typed}{gap}{told}")
        return lines

    def table(self, shown: Shown) -> list[str]:
        """Everybody's place and facts, the piles and the track."""
        lines = [self.seat_line(seat) for seat in shown.seats]
        hands = [t for t in self.session.view(self.who).layout.items() if t[1]]
        pieces = _pieces(shown.board)
        held = [
            self.say(self.wording.place(Shift(thing, None, place)))
            for thing, place in hands
            if thing.split("/")[0] not in pieces
            if thing.count("/") == 2 or thing.split("/")[0] not in self._said()
        ]
        middle = flow(map(self.say, shown.middle), 78)
        track = [*self.track(shown.board), *self._legend(shown.board)]
        return [*middle, *lines, *flow(held, 78), *track]

    def track(self, board: Board, columns: int = 78) -> list[str]:
        """The track in signs, and above it the names of its zones where it has such."""
        if isinstance(board, GraphBoard):
            return self._roads(board, columns)
        return [*self._zones(board), *track(board)]

    def _roads(self, board: GraphBoard, columns: int) -> list[str]:
        """The pieces with their letters and facts, the roads, and what lies beside them."""
        lines = flow(map(self._piece, board.pieces), columns)
        for groups in road_groups(board):
            lines += flow(groups, columns)
        if board.apart:
            zone = self.say(self.wording.label(board.zone))
            first, *others = apart_signs(board)
            lines += flow([f"{zone}  {first}", *others], columns)
        return lines

    def _piece(self, piece: PieceView) -> str:
        facts = [self.wording.fact(kind, value) for kind, value in piece.facts.items()]
        told = self.say("{all}", all=[self.wording.label(piece.piece), *facts])
        return f"{piece.sign} = {told}"

    def _zones(self, board: Board) -> list[str]:
        """The names of a track's zones, each above its first square as far as there is room."""
        if not isinstance(board, RingBoard) or not board.zones:
            return []
        line = ""
        for zone in board.zones:
            gap = max(1, 2 + zone.start - columns_of(line))
            line += " " * gap + self.say(self.wording.label(zone.zone))
        return [line]

    def _legend(self, board: Board) -> list[str]:
        """What the signs of the track mean."""
        if isinstance(board, GridBoard):
            return flow(self._grid_legend(board), 78)
        if isinstance(board, GraphBoard):
            return flow(self._road_legend(board), 78)
        if not isinstance(board, RingBoard):
            return []
        tokens = {s.token: token_sign(s) for s in board.squares if s.token and token_sign(s)}
        signs = [f"{sign} = {self.say(self.wording.label(t))}" for t, sign in tokens.items()]
        if any(len(square.pieces) > 1 for square in board.squares):
            signs.append(f"{SEVERAL} = {self.say(N_('several'))}")
        if any(square.trap for square in board.squares):
            signs.append(f"! = {self.say(N_('trap'))}")
        return flow(signs, 78)

    def _grid_legend(self, board: GridBoard) -> Iterator[str]:
        for signs, meanings in grid_legend(board).items():
            names = [self.wording.label(meaning) for meaning in meanings]
            yield f"{signs} = {self.say('{names}', names=names)}"

    def _road_legend(self, board: GraphBoard) -> Iterator[str]:
        every = (*board.spaces, *board.apart)
        for token, sign in {one.token: one.sign for one in every if one.sign}.items():
            yield f"{sign} = {self.say(self.wording.label(token))}"
        yield f"{LINE} = {self.say(N_('start line'))}"
        yield f"{FORK} = {self.say(N_('the road forks'))}"
        if any(one.hidden for one in every):
            yield f"{HIDDEN} = {self.say(N_('a token face down'))}"

    def _said(self) -> set[str]:
        """Kinds of things that the lines of the seats tell already."""
        view = self.session.view(self.who)
        kinds = {kind for seat in view.seats for kind in seat.facts}
        return {"turn", *_pieces(view.board), *kinds}

    def seat_line(self, seat: SeatShown) -> str:
        """A player in one line: the letter, the name, where, the facts, how many cards."""
        facts = [self.say(fact) for fact in seat.facts]
        where = [] if seat.where is None else [self.say(seat.where)]
        cards = Phrase(N_("{n} card"), {"n": seat.cards}, N_("{n} cards"))
        told = self.say("{facts}", facts=[*where, *facts, cards])
        mark = "▶" if seat.asked else "●" if seat.active else " "
        return f"{mark} {seat.seat} {seat.name}: {told}"


def _pieces(board: Board) -> set[str]:
    """The kinds of the layout that can be seen on the board itself."""
    if isinstance(board, RingBoard):
        return {board.piece}
    return kinds_on(board)


def track(board: Board) -> list[str]:
    """A track in two lines: pieces, traps and tokens by square, and the squares' numbers.

    A board of rows and columns as it lies.
    """
    if isinstance(board, GridBoard):
        return grid_lines(board)
    if not isinstance(board, RingBoard):
        return []
    squares = board.squares
    return [
        "  " + "".join(map(square_sign, squares)),
        "  " + "".join(f"{n:<5}" for n in range(0, len(squares), 5)).rstrip(),
    ]


def square_sign(square: SquareView) -> str:
    """What is on a square in one letter: its piece or pieces, else a trap, else its token."""
    if square.pieces:
        return square.pieces[0] if len(square.pieces) == 1 else SEVERAL
    if square.trap:
        return "!"
    return token_sign(square) or ("|" if square.number == 0 else "·")


def token_sign(square: SquareView) -> str:
    """A square's token in one letter; "" where there is none."""
    return square.sign or square.token[:1]


def _silent(entry: Entry) -> bool:
    return isinstance(entry, Answer) and entry.via == "silence"


def _mentions(words: Mapping[str, str], sought: str) -> bool:
    """Whether a text has a word, in any language: a table may speak several."""
    return any(sought in fold(text) for text in words.values())
