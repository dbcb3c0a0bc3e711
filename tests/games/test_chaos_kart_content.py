"""§2, 13, 14 What ships, and wrong files: told with file, line, field and what is allowed."""

from __future__ import annotations

import re

import pytest

from companion.games.chaos_kart.box import BOX
from companion.games.chaos_kart.content import (
    DECK_SIZES,
    On,
    PowerUpType,
    TrapTrigger,
    Trigger,
    read_cards,
    read_track,
    sample_cards,
    sample_track,
)
from companion.games.chaos_kart.effects import Effect, MarkerName, Spot, Who
from companion.rules.errors import BadContent

WORDS = 'name = { id = "x", en = "x", ja = "x" }'
GOOD = f"""\
[[move]]
id = "forward-1"
count = 2
steps = 1
{WORDS}

[[power_up]]
id = "shield"
count = 1
type = "defence"
effects = [{{ do = "marker", marker = "shield" }}]
{WORDS}

[[event]]
id = "event-back-1"
count = 1
effects = [{{ do = "back", steps = 1 }}]
{WORDS}
"""


def test_the_samples_are_labelled_and_have_the_rulebooks_sizes() -> None:
    content, track = sample_cards(), sample_track()
    assert content.cards.sample
    assert track.sample
    assert content.catalogue.sizes == DECK_SIZES
    assert any("Sample" in advice.plain() for advice in BOX.check(BOX.content()))


def every_effect() -> list[Effect]:
    cards = sample_cards().cards
    found: list[Effect] = []
    for move in cards.move:
        found += move.bend
    for power_up in cards.power_up:
        found += power_up.effects
        if power_up.trap:
            found += power_up.trap.effects
    for event in cards.event:
        found += event.effects
    return found


def test_the_sample_decks_use_all_that_the_rulebook_mentions() -> None:
    cards, effects = sample_cards().cards, every_effect()
    assert {type(effect) for effect in effects} == set(Effect.__args__)
    assert {effect.who for effect in effects if hasattr(effect, "who")} == set(Who)
    assert {e.marker for e in effects if hasattr(e, "marker")} == set(MarkerName)
    assert {effect.to for effect in effects if hasattr(effect, "to")} == set(Spot)
    assert {card.trigger for card in cards.power_up if card.trigger} == set(Trigger)
    assert {card.type for card in cards.power_up} == set(PowerUpType)
    traps = [card.trap for card in cards.power_up if card.trap]
    assert {trap.trigger for trap in traps} == set(TrapTrigger)
    assert {trap.place.on for trap in traps} == set(On)
    for condition in ("ahead", "passed", "occupied", "with_trap"):
        assert any(getattr(trap.place, condition) for trap in traps)
    assert any(trap.uses > 1 for trap in traps)
    assert any(trap.hits_owner for trap in traps)
    assert any(move.bend for move in cards.move)
    assert any(move.bump_back > 1 for move in cards.move)
    assert any(move.bumps_passed for move in cards.move)
    assert any(move.order for move in cards.move)
    assert any(move.back for move in cards.move)
    assert any(isinstance(move.steps, tuple) for move in cards.move)


def test_a_small_set_of_ones_own_is_read() -> None:
    assert read_cards(GOOD).catalogue.totals == {"forward-1": 2, "shield": 1, "event-back-1": 1}


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "said"),
    [
        ("steps = 1\n", "step = 1\n", 1, "move 1", "steps"),
        ("count = 2", "count = 0", 3, "count", ">= 1"),
        ("count = 2", 'count = "two"', 3, "count", "whole number"),
        ('id = "forward-1"', 'id = "Forward 1"', 2, "id", "regex"),
        ('id = "shield"', 'id = "forward-1"', 8, "id", "taken"),
        ('id = "shield"', 'id = "pass"', 8, "id", "taken"),
        ('type = "defence"', 'type = "weapon"', 10, "type", "attack, trap, defence, utility"),
        ('type = "defence"', 'type = "trap"', 10, "type", "[power_up.trap]"),
        ('do = "marker"', 'do = "explode"', 11, "effects 1", "forward, back, marker"),
        ('marker = "shield"', 'marker = "sheild"', 11, "marker", "bump-guard"),
        ('{ do = "marker", marker = "shield" }', '{ do = "cancel" }', 11, "effects 1", "passive"),
        ('do = "back", steps = 1', 'do = "back", steps = [3, 1]', 17, "steps", "smaller"),
        ('do = "back", steps = 1', 'do = "back", steps = 1, order = ["lap"]', 17, "order", "bump"),
        ('en = "x"', 'en = ""', 5, "name", "en"),
        ('en = "x"', 'de = "x"', 5, "name", "en"),
    ],
)
def test_a_wrong_card_is_refused_with_line_and_field(
    old: str, new: str, line: int, field: str, said: str
) -> None:
    with pytest.raises(BadContent) as caught:
        read_cards(GOOD.replace(old, new, 1), "mine.toml")
    message = str(caught.value)
    assert re.match(rf"mine\.toml, line {line}, ", message), message
    assert field in message
    assert said in message


def test_what_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(BadContent, match=r"mine\.toml: not TOML: .*line 2"):
        read_cards("[[move]]\nid = \n", "mine.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("squares = 2", "squares"),
        ("squares = 20\ncolour = 1", "squares, token, sample"),
        ('squares = 20\n[[token]]\nsquare = 0\ntoken = "bend"', "line 3, token 1.square: no token"),
        ('squares = 20\n[[token]]\nsquare = 20\ntoken = "bend"', "1 to 19"),
        (
            'squares = 20\n[[token]]\nsquare = 3\ntoken = "bend"\n'
            '[[token]]\nsquare = 3\ntoken = "event"',
            "line 6, token 2.square: square 3 has a token",
        ),
        ('squares = 20\n[[token]]\nsquare = 3\ntoken = "swamp"', "power-up, event, bend"),
        ("", "squares"),
        (
            'squares = 20\ntoken = [\n  { square = 3, token = "bend" },\n'
            '  { square = 4, token = "swamp" },\n]',
            "line 4, token 2.token",
        ),
    ],
)
def test_a_wrong_track_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadContent) as caught:
        read_track(text, "track.toml")
    assert said in str(caught.value)


def test_schemas_are_for_editors() -> None:
    schemas = BOX.schemas()
    assert set(schemas) == {"cards.toml", "board.toml"}
    assert "MoveCard" in schemas["cards.toml"]["$defs"]
