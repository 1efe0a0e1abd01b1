"""Work on a Ray cluster: each piece is a task, so a worker that dies loses only its current piece, a game.

Computers may join and leave at any time. Networks that players need are sent along.
"""

import os
import socket
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.messages import say
from damier.search.guided.network import receive
from damier.work.pool import TRIES, Task, apart, is_found_elsewhere, num_cores, packed, unpacked

LOCAL, AUTO = "local", "auto"  # `auto`: the cluster that this computer belongs to
_PATIENCE = 10.0  # seconds for a cluster to answer
_AHEAD = 2  # pieces given out for each processor: one to do, one to follow at once
_LOOK = 1.0  # seconds between two checks of the number of processors


def play_on_cluster(
    task: Task,
    game: Game,
    pieces: Iterable[Any],
    address: str,
    networks: Mapping[str, bytes] | None = None,
    is_watched: bool = False,
) -> Iterator[Any]:
    """Give the results of each piece when it is done. The nodes need damier, and your own files."""
    rules = type(game.rules)
    if not is_found_elsewhere(rules):
        raise SpecError("cluster.not-loaded", rules=rules.__qualname__)
    task = partial(_with_networks, dict(networks or {}), task)
    with connected(address) as ray:
        yield from _hand_out(ray, partial(apart, packed(task)) if is_watched else task, iter(pieces))


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Keep Ray connected meanwhile, so repeated work does not reconnect each time."""
    ray, is_ours = _connect(address)
    try:
        yield ray
    finally:
        if is_ours:
            ray.shutdown()


def _hand_out(ray: Any, task: Task, waiting: Iterator[Any]) -> Iterator[Any]:
    # Ray itself repeats a piece whose worker died.
    play = ray.remote(_play).options(num_cpus=1, max_retries=TRIES - 1, retry_exceptions=False)
    shared = ray.put(packed(task))
    room, looked = _AHEAD * num_processors(ray), time.monotonic()
    pending = [play.remote(shared, piece) for piece in islice(waiting, room)]
    try:
        while pending:
            (done, *_), pending = ray.wait(pending, num_returns=1)
            yield from _results(ray, done)
            if time.monotonic() - looked > _LOOK:
                room, looked = _AHEAD * num_processors(ray), time.monotonic()
            pending += [play.remote(shared, piece) for piece in islice(waiting, max(0, room - len(pending)))]
    finally:
        for unfinished in pending:
            ray.cancel(unfinished, force=True)


def _connect(address: str) -> tuple[Any, bool]:
    """Ray, and whether we connected to it: the program may have done so before."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or Ray warns of a future change
    try:
        import ray
    except ImportError:
        raise SpecError("cluster.no-ray") from None
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if ray.is_initialized():
        return ray, False
    try:
        if address not in (LOCAL, AUTO):
            _knock(address)
        with _without_noise():
            if address == LOCAL:
                ray.init(num_cpus=num_cores(), include_dashboard=False, **quiet)
            else:
                ray.init(address=address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        raise DamierError("cluster.none-at", address=address, why=str(error).splitlines()[0]) from None
    return ray, True


def _knock(address: str) -> None:
    """Check that the cluster answers: Ray itself waits for minutes, silently, for one that is not there."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        raise DamierError("cluster.none-at", address=address, why=say("cluster.no-address"))
    socket.create_connection((host, int(port)), timeout=_PATIENCE).close()


@contextmanager
def _without_noise() -> Iterator[None]:
    """Silence Ray, which writes to stderr line after line while it tries to connect."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def num_processors(ray: Any) -> int:
    """The current number of processors of the cluster."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _results(ray: Any, done: Any) -> list[Any]:
    try:
        results: list[Any] = ray.get(done)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, DamierError):
            raise type(error.cause)(error.cause.message) from None
        raise
    except ray.exceptions.WorkerCrashedError:
        raise DamierError("cluster.given-up", tries=TRIES) from None
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[0]
        raise DamierError("cluster.failed", why=reason) from None
    return results


def _with_networks(networks: Mapping[str, bytes], task: Task, piece: Any) -> Iterable[Any]:
    receive(networks)
    return task(piece)


def _play(shared: bytes, piece: Any) -> list[Any]:
    return list(_task(shared)(piece))


_task = lru_cache(maxsize=1)(unpacked)  # once in each worker, which does many pieces
