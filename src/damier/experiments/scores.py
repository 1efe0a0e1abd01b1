"""What a player makes of a one-player game: the scores of the lines that it finds."""

from dataclasses import dataclass

from damier.core.errors import SpecError
from damier.games import position
from damier.players import player


@dataclass(frozen=True)
class Score:
    """The end of one line, and what it cost to find it."""

    value: float
    """The game's own `score` where it has one, otherwise the payoff."""
    line: tuple[int, ...]
    sims: int
    seconds: float


def scores(where: object, spec: str, runs: int = 1, seed: int = 0) -> list[Score]:
    """Search a game's start, or a position, that many times, each with a seed of its own."""
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
