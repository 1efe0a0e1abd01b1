"""Positions of Connect 4 for `connect4_errors`, in the six classes of the published test sets.

    .venv/bin/python benchmarks/connect4_sets.py FOLDER [--positions 150] [--seed 5]

A position is made by random moves; nobody can win at once. Its class tells how many discs lie on the board and how many
more it takes, played perfectly by both, to the end: `L1` fewer than 14, `L2` fewer than 28, `L3` more; `R1` fewer than
14, `R2` fewer than 28, `R3` more. A line holds the columns played, from 1 on, and the score. bitbully solves.
"""

import argparse
import random
from pathlib import Path

from bitbully import BitBully, Board

from damier.core.files import write_file

CLASSES = ("L1_R1", "L1_R2", "L1_R3", "L2_R1", "L2_R2", "L3_R1")
EARLY, LATE, CELLS = 14, 28, 42


def random_line(discs: int, rng: random.Random) -> list[int] | None:
    """So many random moves from the start; None if a game ends on the way or the next move could win it."""
    board, line = Board(), []
    for _ in range(discs):
        line.append(rng.choice(board.legal_moves()))
        board.play(line[-1])
        if board.is_game_over():
            return None
    return None if board.can_win_next() else line


def class_of(line: list[int], solver: BitBully) -> tuple[str, int]:
    """The class of the position, and its score for the player to move."""
    board = Board(line)
    score = max(solver.score_all_moves(board).values())
    left = solver.score_to_moves_left(score, board) if score else CELLS - len(line)
    return f"L{stage(len(line))}_R{stage(left)}", int(score)


def stage(count: int) -> int:
    return 1 if count < EARLY else 2 if count < LATE else 3


def make_sets(positions: int, seed: int) -> dict[str, list[str]]:
    rng, solver = random.Random(seed), BitBully(opening_book="default")
    sets: dict[str, dict[str, str]] = {name: {} for name in CLASSES}
    while any(len(found) < positions for found in sets.values()):
        discs = rng.randrange(2, CELLS - 2)
        if all(len(sets[name]) >= positions for name in CLASSES if name.startswith(f"L{stage(discs)}")):
            continue
        line = random_line(discs, rng)
        if line is None:
            continue
        name, score = class_of(line, solver)
        columns = "".join(str(column + 1) for column in line)
        if name in sets and len(sets[name]) < positions:
            sets[name][columns] = f"{columns} {score}"
    return {name: list(found.values()) for name, found in sets.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=150, help="of each class")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, lines in make_sets(options.positions, options.seed).items():
        write_file(options.folder / f"Test_{name}", ("\n".join(lines) + "\n").encode())
        print(f"{options.folder / f'Test_{name}'}: {len(lines)} positions")


if __name__ == "__main__":
    main()
