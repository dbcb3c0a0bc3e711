"""Hands at a simulated table: what they tap and push is what was meant, and nothing gets lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.equipping import things_of
from companion.rules.errors import NotUnderstood, WhichOne
from companion.screens.commands import COMMANDS
from companion.screens.handset import Handset
from companion.screens.handset.menu import menu
from companion.screens.tag_walk import Walk
from companion.words import LANGUAGES, Words
from companion.workbench import HANDS
from tests.host.simulated import Hands, hands_at, until


@pytest.fixture
def hands() -> Iterator[Hands]:
    with hands_at() as at:
        yield at


def scene(hands: Hands) -> Handset:
    found = hands.equipment.tabletop.scene
    assert isinstance(found, Handset)
    return found


def test_a_letter_or_a_players_name_is_the_seats_tag_and_not_the_kart(hands: Hands) -> None:
    for line in ("tap B", "tap b", "tap Budi", "tap seat B"):
        hands.do(line)
        assert scene(hands).speaker == "B", line
        scene(hands).stop("speaks")
    hands.do("tap kart B")
    assert scene(hands).speaker == ""


def test_a_card_goes_before_a_marker_with_the_same_id(hands: Hands) -> None:
    walk = Walk(things_of(hands.table))
    assert [thing.kind for thing in walk.find("shield")] == ["card"]
    assert [thing.kind for thing in walk.find("marker: shield")] == ["token"]


def test_what_nobody_can_tap_is_said(hands: Hands) -> None:
    with pytest.raises(NotUnderstood, match="zzzz"):
        hands.do("tap zzzz")
    with pytest.raises(WhichOne, match="Forward 1"):
        hands.do("tap forward")


def test_pushes_right_after_one_another_are_all_taken(hands: Hands) -> None:
    handled = hands.equipment.tabletop.handled
    hands.do("press ok", "hold down", "hold down", "hold ok back", "hold ok back", "press back")
    assert hands.equipment.tabletop.handled == handled + 6


def test_everything_is_lifted_from_all_readers(hands: Hands) -> None:
    hands.do("lay forward 1 on A", "lay forward 2 on B", "lift")
    assert not any(chip.tags for chip in hands.bench.simulation.readers.values())


def test_another_language_on_the_display_is_no_matter_for_the_terminal(hands: Hands) -> None:
    hands.do("press ok", "hold ok back")
    items = [item.entry.label for item in menu(scene(hands)).items]
    place = next(n for n, label in enumerate(items) if "Bahasa" in str(label))
    hands.do("press " + "down " * place, "press ok", "press up ok")
    assert scene(hands).panels.words.language == "id"
    assert scene(hands).top is scene(hands).question


def test_a_page_that_turns_over_by_itself_is_noticed(hands: Hands) -> None:
    hands.do("tap forward 2")
    hands.bench.picture(80)
    assert not hands.bench.stale
    until(lambda: hands.bench.stale, "the page did not turn")


def test_no_word_means_two_things() -> None:
    words = [word for command in (*COMMANDS.all, *HANDS.all) for word in command.words]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_hands_can_do_is_said_in_the_words_of_the_language(language: str) -> None:
    for command in HANDS.all:
        assert Words(language).say(command.usage).split()[0].split("<")[0] in command.words
