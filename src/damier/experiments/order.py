"""Which search is stronger than which: an order that a paper found, and ours.

A paper that says "A is significantly better than B" is repeated by a round robin. A step of the order holds here if the
interval of A's score against B lies above one half.
"""

from dataclasses import dataclass
from typing import Any

from damier.arena.result import Score, Tournament
from damier.arena.run import tournament


@dataclass(frozen=True)
class Step:
    """One step of an order: a search, another that it beats in the paper, and our score."""

    better: str
    worse: str
    ours: Score
    losses: int  # of the better one against the other

    @property
    def holds(self) -> bool:
        return self.ours.interval[0] > 0.5

    def as_json(self) -> dict[str, Any]:
        own = {"better": self.better, "worse": self.worse, "losses": self.losses}
        return own | {"ours": self.ours.as_json(), "holds": self.holds}


@dataclass(frozen=True)
class Order:
    """Searches from the best to the worst, each with its text name for a number of simulations."""

    title: str
    game: str
    searches: tuple[tuple[str, str], ...]
    games: int = 1000  # by default, for each pair
    sims: int = 10_000

    def play(self, games: int, sims: int, **how: Any) -> tuple[Tournament, list[Step]]:
        names = [name for name, _ in self.searches]
        result = tournament(self.game, [spec.format(sims=sims) for _, spec in self.searches], games, **how)
        pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
        return result, [Step(names[i], names[j], result.pair(i, j), losses(result, i, j)) for i, j in pairs]


def losses(result: Tournament, one: int, other: int) -> int:
    """How many games one player lost against another."""
    lost = 0
    for record in result.records:
        if set(record.seating) == {one, other}:
            lost += record.returns[record.seating.index(one)] < 0
    return lost


EXPERIMENTS = {
    "ismcts-phantom": Order(
        "Information-set Monte-Carlo search, phantom (4,4,4)",
        "phantom:rows=4,cols=4,k=4",
        (
            ("cheating UCT", "cheat:search=(uct:sims={sims},c=0.7)"),
            ("MO-ISMCTS", "ismcts:sims={sims},observers=multiple"),
            ("SO-ISMCTS", "ismcts:sims={sims}"),
        ),
    )
}
