"""How long one waits before the first move: imports, compilation, and the compiled code found on disk again.

    python benchmarks/cold_start.py [--runs 5] [--json]

Each figure is the best of several processes, in seconds by the clock. Numba's own import stands beside ours: it
is a part of it.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

IMPORT = "import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
FIRST_GAME = """
import time, damier
t = time.perf_counter()
damier.playouts("connect4", games=1)
print(time.perf_counter() - t)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="processes for each figure, the best counts (default: 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        figures = measure(Path(folder), max(1, options.runs))
    if options.json:
        print(json.dumps({"runs": options.runs, "seconds": figures}, indent=2))
        return
    for what, seconds in figures.items():
        print(f"{seconds:7.3f} s  {what}")


def measure(folder: Path, runs: int) -> dict[str, float]:
    """All figures; they take turns, so that a busy moment of the machine does not hit one of them alone."""
    filled = folder / "filled"
    told(FIRST_GAME, filled)
    contestants: dict[str, Callable[[int], float]] = {
        "damier --help, the whole process": lambda run: whole_process([sys.executable, "-m", "damier", "--help"]),
        "import numba": lambda run: told(IMPORT.format(module="numba"), filled),
        "import damier": lambda run: told(IMPORT.format(module="damier"), filled),
        "first random game after that, compiled code on disk": lambda run: told(FIRST_GAME, filled),
        "first random game after that, nothing on disk": lambda run: told(FIRST_GAME, folder / f"empty-{run}"),
    }
    times: dict[str, list[float]] = {what: [] for what in contestants}
    for run in range(runs):
        for what, contestant in contestants.items():
            times[what].append(contestant(run))
    return {what: round(min(seconds), 4) for what, seconds in times.items()}


def told(program: str, cache: Path) -> float:
    """The seconds that a Python program prints, with compiled code kept in that folder."""
    environment = os.environ | {"DAMIER_CACHE_DIR": str(cache)}
    return float(subprocess.check_output([sys.executable, "-c", program], env=environment))


def whole_process(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
