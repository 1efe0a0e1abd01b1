"""Evaluations: what a position is worth where a search stops.

A line here makes an evaluation known by name. An evaluation is a class with a compiled method
`evaluate(self, game, state, out)`: it writes a value for each player, in [-1, 1], by player number; with two or more
players they add up to 0. It may hold numbers and arrays of weights.
"""

from damier.core.bring import EVALUATE, PartKind

EVALUATION = PartKind(
    "evaluation",
    EVALUATE,
    {"game": "damier.evaluations.plain:GameEvaluation", "none": "damier.evaluations.plain:NoEvaluation"},
)
