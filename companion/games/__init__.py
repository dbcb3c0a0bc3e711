"""The games, a package each; `shelf.py` finds them by name."""
