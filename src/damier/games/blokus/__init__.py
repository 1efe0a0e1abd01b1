"""Blokus, on any board and for two, three or four players.

`pieces` draws the 21 pieces and `variants` lists the boards. `tables` numbers the placements and prepares the tables in
which `fitting` looks up the legal ones. `judging` values placements and positions, `encoding` says what a network sees,
and `rules` is the game. `notation` reads and writes moves, `positions` positions, and `blksgf` whole games.
"""
