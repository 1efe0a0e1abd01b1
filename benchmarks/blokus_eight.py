"""Who wins Blokus of two on 8 x 8, with pieces of up to four squares? A proof: to each answer to the first placement a
reply that nothing helps against.

    .venv/bin/python benchmarks/blokus_eight.py [--first a6,a7,b7,a8] [--memory 6000] [--json]

GRAVE says which placements to look at first, and what they are worth is solved: from the fourth placement on by the
exact solver, for whatever the second player may do. It takes an estimated half hour on one core.
"""

import argparse
import json
import time
from typing import Any

import damier
from damier.core.errors import MoveError
from damier.core.position import Position
from damier.search.solve import Solver

GAME, GUIDE = "blokus:players=2,size=8,pieces=4", "grave:sims=20000,widen=4,playout=heavy,bias=1e-3,margin=0.95"
REPLIES = 10  # to look at, the most promising ones


def by_promise(pos: Position) -> list[int]:
    found = damier.player(GUIDE).search(pos)
    ranked = sorted(zip(found.visits, found.moves, strict=True), reverse=True)
    return [move for _, move in ranked]


def is_won(solver: Solver, pos: Position) -> bool:
    """Whether player 0 wins, whatever the one to move does: player 1, unless he is out already."""
    return all(solver.solve(pos.play(move)).values[0] == 1 for move in by_promise(pos))


def prove(solver: Solver, first: Position, answer: int) -> dict[str, Any]:
    """A reply of player 0 to an answer that wins, or none."""
    began, pos = time.process_time(), first.play(answer)
    winning = next((move for move in by_promise(pos)[:REPLIES] if is_won(solver, pos.play(move))), None)
    return {
        "answer": first.notation(answer),
        "reply": None if winning is None else pos.notation(winning),
        "then": 0 if winning is None else len(pos.play(winning).moves()),
        "seconds": round(time.process_time() - began, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", default="a6,a7,b7,a8", help="the first placement")
    parser.add_argument("--memory", type=int, default=6000, help="megabytes of the solver's table")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    start = damier.game(GAME).start()
    try:
        first = start.play(options.first)
    except MoveError as error:
        parser.error(str(error))
    solver = Solver(start.game, options.memory)
    rows = []
    for answer in first.moves():
        row = prove(solver, first, answer)
        rows.append(row)
        if not options.json:
            outcome = f"loses to {row['reply']}, against all {row['then']}" if row["reply"] else "is not refuted"
            print(f"{row['answer']:14} {outcome} ({row['seconds']} s)", flush=True)
    is_proven = all(row["reply"] for row in rows)
    if options.json:
        document = {"first": options.first, "proven": is_proven, "nodes": solver.nodes, "answers": rows}
        print(json.dumps(document, indent=2))
    else:
        print(f"{'proven: who begins wins' if is_proven else 'not proven'}; {solver.nodes:,} positions")


if __name__ == "__main__":
    main()
