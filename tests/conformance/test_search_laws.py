"""Every search keeps the laws: more budget is not worse, no budget is unlike its neighbours, what is plain is found,
and the order in which the rules list the moves means nothing."""

import math
from functools import cache
from itertools import pairwise

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.loading import load_class
from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.core.spec import defaults
from damier.players import REGISTRY
from damier.search.result import SearchResult

pytestmark = pytest.mark.skipif(not COMPILER_ON, reason="thousands of searches, which need the compiler")

BY_SIMS = [
    "flat",
    "uct",
    "tuned",
    "rave",
    "grave",
    "puct",
    "mcts",
    "halving",
    "shuss",
    "nested:level=1",
    "nested",
    "zero",
]
BY_NODES = ["minimax", "negamax", "alphabeta:memory=1", "expectimax", "expectiminimax", "maxn", "paranoid", "bestreply"]
VARIANTS = [
    "flat:threads=2",
    "uct:c=50",
    "uct:solver=true",
    "uct:cutoff=0,solver=true",
    "uct:widen=2",
    "uct:playout=replies",
    "uct:pace=open",
    "zero:root=puct",
    "zero:mass=0.9",
    "zero:threads=2",
    "zero:pace=open",
]
WITHOUT_NETWORK = [spec for spec in BY_SIMS + VARIANTS if not spec.startswith("zero")]
NO_BUDGET = {"random", "human", "careful", "perfect", "engine", "cfr", "belief"}
ONE_PLAYER = {"nrpa", "astar", "idastar"}
HIDDEN = {"pimc", "ismcts", "cheat", "cfr", "belief"}  # see test_hidden_search_laws
SEEDS = 30

TICTACTOE, CONNECT4 = "tictactoe", "connect4"
OTHER_ORDER = "tests/conformance/games.py:OtherOrder"


def test_every_player_with_a_budget_is_held_to_the_laws() -> None:
    names = {spec.partition(":")[0] for spec in BY_SIMS + BY_NODES}
    assert names | NO_BUDGET | ONE_PLAYER | HIDDEN == set(REGISTRY)
    assert not [name for name in NO_BUDGET if {"sims", "nodes"} & set(defaults(load_class(REGISTRY[name])))]


def search(spec: str, position: Position, seed: int, **budget: int) -> SearchResult:
    options = ",".join(f"{name}={value}" for name, value in budget.items())
    return damier.player(f"{spec}{',' if ':' in spec else ':'}{options}").search(position, seed)


def after(game: str, moves: str) -> Position:
    return damier.game(game).start().play_all(moves)


# -- more is not worse ---------------------------------------------------------------------------------------------


@cache
def open_decisions() -> list[tuple[Position, frozenset[int]]]:
    """Positions of tic-tac-toe in which some moves throw something away, and the moves that don't."""
    rng, found = new_rng(1), dict[bytes, tuple[Position, frozenset[int]]]()
    while len(found) < 50:
        position = damier.game(TICTACTOE).start()
        for _ in range(1 + below(rng, 5)):
            position = position.play(position.random_move(rng))
        if not position.is_over:
            solved = damier.player("perfect").search(position)
            best = frozenset(
                move for move, score in zip(solved.moves, solved.scores, strict=True) if score == max(solved.scores)
            )
            if len(best) < len(solved.moves):
                found[position.state.tobytes()] = position, best
    return list(found.values())


def mistakes(spec: str, **budget: int) -> int:
    return sum(search(spec, position, 7, **budget).move not in best for position, best in open_decisions())


@pytest.mark.parametrize("spec", BY_SIMS + VARIANTS)
def test_more_simulations_are_not_worse(spec: str) -> None:
    if spec.startswith("zero"):
        assert mistakes(spec, sims=64) <= mistakes(spec, sims=9) + 2
        return
    counts = [mistakes(spec, sims=sims) for sims in (1, 5, 11, 23, 47, 95, 191, 383)]
    for fewer, more in pairwise(counts):
        assert more <= fewer + 3 * math.sqrt(max(1, fewer)), counts
    assert counts[-1] < counts[0] / 2, counts


@pytest.mark.parametrize("spec", BY_NODES)
def test_more_nodes_are_not_worse(spec: str) -> None:
    counts = [mistakes(spec, nodes=nodes) for nodes in (1, 5, 23, 95, 383, 1531, 6143, 24571)]
    for fewer, more in pairwise(counts):
        assert more <= fewer + 3 * math.sqrt(max(1, fewer)), counts
    assert counts[-1] < counts[0] / 2, counts
    if spec != "expectimax":  # against a perfect opponent it is wrong at any depth
        assert mistakes(spec, depth=9) == 0


# -- a budget behaves like its neighbours --------------------------------------------------------------------------


@pytest.mark.parametrize("spec", WITHOUT_NETWORK)
def test_budgets_that_do_not_divide_behave_like_their_neighbours(spec: str) -> None:
    """How often a threat of Connect 4 is met, by budgets in a row, of which one in seven divides evenly."""
    position = after(CONNECT4, "a a b b c")
    found = [
        sum(search(spec, position, seed, sims=sims).notation == "d" for seed in range(SEEDS)) for sims in range(98, 113)
    ]
    mean = sum(found) / len(found)
    deviation = math.sqrt(max(1, mean * (1 - mean / SEEDS)))
    assert all(abs(count - mean) <= 4 * deviation for count in found), found
    assert mean > 0.6 * SEEDS, found


# -- what is plain is found ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", BY_SIMS + VARIANTS)
@pytest.mark.parametrize(("game", "moves", "win"), [(TICTACTOE, "a1 b1 a2 c2", "a3"), (CONNECT4, "a a b b c c", "d")])
def test_a_win_in_one_is_played_by_any_budget_that_visits_it(game: str, moves: str, win: str, spec: str) -> None:
    position, visited = after(game, moves), 0
    for sims in range(1, 30):
        for seed in range(3):
            result = search(spec, position, seed, sims=sims)
            if result.visits[position.notations().index(win)]:
                visited += 1
                assert result.notation == win, (sims, seed)
    assert visited > 10


@pytest.mark.parametrize("spec", BY_SIMS + VARIANTS)
def test_a_block_in_one_is_found_by_any_larger_budget(spec: str) -> None:
    """The reply that punishes other moves must be drawn, so not every budget can find it. From forty simulations a move
    on, nearly every search does, whatever the number."""
    position = after(CONNECT4, "a a b b c")
    for sims in (281, 283, 288, 293, 401, 491, 503, 997):
        found = sum(search(spec, position, seed, sims=sims).notation == "d" for seed in range(10))
        assert found >= 9, (sims, found)


@pytest.mark.parametrize("spec", BY_NODES)
@pytest.mark.parametrize(
    ("game", "moves", "answer", "depth"), [(TICTACTOE, "a1 b1 a2 c2", "a3", 1), (CONNECT4, "a a b b c", "d", 2)]
)
def test_a_win_and_a_block_in_one_are_found_once_the_depth_is_searched(
    game: str, moves: str, answer: str, depth: int, spec: str
) -> None:
    position = after(game, moves)
    for nodes in (*range(1, 80), 101, 199, 401, 997):
        result = search(spec, position, 1, nodes=nodes)
        if result.depth >= depth and (depth == 1 or spec != "expectimax"):
            assert result.notation == answer, nodes
    assert result.depth >= depth


# -- the order of the moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [*WITHOUT_NETWORK, "uct:widen=0.5"])
@pytest.mark.parametrize("sims", [1, 30])
def test_which_move_is_chosen_does_not_depend_on_the_order_of_the_moves(spec: str, sims: int) -> None:
    """The same seeds on both games: other games are played, but each move is chosen about as often."""
    counts: list[dict[str, int]] = []
    for game in (TICTACTOE, OTHER_ORDER):
        position = after(game, "b2")
        counts.append(dict.fromkeys(position.notations(), 0))
        for seed in range(100):
            counts[-1][search(spec, position, seed, sims=sims).notation] += 1
    ours, theirs = counts
    spread = sum((ours[move] - theirs[move]) ** 2 / max(1, ours[move] + theirs[move]) for move in ours)
    assert spread < 24.3, (ours, theirs)  # chi-square with 7 degrees of freedom: 1 in 1000


@pytest.mark.parametrize("spec", BY_NODES)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_value_does_not_depend_on_the_order_of_the_moves(spec: str, depth: int) -> None:
    for moves in ("", "b2", "a1 b2", "a1 b1 a2"):
        values = [search(spec, after(game, moves), 1, depth=depth).values for game in (TICTACTOE, OTHER_ORDER)]
        assert values[0] == pytest.approx(values[1])
