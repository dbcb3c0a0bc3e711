"""A tag's UID as text: one form everywhere, on the host and on the hub.

Upper-case hexadecimal, two digits a byte, in the order the tag sends them, without cascade tags
and check bytes: `04A3C6CAE26180`.
"""

LENGTHS = (4, 7, 10)
"""Bytes of a UID by ISO/IEC 14443-3: single, double, triple."""

_BETWEEN = " :-."


def to_text(uid: bytes) -> str:
    """The UID's bytes as text."""
    return "".join(f"{byte:02X}" for byte in uid)


def from_text(text: str) -> str:
    """A UID as people and other tools write it, in our form. Raises ValueError, saying why not."""
    digits = text.strip().upper()
    if digits.startswith("0X"):
        digits = digits[2:]
    for sign in _BETWEEN:
        digits = digits.replace(sign, "")
    for digit in digits:
        if digit not in "0123456789ABCDEF":
            raise ValueError(f"{text!r} is no UID: only the digits 0-9 and A-F")
    if len(digits) not in [2 * length for length in LENGTHS]:
        raise ValueError(f"{text!r} has {len(digits)} digits; a UID has 8, 14 or 20")
    return digits
