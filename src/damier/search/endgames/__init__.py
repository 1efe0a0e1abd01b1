"""Endgame databases: how every position with few pieces ends with best play, and in how many moves.

They work for any game that numbers its endings (`endings`, `ending`, `set_ending`). `retrograde` solves one kind of
ending, `packing` compresses its results, `probing` reads them in searches, `files` is the format on disk, `build` makes
a database, and `verify` compares it with searches that do not use it.

A result is one number, for the player to move: 0 a draw, n + 1 a win in n moves of both players together, -n - 1 a loss
in n moves.
"""
