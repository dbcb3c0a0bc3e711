"""Tapak Arwah Nusantara in words: all that can be asked, told and moved, in three languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

import companion.games.tapak_arwah as package
from companion.games.tapak_arwah import happenings, wording
from companion.games.tapak_arwah.attacks import ATTACK, COUNTER, DEFEND
from companion.games.tapak_arwah.box import BOX
from companion.games.tapak_arwah.content import DECKS, Kind, Zone
from companion.games.tapak_arwah.game import MARKERS_OF, SIGNS, TapakArwah
from companion.games.tapak_arwah.setup import Setup
from companion.games.tapak_arwah.squares import SECTIONS
from companion.games.tapak_arwah.state import Phase
from companion.games.tapak_arwah.wording import TapakWording
from companion.rules import events
from companion.rules.cards import SCAN
from companion.rules.events import Event
from companion.rules.layouts import Place, Shift
from companion.rules.phrases import Named, Phrase
from companion.rules.prompts import Prompt
from companion.rules.session import Session
from companion.virtual import VirtualTable
from companion.words import Words
from tests.contract.test_wording import say_all

SEATS = ("Ana", "Budi")
"""Letters on two lines of the display."""


def new_game(**choices: object) -> TapakArwah:
    game = BOX.begin(msgspec.convert({"seats": SEATS, **choices}, Setup), BOX.content())
    assert isinstance(game, TapakArwah)
    return game


def in_english(phrase: Phrase | Named | None) -> str:
    return "" if phrase is None else Words("en").say(phrase)


def prompt_keys() -> set[str]:
    """Every key that the game's code gives to a prompt, by reading the code; not the rolls'."""
    found: set[str] = set()
    for path in Path(package.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Prompt":
                found |= set(_texts_of(node.args[0]))
    return found


def _texts_of(key: ast.expr) -> Iterator[str]:
    if isinstance(key, ast.Constant):
        yield str(key.value)


def test_every_question_has_words() -> None:
    keys = prompt_keys() | {ATTACK, COUNTER, DEFEND, SCAN}
    assert keys == set(wording.QUESTIONS)
    assert keys - set(wording.GUIDES) == {"scan", "passives"}


def test_every_kind_of_square_has_a_name_a_section_and_a_sign_of_its_own() -> None:
    assert set(wording.KIND_NAMES) == set(SECTIONS) == set(SIGNS) == set(Kind)
    assert len(set(SIGNS.values())) == len(Kind)
    assert all(len(sign) == 1 and not sign.isupper() for sign in SIGNS.values())
    assert set(SECTIONS.values()) <= set(BOX.register().sections)


def test_zones_decks_and_phases_have_names() -> None:
    assert set(wording.ZONE_NAMES) == set(Zone)
    assert set(wording.DECK_NAMES) == set(wording.COUNTED_CARDS) == set(DECKS)
    assert {marker for markers in MARKERS_OF.values() for marker in markers} == set(
        wording.MARKER_NAMES
    )
    for phase in Phase:
        say_all(TapakWording(new_game()).phase(phase))


def test_names_of_cards_fit_the_display() -> None:
    widest = {"id": 18, "en": 18, "ja": 9}
    for card in new_game().content.cards.values():
        for language, most in widest.items():
            assert len(card.name[language]) <= most, card.name


# -- whole games -----------------------------------------------------------------------------------


def test_what_happens_beside_the_question_and_by_hand_is_told() -> None:
    game = new_game(first="ghost")
    told, session = TapakWording(game), Session(game)
    for prompt in game.beside():
        say_all(told.ask(prompt))
        for choice in prompt.options():
            say_all(told.label(choice, prompt))
    corrections: list[tuple[str, Place]] = [
        ("pawn/B", 5),
        ("life/B", 1),
        ("dice/A", -2),
        ("skip/B", 1),
        ("no-attack/A", 2),
        ("no-buff/B", 1),
        ("hand/B/human-buff", 2),
        ("before/B/shaking-knees", 2),
        ("before/B/shaking-knees", 0),
        ("discard/human-debuff", 0),
        ("open/B", "sprint"),
        ("round", 3),
        ("turn", "B"),
        ("phase", "card"),
    ]
    for thing, place in corrections:
        session.correct(thing, place, reason="seen by all")
        if session.put_back:
            for shift in session.put_back:
                say_all(told.place(shift))
            session.answer("done")
    session.interject("scan", "B", "amulet")
    session.interject("passives", "B", "off")
    session.choose_ruling("T1", "no_effect")
    session.swap("A", "B")
    session.leave("B")
    for event in game.log.events:
        say_all(told.tell(event))
    kinds = {type(event) for event in game.log.events}
    assert {events.Scanned, events.Corrected, events.SeatLeft, events.RulingChanged} <= kinds


# -- single sentences ------------------------------------------------------------------------------


SENTENCES: list[tuple[Event, str]] = [
    (
        events.Moved(rule="4.b", seat="A", start=57, end=2),
        "Ana goes from square 57 to square 2.",
    ),
    (events.Drew(rule="5.1", seat="B", deck="human-buff", count=1), "Budi draws 1 human buff."),
    (
        events.DrawIgnored(rule="1.2", seat="B", deck="human-debuff"),
        "Budi draws nothing: no card of the human debuffs is left.",
    ),
    (
        events.Reshuffled(rule="1.2", deck="human-debuff", count=2),
        "The discards of the human debuffs are shuffled in: 2 human debuffs.",
    ),
    (
        events.TurnedUp(rule="5.2", deck="human-debuff", card="frozen"),
        "Frozen is turned up: Skip your next turn.",
    ),
    (
        events.MarkerGained(rule="5.6", seat="A", marker="skip", count=1),
        "Ana will skip the next turn.",
    ),
    (
        events.MarkerLost(rule="5.3", seat="A", marker="no-attack", count=1),
        "Ana, one less: no attack; 1 left.",
    ),
    (
        events.MarkerLost(rule="5.3", seat="A", marker="no-attack", count=0),
        "Ana can attack again.",
    ),
    (
        events.MarkerIgnored(rule="5.6", seat="A", marker="skip"),
        "Ana has that already: skips a turn.",
    ),
    (
        events.Discarded(rule="4.d", seat="B", card="sprint", deck="human-buff", start="hand"),
        "Budi discards Sprint.",
    ),
    (
        events.Discarded(rule="4.d", seat="B", card="sprint", deck="human-buff", start="play"),
        "Sprint goes to the discards.",
    ),
    (events.Answered(rule="4.a", seat="A", prompt="roll", choice=4), "Ana rolls 4."),
    (
        events.Answered(rule="6", seat="B", prompt="react", choice="pass", via="silence"),
        "Budi says nothing: no card.",
    ),
    (
        events.Answered(rule="5.2", seat="B", prompt="debuff", choice="frozen"),
        "Budi turns up a card: Frozen.",
    ),
    (
        events.Ended(rule="7.1", winners=("A",), reason="lives"),
        "Ana wins: the other side has no life left.",
    ),
    (
        events.Ended(rule="7", winners=("A", "B"), reason="draw"),
        "The last round is over: a draw, both have as many lives.",
    ),
    (
        happenings.StoppedOn(rule="5.3", seat="A", square=8, kind="sacred"),
        "Ana stops on square 8: sacred ground.",
    ),
    (
        happenings.DiceAdded(rule="5.5.1", seat="A", change=-1, dice=-1),
        "The next movement roll of Ana is changed by −1.",
    ),
    (
        happenings.Attacked(rule="6", seat="A", other="B", zone="night"),
        "Ana attacks Budi (night).",
    ),
    (happenings.AttackBarred(rule="2", seat="A"), "Nobody attacks on the start."),
    (happenings.AttackBarred(rule="5.3", seat="A"), "Ana cannot attack; nobody rolls."),
    (
        happenings.AttackBarred(rule="4.d", seat="A"),
        "Ana cannot attack: a card forbids it.",
    ),
    (
        happenings.LifeLost(rule="6.1", seat="B", lives=1),
        "Budi loses a life: 1 life left.",
    ),
    (happenings.NoEffect(rule="5.3", seat="B", card=""), "This does nothing for Budi."),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_a_sentence_names_everything(event: Event, sentence: str) -> None:
    told = TapakWording(new_game()).tell(event)
    assert in_english(told) == sentence
    say_all(told)


@pytest.mark.parametrize(
    ("shift", "sentence"),
    [
        (Shift("pawn/A", 3, 7), "Ana: take your pawn from 3 to 7"),
        (Shift("life/B", 3, 2), "Budi: give away 1 life"),
        (Shift("life/B", 1, 3), "Budi: take back 2 lives"),
        (Shift("hand/A/ghost-buff", 0, 1), "Ana: take 1 ghost buff"),
        (Shift("hand/A/ghost-buff", 2, 1), ""),
        (Shift("before/B/frozen", 0, 1), "Budi: lay Frozen before you"),
        (Shift("before/B/frozen", 1, 0), "Budi: put Frozen on its discards"),
        (Shift("discard/human-buff", 0, 1), ""),
        (
            Shift("discard/human-buff", 4, 0),
            "Shuffle the discards of the human buffs into a new deck",
        ),
        (Shift("skip/A", 0, 1), ""),
        (Shift("turn", "A", "B"), ""),
    ],
)
def test_instructions_say_what_hands_do(shift: Shift, sentence: str) -> None:
    told = TapakWording(new_game())
    assert in_english(told.instruct(shift)) == sentence
    say_all(told.instruct(shift))
    say_all(told.place(shift))


def test_facts_are_short() -> None:
    told = TapakWording(new_game())
    facts: list[tuple[str, int | str]] = [
        ("role", "ghost"),
        ("life", 1),
        ("zone", "night"),
        ("skip", 1),
        ("no-attack", 2),
        ("dice", -1),
        ("before/shaking-knees", 1),
        ("before/shaking-knees", 2),
    ]
    assert [in_english(told.fact(kind, value)) for kind, value in facts] == [
        "ghost",
        "1 life",
        "night",
        "skips a turn",
        "no attack 2",
        "next roll −1",
        "Shaking Knees",
        "Shaking Knees 2",
    ]


def test_the_numbers_of_the_die_say_what_they_come_to() -> None:
    game = new_game(first="ghost")
    told = TapakWording(game)

    def labels(key: str, seat: str) -> list[str]:
        prompt: Prompt[int] = Prompt(key, seat, "", range(1, 5))
        return [in_english(told.label(pips, prompt)) for pips in prompt.candidates]

    assert labels("roll", "A") == ["1", "2", "3", "4"]
    assert labels("attack", "A") == ["1: miss", "2: miss", "3: miss", "4: hit"]
    assert labels("counter", "B") == ["1: miss", "2: miss", "3: hit", "4: hit"]
    assert labels("defend", "B") == [
        "1: hit by the ghost",
        "2: hit by the ghost",
        "3: safe",
        "4: the ghost is hit",
    ]
    game.put("dice/A", -2)
    assert labels("roll", "A") == ["1 → 1", "2 → 1", "3 → 1", "4 → 2"]
    assert labels("attack", "A") == ["1: miss", "2: miss", "3: miss", "4: hit"]
    game.state.rulings["T2"] = "also_combat"
    assert labels("attack", "A") == ["1", "2", "3", "4"]
    assert labels("counter", "B") == ["1: miss", "2: miss", "3: hit", "4: hit"]


# -- the guided turns and what can be typed --------------------------------------------------------


def test_the_first_turns_of_each_player_are_guided() -> None:
    game = new_game()
    told, session = TapakWording(game), Session(game)
    guided: list[int] = []
    people = VirtualTable(game, Random(2))
    while game.state.turn < 8:
        guide = told.guide(session.prompt)
        if guide is not None:
            assert "§" in in_english(guide)
            guided.append(game.state.turn)
        session.answer(people.answer(session.prompt))
    assert set(guided) == {0, 1, 2, 3, 4}


def test_guidance_can_be_switched_off() -> None:
    game = new_game(guide=False)
    assert TapakWording(game).guide(Session(game).prompt) is None


def test_whatever_an_option_is_called_can_be_typed() -> None:
    told = TapakWording(new_game())
    names = told.names()
    called = [("", option) for option in TapakWording.usual] + list(wording.OPTIONS_AT)
    for key, option in called:
        prompt: Prompt[str] = Prompt(key, "A", "", (option,))
        for text in say_all(told.label(option, prompt if key else None)):
            assert text.casefold() in [word.casefold() for word in names[option]], (key, text)


def test_cards_and_players_can_be_typed_in_every_language() -> None:
    names = TapakWording(new_game()).names()
    assert set(names["sprint"]) == {"sprint", "Lari Kencang", "Sprint", "全力疾走"}
    assert set(names["A"]) == {"A", "Ana"}
