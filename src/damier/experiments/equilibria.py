"""How fast regret minimisation approaches an equilibrium, beside the figures of another program.

The figures are NashConv of the average strategy after so many iterations, in chips, with alternating updates, of
OpenSpiel 2.0.2. Nothing is random here: ours must be the same numbers.
"""

from dataclasses import dataclass
from typing import Any

from damier.search.hidden.equilibrium import equilibrium

TOLERANCE = 1e-8

KUHN = {
    "cfr": {1: 0.916666667, 10: 0.137397588, 100: 0.016451955, 1000: 0.001875233},
    "cfr+": {10: 0.065374181, 100: 0.002388808, 1000: 0.000174731},
}
LEDUC = {
    "cfr": {1: 4.747222222, 10: 1.777157966, 100: 0.191432706, 500: 0.043014418},
    "cfr+": {10: 1.220877803, 100: 0.026831990, 500: 0.001877271},
}


@dataclass(frozen=True)
class Distance:
    """NashConv after so many iterations: the reference and ours."""

    game: str
    method: str
    iterations: int
    reference: float
    ours: float

    @property
    def agrees(self) -> bool:
        return abs(self.ours - self.reference) < TOLERANCE

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "agrees": self.agrees}


@dataclass(frozen=True)
class Convergence:
    """A table of NashConv by game, method and iterations."""

    title: str
    figures: dict[str, dict[str, dict[int, float]]]
    games: int = 0  # nothing is played

    def play(self) -> list[Distance]:
        found = []
        for game, methods in self.figures.items():
            for method, figures in methods.items():
                curve = dict(equilibrium(game, method, max(figures)).curve)
                found += [Distance(game, method, after, figure, curve[after]) for after, figure in figures.items()]
        return found


EXPERIMENTS = {
    "kuhn-cfr": Convergence("Regret minimisation: NashConv by iterations, in chips", {"kuhn": KUHN, "leduc": LEDUC})
}
