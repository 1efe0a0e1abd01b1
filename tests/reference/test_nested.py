"""Nested searches written plainly, by recursion, find the same lines with the same random numbers."""

import math
from typing import Any

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.position import Position
from damier.core.rng import below, new_rng, uniform
from damier.search.lines.nested import Nest
from damier.search.lines.nested import search as nested_search
from damier.search.lines.nrpa import Adaptation
from damier.search.lines.nrpa import search as nrpa_search

SEEDS = range(3 if COMPILER_ON else 2)
ONE_PLAYER = [
    "tests/conformance/games.py:CountUp",
    "leftmove:depth=9",
    "samegame:rows=4,cols=4,colours=3,seed=5",
    "sliding:size=2,scramble=5,limit=8",
]
SEVERAL = ["tictactoe", "mnk:rows=3,cols=4,k=3", "examples/nim.py:Nim", "tests/conformance/games.py:Pig"]

Line = tuple[int, ...]


def random_move(position: Position, rng: Any) -> int:
    """As `random_move` of the kernels: a game's own `sample` where it has one."""
    if position.is_chance:
        return draw(list(position.outcomes.items()), rng)
    if position.game.has("sample"):
        return int(position.game.rules.sample(position.state, rng))
    return position.moves()[below(rng, len(position.moves()))]


def draw(options: list[tuple[int, float]], rng: Any) -> int:
    left = uniform(rng)
    for move, probability in options[:-1]:
        left -= probability
        if left < 0:
            return move
    return options[-1][0]


def payoffs(position: Position) -> tuple[float, ...]:
    returns = position.returns
    assert returns is not None
    return returns


def play_out(position: Position, rng: Any) -> Position:
    while not position.is_over:
        position = position.play(random_move(position, rng))
    return position


def options(position: Position, rng: Any) -> list[int]:
    """The legal moves, from a random one on."""
    first = below(rng, len(position.moves()))
    return position.moves()[first:] + position.moves()[:first]


def memorising(position: Position, level: int, rng: Any) -> Position:
    """Cazenave 2009, for one player: the end of the best game of a search."""
    if level == 0:
        return play_out(position, rng)
    best = None
    while not position.is_over:
        for move in options(position, rng):
            found = memorising(position.play(move), level - 1, rng)
            if best is None or payoffs(found)[0] > payoffs(best)[0]:
                best = found
        assert best is not None
        position = position.play(best.history[len(position.history)])
    return position


def for_each(position: Position, level: int, rng: Any, discount: bool) -> Position:
    """Cazenave et al. 2016, for several players: the end of a game in which everybody maximises."""
    if level == 0:
        return play_out(position, rng)
    while True:
        while position.is_chance:
            position = position.play(draw(list(position.outcomes.items()), rng))
        if position.is_over:
            return position
        position = position.play(max(scores(position, level, rng, discount), key=lambda pair: pair[1])[0])


def scores(position: Position, level: int, rng: Any, discount: bool) -> list[tuple[int, float]]:
    """One step of a search: each move and what came out for the player to move."""
    scored = []
    for move in options(position, rng):
        end = for_each(position.play(move), level - 1, rng, discount)
        score = payoffs(end)[position.player]
        if discount:
            score /= 1 + len(end.history) - len(position.history)
        scored.append((move, score))
    return scored


def adapting(start: Position, level: int, policy: dict[int, float], iterations: int, rng: Any) -> Position:
    """Rosin 2011: the end of the best game of a search."""
    if level == 0:
        position = start
        while not position.is_over:
            position = position.play(draw(list(probabilities(position, policy).items()), rng))
        return position
    best = None
    for _ in range(iterations):
        found = adapting(start, level - 1, dict(policy), iterations, rng)
        if best is None or payoffs(found)[0] >= payoffs(best)[0]:
            best = found
        policy = adapted(start, best.history[len(start.history) :], policy)
    assert best is not None
    return best


def probabilities(position: Position, policy: dict[int, float]) -> dict[int, float]:
    highest = max(policy.get(move, 0.0) for move in position.moves())
    weights = {move: math.exp(policy.get(move, 0.0) - highest) for move in position.moves()}
    return {move: weight / sum(weights.values()) for move, weight in weights.items()}


def adapted(position: Position, line: Line, policy: dict[int, float]) -> dict[int, float]:
    shifted = dict(policy)
    for made in line:
        for move, probability in probabilities(position, policy).items():
            shifted[move] = shifted.get(move, 0.0) + (move == made) - probability
        position = position.play(made)
    return shifted


@pytest.mark.parametrize("name", ONE_PLAYER)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_same_line_is_memorised(name: str, level: int) -> None:
    start = damier.game(name).start()
    for seed in SEEDS if level < 3 else SEEDS[:1]:
        nest, rng = Nest(start.game, level), new_rng(seed)
        nest.states[-1] = start.state
        nest.rounds[0] = 1
        while start.game.run(nested_search, nest, 3, rng):  # as if it were interrupted again and again
            pass
        naive_rng = new_rng(seed)
        naive = memorising(start, level, naive_rng)
        assert tuple(nest.line[-1, : nest.length[-1]].tolist()) == naive.history
        assert nest.score[-1] == payoffs(naive)[0]
        assert rng.word == naive_rng.word


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("discount", [False, True])
def test_everybody_chooses_the_same(name: str, discount: bool) -> None:
    start = damier.game(name).start()
    for seed in SEEDS:
        nest, rng, naive_rng = Nest(start.game, 2, discount), new_rng(seed), new_rng(seed)
        nest.states[-1] = start.state
        nest.rounds[0] = 2
        while start.game.run(nested_search, nest, 5, rng):
            pass
        for _ in range(2):
            naive = scores(start, 2, naive_rng, discount)
        assert nest.line[2, 0] == max(naive, key=lambda pair: pair[1])[0]
        assert nest.score[2] == pytest.approx(max(score for _, score in naive))
        assert rng.word == naive_rng.word
        assert nest.ended.sum() == 2 * len(start.moves())


@pytest.mark.parametrize("name", ONE_PLAYER)
@pytest.mark.parametrize(("level", "iterations"), [(1, 12), (2, 5), (3, 3)])
def test_the_same_policy_is_learnt(name: str, level: int, iterations: int) -> None:
    start = damier.game(name).start()
    for seed in SEEDS:
        work, rng = Adaptation(start.game, level, iterations, 1.0), new_rng(seed)
        work.states[-1] = start.state
        work.rounds[0] = 1
        while start.game.run(nrpa_search, work, 4, rng):
            pass
        naive_rng = new_rng(seed)
        naive = adapting(start, level, {}, iterations, naive_rng)
        assert tuple(work.line[level, : work.length[level]].tolist()) == naive.history
        assert work.played[0] == iterations**level
        assert rng.word == naive_rng.word
