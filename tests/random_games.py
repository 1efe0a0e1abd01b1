"""Random games of any game, for tests that look at every position on the way."""

from collections.abc import Iterator

from damier import Game, Position
from damier.core.rng import below, new_rng


def random_positions(game: Game, seed: int) -> Iterator[Position]:
    """Every position of a random game, from the first to the last."""
    position, rng = game.start(), new_rng(seed)
    yield position
    while not position.is_over:
        moves = position.moves()
        position = position.play(moves[below(rng, len(moves))])
        yield position
