"""Every scenario file comes out as it says; every rule has one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.shelf import GAMES, open_box
from companion.rules.scenarios import Playing, Scenario, explain, read_scenario

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.toml"))


def scenarios(game: str) -> Iterator[Scenario]:
    for file in sorted((HERE / game).glob("*.toml")):
        yield read_scenario(file.read_text(encoding="utf-8"), file.name)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_comes_out_as_it_says(file: Path) -> None:
    scenario = read_scenario(file.read_text(encoding="utf-8"), file.name)
    assert scenario.game == file.parent.name
    playing = Playing(scenario, open_box(scenario.game))
    for number, step in enumerate(scenario.play, start=1):
        played = playing.play_step(step)
        if played.faults:
            pytest.fail(f"{file.name}, step {number}:\n{explain(playing, played)}", pytrace=False)


@pytest.mark.parametrize("game", GAMES)
def test_every_section_with_a_rule_has_a_scenario(game: str) -> None:
    shown = {section for scenario in scenarios(game) for section in scenario.sections}
    sections = open_box(game).register().sections
    assert shown <= set(sections), "scenarios name sections that the rulebook does not have"
    without = [
        number for number, section in sections.items() if section.rule and number not in shown
    ]
    assert without == []


@pytest.mark.parametrize("game", GAMES)
def test_every_variant_of_a_switch_has_a_scenario_of_its_own(game: str) -> None:
    box = open_box(game)
    shown = {
        (
            ruling,
            scenario.setup.get("rulings", {}).get(ruling, box.register().rulings[ruling].default),
        )
        for scenario in scenarios(game)
        for ruling in scenario.rulings
    }
    wanted = {
        (ruling.id, variant.name) for ruling in box.register().switches for variant in ruling.choice
    }
    assert wanted - shown == set()


@pytest.mark.parametrize("game", GAMES)
def test_ids_are_unique(game: str) -> None:
    ids = [scenario.id for scenario in scenarios(game)]
    assert len(set(ids)) == len(ids)
    assert all(ids)
