"""A player's scores in a one-player game."""

from dataclasses import dataclass

from damier.core.errors import SpecError
from damier.games import position
from damier.players import player


@dataclass(frozen=True)
class Score:
    """The score of one line, and the cost of finding it."""

    value: float
    """The game's own `score` if it has one, otherwise the payoff."""
    line: tuple[int, ...]
    sims: int
    seconds: float


def scores(where: object, spec: str, runs: int = 1, seed: int = 0) -> list[Score]:
    """Search a position, or a game's start, `runs` times, each with its own seed."""
    start = position(where)
    if start.game.num_players > 1:
        raise SpecError("experiment.one-player", game=start.game.name, players=start.game.num_players)
    found = []
    for run in range(runs):
        result = player(spec).search(start, seed + run)
        end = start.play_all(result.pv)
        payoff = end.returns
        if payoff is None:
            raise SpecError("experiment.no-line", player=spec)
        value = start.game.rules.score(end.state) if start.game.has("score") else payoff[0]
        found.append(Score(float(value), result.pv, result.sims, result.seconds))
    return found
