"""Firefly Night, a game of tests: `docs/add-a-game.md` followed step by step.

`rulebook.toml` and `rulings.toml` say what the rules are, `content` reads `cards.toml` (§2, 3),
`game` has all rules, `setup` §1.
"""
