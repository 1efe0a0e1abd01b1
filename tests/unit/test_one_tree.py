"""`zero` with several threads on one tree, and with the moves that hold most of the probability."""

import time
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.budget import Budget
from damier.search.guided.forest import Forest, add_children
from damier.search.guided.mass import num_considered, sort_children
from damier.search.guided.network import Floats, Network
from damier.search.guided.search import GuidedSearch
from damier.search.guided.selection import GUMBEL, PUCT, Guide
from damier.search.guided.shipped import find_network

GAME = damier.game("connect4")
NETWORK = Network(find_network("", GAME))


class Slow:
    """The network, with pauses of its own choosing."""

    def __init__(self, seed: int) -> None:
        self.rng, self.asked = np.random.default_rng(seed), 0

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        self.asked += 1
        time.sleep(float(self.rng.choice([0, 0.0002, 0.002])))
        return NETWORK.evaluate(planes)


class Failing(Slow):
    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        self.asked += 1
        if self.asked == 20:
            raise RuntimeError("no answer")
        return NETWORK.evaluate(planes)


def search(network: Any, threads: int, root: int = GUMBEL, sims: int = 301, solver: bool = True) -> GuidedSearch:
    return GuidedSearch(GAME, network, Guide(root, solver=solver), Budget(sims=sims), batch=4, threads=threads)


# -- threads -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", [GUMBEL, PUCT])
@pytest.mark.parametrize("threads", [2, 3])
def test_the_tree_does_not_depend_on_how_long_the_network_takes(threads: int, root: int) -> None:
    pos, found = GAME.start().play("d"), []
    for network in (NETWORK, Slow(1), Slow(2)):
        result = search(network, threads, root).search(pos, seed=5)
        assert result.sims == 301
        found.append((result.move, result.visits, result.values, result.nodes))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("sims", [1, 2, 17, 100, 500])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_every_simulation_is_counted_once_and_no_virtual_loss_is_left(threads: int, sims: int) -> None:
    made = search(NETWORK, threads, PUCT, sims, solver=False)
    result = made.search(GAME.start(), seed=1)
    assert result.sims == sum(result.visits) == sims
    forest = made.forest
    for number in range(int(forest.root[0]), int(forest.root[0]) + int(forest.used[0])):
        node = forest.nodes[number]
        assert not node.waits
        if node.num_children > 0:
            below = forest.nodes["visits"][node.first_child : node.first_child + node.num_children].sum()
            assert node.visits == below + 1
        assert np.abs(forest.totals[number]).max() <= node.visits + 1e-9


def test_a_search_goes_on_after_a_network_that_failed() -> None:
    made, pos = search(Failing(0), 2), GAME.start().play("d")
    with pytest.raises(RuntimeError, match="no answer"):
        made.search(pos, seed=5)
    assert made.search(pos, seed=5).visits == search(NETWORK, 2).search(pos, seed=5).visits


def test_a_player_with_threads_keeps_its_tree_and_can_be_closed() -> None:
    player, pos = damier.player("zero:sims=200,threads=2,batch=4"), GAME.start()
    first = player.search(pos, seed=1)
    kept = player.search(pos.play(first.move), seed=1)
    assert sum(kept.visits) > kept.sims == 200
    player.close()
    assert player.search(pos, seed=1).visits == first.visits
    player.close()


def test_with_a_time_limit_threads_make_simulations_too() -> None:
    result = damier.player("zero:seconds=0.3,threads=2").search(GAME.start(), seed=1)
    assert result.sims == sum(result.visits) > 0


# -- mass ----------------------------------------------------------------------------------------------------------


def family(*priors: float) -> Forest:
    """A root with a child for each prior."""
    forest = Forest(1, 20, 2, False)
    moves = np.arange(10, 10 + len(priors))
    add_children(forest, 0, 0, 0, moves, np.array(priors), len(priors))
    return forest


@pytest.mark.parametrize(
    ("mass", "count"), [(0.01, 1), (0.49, 1), (0.51, 2), (0.79, 2), (0.81, 3), (0.96, 4), (1.0, 4)]
)
def test_as_many_moves_are_considered_as_hold_the_mass(mass: float, count: int) -> None:
    forest = family(0.05, 0.3, 0.5, 0.15)
    sort_children(forest, 0, mass)
    assert num_considered(forest, Guide(mass=mass), 0) == count
    children = forest.nodes[1:5]
    assert children["move"][:count].tolist() == [12, 11, 13, 10][:count]
    assert sorted(children["move"]) == [10, 11, 12, 13]
    assert children["prior"][:count].tolist() == pytest.approx([0.5, 0.3, 0.15, 0.05][:count])


def test_moves_that_are_known_make_room_for_others() -> None:
    forest, guide = family(0.5, 0.3, 0.2), Guide(mass=0.45)
    assert num_considered(forest, guide, 0) == 1
    forest.nodes["known"][1] = 1
    assert num_considered(forest, guide, 0) == 3
    forest.nodes["known"][1:4] = 1
    assert num_considered(forest, guide, 0) == 3


@pytest.mark.parametrize("root", ["gumbel", "puct"])
def test_only_the_moves_with_the_mass_are_visited(root: str) -> None:
    pos = GAME.start().play_all("d d c")
    whole = damier.player(f"zero:sims=100,root={root}").search(pos, seed=1)
    result = damier.player(f"zero:sims=100,root={root},mass=0.8").search(pos, seed=1)
    assert result.moves == whole.moves == tuple(pos.moves())
    assert result.priors == pytest.approx(whole.priors)
    ranked = np.argsort(-np.array(result.priors))
    held = int(np.searchsorted(np.cumsum(np.array(result.priors)[ranked]), 0.8)) + 1
    assert held < len(pos.moves())
    assert set(np.flatnonzero(result.visits)) <= set(ranked[:held])
    assert sum(result.visits) == 100
    assert result.policy == pytest.approx(np.where(np.isin(np.arange(7), ranked[:held]), result.policy, 0))


def test_a_position_in_which_the_likely_moves_lose_is_still_solved() -> None:
    """Each of these mistakes is proven, and the next move takes its place."""
    for line, good in (("a a b b c", "d"), ("d a d a d", "d")):
        pos = GAME.start().play_all(line)
        for root in ("gumbel", "puct"):
            result = damier.player(f"zero:sims=300,root={root},mass=0.01").search(pos, seed=1)
            assert pos.notation(result.move) == good


@pytest.mark.parametrize("mass", [0, -0.1, 1.1])
def test_a_wrong_mass_is_refused(mass: float) -> None:
    with pytest.raises(damier.SpecError, match="expected mass above 0 and at most 1, got"):
        damier.player(f"zero:mass={mass}")
