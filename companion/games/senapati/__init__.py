"""Senapati and Rajasa: pushing along lanes, then a chase of the other's Rajasa, for two.

The class of the rules is in `game`, what an owner can change in `board.toml` and `cards.toml`.
The numbers of sections are the rulebook's: "Cara" for how to play, "Per" for its rules.
"""
