"""The command line: `companion play`, `serve`, `enrol` and the others.

It reads the options, opens what they name and hands over; every error of ours is a message and
an exit code of `companion.exits`.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.rules.errors import CompanionError
from companion.rules.phrases import N_, Phrase
from companion.words import LANGUAGES, Words

if TYPE_CHECKING:
    from companion.rules.box import AnyBox

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

CONTENT_OPTIONS = {"cards": "cards.toml", "board": "board.toml"}
"""Options that put a file of one's own in the place of one that ships."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit code."""
    _stand_in_for_closed_streams()
    _never_stumble_over_bytes()
    options = _parser().parse_args(arguments)
    words = Words(options.language or language_of_the_machine())
    try:
        command: Callable[[argparse.Namespace, Words], int] = options.command
        return command(options, words)
    except CompanionError as error:
        from companion.exits import exit_for

        print(words.say(error.phrase), file=sys.stderr)
        return exit_for(error)
    except ModuleNotFoundError as error:
        return _not_installed(error, words)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print()
        return 130


def _not_installed(error: ModuleNotFoundError, words: Words) -> int:
    """A part of the program is missing: to start it again would not help."""
    from companion.exits import Exit

    told = Phrase(N_("{file} is missing. Install anew."), {"file": error.name or str(error)})
    print(words.say(told), file=sys.stderr)
    return Exit.MISSING


def _stand_in_for_closed_streams() -> None:
    """Where whoever started this has closed a stream, nothing comes from it or goes to it.

    Its number would else be given to the next file that is opened, such as the journal.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, "r" if name == "stdin" else "w"))


def _never_stumble_over_bytes() -> None:
    """Characters that a terminal cannot show or did not mean are replaced, not fatal."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def language_of_the_machine() -> str:
    """The language of the environment where we have it, else English."""
    for name in ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        code = os.environ.get(name, "")[:2]
        if code in LANGUAGES:
            return code
    return "en"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="companion",
        description="Knows the rules of the board game beside it.",
        epilog="Begin with: companion play chaos-kart. With a device to try, without any "
        "hardware: companion play chaos-kart --devices simulated.",
    )

    def overview(_options: argparse.Namespace, _words: Words) -> int:
        parser.print_help()
        return 2

    parser.set_defaults(language=None, command=overview)
    commands = parser.add_subparsers(metavar="command")
    for add in (
        *(_add_play, _add_serve, _add_games, _add_rules),  # players
        *(_add_enrol, _add_tags, _add_config, _add_doctor, _add_hub),  # who builds the device
        *(_add_cards, _add_judge, _add_scenario, _add_backup),  # who designs, keeps and settles
    ):
        add(commands)
    return parser


def _add_game(command: argparse.ArgumentParser, *, optional: bool = False) -> None:
    nargs = "?" if optional else None
    command.add_argument("game", nargs=nargs, help="which game, such as chaos-kart")


def _add_journal(command: argparse.ArgumentParser) -> None:
    command.add_argument("--journal", metavar="FILE", type=Path, help="where games are kept")


def _add(
    commands: Commands, name: str, help_text: str, run: Callable[[argparse.Namespace, Words], int]
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=help_text)
    command.add_argument("--language", choices=sorted(LANGUAGES), help="of what is shown")
    command.set_defaults(command=run)
    return command


def _add_play(commands: Commands) -> None:
    play = _add(commands, "play", "play at the terminal, with devices beside it or without", _play)
    _add_game(play)
    play.add_argument("--script", metavar="FILE", help="lines to play, '-' for standard input")
    play.add_argument("--players", metavar="A,B,…", help="names in turn order; asks nothing then")
    play.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        dest="choices",
        help="a choice of the set-up, such as laps=1, first=A or A6=reentry",
    )
    _add_content(play)
    _add_journal(play)
    play.add_argument("--new", action="store_true", help="a new game, whatever is left open")
    play.add_argument("--resume", metavar="N", type=int, help="go on with game N of the journal")
    play.add_argument("--ask-all", action="store_true", help="ask every defence aloud")
    _add_devices(play)
    play.add_argument(
        "--oled", action=argparse.BooleanOptionalAction, help="the small picture above the text"
    )


def _add_content(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--content",
        metavar="FOLDER",
        type=Path,
        help="a folder with files of your own, called as “companion cards sample” calls them",
    )
    for option, filename in CONTENT_OPTIONS.items():
        command.add_argument(f"--{option}", metavar="FILE", type=Path, help=f"your own {filename}")


def _add_devices(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--devices",
        choices=["real", "simulated"],
        help="those that are wired, or chips that are simulated",
    )
    _add_configuration(command)


def _add_configuration(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--config", metavar="FILE", type=Path, help="what is wired, instead of /etc/companion.toml"
    )


def _add_judge(commands: Commands) -> None:
    judge = _add(commands, "judge", "play a scenario and explain each step", _judge)
    judge.add_argument("files", nargs="+", type=Path, metavar="FILE")


def _add_scenario(commands: Commands) -> None:
    scenario = _add(
        commands, "scenario", "save a game so far as a scenario to be judged", _scenario
    )
    scenario.add_argument("number", type=int, metavar="N", help="the game's number in the journal")
    scenario.add_argument("to", type=Path, metavar="FILE")
    _add_journal(scenario)


def _add_cards(commands: Commands) -> None:
    cards = _add(
        commands, "cards", "check content files, or write what editors and owners need", _cards
    )
    cards.add_argument("action", choices=["check", "sample", "schema"])
    _add_game(cards)
    _add_content(cards)
    cards.add_argument(
        "--to", metavar="FOLDER", type=Path, default=Path(), help="where sample and schema write"
    )


def _add_rules(commands: Commands) -> None:
    rules = _add(commands, "rules", "look a rule or ruling up", _rules)
    _add_game(rules)
    rules.add_argument("word", nargs="*", help="a word, a section or a ruling")


def _add_games(commands: Commands) -> None:
    games = _add(commands, "games", "list the games that are kept", _games)
    _add_journal(games)


def _add_backup(commands: Commands) -> None:
    backup = _add(commands, "backup", "copy the journal while games are played", _backup)
    backup.add_argument("to", type=Path, metavar="FILE")
    _add_journal(backup)


def _add_serve(commands: Commands) -> None:
    serve = _add(
        commands, "serve", "play by cards, buttons and a display alone, as a service does", _serve
    )
    _add_game(serve, optional=True)
    _add_content(serve)
    _add_devices(serve)
    _add_journal(serve)


def _add_enrol(commands: Commands) -> None:
    enrol = _add(commands, "enrol", "give the cards of a game their tags, tap after tap", _enrol)
    _add_game(enrol)
    enrol.add_argument("thing", nargs="*", help="a card or deck to begin at")
    enrol.add_argument("--script", metavar="FILE", type=Path, help="lines to take")
    _add_journal(enrol)
    _add_content(enrol)
    _add_configuration(enrol)


def _add_tags(commands: Commands) -> None:
    tags = _add(commands, "tags", "list, export, import or forget tags", _tags)
    tags.add_argument("action", choices=["list", "export", "import", "forget", "which"])
    tags.add_argument("what", nargs="?", help="a file, or a UID")
    tags.add_argument("--game", help="only the tags of this game")
    tags.add_argument("--move", action="store_true", help="tags may change their meaning")
    _add_journal(tags)
    _add_content(tags)


def _add_config(commands: Commands) -> None:
    config = _add(commands, "config", "check or show what is wired, or write a sample", _config)
    config.add_argument("action", choices=["sample", "check", "show"])
    _add_configuration(config)


def _add_doctor(commands: Commands) -> None:
    doctor = _add(commands, "doctor", "find out why a device does not work", _doctor)
    _add_devices(doctor)
    doctor.add_argument("--test", metavar="DEVICE", help="try one kind of device with you")
    doctor.add_argument("--wait", metavar="SECONDS", type=float, help="for cards or buttons")
    doctor.add_argument("--json", action="store_true", help="the findings for a program")


def _add_hub(commands: Commands) -> None:
    hub = _add(commands, "hub", "write a hub's firmware, talk with it, ask how it is", _hub)
    hub.add_argument("action", choices=["flash", "console", "status"])
    hub.add_argument("--port", metavar="PATH", default="", help="the hub's serial port")
    _add_configuration(hub)


# -- the commands ----------------------------------------------------------------------------------


def _play(options: argparse.Namespace, words: Words) -> int:
    from companion.playing import play

    return play(options, words, _own_files(options))


def _own_files(options: argparse.Namespace) -> dict[str, Path]:
    from companion.host import content_in

    own = {} if options.content is None else content_in(options.content)
    named = {CONTENT_OPTIONS[option]: getattr(options, option) for option in CONTENT_OPTIONS}
    return own | {filename: path for filename, path in named.items() if path is not None}


def _judge(options: argparse.Namespace, words: Words) -> int:
    from companion.judging import judge

    return max(judge(file, words, print) for file in options.files)


def _scenario(options: argparse.Namespace, words: Words) -> int:
    from companion.host import default_journal
    from companion.judging import as_scenario

    _write_new(options.to, as_scenario(options.journal or default_journal(), options.number))
    print(words.say(Phrase(N_("Written: {file}"), {"file": str(options.to)})))
    return 0


def _cards(options: argparse.Namespace, words: Words) -> int:
    from companion.games.shelf import open_box
    from companion.host import read_content

    box = open_box(options.game)
    if options.action == "check":
        content = read_content(box, _own_files(options))
        for advice in box.check(content):
            print(words.say(advice))
        print(words.say(Phrase(N_("The cards and the board can be played."))))
        return 0
    return _write_files(box, options, words)


def _write_files(box: AnyBox, options: argparse.Namespace, words: Words) -> int:
    """Write the sample files to start from, or the schemas; never over a file that is there."""
    import msgspec

    if options.action == "sample":
        texts = box.content()
    else:
        texts = {
            name.replace(".toml", ".schema.json"): msgspec.json.format(
                msgspec.json.encode(schema)
            ).decode()
            for name, schema in box.schemas().items()
        }
    options.to.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        _write_new(options.to / name, text)
        print(words.say(Phrase(N_("Written: {file}"), {"file": str(options.to / name)})))
    return 0


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise CompanionError(
            N_("{file} was not written: {error}"), file=str(path), error=error.strerror or "?"
        ) from error


def _rules(options: argparse.Namespace, words: Words) -> int:
    from companion.playing import find_rules

    for line in find_rules(options.game, " ".join(options.word), words):
        print(line)
    return 0


def _games(options: argparse.Namespace, words: Words) -> int:
    from companion.playing import list_games

    for line in list_games(options.journal, words):
        print(line)
    return 0


def _backup(options: argparse.Namespace, words: Words) -> int:
    from companion.host import default_journal
    from companion.journal import backup

    path = backup(options.journal or default_journal(), options.to)
    print(words.say(Phrase(N_("Written: {file}"), {"file": str(path)})))
    return 0


def _serve(options: argparse.Namespace, words: Words) -> int:
    from companion.serving import serve

    return serve(options, words, _own_files(options))


def _enrol(options: argparse.Namespace, words: Words) -> int:
    from companion.enrolling import enrol_with_readers

    return enrol_with_readers(options, words, _own_files(options))


def _tags(options: argparse.Namespace, words: Words) -> int:
    from companion.tagging import tags

    return tags(options, words, _own_files(options))


def _config(options: argparse.Namespace, words: Words) -> int:
    from companion.configuration.command import run

    return run(options, words)


def _doctor(options: argparse.Namespace, words: Words) -> int:
    from companion.doctor.command import run

    return run(options, words)


def _hub(options: argparse.Namespace, words: Words) -> int:
    from companion.hubbing import run

    return run(options, words)
