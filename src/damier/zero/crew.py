"""Who plays the games of self-play: this process, or others that are kept from one iteration to the next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from damier.arena.workers import Host, hosts_for, play_on
from damier.core.game import Game
from damier.search.network import Network
from damier.zero.samples import FinishedGame
from damier.zero.selfplay import SelfPlay
from damier.zero.settings import Settings


@dataclass(frozen=True)
class Piece:
    """Some games of self-play with one network."""

    network: Path
    numbers: tuple[int, ...]


def play_piece(game: Game, settings: Settings, piece: Piece) -> Iterator[FinishedGame]:
    """A task for workers."""
    network = Network(piece.network)
    network.fits(game)
    yield from SelfPlay(game, network, settings.search, settings.selfplay, settings.seed).play(piece.numbers)


class Crew:
    """The workers of a run."""

    def __init__(self, game: Game, settings: Settings, workers: int) -> None:
        self.hosts: list[Host] = hosts_for(partial(play_piece, game, settings), game, workers)

    def play(self, network: Path, numbers: Sequence[int]) -> Iterator[FinishedGame]:
        """Play the games of these numbers; each comes when it is finished, and once."""
        count = len(self.hosts)
        shares = (tuple(numbers[first::count]) for first in range(count))
        pieces = [Piece(network.resolve(), share) for share in shares if share]
        seen: set[int] = set()
        for game in play_on(self.hosts, pieces):
            if game.number not in seen:  # a worker that died may have finished some, which another plays again
                seen.add(game.number)
                yield game

    def close(self) -> None:
        for host in self.hosts:
            host.close()
