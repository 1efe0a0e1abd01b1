"""Regret minimisation, best responses and the linear program of an equilibrium, written plainly on positions."""

import itertools
import math
from collections import defaultdict
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, hstack

import damier
from damier.core.position import Position

Key = tuple[int, tuple[int, ...]]
Strategy = dict[Key, dict[int, float]]
POWERS = {
    "cfr": (math.inf, math.inf, 0),
    "cfr+": (math.inf, -math.inf, 1),
    "linear": (1, 1, 1),
    "discounted": (1.5, 0, 2),
}


def key_of(pos: Position) -> Key:
    return pos.player, pos.observation()


def chances(pos: Position, strategy: Strategy) -> dict[int, float]:
    return pos.outcomes if pos.is_chance else strategy[key_of(pos)]


def value(pos: Position, strategy: Strategy) -> Any:
    """The expected payoff of each player, in the unit."""
    if pos.returns is not None:
        return np.array(pos.returns) * pos.game.unit_size
    found = [chance * value(pos.play(move), strategy) for move, chance in chances(pos, strategy).items()]
    return np.sum(found, axis=0)


def best_value(game: Any, strategy: Strategy, player: int) -> float:
    """The best of all pure strategies of a player, tried one by one."""
    own = [key for key in strategy if key[0] == player]
    best = -math.inf
    for choice in itertools.product(*(strategy[key] for key in own)):
        pure = {
            key: {move: float(move == chosen) for move in strategy[key]}
            for key, chosen in zip(own, choice, strict=True)
        }
        best = max(best, value(game.start(), strategy | pure)[player])
    return best


class NaiveCfr:
    """The four methods that walk the whole tree."""

    def __init__(self, game: Any, method: str) -> None:
        self.game, self.powers = game, POWERS[method]
        self.regret: dict[Key, dict[int, float]] = {}
        self.total: dict[Key, dict[int, float]] = {}
        self.strategy: Strategy = {}
        self.visit(game.start())

    def visit(self, pos: Position) -> None:
        if pos.is_over:
            return
        if not pos.is_chance:
            moves = pos.moves()
            self.regret[key_of(pos)], self.total[key_of(pos)] = dict.fromkeys(moves, 0.0), dict.fromkeys(moves, 0.0)
            self.strategy[key_of(pos)] = dict.fromkeys(moves, 1 / len(moves))
        for move in pos.moves():
            self.visit(pos.play(move))

    def iterate(self, number: int) -> None:
        alpha, beta, gamma = self.powers
        for player in range(self.game.num_players):
            seen: set[Key] = set()
            self.walk(self.game.start(), player, 1.0, 1.0, number**gamma, seen)
            for key in seen:
                for move, regret in self.regret[key].items():
                    self.regret[key][move] = regret * discount(number, alpha if regret > 0 else beta)
                positive = {move: max(0.0, regret) for move, regret in self.regret[key].items()}
                total = sum(positive.values())
                self.strategy[key] = {
                    move: each / total if total > 0 else 1 / len(positive) for move, each in positive.items()
                }

    def walk(self, pos: Position, player: int, own: float, others: float, weight: float, seen: set[Key]) -> float:
        if pos.returns is not None:
            return pos.returns[player] * float(pos.game.unit_size)
        if pos.player != player:
            found = chances(pos, self.strategy)
            return sum(
                p * self.walk(pos.play(move), player, own, others * p, weight, seen) for move, p in found.items()
            )
        key = key_of(pos)
        values = {
            move: self.walk(pos.play(move), player, own * p, others, weight, seen)
            for move, p in self.strategy[key].items()
        }
        mean = sum(self.strategy[key][move] * each for move, each in values.items())
        for move, each in values.items():
            self.regret[key][move] += others * (each - mean)
            if key not in seen:
                self.total[key][move] += weight * own * self.strategy[key][move]
        seen.add(key)
        return mean

    def average(self) -> Strategy:
        return {
            key: {
                move: each / sum(sums.values()) if sum(sums.values()) else 1 / len(sums) for move, each in sums.items()
            }
            for key, sums in self.total.items()
        }


def discount(number: int, power: float) -> float:
    if math.isinf(power):
        return float(power > 0)
    return float(number**power / (number**power + 1))


class SequenceProgram:
    """The linear program of a game for two: maximise what player 0 gets against the best answer (Koller, Megiddo, von
    Stengel, 1994)."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.sequences: list[dict[Any, int]] = [{(): 0}, {(): 0}]  # of each player: the own history -> its number
        self.sets: list[dict[Key, tuple[int, list[int]]]] = [{}, {}]  # the sequence before, and those of the moves
        self.payoff: dict[tuple[int, int], float] = defaultdict(float)
        self.visit(game.start(), 1.0, ((), ()))

    def visit(self, pos: Position, chance: float, own: tuple[Any, Any]) -> None:
        if pos.returns is not None:
            places = self.sequences[0][own[0]], self.sequences[1][own[1]]
            self.payoff[places] += chance * pos.returns[0] * pos.game.unit_size
            return
        if pos.is_chance:
            for outcome, p in pos.outcomes.items():
                self.visit(pos.play(outcome), chance * p, own)
            return
        player, key = pos.player, key_of(pos)
        known = self.sequences[player]
        after = {move: (*own[player], (key, move)) for move in pos.moves()}
        numbers = [known.setdefault(sequence, len(known)) for sequence in after.values()]
        self.sets[player].setdefault(key, (known[own[player]], numbers))
        for move, sequence in after.items():
            both = (sequence, own[1]) if player == 0 else (own[0], sequence)
            self.visit(pos.play(move), chance, both)

    def flows(self, player: int) -> tuple[Any, Any]:
        """What goes into an information set comes out of it: E x = e."""
        rows = [({0: 1.0})] + [
            {before: -1.0} | dict.fromkeys(numbers, 1.0) for before, numbers in self.sets[player].values()
        ]
        cells = [(i, j, each) for i, row in enumerate(rows) for j, each in row.items()]
        i, j, each = zip(*cells, strict=True)
        matrix = csr_matrix((each, (i, j)), shape=(len(rows), len(self.sequences[player])))
        return matrix, np.eye(1, len(rows))[0]

    def solve(self) -> tuple[float, Strategy]:
        """The value for player 0, and an optimal strategy of player 0."""
        (ours, begin), (theirs, other) = self.flows(0), self.flows(1)
        places = list(self.payoff)
        shape = len(self.sequences[0]), len(self.sequences[1])
        payoff = csr_matrix((list(self.payoff.values()), tuple(zip(*places, strict=True))), shape=shape)
        size, extra = shape[0], theirs.shape[0]
        # Maximise other . v with F^T v <= A^T x, E x = e, x >= 0.
        found = linprog(
            np.concatenate([np.zeros(size), -other]),
            A_ub=hstack([-payoff.T, theirs.T]).tocsr(),
            b_ub=np.zeros(shape[1]),
            A_eq=hstack([ours, csr_matrix((ours.shape[0], extra))]).tocsr(),
            b_eq=begin,
            bounds=[(0, None)] * size + [(None, None)] * extra,
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        plan = np.maximum(found.x[:size], 0)
        strategy = {}
        move_of = {number: sequence[-1][1] for sequence, number in self.sequences[0].items() if sequence}
        for key, (_, numbers) in self.sets[0].items():
            moves = [move_of[number] for number in numbers]
            total = plan[numbers].sum()
            each = plan[numbers] / total if total > 1e-12 else np.full(len(numbers), 1 / len(numbers))
            strategy[key] = dict(zip(moves, each.tolist(), strict=True))
        return -found.fun, strategy


def program_of(name: str) -> SequenceProgram:
    return SequenceProgram(damier.game(name))
