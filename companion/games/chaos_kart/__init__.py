"""Chaos Kart: a race of bumping karts, 2–8 players.

The rules stand in the rulebook's order: `turn` §4–6, `movement` §5.6, 7, 8, `bumps` §9,
`tokens` §10–12, `traps` §13, `defence` §14 and 16, `markers` §15, `standings` §19, and `effects`
with `carrying_out` §20. `content` reads the cards, `state` is all there is to know of a game.
"""
