"""What the documents say is so: their examples run, and what they name exists."""

from __future__ import annotations

import ast
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import companion.games
from companion.command import _parser, main
from companion.games import shelf
from companion.games.chaos_kart.content import read_cards, read_track
from companion.games.chaos_kart.effects import Effect
from companion.rules.box import AnyBox
from companion.rules.errors import BadContent
from companion.rules.lines import Line
from companion.rules.scenarios import Playing, explain, read_scenario
from companion.rules.session import Session
from companion.virtual import VirtualTable
from tests.contract.one_game import contract_for, put_on_the_shelf
from tests.docs.reading import (
    DOCUMENTS,
    ROOT,
    Block,
    anchors,
    blocks,
    code_words,
    links,
    mentions,
)

LINE_LENGTH = 110
ADD_A_GAME = ROOT / "docs" / "add-a-game.md"
CODE_TOUR = ROOT / "docs" / "code-tour.md"
CARDS = ROOT / "docs" / "cards.md"

ids = [str(document.relative_to(ROOT)) for document in DOCUMENTS]
every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=ids)

BASE = {
    "move": '[[move]]\nid = "base-move"\ncount = 1\nsteps = 1\n',
    "power_up": '[[power_up]]\nid = "base-power-up"\ncount = 1\ntype = "utility"\n'
    'effects = [{ do = "bonus", steps = 1 }]\n',
    "event": '[[event]]\nid = "base-event"\ncount = 1\neffects = [{ do = "forward", steps = 1 }]\n',
}
"""One card for each deck that an example of single cards leaves out."""
NAME = 'name = { id = "-", en = "-", ja = "-" }\n'


def all_blocks(kind: str, *marks: str) -> list[Block]:
    """The blocks of all documents with a kind and at least these marks."""
    return [
        block
        for document in DOCUMENTS
        for block in blocks(document)
        if block.kind == kind and set(marks) <= set(block.marks)
    ]


def where(block: Block) -> str:
    return block.where


# -- the game of "add a game" ----------------------------------------------------------------------


SNAIL_TABLES: list[dict[str, Any]] = [
    {"seats": ["Ana", "Budi"], "rulings": {"R1": "as_often"}},
    {"seats": ["Ana", "Budi", "Cici", "Dewi"], "first": "B"},
]


@pytest.fixture
def snails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyBox]:
    """The example game, read out of its document into a package and put on the shelf."""
    place = tmp_path / "games"
    for block in blocks(ADD_A_GAME):
        if block.file:
            file = place / Path(block.file).relative_to("companion/games")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
    (place / "snail_race" / "__init__.py").touch()
    before = set(sys.modules)
    monkeypatch.setattr(companion.games, "__path__", [*companion.games.__path__, str(place)])
    (line,) = [block for block in blocks(ADD_A_GAME) if block.kind == "py"]
    ((name, box),) = ast.literal_eval(f"{{{line.text}}}").items()
    put_on_the_shelf(monkeypatch, name, box, SNAIL_TABLES)
    yield shelf.open_box("snail-race")
    for name in set(sys.modules) - before:
        if name.startswith("companion.games.snail_race"):
            del sys.modules[name]


def test_the_example_game_is_played_undone_and_replayed(snails: AnyBox) -> None:
    def begin() -> Any:
        setup = msgspec.convert({"seats": ["Ana", "Budi", "Cici"]}, snails.setup_type)
        return snails.begin(setup, snails.content())

    lines: list[Line] = []
    session: Session[Any] = Session(begin(), "salt", write=lines.append)
    table = VirtualTable(session.game, Random(3))
    wording = snails.wording(session.game)
    while not session.over:
        before = session.snapshot()
        choice = table.answer(session.prompt)
        session.answer(choice)
        session.undo()
        if session.consent is not None:  # a roll cannot be taken back by who rolled alone
            session.answer("yes")
        if session.put_back:
            session.answer("done")
        assert session.snapshot() == before
        session.answer(choice)
    assert session.game.state.ending.winners
    assert all(wording.tell(event).plain() for event in session.log(None))
    again: Session[Any] = Session(begin(), "salt")
    again.reenact(lines)
    assert again.digest() == session.digest()


def test_the_example_game_has_a_scenario_for_what_it_shows(snails: AnyBox) -> None:
    for block in blocks(ADD_A_GAME):
        if "scenario" in block.marks:
            play_scenario(block)


@pytest.mark.parametrize("holds", contract_for("snail-race", len(SNAIL_TABLES)))
def test_the_example_game_keeps_the_contract(snails: AnyBox, holds: Callable[[], None]) -> None:
    holds()


def test_the_example_game_can_be_looked_up(
    snails: AnyBox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "snail-race", "nudging", "--language", "en"]) == 0
    assert main(["cards", "check", "snail-race", "--language", "en"]) == 0
    assert "§3 Nudging" in capsys.readouterr().out


# -- scenarios and content -------------------------------------------------------------------------


def play_scenario(block: Block) -> None:
    scenario = read_scenario(block.text, block.where)
    playing = Playing(scenario, shelf.open_box(scenario.game))
    for number, step in enumerate(scenario.play, start=1):
        played = playing.play_step(step)
        assert not played.faults, f"{block.where}, step {number}:\n{explain(playing, played)}"


@pytest.mark.parametrize(
    "block", [b for b in all_blocks("toml", "scenario") if "add-a-game" not in b.where], ids=where
)
def test_scenarios_come_out_as_they_say(block: Block) -> None:
    play_scenario(block)


@every_document
def test_python_runs(document: Path) -> None:
    """A document's examples follow each other, as they do for its reader."""
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks(document):
        if block.kind == "python" and "run" in block.marks:
            exec(compile(block.text, block.where, "exec"), names)


def whole(text: str) -> str:
    """A file of cards from an example of single ones. Its lines keep their numbers."""
    given = tomllib.loads(text)
    return text + "".join(card + NAME for deck, card in BASE.items() if deck not in given)


@pytest.mark.parametrize("block", all_blocks("toml", "cards"), ids=where)
def test_cards_can_be_played(block: Block) -> None:
    read_cards(whole(block.text))


@pytest.mark.parametrize("block", all_blocks("toml", "board"), ids=where)
def test_boards_can_be_played(block: Block) -> None:
    read_track(block.text)


def wrong_and_told() -> list[tuple[Block, Block]]:
    """Every example of a mistake with the message that follows it."""
    return [
        (block, after)
        for document in DOCUMENTS
        for block, after in zip(blocks(document), blocks(document)[1:], strict=False)
        if block.kind == "toml" and "mistake" in block.marks
    ]


@pytest.mark.parametrize(("block", "told"), wrong_and_told(), ids=lambda block: block.where)
def test_mistakes_are_told_as_written(block: Block, told: Block) -> None:
    assert told.kind == "text"
    board = "in-board" in block.marks
    text = block.text if board else whole(block.text)
    with pytest.raises(BadContent) as error:
        (read_track if board else read_cards)(text)
    assert str(error.value).splitlines() == told.text.splitlines()


def test_every_effect_and_every_word_of_the_cards_is_documented() -> None:
    from companion.games.chaos_kart import content, effects

    text = CARDS.read_text(encoding="utf-8")
    said = {effect.__struct_config__.tag for effect in Effect.__args__}
    for words in (
        *(effects.Who, effects.MarkerName, effects.HandDeck, effects.Spot, effects.Stage),
        *(content.Trigger, content.TrapTrigger, content.On, content.PowerUpType, content.Token),
    ):
        said |= {word.value for word in words}
    for record in (
        *(content.MoveCard, content.PowerUp, content.EventCard, content.TrapText),
        *(content.Placement, content.Track, content.TokenPlace, *Effect.__args__),
    ):
        said |= set(record.__struct_fields__)
    assert sorted(word for word in said if f"`{word}`" not in text) == []


# -- the command line ------------------------------------------------------------------------------


def commands_of(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command of a block with the lines shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        yield shlex.split(command), [line for line in shown if line.strip() not in ("", "…")]


def assert_in_order(shown: Sequence[str], told: Sequence[str], message: str) -> None:
    """Every shown line is among the told ones, in this order; further ones may stand between."""
    rest = iter(line.rstrip() for line in told)
    for line in shown:
        found = any(line.rstrip() == other for other in rest)
        assert found, "\n".join([f"{message}: no line {line!r} in", *told])


@every_document
def test_commands_answer_as_shown(
    document: Path,
    snails: AnyBox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    monkeypatch.setenv("COMPANION_JOURNAL", str(tmp_path / "journal.db"))
    for block in blocks(document):
        if "file" in block.marks:
            name = block.marks[block.marks.index("file") + 1]
            (tmp_path / name).write_text(block.text, encoding="utf-8")
        for command, shown in commands_of(block.text) if block.kind == "console" else ():
            typed = [line[2:] for line in shown if line.startswith("> ")]
            (tmp_path / "lines.txt").write_text("\n".join(typed) + "\n", encoding="utf-8")
            run(command)
            told = capsys.readouterr()
            assert_in_order(shown, (told.out + told.err).splitlines(), block.where)


def run(command: Sequence[str]) -> None:
    if command[0] == "mkdir":
        Path(command[1]).mkdir(exist_ok=True)
    else:
        assert command[0] == "companion", f"not run here: {command}"
        main(command[1:])


def options() -> dict[str, set[str]]:
    """The options of each command of the program."""
    (commands,) = [
        action for action in _parser()._actions if hasattr(action, "choices") and action.choices
    ]
    assert isinstance(commands.choices, dict)
    return {
        name: {option for action in parser._actions for option in action.option_strings}
        for name, parser in commands.choices.items()
    }


@every_document
def test_commands_and_options_exist(document: Path) -> None:
    known = options()
    for rest in mentions(document, "companion"):
        name = rest.split()[0]
        assert name in known, f"companion {name}"
        assert set(re.findall(r"(?<!\S)--[a-z-]+", rest)) <= known[name], f"companion {rest}"


@every_document
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {rest.split()[0] for rest in mentions(document, "make")}
    assert named <= targets


# -- what is named exists --------------------------------------------------------------------------


@every_document
def test_links_lead_somewhere(document: Path) -> None:
    for link in links(document):
        if link.startswith(("http:", "https:")):
            continue
        path, _, anchor = link.partition("#")
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@every_document
def test_files_exist(document: Path) -> None:
    code = ("companion/", "firmware/", "tests/", "scripts/", "benchmarks/", ".ci/")
    tops = (*code, "docs/", "hardware/", "systemd/", "requirements/")
    for word in code_words(document):
        if word.startswith(tops) and " " not in word and "<" not in word:
            assert (ROOT / word).exists() or "snail_race" in word, word


def test_the_code_tour_names_what_there_is() -> None:
    """A line `file.py`: `Name.method`, `other` … names classes, functions and constants of it."""
    text = CODE_TOUR.read_text(encoding="utf-8")
    found = re.findall(r"`(companion/\S+\.py)`:\s((?:`[\w.]+`(?:,\s)?)+)", text)
    assert len(found) > 30
    for file, names in found:
        defined = defined_in(ROOT / file)
        for name in re.findall(r"`([\w.]+)`", names):
            assert name in defined, f"{name} in {file}"
    everywhere = set[str]().union(*map(defined_in, (ROOT / "companion").rglob("*.py")))
    methods = {word for word in code_words(CODE_TOUR) if re.fullmatch(r"[A-Z]\w+\.\w+", word)}
    assert methods <= everywhere


def defined_in(file: Path) -> set[str]:
    """Classes, functions, methods (as Class.method) and constants of a module."""
    names: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            functions = (ast.FunctionDef, ast.AsyncFunctionDef)
            names |= {f"{node.name}.{n.name}" for n in node.body if isinstance(n, functions)}
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


@every_document
def test_lines_are_not_too_long(document: Path) -> None:
    in_block = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), start=1):
        in_block ^= line.startswith("```")
        if not in_block and not line.startswith("|"):
            assert len(line) <= LINE_LENGTH, f"{document.name}:{number}"


def test_pictures_are_three_displays_and_four() -> None:
    from PIL import Image

    sizes = {}
    for name in ("oled-question", "oled-turn"):
        with Image.open(ROOT / "docs" / "pictures" / f"{name}.png") as picture:
            sizes[name] = picture.size
    height = 3 * 64 + 2 * 6
    assert sizes == {
        "oled-question": (3 * (3 * 128 + 6) + 6, height),
        "oled-turn": (4 * (3 * 128 + 6) + 6, height),
    }
