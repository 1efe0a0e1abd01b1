"""The playing engine: alpha-beta with everything that makes it fast. For two players without chance.

- **Iterative deepening** (Slate and Atkin 1977): depth 1, 2, 3, ...; each depth says what the next one tries first.
- **Principal-variation search** (Marsland and Campbell 1982): once a move is probably the best, the search only asks
  whether the others are better, with an interval that holds no value. A move that is better gets a second search.
- **Transposition table**: see `transposition`.
- **Aspiration windows**: each depth begins with a small interval around the value of the last one.
- **Move ordering**: the table's move; the game's own `weight`; killer moves, which cut at the same ply elsewhere
  (Akl and Newborn 1977); the history heuristic, which counts the cuts of a move wherever it is made (Schaeffer 1983).
- **Quiescence**: at the full depth, moves that the game calls `noisy` are still searched. A player may decline them
  all and take the evaluation, unless there is no other move to make.
- **Endgame databases**: see `endgames`, for games that number their endings.

Each part is a switch. None changes the value that is found, except quiescence, which changes what a leaf is.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from damier.core.budget import check_memory
from damier.core.compile import Struct, kernel
from damier.core.errors import SpecError
from damier.core.features import with_weights
from damier.core.game import Game
from damier.core.generic import is_noisy, position_key, promise
from damier.core.position import Position
from damier.core.rng import mix
from damier.search.classical.deepening import Deepening, Found, KeptStack, two_player_values
from damier.search.classical.negamax import check_two_players
from damier.search.classical.stack import NO_MOVE, Stack, descend, enter, guess, keep_line, keep_score, mover
from damier.search.classical.transposition import (
    EXACT,
    LOWER,
    NOT_FOUND,
    UPPER,
    TranspositionTable,
    find,
    is_valid,
    seen_from,
    store,
)
from damier.search.endgames.files import find_endgames
from damier.search.endgames.probing import Endgames

HISTORY_SIZE = 4096
QUIET_PLIES = 32  # how far quiescence may go beyond the depth

# How the rank of a move is composed.
TABLE_MOVE = 1 << 62
HINT = 1 << 40  # times 20 bits
FIRST_KILLER, SECOND_KILLER = 1 << 39, 1 << 38
MAX_HISTORY = (1 << 38) - 1


@dataclass(frozen=True)
class Switches:
    """The parts of the search, each on or off."""

    deepening: bool = True
    null_window: bool = True
    table: bool = True
    aspiration: bool = True
    hint: bool = True
    killers: bool = True
    history: bool = True
    quiescence: bool = True


class Ordering(Struct):
    """The data that orders the moves, and the switches that kernels read."""

    def __init__(self, game: Game, switches: Switches, plies: int) -> None:
        self.rank = np.zeros((plies, game.max_moves), np.int64)  # [ply, i]
        self.killers = np.full((plies, 2), NO_MOVE)  # [ply, which]
        self.history = np.zeros((2, HISTORY_SIZE), np.int64)  # [player, hash of the move]
        self.uses_null_window = switches.null_window
        self.uses_table = switches.table
        self.uses_hint = switches.hint
        self.uses_killers = switches.killers
        self.uses_history = switches.history
        self.uses_quiescence = switches.quiescence and game.has("noisy")


class OrderedStack(Stack):
    """The positions that are searched, with the order of their moves and the transposition table."""

    def __init__(
        self, game: Game, plies: int, evaluation: Any, switches: Switches, memory: int, endgames: Endgames | None
    ) -> None:
        super().__init__(game, plies, evaluation, endgames=endgames)
        self.ordering = Ordering(game, switches, plies + 1)
        self.table = TranspositionTable(memory if switches.table else 0)


@kernel
def search(game: Any, stack: Any, ply: int, depth: int, alpha: float, beta: float) -> float:
    """Negamax, fail-soft: return the position's value for the player to move."""
    ordering, table = stack.ordering, stack.table
    is_quiet = depth <= 0 and ordering.uses_quiescence
    count = enter(game, stack, ply, 1 if is_quiet else depth)
    player = mover(stack.states[ply])
    if count == 0:
        return stack.values[ply, player]
    value, first, floor, guesses = -np.inf, stack.first[0] if ply == 0 else NO_MOVE, alpha, stack.guesses[0]
    if is_quiet:
        noisy = bring_noisy_forward(game, stack.states[ply], stack.moves[ply], count)
        is_last = ply + 1 == stack.states.size
        if noisy < count or is_last:
            guess(game, stack, ply)
            value = stack.values[ply, player]
            if value >= beta or noisy == 0 or is_last:
                return value
            alpha = max(alpha, value)
        count = noisy
    elif ordering.uses_table and ply > 0:
        slot = find(table, position_key(game, stack.states[ply]))
        if slot != NOT_FOUND:
            first = table.slots[slot].move
            known = known_value(stack, table.slots[slot], ply, depth, alpha, beta)
            if not np.isnan(known):
                return known
    rank_moves(game, stack, ordering, ply, count, first)
    best = NO_MOVE
    for i in range(count):
        move = take_next(stack.moves[ply], ordering.rank[ply], i, count)
        descend(game, stack, ply, move)
        sign = 1.0 if mover(stack.states[ply + 1]) == player else -1.0
        is_asked = i > 0 and ordering.uses_null_window  # only ask whether it is better
        low, high = interval(sign, alpha, np.nextafter(alpha, np.inf) if is_asked else beta)
        found = sign * search(game, stack, ply + 1, depth - 1, low, high)
        if is_asked and alpha < found < beta:
            low, high = interval(sign, alpha, beta)
            found = sign * search(game, stack, ply + 1, depth - 1, low, high)
        if stack.stop[0]:
            return 0.0
        if ply == 0:
            keep_score(stack, i, found)
        value = max(value, found)
        if found > alpha:
            alpha, best = found, move
            keep_line(stack, ply, move)
            if found >= beta:
                break
    if depth > 0:
        if value >= beta:
            remember_cut(ordering, ply, player, depth, best)
        if ordering.uses_table:
            bound = LOWER if value >= beta else EXACT if value > floor else UPPER
            key, is_proven = position_key(game, stack.states[ply]), stack.guesses[0] == guesses
            store(table, key, depth, best, seen_from(value, -ply), bound, is_proven)
    return value


@kernel
def interval(sign: float, alpha: float, beta: float) -> tuple[float, float]:
    """The same interval, seen by the player who moves next."""
    return (alpha, beta) if sign > 0 else (-beta, -alpha)


@kernel
def known_value(stack: Any, entry: Any, ply: int, depth: int, alpha: float, beta: float) -> float:
    """The value from the table, if it is sufficient; otherwise NaN."""
    if not is_valid(entry, depth):
        return np.nan
    known = seen_from(entry.value, ply)
    if entry.bound == EXACT or (known >= beta if entry.bound == LOWER else known <= alpha):
        stack.guesses[0] += 1 - entry.proven
        return known
    return np.nan


@kernel
def bring_noisy_forward(game: Any, state: Any, moves: Any, count: int) -> int:
    """Put the noisy moves first and return how many there are."""
    noisy = 0
    for i in range(count):
        if is_noisy(game, state, moves[i]):
            moves[noisy], moves[i] = moves[i], moves[noisy]
            noisy += 1
    return noisy


@kernel
def rank_moves(game: Any, stack: Any, ordering: Any, ply: int, count: int, first: int) -> None:
    """Give each move its rank: the highest is tried first."""
    state = stack.states[ply]
    history = ordering.history[mover(state)]
    for i in range(count):
        move = stack.moves[ply, i]
        rank = 0
        if ordering.uses_hint:
            rank += HINT * ordered(promise(game, state, move))
        if ordering.uses_killers:
            if move == ordering.killers[ply, 0]:
                rank += FIRST_KILLER
            elif move == ordering.killers[ply, 1]:
                rank += SECOND_KILLER
        if ordering.uses_history:
            rank += history[history_slot(move)]
        ordering.rank[ply, i] = TABLE_MOVE if move == first else rank


@kernel
def ordered(weight: float) -> int:
    """A 20-bit number that orders positive weights, like the bits of a float."""
    return int(np.float32(weight).view(np.int32)) >> 11


@kernel
def take_next(moves: Any, rank: Any, i: int, count: int) -> int:
    """Bring the best move from `i` on to `i`; the first of equals. Most cuts come early, so sorting does not pay."""
    best = i
    for j in range(i + 1, count):
        if rank[j] > rank[best]:
            best = j
    move, its_rank = moves[best], rank[best]
    for j in range(best, i, -1):
        moves[j], rank[j] = moves[j - 1], rank[j - 1]
    moves[i], rank[i] = move, its_rank
    return move


@kernel
def remember_cut(ordering: Any, ply: int, player: int, depth: int, move: int) -> None:
    if ordering.killers[ply, 0] != move:
        ordering.killers[ply, 1] = ordering.killers[ply, 0]
        ordering.killers[ply, 0] = move
    slot = history_slot(move)
    ordering.history[player, slot] = min(MAX_HISTORY, ordering.history[player, slot] + depth * depth)


@kernel
def history_slot(move: Any) -> Any:
    """A hash, because moves may be any numbers."""
    word: Any = np.uint64(move)
    return np.int64(mix(word) & np.uint64(HISTORY_SIZE - 1))


@dataclass
class KeptWeights(KeptStack):
    weighted: tuple[Game, Game] | None = None  # a game, and the same game with the player's weights


@dataclass(frozen=True)
class AlphaBeta(Switches, Deepening):
    """Alpha-beta, the playing engine: deepening, table, move ordering. For two players without chance."""

    memory: int = 64  # megabytes
    keep: bool = True  # the table, from one move to the next
    window: float = 0.15
    weights: str = ""  # of the game's features, in the format of its own option
    endgames: str = ""  # a folder or file of a database; auto: the default folder, if it has one for the game
    _kept: KeptWeights = field(default_factory=KeptWeights, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.window <= 0:
            raise SpecError("number.above", what="window", least=0, got=self.window)
        check_memory(self.memory)

    def judged(self, pos: Position) -> Position:
        """The position with this player's own weights."""
        if not self.weights:
            return pos
        known = self._kept.weighted
        if known is None or known[0] != pos.game:
            known = self._kept.weighted = pos.game, with_weights(pos.game, self.weights)
        return Position(known[1], pos.state, pos.history)

    # -- the steps -----------------------------------------------------------------------------------------

    @property
    def kernel(self) -> Callable[..., Any]:
        return search

    @property
    def always_deepens(self) -> bool:
        return self.deepening

    def extra_plies(self, game: Game) -> int:
        return QUIET_PLIES if self.quiescence and game.has("noisy") else 0

    def check(self, game: Game) -> None:
        check_two_players("alphabeta", game)

    def make_stack(self, game: Game, plies: int) -> Stack:
        database = find_endgames(game, self.endgames) if self.endgames else None
        endgames = database.endgames if database else None
        return OrderedStack(game, plies, self._kept.evaluation, self, self.memory, endgames)

    def begin(self, pos: Position) -> None:
        ordering, table = self.stack.ordering, self.stack.table
        table.age[0] += 1
        if not self.keep:
            table.slots.fill(0)
            ordering.history.fill(0)
        ordering.killers.fill(NO_MOVE)
        ordering.history //= 8

    def arguments(self, depth: int, alpha: float = -np.inf, beta: float = np.inf) -> tuple[Any, ...]:
        return 0, depth, alpha, beta

    def iterate(self, pos: Position, depth: int, found: Found) -> None:
        alpha, beta = -np.inf, np.inf
        if self.aspiration and depth > 1 and found.values is not None and abs(found.score) <= 1:
            alpha, beta = found.score - self.window, found.score + self.window
        while True:
            value = pos.game.run(search, self.stack, *self.arguments(depth, alpha, beta))
            is_stopped, is_within = bool(self.stack.stop[0]), alpha < value < beta
            found.take(self.stack, two_player_values(pos, value) if is_within and not is_stopped else None)
            if is_stopped or is_within:
                return
            if value <= alpha:  # the value is lower: search again without that bound
                alpha = -np.inf
            else:
                beta = np.inf
            self.stack.first[0] = found.line[0]
