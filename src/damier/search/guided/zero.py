"""The trained player: a network and the search that it guides. See `damier.search.guided`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from damier.core.budget import Budget, check_memory, check_threads
from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.search.guided.network import Network, read_network
from damier.search.guided.search import GuidedSearch
from damier.search.guided.selection import GUMBEL, PUCT, Guide
from damier.search.guided.shipped import find_network, shipped_networks
from damier.search.pace import EVEN, PACES, check_pace, keeps_pace, warm_up
from damier.search.player import Player
from damier.search.result import SearchNode, SearchResult

DEFAULT_SIMS = 200
AGAINST_TIME = 8  # simulations under way at once: each is worth a little less, but there are more of them
ROOTS = {"puct": PUCT, "gumbel": GUMBEL}


@dataclass
class KeptTree:
    """The state kept from one move to the next: the search, with its network and its tree."""

    search: GuidedSearch | None = None


@dataclass(frozen=True)
class Zero(Player):
    """AlphaZero: a trained network guides the search. The tree is kept, so make a new player for a new game."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"root": tuple(ROOTS), "pace": PACES}
    grows: ClassVar[bool] = True

    net: str = ""  # a shipped network, an .onnx file, or the folder of a run; by default the game's own
    sims: int | None = None
    seconds: float | None = None
    temperature: float = 0.0
    noise: float = 0.0
    root: str = "gumbel"
    c: float = 2.0
    batch: int | None = None  # simulations under way at once; by default 1 with `sims`, 8 with `seconds`
    threads: int = 1
    memory: int = 256  # megabytes
    keep: bool = True
    solver: bool = True  # whether results proven from the ends of games are used
    exact: bool = False  # whether a position is solved if that takes little effort; for two players without chance
    mass: float = 1.0  # of the network's probability: only the moves that have it together are considered
    pace: str = EVEN
    _kept: KeptTree = field(default_factory=KeptTree, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.root not in ROOTS:
            raise SpecError("spec.one-of", option="root", known=list(ROOTS), got=self.root)
        for name, value, most in (
            ("temperature", self.temperature, 100),
            ("noise", self.noise, 1),
            ("c", self.c, 1000),
        ):
            if not 0 <= value <= most:
                raise SpecError("number.between", what=name, least=0, most=most, got=value)
        if not 0 < self.mass <= 1:
            raise SpecError("search.mass", got=self.mass)
        check_pace(self.pace)
        check_threads(self.threads)
        if self.lanes < 1:  # this also checks the budget
            raise SpecError("number.at-least", what="batch", least=1, got=self.batch)
        check_memory(self.memory)
        if self.noise and self.root != "puct":
            raise SpecError("search.noise")

    @property
    def budget(self) -> Budget:
        """What limits the search; 200 simulations if nothing else does."""
        is_limited = self.sims is not None or self.seconds is not None
        return Budget(sims=self.sims if is_limited else DEFAULT_SIMS, seconds=self.seconds)

    @property
    def lanes(self) -> int:
        """The number of simulations under way at once."""
        if self.batch is not None:
            return self.batch
        return AGAINST_TIME if self.budget.sims is None else 1

    def prepare(self, pos: Position) -> None:
        """Load the network and compile, which does not count as search time."""
        warm_up(pos)
        self._search_for(pos.game)

    def check_game(self, game: Game) -> None:
        find_network(self.net, game)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        return self._search_for(pos.game).search(pos, seed)

    def node(self, path: Sequence[int]) -> SearchNode | None:
        return None if self._kept.search is None else self._kept.search.node(path)

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        return keeps_pace(self.pace, self.budget, seconds)

    def close(self) -> None:
        """Stop the threads; a later search begins with a new tree."""
        if self.threads > 1 and self._kept.search is not None:
            self._kept.search.close()
            self._kept.search = None

    def _search_for(self, game: Game) -> GuidedSearch:
        search = self._kept.search
        if search is None or search.game != game:
            search = self._kept.search = self._sit_down(game)
        return search

    def _sit_down(self, game: Game) -> GuidedSearch:
        network = Network(find_network(self.net, game))
        network.fits(game)
        if self.exact and network.margin:
            raise SpecError("search.exact")
        if self.exact and game.is_hidden:
            raise SpecError("search.exact-hidden", game=game.name)
        guide = Guide(
            ROOTS[self.root],
            c_puct=self.c,
            noise=self.noise,
            solver=self.solver and not game.is_hidden,
            margin=network.margin,
            reach=network.margin_reach,
            mass=self.mass,
        )
        return GuidedSearch(
            game,
            network,
            guide,
            self.budget,
            self.temperature,
            self.lanes,
            self.memory,
            self.keep,
            exact=self.exact,
            pace=self.pace,
            threads=self.threads,
        )


def networks_of(players: Iterable[object], game: Game) -> dict[str, bytes]:
    """The network files that these players need and other computers lack; see `network.receive`."""
    named = [seat.net for seat in players if isinstance(seat, Zero) and seat.net not in {"", *shipped_networks()}]
    return {str(Path(net)): read_network(find_network(net, game)) for net in named}
