"""Reading the UIDs of all type A tags in the field, by ISO/IEC 14443-3.

WUPA wakes tags that were halted too, so that one that lies there answers at every poll; whether
a UID goes on is what the tag's SAK says, never its first byte; a UID counts only if its check byte
and the SAK's CRC are right; each tag is halted once it is read.
"""

from companion.portable.rc522 import Garbled, NoAnswer, Rc522
from companion.portable.uid import to_text

REQA = 0x26
WUPA = 0x52
SELECT = (0x93, 0x95, 0x97)
"""By cascade level (§6.5.3.2)."""
HLTA = b"\x50\x00\x57\xcd"
CASCADE_TAG = 0x88
CASCADE_BIT = 0x04
"""In SAK: the UID is not complete (§6.5.3.4)."""

MAX_ROUNDS = 12
"""Tags that are sought in one poll: nobody lays more on one antenna, and a poll has to end."""
CHECK_EVERY = 25
"""Empty polls between two looks at whether the chip is sound."""
MAX_FAILING = 25
"""Failed polls in a row after which the chip is started anew."""


def crc_a(data: bytes) -> bytes:
    """The two check bytes of a frame (Annex B)."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return bytes([crc & 0xFF, crc >> 8])


def check_byte(block: bytes) -> int:
    """BCC: the four bytes of a cascade level, by exclusive or."""
    return block[0] ^ block[1] ^ block[2] ^ block[3]


class Branch:
    """Where to look for a tag: by which request, and what is known of its UID.

    `blocks` are the levels that are known whole; `value` the first `known` bits of the next one.
    """

    def __init__(
        self, request: int, blocks: tuple[bytes, ...] = (), value: int = 0, known: int = 0
    ) -> None:
        self.request = request
        self.blocks = blocks
        self.value = value
        self.known = known


class Scanner:
    """Polls one reader. The counters say how it went so far."""

    def __init__(self, chip: Rc522) -> None:
        self.chip = chip
        self.polls = 0
        self.reads = 0
        self.failed = 0
        """Polls that say nothing, for whatever reason."""
        self.bcc = 0
        """Those of them that failed for a UID's check byte."""
        self.collisions = 0
        self.restarts = 0
        self._branches: list[Branch] = []
        self._seen = False
        self._empty = 0
        self._failing = 0

    def statistics(self) -> dict[str, int]:
        """The counters by name; `garbled` are the polls that failed, but for a wrong check byte."""
        return {
            "polls": self.polls,
            "reads": self.reads,
            "bcc": self.bcc,
            "garbled": self.failed - self.bcc,
            "collisions": self.collisions,
            "restarts": self.restarts,
        }

    def poll(self) -> list[str] | None:
        """The UIDs of all tags in the field; None if the poll failed and says nothing.

        Raises NoAnswer if the chip is gone and cannot be started anew.
        """
        self.polls += 1
        uids = self._attempt()
        if not uids and self._is_doubtful(uids):
            uids = None if self._mend() else uids
        if uids is None:
            self.failed += 1
        else:
            self._seen = bool(uids)
        return uids

    def _attempt(self) -> list[str] | None:
        try:
            uids = self._everybody()
        except Garbled:
            self._failing += 1
            return None
        except NoAnswer:
            self._failing = MAX_FAILING
            return None
        self._failing = 0
        self.reads += len(uids)
        return uids

    def _is_doubtful(self, uids: list[str] | None) -> bool:
        """Whether to look at the chip: one that lost its power says that nothing is there."""
        self._empty += 1
        if uids is not None and not self._seen and self._empty < CHECK_EVERY:
            return False
        self._empty = 0
        return True

    def _mend(self) -> bool:
        """Start the chip anew if it is not sound, or fails too often. Raises NoAnswer."""
        if self._failing < MAX_FAILING and self.chip.is_sound():
            return False
        self._failing = 0
        self.restarts += 1
        self.chip.start()
        return True

    # -- all tags --------------------------------------------------------------------------------

    def _everybody(self) -> list[str]:
        """Walk the tree of UIDs: each collision is a fork, of which one side is left for later."""
        found: list[str] = []
        self._branches = [Branch(WUPA)]
        for _ in range(MAX_ROUNDS):
            if not self._branches:
                break
            uid = self._read(self._branches.pop())
            if uid is None:
                continue
            if uid not in found:
                found.append(uid)
            if not self._branches:
                # A tag that was drowned out by those read so far, which are silent now.
                self._branches.append(Branch(REQA))
        return found

    def _read(self, branch: Branch) -> str | None:
        """One tag's UID; the tag is halted. None if there is none on this branch."""
        if not self._wake(branch.request):
            return None
        for level, block in enumerate(branch.blocks):
            self._select(level, block)
        blocks = branch.blocks
        for level in range(len(blocks), len(SELECT)):
            found = self._anticollision(branch, level)
            if found is None and branch.known:
                return None  # nobody on the other side of a fork after all
            if found is None:
                raise Garbled("gone while it was read")
            blocks = blocks + (found,)
            if not self._select(level, found) & CASCADE_BIT:
                self.chip.exchange(HLTA)
                return _uid(blocks)
            branch = Branch(branch.request, blocks)
        raise Garbled("a UID of four levels")

    def _wake(self, request: int) -> bool:
        """Whether anybody answers. A tag that was left half-way says nothing the first time."""
        frame = bytes([request])
        if self.chip.exchange(frame, 7) is not None:
            return True
        again = request == WUPA and (self._seen or self._failing > 0)
        return again and self.chip.exchange(frame, 7) is not None

    def _anticollision(self, branch: Branch, level: int) -> bytes | None:
        """One level of a UID that goes on as the branch says; of a fork the side with a 1."""
        value, known = branch.value, branch.known
        while True:
            heard = self._hear(level, value, known)
            if heard is None:
                return None
            fork = (known & ~7) + self.chip.collision
            if not self.chip.collision:
                return self._block(heard)
            if not known < fork <= 32:
                raise Garbled("a collision where all agree")
            self.collisions += 1
            value = heard & ((1 << fork - 1) - 1)
            self._branches.append(Branch(branch.request, branch.blocks, value, fork))
            value, known = value | 1 << fork - 1, fork

    def _hear(self, level: int, value: int, known: int) -> int | None:
        """Five bytes as a number, the first bit lowest, from tags that begin with these bits."""
        size, bits = known >> 3, known & 7
        frame = bytes([SELECT[level], 0x20 + (size << 4) + bits])
        frame += value.to_bytes((known + 7) // 8, "little")
        data = self.chip.exchange(frame, bits, 40 - known, bits)
        if data is None:
            return None
        if len(data) != 5 - size:
            raise Garbled("a UID of wrong length")
        return int.from_bytes(data, "little") >> bits << known | value

    def _block(self, heard: int) -> bytes:
        data = heard.to_bytes(5, "little")
        if check_byte(data) != data[4]:
            self.bcc += 1
            raise Garbled("wrong check byte")
        return data[:4]

    def _select(self, level: int, block: bytes) -> int:
        """The SAK of the tag with these bytes (§6.5.3.4)."""
        frame = bytes([SELECT[level], 0x70]) + block + bytes([check_byte(block)])
        answer = self.chip.exchange(frame + crc_a(frame), 0, 24)
        if answer is None or len(answer) != 3 or crc_a(answer[:1]) != answer[1:]:
            raise Garbled("no SAK")
        return answer[0]


def _uid(blocks: tuple[bytes, ...]) -> str:
    """A UID from its levels: all but the last begin with the cascade tag."""
    return to_text(b"".join([block[1:] for block in blocks[:-1]]) + blocks[-1])
