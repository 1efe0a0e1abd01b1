"""Write the solved positions in `data/`, each with a score that two programs agree on.

    python -m tests.solved.make_positions

Connect 4: positions in classes as in the published sets (see `benchmarks/connect4_sets.py`), solved by bitbully and by
our solver. A line holds the columns played, from 1 on, and the score for the player to move.

Othello: late positions of random games, solved by our solver and by plain alpha-beta with OpenSpiel's rules. A line
holds the moves played, then each legal move with the discs by which it wins, as in OBF; empty squares are the winner's.
"""

import random
from pathlib import Path
from typing import Any

import pyspiel
from benchmarks.connect4_sets import make_sets

import damier
from damier.core.files import write_file
from damier.search.solve import Solver
from tests.random_games import random_positions

DATA = Path(__file__).parent / "data"
CLASSES = {"L3_R1": 40, "L2_R1": 30, "L2_R2": 10, "L1_R1": 10}
EMPTY_SQUARES = (6, 7, 8, 9)
PER_COUNT = 5
SQUARES = 64


def connect4_lines() -> list[str]:
    solver, sets = Solver(damier.game("connect4")), make_sets(max(CLASSES.values()), seed=11)
    lines = [line for name, count in CLASSES.items() for line in sets[name][:count]]
    for line in lines:
        columns, score = line.split()
        assert solver.score(solver.game.start().play_all(list(columns))) == int(score), line
    return lines


def othello_lines() -> list[str]:
    solver, rng = Solver(damier.game("othello")), random.Random(11)
    lines = []
    for empty in EMPTY_SQUARES:
        found = 0
        while found < PER_COUNT:
            for position in random_positions(solver.game, rng.randrange(10**6)):
                discs = int((position.state.discs[0] | position.state.discs[1]).bit_count())
                if SQUARES - discs == empty and len(position.moves()) > 2:
                    lines.append(othello_line(solver, position))
                    found += 1
                    break
    return lines


def othello_line(solver: Solver, position: damier.Position) -> str:
    state = pyspiel.load_game("othello").new_initial_state()
    for move in position.history:
        state.apply_action(move)
    scores = solver.solve(position, moves=True).moves
    for move, score in scores.items():
        assert outcome(state.child(move), state.current_player(), -SQUARES, SQUARES) == score, position
    played = " ".join(before.notation(move) for before, move in line_of(position))
    ranked = sorted(scores.items(), key=lambda pair: -pair[1])
    return f"{played}; " + " ".join(f"{position.notation(move)}:{score:+d}" for move, score in ranked)


def line_of(position: damier.Position) -> list[tuple[damier.Position, int]]:
    before, line = position.game.start(), []
    for move in position.history:
        line.append((before, move))
        before = before.play(move)
    return line


def outcome(state: Any, player: int, alpha: int, beta: int) -> int:
    """By how many discs this player wins, with best play on both sides."""
    if state.is_terminal():
        rows = "".join(line for line in str(state).splitlines() if line[0].isdigit())
        own, other = (rows.count(sign) for sign in ("xo" if player == 0 else "ox"))
        empty = SQUARES - own - other
        return own - other + (empty if own > other else -empty if own < other else 0)
    is_own = state.current_player() == player
    for action in state.legal_actions():
        value = outcome(state.child(action), player, alpha, beta)
        if is_own:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if is_own else beta


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for name, lines in (("connect4", connect4_lines()), ("othello", othello_lines())):
        write_file(DATA / f"{name}.txt", "\n".join(lines) + "\n")
        print(f"{DATA / name}.txt: {len(lines)} positions")


if __name__ == "__main__":
    main()
