"""The arena: matches and tournaments that can be trusted.

A `Plan` says what is to be played and derives from its seed everything about each game: who sits where, the
opening, the random numbers. `run` plays what is not played yet, on the cores or on a cluster, and keeps each game
in the `Store` the moment it ends. The statistics are functions of the games kept, so that a tournament that was
interrupted and resumed gives the same table as one that was not.
"""

from damier.arena.run import match, tournament

__all__ = ["match", "tournament"]
