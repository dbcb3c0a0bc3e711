"""The MFRC522's registers: start it, send a frame and get the answer, see whether it is sound.

The source is NXP's data sheet MFRC522, revision 3.9; numbers with § are its sections.
"""

COMMAND = 0x01
COM_IRQ = 0x04
ERROR = 0x06
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
CONTROL = 0x0C
BIT_FRAMING = 0x0D
COLL = 0x0E
TX_CONTROL = 0x14
TX_ASK = 0x15
RF_CFG = 0x26
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_H = 0x2C
T_RELOAD_L = 0x2D
VERSION = 0x37

IDLE = 0x00
TRANSCEIVE = 0x0C
SOFT_RESET = 0x0F
POWER_DOWN = 0x10
"""In COMMAND: set until the oscillator runs (§8.8.2)."""

TIMER_IRQ = 0x01
RX_IRQ = 0x20
ALL_IRQS = 0x7F
FLUSH = 0x80
START_SEND = 0x80

COLLISION = 0x08
PARITY = 0x02
BROKEN = 0x80 | 0x40 | 0x10 | 0x04 | 0x01
"""In ERROR: write, temperature, overflow, CRC, protocol (§9.3.1.7)."""
NOT_VALID = 0x20
"""In COLL: no collision, or none of the first 32 bits."""
FIFO_SIZE = 64

GENUINE = (0x91, 0x92)
CLONES = (0x88, 0x12, 0xB2)
NOBODY = (0x00, 0xFF)
"""What a bus without a chip reads."""

SILENCE_US = 525
"""How long an answer may take to begin. A tag's begins 91 µs after the frame (ISO/IEC 14443-3)."""
SETTINGS = (
    (COLL, 0x00),  # what comes after a collision reads as 0
    (TX_ASK, 0x40),  # full modulation, as type A asks for
    (RF_CFG, 0x78),  # the receiver's highest gain, 48 dB: small stickers answer softly
    (T_MODE, 0x80),  # the timer starts by itself after a frame, and stops when an answer begins
    (T_PRESCALER, 0xA9),  # 25 µs a tick (§8.5)
    (T_RELOAD_H, 0),
    (T_RELOAD_L, 20),  # 21 ticks: SILENCE_US
    (TX_CONTROL, 0x83),  # both drivers of the antenna
)
TELLING = ((TX_CONTROL, 0x03), (TX_ASK, 0x40), (T_MODE, 0x80))
"""Bits that a chip has lost after its power failed: all of them are 0 then."""

POWER_UP_US = 5000
"""A tag is ready so long after the field came (ISO/IEC 14443-3, 5)."""
LOOK_US = 200
LOOKS = 25
"""How often to look whether a frame is done, before the chip counts as lost: 5 ms."""


class Garbled(Exception):
    """What was heard cannot be trusted: nothing may be concluded from it."""


class NoAnswer(Exception):
    """The chip does not answer, or does not keep what is written. `version` is what it reads as."""

    def __init__(self, version: int) -> None:
        super().__init__(f"no answer, version 0x{version:02X}")
        self.version = version


class RegisterPort:
    """The way to one chip's registers. `read`, `write` and `sleep_us` are what it has to bring."""

    def read(self, register: int) -> int:
        """A register's value."""
        raise NotImplementedError

    def write(self, register: int, value: int) -> None:
        """Set a register."""
        raise NotImplementedError

    def sleep_us(self, microseconds: int) -> None:
        """Let so much time go by, or somewhat more."""
        raise NotImplementedError

    def reset(self) -> None:
        """Reset the chip by its pin RST, where that is wired."""

    def read_many(self, registers: bytes) -> bytes:
        """One value for each register named, in this order; a bus may do it in one transfer."""
        return bytes([self.read(register) for register in registers])

    def write_fifo(self, data: bytes) -> None:
        """Append to the FIFO; a bus may do it in one transfer."""
        for byte in data:
            self.write(FIFO_DATA, byte)


class Rc522:
    """One chip behind a port. `start` has to succeed first.

    `collision` belongs to the last answer: the number of the first bit, from 1, at which several
    tags said different things; 0 if they did not.
    """

    def __init__(self, port: RegisterPort) -> None:
        self.port = port
        self.version = 0
        self.collision = 0

    @property
    def known(self) -> bool:
        """Whether this version of the chip is one that is known to work."""
        return self.version in GENUINE or self.version in CLONES

    def start(self) -> None:
        """Reset the chip, set it up and see that the antenna is on. Raises NoAnswer."""
        self.port.reset()
        self.port.write(COMMAND, SOFT_RESET)
        self._await_oscillator()
        self.version = self.port.read(VERSION)
        if self.version in NOBODY:
            raise NoAnswer(self.version)
        for register, value in SETTINGS:
            self.port.write(register, value)
        if not self.is_sound():
            raise NoAnswer(self.version)
        self.port.sleep_us(POWER_UP_US)

    def is_sound(self) -> bool:
        """Whether it is still the chip that was started, with its antenna on: one transfer."""
        values = self.port.read_many(bytes([register for register, _ in TELLING] + [VERSION]))
        for at, (_, bits) in enumerate(TELLING):
            if values[at] & bits != bits:
                return False
        return values[-1] == self.version

    def exchange(
        self, frame: bytes, last_bits: int = 0, answer_bits: int = 0, align: int = 0
    ) -> bytes | None:
        """Send a frame and give the answer, None if nobody says anything.

        Of the frame's last byte only `last_bits` are sent, 0 for all. `answer_bits`: how many are
        awaited, 0 if more likely none are. The answer's first bit is put at bit `align` of its
        first byte. Raises Garbled, NoAnswer.
        """
        write = self.port.write
        write(COMMAND, IDLE)
        write(COM_IRQ, ALL_IRQS)
        write(FIFO_LEVEL, FLUSH)
        self.port.write_fifo(frame)
        write(BIT_FRAMING, align << 4 | last_bits)
        write(COMMAND, TRANSCEIVE)
        write(BIT_FRAMING, START_SEND | align << 4 | last_bits)
        # A bit takes 9.44 µs, a byte's parity included 85 µs; the answer begins after 91 µs.
        wait = SILENCE_US if answer_bits == 0 else 100 + answer_bits * 11
        if self._await_end(len(frame) * 85 + 10 + wait) & RX_IRQ:
            return self._answer((align + answer_bits + 7) // 8 or 2)
        return None

    def _await_oscillator(self) -> None:
        for _ in range(LOOKS):
            self.port.sleep_us(LOOK_US)
            if not self.port.read(COMMAND) & POWER_DOWN:
                return

    def _await_end(self, microseconds: int) -> int:
        """The interrupts, once there is an answer or the time for one is over."""
        self.port.sleep_us(microseconds)
        for _ in range(LOOKS):
            irqs = self.port.read(COM_IRQ)
            if irqs & (RX_IRQ | TIMER_IRQ):
                return irqs
            self.port.sleep_us(LOOK_US)
        raise NoAnswer(self.port.read(VERSION))

    def _answer(self, size: int) -> bytes:
        """What was heard, read together with what the chip says about it."""
        values = self.port.read_many(bytes([ERROR, FIFO_LEVEL, COLL]) + bytes([FIFO_DATA]) * size)
        error, level, coll = values[0], values[1], values[2]
        if error & BROKEN or not 0 < level <= size:
            raise Garbled("broken frame")
        self.collision = 0
        if error & COLLISION:
            if coll & NOT_VALID:
                raise Garbled("a collision, nobody knows where")
            self.collision = coll & 0x1F or 32
        elif error & PARITY:
            raise Garbled("wrong parity")
        return values[3 : 3 + level]
