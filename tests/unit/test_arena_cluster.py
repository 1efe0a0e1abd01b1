"""The arena, and training, on a real Ray cluster, started here."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.arena.plan import Plan
from damier.arena.run import run
from damier.core.compile import COMPILER_ON
from damier.store.record import GameRecord
from damier.work import cluster
from damier.zero.configuration import settings_for
from damier.zero.crew import Piece, play_piece
from damier.zero.loop import Silence, train
from damier.zero.run import create_run
from tests.conformance.games import Pig
from tests.random_network import write_network
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


def kill_one(killed: list[int]) -> None:
    """The next that is found at work."""
    deadline = time.monotonic() + 60
    while not (busy := busy_workers()) and time.monotonic() < deadline:
        time.sleep(0.001)
    os.kill(busy[0], signal.SIGKILL)
    killed.append(busy[0])


def test_games_on_the_cluster_come_out_as_here(address: str) -> None:
    plan = Plan(damier.game(Pig()), ("uct:sims=20", "random", "flat:sims=20"), 6, seed=1)
    assert untimed(run(plan, cluster=address, fresh=True).records) == untimed(run(plan, workers=1, fresh=True).records)


def test_a_killed_ray_worker_loses_only_its_game(address: str, tmp_path: Path) -> None:
    plan = Plan(damier.game("tictactoe"), ("uct:sims=20000", "rave:sims=20000"), 24, seed=4)
    killed: list[int] = []

    class Killer:
        def begin(self, plan: Plan, played: Any) -> None:
            self.games = 0

        def add(self, record: GameRecord) -> None:
            self.games += 1
            if self.games in (3, 9):
                threading.Thread(target=kill_one, args=(killed,)).start()

    result = run(plan, cluster=address, database=str(tmp_path / "games.sqlite3"), watcher=Killer())
    assert len(killed) == 2
    assert untimed(result.records) == untimed(run(plan, workers=1, fresh=True).records)


def test_the_network_is_sent_to_nodes_that_do_not_have_it(address: str, tmp_path: Path) -> None:
    game, nowhere = damier.game("tictactoe"), Path("/nowhere/random.onnx")
    network = write_network(tmp_path / "random.onnx", game)
    settings = settings_for("tictactoe", {"selfplay": {"parallel": 4}})
    task, pieces = partial(play_piece, game, settings), [Piece(nowhere, (0, 1)), Piece(nowhere, (2, 3))]
    sent = {str(nowhere): network.read_bytes()}
    # Here first, so that the rules are compiled once and not by every worker.
    here = [played for piece in pieces for played in task(Piece(network, piece.numbers))]
    there = list(cluster.play_on_cluster(task, game, pieces, address, sent))
    assert sorted((one.number, one.moves) for one in there) == sorted((one.number, one.moves) for one in here)


def test_a_training_loses_no_game_with_a_killed_ray_worker(address: str, tmp_path: Path) -> None:
    """Self-play and gate games are played there, the network is learnt here."""
    settings = {
        "iterations": 2,
        "network": {"kind": "mlp", "blocks": 1, "channels": 16},
        "search": {"sims": 200},
        "selfplay": {"games": 48, "parallel": 8},
        "gate": {"kind": "threshold", "games": 4, "sims": 4},
    }
    run_folder = create_run(tmp_path / "run", settings_for("tictactoe", settings))
    killed: list[int] = []

    class Killer(Silence):
        def playing(self, iteration: int, done: int, total: int) -> None:
            if done == 8:
                threading.Thread(target=kill_one, args=(killed,)).start()

    rows = train(run_folder, audience=Killer(), cluster=address)
    assert len(killed) == 2
    assert [row["games"] for row in rows] == [48, 96]
    assert [row["gate"]["games"] for row in rows] == [4, 4]


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
