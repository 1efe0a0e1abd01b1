"""Count everything in the data files again with the naive rules: `python -m tests.perft.recount`.

It takes some minutes, and leaves out counts above the limit that may be given (default 400 000 leaves)."""

import sys
from itertools import takewhile

import damier
from tests.perft.data import Case, cases
from tests.reference.naive import count, new_board


def recount(case: Case, limit: int) -> tuple[list[int], list[int]]:
    """The leaves and the different positions, to the depth at which there are more leaves than the limit."""
    depth = len(list(takewhile(lambda leaves: leaves <= limit, case.perft)))
    board = new_board(case.game)
    for move in damier.game(case.game).start().play_all(case.moves).history:
        board.play(move)
    return count(board, depth)


def is_right(case: Case, limit: int) -> bool:
    leaves, positions = recount(case, limit)
    return leaves == case.perft[: len(leaves)] and positions[: len(case.distinct)] == case.distinct[: len(positions)]


def main() -> None:
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    for case in cases():
        print("right" if is_right(case, limit) else "WRONG", case, flush=True)


if __name__ == "__main__":
    main()
