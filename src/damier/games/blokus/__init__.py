"""Blokus, on any board and for two, three or four players.

`pieces` draws the 21 pieces, `variants` says which boards there are, `tables` numbers the placements and prepares what
`fitting` looks up to find the legal ones, `judging` says what placements and positions are worth, `encoding` what a
network sees of them, `rules` is the game, `notation` reads and writes moves, `positions` positions, `blksgf` whole
games.
"""
