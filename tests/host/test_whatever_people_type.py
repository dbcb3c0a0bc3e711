"""People type anything, in any order: every line has an answer, and the table stays whole."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.shelf import open_box
from companion.host import Table, new_table
from companion.rules.lines import Line
from companion.rules.session import Session
from companion.screens.terminal import Terminal
from companion.words import Words

LINES = """\
why|why 3|why 9999|why not forward 3|why not shield|undo|redo|done|yes|no|amend|amend 1 forward 2
amend 3 pass|amend 99 x|correct|correct kart Ana 5|correct kart Budi 5|correct lap Ana 1
correct damaged Budi 2 because it fell|correct shield Ana turned|correct hand Ana power-up 3
correct trap Ana pothole@7|correct turn Budi|correct discard move 0|correct open Ana turbo
force forward 6|force turbo|force pothole|rules bump|rules A6|rules 15.3|rules nothing such
ruling A6 reentry|ruling A8 step_by_step|ruling Q q|log|log 5|log all|missed Ana|?|standings
scan Ana turbo|scan Budi forward 1|passives Budi off|passives Budi on|leave Cici|join Dewi
swap Ana Budi|lang id|lang ja|lang en|lang xx|help|help why|Ana: forward 1|Budi: dodge|B dodge
a|b|zz|5|-1|99999999999999999999|ａ|\x1b[31m|dodge|mirror|repair|forward 3|maju 3|前進3|oled off
""".replace("\n", "|").split("|")


def played(seed: int) -> tuple[Table, list[Line]]:
    """A table where half of what is typed makes sense."""
    random = Random(seed)
    box = open_box("chaos-kart")
    names = ["Ana", "Budi", "Cici"][: 2 + seed % 2]
    setup = msgspec.convert({"seats": names, "first": "A"}, box.setup_type)
    table = new_table(box, setup, box.content(), None, silences=seed % 3 > 0)
    session = table.session
    lines: list[Line] = []
    session.write = lines.append
    terminal = Terminal(session, box, table.wording, Words("en"), oled=False)
    for _ in range(120):
        sensible = random.random() < 0.45 and session.prompts
        options = list(session.prompt.options()) if sensible else []
        told = terminal.handle(str(random.choice(options or LINES)))
        assert told or terminal.redraw or not terminal.failed
        assert terminal.screen()
        if not session.run.in_step:
            session.game.check()
    return table, lines


@pytest.mark.parametrize("seed", range(16))
def test_every_line_has_an_answer_and_the_journal_brings_all_of_it_back(seed: int) -> None:
    table, lines = played(seed)
    setup = msgspec.json.decode(table.header.setup, type=table.box.setup_type)
    again: Session[Any] = Session(
        table.box.begin(setup, table.box.content()),
        table.header.salt,
        silences=table.header.silences,
    )
    again.reenact(msgspec.json.decode(msgspec.json.encode(lines), type=list[Line]))
    assert again.digest() == table.session.digest()
    assert again.question_id() == table.session.question_id()
    assert again.game.log.events == table.session.game.log.events
    assert again.game.log.causes == table.session.game.log.causes
    assert again.put_back == table.session.put_back
