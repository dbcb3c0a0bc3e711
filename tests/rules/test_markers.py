"""Markers that last until the end of their owner's next turn."""

from __future__ import annotations

from companion.rules.events import Event, MarkerGained, MarkerIgnored, MarkerLost
from companion.rules.markers import Lasts, MarkerKind, MarkerRules, Markers

BAR = "bar"
RULES = MarkerRules(
    {
        BAR: MarkerKind(
            BAR,
            2,
            "1",
            "2",
            lasts=Lasts.NEXT_TURN_END,
            duration_rule="3",
            ruling="R1",
            cap_ruling="R2",
        )
    }
)


class Book:
    """Writes events down."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def record(self, event: Event, /) -> int:
        self.events.append(event)
        return len(self.events) - 1


def turn(book: Book, markers: Markers, *laid: int) -> int:
    """A whole turn of the owner in which markers are laid; how many there are after it."""
    RULES.turn_starts(book, "A", markers)
    for number in laid:
        RULES.add(book, "A", markers, BAR, number)
    RULES.turn_ends(book, "A", markers)
    return RULES.count(markers, BAR)


def test_the_turn_of_its_laying_does_not_count() -> None:
    book, markers = Book(), Markers()
    assert turn(book, markers, 1) == 1
    assert turn(book, markers) == 0
    gained, lost = book.events
    assert isinstance(gained, MarkerGained)
    assert isinstance(lost, MarkerLost)
    assert (gained.rule, gained.ruling) == ("1", "R1")
    assert (lost.rule, lost.ruling) == ("3", "R1")


def test_laid_in_the_turn_of_another_it_lasts_through_the_next_own_one() -> None:
    book, markers = Book(), Markers()
    RULES.add(book, "A", markers, BAR, 2)
    assert turn(book, markers) == 0


def test_one_that_would_end_with_another_is_ignored() -> None:
    book, markers = Book(), Markers()
    assert turn(book, markers, 1, 1) == 1
    RULES.add(book, "A", markers, BAR, 2)
    ignored = [event for event in book.events if isinstance(event, MarkerIgnored)]
    assert [(event.rule, event.ruling) for event in ignored] == [("2", "R2")] * 2


def test_a_new_one_follows_the_one_that_ends_now() -> None:
    book, markers = Book(), Markers()
    assert turn(book, markers, 1) == 1
    assert turn(book, markers, 3) == 1
    assert turn(book, markers) == 0
