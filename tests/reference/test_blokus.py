"""Blokus against naive rules, games recorded by Pentobi, and blokus-rl, move by move; and how `sample` draws."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier import Position
from damier.core import calls
from damier.core.compile import COMPILER_ON, kernel
from damier.core.rng import new_rng
from damier.games.blokus import judging
from damier.games.blokus.blksgf import VARIANTS
from damier.games.blokus.pieces import PIECES
from damier.games.blokus.tables import ORIENTATIONS
from damier.search.playouts import finish_game
from tests.random_games import random_positions
from tests.reference import naive_blokus
from tests.reference.test_naive_rules import compare_a_game

# Not ours to keep: read where it lies beside the project.
RECORDED = Path(__file__).parents[3] / "shared" / "data" / "blokus_random_games.json"
NUM_RECORDED = 24
NAMES = {
    "duo": VARIANTS["Blokus Duo"],
    "classic": VARIANTS["Blokus"],
    "classic_2": VARIANTS["Blokus Two-Player"],
    "classic_3": VARIANTS["Blokus Three-Player"],
}
LARGE = [*VARIANTS.values(), "blokus:players=2", "blokus:players=3", "blokus:board=tiny"]
SMALL = [
    "blokus:players=2,size=8,pieces=4",
    "blokus:board=tiny,players=3",
    "blokus:board=tiny,players=4,scoring=basic",
    "blokus:board=tiny,players=2,colours=4",
    "blokus:board=tiny,players=3,colours=4",
    "blokus:board=tiny,size=5,pieces=2",
    "blokus:board=duo,size=11,colours=4,pieces=3",
]
LARGE_GAMES, SMALL_GAMES = (4, 15) if COMPILER_ON else (1, 5)


@pytest.mark.parametrize("name", LARGE + SMALL)
def test_rules_agree_with_naive_ones_in_random_games(name: str, pytestconfig: pytest.Config) -> None:
    """A few, as long as nobody asks for more: pytest tests/reference/test_blokus.py -k naive --games 200."""
    for number in range(pytestconfig.getoption("games") or (LARGE_GAMES if name in LARGE else SMALL_GAMES)):
        compare_a_game(damier.game(name), seed=number)


@pytest.mark.parametrize("name", ["blokus:board=duo", *SMALL[:5]])
def test_weights_are_what_sets_of_squares_say(name: str) -> None:
    game = damier.game(name)
    naive, position = naive_blokus.Blokus(name), game.start()
    drawn = np.random.default_rng(5)
    while not position.is_over:
        for move in drawn.choice(position.moves(), 5):
            assert game.rules.weight(position.state, move) == pytest.approx(np.exp(naive_promise(naive, int(move))))
        move = int(drawn.choice(position.moves()))
        naive.play(move)
        position = position.play(move)


def naive_promise(game: naive_blokus.Blokus, move: int) -> float:
    cells = next(cells for cells, number in naive_blokus.numbers(game.spec).items() if number == move)
    beside = set().union(*map(naive_blokus.sides, cells)) - cells
    piece = next(piece for piece in PIECES if naive_blokus.at_home(piece.cells) in naive_blokus.turned(cells))
    promise = judging.WORTH[piece.name]
    if game.turns[game.colour] < judging.OPENING:
        middle = (game.size - 1) / 2
        promise += judging.FROM_MIDDLE * min(np.hypot(row - middle, col - middle) for row, col in cells)
    owners = [colour % 2 if game.num_players == 2 else colour for colour in range(game.num_colours)]
    others = [colour for colour, owner in enumerate(owners) if colour != game.colour and owner != game.player]
    for colour in others:
        own = set(game.cells[colour])
        near = set().union(*map(naive_blokus.sides, own))
        contacts = set().union(*map(naive_blokus.corners, own)) if own else {game.starts[colour]}
        points = game.on_board(contacts) - near - set().union(*game.cells)
        hindrance = judging.ON_POINT * len(cells & points) + judging.NO_USE * len(cells & near)
        hindrance += judging.BESIDE_PIECE * len(beside & own) + judging.BESIDE_POINT * len(beside & points)
        promise += hindrance / len(others)
    return promise


# -- counts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count", "first"),
    [
        ("blokus", 30_433, 58),
        ("blokus:board=duo", 13_729, 414),
        ("blokus:board=junior", 7_217, 189),
        ("blokus:board=tiny", 6_233, 58),
        ("blokus:board=tiny,players=4", 1_269, 21),
    ],
)
def test_placements_are_as_many_as_counted_one_by_one(name: str, count: int, first: int) -> None:
    game = damier.game(name)
    naive = naive_blokus.Blokus(name)
    counted = set(naive_blokus.placements(naive.size, naive.pieces))
    assert counted == set(naive_blokus.numbers(name))
    assert len(counted) == game.max_moves == count
    assert len(game.start().moves()) == first


def test_there_are_91_orientations() -> None:
    assert len(ORIENTATIONS) == sum(map(len, naive_blokus.all_pieces())) == 91


# -- games recorded by Pentobi: at each ply the colour, how many placements it has, and the one played --------


@pytest.mark.skipif(not RECORDED.is_file(), reason=f"needs {RECORDED}")
@pytest.mark.parametrize("number", range(NUM_RECORDED if COMPILER_ON else 3))
def test_games_recorded_by_pentobi_are_played_the_same(number: int) -> None:
    recorded = json.loads(RECORDED.read_text())["games"][number]
    position = damier.game(NAMES[recorded["variant"]]).start()
    for sign, count, move in recorded["plies"]:
        colour = "bw".find(sign) if sign in "bw" else int(sign) - 1
        if move is None:
            assert position.is_over or position.state.colour != colour
            assert int(position.state.dropped) >> colour & 1
        else:
            assert (position.state.colour, len(position.moves())) == (colour, count)
            position = position.play(move)
    assert position.is_over
    assert position.game.rules.format_score(position.state) == recorded["final_score"]


# -- blokus-rl: an action is a number of its own, known by what it puts on the board ---------------------------


def test_rules_agree_with_blokus_rl_in_random_games() -> None:
    foreign = pytest.importorskip("blokus_rl._blokus", reason="blokus-rl is not installed")
    game = damier.game("blokus")
    for seed in range(50 if COMPILER_ON else 1):
        _compare_with_blokus_rl(game, foreign.PyBlokus(), np.random.default_rng(seed))


def _compare_with_blokus_rl(game: damier.Game, foreign: Any, random: np.random.Generator) -> None:
    foreign.reset()
    position: Position = game.start()
    occupied: Any = np.zeros(400, bool)
    while not foreign.is_over:
        if foreign.terminations[foreign.agent_selection]:
            foreign.step(None)  # a colour that has dropped out passes
            continue
        legal = np.flatnonzero(np.frombuffer(foreign.observe(foreign.agent_selection).action_mask, bool))
        assert position.player == foreign.agent_selection
        assert len(position.moves()) == len(legal)
        foreign.step(int(random.choice(legal)))
        board = np.frombuffer(foreign.observe(0).observation, bool).reshape(4, 400).any(axis=0)
        position = position.play(game.rules.numbers[frozenset(np.flatnonzero(board & ~occupied).tolist())])
        occupied = board
    assert position.is_over
    ours = [game.rules.squares_of(position.state, colour) for colour in range(4)]
    assert ours == np.frombuffer(foreign.observe(0).observation, bool).reshape(4, 400).sum(axis=1).tolist()


# -- sample --------------------------------------------------------------------------------------------------


@kernel
def draw(game: Any, state: Any, counts: Any, times: int, rng: Any) -> int:
    for _ in range(times):
        counts[game.sample(state, rng)] += 1
    return times


@pytest.mark.parametrize("name", ["blokus", "blokus:board=duo", "blokus:board=junior", "blokus:board=tiny"])
def test_every_legal_placement_is_drawn_equally_often(name: str) -> None:
    """Pearson's chi-squared has the degrees of freedom as its mean, and twice as many as its variance."""
    game, rng = damier.game(name), new_rng(5)
    per_move = 200 if COMPILER_ON else 1
    chi_squared, freedom = 0.0, 0
    for position in random_positions(game, seed=4):
        counts, moves = np.zeros(game.max_moves), position.moves()
        if position.is_over:
            assert game.run(calls.sample, position.state, rng) == -1
            continue
        drawn = game.run(draw, position.state, counts, per_move * len(moves), rng)
        assert counts[moves].sum() == drawn
        chi_squared += float(((counts[moves] - per_move) ** 2 / per_move).sum())
        freedom += len(moves) - 1
    assert abs(chi_squared - freedom) < 5 * (2 * freedom) ** 0.5 or not COMPILER_ON


@kernel
def add_up(game: Any, start: Any, states: Any, games: int, buffers: Any, scores: Any, rng: Any) -> int:
    plies = 0
    for _ in range(games):
        states[0] = start[0]
        plies += finish_game(game, states[0], game.max_length, buffers, rng)
        for colour in range(scores.size):
            scores[colour] += game.colour_score(states[0], colour)
    return plies


@pytest.mark.skipif(not COMPILER_ON, reason="takes many games")
@pytest.mark.parametrize(
    ("name", "length", "means"),
    [("blokus:board=duo", 27.1, [55.0, 53.3]), ("blokus", 59.0, [61.2, 60.3, 59.2, 58.4])],
)
def test_random_games_are_as_long_and_score_as_those_of_another_program(
    name: str, length: float, means: list[float]
) -> None:
    game, games = damier.game(name), 40_000
    start, scores = np.array([game.start().state], game.dtype), np.zeros(len(means))
    plies = game.run(add_up, start, game.new_states(1), games, game.buffers(), scores, new_rng(6))
    assert plies / games == pytest.approx(length, abs=0.1)
    assert scores / games == pytest.approx(means, abs=0.2)  # theirs are means of some thousands of games


def test_a_position_takes_less_than_a_kibibyte() -> None:
    assert {damier.game(name).dtype.itemsize for name in LARGE + SMALL} == {850}
