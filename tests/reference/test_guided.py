"""AlphaZero's search against the plain one, node for node; and what Gumbel's root promises."""

from typing import Any

import numpy as np
import pytest

import damier
from damier.core.budget import Budget
from damier.core.compile import COMPILER_ON
from damier.core.position import Position
from damier.core.protocol import Moves, Planes, Values
from damier.core.rng import new_rng
from damier.search.guided.evaluations import Evaluations, recall, remember
from damier.search.guided.gumbel import visits_considered
from damier.search.guided.noise import dirichlet, gumbel
from damier.search.guided.search import GuidedSearch
from damier.search.guided.selection import GUMBEL, PUCT, Guide
from tests.compiler import without_compiler
from tests.reference.naive_guided import REACH, Linear, Naive, Node, halving_table, improved_logits

ROOTS = {"puct": PUCT, "gumbel": GUMBEL}
SIMS = 150 if COMPILER_ON else 40


def network_for(game: damier.Game) -> Linear:
    return Linear(int(np.prod(game.encode_shape)), game.num_actions, game.num_players)


def search_of(pos: Position, root: str, sims: int, solver: bool, **options: Any) -> GuidedSearch:
    guide = Guide(ROOTS[root], solver=solver)
    return GuidedSearch(pos.game, network_for(pos.game), guide, Budget(sims=sims), **{"batch": 1, **options})


def compare(search: GuidedSearch, number: int, node: Node) -> None:
    here = search.forest.nodes[number]
    assert here.visits == node.visits
    assert search.forest.totals[number].tolist() == pytest.approx(node.totals)
    assert max(0, here.num_children) == len(node.children)
    assert bool(here.known) == (node.exact is not None)
    if node.exact:
        assert search.forest.first_values[number].tolist() == pytest.approx(node.exact)
    for child in range(here.first_child, here.first_child + max(0, here.num_children)):
        compare(search, child, node.children[int(search.forest.nodes[child].move)])


@pytest.mark.parametrize(("cache", "solver"), [(0, False), (1 << 16, False), (0, True)])
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("name", ["tictactoe", "tests/conformance/games.py:Pig"])  # Pig: three players, and dice
def test_the_plain_search_grows_the_same_tree(name: str, root: str, cache: int, solver: bool) -> None:
    position = damier.game(name).start()
    for seed in range(3):
        search = search_of(position, root, SIMS, solver, cache=cache, keep=False)
        warm_up = search.network.asked  # type: ignore[attr-defined]
        result = search.search(position, seed)
        naive = Naive(position, network_for(position.game), root, SIMS, seed, solver)
        compare(search, int(search.forest.root[0]), naive.root)
        assert sum(result.visits) == result.sims == SIMS
        asked = search.network.asked - warm_up  # type: ignore[attr-defined]
        assert asked <= naive.network.asked if cache else asked == naive.network.asked
        again = search.search(position, seed)
        assert again.move_values == result.move_values
        asked_again = search.network.asked - warm_up - asked  # type: ignore[attr-defined]
        assert asked_again <= 4 if cache else asked_again == asked  # two positions may want the same place
        position = position.play(result.move)
        while position.is_chance:
            position = position.play(position.random_move(new_rng(seed)))


@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("root", ROOTS)
def test_ends_may_also_tell_by_how_much_was_won(root: str, solver: bool) -> None:
    position = damier.game("tictactoe").start().play_all([0, 1, 3, 2])
    guide = Guide(ROOTS[root], solver=solver, margin=0.4, reach=REACH)
    search = GuidedSearch(position.game, network_for(position.game), guide, Budget(sims=SIMS), batch=1, keep=False)
    search.search(position, 1)
    naive = Naive(position, network_for(position.game), root, SIMS, 1, solver, margin=0.4)
    compare(search, int(search.forest.root[0]), naive.root)


def test_forced_playouts_are_made_and_taken_back() -> None:
    position = damier.game("tictactoe").start()
    guide = Guide(PUCT, c_puct=1.0, forced=2.0)
    result = GuidedSearch(position.game, network_for(position.game), guide, Budget(sims=SIMS), batch=1).search(position)
    shares = np.array(result.visits) / SIMS
    plain = GuidedSearch(position.game, network_for(position.game), Guide(PUCT, c_puct=1.0), Budget(sims=SIMS), batch=1)
    for visits, prior, without in zip(result.visits, result.priors, plain.search(position).visits, strict=True):
        owed = np.sqrt(2 * prior * SIMS)
        assert visits == 0 or visits >= owed - 1
        if 0 < without < owed - 1:
            assert visits > without
    best = result.moves.index(result.move)
    assert result.policy[best] == max(result.policy) > shares[best]
    assert sum(result.policy) == pytest.approx(1)
    assert any(policy == 0 < visits for policy, visits in zip(result.policy, result.visits, strict=True))


def test_halving_visits_as_the_table_says() -> None:
    for considered in range(1, 20):
        for sims in (1, 2, 7, 16, 33, 200):
            expected = halving_table(considered, sims)
            assert [visits_considered(considered, sims, number) for number in range(sims + 1)] == expected


def test_a_round_that_is_not_complete_may_be_won_by_any_child_that_is_left_in_it() -> None:
    position, most_visited = damier.game("tictactoe").start().play_all([0, 1]), 0
    for sims in range(1, 60):
        result = search_of(position, "gumbel", sims, solver=False, keep=False).search(position)
        naive = Naive(position, network_for(position.game), "gumbel", sims, 0, solver=False)
        logits = improved_logits(naive.root, position.player)
        left = [move for move, child in naive.root.children.items() if child.visits >= naive.order[sims]]
        assert result.move == max(left, key=logits.__getitem__)
        most_visited += result.visits[result.moves.index(result.move)] == max(result.visits)
    assert most_visited < 59  # so it matters


def test_what_is_remembered_is_right_or_forgotten() -> None:
    cache, rng = Evaluations(16), np.random.default_rng(1)
    known: dict[int, tuple[Any, Any]] = {}
    probs, values, found = np.zeros(40), np.zeros(2), 0
    for number in range(600):
        key, count = int(rng.integers(40)) + 1, 0
        if key in known:
            count = known[key][0].size
            if recall(cache, np.uint64(key), count, probs, values):
                found += 1
                assert probs[:count].tolist() == known[key][0].tolist()
                assert values.tolist() == known[key][1].tolist()
            continue
        given = rng.integers(100, size=1 + number % 39).astype(float), rng.integers(100, size=2).astype(float)
        known[key] = given
        remember(cache, np.uint64(key), given[0].size, *given)
    assert 10 < found < 500


def test_noise_has_the_distribution_that_it_should() -> None:
    rng, draws = new_rng(1), np.zeros((2000, 4))
    for row in draws:
        dirichlet(0.5, row, 4, rng)
    assert np.allclose(draws.sum(axis=1), 1)
    assert np.allclose(draws.mean(axis=0), 0.25, atol=0.02)
    assert np.allclose(draws.var(axis=0), 0.25 * 0.75 / (4 * 0.5 + 1), atol=0.01)
    numbers = [gumbel(rng) for _ in range(4000)]
    assert np.mean(numbers) == pytest.approx(0.5772, abs=0.07)
    assert np.var(numbers) == pytest.approx(np.pi**2 / 6, abs=0.2)


# -- what Gumbel's root promises --------------------------------------------------------------------------------


class Bandit:
    """One move, and its payoff."""

    State = np.dtype([("player", np.int8), ("arm", np.int8)])
    num_players = 1
    max_moves = num_actions = 8
    max_length = 1
    encode_shape = (1, 1, 1)

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        self.payoffs = np.random.default_rng(seed).uniform(-1, 1, 8)

    def setup(self, state: Any) -> None:
        state.arm = -1

    def moves(self, state: Any, out: Moves) -> int:
        out[:8] = np.arange(8)
        return 8 if state.arm < 0 else 0

    def play(self, state: Any, move: int) -> None:
        state.arm = move

    def returns(self, state: Any, out: Values) -> None:
        out[0] = self.payoffs[state.arm]

    def encode(self, state: Any, out: Planes) -> None:
        out[:] = 1


@without_compiler
@pytest.mark.parametrize("sims", [2, 16])
def test_few_simulations_improve_the_policy_on_average(sims: int) -> None:
    """Danihelka et al.: whatever the prior, the move that is played is worth at least what the prior plays, on average
    over the random numbers, and so is the policy that is learnt."""
    for number in range(2):
        position = damier.game(Bandit(number)).start()
        payoffs = position.game.rules.payoffs
        network = Linear(1, 8, 1, seed=number)
        network.values[:] = 0
        (logits,), _ = network.evaluate(np.ones((1, 1, 1, 1), np.float32))
        prior = np.exp(logits) / np.exp(logits).sum()
        search = GuidedSearch(position.game, network, Guide(GUMBEL), Budget(sims=sims), 1.0, batch=1)
        results = [search.search(position, seed) for seed in range(80)]
        played = np.mean([payoffs[result.move] for result in results])
        learnt = np.mean([np.dot(result.policy, payoffs) for result in results])
        assert played > prior @ payoffs
        assert learnt > prior @ payoffs
        if sims == 16:  # every move was tried
            assert played > payoffs.max() - 0.05
