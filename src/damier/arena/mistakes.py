"""Mistakes: moves that give away game-theoretic value, counted on positions that can be solved.

A move is a mistake if it turns a win into a draw or a loss, or a draw into a loss. The speed of a win does not count.
Solving takes longer than playing, so solved positions are kept in a file, one line of JSON for each.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from damier.arena.statistics import Interval, wilson
from damier.core.files import writing
from damier.core.game import Game
from damier.core.position import Position
from damier.players import player
from damier.search.solve import Solver


@dataclass(frozen=True)
class Puzzle:
    """A position, and the value of each legal move for the player who makes it: 1 won, 0 drawn, -1 lost."""

    position: Position
    values: dict[int, int]

    @property
    def is_testing(self) -> bool:
        """Whether a mistake is possible."""
        return len(set(self.values.values())) > 1

    def is_mistake(self, move: int) -> bool:
        return self.values[move] < max(self.values.values())


@dataclass(frozen=True)
class Mistakes:
    made: int
    positions: int
    testing: int  # positions in which a mistake is possible

    @property
    def rate(self) -> float:
        return self.made / self.positions if self.positions else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the rate among all positions."""
        return wilson(self.made, self.positions)

    def __add__(self, other: "Mistakes") -> "Mistakes":
        return Mistakes(self.made + other.made, self.positions + other.positions, self.testing + other.testing)


def read_positions(path: Path, game: Game, first: int | None = None) -> list[Position]:
    """Read positions from a file in the format of the solver test sets of Connect 4.

    A line holds the moves, each one letter; the rest of the line is ignored.
    """
    lines = path.read_text().splitlines()[:first]
    return [game.start().play_all(list(line.split()[0])) for line in lines]


Solve = Callable[[Position], Mapping[int, int]]  # for each legal move a score, above 0 if it wins


class Judge:
    """Solves each position once, with `damier.solve` or with another solver."""

    def __init__(self, game: Game, file: Path, solve: Solve | None = None) -> None:
        self.game, self.file, self.solve = game, file, solve
        self.known: dict[str, dict[int, int]] = {}
        for line in file.read_text().splitlines() if file.exists() else ():
            try:
                entry = json.loads(line)
                name, values = entry["position"], {int(move): int(value) for move, value in entry["values"].items()}
            except (ValueError, KeyError, AttributeError):
                continue  # torn, when it was written
            if entry.get("game") == game.name:
                self.known[name] = values

    def puzzles(self, positions: Sequence[Position], watch: Callable[[int], None] | None = None) -> list[Puzzle]:
        found = []
        for number, position in enumerate(positions):
            found.append(Puzzle(position, self.values(position)))
            if watch:
                watch(number + 1)
        return found

    def values(self, position: Position) -> dict[int, int]:
        name = " ".join(map(str, position.history))
        if name not in self.known:
            self.solve = self.solve or _solving(self.game)
            scores = self.solve(position)
            self.known[name] = {move: (score > 0) - (score < 0) for move, score in scores.items()}
            self._keep(name)
        return self.known[name]

    def _keep(self, name: str) -> None:
        entry = {"game": self.game.name, "position": name, "values": self.known[name]}
        with writing(self.file):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a") as file:
                file.write(f"\n{json.dumps(entry)}")  # the newline first: an earlier torn line stays separate


def _solving(game: Game) -> Solve:
    solver = Solver(game)
    return lambda position: solver.solve(position, moves=True).moves


def mistakes(spec: str, puzzles: Iterable[Puzzle], seed: int = 0) -> Mistakes:
    """Count the mistakes of a player, by its text name; each position is new to it."""
    listed = list(puzzles)
    seated = player(spec)
    made = sum(puzzle.is_mistake(seated.search(puzzle.position, seed).move) for puzzle in listed)
    return Mistakes(made, len(listed), sum(puzzle.is_testing for puzzle in listed))
