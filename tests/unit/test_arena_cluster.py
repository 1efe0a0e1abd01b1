"""The arena on a real Ray cluster, started here."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.arena import cluster
from damier.arena.plan import Plan
from damier.arena.record import GameRecord
from damier.arena.run import run
from damier.core.compile import COMPILER_ON
from tests.conformance.games import Pig
from tests.unit.arena_games import Most
from tests.unit.test_arena_playing import untimed

pytestmark = [
    pytest.mark.skipif(not COMPILER_ON, reason="one cluster is enough"),
    pytest.mark.filterwarnings("default"),  # Ray's own
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster for all tests here, as a program of the user's own may have one: the arena leaves it running."""
    ray = pytest.importorskip("ray")
    cluster._connect(cluster.LOCAL)
    assert ray.is_initialized()
    yield cluster.LOCAL
    assert ray.is_initialized()
    ray.shutdown()


def busy_workers() -> list[int]:
    """Of our own cluster. Ray names the processes that play by what they do."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            pid = int(file.parent.name)
            if file.read_bytes().startswith(b"ray::_play") and os.getpid() in ancestors(pid):
                found.append(pid)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has just ended
    return found


def ancestors(pid: int) -> Iterator[int]:
    while pid > 0:
        yield pid
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_games_on_the_cluster_come_out_as_here(address: str) -> None:
    plan = Plan(damier.game(Pig()), ("uct:sims=20", "random", "flat:sims=20"), 6, seed=1)
    assert untimed(run(plan, cluster=address, fresh=True).records) == untimed(run(plan, workers=1, fresh=True).records)


def test_a_killed_ray_worker_loses_only_its_game(address: str, tmp_path: Path) -> None:
    plan = Plan(damier.game("tictactoe"), ("uct:sims=3000", "rave:sims=3000"), 24, seed=4)
    killed: list[int] = []

    class Killer:
        def begin(self, plan: Plan, played: Any) -> None:
            self.games = 0

        def add(self, record: GameRecord) -> None:
            self.games += 1
            if self.games in (3, 9):
                threading.Thread(target=self.kill).start()

        def kill(self) -> None:
            deadline = time.monotonic() + 10
            while not (busy := busy_workers()) and time.monotonic() < deadline:
                time.sleep(0.001)
            os.kill(busy[0], signal.SIGKILL)
            killed.append(busy[0])

    result = run(plan, cluster=address, database=str(tmp_path / "games.sqlite3"), watcher=Killer())
    assert len(killed) == 2
    assert untimed(result.records) == untimed(run(plan, workers=1, fresh=True).records)


def test_an_early_end_leaves_the_cluster_usable(address: str) -> None:
    result = damier.match("tictactoe", "uct:sims=50", "random", 400, 4, sprt=(0, 100), cluster=address, fresh=True)
    assert result.verdict == "elo1"
    assert 0 < result.games < 400
    here = damier.match("tictactoe", "uct:sims=50", "random", 400, 4, sprt=(0, 100), workers=1, fresh=True)
    assert untimed(here.records) == untimed(result.records)


def test_an_error_in_the_rules_is_told_as_it_is(address: str) -> None:
    game = damier.game(f"{Path(__file__).parents[1]}/wrong/lawless.py:TooManyMoves")
    with pytest.raises(damier.DamierError, match="returned 3 moves, expected 0 to max_moves = 2"):
        run(Plan(game, ("random", "uct:sims=5"), 4), cluster=address, fresh=True)


def test_rules_that_the_cluster_cannot_load_are_refused() -> None:
    class Fewest(Most):
        """A class that no other process can import."""

    with pytest.raises(damier.SpecError, match=r"the cluster can't load .*Fewest .* put it in a file.py:Class"):
        run(Plan(damier.game(Fewest()), ("random", "uct:sims=5"), 6), cluster="local", fresh=True)


def test_without_ray_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(damier.SpecError, match=r"--cluster needs Ray: pip install 'damier\[cluster\]'"):
        damier.match("tictactoe", "random", "uct:sims=1", 2, cluster="local", fresh=True)
