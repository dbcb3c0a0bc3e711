"""The questions before a game by buttons and seat tags."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from companion.games.chaos_kart.box import KartBox
from companion.rules.phrases import Named
from companion.rules.setups import Field
from companion.rules.tags import TagKind
from companion.screens.handset import (
    Begin,
    Meaning,
    OpenGame,
    Outcome,
    Result,
    Resume,
    SetupHandset,
)
from companion.screens.oled import WIDTH, find_fonts
from companion.screens.pixels import NoFont
from companion.words import LANGUAGES, Words
from tests.screens.tables import BOX
from tests.screens.test_handset import BUTTONS, IN_EVERY_LANGUAGE

OPEN = OpenGame(7, BOX.title, "5 · Ana")


class Asked:
    """Somebody who is asked for a set-up, a second for each push."""

    def __init__(self, language: str = "en", **more: object) -> None:
        self.setup = SetupHandset(
            [BOX],
            Words(language),
            find_fonts(language),
            lambda seats: seats[-1],
            **more,  # type: ignore[arg-type]  # tests hand on what they like
        )
        self.now = 5000.0
        self.setup.tick(self.now)
        self.pushes = 0

    def push(self, *buttons: str) -> Outcome:
        outcome = Outcome(Result.NOTHING)
        for button in buttons:
            self.now += 1
            self.pushes += 1
            how = "chord" if button == "menu" else "long" if "hold" in button else "short"
            name = "ok" if button == "menu" else button.removeprefix("hold ")
            outcome = self.setup.push(name, how, self.now)
        return outcome

    def tap(self, thing: str, kind: TagKind = TagKind.SEAT) -> Outcome:
        self.now += 1
        return self.setup.tap(Meaning(kind, thing), self.now)

    def texts(self) -> list[str]:
        sheet = self.setup.sheet()
        assert all(right <= WIDTH for _, right in sheet.texts), sheet.texts
        return [text for text, _ in sheet.texts]

    def choose(self, wanted: str) -> Outcome:
        for _ in range(120):
            if any(line.startswith(f"→ {wanted}") for line in self.texts()):
                return self.push("ok")
            self.push("down")
        raise AssertionError(f"no {wanted} in {self.texts()}")


def begun(outcome: Outcome) -> Begin:
    assert isinstance(outcome.wish, Begin)
    return outcome.wish


def test_the_usual_game_takes_three_presses() -> None:
    asked = Asked()
    wish = begun(asked.push("ok", "ok", "ok"))
    assert (wish.game, wish.language) == ("chaos-kart", "en")
    assert wish.setup.seats == ("Player A", "Player B", "Player C", "Player D")
    assert msgspec.to_builtins(wish.setup)["first"] == "D", "by chance, as the box proposes"


def test_an_open_game_is_gone_on_with_by_two_presses() -> None:
    asked = Asked(open_games=[OPEN])
    asked.push("ok")
    assert any("Chaos Kart 5 · Ana" in text for text in asked.texts())
    assert asked.push("ok").wish == Resume(7, "en")


def test_a_new_game_beside_an_open_one_is_a_choice_of_its_own() -> None:  # U05
    asked = Asked(open_games=[OPEN], ask_language=False)
    asked.choose("New game")
    asked.choose("2 players")
    assert len(begun(asked.choose("Start")).setup.seats) == 2


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_the_language_is_chosen_first_and_speaks_from_then_on(language: str) -> None:
    asked = Asked()
    asked.choose(LANGUAGES[language])
    player = asked.push("ok", "ok")
    assert begun(player).language == language


def test_seat_tags_tell_how_many_play() -> None:
    asked = Asked(ask_language=False)
    assert asked.tap("B").result is Result.ACCEPTED
    assert any(text.startswith("→ 2 players") for text in asked.texts())
    assert asked.tap("E").result is Result.ACCEPTED
    assert asked.tap("A").result is Result.ACCEPTED
    assert len(begun(asked.push("ok", "ok")).setup.seats) == 5


def test_a_seat_beyond_the_box_is_refused_with_what_is_allowed() -> None:
    asked = Asked(ask_language=False)
    assert asked.tap("J").result is Result.REFUSED
    assert "2 to 8 players" in " ".join(asked.texts())
    assert asked.tap("C").result is Result.ACCEPTED
    assert any(text.startswith("→ 3 players") for text in asked.texts())
    asked.tap("J")
    asked.setup.tick(asked.now + 10)
    assert any(text.startswith("→ 3 players") for text in asked.texts())


def test_cards_before_a_game_are_told_so() -> None:
    asked = Asked()
    assert asked.tap("forward-1", TagKind.CARD).result is Result.UNKNOWN
    assert "No game is running" in " ".join(asked.texts())


def test_everything_that_the_box_asks_can_be_decided() -> None:
    asked = Asked(ask_language=False)
    asked.choose("3 players")
    asked.choose("Options")
    asked.choose("How many laps?")
    asked.push("up", "ok")  # 1
    asked.choose("Which way")
    asked.choose("counter-clockwise")
    asked.choose("Who begins?")
    asked.choose("Player B")
    asked.choose("Explain")
    asked.choose("no")
    assert any(text.startswith("→ Explain") and text.endswith("no") for text in asked.texts())
    asked.push("back")
    assert any(text.startswith("  Mind: ") for text in asked.texts()), "one lap, ruling A6"
    setup = msgspec.to_builtins(begun(asked.choose("Start")).setup)
    assert (setup["laps"], setup["first"], setup["guide"]) == (1, "B", False)
    assert setup["direction"] == "counter-clockwise"


class OtherBox(KartBox):
    name = "other-kart"
    title = Named({"en": "Other Kart"})
    package = BOX.package


def test_of_several_games_one_is_chosen() -> None:
    asked = Asked(ask_language=False)
    asked.setup = SetupHandset(
        [BOX, OtherBox()],
        Words("en"),
        find_fonts("en"),
        lambda seats: seats[0],
        ask_language=False,
        texts={"other-kart": BOX.content()},
    )
    asked.choose("Other Kart")
    assert asked.texts()[0] == "Other Kart"
    assert begun(asked.push("ok", "ok")).game == "other-kart"


def test_a_language_without_a_font_is_refused_with_the_mend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_language: str) -> None:
        raise NoFont("There is no font: make fonts")

    monkeypatch.setattr("companion.screens.handset.setting_up.find_fonts", missing)
    asked = Asked()
    asked.push("ok")
    assert "make fonts" in " ".join(asked.texts())


def test_a_value_of_the_wrong_kind_is_refused() -> None:
    asked = Asked(ask_language=False)
    asked.setup.values["laps"] = "many"
    asked.push("ok")
    assert asked.push("ok").result is Result.REFUSED
    assert "cannot be" in " ".join(asked.texts())


def test_advice_can_be_read_before_the_start() -> None:
    asked = Asked(ask_language=False)
    asked.choose("6 players")
    asked.choose("Mind")
    assert asked.texts()[0] == "Mind"
    asked.push("back")
    assert len(begun(asked.choose("Start")).setup.seats) == 6


def test_what_was_decided_is_kept_on_the_way_back() -> None:
    asked = Asked(ask_language=False)
    asked.choose("3 players")
    asked.choose("Options")
    asked.choose("How many laps?")
    asked.choose("3")
    asked.push("back", "back")
    asked.choose("2 players")
    assert msgspec.to_builtins(begun(asked.choose("Start")).setup)["laps"] == 3


def test_a_set_up_that_cannot_be_is_refused_with_the_reason() -> None:
    asked = Asked(ask_language=False)
    asked.choose("2 players")
    asked.setup.values["laps"] = 1000
    assert asked.push("ok").result is Result.REFUSED
    assert "1 to 99" in " ".join(asked.texts())


def test_a_box_that_wants_words_is_left_to_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    fields: Sequence[Field] = [Field("laps", BOX.fields()[0].label, default=2)]
    monkeypatch.setattr(type(BOX), "fields", lambda _self: fields)
    asked = Asked(ask_language=False)
    asked.push("ok")
    assert not any("Options" in text for text in asked.texts())
    assert msgspec.to_builtins(begun(asked.push("ok")).setup)["laps"] == 2


@pytest.mark.parametrize("language", IN_EVERY_LANGUAGE)
def test_every_page_of_the_set_up_fits(language: str) -> None:
    asked = Asked(language, open_games=[OPEN])
    chance = Random(2)
    for _ in range(400):
        asked.push(chance.choice([*BUTTONS, "ok", "down"]))
        if chance.random() < 0.1:
            asked.tap(chance.choice("ABCDEFGHIJ"))
        assert asked.texts()
