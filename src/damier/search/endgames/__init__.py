"""Endgame databases: how every position of few pieces ends with best play, and in how many moves.

For any game that numbers its endings (`endings`, `ending`, `set_ending`). `retrograde` solves one kind of ending,
`packing` makes its results small, `probing` is how searches ask, `files` is what is on the disk, `build` makes a
database and `verify` compares it with searches that know nothing of it.

A result is one number, for the player to move: 0 a draw, n + 1 a win in n moves of both players together, -n - 1 a loss
in n moves.
"""
