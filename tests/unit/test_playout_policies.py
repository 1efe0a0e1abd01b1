"""Heavy playouts and progressive widening, for a user's game and for Blokus."""

from typing import Any

import numpy as np
import pytest

import damier
from damier.core.compile import kernel
from damier.core.generic import playout_move
from damier.core.rng import new_rng
from damier.search.widening import num_admitted
from tests.random_games import random_positions

TINY = "blokus:board=tiny"


class Pick:
    """One move, 0 to 5, which decides: with an even one the first player wins, and heavier moves are larger."""

    num_players, max_moves, max_length = 2, 6, 1
    State = np.dtype([("player", np.int8), ("picked", np.int8)])

    def setup(self, state: Any) -> None:
        state.picked = -1

    def moves(self, state: Any, out: Any) -> int:
        if state.picked >= 0:
            return 0
        for move in range(6):
            out[move] = move
        return 6

    def play(self, state: Any, move: int) -> None:
        state.picked = move
        state.player = 1

    def returns(self, state: Any, out: Any) -> None:
        out[0] = 1 - 2 * (state.picked % 2)
        out[1] = -out[0]

    def weight(self, state: Any, move: int) -> float:
        return 1.0 + move


@kernel
def draw(game: Any, state: Any, buffers: Any, is_heavy: bool, counts: Any, rng: Any) -> None:
    for _ in range(6000):
        counts[playout_move(game, state, buffers, is_heavy, rng)] += 1


def drawn(game: damier.Game, position: damier.Position, is_heavy: bool) -> Any:
    counts = np.zeros(game.max_moves + 1)
    game.run(draw, position.state, game.buffers(), is_heavy, counts, new_rng(3))
    return counts


def test_moves_are_drawn_by_their_weights() -> None:
    game = damier.game(Pick())
    assert drawn(game, game.start(), False)[:6] == pytest.approx(np.full(6, 1000), abs=150)
    assert drawn(game, game.start(), True)[:6] == pytest.approx(6000 / 21 * np.arange(1, 7), abs=150)
    assert drawn(game, game.start().play(2), True)[-1] == 6000  # -1: the game is over


def test_widening_looks_at_the_heaviest_moves_first() -> None:
    game = damier.game(Pick())
    result = damier.player("uct:sims=6,widen=0.5").search(game.start(), seed=1)
    assert result.moves == tuple(range(6))
    assert {move for move, visits in enumerate(result.visits) if visits} == {5, 4}
    for spec in ("uct:sims=400,widen=0.5", "grave:sims=400,widen=0.5", "uct:sims=400,widen=0.5,solver=true"):
        assert damier.player(spec).search(game.start(), seed=1).move in (0, 2, 4)
    assert [num_admitted(2.0, visits, 10) for visits in (0, 3, 8, 99)] == [3, 5, 7, 10]


def test_policies_are_refused_where_there_are_none() -> None:
    with pytest.raises(damier.SpecError, match="playout=heavy needs a game with `playout` or `weight`"):
        damier.player("uct:playout=heavy").search(damier.game("tictactoe").start())
    with pytest.raises(damier.SpecError, match="expected playout to be uniform or heavy, got 'wild'"):
        damier.player("uct:playout=wild")
    with pytest.raises(damier.SpecError, match="expected widen of at least 0"):
        damier.player("uct:widen=-1")


def test_heavy_playouts_of_blokus_are_the_better_of_two_draws() -> None:
    """The heaviest of n placements is drawn with probability 1 - (1 - 1/n)^2, the lightest with 1/n^2."""
    game = damier.game(TINY)
    for position in random_positions(game, seed=4):
        moves = position.moves()
        if len(moves) < 2:
            continue
        weights = np.array([game.rules.weight(position.state, move) for move in moves])
        shares = drawn(game, position, True)[moves] / 6000
        for weight in set(weights):
            lighter, upto = (weights < weight).mean(), (weights <= weight).mean()
            assert shares[weights == weight].sum() == pytest.approx(upto**2 - lighter**2, abs=0.04)


def test_the_merit_of_a_placement() -> None:
    game = damier.game(TINY)
    position = game.start()
    moves = {position.notation(move): move for move in position.moves()}
    merit = {text: game.rules.merit(position.state, move) for text, move in moves.items()}
    assert merit["a8,b8,c8,d8"] > merit["a8,b8,c8"] > merit["a8"]  # larger, and nearer to the middle


def test_the_first_pieces_run_for_the_middle() -> None:
    game = damier.game(TINY)
    start = game.start()
    far = game.rules.from_middle
    heavy, light = drawn(game, start, True)[:-1], drawn(game, start, False)[:-1]
    assert (heavy * far).sum() / heavy.sum() < (light * far).sum() / light.sum()
