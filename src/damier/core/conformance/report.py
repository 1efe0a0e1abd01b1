"""The report of a check: the verified laws, and statistics of the random games."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from damier.core.game import Game
from damier.core.position import Position
from damier.core.protocol import CHANCE

_FEW = 5  # games, after which it is suspicious that nobody won, or that all paid the same
_ENOUGH = 10  # games for each player, after which it is suspicious that one of them never won


@dataclass(frozen=True)
class Report:
    """The report of a check without broken laws, with statistics of the random games."""

    game: str
    games: int
    plies: int
    laws: list[str]
    absent: list[str]
    lengths: dict[str, float]
    """The least, the mean and the greatest number of moves of a game."""
    branching: dict[str, float]
    """The least, the mean and the greatest number of moves to choose from; outcomes of chance don't count."""
    moved: dict[str, int]
    """The number of moves by each player and by chance."""
    wins: dict[str, int]
    """The number of games each player or team won alone, and of games without one. Empty for one player."""
    payoffs: dict[str, float]
    """The least, the mean and the greatest payoff of player 0."""
    knowledge: dict[str, Any]
    """In a game of hidden information: whether recall is perfect, and whether every position was looked at."""
    warnings: list[str]
    """Warnings: findings that break no law but are probably mistakes."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


class Tally:
    """Statistics of random games."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lengths: list[int] = []
        self.choices: list[int] = []
        self.moved: Counter[int] = Counter()
        self.won: Counter[int | None] = Counter()
        self.payoffs: list[float] = []

    def count_position(self, pos: Position, num_moves: int) -> None:
        """Count a position in which a player or chance moves."""
        self.moved[pos.player] += 1
        if pos.player != CHANCE:
            self.choices.append(num_moves)

    def count_end(self, end: Position) -> None:
        returns = end.returns or ()
        self.lengths.append(len(end.history))
        self.payoffs.append(returns[0])
        best = max(returns)
        won = {team for team, payoff in zip(self.game.teams, returns, strict=True) if payoff == best}
        self.won[won.pop() if best > 0 and len(won) == 1 else None] += 1

    def report(self, laws: list[str], absent: list[str], knowledge: dict[str, Any]) -> Report:
        players = range(self.game.num_players)
        moved = {f"player {player}": self.moved[player] for player in players}
        shared = "drawn" if len(self._sides()) == 2 else "no sole winner"
        wins = {side: self.won[team] for team, side in self._sides().items()} | {shared: self.won[None]}
        return Report(
            self.game.name,
            len(self.lengths),
            sum(self.lengths),
            laws,
            absent,
            _spread(self.lengths),
            _spread(self.choices),
            moved | ({"chance": self.moved[CHANCE]} if self.game.uses_chance else {}),
            wins if len(players) > 1 else {},
            _spread(self.payoffs),
            knowledge,
            list(self._warnings()),
        )

    def _warnings(self) -> list[str]:
        games, players = len(self.lengths), range(self.game.num_players)
        acting = {self.game.teams[player] for player in players if self.moved[player]}  # a partner may move for another
        found = [f"player {player} never moved" for player in players if self.game.teams[player] not in acting]
        if self.game.uses_chance and not self.moved[CHANCE]:
            found.append("the game has `chance`, and chance never moved; `uses_chance = False` would say so")
        if max(self.choices, default=0) <= 1:
            found.append("no position had more than one move to choose from")
        if len(players) == 1:
            if games >= _FEW and len(set(self.payoffs)) == 1:
                found.append(f"every game paid {self.payoffs[0]:g}")
        elif self.won[None] == games:
            found += ["nobody ever won"] if games >= _FEW else []
        elif games >= _ENOUGH * len(players):
            found += [f"{side} never won" for team, side in self._sides().items() if not self.won[team]]
        return found

    def _sides(self) -> dict[int, str]:
        """The names of the teams; of the players, where each plays for themselves."""
        members: dict[int, list[int]] = {}
        for player, team in enumerate(self.game.teams):
            members.setdefault(team, []).append(player)
        return {
            team: f"player {each[0]}" if len(each) == 1 else f"players {' and '.join(map(str, each))}"
            for team, each in members.items()
        }


def _spread(numbers: list[int] | list[float]) -> dict[str, float]:
    if not numbers:
        return {"min": 0, "mean": 0, "max": 0}
    return {"min": min(numbers), "mean": sum(numbers) / len(numbers), "max": max(numbers)}
