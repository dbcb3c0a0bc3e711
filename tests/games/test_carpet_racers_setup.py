"""§2 What a table may choose, what it is told when it may not, and what the set-up lays out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.carpet_racers.box import BOX
from companion.games.carpet_racers.setup import Setup
from companion.rules.errors import BadSetup
from companion.rules.session import Session
from companion.rules.tags import TagKind

NAMES = ("Ana", "Budi", "Cici", "Dewi", "Eka")


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"seats": NAMES[:1]}, "1 players: allowed are 2 to 5 (§2.3)."),
        ({"seats": (*NAMES, "Feri")}, "6 players"),
        ({"track": "garden"}, "Allowed: living-room, playground"),
        ({"tags": "all"}, "Allowed: none, chips, chips and traps"),
        ({"first": "D"}, "Allowed: A, B, C"),
        ({"seats": ("Ana", "ana", "Budi")}, "Two players are called"),
        ({"rulings": {"R1": "soon"}}, "after_turn, at_once"),
        ({"rulings": {"R3": "same_car"}}, "R1, R2, R8, R12, R15, R16"),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_allowed(choices: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetup) as caught:
        BOX.begin(Setup(**{"seats": NAMES[:3], **choices}), BOX.content())
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("seats", "rulings", "warned"),
    [
        (3, {}, []),
        (2, {}, ["Two players are not in the rulebook"]),
        (4, {"R15": "nobody"}, ["everybody loses"]),
        (5, {"R15": "nobody"}, []),
    ],
)
def test_a_table_is_warned(seats: int, rulings: dict[str, str], warned: list[str]) -> None:
    found = [p.plain() for p in BOX.warnings(Setup(seats=NAMES[:seats], rulings=rulings))]
    assert len(found) == len(warned)
    assert all(part in text for part, text in zip(warned, found, strict=True))


@pytest.mark.parametrize("track", ["living-room", "playground"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_traps_lie_on_six_spaces_and_all_five_docks(track: str, seats: int) -> None:
    game = BOX.begin(Setup(seats=NAMES[:seats], track=track), BOX.content())
    session: Session[Any] = Session(game)
    layout = game.layout()
    assert sum(str(layout[thing]) == "1" for thing in layout if thing.startswith("trap/")) == 6
    assert [layout[f"dock/{controller}"] for controller in game.controller_ids] == [1] * 5
    assert game.state.decks["trap"].draw == 32 - 6 - 5
    assert game.state.decks["card"].draw == 45 - 3 * seats
    assert session.prompt.key == "card"
    game.check()


@pytest.mark.parametrize(
    ("tags", "asked"),
    [("none", []), ("chips", ["chip"] * 5), ("chips and traps", ["token"] * 11 + ["chip"] * 5)],
)
def test_tags_are_asked_for_while_things_are_put_face_down(tags: str, asked: list[str]) -> None:
    session: Session[Any] = Session(BOX.begin(Setup(seats=NAMES[:3], tags=tags), BOX.content()))
    keys: list[str] = []
    while session.prompt.seals:
        keys.append(session.prompt.key)
        session.answer("unseen")
    assert keys == asked
    assert session.prompt.key == "card", "without a tag there is nothing to see on a screen"


def test_a_set_up_goes_on_around_what_a_table_corrects_in_its_midst() -> None:
    setup = Setup(seats=NAMES[:3], tags="chips and traps")
    session: Session[Any] = Session(BOX.begin(setup, BOX.content()))
    for thing, place in (("dock/brown", 3), ("trap/9", 2)):
        session.correct(thing, place)
    while session.prompt.seals:
        session.answer("unseen")
    layout = session.game.layout()
    assert (layout["dock/brown"], layout["dock/pink"]) == (3, 1)
    assert (layout["trap/9"], layout["trap/4"]) == (2, 1)
    session.game.check()


def test_cards_chips_and_traps_can_carry_tags() -> None:
    things = BOX.tagged(BOX.content())
    cards = [thing for thing in things if thing.kind is TagKind.CARD]
    sealed = {t.thing: t.copies for t in things if t.kind is TagKind.SEALED}
    assert sum(card.copies for card in cards) == 45
    assert [thing for thing in sealed if thing.startswith("chip/")] == [
        f"chip/{car}" for car in ("yellow", "red", "green", "blue", "purple")
    ]
    assert sum(copies for thing, copies in sealed.items() if thing.startswith("trap/")) == 32
    assert len(cards) + len(sealed) == len(things)
