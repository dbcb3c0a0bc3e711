"""The commands of the terminal: their words in three languages, how they are used, what they do."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.rules.phrases import N_, Phrase
from companion.screens.reading import fold


class Command(msgspec.Struct, frozen=True):
    """One command. `words` are what people may type, the English one first."""

    words: tuple[str, ...]
    usage: Phrase
    does: Phrase

    @property
    def name(self) -> str:
        """The English word."""
        return self.words[0]


COMMANDS = (
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
        ("scan", "pindai", "スキャン"),
        Phrase(N_("scan <player> <card>")),
        Phrase(N_("Tells the companion of a card in a hand; the others do not see it.")),
    ),
    Command(
        ("passives", "pasif", "パッシブ"),
        Phrase(N_("passives <player> on|off")),
        Phrase(N_("Whether a player wants to be asked for passive cards.")),
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
    Command(("help", "bantuan", "ヘルプ"), Phrase(N_("help [command]")), Phrase(N_("This list."))),
    Command(
        ("quit", "exit", "keluar", "終了"),
        Phrase(N_("quit")),
        Phrase(N_("Stops here. The game is kept and goes on at this point.")),
    ),
)

ALWAYS = frozenset({"help", "quit", "undo", "why"})
"""Commands that no card or player of the same name can hide."""

NOT = frozenset(map(fold, {"not", "tidak", "nggak", "だめ", "ダメ"}))
"""The word after "why" that asks about a card which may not be played."""
BECAUSE = ("because", "karena", "なぜなら", "理由")
ALL = frozenset(map(fold, {"all", "semua", "全部", "すべて"}))
ON = frozenset(map(fold, {"on", "nyala", "オン"}))
OFF = frozenset(map(fold, {"off", "mati", "オフ"}))

_BY_WORD = {fold(word): command for command in COMMANDS for word in command.words}


def find_command(line: str) -> tuple[Command, str] | None:
    """The command that a line begins with, and the rest of the line."""
    words = line.split(None, 1)
    command = _BY_WORD.get(fold(words[0])) if words else None
    if command is None:
        return None
    return command, words[1].strip() if len(words) > 1 else ""


def helped(word: str) -> Iterator[Command]:
    """The commands that a word names; all of them without one."""
    found = _BY_WORD.get(fold(word))
    if not word:
        yield from COMMANDS
    elif found is not None:
        yield found
