"""Chaos Kart in words: everything that can be asked, chosen, told and moved, in three languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import companion.games.chaos_kart as package
from companion.games.chaos_kart import happenings, wording
from companion.games.chaos_kart.box import BOX
from companion.games.chaos_kart.game import ChaosKart
from companion.games.chaos_kart.setup import Setup
from companion.games.chaos_kart.state import Phase
from companion.games.chaos_kart.wording import KartWording
from companion.rules import events, tabled
from companion.rules.content import LANGUAGES as CONTENT_LANGUAGES
from companion.rules.events import Event
from companion.rules.game import Run
from companion.rules.layouts import Place, Shift
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import PASS, Prompt
from companion.rules.session import Session
from companion.words import LANGUAGES, Words
from tests.contract.test_wording import say_all

SEATS = ("Ana", "Budi", "Citra")
"""Letters on two lines of the display."""


def new_game(*seats: str, **choices: object) -> ChaosKart:
    setup = msgspec.convert({"seats": seats or SEATS, **choices}, Setup)
    game = BOX.begin(setup, BOX.content())
    assert isinstance(game, ChaosKart)
    return game


def kinds_of(module: object) -> list[type[Event]]:
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
    ]


def prompt_keys() -> list[str]:
    """Every key that the game's code gives to a prompt, by reading the code."""
    found: list[ast.expr] = []
    for path in Path(package.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            if getattr(node.func, "id", "") == "Prompt":
                found.append(node.args[0])
            if getattr(node.func, "attr", "") == "choose":  # hands its last argument on
                found.append(node.args[2])
    keys = {text for key in found for text in _texts_of(key)}
    return sorted(keys)


def _texts_of(key: ast.expr) -> Iterator[str]:
    """The texts an expression can give: `"a"`, or `"a" if … else "b"`."""
    if isinstance(key, ast.IfExp):
        yield from (*_texts_of(key.body), *_texts_of(key.orelse))
    elif isinstance(key, ast.Constant):
        yield str(key.value)


# -- everything has words --------------------------------------------------------------------------


ONE_PILE = {events.Laid, events.PutBack, events.Gathered}
"""What happens only in games that lay all cards on one pile and deal them anew."""


@pytest.mark.parametrize("kind", [*kinds_of(events), *kinds_of(happenings)])
def test_every_event_has_a_sentence(kind: type[Event]) -> None:
    assert (kind in {**tabled.SENTENCES, **wording.SENTENCES}) is (kind not in ONE_PILE)


@pytest.mark.parametrize("key", prompt_keys())
def test_every_question_has_words(key: str) -> None:
    assert key in wording.QUESTIONS


def test_the_questions_are_found_in_the_code() -> None:
    assert {"move", "defend", "guard", "opponent", "leader", "last"} <= set(prompt_keys())


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_has_a_name(phase: Phase) -> None:
    assert len(set(say_all(KartWording(new_game()).phase(phase)))) == len(LANGUAGES)


def test_languages_are_those_of_the_content_files() -> None:
    assert tuple(LANGUAGES) == CONTENT_LANGUAGES


# -- whole games -----------------------------------------------------------------------------------


def test_what_happens_beside_the_question_and_by_hand_is_told() -> None:
    game = new_game()
    told, session = KartWording(game), Session(game)
    for prompt in game.beside():
        say_all(told.ask(prompt))
        for choice in prompt.options():
            say_all(told.label(choice, prompt))
    session.interject("scan", "B", "forward-3")
    session.interject("passives", "C", "off")
    session.answer("forward-3", "A")
    session.choose_ruling("A6", "reentry")
    corrections: list[tuple[str, Place]] = [
        ("kart/B", 5),
        ("lap/B", 1),
        ("damaged/A", 2),
        ("shield/A", "turned"),
        ("hand/C/power-up", 1),
        ("trap/B", "pothole@10"),
        ("open/C", "turbo"),
        ("turn", "B"),
        ("phase", "after-move"),
    ]
    for thing, place in corrections:
        session.correct(thing, place, reason="seen by all")
        if session.put_back:
            for shift in session.put_back:
                say_all(told.place(shift))
            session.answer("done")
    session.swap("A", "B")
    session.join("D", "Dewi")
    session.leave("B")
    for event in game.log.events:
        say_all(told.tell(event))
    kinds = {type(event) for event in game.log.events}
    assert {events.Scanned, events.Corrected, events.SeatLeft, events.RulingChanged} <= kinds


# -- single sentences ------------------------------------------------------------------------------


def in_english(phrase: Phrase | Named | None) -> str:
    return "" if phrase is None else Words("en").say(phrase)


SENTENCES: list[tuple[Event, str]] = [
    (
        events.Moved(rule="7.1", seat="A", start=None, end=2),
        "Ana goes from outside the track to square 2.",
    ),
    (
        events.Moved(rule="9.1", seat="B", start=3, end=0),
        "Budi goes from square 3 to start/finish.",
    ),
    (
        events.Drew(rule="5.2", seat="A", deck="power-up", count=2),
        "Ana draws 2 power-up cards.",
    ),
    (
        events.MarkerGained(rule="15.2", seat="A", marker="damaged", count=2),
        "Ana gets 1 damaged marker; that makes 2.",
    ),
    (
        events.MarkerLost(rule="5.8", seat="A", marker="stunned", count=0),
        "Ana loses 1 stunned marker.",
    ),
    (events.Played(rule="14.1", seat="C", card="spanner"), "Citra plays Spanner."),
    (
        events.Discarded(rule="17", seat="C", card="turbo", deck="power-up", start="hand"),
        "Citra discards Turbo.",
    ),
    (
        events.Answered(rule="5.7", seat="A", prompt="after-move", choice="pass"),
        "Ana chooses: end turn.",
    ),
    (
        events.Answered(rule="16", seat="A", prompt="defend", choice="pass", via="silence"),
        "Ana says nothing: no defence.",
    ),
    (
        events.Answered(rule="13.1", seat="A", prompt="trap-square", choice=7, forced=True),
        "Ana chooses, as the table agrees: square 7.",
    ),
    (
        events.Ended(rule="8", winners=("B",), reason="laps"),
        "Budi wins the race: lap 2 of 2.",
    ),
    (happenings.Bumped(rule="9.1", seat="B", by="A"), "Ana bumps Budi."),
    (happenings.Bumped(rule="9.2", seat="C", by="B"), "Chain bump: Budi pushes Citra back."),
    (
        happenings.TurnedAway(rule="15.5", seat="A", holder="B", square=4, end=3),
        "Budi keeps Ana off square 4: Ana goes to square 3 instead.",
    ),
    (
        happenings.TrapSprung(rule="13.2", seat="A", owner="C", card="pothole", square=9),
        "Ana sets off Pothole of Citra on square 9.",
    ),
    (
        happenings.Capped(rule="15.2", seat="A", printed=5, steps=2),
        "Ana is damaged: 5 squares becomes 2.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_a_sentence_names_everything(event: Event, sentence: str) -> None:
    told = KartWording(new_game()).tell(event)
    assert in_english(told) == sentence
    say_all(told)


@pytest.mark.parametrize(
    ("shift", "sentence"),
    [
        (Shift("kart/A", "outside", 2), "Ana: put your pawn on square 2"),
        (Shift("kart/A", 3, 7), "Ana: move your pawn from 3 to 7"),
        (Shift("kart/A", 3, 0), "Ana: move your pawn from 3 to start/finish"),
        (Shift("kart/A", 0, 3), "Ana: move your pawn from start/finish to 3"),
        (Shift("kart/A", 3, "outside"), "Ana: take your pawn off the track"),
        (Shift("kart/A", None, "outside"), ""),
        (Shift("lap/B", 0, 1), "Budi: take 1 lap card"),
        (Shift("damaged/B", 0, 2), "Budi: take 2 damaged markers"),
        (Shift("damaged/A", 2, 1), "Ana: put back 1 damaged marker"),
        (Shift("shield/A", None, "upright"), "Ana: take 1 shield"),
        (Shift("shield/A", "upright", "turned"), "Ana: turn the shield sideways"),
        (Shift("shield/A", "turned", None), "Ana: put back 1 shield"),
        (Shift("hand/A/move", 3, 4), "Ana: take 1 move card"),
        (Shift("hand/A/move", 4, 3), ""),
        (Shift("trap/C", None, "pothole@5"), "Citra: lay Pothole on square 5"),
        (Shift("trap/C", "pothole@5", None), "Citra: take Pothole off square 5"),
        (
            Shift("trap/C", "pothole@5", "fake-gift@9"),
            "Citra: take Pothole off square 5, lay Fake Gift on square 9",
        ),
        (Shift("discard/move", 3, 4), ""),
        (Shift("discard/move", 9, 0), "Shuffle the discards of the move deck into a new deck"),
        (Shift("turn", "A", "B"), ""),
    ],
)
def test_instructions_say_what_hands_do(shift: Shift, sentence: str) -> None:
    told = KartWording(new_game())
    assert in_english(told.instruct(shift)) == sentence
    say_all(told.instruct(shift))
    say_all(told.place(shift))


def test_power_ups_tell_what_shields_answer() -> None:
    told = KartWording(new_game())
    assert in_english(told.detail("confetti-cannon")) == (
        "Active, attack: All opponents go back 1."
    )
    assert in_english(told.detail("kangaroo-hop")).startswith("Passive, defence: ")
    assert in_english(told.detail("forward-3")) == "Forward 3."
    assert told.detail("pass") is None


def test_facts_are_short() -> None:
    told = KartWording(new_game(laps=3))
    facts: list[tuple[str, int | str]] = [
        ("lap", 1),
        ("damaged", 2),
        ("stunned", 1),
        ("shield", "turned"),
        ("bump-guard", 1),
    ]
    assert [in_english(told.fact(kind, value)) for kind, value in facts] == [
        "lap 1/3",
        "damaged 2",
        "stunned",
        "shield sideways",
        "bump guard 1",
    ]


# -- the guided turns and what can be typed --------------------------------------------------------


def test_the_first_turn_of_each_player_is_guided() -> None:
    game = new_game("Ana", "Budi", guide=True)
    told, run = KartWording(game), Run(game)
    run.start()
    guided: list[tuple[int, str]] = []
    while game.state.turn < 4:
        guide = told.guide(run.prompt)
        if guide is not None:
            assert "§" in in_english(guide)
            guided.append((game.state.turn, run.prompt.key))
        run.answer(PASS)
    assert guided == [(1, "move"), (1, "after-move"), (2, "move"), (2, "after-move")]


def test_guidance_can_be_switched_off() -> None:
    game = new_game(guide=False)
    run = Run(game)
    run.start()
    assert KartWording(game).guide(run.prompt) is None


def test_whatever_an_option_is_called_can_be_typed() -> None:
    told = KartWording(new_game())
    names = told.names()
    called = [("", option) for option in wording.OPTIONS] + list(wording.OPTIONS_AT)
    for key, option in called:
        prompt: Prompt[str] = Prompt(key, "A", "", (option,))
        for text in say_all(told.label(option, prompt if key else None)):
            assert text.casefold() in [word.casefold() for word in names[option]], (key, text)


def test_cards_and_players_can_be_typed_in_every_language() -> None:
    names = KartWording(new_game()).names()
    assert set(names["forward-3"]) == {"forward-3", "Maju 3", "Forward 3", "前進3", "3"}
    assert set(names["A"]) == {"A", "Ana"}


def test_a_shield_is_the_marker_in_a_defence_and_the_card_in_a_hand() -> None:
    told = KartWording(new_game())
    defend: Prompt[str] = Prompt("defend", "A", "16", ("shield",))
    play: Prompt[str] = Prompt("before-move", "A", "5.4", ("shield",))
    assert isinstance(told.label("shield", defend), Phrase)
    assert isinstance(told.label("shield", play), Named)
