"""The gate: a new network plays the best one so far, and replaces it only if it wins.

The two play random openings, each in every seating. Networks without noise repeat themselves, so identical games count
once. `threshold` requires a score, 0.6 in the papers; `sprt` stops as soon as the games decide between "not stronger"
and "as strong as the threshold".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from damier.arena.plan import Plan
from damier.arena.result import Score
from damier.arena.run import Watcher, run
from damier.arena.sprt import Sprt
from damier.arena.statistics import elo_of_score
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.store.record import GameRecord
from damier.zero.checkpoint import Checkpoint
from damier.zero.settings import Settings

SHARE_OF_OPENING = 4  # random moves are at most a quarter of the longest game


@dataclass(frozen=True)
class Contest:
    """How two checkpoints are compared."""

    game: Game
    settings: Settings
    database: Path
    workers: int
    cluster: str | None = None

    def play(
        self, new: Checkpoint, old: Checkpoint, games: int, sprt: Sprt | None = None, watcher: Watcher | None = None
    ) -> tuple[GameRecord, ...]:
        gate = self.settings.gate
        sims = gate.sims or self.settings.search.sims
        names = tuple(f"zero:net={_fit_for_a_name(one.for_play)},sims={sims}" for one in (new, old))
        openings = min(gate.openings, self.game.max_length // SHARE_OF_OPENING)
        plan = Plan(self.game, names, games, self.settings.seed + new.iteration, openings)
        how: dict[str, Any] = {"workers": self.workers, "cluster": self.cluster, "watcher": watcher}
        result = run(plan, sprt=sprt, database=str(self.database), **how)
        return result.records

    def decide(self, new: Checkpoint, old: Checkpoint, watcher: Watcher | None = None) -> dict[str, Any]:
        """The gate's decision about the new checkpoint."""
        gate = self.settings.gate
        sprt = Sprt(0, elo_of_score(gate.threshold)) if gate.kind == "sprt" else None
        records = self.play(new, old, gate.games, sprt, watcher)
        once = without_repeats(records)
        score = Score(float(sum(record.points_of(0) for record in once)), len(once))
        if sprt:
            is_accepted = sprt.verdict(rounds_once(records, self.game.num_players)) == "elo1"
        else:
            is_accepted = (score.score or 0.0) >= gate.threshold
        return {
            "accepted": is_accepted,
            "against": old.iteration,
            "games": len(records),
            "distinct": len(once),
            "tally": tally(records),
            "score": score.score,
            "interval": list(score.interval),
            "results": summary(once, new, old),
        }


def without_repeats(records: Sequence[GameRecord]) -> list[GameRecord]:
    """The records without identical games."""
    return list({(record.seating, record.moves): record for record in reversed(records)}.values())[::-1]


def tally(records: Sequence[GameRecord]) -> list[int]:
    """The numbers of games that the first player won, shared and lost."""
    points = [record.points_of(0) for record in records]
    return [sum(point == 1 for point in points), sum(0 < point < 1 for point in points), sum(not p for p in points)]


def rounds_once(records: Sequence[GameRecord], seats: int) -> list[float]:
    """The first player's score in each round, identical rounds once.

    A round has every seating of the two players in which both play.
    """
    size = 2**seats - 2
    ordered = sorted(records, key=lambda record: record.number)
    scores: dict[Any, float] = {}
    for start in range(0, len(ordered) - size + 1, size):
        games = ordered[start : start + size]
        points = float(sum(game.points_of(0) for game in games))
        scores[tuple(game.moves for game in games)] = points / size
    return list(scores.values())


def summary(records: Sequence[GameRecord], new: Checkpoint, old: Checkpoint) -> list[dict[str, Any]]:
    """The games as ratings need them: which checkpoints sat where, and who won."""
    sat = (new.iteration, old.iteration)
    return [
        {"seating": [sat[player] for player in record.seating], "returns": list(record.returns)} for record in records
    ]


def _fit_for_a_name(path: Path) -> str:
    text = str(path.resolve())
    if "," in text:
        raise SpecError("train.comma", got=text)
    return text
