"""A*, IDA* and a plain breadth-first search find lines of the same length."""

from collections import deque

import pytest

import damier
from damier.core.compile import COMPILER_ON
from damier.core.position import Position

needs_compiler = pytest.mark.skipif(not COMPILER_ON, reason="too slow uncompiled")


def distances(board: str, depth: int) -> dict[str, int]:
    """Breadth first from the solved board: the boards up to a depth, and how far they are."""
    found, waiting = {board: 0}, deque([board])
    while waiting:
        tiles = waiting.popleft()
        if found[tiles] == depth:
            continue
        for neighbour in neighbours(tiles):
            if neighbour not in found:
                found[neighbour] = found[tiles] + 1
                waiting.append(neighbour)
    return found


def neighbours(tiles: str) -> list[str]:
    size = {9: 3, 16: 4}[len(tiles)]
    row, col = divmod(tiles.index("0"), size)
    swapped = []
    for other_row, other_col in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        if 0 <= other_row < size and 0 <= other_col < size:
            tile = tiles[size * other_row + other_col]
            swapped.append(tiles.replace("0", "*").replace(tile, "0").replace("*", tile))
    return swapped


def start(board: str) -> Position:
    size = {9: 3, 16: 4}[len(board)]
    return damier.game(f"sliding:size={size},board={board}").start()


def solve(spec: str, position: Position) -> int:
    result = damier.player(spec).search(position)
    returns = position.play_all(result.pv).returns
    assert returns is not None
    assert returns[0] > 0
    assert result.depth == len(result.pv)
    return result.depth


@needs_compiler
@pytest.mark.parametrize("spec", ["astar:memory=16", "idastar"])
def test_the_eight_puzzle_is_solved_as_breadth_first_search_says(spec: str) -> None:
    boards = distances("123456780", 31)
    assert len(boards) == 181_440  # half of 9!
    hardest = [board for board, distance in boards.items() if distance == 31]
    assert sorted(hardest) == ["647850321", "867254301"]
    for board in [*hardest, *list(boards)[1::1_499]]:
        assert solve(spec, start(board)) == boards[board], board


@needs_compiler
@pytest.mark.parametrize("spec", ["astar:memory=16", "idastar"])
def test_the_fifteen_puzzle_is_solved_as_breadth_first_search_says(spec: str) -> None:
    boards = distances("123456789abcdef0", 14)
    for board in list(boards)[1::211]:
        assert solve(spec, start(board)) == boards[board], board


@pytest.mark.parametrize("spec", ["astar:memory=1", "idastar"])
def test_short_lines(spec: str) -> None:
    boards = distances("123456780", 7)
    for board in list(boards)[1::9]:
        assert solve(spec, start(board)) == boards[board], board


@needs_compiler
def test_the_first_puzzle_of_korf() -> None:
    """57 moves (Korf 1985). There the gap belongs first; turned by half and renumbered it belongs last."""
    korf = [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]
    board = "".join("0fedcba987654321"[tile] for tile in reversed(korf))
    assert solve("idastar", start(board)) == 57
