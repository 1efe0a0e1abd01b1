"""Check the laws of a part of a search: an evaluation, a selection rule or a playout policy, yours or ours.

Each law is tried on random positions of several games, compiled and as plain Python. A part may be for some games
only: if it does not compile for a game, or refuses it, the report names the game and the reason. A part that fits none
of the games is refused.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from damier.core.bring import ChildStatistics, NodeStatistics, PartKind
from damier.core.compile import COMPILER_ON, kernel
from damier.core.conformance.trial import after_moves
from damier.core.errors import CompileError, RulesError, SpecError
from damier.core.game import Game
from damier.core.loading import place_in_own_file
from damier.core.messages import message_of, say
from damier.core.numbers import whole_number
from damier.core.position import Position
from damier.core.protocol import Record, Rng, Values
from damier.core.rng import new_rng
from damier.evaluations import EVALUATION
from damier.games import SEVERAL
from damier.games import game as find_game
from damier.search.montecarlo.mcts import Mcts
from damier.search.montecarlo.playout import LEARNS, drawn_move, note_move, teach
from damier.search.montecarlo.simulation import Workspace
from damier.search.montecarlo.strategy import PLAYOUT_POLICY, SELECTION_RULE

PART_KINDS = (EVALUATION, SELECTION_RULE, PLAYOUT_POLICY)
LAWS = {
    EVALUATION.name: (
        "`evaluate` writes a finite number in [-1, 1] for every player",
        "with two or more players the numbers add up to 0",
        "`evaluate` changes nothing, and gives the same numbers again, compiled or not",
    ),
    SELECTION_RULE.name: (
        "`score` is never NaN",
        "with `tries_each_first` a child without visits scores infinity",
        "a search with the rule plays a legal move, and the same one again",
    ),
    PLAYOUT_POLICY.name: (
        "`move` is a legal move, and -1 at the end only",
        "`move` changes nothing, and draws the same move from the same random numbers",
        "`learn` writes into its memory only, and the same compiled or not",
    ),
}
TOLERANCE = 1e-6
SIMS = 200 if COMPILER_ON else 20


@dataclass(frozen=True)
class PartReport:
    """The result of a check in which no law was broken."""

    part: str
    kind: str
    positions: dict[str, int]  # by game
    refused: dict[str, str]  # the games that it does not fit, and why
    laws: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def check_part(
    part: object, kind: PartKind, games: Sequence[object] = (), count: int = 20, seed: int = 0
) -> PartReport:
    """Try a part on `count` random games of each game; a RulesError names the first broken law."""
    count = whole_number("count", count)
    made = kind.make(part)
    title = part if isinstance(part, str) else type(made).__qualname__
    positions: dict[str, int] = {}
    refused: dict[str, str] = {}
    for game in map(find_game, games or SEVERAL):
        try:
            positions[game.name] = _CHECKS[kind.name](made, game, count, seed)
        except (CompileError, SpecError) as error:
            refused[game.name] = error.message
        except RulesError:
            raise
        except Exception as error:
            place = place_in_own_file(type(made), error) or type(made).__qualname__
            refused[game.name] = say("part.raises", place=place, kind=type(error).__name__, why=message_of(error))
    if not positions:
        raise RulesError("part.no-game", part=title, games=list(refused), why=next(iter(refused.values())))
    return PartReport(title, kind.name, positions, refused, LAWS[kind.name])


def random_positions(game: Game, count: int, seed: int) -> Iterator[Position]:
    """The positions of that many random games, including the ends."""
    for number in range(count):
        position, rng = game.start(), new_rng(seed, number)
        yield position
        while not position.is_over:
            position = position.play(position.random_move(rng))
            yield position


# -- evaluations ---------------------------------------------------------------------------------------------


@kernel
def evaluate(game: Any, evaluation: Any, state: Record, out: Values) -> None:
    evaluation.evaluate(game, state, out)


def check_evaluation(evaluation: Any, game: Game, count: int, seed: int) -> int:
    EVALUATION.check_game(evaluation, game)
    game.prepare(evaluate, evaluation, game.start().state, np.zeros(game.num_players))  # the compiler complains first
    checked = 0
    for position in random_positions(game, count, seed):
        if position.is_chance or position.is_over:
            continue
        found = []
        for call in (_plain_evaluation, _compiled_evaluation, _compiled_evaluation):  # plain first: it does no harm
            state, out = position.state, np.full(game.num_players, np.nan)
            call(evaluation, game, state, out)
            found.append(out)
            is_same = state.tobytes() == position.state.tobytes()
            _require(is_same, evaluation, position, "law.changed", method="evaluate")
        plain, values, again = found
        told = str(values.tolist())
        in_range = np.isfinite(values).all() and (np.abs(values) <= 1 + TOLERANCE).all()
        _require(in_range, evaluation, position, "law.range", values=told)
        if game.num_players > 1:
            is_zero = abs(values.sum()) <= TOLERANCE
            _require(is_zero, evaluation, position, "law.sum", values=told)
        for other, key in ((plain, "law.plain-differs"), (again, "law.again-differs")):
            is_same = np.allclose(values, other, atol=TOLERANCE)
            _require(is_same, evaluation, position, key, values=told, others=str(other.tolist()))
        checked += 1
    return checked


def _compiled_evaluation(evaluation: Any, game: Game, state: Record, out: Values) -> None:
    game.run(evaluate, evaluation, state, out)


def _plain_evaluation(evaluation: Any, game: Game, state: Record, out: Values) -> None:
    evaluation.evaluate(game.rules, state, out)


# -- playout policies ----------------------------------------------------------------------------------------


@kernel
def draw(game: Any, policy: Any, state: Record, length: int, work: Any, rng: Rng) -> int:
    return drawn_move(game, policy, state, length, work, rng)


@kernel
def note(game: Any, policy: Any, work: Any, ply: int, player: int, move: int) -> None:
    note_move(policy, work, ply, player, move)


@kernel
def teach_game(game: Any, policy: Any, work: Any, length: int) -> None:
    teach(policy, work, length)


def check_policy(policy: Any, game: Game, count: int, seed: int) -> int:
    """Draw a move twice in each position of random games, and show the policy each whole game."""
    PLAYOUT_POLICY.check_game(policy, game)
    work = Workspace(game, policy)
    checked = 0
    for number in range(count):
        position, rng = game.start(), new_rng(seed, number)
        while True:
            _check_draws(policy, position, work, checked)
            checked += 1
            if position.is_over:
                break
            move = position.random_move(rng)
            game.run(note, policy, work, len(position.history), position.player, move)
            position = position.play(move)
        _check_learning(policy, position, work)
    return checked


def _check_draws(policy: Any, position: Position, work: Workspace, number: int) -> None:
    state, length, game = position.state, len(position.history), position.game
    work.moves[:] = -7  # whatever was there before must not matter
    before = _remembered(work)
    first, second = (int(game.run(draw, policy, state, length, work, new_rng(number))) for _ in range(2))
    key = "law.illegal" if position.moves() else "law.not-over"
    is_legal = first in (position.moves() or [-1])
    _require(is_legal, policy, position, key, move=first)
    _require(first == second, policy, position, "law.draws-differ", move=first, other=second)
    is_same = state.tobytes() == position.state.tobytes() and _remembered(work) == before
    _require(is_same, policy, position, "law.changed", method="move")


def _check_learning(policy: Any, position: Position, work: Workspace) -> None:
    """Learn from a finished game, plain and compiled: only the memory may change, and in the same way."""
    length = len(position.history)
    work.values[:] = position.returns
    plain = Workspace(position.game, policy)
    for name in ("line", "movers", "values", "memory"):
        getattr(plain, name)[:] = getattr(work, name)
    before = work.line.tobytes(), work.movers.tobytes(), work.values.tobytes()
    teach(policy, plain, length)
    position.game.run(teach_game, policy, work, length)
    for each in (plain, work):
        is_same = (each.line.tobytes(), each.movers.tobytes(), each.values.tobytes()) == before
        _require(is_same, policy, position, "law.changed-line", method=LEARNS)
    is_same = plain.memory.tobytes() == work.memory.tobytes()
    _require(is_same, policy, position, "law.learns-differ", method=LEARNS)


def _remembered(work: Workspace) -> tuple[bytes, bytes]:
    return work.memory.tobytes(), work.line.tobytes()


# -- selection rules -----------------------------------------------------------------------------------------


@kernel
def score(game: Any, rule: Any, child: Any, node: Any) -> float:
    return rule.score(child, node)


def check_rule(rule: Any, game: Game, count: int, seed: int) -> int:
    SELECTION_RULE.check_game(rule, game)
    start = game.start()
    for child, node in statistics():
        with np.errstate(all="ignore"):  # compiled code divides by 0 silently
            answer = game.run(score, rule, child, node)
        _require(answer is not None, rule, start, "law.no-score")
        found = float(answer)
        told = {"score": found, "child": _plain(child), "node": _plain(node)}
        _require(not math.isnan(found), rule, start, "law.nan", **told)
        if child.visits == 0 and SELECTION_RULE.fact(rule, "tries_each_first"):
            _require(found == math.inf, rule, start, "law.not-infinite", **told)
    checked = 0
    for position in itertools.islice(random_positions(game, count, seed), count):
        if position.is_over or position.is_chance:
            continue
        first, second = (Mcts(rule=rule, sims=SIMS, memory=16).search(position, seed).move for _ in range(2))
        _require(first in position.moves(), rule, position, "law.plays-illegal", move=first)
        _require(first == second, rule, position, "law.plays-differ", move=first, other=second)
        checked += 1
    return checked


def _plain(statistics: NamedTuple) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in statistics._asdict().items())


def statistics() -> Iterator[tuple[ChildStatistics, NodeStatistics]]:
    """Statistics to try a rule on: children without visits, with only wins and only losses, small and large numbers."""
    for visits, mean, others, amaf in itertools.product(
        (0, 1, 2, 1000, 10**7), (0.0, 0.5, 1.0), (0, 1, 10**6), (0, 1, 10**6)
    ):
        total = visits * (2 * mean - 1)
        node = NodeStatistics(max(1, visits + others), math.sqrt(math.log(max(1, visits + others))))
        child = ChildStatistics(
            np.int32(visits),  # type: ignore[arg-type]
            total,
            mean if visits else math.inf,
            1 / math.sqrt(visits) if visits else 0.0,
            np.float32(0.25),  # type: ignore[arg-type]
            1.0,
            visits * mean * mean,
            np.int32(amaf),  # type: ignore[arg-type]
            amaf * (2 * mean - 1),
        )
        yield child, node


_CHECKS: dict[str, Callable[[Any, Game, int, int], int]] = {
    EVALUATION.name: check_evaluation,
    SELECTION_RULE.name: check_rule,
    PLAYOUT_POLICY.name: check_policy,
}


def _require(holds: bool, part: object, position: Position, key: str, **facts: Any) -> None:
    if not holds:
        name, game, after = type(part).__qualname__, position.game.name, after_moves(position.history)
        raise RulesError("law.broken-on", part=name, game=game, after=after, what=say(key, **facts))
