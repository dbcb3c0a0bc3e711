"""The commands of the terminal: their words in three languages, how they are used, what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.rules.errors import NotUnderstood
from companion.rules.phrases import N_, Phrase
from companion.screens.breaking import columns_of
from companion.screens.reading import fold, shorten


class Command(msgspec.Struct, frozen=True):
    """One command. `words` are what people may type, the English one first."""

    words: tuple[str, ...]
    usage: Phrase
    does: Phrase

    @property
    def name(self) -> str:
        """The English word."""
        return self.words[0]


class Commands:
    """Commands by every word that means them."""

    def __init__(self, *commands: Command) -> None:
        self.all = commands
        self._by_word = {fold(word): command for command in self.all for word in command.words}

    def named(self, word: str) -> Command | None:
        """The command that a word means."""
        return self._by_word.get(fold(word))

    def find(self, line: str) -> tuple[Command, str] | None:
        """The command that a line begins with, and the rest of the line."""
        word, rest = [*line.split(None, 1), "", ""][:2]
        command = self.named(word)
        return None if command is None else (command, rest.strip())

    def help(self, word: str, say: Callable[[Phrase], str]) -> list[str]:
        """All of them, or the one that a word means. Raises NotUnderstood."""
        if not word:
            return listed(self.all, say)
        command = self.named(word)
        if command is None:
            raise NotUnderstood(
                N_("There is no command “{typed}”. help lists them."), typed=shorten(word)
            )
        also = Phrase(N_("Also: {names}"), {"names": list(command.words)})
        return [say(command.usage), f"  {say(command.does)}", f"  {say(also)}"]


def listed(commands: Sequence[Command], say: Callable[[Phrase], str]) -> list[str]:
    """What each command does, its usage before it, in columns."""
    used = [say(command.usage) for command in commands]
    width = max(map(columns_of, used), default=0) + 2
    return [
        f"  {usage}{' ' * (width - columns_of(usage))}{say(command.does)}"
        for usage, command in zip(used, commands, strict=True)
    ]


HELP = Command(
    ("help", "bantuan", "ヘルプ"), Phrase(N_("help [command]")), Phrase(N_("This list."))
)
QUIT = Command(
    ("quit", "exit", "keluar", "終了"),
    Phrase(N_("quit")),
    Phrase(N_("Stops here. The game is kept and goes on at this point.")),
)

COMMANDS = Commands(
    Command(
        ("why", "kenapa", "mengapa", "なぜ", "どうして"),
        Phrase(N_("why [number] | why not <card>")),
        Phrase(N_("Why something happened, or why a card may not be played now.")),
    ),
    Command(
        ("undo", "batal", "batalkan", "戻す", "元に戻す", "取り消す"),
        Phrase(N_("undo")),
        Phrase(N_("Takes the last act back; lists what to put back on the table.")),
    ),
    Command(
        ("redo", "ulangi", "やり直す"),
        Phrase(N_("redo")),
        Phrase(N_("Does again what was undone.")),
    ),
    Command(
        ("done", "sudah", "beres", "完了"),
        Phrase(N_("done")),
        Phrase(N_("Says that the pieces are put back as listed.")),
    ),
    Command(("yes", "y", "ya", "はい"), Phrase(N_("yes")), Phrase(N_("Agrees."))),
    Command(("no", "n", "tidak", "いいえ"), Phrase(N_("no")), Phrase(N_("Does not agree."))),
    Command(
        ("amend", "ubah", "変更"),
        Phrase(N_("amend <answer> <choice>")),
        Phrase(N_("Gives another answer to an earlier question; alone, lists the last answers.")),
    ),
    Command(
        ("correct", "betulkan", "koreksi", "訂正"),
        Phrase(N_("correct <thing> <player> <place> [because …]")),
        Phrase(
            N_("Sets the companion right after the real table; alone, lists what stands where.")
        ),
    ),
    Command(
        ("force", "paksa", "強行"),
        Phrase(N_("force <choice>")),
        Phrase(N_("Does what the rules forbid, because the table agrees.")),
    ),
    Command(
        ("rules", "rule", "aturan", "ルール"),
        Phrase(N_("rules <card, word or section>")),
        Phrase(N_("Shows what a card says, or looks something up in the rules and rulings.")),
    ),
    Command(
        ("ruling", "putusan", "裁定"),
        Phrase(N_("ruling <id> [variant]")),
        Phrase(N_("Shows a ruling, or decides it otherwise from now on.")),
    ),
    Command(
        ("log", "catatan", "記録"),
        Phrase(N_("log [how many | all]")),
        Phrase(N_("The last answers and what came of them; the lines can be typed in again.")),
    ),
    Command(
        ("missed", "?", "ketinggalan", "見逃し"),
        Phrase(N_("missed <player> | ?")),
        Phrase(N_("Whose turn it is, and what happened since a player last did something.")),
    ),
    Command(
        ("standings", "table", "posisi", "meja", "状況"),
        Phrase(N_("standings")),
        Phrase(N_("Where everything stands.")),
    ),
    Command(
        ("join", "gabung", "参加"), Phrase(N_("join <name>")), Phrase(N_("Seats a new player."))
    ),
    Command(
        ("leave", "pergi", "離席"),
        Phrase(N_("leave <player>")),
        Phrase(N_("A player leaves the game.")),
    ),
    Command(
        ("swap", "tukar", "席替え"),
        Phrase(N_("swap <player> <player>")),
        Phrase(N_("Two players change places in the turn order.")),
    ),
    Command(
        ("lang", "language", "bahasa", "言語"),
        Phrase(N_("lang id|en|ja")),
        Phrase(N_("Changes the language.")),
    ),
    Command(
        ("oled", "layar", "画面"),
        Phrase(N_("oled on|off")),
        Phrase(N_("Shows the small picture or not.")),
    ),
    HELP,
    QUIT,
)

ALWAYS = frozenset({"help", "quit", "undo", "why"})
"""Commands that no card or player of the same name can hide."""

NOT = frozenset(map(fold, {"not", "tidak", "nggak", "だめ", "ダメ"}))
"""The word after "why" that asks about a card which may not be played."""
BECAUSE = ("because", "karena", "なぜなら", "理由")
ALL = frozenset(map(fold, {"all", "semua", "全部", "すべて"}))
ON = frozenset(map(fold, {"on", "nyala", "オン"}))
OFF = frozenset(map(fold, {"off", "mati", "オフ"}))
