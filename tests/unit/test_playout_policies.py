"""Heavy playouts and progressive widening, for a user's game and for Blokus."""

from typing import Any

import numpy as np
import pytest

import damier
from damier.core.compile import kernel
from damier.core.generic import heavy_move, random_move
from damier.core.rng import new_rng
from damier.games.blokus.judging import merit
from damier.search.montecarlo.amaf import find_amaf
from damier.search.montecarlo.rave import Grave
from damier.search.montecarlo.widening import FEW, num_admitted
from tests.random_games import random_positions

TINY = "blokus:players=2,size=8,pieces=4"


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
        drawn_one = heavy_move(game, state, buffers, rng) if is_heavy else random_move(game, state, buffers, rng)
        counts[drawn_one] += 1


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


@pytest.mark.parametrize("solver", [False, True])
def test_nodes_that_move_to_a_larger_place_keep_what_they_know(solver: bool) -> None:
    """Children are made as they take part. What is counted adds up, before and after the tree is kept for a move."""
    search = Grave(ref=10, bias=1e-3, widen=1.5, playout="heavy", solver=solver, sims=3000)
    position = damier.game("blokus:board=tiny").start()
    for _ in range(3):
        result = search.search(position, seed=2)
        tree = search._growing.growers[0].tree
        grown = check_tree(tree, position, 0)
        assert grown > 5
        assert int(tree.used[0]) < 3 * 3000 * 8  # and not all the children that there could be
        position = position.play(result.move)


def test_a_full_tree_widens_no_more() -> None:
    """It goes on with the children that it has."""
    player, position = damier.player("grave:sims=6000,widen=4,memory=1"), damier.game("blokus:board=duo").start()
    for _ in range(4):
        result = player.search(position, seed=2)
        assert result.moves == tuple(position.moves())
        assert result.move in result.moves
        assert sum(result.visits) > 0
        position = position.play_all(result.pv[:2])


def check_tree(tree: Any, position: damier.Position, node: int) -> int:
    """How many nodes have more children than they began with."""
    here = tree.nodes[node]
    children = range(int(here.first_child), int(here.first_child) + max(0, int(here.num_children)))
    if not children:
        return 0
    moves, rules = [int(tree.nodes[child].move) for child in children], position.game.rules
    assert len(set(moves)) == len(moves) <= tree.num_moves[node] == len(position.moves())
    assert set(moves) <= set(position.moves())
    weights = [np.float32(rules.weight(position.state, move)) for move in moves]
    assert weights == sorted(weights, reverse=True)
    visits = [int(tree.nodes[child].visits) for child in children]
    assert sum(visits) <= here.visits <= sum(visits) + 1
    for child, count in zip(children, visits, strict=True):
        assert tree.pool.entries[find_amaf(tree, node, int(tree.tables[child].number))].visits >= count
    below = sum(check_tree(tree, position.play(int(tree.nodes[child].move)), child) for child in children)
    return below + (node > 0 and len(moves) > FEW)


def test_policies_are_refused_where_there_are_none() -> None:
    with pytest.raises(damier.SpecError, match="playout=heavy needs a game with `playout` or `weight`"):
        damier.player("uct:playout=heavy").search(damier.game("tictactoe").start())
    with pytest.raises(damier.SpecError, match="unknown playout policy 'wild'"):
        damier.player("uct:playout=wild")
    with pytest.raises(damier.SpecError, match="expected widen of at least 0"):
        damier.player("uct:widen=-1")


def test_heavy_playouts_of_blokus_are_the_better_of_two_draws() -> None:
    """The best of n placements is drawn with probability 1 - (1 - 1/n)^2, the worst with 1/n^2."""
    game = damier.game(TINY)
    for position in random_positions(game, seed=4):
        moves = position.moves()
        if len(moves) < 2:
            continue
        merits = np.array([merit(game.rules, position.state, move) for move in moves])
        shares = drawn(game, position, True)[moves] / 6000
        for each in set(merits):
            less, upto = (merits < each).mean(), (merits <= each).mean()
            assert shares[merits == each].sum() == pytest.approx(upto**2 - less**2, abs=0.04)


def test_the_merit_of_a_placement() -> None:
    game = damier.game(TINY)
    position = game.start()
    moves = {position.notation(move): move for move in position.moves()}
    found = {text: merit(game.rules, position.state, move) for text, move in moves.items()}
    assert found["a8,b8,c8,d8"] > found["a8,b8,c8"] > found["a8"]  # larger, and nearer to the middle


def test_the_first_pieces_run_for_the_middle() -> None:
    game = damier.game(TINY)
    start = game.start()
    far = game.rules.from_middle
    heavy, light = drawn(game, start, True)[:-1], drawn(game, start, False)[:-1]
    assert (heavy * far).sum() / heavy.sum() < (light * far).sum() / light.sum()


# -- priors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    ["puct:prior=weight", "mcts:rule=favoured,prior=weight", "grave:favour=0.5", "puct:prior=weight,widen=4"],
)
def test_a_prior_is_the_share_of_the_weights(spec: str) -> None:
    player = damier.player(f"{spec},sims=50")
    player.search(damier.game(Pick()).start(), seed=1)
    root = player.node(())
    assert root is not None
    assert {child.move: child.prior for child in root.children} == pytest.approx(
        {move: (1 + move) / 21 for move in range(6)}
    )


def test_promising_moves_are_tried_first() -> None:
    start = damier.game(Pick()).start()
    for spec in ("puct:prior=weight", "rave:favour=0.5", "grave:favour=0.5"):
        one = damier.player(f"{spec},sims=2").search(start, seed=1)  # the first simulation makes the children
        assert [move for move, visits in enumerate(one.visits) if visits][-1] == 5
        assert damier.player(f"{spec},sims=400").search(start, seed=1).move in (0, 2, 4)


def test_without_favour_nothing_changes() -> None:
    position = damier.game("connect4").start().play("d")
    for name in ("rave", "grave"):
        plain, other = (damier.player(f"{name}:sims=300{more}").search(position, seed=1) for more in ("", ",favour=0"))
        assert plain.visits == other.visits


def test_priors_are_refused_where_there_are_none() -> None:
    start = damier.game("tictactoe").start()
    for spec in ("puct:prior=weight", "mcts:rule=puct,prior=weight", "grave:favour=0.1"):
        with pytest.raises(
            damier.SpecError, match="a prior from weights needs a game with `weight`, and tictactoe has"
        ):
            damier.player(spec).search(start)
    with pytest.raises(damier.SpecError, match="expected prior to be uniform or weight, got 'local'"):
        damier.player("puct:prior=local")
    with pytest.raises(damier.SpecError, match="expected favour of at least 0, got -1"):
        damier.player("grave:favour=-1")
