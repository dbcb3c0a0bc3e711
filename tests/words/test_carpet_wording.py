"""Carpet Racers in words: every question, what happened, what to move, what may be typed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion.games.carpet_racers as package
from companion.games.carpet_racers import game as keys
from companion.games.carpet_racers import happenings as own
from companion.games.carpet_racers import wording
from companion.games.carpet_racers.box import BOX
from companion.games.carpet_racers.setup import Setup
from companion.games.carpet_racers.state import Phase
from companion.games.carpet_racers.wording import CarpetWording
from companion.rules import events
from companion.rules.cards import SCAN
from companion.rules.events import Event
from companion.rules.layouts import Shift
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import Choice, Prompt
from companion.rules.session import Session
from companion.screens.reading import read_choice
from companion.words import Words

UNGUIDED = {
    *("scan", "look-again", "own-dock", "sight"),
    *("way-back", "lay", "trap", "bonus", "launch", "die", "lose-boost"),
}
"""Questions that say enough by themselves."""


def words_for(track: str = "living-room", **rulings: str) -> CarpetWording:
    setup = Setup(seats=("Ana", "Budi", "Cici"), track=track, rulings=rulings)
    return BOX.wording(BOX.begin(setup, BOX.content()))


def plain(said: Phrase | Named | None) -> str:
    return "" if said is None else Words("en").say(said)


def prompt_keys() -> set[str]:
    """Every key that the game's code gives to a prompt, by reading the code."""
    found: set[str] = set()
    for path in Path(package.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Prompt":
                key = node.args[0]
                name = key.value if isinstance(key, ast.Constant) else getattr(keys, key.id)  # type: ignore[attr-defined]  # a name of a constant
                found.add(str(name))
    return found


def test_every_question_has_words() -> None:
    keys = {key.partition("/")[0] for key in wording.QUESTIONS}
    assert prompt_keys() | {SCAN} == keys
    assert keys - set(wording.GUIDES) == UNGUIDED
    assert set(wording.PHASES) == set(Phase)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            own.Drove(rule="6.1", car="red", start=30, end=2, spaces=2),
            "Red goes 2 spaces from space 30 to space 2.",
        ),
        (
            own.Drove(rule="8.1", ruling="R17", car="red", start=5, end=4, spaces=1),
            "Red goes 1 space back from space 5 to space 4.",
        ),
        (own.LapMarked(rule="6.1.1", car="red", lap=2), "Red passes the start line: lap 2."),
        (own.LapMarked(rule="6.1.1", car="red", lap=4), "Red passes the start line: finished."),
        (
            own.Peeked(rule="4", seat="A", controller="pink"),
            "Ana looks into the controller of Pink (automatic).",
        ),
        (
            own.TokenGained(rule="10", seat="B", token="stop", count=2, held=3),
            "Budi takes 2 stops: 3 now.",
        ),
        (
            own.TokenGained(rule="6.3", seat="B", token="red", count=1, held=1),
            "Budi takes 1 boost (Red): 1 now.",
        ),
        (
            own.TokenLost(rule="9.1", seat="B", token="stretch", count=1, held=0),
            "Budi uses 1 stretch token: 0 left.",
        ),
        (own.NoBoost(rule="10", seat="A"), "Ana has no boost to discard."),
        (own.NoBoost(rule="6.3.2", ruling="R19", seat="A"), "No boost is left for Ana."),
        (own.HandLimitRaised(rule="6.6", seat="A", cards=4), "Ana may hold 4 cards from now on."),
        (
            events.Answered(rule="6.2", seat="A", prompt="turned-over", choice="no-draw"),
            "Ana turns over a trap: No new cards.",
        ),
        (
            events.Answered(rule="3", seat="A", prompt="chip", choice="seal:chip"),
            "Ana chooses: a chip.",
        ),
        (
            events.Answered(rule="6.1", seat="A", prompt="split", choice="red-2"),
            "Ana chooses: Red 2.",
        ),
        (
            events.Ended(rule="8.2", winners=(), reason="automatic"),
            "An automatic racer is in front: everybody loses.",
        ),
        (
            events.Ended(rule="8.2", winners=("A", "C"), reason="shared"),
            "A tie: Ana, Cici share the victory.",
        ),
        (
            events.Discarded(rule="6.2", seat="A", card="stop", deck="trap", start="play"),
            "The trap Stop is discarded.",
        ),
    ],
)
def test_what_happened_is_told(event: Event, said: str) -> None:
    assert plain(words_for("playground").tell(event)) == said


@pytest.mark.parametrize(
    ("column", "said"), [(0, "before lap 1"), (1, "lap 1"), (3, "lap 3"), (4, "finished")]
)
def test_a_lap_marker_is_read_by_its_column(column: int, said: str) -> None:
    assert plain(words_for().lap(column)) == said


@pytest.mark.parametrize(
    ("shift", "done"),
    [
        (Shift("car/red", 3, "castle-2"), "Red: to sandcastle 2"),
        (Shift("lap/red", 0, 1), "Lap marker of Red: lap 1"),
        (Shift("lap/yellow", None, 0), "All lap markers: before lap 1"),
        (Shift("lap/red", None, 0), ""),
        (Shift("boost/A/red", 0, 2), "Ana: take 2 boosts (Red)"),
        (Shift("boost/A/red", 2, 1), "Ana: put back 1 boost (Red)"),
        (Shift("stop/B", 1, 3), "Budi: take 2 stops"),
        (Shift("stretch/B", 3, 0), "Budi: put back 3 stretch tokens"),
        (Shift("progress/A", 1, 2), "Ana: progress token to 2"),
        (
            Shift("clue/A/pink", None, 2),
            "Ana: look into Pink (automatic), its clue into slot 2",
        ),
        (Shift("clue/A/orange", 1, None), "Ana: give back the clue of Budi (Orange)"),
        (Shift("controller/A", None, "brown"), "Ana: the controller Brown is yours"),
        (Shift("dock/brown", 0, 1), "Put 1 trap face down on the dock of Ana (Brown)"),
        (Shift("dock/brown", 2, 1), ""),
        (
            Shift("dock/pink", None, 1),
            "Pink (automatic): a chip inside, 1 trap on the dock, all face down",
        ),
        (Shift("trap/12", 0, 1), "Put 1 trap face down on space 12"),
        (Shift("trap/12", 2, 0), "Take 2 traps off space 12"),
        (Shift("hand/A/card", 2, 3), "Ana: take 1 card"),
        (Shift("discard/trap", 4, 0), "Shuffle the discarded traps into a new supply"),
    ],
)
def test_what_hands_have_to_do_is_said(shift: Shift, done: str) -> None:
    assert plain(words_for("playground").instruct(shift)) == done


@pytest.mark.parametrize(
    ("key", "candidates", "typed", "choice"),
    [
        ("split", ("red-2", "red-12", "yellow-2"), "red 2", "red-2"),
        ("split", ("red-2", "red-12", "yellow-2"), "merah 12", "red-12"),
        ("split", ("red-2", "red-12", "yellow-2"), "黄2", "yellow-2"),
        ("trap-bonus", ("take", "lay-2", "lay-12", "pass"), "lay 2", "lay-2"),
        ("trap-bonus", ("take", "lay-2", "lay-12", "pass"), "pasang 12", "lay-12"),
        ("trap-bonus", ("take", "lay-2", "lay-12", "pass"), "ambil", "take"),
        ("controller", ("orange", "pink"), "ピンク", "pink"),
        ("stretch", ("castle-2", "castle-3", "pass"), "castle 3", "castle-3"),
        ("turned-over", ("stop", "no-draw"), "tanpa kartu baru", "no-draw"),
        ("way", (13, 31), "31", 31),
    ],
)
def test_answers_are_typed_as_people_say_them(
    key: str, candidates: tuple[Choice, ...], typed: str, choice: Choice
) -> None:
    words = words_for("playground")
    prompt = Prompt(key, "A", "6", candidates)
    names = {one: list(said) for one, said in words.names().items()}
    assert read_choice(typed, prompt, (), names, words.label) == choice


def test_before_the_first_card_newcomers_hear_of_the_clues() -> None:
    words = words_for()
    session = Session(words.game)
    assert "looks, in secret, into the controller" in plain(words.guide(session.prompt))
    words.game.state.turn = 2
    assert "Its two cars move" in plain(words.guide(session.prompt))
    words.game.state.guide = False
    words.game.state.turn = 1
    assert words.guide(session.prompt) is None


def test_a_way_is_called_by_what_it_is() -> None:
    words = words_for()
    fork: Prompt[int] = Prompt("way", "A", "7", (13, 31))
    assert [plain(words.label(way, fork)) for way in (13, 31)] == [
        "main way: 13",
        "detour: 31",
    ]
    split: Prompt[str] = Prompt(
        "split", "A", "6.1", ("red-3",), args={"n": 4, "first": "red", "second": "blue"}
    )
    assert plain(words.label("red-3", split)) == "Red 3 + Blue 1"
