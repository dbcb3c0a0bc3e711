"""What the rules look up, and what holds for every race, whatever is corrected."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.carpet_racers.box import BOX
from companion.games.carpet_racers.game import CarpetRacers
from companion.games.carpet_racers.movement import parse_leg
from companion.games.carpet_racers.setup import Setup
from companion.rules.errors import BadSetup, NotNow
from companion.rules.session import Session
from tests.contract.tables import Players

NAMES = ("Ana", "Budi", "Cici", "Dewi", "Eka")
CARS = ("red", "yellow", "green", "blue", "purple")


def race(track: str = "living-room", **rulings: str) -> CarpetRacers:
    """A race of three whose first card is to be played."""
    game = BOX.begin(Setup(seats=NAMES[:3], track=track, rulings=rulings), BOX.content())
    game.put("phase", "card")
    return game


def finish(cars: list[tuple[int, int, int]], order: tuple[int, ...]) -> set[str]:
    """Who wins, by name: for each player the space, matching boosts and stops, sat in an order."""
    names = tuple(NAMES[player] for player in order)
    game = BOX.begin(Setup(seats=names), BOX.content())
    game.put("phase", "reveal")
    session: Session[Any] = Session(game)
    for seat, player in zip(game.state.seats, order, strict=True):
        space, boosts, stops = cars[player]
        game.put(f"car/{CARS[player]}", space)
        game.put(f"boost/{seat}/{CARS[player]}", boosts)
        game.put(f"stop/{seat}", stops)
    for player in order[:4]:  # of five the last one follows
        session.answer(CARS[player])
    while not session.over:
        session.answer(next(iter(session.prompt.options())))
    assert game.state.ending is not None
    return {game.state.names[seat] for seat in game.state.ending.winners}


ALL_ON_8 = [(6, 2, 0), (5, 3, 0), (7, 3, 2), (8, 0, 0), (9, 1, 2)]
THREE_ALIKE = [(6, 2, 1), (5, 3, 1), (5, 3, 1), (5, 3, 1), (2, 4, 0)]
TWO_ALIKE = [(4, 1, 0), (7, 0, 2), (4, 1, 0), (3, 2, 0), (3, 2, 0)]


@pytest.mark.parametrize(
    ("cars", "best"), [(ALL_ON_8, {1}), (THREE_ALIKE, {1, 2, 3}), (TWO_ALIKE, {3, 4})]
)
def test_in_all_120_orders_of_five_the_same_players_win(
    cars: list[tuple[int, int, int]], best: set[int]
) -> None:
    for order in permutations(range(5)):
        assert finish(cars, order) == {NAMES[player] for player in best}


@given(
    st.lists(
        st.tuples(st.integers(2, 11), st.integers(0, 4), st.integers(0, 3)), min_size=3, max_size=3
    )
)
def test_the_winners_do_not_depend_on_who_sits_where(cars: list[tuple[int, int, int]]) -> None:
    found = [finish(cars, order) for order in permutations(range(3))]
    assert all(winners == found[0] for winners in found)
    assert found[0]


@pytest.mark.parametrize(
    ("r1", "listed"),
    [
        ("after_turn", ["yellow-1", "yellow-2"]),
        ("at_once", ["yellow-1", "yellow-2", "red-1", "red-2"]),
    ],
)
def test_spaces_shared_alike_are_listed_once_unless_the_first_car_may_end_the_race(
    r1: str, listed: list[str]
) -> None:
    session: Session[Any] = Session(race(R1=r1))
    session.answer("yellow-red-3")
    assert list(session.prompt.options()) == listed
    assert all(session.prompt.why_not(said) is None for said in ("yellow-1", "red-2"))
    wrong: tuple[str | int, ...] = ("red-3", "red-02", "red-0", "green-1", 2)
    assert all(session.prompt.why_not(said) for said in wrong)


@pytest.mark.parametrize("place", [(1, 1), (17, 18), (14, 17), (18, 18), (17, 17)])
@pytest.mark.parametrize("spaces", range(1, 5))
def test_which_car_is_first_makes_no_difference(place: tuple[int, int], spaces: int) -> None:
    """Not even where catapults stop cars: so no way of it is missing from the list."""
    found = []
    for said in (f"yellow-{spaces}", f"red-{5 - spaces}"):
        game = race("playground")
        game.put("car/yellow", place[0])
        game.put("car/red", place[1])
        session: Session[Any] = Session(game)
        for step in ("red-grey-5", "yellow", said):
            session.answer(step)
        while game.state.legs:
            session.answer(next(iter(session.prompt.options())))
        found.append(game.state.cars)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("said", "leg"),
    [
        ("red-2", ("red", 2)),
        ("red", ("", 0)),
        ("red-x", ("", 0)),
        (7, ("", 7)),
        ("x-999", ("x", 99)),
    ],
)
def test_a_part_of_the_movement_is_read(said: str, leg: tuple[str, int]) -> None:
    assert parse_leg(said) == leg


@pytest.mark.parametrize(
    ("place", "merge"),
    [(1, 1), (12, 12), (13, 18), (31, 18), (33, 18), (18, 18), (24, 27), (34, 27), (37, 27)],
)
def test_where_two_ways_merge(place: int, merge: int) -> None:
    assert race().track.merge_after(place) == merge


@pytest.mark.parametrize("way", ["own_path", "to_the_merge"])
def test_all_castles_are_one_space_before_the_exit(way: str) -> None:
    game = race("playground", R16=way)
    ranks = []
    places: list[int | str] = [19, *game.track.castles, 20]
    for place in places:
        game.put("car/red", place)
        ranks.append(game.rank("red")[1])
    assert ranks == [18, 19, 19, 19, 19, 19, 20]


def test_hand_limits_follow_the_progress_token() -> None:
    game = race()
    limits = []
    for progress in range(9):
        game.put("progress/A", progress)
        limits.append(game.limit("A"))
    assert limits == [3, 3, 3, 3, 3, 4, 4, 4, 4]


def test_a_car_that_is_corrected_has_come_the_shortest_way() -> None:
    game = race("playground")
    game.put("car/red", 12)
    assert game.state.driven["red"] == 11
    game.put("car/red", "castle-4")
    assert game.state.driven["red"] == game.track.from_line(20) - 1
    game.put("car/red", "19")
    assert game.state.driven["red"] == 18


@pytest.mark.parametrize(
    ("thing", "place", "said"),
    [
        ("car/red", "castle-1", "cannot be"),
        ("car/pink", 3, "yellow, red, green, blue, purple"),
        ("lap/red", 5, "0 to 4"),
        ("trap/99", 1, "cannot be"),
        ("dock/brown", 4, "0 to 3"),
        ("dock/A", 1, "brown, orange, white, black, pink"),
        ("discard/card", 1, "0 to 0"),
        ("discard/x", 0, "card, trap"),
        ("controller/A", "red", "brown, orange"),
        ("progress/A", 9, "0 to 8"),
        ("stretch/A", 1, "playground only"),
        ("stop/A", 100, "0 to 99"),
        ("clue/A/white", 2, "1 to 1"),
        ("clue/A/brown", 1, "cannot be"),
        ("chip/A", "red", "still closed"),
        ("hand/A/trap", 1, "card"),
        ("hand/A/card", 46, "0 to"),
        ("open/A", "red", "no card red"),
        ("turn", "D", "Allowed: A, B, C"),
        ("phase", "move", "card, reveal"),
    ],
)
def test_a_correction_that_cannot_be_says_what_is_allowed(
    thing: str, place: str | int, said: str
) -> None:
    game = race()
    before = game.layout()
    with pytest.raises(BadSetup) as caught:
        game.put(thing, place)
    assert said in str(caught.value)
    assert game.layout() == before


def test_a_dock_has_room_for_three_clues() -> None:
    game = race()
    for slot, controller in enumerate(("orange", "white", "black"), start=1):
        game.put(f"clue/A/{controller}", slot)
    with pytest.raises(BadSetup, match="Three clues"):
        game.put("clue/A/pink", 1)
    game.put("clue/A/black", 1)
    assert game.racer("A").clues == ["black", "orange", "white"]


@pytest.mark.parametrize(("variant", "first"), [("before_lap_1", 1), ("in_lap_1", 2)])
def test_lap_markers_are_counted_by_ruling_r2(variant: str, first: int) -> None:
    """By the other way of it the race of three is two crossings long, and begins in lap 2."""
    game = race(R2=variant)
    assert game.layout()["lap/red"] == first
    for lap in range(first, 5):
        game.put("lap/red", lap)
        assert game.layout()["lap/red"] == lap
        assert bool(game.finished()) is (lap == 4)
    game.put("lap/red", first)
    assert game.state.laps["red"] == 1


@pytest.mark.parametrize("thing", ["moon", "boost/Z/red", "stop/red"])
def test_what_is_no_thing_of_the_table_is_refused(thing: str) -> None:
    refusal = race().put(thing, 1)
    assert refusal is not None
    assert not refusal.can_be_forced


def test_revealed_chips_are_corrected_by_changing_them_round() -> None:
    game = race()
    game.put("phase", "reveal")
    session: Session[Any] = Session(game)
    session.answer("red")
    session.answer("yellow")
    session.correct("chip/A", "yellow")
    assert (game.racer("A").car, game.racer("B").car) == ("yellow", "red")
    assert session.put_back == []
    with pytest.raises(BadSetup, match="nobody has a turn"):
        session.correct("turn", "B")


def test_an_open_card_lies_in_the_hand_for_all_to_see() -> None:
    game = race()
    game.put("open/B", "red-blue-5")
    assert [seat.hand for seat in game.view(None).seats] == [(), ("red-blue-5",), ()]


def test_seats_change_between_turns_only() -> None:
    players = Players("carpet-racers", 1, seed=3)
    session = players.session
    with pytest.raises(BadSetup, match="All five controllers have players"):
        session.join("F", "Feri")
    session.answer(next(iter(session.prompt.options())))
    with pytest.raises(NotNow):
        session.leave("A")


def test_a_player_who_leaves_takes_tokens_away_but_no_secret() -> None:
    game = race()
    for thing, place in (("boost/A/red", 13), ("stop/A", 24), ("trap/3", 1)):
        game.put(thing, place)
    session: Session[Any] = Session(game)
    dock = list(game.controller("A").dock)
    session.leave("A")
    assert game.boosts_left("red") == 13
    assert game.stops_left() == 24
    assert game.state.controllers["brown"].dock == dock
    assert game.automatic == ["brown", "black", "pink"]
    assert session.prompt.seat == "B"
    game.check()


def test_a_newcomer_draws_from_a_deck_that_is_shuffled_anew() -> None:
    game = race()
    session: Session[Any] = Session(game)
    turn = game.state.turn
    game.state.decks["card"].draw -= 35
    game.state.decks["card"].discard = list(game.card_ids[:35])
    session.join("D", "Dewi")
    assert game.state.hands["D"].size() == 3
    assert game.state.decks["card"].discard == []
    assert (session.prompt.key, session.prompt.seat, game.state.turn) == ("card", "A", turn)
