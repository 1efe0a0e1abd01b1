"""Verify a database with two tests on random positions; neither depends on how it was made.

- **Alpha-beta** without the database, to a depth: it must find exactly the wins and losses within that depth, in the
  right number of moves, and no others.
- **One move** with it: the result of a position must be the best that its moves lead to, one move longer. If that held
  for all positions, there could be no error left: the one with the shortest true way to the end would show.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from damier.core.compile import kernel
from damier.core.errors import DamierError
from damier.core.game import Game
from damier.core.generic import check_count
from damier.core.messages import Message, say
from damier.core.position import Position
from damier.core.protocol import Record
from damier.core.rng import below, new_rng
from damier.search.classical.alphabeta import AlphaBeta
from damier.search.classical.stack import SOONER, WIN
from damier.search.endgames.files import Database
from damier.search.endgames.probing import stored_result
from damier.search.endgames.retrograde import Visit, finished_result

MEMORY = 16  # megabytes of the table of positions


@dataclass(frozen=True)
class Verification:
    """The counts of positions that were compared and agreed."""

    positions: int
    decided: int  # wins and losses that alpha-beta found
    depth: int
    nodes: int

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def verify(
    game: Game,
    database: Database,
    positions: int = 10_000,
    depth: int = 8,
    seed: int = 0,
    told: Callable[[int], None] = lambda more: None,
) -> Verification:
    """Draw the same number of positions from each ending and compare; raise a DamierError for the first mistake."""
    referee = _Referee(game, database, depth)
    rng = new_rng(seed)
    checked = decided = 0
    for number, head in enumerate(database.endings):
        share = -(-(positions - checked) // (len(database.endings) - number))
        for index in _drawn(head["size"], share, rng):
            if share and referee.set_up(number, index):
                decided += referee.compare(number, index, head["name"])
                checked, share = checked + 1, share - 1
                told(1)
    return Verification(checked, decided, depth, int(referee.stack.nodes[0]))


def _drawn(size: int, count: int, rng: Any) -> Iterable[int]:
    """All numbers of a small ending; some of a large one, more than needed, because not each is a position."""
    return range(size) if size <= count else (below(rng, size) for _ in range(4 * count))


class _Referee:
    def __init__(self, game: Game, database: Database, depth: int) -> None:
        self.game, self.endgames, self.depth = game, database.endgames, depth
        self.visit = Visit(game)
        self.alphabeta = AlphaBeta(depth=depth, quiescence=False, memory=MEMORY)
        self.alphabeta.prepare(game.start())
        self.stack = self.alphabeta.stack
        self.state = self.stack.states[0]

    def set_up(self, number: int, index: int) -> bool:
        return bool(self.game.run(set_up, self.state, number, index))

    def compare(self, number: int, index: int, name: str) -> bool:
        """Whether the search decided the position. Raise an error if it, or the moves, contradict the database."""
        result, best, left = self.game.run(best_by_moves, self.visit, self.endgames, self.state, number, index)
        if best != result:
            raise self.wrong(name, index, result, say("endgame.by-moves", result=describe(best)))
        depth = min(self.depth, left - 1)
        value = self.game.run(self.alphabeta.kernel, self.stack, *self.alphabeta.arguments(depth))
        found = 0 if abs(value) <= 1 else round((WIN - abs(value)) / SOONER) + 1
        found = -found if value < 0 else found
        expected = result if abs(result) <= depth + 1 else 0
        if found != expected:
            what = say("endgame.by-search", depth=depth, result=describe(found))
            raise self.wrong(name, index, result, what)
        return found != 0

    def wrong(self, name: str, index: int, result: int, what: Message) -> DamierError:
        board = Position(self.game, self.state).draw(unicode=False)
        found = describe(result)
        return DamierError("endgame.wrong", ending=name, index=index, result=found, what=what, board=board)


def describe(result: int) -> Message:
    """A result in words."""
    if result == 0:
        return say("endgame.draw")
    return say("endgame.won" if result > 0 else "endgame.lost", moves=abs(result) - 1)


@kernel
def set_up(game: Any, state: Record, number: int, index: int) -> bool:
    return bool(game.set_ending(state, number, index))


@kernel
def best_by_moves(game: Any, visit: Any, endgames: Any, state: Record, number: int, index: int) -> tuple[int, int, int]:
    """The stored result of a position, the result that its moves lead to, and the number of legal moves."""
    count = check_count(game.moves(state, visit.moves), visit.moves.size)
    best = 0 if count else finished_result(game, visit, state)
    for i in range(count):
        visit.states[1] = state
        game.play(visit.states[1], visit.moves[i])
        its_number, its_index, _ = game.ending(visit.states[1])
        result = stored_result(endgames, its_number, its_index)
        if its_number < 0:
            result = finished_result(game, visit, visit.states[1])
        result = one_move_earlier(result)
        best = better(best, result) if i else result
    return stored_result(endgames, number, index), best, game.ending(state)[2]


@kernel
def one_move_earlier(result: int) -> int:
    """The result of a move for the player who makes it, from the result of the position after it."""
    return 0 if result == 0 else -result - 1 if result > 0 else -result + 1


@kernel
def better(one: int, other: int) -> int:
    """The better of two results: a win sooner than later, a loss later than sooner."""
    if (one > 0) != (other > 0) or (one == 0) != (other == 0):
        return max(one, other)
    return min(one, other)
