"""The player that has learnt: a network, and the search that it guides. See `damier.search.guided`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from damier.core.budget import Budget, check_memory, check_threads
from damier.core.errors import SpecError
from damier.core.files import is_file, is_folder, user_path
from damier.core.game import Game
from damier.core.messages import say
from damier.core.position import Position
from damier.search.guided.network import Network, is_received, read_network
from damier.search.guided.search import GuidedSearch
from damier.search.guided.selection import GUMBEL, PUCT, Guide
from damier.search.player import Player
from damier.search.result import SearchResult

DEFAULT_SIMS = 200
AGAINST_TIME = 8  # simulations under way at once: each is worth a little less, and there are more of them
ROOTS = {"puct": PUCT, "gumbel": GUMBEL}
SHIPPED = Path(__file__).parent / "networks"
OF_A_RUN = "best.onnx"  # in the folder of a run: the network of the last accepted checkpoint


@dataclass
class Zero(Player):
    """AlphaZero: a trained network guides the search. The tree is kept, so make a new player for a new game."""

    choices: ClassVar = {"root": tuple(ROOTS)}

    net: str = ""  # a shipped network, an .onnx file, or the folder of a run; by default the game's own
    sims: int | None = None
    seconds: float | None = None
    temperature: float = 0.0
    noise: float = 0.0
    root: str = "gumbel"
    c: float = 2.0
    batch: int | None = None  # simulations under way at once; by default 1 where they are counted, 8 where time is
    threads: int = 1
    memory: int = 256  # megabytes
    keep: bool = True
    solver: bool = True  # what follows from the ends of games is recognised
    exact: bool = False  # a position that can be solved with little effort is; for two players without chance

    def __post_init__(self) -> None:
        if self.sims is None and self.seconds is None:
            self.sims = DEFAULT_SIMS
        if self.root not in ROOTS:
            raise SpecError("spec.one-of", option="root", known=list(ROOTS), got=self.root)
        for name, least, most in (("temperature", 0, 100), ("noise", 0, 1), ("c", 0, 1000)):
            if not least <= getattr(self, name) <= most:
                raise SpecError("number.between", what=name, least=least, most=most, got=getattr(self, name))
        self._batch = self.batch if self.batch is not None else AGAINST_TIME if self.sims is None else 1
        check_threads(self.threads)
        if self._batch < 1:
            raise SpecError("number.at-least", what="batch", least=1, got=self._batch)
        check_memory(self.memory)
        if self.noise and self.root != "puct":
            raise SpecError("search.noise")
        self._budget = Budget(sims=self.sims, seconds=self.seconds)
        self._search: GuidedSearch | None = None

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        if self._search is None or self._search.game != pos.game:
            self._search = self._sit_down(pos.game)
        return self._search.search(pos, seed)

    def _sit_down(self, game: Game) -> GuidedSearch:
        network = Network(find_network(self.net, game), self.threads)
        network.fits(game)
        if self.exact and network.margin:
            raise SpecError("search.exact")
        guide = Guide(
            ROOTS[self.root],
            c_puct=self.c,
            noise=self.noise,
            solver=self.solver,
            margin=network.margin,
            reach=network.margin_reach,
        )
        return GuidedSearch(
            game,
            network,
            guide,
            self._budget,
            self.temperature,
            self._batch,
            self.memory,
            self.keep,
            exact=self.exact,
        )


def find_network(net: str, game: Game) -> Path:
    """The file of a network: shipped and named like its game, an .onnx file, or the best one of a run."""
    shipped = shipped_networks()
    if not net:
        if has_network(game):
            return shipped[_file_name(game)]
        raise SpecError("network.none-for", game=game.name, shipped=_there_is(shipped))
    if net in shipped:
        return shipped[net]
    if is_received(Path(net)):
        return Path(net)
    path = user_path(net)
    if is_folder(path):
        if not is_file(path / OF_A_RUN):
            raise SpecError("network.none-in-run", path=path, file=OF_A_RUN)
        return path / OF_A_RUN
    if not is_file(path):
        raise SpecError("network.unknown", name=net, shipped=_there_is(shipped))
    return path


def has_network(game: Game) -> bool:
    """Whether a network for just this game comes with damier."""
    return _file_name(game) in shipped_networks()


def networks_of(players: Iterable[object], game: Game) -> dict[str, bytes]:
    """The files that these players need and other computers don't have, for `damier.search.guided.network.receive`."""
    named = [seat.net for seat in players if isinstance(seat, Zero) and seat.net not in {"", *shipped_networks()}]
    return {str(Path(net)): read_network(find_network(net, game)) for net in named}


def shipped_networks() -> dict[str, Path]:
    """The networks that come with damier, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.onnx"))}


def _file_name(game: Game) -> str:
    """`othello-size-6` for `othello:size=6`."""
    return re.sub(r"\W+", "-", game.name)


def _there_is(shipped: dict[str, Any]) -> str:
    return say("network.shipped", names=list(shipped)) if shipped else say("network.none-shipped")
