"""A training that is killed again and again: `python -m tests.unit.killed_training FOLDER KILLS`.

Every training is a process of its own, forked from this one, which has everything loaded: so twenty of them cost no
more than a few seconds. Prints one JSON document: what was on the disk after each kill, and at the end.
"""

import json
import os
import random
import signal
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from damier.zero import checkpoint as checkpoints
from damier.zero.configuration import settings_for
from damier.zero.loop import train
from damier.zero.replay import Memory
from damier.zero.run import Run, create_run, open_run

ITERATIONS, TIMED, GAMES = 20, 5, 24
SETTINGS = {
    "iterations": ITERATIONS,
    "network": {"kind": "mlp", "blocks": 1, "channels": 32},
    "search": {"sims": 8},
    "selfplay": {"games": GAMES, "parallel": 8},
    "training": {"batch": 32, "reuse": 12.0},
}


def main(folder: Path, kills: int) -> None:
    whole = create_run(folder / "whole", settings_for("tictactoe", SETTINGS | {"iterations": 2}))
    train(whole, workers=1)  # also loads what is compiled, before the first fork
    timed = train(create_run(folder / "timed", settings_for("tictactoe", SETTINGS | {"iterations": TIMED})), workers=1)
    took = statistics.median(row["seconds"] for row in timed)
    run = create_run(folder / "killed", settings_for("tictactoe", SETTINGS))
    chance = random.Random(0)
    after: list[dict[str, Any]] = []
    hits = 0
    for number in range(1, kills + 1):
        hits += was_killed(run.folder, after=chance.uniform(0, 2 * took))
        after.append(inventory(run))
        # Two kills an iteration, also when the machine has become faster or slower meanwhile.
        took *= 1.25 if len(after[-1]["rows"]) < number / 2 else 0.8
    pid = fork(run.folder)
    assert os.waitpid(pid, 0)[1] == 0
    print(json.dumps({"hits": hits, "after": after, "end": inventory(run)}))


def fork(folder: Path) -> int:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            train(open_run(folder), workers=1)
            code = 0
        finally:
            os._exit(code)
    return pid


def was_killed(folder: Path, after: float) -> bool:
    pid = fork(folder)
    time.sleep(after)
    os.kill(pid, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(pid, 0)[1])


def inventory(run: Run) -> dict[str, Any]:
    """What is there: the whole games by number, the rows, the checkpoints, each of which must load."""
    memory = Memory(run.replay, run.game, 1_000_000, print)
    games = {game.number: game.moves for number in memory.stored() for game in memory.file(number).read()[0]}
    damaged = [number for number in memory.stored() if memory.file(number).read()[1]]
    found = [checkpoints.load(path) for path in sorted(run.checkpoints.glob("[0-9]*"))]
    return {
        "games": games,
        "damaged": damaged,
        "last_file": max(memory.stored(), default=0),
        "rows": run.metrics.rows(),
        "checkpoints": [(one.iteration, one.manifest["games"]) for one in found],
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
