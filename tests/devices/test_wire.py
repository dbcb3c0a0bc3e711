"""Lines and messages between hub and host, without either."""

from __future__ import annotations

import binascii
import random
import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.portable.messages import (
    BOTH,
    KINDS,
    TO_HOST,
    TO_HUB,
    Field,
    Kind,
    Number,
    Text,
    Uids,
    Word,
    body,
    decode,
    encode,
)
from companion.portable.wire import LONGEST, Inbox, Lines, Outbox, crc, opened, seal
from tests.docs.reading import Block, blocks

TAP = "tap 12 A 04A3C6CAE26180 35"
LINE = seal(TAP)


@given(st.binary(max_size=200))
def test_the_checksum_is_the_known_crc_16_xmodem(data: bytes) -> None:
    assert crc(data) == binascii.crc_hqx(data, 0)


def test_a_line_that_comes_in_two_halves_is_one_message() -> None:
    """S02."""
    for cut in range(len(LINE)):
        lines = Lines()
        assert [*lines.feed(LINE[:cut]), *lines.feed(LINE[cut:])] == [TAP]
        assert lines.bad == 0


def test_mixed_and_broken_lines_are_counted_and_the_next_is_good() -> None:
    """S03: two writers' lines in one, a good line, and bytes that are no text."""
    lines = Lines()
    mixed = LINE[:9] + b"beat 1000 *" + LINE
    assert lines.feed(mixed + LINE + b"\xff\xfe\n") == [TAP]
    assert lines.bad == 2


@pytest.mark.parametrize("noise", [b"\x03", b"\xff", b"\x00", b"\r\n\r\n", b"banner\r\n"])
def test_noise_before_a_line_costs_that_line_at_the_most(noise: bytes) -> None:
    assert Lines().feed(noise + b"\n" + LINE) == [TAP]
    assert Lines().feed(LINE[:-1] + b"\r\n") == [TAP]


def test_a_line_without_end_takes_no_memory() -> None:
    lines = Lines()
    for _ in range(100):
        assert lines.feed(b"x" * 1000) == []
    assert len(lines._line) <= LONGEST + 1
    assert lines.feed(b"\n" + LINE) == [TAP]
    assert lines.bad == 1


@given(st.data())
def test_a_damaged_line_is_none(data: st.DataObject) -> None:
    """Damage within 16 bits is always found; a line feed more or less is no damage of the text."""
    place = data.draw(st.integers(0, len(LINE) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value not in (LINE[place], 0x0A)))
    assert opened(LINE[:place] + bytes([byte]) + LINE[place + 1 : -1]) is None


@given(st.lists(st.one_of(st.binary(max_size=40), st.just(LINE)), max_size=12), st.integers(1, 7))
def test_whatever_arrives_in_whatever_pieces_nothing_but_sent_lines_is_read(
    parts: list[bytes], size: int
) -> None:
    """Good lines are found if a line feed stands before them; noise is never a message."""
    stream = b"\n".join(parts) + b"\n"
    lines = Lines()
    found = [
        text
        for start in range(0, len(stream), size)
        for text in lines.feed(stream[start : start + size])
    ]
    assert found == [TAP] * parts.count(LINE)


# -- messages --------------------------------------------------------------------------------------


def _value(field: Field) -> st.SearchStrategy[object]:
    if isinstance(field, Number):
        return st.integers(field.low, field.high)
    if isinstance(field, Word):
        if field.among:
            return st.sampled_from(field.among)
        signs = st.sampled_from(string.ascii_letters + string.digits + "_-=,.")
        return st.text(signs, min_size=1, max_size=field.longest)
    if isinstance(field, Uids):
        uid = st.sampled_from([4, 7, 10]).flatmap(lambda n: st.binary(min_size=n, max_size=n))
        texts = st.lists(uid.map(lambda u: u.hex().upper()), min_size=1, max_size=field.most)
        return texts.map(tuple)
    assert isinstance(field, Text)
    words = st.lists(st.text(string.ascii_letters, min_size=1, max_size=8), min_size=1, max_size=5)
    return words.map(" ".join)


def _messages(kind: Kind) -> st.SearchStrategy[tuple[Kind, list[object]]]:
    values = st.tuples(*(_value(field) for field in kind.fields))
    return values.map(lambda drawn: (kind, list(drawn)))


@given(st.tuples(*(_messages(kind) for kind in KINDS.values())))
def test_what_is_written_is_read_again(messages: tuple[tuple[Kind, list[object]], ...]) -> None:
    for kind, values in messages:
        (text,) = Lines().feed(encode(kind.name, *values))
        message = decode(text)
        assert message.name == kind.name
        assert list(message.values.values()) == values


def test_numbered_messages_have_their_number_first() -> None:
    for kind in KINDS.values():
        if kind.numbered:
            assert kind.fields[0].name == "number", kind.name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tip 12 A 04A3C6CAE26180 35", "unknown message 'tip'"),
        ("tap 12 A 04A3C6CAE26180", "tap has 4 fields, not 3"),
        ("tap 12 A 04A3C6CAE26180 35 1", "tap has 4 fields, not 5"),
        ("tap 12 A 04A3C6CAE2618 35", "uid: '04A3C6CAE2618' is not a UID"),
        ("tap 12 A 04a3c6cae26180 35", "uid: '04a3c6cae26180' is not a UID"),
        ("tap twelve A 04A3C6CAE26180 35", "number: 'twelve' is not a whole number"),
        ("tap -1 A 04A3C6CAE26180 35", "number: '-1' is not in 0 to 1073741823"),
        ("tap 12  04A3C6CAE26180 35", "reader: '' is not a word of 1 to 12 signs"),
        ("set-reader 3 A 29", "select: '29' is not in 0 to 28"),
        ("push 4 left short 0", "button: 'left' is not one of up, down, ok, back"),
        ("", "unknown message ''"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match="^" + why.replace("(", r"\(")):
        decode(text)


def test_what_does_not_fit_is_not_even_sent() -> None:
    with pytest.raises(ValueError, match="red"):
        encode("led", 1, "A", 256, 0, 0)
    with pytest.raises(ValueError, match="led has 5 fields, not 1"):
        encode("led", 1)
    assert body("no", 1, "größer\nals") == "no 1 gr??er?als"


# -- once, in order, or told -----------------------------------------------------------------------


class Cable:
    """An outbox and an inbox with a cable that loses what it is told to."""

    def __init__(self, kept: int) -> None:
        self.outbox = Outbox(kept)
        self.inbox = Inbox()
        self.now = 0
        self.arrived: list[int] = []
        self.lost = 0

    def send(self, arrives: bool, answer_arrives: bool) -> bool:
        """One message and its acknowledgement; gives whether there was one."""
        sent = self.outbox.next(self.now)
        if sent is None:
            return False
        number, what = sent
        if not arrives:
            return True
        if what is None:
            self.lost += self.inbox.skip(number)
        elif self.inbox.take(number):
            assert isinstance(what, int)
            self.arrived.append(what)
        if answer_arrives:
            self.outbox.acknowledge(self.inbox.last)
        return True


STEPS = st.lists(
    st.one_of(
        st.just("add"),
        st.just("wait"),
        st.tuples(st.booleans(), st.booleans()),
    ),
    max_size=80,
)


@given(STEPS, st.integers(1, 5))
def test_each_message_arrives_once_and_in_order_or_its_loss_is_told(
    steps: list[object], kept: int
) -> None:
    cable = Cable(kept)
    added = 0
    for step in steps:
        if step == "add":
            added += 1
            cable.outbox.add(added)
        elif step == "wait":
            cable.now += cable.outbox.patience_ms
        elif isinstance(step, tuple):
            cable.send(*step)
    for _ in range(3):  # the cable is well again
        cable.now += cable.outbox.patience_ms
        while cable.send(True, True):
            pass
    assert cable.arrived == sorted(set(cable.arrived))
    assert len(cable.arrived) + cable.lost == added
    assert cable.outbox.next(cable.now + 10_000) is None


def test_a_notice_of_loss_that_was_not_needed_is_none() -> None:
    """The host had everything; only its acknowledgements did not come back."""
    cable = Cable(kept=2)
    for number in range(5):
        cable.outbox.add(number)
        cable.send(True, False)
    cable.now += cable.outbox.patience_ms
    while cable.send(True, True):
        pass
    assert (cable.arrived, cable.lost) == ([0, 1, 2, 3, 4], 0)


def test_an_acknowledgement_of_what_was_never_sent_is_not_believed() -> None:
    outbox = Outbox()
    outbox.add("tap")
    outbox.acknowledge(7)
    assert outbox.next(0) == (1, "tap")


def test_random_bytes_are_never_a_message() -> None:
    chance = random.Random(7)
    lines = Lines()
    assert lines.feed(bytes(chance.randrange(256) for _ in range(50_000))) == []


# -- docs/protocol.md ------------------------------------------------------------------------------

PROTOCOL = Path(__file__).parents[2] / "docs" / "protocol.md"
EXAMPLES = [block for block in blocks(PROTOCOL) if block.kind in ("hub", "host")]
ROW = re.compile(r"^\| `([a-z-]+)` \| ([a-z ]*?) ?\|", re.MULTILINE)


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: block.where)
def test_the_lines_of_the_document_are_right(block: Block) -> None:
    lines = Lines()
    texts = lines.feed(block.text.encode())
    assert len(texts) == len(block.text.splitlines())
    way = TO_HOST if block.kind == "hub" else TO_HUB
    for text in texts:
        assert KINDS[decode(text).name].way in (way, BOTH)


def test_the_document_lists_every_message_with_its_fields() -> None:
    told = PROTOCOL.read_text()
    listed = set(ROW.findall(told[told.index("## From the hub") :]))
    declared = {
        (kind.name, " ".join(field.name for field in kind.fields)) for kind in KINDS.values()
    }
    assert listed == declared
