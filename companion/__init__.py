"""The tabletop companion: it sits beside a board game, knows the rules and keeps the markers."""
