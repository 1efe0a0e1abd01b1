"""The documents' experiment in learning, to be run again: *Morpion et puissance 4 grâce à des algorithmes de
reinforcement learning* (Marchand, Rillardon).

The paper gives 10 iterations of 100 games, 10 epochs, temperature 1, 40 games against the network before, of which 0.6
must be won; a network of four convolutions, and before that a tower of 19 blocks. It does not give the simulations a
move, the number of channels, the batch or the learning rate: those are ours. It says nothing of random openings, of
symmetries or of values from the search: those are off. Both networks play their games from the empty board, as there.
"""

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from damier.arena.result import Match, Score
from damier.arena.run import match
from damier.core.errors import SpecError
from damier.experiments.every_line import by_network, by_player, lost_lines
from damier.experiments.papers import Finding
from damier.zero.configuration import settings_for
from damier.zero.metrics import Row
from damier.zero.run import RUNS, Run, create_run, open_run
from damier.zero.settings import Settings

GAME = "tictactoe"
PAPER_MINUTES = 30.0  # an iteration
PAPER_PLATEAU = 3  # the iteration after which the loss no longer falls
PERSON = (6, 30, 4)  # 40 games against a person: won, drawn, lost
OPPONENTS = {"perfect": "a perfect opponent", "careful": "one who never misses a win or a block"}
NETWORKS: dict[str, dict[str, Any]] = {
    "small": {"kind": "small", "channels": 64},
    "tower": {"kind": "tower", "blocks": 19, "channels": 256},
}


@dataclass(frozen=True)
class Remark:
    """A statement of the paper, and our finding."""

    what: str
    paper: str
    ours: str
    agrees: bool | None  # None: there is nothing to agree on


@dataclass(frozen=True)
class Reproduction:
    run: Run
    rows: list[Row]
    matches: dict[str, Match]
    lost: dict[str, tuple[int, ...]]  # lines of play, by who chooses and by seat

    @property
    def findings(self) -> list[Finding]:
        won, drawn, lost = PERSON
        games = won + drawn + lost
        later = self.rows[1:]
        accepted = sum(row["gate"]["accepted"] for row in later)
        stuck = self.stuck
        draws = Score(float(sum(row["gate"]["tally"][1] for row in stuck)), sum(row["gate"]["games"] for row in stuck))
        found = [
            Finding("iterations accepted after the first", 0.0, 9, Score(float(accepted), len(later))),
            Finding("gate games drawn, after the last accepted one", 1.0, 40, draws),
        ]
        score = (won + drawn / 2) / games
        for name, played in self.matches.items():
            found.append(Finding(f"score against {OPPONENTS[name]}", score, games, played.standings[0].total))
        return [finding for finding in found if finding.ours.out_of]

    @property
    def stuck(self) -> list[Row]:
        """The iterations after the last one whose network was accepted."""
        last = max((row["iteration"] for row in self.rows if row["gate"]["accepted"]), default=0)
        return [row for row in self.rows if row["iteration"] > last]

    @property
    def remarks(self) -> list[Remark]:
        first, last = self.rows[0], self.rows[-1]
        seconds = fmean(row["seconds"] for row in self.rows)
        remarks = [
            Remark(
                "time of an iteration",
                f"{PAPER_MINUTES:.0f} min",
                f"{seconds:.1f} s, {60 * PAPER_MINUTES / seconds:.0f} times less",
                None,
            )
        ]
        fall = first["total_loss"] - last["total_loss"]
        if len(self.rows) > PAPER_PLATEAU and fall > 0:
            share = (first["total_loss"] - self.rows[PAPER_PLATEAU - 1]["total_loss"]) / fall
            ours = f"{share:.0%} of the fall by then"
            remarks.append(Remark("total loss", f"falls until iteration {PAPER_PLATEAU}", ours, share >= 0.9))
        policy, value = (fmean(row[name] for row in self.rows) for name in ("policy_loss", "value_loss"))
        ours = f"policy {policy:.2f}, value {value:.2f}"
        remarks.append(Remark("parts of the loss", "the policy's is the larger", ours, policy > value))
        lost = [sum(lines) for lines in self.lost.values()]
        ours = "; ".join(f"{name} {lines}" for name, lines in zip(self.lost, lost, strict=True))
        remarks.append(Remark("lines in which it loses", "it still makes mistakes", ours, any(lost)))
        return remarks

    def as_json(self) -> dict[str, Any]:
        names = ("wins", "draws", "losses")
        return {
            "run": str(self.run.folder),
            "settings": self.run.settings.model_dump(),
            "rows": self.rows,
            "matches": {
                name: {key: getattr(played.standings[0], key) for key in names} | {"distinct": played.distinct}
                for name, played in self.matches.items()
            },
            "lost_lines": self.lost,
            "findings": [finding.as_json() for finding in self.findings],
            "remarks": [vars(remark) for remark in self.remarks],
        }


@dataclass(frozen=True)
class LearningExperiment:
    """Learn tic-tac-toe with the paper's settings, then play against stand-ins for the human player."""

    title: str = "AlphaZero for tic-tac-toe, 2020"
    games: int = 40  # against each opponent
    sims: int = 50

    def settings(self, network: str, sims: int, seed: int, iterations: int = 10) -> Settings:
        if network not in NETWORKS:
            raise SpecError("spec.one-of", option="network", known=list(NETWORKS), got=network)
        return settings_for(
            GAME,
            {
                "iterations": iterations,
                "seed": seed,
                "network": NETWORKS[network],
                "search": {"root": "puct", "sims": sims, "temperature": 1.0, "temperature_moves": 9},
                "selfplay": {"games": 100, "parallel": 50, "random_openings": 0.0},
                "training": {"epochs": 10, "batch": 64, "value_mix": 0.0, "symmetries": False},
                "gate": {"kind": "threshold", "games": 40, "threshold": 0.6, "openings": 0},
            },
        )

    def folder(self, settings: Settings) -> Path:
        kind, sims = settings.network.kind, settings.search.sims
        return RUNS / f"morpion-2020-{kind}-{sims}-sims-seed-{settings.seed}"

    def play(
        self, settings: Settings, folder: Path | None = None, games: int = 40, audience: Any = None, **how: Any
    ) -> Reproduction:
        """Train, or resume the training, and play. `how` is for `damier.arena.run`."""
        from damier.zero.loop import train

        run = self._open(folder or self.folder(settings), settings)
        rows = train(run, how.get("workers"), audience, how.get("cluster"))
        me = f"zero:net={run.best.resolve()},sims={settings.search.sims}"
        how |= {"seed": settings.seed, "database": how.get("database") or str(run.database)}
        matches = {name: match(GAME, me, name, games, watcher=audience, **how) for name in OPPONENTS}
        choosers = {"with the search": by_player(f"{me},keep=false"), "the network alone": by_network(run.best)}
        return Reproduction(run, rows, matches, {name: lost_lines(GAME, choose) for name, choose in choosers.items()})

    def _open(self, folder: Path, settings: Settings) -> Run:
        if not folder.exists():
            return create_run(folder, settings)
        run = open_run(folder, GAME)
        if run.settings != settings:
            raise SpecError("experiment.other-settings", folder=folder)
        return run


EXPERIMENTS: dict[str, LearningExperiment] = {"morpion-2020": LearningExperiment()}
