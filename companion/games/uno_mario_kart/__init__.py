"""UNO Mario Kart: shed your hand first in every round, 2 to 10 players.

The rules stand in the rulebook's order, whose headings are numbered here from 1 to 14: `rounds`
§5, 6, 12, 13 and 14, `calls` §11, `items` §9, `turn` §7, 8 and 10. `content` reads the cards,
`state` is all there is to know of a game.
"""
