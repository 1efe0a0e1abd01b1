"""The 8-puzzle, whose every position is at a known distance."""

from collections import Counter
from functools import cache
from itertools import permutations

import numpy as np
import pytest

import damier
from damier.core import calls
from damier.core.compile import COMPILER_ON
from damier.core.errors import SpecError
from damier.core.rng import below, new_rng

# OEIS A089473: positions by the number of moves to the goal, with the gap in a corner.
BY_DISTANCE = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993]
BY_DISTANCE += [17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2]


@cache
def distances(size: int) -> dict[str, int]:
    """How many moves every board is from the goal."""
    goal = "123456789"[: size * size - 1] + "0"
    found, boards = {goal: 0}, [goal]
    for board in boards:  # grows while it is visited
        for successor in neighbours(board, size):
            if successor not in found:
                found[successor] = found[board] + 1
                boards.append(successor)
    return found


def neighbours(board: str, size: int) -> list[str]:
    gap = board.index("0")
    row, col = divmod(gap, size)
    cells = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    tiles = [board[size * row + col] for row, col in cells if 0 <= row < size and 0 <= col < size]
    return [board.translate(str.maketrans(f"0{tile}", f"{tile}0")) for tile in tiles]


def test_the_8_puzzle_has_181440_positions_the_hardest_31_moves_away() -> None:
    counted = Counter(distances(3).values())
    assert [counted[moves] for moves in range(32)] == BY_DISTANCE
    assert sum(BY_DISTANCE) == 181_440


@pytest.mark.parametrize("size", [2, 3])
def test_distance_is_a_consistent_lower_bound(size: int) -> None:
    game = damier.game(f"sliding:size={size}")
    every = 1 if COMPILER_ON else 50  # plain rules take long
    states, bounds = game.new_states(1), {}

    def bound(board: str) -> int:
        if board not in bounds:
            states[0].tiles = np.uint64(int(board[::-1], 16))
            bounds[board] = game.run(calls.distance, states[0])
        return int(bounds[board])

    for board, moves in list(distances(size).items())[::every]:
        assert bound(board) <= moves
        assert (bound(board) == 0) == (moves == 0)
        assert all(abs(bound(board) - bound(successor)) <= 1 for successor in neighbours(board, size)), board


def test_linear_conflicts_are_counted() -> None:
    """Two tiles that must pass each other in their row, three in reversed order, and two in a column."""
    expected = {"213456780": 4, "321456780": 8, "423156780": 4}
    for board, distance in expected.items():
        states = damier.game("sliding").new_states(1)
        states[0].tiles = np.uint64(int(board[::-1], 16))
        assert damier.game("sliding").run(calls.distance, states[0]) == distance, board


def test_a_board_is_accepted_if_it_can_be_solved() -> None:
    boards = ["".join(tiles) for tiles in permutations("0123")]
    rng = new_rng(1)
    for _ in range(100):
        tiles = list("012345678")
        boards.append("".join(tiles.pop(below(rng, len(tiles))) for _ in range(9)))
    accepted = {board for board in boards if is_accepted(board)}
    assert accepted == {board for board in boards if board in distances(2) or board in distances(3)}
    assert len(accepted) > 40


def is_accepted(board: str) -> bool:
    try:
        damier.game(f"sliding:size={2 if len(board) == 4 else 3},board={board}")
    except SpecError:
        return False
    return True


def test_a_hardest_position_is_solved_by_stepping_down() -> None:
    hardest = next(board for board, moves in distances(3).items() if moves == 31)
    position = damier.game(f"sliding:board={hardest}").start()
    board = hardest
    while not position.is_over:
        board = min(neighbours(board, 3), key=distances(3).__getitem__)
        gap_before = f"{int(position.state.tiles):09x}"[::-1].index("0")
        position = position.play(board[gap_before])  # the tile that is there now
    assert len(position.history) == position.game.score(position.state) == 31
    assert position.returns == (1 - 31 / 101,)
    assert position.distance() == 0
