"""The arena: matches and tournaments that can be trusted.

A `Plan` says what is to be played and derives everything about each game from its seed: the seating, the opening, the
random numbers. `run` plays the games that are missing, on the cores or on a cluster, and saves each game in the `Store`
the moment it ends. The statistics are functions of the saved games, so a tournament that was interrupted and resumed
gives the same table as one that was not.
"""

from damier.arena.run import match, tournament

__all__ = ["match", "tournament"]
