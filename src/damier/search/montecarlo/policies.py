"""The playout policies that come with damier: how the moves of a random game are drawn."""

from typing import Any

from damier.core.errors import SpecError
from damier.core.game import Game
from damier.core.generic import Buffers, heavy_move, random_move
from damier.core.protocol import Record, Rng


class Uniform:
    """Draws legal moves, all equally likely, and outcomes of chance by their probability."""

    def move(self, game: Any, state: Record, buffers: Buffers, rng: Rng) -> int:
        return random_move(game, state, buffers, rng)


class Heavy:
    """Uses the game's own policy: its `playout`, or else draws a move by its `weight`."""

    def check(self, game: Game) -> None:
        """Raise a SpecError for a game that has neither."""
        if not (game.has("playout") or game.has("weight")):
            raise SpecError("search.heavy", game=game.name)

    def move(self, game: Any, state: Record, buffers: Buffers, rng: Rng) -> int:
        return heavy_move(game, state, buffers, rng)
