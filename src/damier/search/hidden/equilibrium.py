"""Equilibria: `damier.equilibrium("kuhn", method="cfr+", iterations=1000)`."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from damier.core.errors import SpecError
from damier.core.files import check_path, is_file, user_path
from damier.core.game import Game
from damier.core.messages import Message, say
from damier.core.position import Position
from damier.core.protocol import Values
from damier.games import game as find_game
from damier.search.hidden import strategy_file
from damier.search.hidden.minimiser import Minimiser, Told, check_iterations, check_method
from damier.search.hidden.response import Measure, measure
from damier.search.hidden.sequences import SequenceForm
from damier.search.hidden.strategy import Known, Strategy, known_to_mover
from damier.search.hidden.tree import MEMORY, FlatTree, build_tree

SAVED_EVERY = 10.0  # seconds

Policy = Mapping[tuple[int, Known], Mapping[int, float]] | Callable[[Position], Mapping[int, float]]
"""A strategy by player and what the player knows, or a function of the position that the player sees."""


@dataclass(frozen=True)
class Equilibrium:
    """A strategy of all players, what it is worth, and how far it is from an equilibrium, in the game's unit."""

    game: Game
    method: str
    iterations: int
    value: tuple[float, ...]  # of each player, if all follow the strategy
    best_response: tuple[float, ...]  # ... if this player alone plays the best response to it
    nash_conv: float  # the sum of the differences
    curve: tuple[tuple[int, float], ...]  # iterations and NashConv
    strategy: Strategy
    seconds: float  # of this call
    resumed: int  # iterations that a file had
    _run: Minimiser = field(repr=False, compare=False)

    @property
    def nodes(self) -> int:
        """How many nodes the game has."""
        return self._run.tree.counts.nodes

    @property
    def information_sets(self) -> tuple[int, ...]:
        """How many information sets each player has."""
        return tuple(np.diff(self._run.tree.sets_of).tolist())

    @property
    def remark(self) -> Message | None:
        """What is not guaranteed, if anything."""
        players = self.game.num_players
        return None if players <= 2 else say("equilibrium.players", game=self.game.name, players=players)

    def save(self, file: str | Path) -> None:
        """Write the strategy to a file: `cfr:file=...` plays it, and `damier equilibrium --out` continues it."""
        path = user_path(file)
        check_path(path)
        strategy_file.write_strategy(self._run, path)

    def __repr__(self) -> str:
        values = ", ".join(f"{value:.6g}" for value in self.value)
        unit = f" {self.game.unit}" if self.game.unit else ""
        how = f"{self.method}, {self.iterations:,} iterations"
        return f"<Equilibrium of {self.game.name}, {how}: value {values}{unit}, NashConv {self.nash_conv:.6g}{unit}>"


def equilibrium(
    game: object,
    method: str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    memory: int = MEMORY,
    out: str | Path | None = None,
    told: Told | None = None,
) -> Equilibrium:
    """Minimise the regrets of all players of a game, up to a number of iterations.

    If there is a file `out` already, the run continues from it; the file is written now and then, and at the end.
    """
    check_method(method)
    check_iterations(iterations)
    path = None if out is None else user_path(out)
    saved = None
    if path is not None:
        check_path(path)
        saved = strategy_file.read_strategy(path) if is_file(path) else None
    began = time.perf_counter()
    run = Minimiser(find_game(game), method, seed, memory)
    if saved is not None:
        saved.resume(run)
        if told is not None:
            told(min(run.iterations, iterations))
    written = time.perf_counter()
    for _ in run.run(iterations, told):
        if path is not None and time.perf_counter() > written + SAVED_EVERY:
            strategy_file.write_strategy(run, path)
            written = time.perf_counter()
    if path is not None and (saved is None or saved.head.iterations < run.iterations):
        strategy_file.write_strategy(run, path)
    return _result(run, time.perf_counter() - began, 0 if saved is None else saved.head.iterations)


def _result(run: Minimiser, seconds: float, resumed: int) -> Equilibrium:
    average = run.average()
    found = measure(run.form, average)
    curve = tuple(run.curve)
    if not curve or curve[-1][0] < run.iterations:
        curve += ((run.iterations, found.nash_conv),)
    return Equilibrium(
        game=run.game,
        method=run.method,
        iterations=run.iterations,
        value=found.values,
        best_response=found.best,
        nash_conv=found.nash_conv,
        curve=curve,
        strategy=Strategy(run.game, run.tree.sets, average[run.game.num_players :], run.tree),
        seconds=seconds,
        resumed=resumed,
        _run=run,
    )


def exploitability(game: object, policy: Policy, memory: int = MEMORY) -> Measure:
    """The value of any strategy and of the best responses to it, in the game's unit; `.nash_conv` is their distance.

    The strategy is a mapping from player and observation to the probabilities of moves, or a function of a position as
    the player to move sees it. A move that it does not name has probability 0.
    """
    tree = build_tree(find_game(game), memory)
    return measure(SequenceForm(tree), _probabilities(tree, policy))


def _probabilities(tree: FlatTree, policy: Policy) -> Values:
    """The probability of each sequence."""
    players = tree.game.num_players
    out = np.zeros(tree.num_sequences)
    for number in range(tree.num_sets):
        begin, end = tree.sets.first[number : number + 2].tolist()
        pos = tree.position(int(tree.sets.example[number]))
        chances = _chances(pos, policy)
        found = np.array([chances.get(move, 0.0) for move in tree.sets.moves[begin:end].tolist()])
        _check_chances(pos, found)
        out[players + begin : players + end] = found
    return out


def _chances(pos: Position, policy: Policy) -> Mapping[int, float]:
    """The probabilities of moves at an information set; moves may be given in notation."""
    if callable(policy):
        given: Any = policy(pos.seen_by(pos.player))
    else:
        given = policy.get((pos.player, known_to_mover(pos))) if isinstance(policy, Mapping) else None
    if not isinstance(given, Mapping):
        raise SpecError("equilibrium.policy", position=pos.described(), got=repr(given))
    return {pos.parse(move) if isinstance(move, str) else move: chance for move, chance in given.items()}


def _check_chances(pos: Position, chances: Any) -> None:
    if not (np.isfinite(chances).all() and (chances >= 0).all() and abs(chances.sum() - 1) < 1e-6):
        raise SpecError("equilibrium.chances", position=pos.described(), got=chances.tolist())
