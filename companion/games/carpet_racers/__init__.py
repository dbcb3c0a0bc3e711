"""Carpet Racers: five cars, five controllers, and nobody knows who drives which car.

The rulebook has headings and no numbers; ours count them in their order (`rulebook.toml`). The
rules stand in that order too: `beginning` §2 to 4, `movement` §6.1 and 7, `bonuses` what traps,
spaces and cards give, `traps` §6.2, `turn` the other steps of a turn with those of §9, `finish` §8.
`table` is what all of them share and `correcting` what people may set right. `content`, `board` and
`effects` read cards, traps and tracks; `state` is all there is to know of a game.
"""
