"""The workers of self-play: this process, others that are kept between iterations, or a cluster."""

import contextlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from damier.core.game import Game
from damier.search.guided.network import Network
from damier.work.pool import Host, hosts_for, play_on
from damier.zero.samples import FinishedGame
from damier.zero.selfplay import SelfPlay
from damier.zero.settings import Settings


@dataclass(frozen=True)
class Piece:
    """Some games of self-play with one network."""

    network: Path
    numbers: tuple[int, ...]


def play_piece(game: Game, settings: Settings, piece: Piece) -> Iterator[FinishedGame]:
    """Play a piece, as a task for workers."""
    network = Network(piece.network)
    network.fits(game)
    yield from SelfPlay(game, network, settings.search, settings.selfplay, settings.seed).play(piece.numbers)


class Crew:
    """The workers of a run, or the cluster in their place, with an open connection."""

    def __init__(self, game: Game, settings: Settings, workers: int, cluster: str | None = None) -> None:
        self.game, self.settings, self.cluster = game, settings, cluster
        self.task = partial(play_piece, game, settings)
        self.hosts: list[Host] = [] if cluster else hosts_for(self.task, game, workers)
        self._connection = contextlib.ExitStack()
        if cluster:
            from damier.work.cluster import connected

            self._ray = self._connection.enter_context(connected(cluster))

    def play(self, network: Path, numbers: Sequence[int]) -> Iterator[FinishedGame]:
        """Play the games with these numbers; each is given once, when it is finished."""
        played = self._play_on_cluster if self.cluster else self._play_here
        seen: set[int] = set()
        for game in played(network.resolve(), numbers):
            if game.number not in seen:  # a worker that died may have finished some that another plays again
                seen.add(game.number)
                yield game

    def _play_here(self, network: Path, numbers: Sequence[int]) -> Iterator[Any]:
        """Give each worker a share, which it plays in lock-step to the last game."""
        count = len(self.hosts)
        shares = (tuple(numbers[first::count]) for first in range(count))
        return play_on(self.hosts, [Piece(network, share) for share in shares if share])

    def _play_on_cluster(self, network: Path, numbers: Sequence[int]) -> Iterator[Any]:
        """Play pieces of as many games as are in lock-step, or fewer if some processors would be idle.

        A worker that dies loses no more than a piece, and others may join.
        """
        from damier.work.cluster import num_processors, play_on_cluster

        size = min(self.settings.selfplay.parallel, math.ceil(len(numbers) / num_processors(self._ray)))
        pieces = [Piece(network, tuple(numbers[first : first + size])) for first in range(0, len(numbers), size)]
        assert self.cluster is not None
        return play_on_cluster(self.task, self.game, pieces, self.cluster, {str(network): network.read_bytes()})

    def close(self) -> None:
        for host in self.hosts:
            host.close()
        self._connection.close()
