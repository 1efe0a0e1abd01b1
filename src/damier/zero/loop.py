"""The loop of AlphaZero: self-play, learning, the gate, and again.

Iteration i plays with the best network so far, learns from the memory and ends with checkpoint i + 1. The input of each
step is on the disk before the step begins, so you can kill a run at any moment and resume it: a game is saved when it
ends, a checkpoint when it is complete, a verdict when it is given. Only the unfinished games are lost, and the current
training, which is done again with the same random numbers.
"""

import math
import time
from contextlib import closing
from typing import Any, Protocol

import numpy as np
import torch

from damier.arena.plan import Plan
from damier.arena.run import Watcher
from damier.core.errors import DamierError
from damier.core.files import digest, write_file, writing
from damier.core.messages import say
from damier.search.guided.network import CARD
from damier.store.record import GameRecord
from damier.work.pool import num_cores
from damier.zero import checkpoint as checkpoints
from damier.zero.batches import Batches, some_positions
from damier.zero.checkpoint import INT8, ONNX, Checkpoint, DamagedError
from damier.zero.crew import Crew
from damier.zero.events import Events
from damier.zero.export import check_agreement, quantised, to_onnx
from damier.zero.gate import Contest, summary, without_repeats
from damier.zero.metrics import Row
from damier.zero.network import build_network, planes_of
from damier.zero.ratings import load_results, rate, save_ratings
from damier.zero.replay import Memory
from damier.zero.run import Run
from damier.zero.samples import FinishedGame
from damier.zero.start import begin
from damier.zero.targets import build_heads
from damier.zero.training import Losses, Trainer, num_steps, num_threads

_CHECKED = 64  # positions on which the network and its file must agree


class Audience(Watcher, Protocol):
    """An observer of a run. It sees the games of the gate as those of a match."""

    def note(self, text: str) -> None: ...

    def start(self, run: Run, rows: list[Row], network_weights: int) -> None: ...

    def playing(self, iteration: int, done: int, total: int) -> None: ...

    def learning(self, iteration: int, step: int, steps: int, losses: Losses) -> None: ...

    def finished(self, row: Row) -> None: ...


class Silence:
    """An observer that does nothing."""

    def note(self, text: str) -> None: ...

    def start(self, run: Run, rows: list[Row], network_weights: int) -> None: ...

    def playing(self, iteration: int, done: int, total: int) -> None: ...

    def learning(self, iteration: int, step: int, steps: int, losses: Losses) -> None: ...

    def finished(self, row: Row) -> None: ...

    def begin(self, plan: Plan, played: Any) -> None: ...

    def add(self, record: GameRecord) -> None: ...


def train(
    run: Run, workers: int | None = None, audience: Audience | None = None, cluster: str | None = None
) -> list[Row]:
    """Train to the end of the run's settings, from its current state; return its figures, one row for each iteration.

    `workers` processes play, by default one for each core; or a `cluster` plays, the address of a Ray cluster, or
    `local`.
    """
    workers = workers or num_cores()
    contest = Contest(run.game, run.settings, run.database, workers, cluster)
    with (
        run.locked(),
        closing(Crew(run.game, run.settings, workers, cluster)) as crew,  # first, to report a missing cluster first
        closing(Learner(run, crew, contest, audience or Silence())) as learner,
    ):
        learner.go_on()
    return run.metrics.rows()


class Learner:
    """A run in progress."""

    def __init__(self, run: Run, crew: Crew, contest: Contest, audience: Audience) -> None:
        self.crew, self.contest = crew, contest
        self.run, self.game, self.settings, self.audience = run, run.game, run.settings, audience
        network = build_network(self.game, self.settings.network, self.settings.seed)
        if not self._numbers():
            taken = begin(network, self.settings, self.game)
            if taken:
                audience.note(taken.message)
        cells = math.prod(planes_of(tuple(self.game.encode_shape))[1:])
        torch.set_num_threads(num_threads(network, cells, self.settings.training.batch, num_cores()))
        heads = build_heads(self.game, self.settings.network, self.settings.training, self.settings.seed)
        self.trainer = Trainer(network, self.settings.training, heads)
        self.memory = Memory(run.replay, self.game, self.settings.training.memory, audience.note, bool(heads))
        self.events = Events(run.folder / "tensorboard")
        self.latest = self._last_good()
        self.best = self._last_accepted()
        if run.best.exists():
            self._take(self.best)  # it may have been altered

    def close(self) -> None:
        self.events.close()

    def go_on(self) -> None:
        if not self._is_concluded():
            self._conclude(self.latest)
        self.memory.load(before=self.latest.iteration)
        rows = self._rows()
        self.audience.start(self.run, rows, self.trainer.network.num_weights)
        spent = sum(row["seconds"] for row in rows)
        while (progress := self._progress(spent)) < 1:
            self.trainer.progress = progress
            row = self.iterate(self.latest.iteration)
            spent += row["seconds"]

    def iterate(self, iteration: int) -> Row:
        began = time.perf_counter()
        games, speed = self._play(iteration)
        played = time.perf_counter()
        losses = self._learn(iteration)
        learnt = time.perf_counter()
        row: Row = {
            "iteration": iteration + 1,
            "games": int(self.latest.manifest["games"]) + len(games),
            "positions": len(self.memory),
            "new_positions": sum(len(game.samples) for game in games),
            "steps": self.trainer.steps,
            "total_loss": losses.total,
            "policy_loss": losses.policy,
            "value_loss": losses.value,
            **{f"{name}_loss": getattr(losses, name) for name in self.trainer.heads},
            "entropy": losses.entropy,
            "gradient": losses.gradient,
            "learning_rate": self.trainer.learning_rate,
            "game_length": float(np.mean([len(game.moves) for game in games])),
            "returns": np.mean([game.returns for game in games], axis=0).tolist(),
            "games_per_second": speed,
            "selfplay_seconds": played - began,
            "training_seconds": learnt - played,
            "seconds": learnt - began,
        }
        self.latest = self._save(iteration + 1, row)
        row = self._conclude(self.latest)
        self.memory.forget()
        return row

    # -- the steps -----------------------------------------------------------------------------------------------------

    def _play(self, iteration: int) -> tuple[list[FinishedGame], float]:
        """Play the games of this iteration; return them, with those from before a kill, and the games per second."""
        count = self.settings.selfplay.games
        file = self.memory.file(iteration)
        games = {game.number: game for game in self.memory.begin(iteration)}
        before, began = len(games), time.perf_counter()
        self.audience.playing(iteration, before, count)
        missing = [number for number in range(iteration * count, (iteration + 1) * count) if number not in games]
        if missing:
            for game in self.crew.play(self.best.for_play, missing):
                file.append(game)
                games[game.number] = game
                self.audience.playing(iteration, len(games), count)
            file.sync()
        self.memory.add(iteration, list(games.values()))
        return list(games.values()), (len(games) - before) / (time.perf_counter() - began)

    def _learn(self, iteration: int) -> Losses:
        settings = self.settings.training
        samples = self.memory.samples()
        steps = num_steps(settings, len(self.memory.parts[iteration]), len(samples))
        batches = Batches(self.game, samples, settings.value_mix, settings.symmetries, self.memory.endings())
        rng = np.random.default_rng([self.settings.seed, iteration])

        def watch(step: int, losses: Losses) -> None:
            self.audience.learning(iteration, step, steps, losses)

        return self.trainer.train(batches, steps, rng, watch)

    def _save(self, iteration: int, row: Row) -> Checkpoint:
        facts = {
            "iteration": iteration,
            "game": self.game.name,
            "games": row.get("games", 0),
            "seed": self.settings.seed,
            "gated": self.settings.gate.kind != "none" and iteration > 0,
            "row": row,
        }
        return checkpoints.save(self._folder(iteration), self.trainer, self._networks(), facts)

    def _networks(self) -> dict[str, bytes]:
        """The files for play."""
        network = self.trainer.playing.eval()
        written = to_onnx(network, self.game, self.settings.search.margin, self.settings.search.margin_reach)
        if not self.memory.parts:
            return {ONNX: written}
        samples = self.memory.samples()
        rng = np.random.default_rng(self.settings.seed)
        planes = some_positions(self.game, samples, rng)
        check_agreement(network, written, planes[:_CHECKED])
        return {ONNX: written} | ({INT8: quantised(written, planes)} if self.settings.quantised else {})

    def _is_concluded(self) -> bool:
        """Whether the latest checkpoint has its row; a kill may have come between the two."""
        latest = self.latest.iteration
        return self.run.best.exists() and (not latest or any(row["iteration"] == latest for row in self._rows()))

    def _conclude(self, latest: Checkpoint) -> Row:
        """Apply the gate, rate the checkpoint, and write the row."""
        row: Row = dict(latest.manifest["row"])
        if latest.iteration == 0:
            self._take(latest)
            return row
        began = time.perf_counter()
        if latest.verdict is None:
            latest.decide(self.contest.decide(latest, self.best, self.audience))
        verdict = latest.verdict
        assert verdict is not None
        row |= {"gate": {key: value for key, value in verdict.items() if key != "results"}}
        row |= self._rated(latest, verdict.get("results", []))
        if verdict["accepted"]:
            self._take(latest)
        row["gate_seconds"] = time.perf_counter() - began
        row["seconds"] += row["gate_seconds"]
        self.run.metrics.append(row)
        self.events.add(row)
        self.audience.finished(row)
        return row

    def _take(self, accepted: Checkpoint) -> None:
        self.best = accepted
        data = accepted.for_play.read_bytes()
        card = f'sha256 = "{digest(data)}"\n'.encode()
        for path, content in ((self.run.best.with_suffix(CARD), card), (self.run.best, data)):
            if not path.exists() or path.read_bytes() != content:
                write_file(path, content)

    def _rated(self, latest: Checkpoint, of_the_gate: list[dict[str, Any]]) -> Row:
        """Play the checkpoint before and the one half-way, and rate all checkpoints together."""
        games = self.settings.gate.rating_games
        if not games:
            return {}
        results = [result for result in load_results(self.run) if max(result["seating"]) < latest.iteration]
        results += of_the_gate
        for iteration in sorted({latest.iteration - 1, latest.iteration // 2}):
            old = self._loaded(iteration)
            if old:
                records = self.contest.play(latest, old, max(2, games // 2), watcher=self.audience)
                results += summary(without_repeats(records), latest, old)
        rated = rate(results)
        save_ratings(self.run, results, rated)
        return {"elo": rated[latest.iteration]["elo"], "elo_interval": rated[latest.iteration]["interval"]}

    def _progress(self, seconds: float) -> float:
        """The finished share of the run, by its iterations or by its minutes; 1 is the end."""
        by_time = seconds / (60 * self.settings.minutes) if self.settings.minutes is not None else 0.0
        return max(by_time, self.latest.iteration / self.settings.iterations)

    # -- where the run is ----------------------------------------------------------------------------------------------

    def _folder(self, iteration: int) -> Any:
        return self.run.checkpoints / f"{iteration:04}"

    def _numbers(self) -> list[int]:
        """The numbers of the existing checkpoints, the newest first."""
        folders = self.run.checkpoints.glob("[0-9]*")
        return sorted((int(folder.name) for folder in folders if folder.name.isdigit()), reverse=True)

    def _rows(self) -> list[Row]:
        """The figures up to the latest checkpoint; those of a damaged one, which is done again, don't count."""
        return [row for row in self.run.metrics.rows() if row["iteration"] <= self.latest.iteration]

    def _last_good(self) -> Checkpoint:
        """Load the newest intact checkpoint into the trainer; without one, make the first, with random weights."""
        damaged = []
        for number in self._numbers():
            try:
                found = checkpoints.load(self._folder(number))
                found.restore(self.trainer, self.game)
            except DamagedError as damage:
                damaged.append((self._folder(number), damage))
                continue
            for folder, error in damaged:
                aside = folder.with_name(f"{folder.name}.damaged-{time.time_ns()}")
                facts = {"path": folder, "why": error.message, "aside": aside.name, "last": found.folder.name}
                self.audience.note(say("checkpoint.set-aside", **facts))
                with writing(aside):
                    folder.rename(aside)
            return found
        if damaged:
            folder, error = damaged[0]
            why = error.message
            raise DamierError("checkpoint.none", path=self.run.folder, checkpoint=folder.name, why=why)
        return self._save(0, {})

    def _last_accepted(self) -> Checkpoint:
        for number in self._numbers():
            found = self._loaded(number)
            if found and found.verdict and found.verdict["accepted"]:
                return found
        raise DamierError("checkpoint.none-accepted", path=self.run.folder)

    def _loaded(self, number: int) -> Checkpoint | None:
        try:
            return checkpoints.load(self._folder(number))
        except DamagedError:
            return None
