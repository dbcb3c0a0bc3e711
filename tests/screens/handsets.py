"""A handset with a clock of its own and hands that push and tap, for the tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.rules.box import AnyBox
from companion.rules.events import Event
from companion.rules.layouts import Shift
from companion.rules.lines import Line
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import Choice, Prompt
from companion.rules.scenarios import Playing, read_scenario
from companion.rules.session import Session
from companion.rules.tags import TagKind
from companion.rules.wording import Label
from companion.screens.handset import Handset, Meaning, Misread, Outcome, Result
from companion.screens.handset.board import BoardPage
from companion.screens.handset.stack import Choosing, Passing
from companion.screens.oled import HEIGHT, WIDTH, find_fonts
from companion.screens.panels import DeviceLine
from companion.words import Words
from tests.screens.tables import BOX, new_session
from tests.tiny import tiny

AT_THE_GUARD = """
game = "chaos-kart"
title = "Ana reaches Budi, who has a bump guard; Cici stands one square behind him"
setup = { seats = ["Ana", "Budi", "Cici"], laps = 2, guide = false }
play = []

[start]
"hand/*/move" = 4
"hand/*/power-up" = 1
"kart/A" = 4
"kart/B" = 8
"kart/C" = 7
"bump-guard/B" = 1
"phase" = "move"
"""

STUNNED = """
game = "chaos-kart"
title = "Ana is stunned"
setup = { seats = ["Ana", "Budi"], laps = 2, guide = false }
play = []

[start]
"hand/*/move" = 4
"kart/A" = 4
"stunned/A" = 1
"phase" = "move"
"""

DEVICES = (
    DeviceLine(True, Phrase("reader A: ready")),
    DeviceLine(False, Phrase("reader B: no answer, check wiring and power")),
)
ADDRESS = "http://192.168.1.5:8080/j/AB12"


class Hands:
    """People at a handset. Each thing they do takes `pace` seconds.

    They have laid out the game, unless it is only `unpacked`.
    """

    def __init__(
        self,
        session: Session[Any],
        language: str = "en",
        wording: Any = None,
        *,
        unpacked: bool = False,
        box: AnyBox = BOX,
        **more: Any,
    ) -> None:
        self.lines: list[Line] = []
        session.write = self.lines.append
        self.session = session
        self.handset = Handset(
            session,
            box,
            wording or box.wording(session.game),
            Words(language),
            find_fonts(language),
            **{"things": box.tagged(box.content()), **more},
        )
        self.handset.devices, self.handset.address = DEVICES, ADDRESS
        self.now = 5000.0
        self.pace = 1.0
        if not unpacked:
            self.settle()

    def push(self, *buttons: str, seat: str | None = None) -> Outcome:
        """Use buttons: "ok", "hold ok", "up", "menu" for two together. The last one's outcome."""
        outcome = Outcome(Result.NOTHING)
        for button in buttons:
            self.now += self.pace
            how = "long" if button.startswith("hold ") else "short"
            if button == "menu":
                button, how = "ok", "chord"
            outcome = self.handset.push(button.removeprefix("hold "), how, self.now, seat)
        return outcome

    def tap(
        self, thing: str = "", kind: str = "card", *, seat: str | None = None, **more: str
    ) -> Outcome:
        self.now += self.pace
        meant = TagKind(kind) if kind in set(TagKind) else Misread(kind)
        return self.handset.tap(Meaning(meant, thing, **more), self.now, seat)

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return self.handset.tick(self.now)

    def texts(self) -> list[str]:
        """What is written on the page; nothing of it beyond the edge."""
        sheet = self.handset.sheet()
        assert sheet.image.size == (WIDTH, HEIGHT)
        assert sheet.image.mode == "1"
        for text, right in sheet.texts:
            assert right <= WIDTH, f"{text} ends at {right}"
        return [text for text, _ in sheet.texts]

    @property
    def title(self) -> str:
        return self.texts()[0]

    def text(self) -> str:
        return " ".join(" ".join(self.texts()).split())

    def choose(self, wanted: str) -> Outcome:
        """Go down a list to the line that begins so, and press ●."""
        for _ in range(200):
            if any(line.startswith(f"→ {wanted}") for line in self.texts()):
                return self.push("ok")
            self.push("down")
        raise AssertionError(f"no {wanted} in {self.texts()}")

    def menu(self, *lines: str) -> None:
        """Open the menu and choose these lines, by their English keys, in whatever language."""
        self.push("menu")
        for line in lines:
            page = self.handset.top
            assert isinstance(page, Choosing)
            labels = [item.entry.label for item in page.items]
            texts = [label.text if isinstance(label, Phrase) else "" for label in labels]
            page.selected = texts.index(line)
            self.push("ok")

    def settle(self) -> None:
        """Wait until the pages that pass by themselves have done so."""
        self.wait(0)
        while isinstance(self.handset.top, (Passing, BoardPage)):
            self.wait(20)

    def question(self) -> None:
        """Whatever is in sight, back to the question."""
        while self.handset.top is not self.handset.home:
            self.push("back")


def at(scenario: str, language: str = "en", **more: Any) -> Hands:
    """Hands at a position."""
    playing = Playing(read_scenario(scenario, "a test"), BOX)
    return Hands(playing.session, language, **more)


def started(language: str = "en", **setup: Any) -> Hands:
    """Hands at the beginning of a game."""
    return Hands(new_session(**setup), language)


class TinyWording:
    """Words for the kernel's own game of the tests."""

    def ask(self, prompt: Prompt[Any]) -> Phrase:
        return Phrase("Choose a {key}", {"key": prompt.key})

    def label(self, choice: Choice, prompt: Prompt[Any] | None = None) -> Label:
        return Named({"en": {"A": "Ana", "B": "Budi"}.get(str(choice), str(choice))})

    def detail(self, choice: Choice) -> Label | None:
        return None

    def tell(self, event: Event) -> Phrase:
        return Phrase("{what}", {"what": type(event).__name__})

    def instruct(self, shift: Shift) -> Phrase | None:
        return None

    def place(self, shift: Shift) -> Phrase:
        return Phrase("{thing}: {end}", {"thing": shift.thing, "end": str(shift.end)})

    def fact(self, kind: str, value: int | str) -> Phrase:
        return Phrase(kind)

    def phase(self, phase: str) -> Phrase:
        return Phrase(phase)

    def guide(self, prompt: Prompt[Any]) -> Phrase | None:
        return None

    def things(self) -> Mapping[str, Iterable[str]]:
        return {}

    def names(self) -> Mapping[Choice, Iterable[str]]:
        return {}


def tiny_hands(game: Any = None, **state: Any) -> Hands:
    session: Session[Any] = Session(game or tiny(**state), "salt")
    return Hands(session, wording=TinyWording(), things=())
