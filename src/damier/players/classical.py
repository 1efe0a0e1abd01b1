"""The classical players. See `damier.search.classical` for the algorithms."""

from dataclasses import dataclass, fields

from damier.core.budget import Budget
from damier.core.features import with_weights
from damier.core.position import Position
from damier.search.classical.alphabeta import Engine, Switches
from damier.search.classical.deepening import Deepening
from damier.search.classical.expectimax import Expectimax as ExpectimaxSearch
from damier.search.classical.expectiminimax import Star
from damier.search.classical.minimax import Minimax as MinimaxSearch
from damier.search.classical.multiplayer import AgainstMe
from damier.search.classical.multiplayer import MaxN as MaxNSearch
from damier.search.classical.negamax import AlphaBeta as AlphaBetaSearch
from damier.search.player import Player
from damier.search.result import SearchResult

DEFAULT_NODES = 100_000


@dataclass
class ClassicalPlayer(Player):
    """What all of them have in common. With a limit of nodes or seconds they search to depth 1, 2, 3, ... within it."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            self.nodes = DEFAULT_NODES
        self._search = self._make(Budget(depth=self.depth, nodes=self.nodes, seconds=self.seconds))

    def _make(self, budget: Budget) -> Deepening:
        raise NotImplementedError

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        return self._search.search(pos, seed)


@dataclass
class Minimax(ClassicalPlayer):
    """Minimax: everything down to a depth, without pruning; for any number of players, with chance or without."""

    def _make(self, budget: Budget) -> Deepening:
        return MinimaxSearch(budget)


@dataclass
class Negamax(ClassicalPlayer):
    """Alpha-beta as the textbooks write it. For two players without chance."""

    form: str = "negamax"

    def _make(self, budget: Budget) -> Deepening:
        return AlphaBetaSearch(budget, self.form)


@dataclass
class AlphaBeta(Switches, ClassicalPlayer):
    """Alpha-beta, the playing engine: deepening, table, move ordering. For two players without chance."""

    memory: int = 64  # megabytes
    keep: bool = True
    window: float = 0.15
    weights: str = ""  # of the game's features, as its own option has them
    endgames: str = ""  # a folder or file of a database; auto: the usual folder, if the game has one there

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        return super().search(self.judged(pos), seed)

    def judged(self, pos: Position) -> Position:
        """The position as this player judges it: with weights of its own."""
        if not self.weights:
            return pos
        if getattr(self, "_game", None) != pos.game:
            self._game, self._weighted = pos.game, with_weights(pos.game, self.weights)
        return pos.of(self._weighted)

    def _make(self, budget: Budget) -> Deepening:
        switches = Switches(*(getattr(self, each.name) for each in fields(Switches)))
        return Engine(budget, switches, self.memory, self.keep, self.window, self.endgames)


@dataclass
class Expectimax(ClassicalPlayer):
    """Expectimax: the best move against others who play by a model, uniform or greedy."""

    model: str = "uniform"

    def _make(self, budget: Budget) -> Deepening:
        return ExpectimaxSearch(budget, self.model)


@dataclass
class Expectiminimax(ClassicalPlayer):
    """Expectiminimax: minimax with chance, pruned by Star1 or Star2; star=0 prunes nothing."""

    star: int = 2

    def _make(self, budget: Budget) -> Deepening:
        return Star(budget, self.star) if self.star else MinimaxSearch(budget)


@dataclass
class MaxN(ClassicalPlayer):
    """max^n: several players, each for himself, with shallow pruning."""

    def _make(self, budget: Budget) -> Deepening:
        return MaxNSearch(budget)


@dataclass
class Paranoid(ClassicalPlayer):
    """Paranoid search: all the others play against me."""

    def _make(self, budget: Budget) -> Deepening:
        return AgainstMe(budget)


@dataclass
class BestReply(ClassicalPlayer):
    """Best-reply search: of all the others only one chooses in each round, against me."""

    def _make(self, budget: Budget) -> Deepening:
        return AgainstMe(budget, one_reply=True)
