"""A program with levels, for tests: tic-tac-toe by the Go Text Protocol, without damier. It thinks longer at higher
levels, and plays as well as its level says:

    1   gives the game away
    2   takes the first free cell
    3+  plays perfectly
"""

import sys
import time
from functools import cache

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
CELLS = [column + row for row in "321" for column in "abc"]
THOUGHT = 0.01  # seconds for a move and a level


@cache
def value(board: str, mover: str) -> int:
    """For the player to move: 1 won, 0 drawn, -1 lost."""
    other = "w" if mover == "b" else "b"
    if any(all(board[cell] == other for cell in line) for line in LINES):
        return -1
    if "." not in board:
        return 0
    return max(-value(after, other) for after in boards_after(board, mover).values())


def boards_after(board: str, mover: str) -> dict[int, str]:
    return {cell: board[:cell] + mover + board[cell + 1 :] for cell in range(9) if board[cell] == "."}


def choose(board: str, mover: str, level: int) -> int:
    other = "w" if mover == "b" else "b"
    after = boards_after(board, mover)
    if level == 2:
        return min(after)
    return (max if level == 1 else min)(after, key=lambda cell: value(after[cell], other))


def main(level: int) -> None:
    board = "." * 9
    for line in sys.stdin:
        word, *rest = line.split()
        answer = ""
        if word == "clear_board":
            board = "." * 9
        elif word == "level":
            level = int(rest[0])
        elif word == "play":
            board = boards_after(board, rest[0])[CELLS.index(rest[1])]
        elif word == "genmove":
            time.sleep(THOUGHT * level)
            cell = choose(board, rest[0], level)
            board = boards_after(board, rest[0])[cell]
            answer = CELLS[cell]
        print(f"= {answer}\n", flush=True)
        if word == "quit":
            return


if __name__ == "__main__":
    main(int(sys.argv[1]))
