"""§5.3 to 5.6 What squares give for later: a bar on attacks or buffs, a turn to skip or to add.

Nothing of this lies on the real table; the companion keeps it in mind for the players.
"""

from __future__ import annotations

from companion.rules.markers import Lasts, MarkerKind, MarkerRules

NO_ATTACK = "no-attack"
NO_BUFF = "no-buff"
SKIP = "skip"
EXTRA_TURN = "extra-turn"

MOST_EXTRA_TURNS = 9
"""A bound that no game comes near: turns to add are counted (ruling T29)."""

MARKERS = MarkerRules(
    {
        NO_ATTACK: MarkerKind(
            NO_ATTACK,
            2,
            "5.3",
            "5.3",
            lasts=Lasts.NEXT_TURN_END,
            duration_rule="5.3",
            ruling="T8",
            cap_ruling="T8",
        ),
        NO_BUFF: MarkerKind(
            NO_BUFF,
            2,
            "5.4",
            "5.4",
            lasts=Lasts.NEXT_TURN_END,
            duration_rule="5.4",
            ruling="T9",
            cap_ruling="T9",
        ),
        SKIP: MarkerKind(SKIP, 1, "5.6", "5.6", cap_ruling="T13"),
        EXTRA_TURN: MarkerKind(
            EXTRA_TURN, MOST_EXTRA_TURNS, "5.5.4", "5.5.4", ruling="T14", cap_ruling="T29"
        ),
    }
)
"""Two bars can overlap: one that ends with this turn, and one that begins after it."""
