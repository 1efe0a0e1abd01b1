"""The experiments of the documents run, and compare what they should."""

import json
import math
from functools import cache
from itertools import product
from statistics import fmean, stdev

import pytest

from damier.arena.result import Score
from damier.experiments.papers import EXPERIMENTS, Finding, LeftMove, left_moves_of_level_one
from damier.experiments.scores import scores
from tests.unit.command import Damier


def test_a_figure_from_few_games_agrees_with_much() -> None:
    assert Finding("", 0.9, 12, Score(140, 200)).agrees
    assert not Finding("", 0.9, 1200, Score(140, 200)).agrees
    low, high = Finding("", 0.9, 12, Score(140, 200)).paper_interval
    assert low < 0.65
    assert 0.95 < high < 1


def test_equal_figures_differ_by_chance_alone() -> None:
    assert Finding("", 0.5, 60, Score(30, 60)).p_value == 1
    assert Finding("", 1.0, 60, Score(60, 60)).p_value == 1


@pytest.mark.parametrize("name", ["dames-table1", "dames-rematch"])
def test_the_draughts_paper_is_played_again(name: str, damier_: Damier) -> None:
    options = ("--games", "2", "--sims", "4", "--seed", "3", "--workers", "1", "--json")
    code, out, err = damier_("reproduce", name, *options)
    assert code == 0, err
    document = json.loads(out)
    assert document["experiment"] == name
    assert document["games"] == (6 if name == "dames-table1" else 2)
    assert {finding["paper"] for finding in document["findings"]} == (
        {0.433, 0.464, 0.571, 0.448, 0.569, 0.482} if name == "dames-table1" else {0.9}
    )
    assert all(0 <= finding["p_value"] <= 1 for finding in document["findings"])


def test_the_totals_are_those_of_the_pairs() -> None:
    experiment = EXPERIMENTS["dames-table1"]
    assert not isinstance(experiment, LeftMove)
    _, findings = experiment.play(4, 4, seed=1, workers=1, database="sqlite://")
    found = {finding.what: finding.ours.points for finding in findings}
    assert found["UCT, total"] == found["UCT against RAVE"] + found["UCT against GRAVE"]
    assert sum(found[f"{name}, total"] for name in ("UCT", "RAVE", "GRAVE")) == 12


def test_level_one_scores_as_computed() -> None:
    values = [score.value for score in scores("leftmove:depth=12", "nested:level=1", 2000)]
    error = stdev(values) / math.sqrt(len(values))
    assert abs(fmean(values) - left_moves_of_level_one(12)) < 4 * error


@cache
def every_run(moves: int, memorised: tuple[int, ...] | None = None) -> float:
    """The mean score of level 1 over all pairs of random lines at every step, counted one by one; 1 is left."""
    if moves == 0:
        return 0.0
    lines = list(product((0, 1), repeat=moves - 1))
    total = 0.0
    for (first, second), a, b in product(((0, 1), (1, 0)), lines, lines):
        best = memorised
        for line in ((first, *a), (second, *b)):
            if best is None or sum(line) > sum(best):
                best = line
        assert best is not None
        total += best[0] + every_run(moves - 1, best[1:])
    return total / (2 * len(lines) ** 2)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_the_computed_mean_is_that_of_all_runs(depth: int) -> None:
    assert left_moves_of_level_one(depth) == pytest.approx(every_run(depth), abs=1e-12)


def test_the_left_move_problem_by_levels(damier_: Damier) -> None:
    levels = json.loads(damier_("reproduce", "leftmove", "--games", "3", "--json")[1])["levels"]
    assert [level["level"] for level in levels] == [1, 2, 3]
    assert levels[0]["mean"] < levels[1]["mean"] < levels[2]["mean"] <= 60


def test_the_experiments_are_listed(damier_: Damier) -> None:
    listed = damier_("reproduce")[1]
    assert all(name in listed for name in (*EXPERIMENTS, "morpion-2020"))
    assert damier_("reproduce", "dames-tabel1")[2].strip() == (
        "damier: unknown experiment 'dames-tabel1'; did you mean 'dames-table1'? `damier reproduce` lists them all"
    )


def test_what_is_no_tournament_refuses_the_options_of_one(damier_: Damier) -> None:
    told = damier_("reproduce", "leftmove", "--sims", "5")[2].strip()
    assert told == "damier: leftmove is not a tournament: it takes only --games (its runs), --seed and --json"


def test_one_run_is_valid_json_too(damier_: Damier) -> None:
    levels = json.loads(damier_("reproduce", "leftmove", "--games", "1", "--json")[1])["levels"]
    assert all(math.isfinite(bound) for level in levels for bound in level["interval"])
