"""The MFRC522 at the level of its registers, with tags on its antenna.

Numbers with § are sections of NXP's data sheet MFRC522, revision 3.9. It has SPI, the FIFO, the
interrupt requests, the timer, the CRC coprocessor, transceiving with bit-oriented frames, and
collisions; it has no Crypto1 (an authentication is never answered), no CRC in hardware on the air
(TxCRCEn, RxCRCEn) and no pin IRQ. Runs on MicroPython too.
"""

from companion.devices.simulated.tags import Tag, crc16

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND = 0x01
COM_IRQ = 0x04
DIV_IRQ = 0x05
ERROR = 0x06
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
CONTROL = 0x0C
BIT_FRAMING = 0x0D
COLL = 0x0E
MODE = 0x11
TX_CONTROL = 0x14
TX_ASK = 0x15
CRC_RESULT_H = 0x21
CRC_RESULT_L = 0x22
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_H = 0x2C
T_RELOAD_L = 0x2D
VERSION = 0x37

AFTER_RESET = {
    COMMAND: 0x20,
    0x02: 0x80,
    COM_IRQ: 0x14,
    0x07: 0x21,
    0x0B: 0x08,
    CONTROL: 0x10,
    COLL: 0xA0,
    MODE: 0x3F,
    TX_CONTROL: 0x80,
    0x16: 0x10,
    0x17: 0x84,
    0x18: 0x84,
    0x19: 0x4D,
    0x1C: 0x62,
    0x1F: 0xEB,
    CRC_RESULT_H: 0xFF,
    CRC_RESULT_L: 0xFF,
    0x24: 0x26,
    0x26: 0x48,
    0x27: 0x88,
    0x28: 0x20,
    0x29: 0x20,
}
"""Table 20; what is not here is 0."""
FOR_READING = (ERROR, 0x07, CONTROL, CRC_RESULT_H, CRC_RESULT_L, 0x2E, 0x2F, VERSION)
"""Registers that keep their value when they are written."""

CALC_CRC = 0x03
NO_CHANGE = 0x07
TRANSCEIVE = 0x0C
AUTHENTICATE = 0x0E
SOFT_RESET = 0x0F

TIMER_IRQ, ERROR_IRQ, IDLE_IRQ, RX_IRQ, TX_IRQ = 0x01, 0x02, 0x10, 0x20, 0x40
CRC_IRQ = 0x04
PROTOCOL, COLLISION, OVERFLOW = 0x01, 0x08, 0x10
FIFO_SIZE = 64
PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)
"""Of the CRC, by the lowest bits of MODE."""

START_UP_US = 60
"""From a reset until the oscillator runs (§8.8.2)."""


def air_us(bits: int) -> int:
    """How long so many bits take at 106 kbit/s: 128 periods of the carrier each."""
    return bits * 128 * 100 // 1356


ANSWER_US = 91
"""From the end of a frame to a tag's answer: 1236 periods of the carrier."""


def on_air(bits: int) -> int:
    """The bits of a frame with its parities, its start and its end."""
    return bits + bits // 8 + 2


class Mfrc522:
    """One chip. `clock` gives microseconds that never go back and never wrap.

    Faults to set: `stuck` is what every byte read is (0x00, 0xFF) while it does not answer;
    `protocol_errors` answers that are marked as broken, with the data of the one before;
    `crystal_us` a slow crystal's time, after RST, in which the chip is dumb;
    `obstacle` is called before each transfer, and may wait or raise. `lose_power` is a short one.
    """

    def __init__(self, clock: "Callable[[], int]", version: int = 0x92) -> None:
        self.clock = clock
        self.version = version
        self.tags: list[Tag] = []
        self.stuck: int | None = None
        self.protocol_errors = 0
        self.crystal_us = 0
        self.obstacle: Callable[[], None] | None = None
        self.air_us = 0
        """Time that frames and answers took on the air so far, to measure by."""
        self._registers = bytearray(64)
        self._fifo: list[int] = []
        self._due: list[tuple[int, int, Answer | None]] = []
        self._last: list[int] = []
        self._held = False
        self._field = False
        self._dumb_until = self._ready_at = 0
        self.lose_power()

    # -- the board -------------------------------------------------------------------------------

    def put(self, tag: Tag) -> None:
        """Lay a tag on the antenna."""
        tag.power()
        self.tags.append(tag)

    def take(self, tag: Tag) -> None:
        """Take a tag away."""
        self.tags.remove(tag)

    def lose_power(self) -> None:
        """The supply fails for a moment: all registers are at their reset values."""
        self._reset()

    def hold_reset(self, low: bool) -> None:
        """The level of the pin RST: low holds the chip down (§8.8.1)."""
        if low != self._held:
            self._reset()
            self._dumb_until = self.clock() + self.crystal_us
        self._held = low

    def transfer(self, data: bytes, hz: int) -> bytes:
        """One SPI transfer (§8.1.2): what comes back while `data` goes in."""
        if self.obstacle is not None:
            self.obstacle()
        if self.stuck is not None or self._held or self.clock() < self._dumb_until:
            return bytes([self.stuck or 0]) * len(data)
        if not data[0] & 0x80:
            for value in data[1:]:
                self.write(data[0] >> 1 & 0x3F, value)
            return bytes(len(data))
        return b"\x00" + bytes([self.read(address >> 1 & 0x3F) for address in data[:-1]])

    # -- registers -------------------------------------------------------------------------------

    def read(self, register: int) -> int:
        """A register's value now."""
        self._settle()
        if register == FIFO_DATA:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        if register == VERSION:
            return self.version
        if register == COMMAND and self.clock() < self._ready_at:
            return self._registers[COMMAND] | 0x10
        return self._registers[register]

    def write(self, register: int, value: int) -> None:
        """Set a register, with all that follows from it."""
        self._settle()
        if register == FIFO_DATA:
            self._push([value])
        elif register == FIFO_LEVEL:
            self._flush(value)
        elif register in (COM_IRQ, DIV_IRQ):
            self._mark(register, value)
        elif register == COLL:
            self._registers[COLL] = value & 0x80 | self._registers[COLL] & 0x7F
        elif register not in FOR_READING:
            self._registers[register] = value
            self._follow(register, value)

    def _follow(self, register: int, value: int) -> None:
        if register == TX_CONTROL:
            self._switch_field()
        elif register == COMMAND:
            self._command(value & 0x0F)
        elif register == BIT_FRAMING:
            self._send_if_started()

    def _flush(self, value: int) -> None:
        if value & 0x80:
            self._fifo = []
            self._registers[ERROR] &= ~OVERFLOW & 0xFF

    def _mark(self, register: int, value: int) -> None:
        """Bit 7 says whether the bits given are set or cleared (§9.3.1.5)."""
        if value & 0x80:
            self._registers[register] |= value & 0x7F
        else:
            self._registers[register] &= ~value & 0xFF

    def _push(self, values: list[int]) -> None:
        room = FIFO_SIZE - len(self._fifo)
        self._fifo += values[:room]
        if len(values) > room:
            self._registers[ERROR] |= OVERFLOW

    def _reset(self) -> None:
        for register in range(64):
            self._registers[register] = AFTER_RESET.get(register, 0)
        self._fifo = []
        self._due = []
        self._ready_at = self.clock() + START_UP_US
        self._switch_field()

    def _switch_field(self) -> None:
        on = self._registers[TX_CONTROL] & 0x03 == 0x03
        if on != self._field:
            self._field = on
            for tag in tuple(self.tags):
                tag.power()

    # -- commands --------------------------------------------------------------------------------

    def _command(self, command: int) -> None:
        if command == NO_CHANGE:
            return
        self._due = []
        self._registers[ERROR] = 0
        if command == SOFT_RESET:
            self._reset()
        elif command == CALC_CRC:
            self._calculate()
        elif command == AUTHENTICATE:
            self._send()
        else:
            self._send_if_started()

    def _calculate(self) -> None:
        preset = PRESETS[self._registers[MODE] & 3]
        crc = crc16(bytes(self._fifo), preset)
        self._fifo = []
        self._registers[CRC_RESULT_L] = crc & 0xFF
        self._registers[CRC_RESULT_H] = crc >> 8
        self._registers[DIV_IRQ] |= CRC_IRQ

    def _send_if_started(self) -> None:
        command = self._registers[COMMAND] & 0x0F
        if command == TRANSCEIVE and self._registers[BIT_FRAMING] & 0x80:
            self._send()

    def _send(self) -> None:
        """Send the FIFO. Without a field the transmitter waits for it, and nothing happens."""
        frame = bytes(self._fifo)
        self._fifo = []
        if not frame or not self._field:
            return
        bits = len(frame) * 8 - (-self._registers[BIT_FRAMING] & 7)
        answer = self._ask(frame, bits)
        length = air_us(on_air(bits))
        sent = self.clock() + length
        self._due = [(sent, TX_IRQ, None)]
        if answer is not None:
            length += ANSWER_US + air_us(on_air(len(answer.bits)))
            self._due.append((sent - air_us(on_air(bits)) + length, RX_IRQ, answer))
        elif self._registers[T_MODE] & 0x80:
            self._due.append((sent + self._timer_us(), TIMER_IRQ, None))
        self.air_us += length

    def _timer_us(self) -> int:
        """§8.5; the answers of tags begin long before any timer in use ends."""
        registers = self._registers
        prescaler = (registers[T_MODE] & 0x0F) << 8 | registers[T_PRESCALER]
        reload = registers[T_RELOAD_H] << 8 | registers[T_RELOAD_L]
        return (2 * prescaler + 1) * (reload + 1) * 100 // 1356

    def _ask(self, frame: bytes, bits: int) -> "Answer | None":
        """What the tags say together; those do not hear a field that is modulated too weakly."""
        if not self._registers[TX_ASK] & 0x40:
            return None
        answers = [tag.hear(frame, bits) for tag in tuple(self.tags)]
        return together([answer for answer in answers if answer])

    # -- what time brings ------------------------------------------------------------------------

    def _settle(self) -> None:
        """Let happen what is due."""
        while self._due and self.clock() >= self._due[0][0]:
            _, irq, answer = self._due.pop(0)
            self._registers[COM_IRQ] |= irq
            if answer is not None:
                self._receive(answer)

    def _receive(self, answer: "Answer") -> None:
        align = self._registers[BIT_FRAMING] >> 4 & 7
        bits = [0] * align + self._after_collision(answer)
        data = bytes_of(bits)
        if self.protocol_errors > 0:
            self.protocol_errors -= 1
            self._registers[ERROR] |= PROTOCOL
            data = self._last or data
        self._note_collision(answer.collision, align)
        self._registers[CONTROL] = self._registers[CONTROL] & 0xF8 | len(bits) & 7
        self._last = data
        self._push(data)
        if self._registers[ERROR]:
            self._registers[COM_IRQ] |= ERROR_IRQ

    def _after_collision(self, answer: "Answer") -> list[int]:
        """The bits as they are kept: with ValuesAfterColl 0 they end at a collision (§9.3.1.15)."""
        if answer.collision < 0 or self._registers[COLL] & 0x80:
            return answer.bits
        rest = len(answer.bits) - answer.collision
        return answer.bits[: answer.collision] + [0] * rest

    def _note_collision(self, place: int, align: int) -> None:
        """The position counts the bits of the answer as they lie in the FIFO, from 1; 0 is 32."""
        kept = self._registers[COLL] & 0x80
        number = align + place + 1
        if place < 0 or number > 32:
            self._registers[COLL] = kept | 0x20
        else:
            self._registers[COLL] = kept | number & 0x1F
        if place >= 0:
            self._registers[ERROR] |= COLLISION


class Answer:
    """Bits that were heard, and the first at which tags said different things, or -1."""

    def __init__(self, bits: list[int], collision: int) -> None:
        self.bits = bits
        self.collision = collision


def together(answers: list[list[int]]) -> "Answer | None":
    """Answers at the same time: where a 0 and a 1 meet, both halves of the bit are modulated."""
    if not answers:
        return None
    longest = max([len(answer) for answer in answers])
    bits = []
    collision = -1
    for place in range(longest):
        said = [answer[place] for answer in answers if place < len(answer)]
        bits.append(max(said))
        if collision < 0 and min(said) != max(said):
            collision = place
    return Answer(bits, collision)


def bytes_of(bits: list[int]) -> list[int]:
    """Bits in the order of sending as bytes; the last may be incomplete."""
    return [
        sum([bit << place for place, bit in enumerate(bits[start : start + 8])])
        for start in range(0, len(bits), 8)
    ]
