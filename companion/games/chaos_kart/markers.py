"""§15 Damaged, stunned, shield, bump guard and silenced: their caps and durations."""

from __future__ import annotations

from companion.rules.markers import Lasts, MarkerKind, MarkerRules

DAMAGED = "damaged"
STUNNED = "stunned"
SHIELD = "shield"
BUMP_GUARD = "bump-guard"
SILENCED = "silenced"

DAMAGE_CAP = 2
"""§15.2 The most squares that a move card moves a damaged pawn."""

MARKERS = MarkerRules(
    {
        DAMAGED: MarkerKind(DAMAGED, 2, "15.2", "15.2.1"),
        STUNNED: MarkerKind(STUNNED, 1, "15.3", "15.3.1"),
        SHIELD: MarkerKind(
            SHIELD,
            1,
            "15.4",
            "15.4.2",
            lasts=Lasts.SECOND_TURN,
            duration_rule="15.4.1",
            over_cap_replaces=True,
        ),
        BUMP_GUARD: MarkerKind(BUMP_GUARD, 2, "15.5", "15.5.1"),
        SILENCED: MarkerKind(SILENCED, 1, "15.6", "15.6.2", Lasts.TURN_END, "15.6.1"),
    }
)
