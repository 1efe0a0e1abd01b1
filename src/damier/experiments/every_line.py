"""All lines of a small game, and the number in which an opponent that tries every move wins."""

from collections.abc import Callable
from pathlib import Path

from damier.core.position import Position
from damier.games import position as find_position
from damier.players import player
from damier.search.guided.network import Network

Chooser = Callable[[Position], int]


def lost_lines(start: object, choose: Chooser) -> tuple[int, ...]:
    """The number of lost lines by the seat of the chooser, for a small game without chance."""
    root = find_position(start)
    return tuple(_count(root, choose, seat) for seat in range(root.game.num_players))


def _count(root: Position, choose: Chooser, seat: int) -> int:
    lost: dict[Position, int] = {}

    def count(position: Position) -> int:
        if position not in lost:
            if position.returns is not None:
                lost[position] = int(position.returns[seat] < 0)
            elif position.player == seat:
                lost[position] = count(position.play(choose(position)))
            else:
                lost[position] = sum(count(position.play(move)) for move in position.moves())
        return lost[position]

    return count(root)


def by_network(file: Path) -> Chooser:
    """Choose the move with the highest probability, without search."""
    network = Network(file)

    def choose(position: Position) -> int:
        logits, _ = network.evaluate(position.encode()[None])
        return max(position.moves(), key=lambda move: float(logits[0][position.action(move)]))

    return choose


def by_player(spec: str) -> Chooser:
    """Choose by a player without memory, whose move depends only on the position."""
    seated = player(spec)
    return lambda position: seated.search(position).move
