"""Tree search guided by a network: AlphaZero's PUCT and Gumbel's root, for many games at once.

`forest` holds the trees, `selection` and `gumbel` say which child is visited, `simulation` walks the trees down to
the leaves and back up, `policy` says what a finished search makes of its root, `lockstep` plays whole games, `search`
thinks about one position, `zero` is the player. What the network said about a position is kept in `evaluations`;
`shipped` finds networks.
"""
