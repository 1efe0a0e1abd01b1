"""Experiments from papers, to repeat with enough games.

Each compares a paper's figures with ours. A paper's figure comes from a number of games too, often a small one, and has
its own uncertainty: the two agree unless equal scores would differ this much in fewer than 5 % of cases.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from damier.arena.result import Score, Tournament
from damier.arena.run import match, tournament
from damier.arena.statistics import Z95, Interval, p_value, wilson
from damier.experiments.scores import scores


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


# What each search is called with. The paper has one formula, with bias = 1e-5 and no value for c; GRAVE changes only
# where the statistics come from. c = 0.4 is a common choice; Cazenave's own GRAVE has no such term. How the tuned
# constants were found is told on the page about the experiment.
PUBLISHED = {"uct": "c=0.4", "rave": "c=0.4,bias=1e-5", "grave": "c=0.4,bias=1e-5"}
TUNED = {"uct": "c=0.7", "rave": "c=0.4,bias=0.1", "grave": "c=0.4,bias=0.1"}


def _player(name: str, sims: int, tuned: bool, ref: int = 50) -> str:
    reference = f"ref={ref}," if name == "grave" else ""
    return f"{name}:sims={sims},{reference}{(TUNED if tuned else PUBLISHED)[name]}"


def dames_table1(games: int, sims: int, tuned: bool = False, **how: Any) -> tuple[Tournament, list[Finding]]:
    """Table 1 of the paper on draughts: 60 games per pair, each player with a few hundred playouts per move."""
    names = ("uct", "rave", "grave")
    result = tournament("dames8", [_player(name, sims, tuned) for name in names], games, **how)
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
    """The rematch: GRAVE with ref = 10 against RAVE, 500 playouts per move, 12 games."""
    result = match("dames8", _player("grave", sims, tuned, ref=10), _player("rave", sims, tuned), games, **how)
    return result, [Finding("GRAVE (ref = 10) against RAVE", 0.90, 12, result.standings[0].total)]


@dataclass(frozen=True)
class LevelScore:
    """The results of nested search of one level in a number of runs."""

    level: int
    runs: int
    mean: float
    interval: Interval
    best: int
    perfect: float  # the share of the runs that found the best score there is
    exact: float | None  # the mean of all runs there could be, where it can be computed
    sims: float  # playouts a run


@dataclass(frozen=True)
class LeftMove:
    """The left-move problem of Cazenave's paper on nested search, by levels."""

    title: str = "Nested Monte-Carlo Search, the left-move problem"
    games: int = 200  # runs, by default
    depth: int = 60
    levels: tuple[int, ...] = (1, 2, 3)

    def play(self, level: int, runs: int, seed: int = 0) -> LevelScore:
        found = scores(f"leftmove:depth={self.depth}", f"nested:level={level}", runs, seed)
        values = [score.value for score in found]
        mean = fmean(values)
        error = Z95 * stdev(values) / math.sqrt(runs) if runs > 1 else self.depth  # one run tells nothing
        return LevelScore(
            level=level,
            runs=runs,
            mean=mean,
            interval=(mean - error, mean + error),
            best=round(max(values)),
            perfect=values.count(self.depth) / runs,
            exact=left_moves_of_level_one(self.depth) if level == 1 else None,
            sims=fmean(score.sims for score in found),
        )


def left_moves_of_level_one(depth: int) -> float:
    """The expected score of nested search of level 1 with a memorised line.

    Among lines with equally many moves to the left, the memorised one is random. A state is therefore two numbers: the
    moves to come, and how many of them go left in the memorised line.
    """

    def random_lefts(moves: int) -> list[float]:
        return [math.comb(moves, left) / 2**moves for left in range(moves + 1)]

    expected = {0: [0.0]}  # [moves to come][moves to the left in the memorised line]
    for moves in range(1, depth + 1):
        after, chances = expected[moves - 1], random_lefts(moves - 1)
        expected[moves] = []
        for known in range(-1, moves + 1):  # -1: nothing is memorised yet
            total = 0.0
            for left, by_left in enumerate(chances):
                for right, by_right in enumerate(chances):
                    total += by_left * by_right * _step(known, left, right, moves, after)
            expected[moves].append(total)
        if moves < depth:
            del expected[moves][0]
    return expected[depth][0]


def _step(known: int, left: int, right: int, moves: int, after: list[float]) -> float:
    """The expected score after both moves were tried, given the moves to the left that followed each."""
    if known >= max(left + 1, right):
        goes_left = known / moves
        further = after[known] if known < moves else 0.0
        return (goes_left * (1 + after[known - 1]) if known else 0.0) + (1 - goes_left) * further
    if left + 1 == right:  # the one that was tried first, which is left to chance
        return (1 + after[left] + after[right]) / 2
    return 1 + after[left] if left + 1 > right else after[right]


EXPERIMENTS: dict[str, Experiment | LeftMove] = {
    "dames-table1": Experiment("Monte-Carlo search for draughts, Table 1", 60, 100, dames_table1),
    "dames-rematch": Experiment("Monte-Carlo search for draughts, the rematch", 200, 500, dames_rematch),
    "leftmove": LeftMove(),
}
