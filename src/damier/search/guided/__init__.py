"""Tree search guided by a network: AlphaZero's PUCT and Gumbel's root, for many games at once.

`forest` holds the trees, `selection` and `gumbel` choose the child to visit, `simulation` goes down the trees to the
leaves and back up, `policy` turns a finished search into a policy and a move, `lockstep` plays whole games, `search`
searches one position, `zero` is the player. `evaluations` remembers the network's answers; `shipped` finds networks.
"""
