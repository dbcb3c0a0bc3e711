"""Tapak Arwah Nusantara: a ghost hunts a human round a board of 60 squares, and is hunted back.

The rulebook has headings and no numbers; ours count them in their order (`rulebook.toml`). The
rules stand in that order too: `turn` §3, 4 and 7, `squares` §5, `attacks` §6, and `carrying_out`
what the cards of §4.d do, with `effects`. `table` is what all of them share, `content` reads the
cards and the board, `state` is all there is to know of a game.
"""
