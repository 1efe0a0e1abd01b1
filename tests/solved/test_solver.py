"""The solver against known values, against plain minimax, and against published positions of Connect 4."""

from functools import cache
from pathlib import Path

import pytest

import damier
from damier import Position
from damier.core.compile import COMPILER_ON
from damier.core.errors import DamierError
from damier.search.solve import Solver
from tests.random_games import random_positions

PUBLISHED = Path(__file__).parents[3] / "shared" / "data" / "connect4"
SAMPLE = {"Test_L3_R1": 200, "Test_L2_R1": 100, "Test_L1_R1": 30}
NUM_GAMES = 12 if COMPILER_ON else 2


@cache
def margin(position: Position) -> int:
    """Plain minimax over margins, which at the end are the game's bounds, or its payoff."""
    if position.is_over:
        returns = position.returns or ()
        return position.bounds()[0] if position.game.has("bounds") else int(returns[0])
    best = max if position.player == 0 else min
    return best(margin(position.play(move)) for move in position.moves())


def score(position: Position) -> int:
    return -margin(position) if position.player == 1 else margin(position)


@pytest.mark.parametrize(("name", "left"), [("connect4:rows=4,cols=4", 8), ("othello:size=4", 7), ("tictactoe", 9)])
def test_scores_agree_with_plain_minimax(name: str, left: int) -> None:
    """And what the game tells of itself is true: the bounds hold, and a best move is among the candidates."""
    game = damier.game(name)
    solver = Solver(game, memory=1)
    for seed in range(NUM_GAMES):
        positions = list(random_positions(game, seed))
        for position in positions[max(0, len(positions) - left) :]:
            solution = solver.solve(position, moves=True)
            assert solution.score == score(position), position
            mover = -1 if position.player == 1 else 1
            assert solution.moves == {move: mover * margin(position.play(move)) for move in position.moves()}
            if game.has("bounds"):
                low, high = position.bounds()
                assert low <= margin(position) <= high, position
                if low < high:
                    buffers = game.buffers()
                    listed = buffers.moves[: game.rules.candidates(position.state, buffers.moves)].tolist()
                    assert max(solution.moves[move] for move in listed) == solution.score, position


@pytest.mark.skipif(not COMPILER_ON, reason="too slow without the compiler")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tictactoe", 0),
        ("mnk:rows=3,cols=4,k=3", 1),
        ("connect4:rows=4,cols=5", 0),
        ("othello:size=4", -10),  # 3 to 11, and the two empty squares
    ],
)
def test_known_values(name: str, expected: int) -> None:
    assert damier.solve(name).score == expected


def solved(name: str) -> list[str]:
    """Positions with scores that two programs agree on: see `make_positions`."""
    return (Path(__file__).parent / "data" / f"{name}.txt").read_text().splitlines()


@pytest.mark.skipif(not COMPILER_ON, reason="too slow without the compiler")
def test_positions_of_connect4_that_bitbully_solved() -> None:
    solver = Solver(damier.game("connect4"))
    for line in solved("connect4"):
        columns, expected = line.split()
        assert solver.score(solver.game.start().play_all(list(columns))) == int(expected), line


@pytest.mark.skipif(not COMPILER_ON, reason="too slow without the compiler")
def test_every_move_of_othello_positions_that_were_solved_with_the_rules_of_open_spiel() -> None:
    solver = Solver(damier.game("othello"))
    for line in solved("othello"):
        played, scores = line.split("; ")
        position = solver.game.start().play_all(played)
        expected = {text: int(score) for text, score in (pair.split(":") for pair in scores.split())}
        found = solver.solve(position, moves=True)
        assert {position.notation(move): score for move, score in found.moves.items()} == expected, line
        assert found.score == max(expected.values())


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason=f"{PUBLISHED} is not there")
@pytest.mark.skipif(not COMPILER_ON, reason="too slow without the compiler")
@pytest.mark.parametrize("name", SAMPLE)
def test_published_positions_of_connect4(name: str) -> None:
    solver = Solver(damier.game("connect4"))
    for line in (PUBLISHED / name).read_text().splitlines()[: SAMPLE[name]]:
        columns, expected = line.split()
        assert solver.score(solver.game.start().play_all(list(columns))) == int(expected), line


@pytest.mark.skipif(not COMPILER_ON, reason="too slow without the compiler")
def test_othello_with_14_empty_squares() -> None:
    """A score is the best of those of the moves, and alpha-beta, which shares no code with the solver and knows no
    discs but who wins, searches to the end and finds the same winner."""
    position = next(p for p in random_positions(damier.game("othello"), 3) if len(p.history) == 46)
    assert int((position.state.discs[0] | position.state.discs[1]).bit_count()) == 64 - 14
    solution = damier.solve(position, moves=True)
    assert solution.score == max(solution.moves.values())
    result = damier.player("alphabeta:depth=40,memory=16").search(position)
    assert result.values is not None
    assert result.values[position.player] == (solution.score > 0) - (solution.score < 0)


def test_what_is_found_of_a_position_is_known_of_its_mirror_image() -> None:
    game = damier.game("connect4:rows=4,cols=4")
    left, right = (game.start().play_all(moves) for moves in ("a a b d", "d d c a"))
    assert left.key != right.key
    solver = Solver(game, memory=1)
    scores, nodes = [], []
    for position in (left, right):
        before = solver.nodes
        scores.append(solver.score(position))
        nodes.append(solver.nodes - before)
    assert scores[0] == scores[1] == score(left)
    assert nodes[1] <= 2 < nodes[0]


@pytest.mark.parametrize("name", ["backgammon", "sliding", "blokus:board=tiny,players=3"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(DamierError, match="expected a game of two players without chance"):
        damier.solve(name)
