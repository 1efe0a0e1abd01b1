"""The experiments of the documents, to be run again with enough games.

Each compares figures of a paper with ours. A paper's figure comes from a number of games too, often a small one, and
has its own uncertainty: the two agree if a difference as large would not be rare between equal scores (5 %).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from damier.arena.result import Score, Tournament
from damier.arena.run import match, tournament
from damier.arena.statistics import Interval, p_value, wilson


@dataclass(frozen=True)
class Finding:
    """A figure of a paper beside ours."""

    what: str
    paper: float
    paper_games: int
    ours: Score

    @property
    def paper_interval(self) -> Interval:
        return wilson(self.paper * self.paper_games, self.paper_games)

    @property
    def p_value(self) -> float:
        return p_value(self.paper, self.paper_games, self.ours.score or 0.0, self.ours.out_of)

    @property
    def agrees(self) -> bool:
        return self.p_value >= 0.05

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "paper": self.paper,
            "paper_games": self.paper_games,
            "paper_interval": self.paper_interval,
            "ours": self.ours.as_json(),
            "p_value": self.p_value,
            "agrees": self.agrees,
        }


@dataclass(frozen=True)
class Experiment:
    """How to run it: `play(games, sims, tuned, **how)`, where `how` is for `damier.arena.run`."""

    title: str
    games: int  # by default, for each pair
    sims: int
    play: Callable[..., tuple[Tournament, list[Finding]]]


# What each search is called with. The published constants are the players' defaults; the tuned ones won tournaments of
# their own, see the page on the paper.
PUBLISHED = {"uct": "", "rave": "", "grave": ""}
TUNED = {"uct": ",c=0.4", "rave": ",c=0.2", "grave": ",ref=10"}


def _player(name: str, sims: int, constants: dict[str, str]) -> str:
    return f"{name}:sims={sims}{constants[name]}"


def dames_table1(games: int, sims: int, tuned: bool = False, **how: Any) -> tuple[Tournament, list[Finding]]:
    """Table 1 of the paper on draughts: 60 games a pair, each player with some hundred playouts a move."""
    names = ("uct", "rave", "grave")
    result = tournament("dames8", [_player(name, sims, TUNED if tuned else PUBLISHED) for name in names], games, **how)
    pairs = {(0, 1): 0.433, (0, 2): 0.464, (1, 2): 0.571}
    findings = [
        Finding(f"{names[i].upper()} against {names[j].upper()}", figure, 60, result.pair(i, j))
        for (i, j), figure in pairs.items()
    ]
    totals = (0.448, 0.569, 0.482)
    findings += [
        Finding(f"{name.upper()}, total", figure, 120, standing.total)
        for name, figure, standing in zip(names, totals, result.standings, strict=True)
    ]
    return result, findings


def dames_rematch(games: int, sims: int, tuned: bool = False, **how: Any) -> tuple[Tournament, list[Finding]]:
    """The rematch: GRAVE with ref = 10 against RAVE, 500 playouts a move, 12 games."""
    rave = _player("rave", sims, TUNED if tuned else PUBLISHED)
    result = match("dames8", f"grave:sims={sims},ref=10", rave, games, **how)
    return result, [Finding("GRAVE (ref = 10) against RAVE", 0.90, 12, result.standings[0].total)]


EXPERIMENTS = {
    "dames-table1": Experiment("Monte-Carlo search for draughts, Table 1", 60, 100, dames_table1),
    "dames-rematch": Experiment("Monte-Carlo search for draughts, the rematch", 200, 500, dames_rematch),
}
