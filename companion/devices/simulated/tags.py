"""Tags as ISO/IEC 14443-3 describes them: they hear frames and answer bit by bit.

Runs on MicroPython too. A tag answers requests and can be found, selected and halted; it has no
commands beyond that.
"""

REQA = 0x26
WUPA = 0x52
SELECT = (0x93, 0x95, 0x97)
CASCADE_TAG = 0x88
CASCADE_BIT = 0x04

IDLE = "idle"
READY = "ready"
ACTIVE = "active"
HALT = "halt"


def bits_of(data: bytes) -> list[int]:
    """The bits in the order in which they are sent, the lowest of each byte first."""
    return [byte >> place & 1 for byte in data for place in range(8)]


def crc16(data: bytes, preset: int) -> int:
    """The CRC of ISO/IEC 14443-3, Annex B, bit by bit; type A presets 0x6363."""
    crc = preset
    for bit in bits_of(data):
        crc = crc >> 1 ^ (0x8408 if (crc ^ bit) & 1 else 0)
    return crc


def with_crc(data: bytes) -> bytes:
    """A frame with its two check bytes."""
    crc = crc16(data, 0x6363)
    return data + bytes([crc & 0xFF, crc >> 8])


def levels(uid: bytes) -> list[bytes]:
    """What a tag sends at each cascade level, its check byte included."""
    tag = bytes([CASCADE_TAG])
    if len(uid) == 4:
        blocks = [uid]
    elif len(uid) == 7:
        blocks = [tag + uid[:3], uid[3:]]
    elif len(uid) == 10:
        blocks = [tag + uid[:3], tag + uid[3:6], uid[6:]]
    else:
        raise ValueError(f"a UID has 4, 7 or 10 bytes, not {len(uid)}")
    return [block + bytes([block[0] ^ block[1] ^ block[2] ^ block[3]]) for block in blocks]


class Tag:
    """One tag.

    Faults to set: `deaf` requests it will not hear, `flickers` hears every other one only,
    `wrong_checks` times it will send a wrong check byte.
    """

    def __init__(self, uid: bytes, atqa: int, sak: int) -> None:
        self.uid = uid
        self.atqa = atqa
        self.sak = sak
        self.levels = levels(uid)
        self.state = IDLE
        self.deaf = 0
        self.flickers = False
        self.wrong_checks = 0
        self._level = 0
        self._rest = IDLE
        self._heard_last = False

    def power(self) -> None:
        """The field comes, or comes back: everything is forgotten."""
        self.state = self._rest = IDLE

    def hear(self, frame: bytes, bits: int) -> list[int]:
        """The bits it says to a frame of so many bits; none if it keeps silent."""
        if bits == 7:
            return self._request(frame[0])
        if self.state == READY and len(frame) >= 2 and frame[0] == SELECT[self._level]:
            if frame[1] == 0x70:
                return self._select(frame)
            return self._anticollision(frame, bits)
        if self.state == ACTIVE and frame == with_crc(b"\x50\x00"):
            self.state = self._rest = HALT
        else:
            self._fall_back()
        return []

    def _request(self, command: int) -> list[int]:
        asleep = self.state in (IDLE, HALT)
        if not asleep:
            self._fall_back()
            return []
        if command != WUPA and (command != REQA or self.state == HALT):
            return []
        if not self._hears():
            return []
        self._rest = self.state
        self.state = READY
        self._level = 0
        return bits_of(bytes([self.atqa & 0xFF, self.atqa >> 8]))

    def _hears(self) -> bool:
        if self.deaf > 0:
            self.deaf -= 1
            return False
        self._heard_last = not self._heard_last
        return self._heard_last or not self.flickers

    def _anticollision(self, frame: bytes, bits: int) -> list[int]:
        known = ((frame[1] >> 4) - 2) * 8 + (frame[1] & 7)
        if bits != 16 + known or known >= 40:
            self._fall_back()
            return []
        mine = bits_of(self.levels[self._level])
        if bits_of(frame[2:])[:known] != mine[:known]:
            return []
        if self.wrong_checks > 0:
            self.wrong_checks -= 1
            mine[-1] ^= 1
        return mine[known:]

    def _select(self, frame: bytes) -> list[int]:
        block = self.levels[self._level]
        if frame != with_crc(bytes([SELECT[self._level], 0x70]) + block):
            self._fall_back()
            return []
        self._level += 1
        if self._level < len(self.levels):
            return bits_of(with_crc(bytes([CASCADE_BIT])))
        self.state = ACTIVE
        return bits_of(with_crc(bytes([self.sak])))

    def _fall_back(self) -> None:
        """Whatever it does not expect sends a tag back to where it was woken."""
        if self.state in (READY, ACTIVE):
            self.state = self._rest


def mifare_classic(uid: bytes) -> Tag:
    """A MIFARE Classic 1K, as it comes with the RC522: four bytes."""
    return Tag(uid, 0x0004, 0x08)


def ntag213(uid: bytes) -> Tag:
    """An NTAG213 sticker: seven bytes."""
    return Tag(uid, 0x0044, 0x00)


def triple_size(uid: bytes) -> Tag:
    """A tag with ten bytes."""
    return Tag(uid, 0x0084, 0x20)


def tag(uid: bytes) -> Tag:
    """A usual tag for a UID of this length."""
    return {4: mifare_classic, 7: ntag213, 10: triple_size}[len(uid)](uid)
