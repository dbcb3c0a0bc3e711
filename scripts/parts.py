"""hardware/parts.md, what to buy and what it costs, from hardware/bom.toml.

python -m scripts.parts
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from scripts.wires import HARDWARE, Record, read_pins

BOM = HARDWARE / "bom.toml"

CASE = "The case"

BEGINNING = """# Parts

Made by `make wiring` from [bom.toml](bom.toml); change it there. Prices are for one, from the
lowest to the highest that were usual in {as_of}; sums are for all of a table. They are rough.
"""

Range = tuple[float, float]
"""The lowest and the highest price."""


class Item(Record, frozen=True):
    """One thing to buy: how many of it, and its prices in each currency."""

    set: str
    name: str
    number: int
    prices: tuple[Range, ...]
    note: str


class Bill(Record, frozen=True):
    """The whole file."""

    as_of: str
    currencies: tuple[str, ...]
    items: tuple[Item, ...] = msgspec.field(name="item")

    def of(self, name: str) -> list[Item]:
        """What one set needs."""
        return [item for item in self.items if item.set == name]

    def total(self, name: str, currency: int) -> Range:
        """What all of a set costs."""
        items = self.of(name)
        low, high = (
            sum(item.number * item.prices[currency][end] for item in items) for end in (0, 1)
        )
        return low, high


def read_bill(path: Path = BOM) -> Bill:
    """Read the file. Raises msgspec.ValidationError with the place of what does not fit."""
    return msgspec.toml.decode(path.read_bytes(), type=Bill)


def document(bill: Bill) -> str:
    """The whole document."""
    titles = {one.name: one.title for one in read_pins().sets} | {"case": CASE}
    text = BEGINNING.format(as_of=bill.as_of)
    for name, _ in groupby(bill.items, lambda item: item.set):
        text += "\n" + "\n".join(_chapter(bill, name, titles[name])) + "\n"
    return text


def _chapter(bill: Bill, name: str, title: str) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield f"| | | {' | '.join(bill.currencies)} | what to look out for |"
    yield "|--:|---|" + "--:|" * len(bill.currencies) + "---|"
    for item in bill.of(name):
        prices = " | ".join(shown(price) for price in item.prices)
        yield f"| {item.number} | {item.name} | {prices} | {item.note} |"
    totals = " | ".join(
        f"**{shown(bill.total(name, number))}**" for number, _ in enumerate(bill.currencies)
    )
    yield f"| | **together** | {totals} | |"


def shown(price: Range) -> str:
    """A range of prices: cents where there are any below ten."""
    low, high = (
        f"{value:,.2f}" if value % 1 and value < 10 else f"{value:,.0f}" for value in price
    )
    return f"{low}–{high}"


def main() -> int:
    """Write the document; gives the exit code."""
    (HARDWARE / "parts.md").write_text(document(read_bill()), encoding="utf-8")
    print("hardware/parts.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
