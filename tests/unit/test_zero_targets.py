"""Ownership and score as targets of training: where they come from, and that they are learnt."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import damier
from damier.core.errors import SpecError
from damier.zero.batches import Batches
from damier.zero.checkpoint import TARGETS
from damier.zero.configuration import settings_for
from damier.zero.curves import compared, plot_runs
from damier.zero.endings import NO_END, endings_of, joined
from damier.zero.loop import train
from damier.zero.network import build_network
from damier.zero.replay import Memory
from damier.zero.run import Run, change_settings, create_run
from damier.zero.samples import FinishedGame, concatenate
from damier.zero.settings import NetworkSettings, TrainingSettings
from damier.zero.targets import build_heads
from damier.zero.training import Trainer
from tests.random_samples import random_finished_game
from tests.unit.command import Damier

SMALL = "blokus:board=tiny,size=5,pieces=3"
NETWORK = NetworkSettings(blocks=1, channels=8, policy="planes", value="pooled")
BOTH = {"ownership": 0.5, "score": 0.25}
SHORT: dict[str, Any] = {
    "iterations": 1,
    "network": {"blocks": 1, "channels": 8},
    "search": {"sims": 4},
    "selfplay": {"games": 4, "parallel": 4},
    "training": {"batch": 16, "memory": 1000},
}


def games_of(game: damier.Game, count: int = 4) -> list[FinishedGame]:
    return [random_finished_game(game, number) for number in range(count)]


def resigned(game: FinishedGame) -> FinishedGame:
    """The same game without its last move."""
    return replace(game, moves=game.moves[:-1])


def batches_of(game: damier.Game, games: list[FinishedGame], symmetries: bool = False) -> Batches:
    samples = concatenate([each.samples for each in games])
    return Batches(game, samples, 0.0, symmetries, endings_of(game, games))


# -- where they come from ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [SMALL, "othello:size=4", "pig:goal=10"])
def test_the_end_of_each_game_is_found_again_from_its_moves(name: str) -> None:
    game = damier.game(name)
    games = games_of(game)
    games[1] = resigned(games[1])
    endings = endings_of(game, games)
    at = 0
    for number, each in enumerate(games):
        of = endings.of[at : at + len(each.samples)]
        at += len(each.samples)
        assert (of == (NO_END if number == 1 else number)).all()
        if number != 1:
            end = game.start().play_all(each.moves)
            assert end.is_over
            assert endings.ends[number].tobytes() == end.state.tobytes()
    assert at == len(endings.of)


def test_the_memory_keeps_the_ends_of_the_positions_it_keeps(tmp_path: Path) -> None:
    """Also of files that were written before there were such targets: they hold the moves."""
    game = damier.game(SMALL)
    games = games_of(game, 6)
    memory = Memory(tmp_path, game, 15, print, with_endings=True)
    for iteration in range(3):
        memory.begin(iteration)
        pair = games[2 * iteration : 2 * iteration + 2]
        for each in pair:
            memory.file(iteration).append(each)
        memory.add(iteration, pair)
    again = Memory(tmp_path, game, 15, print, with_endings=True)
    again.load(before=3)
    memory.forget()
    for kept in (memory, again):
        endings, samples = kept.endings(), kept.samples()
        assert endings is not None
        assert len(endings.of) == len(samples) == 15
        assert endings.ends[endings.of[-1]].tobytes() == game.start().play_all(games[5].moves).state.tobytes()
    assert Memory(tmp_path, game, 15, print).endings() is None


def test_parts_are_joined_with_the_resigned_games_left_out() -> None:
    game = damier.game(SMALL)
    games = games_of(game)
    games[2] = resigned(games[2])
    whole, parts = endings_of(game, games), [endings_of(game, games[:1]), endings_of(game, games[1:])]
    assert (joined(parts).of == whole.of).all()
    assert (joined(parts).ends == whole.ends).all()


@pytest.mark.parametrize("name", ["othello:size=4", SMALL, "blokus:board=tiny,size=6,pieces=3,players=2,colours=4"])
def test_owners_and_scores_are_those_of_the_end_from_the_player_to_move(name: str) -> None:
    game = damier.game(name)
    games = games_of(game)
    games[0] = resigned(games[0])
    batches = batches_of(game, games)
    batch = batches.at(np.arange(len(batches.samples)))
    assert batch.ended is not None
    assert batch.owners is not None
    assert batch.scores is not None
    row = len(games[0].samples)
    assert (batch.ended == (np.arange(len(batch.ended)) >= row)).all()
    for each in games[1:]:
        end = game.start().play_all(each.moves)
        squares = np.zeros(2)
        for owner in (0, 1):
            squares[owner] = (batch.owners[row] == owner).sum()
        assert end.returns is not None
        assert np.sign(squares[0] - squares[1]) == np.sign(end.returns[0]), "the first player moves first"
        values = np.array(end.evaluate())
        for state in each.samples.states:
            assert batch.scores[row] == pytest.approx(np.roll(values, -int(state["player"])))
            row += 1


def test_owners_are_mirrored_with_the_squares() -> None:
    game = damier.game("othello:size=4")
    batches = batches_of(game, games_of(game), symmetries=True)
    chosen = np.arange(len(batches.samples))
    plain, turned = batches.at(chosen), batches.at(chosen, np.random.default_rng(0))
    assert plain.owners is not None
    assert turned.owners is not None
    assert (plain.owners != turned.owners).any()
    images = [np.arange(16), *(cells for cells, _ in batches.images)]
    for row in chosen:
        fitting = [
            cells
            for cells in images
            if (plain.planes[row].reshape(2, 16)[:, cells] == turned.planes[row].reshape(2, 16)).all()
        ]
        assert any((plain.owners[row][cells] == turned.owners[row]).all() for cells in fitting)


# -- learning ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["ownership", "score"])
def test_a_target_is_learnt(target: str) -> None:
    game = damier.game(SMALL)
    torch.set_num_threads(1)
    settings = TrainingSettings.model_validate({target: 1.0, "learning_rate": 0.01, "warmup": 5, "batch": 32})
    heads = build_heads(game, NETWORK, settings)
    assert list(heads) == [target]
    trainer = Trainer(build_network(game, NETWORK), settings, heads)
    batches, rng = batches_of(game, games_of(game)), np.random.default_rng(0)
    first, last = trainer.train(batches, 5, rng), [trainer.train(batches, 40, rng) for _ in range(3)][-1]
    assert getattr(last, target) < 0.5 * getattr(first, target)
    assert first.total > first.policy + first.value


def test_only_games_with_an_end_teach_a_target() -> None:
    game = damier.game(SMALL)
    settings = TrainingSettings.model_validate(BOTH)
    trainer = Trainer(build_network(game, NETWORK), settings, build_heads(game, NETWORK, settings))
    batches = batches_of(game, [resigned(each) for each in games_of(game)])
    before = [weights.clone() for weights in trainer.heads.parameters()]
    losses = trainer.step(batches.at(np.arange(len(batches.samples))))
    assert (losses.ownership, losses.score) == (0, 0)
    for old, new in zip(before, trainer.heads.parameters(), strict=True):
        assert torch.allclose(old, new, atol=1e-4), "nothing but weight decay"


def test_a_target_the_game_knows_nothing_of_is_refused(tmp_path: Path, damier_: Damier) -> None:
    for game, setting, says in (
        ("tictactoe", "training.ownership=1", "`owners` says of the end of a game, and tictactoe has none"),
        ("leduc", "training.score=1", "`evaluate` says of the end of a game, and leduc has none"),
        ("othello:size=4", "training.score=-1", "training.score"),
    ):
        code, _, err = damier_("train", game, "--out", tmp_path / "run", "--set", setting)
        assert code == 2
        assert says in err
        assert not (tmp_path / "run").exists()
    with pytest.raises(SpecError, match=r"training.ownership needs the cells of a board"):
        build_heads(damier.game(SMALL), NetworkSettings(kind="mlp"), TrainingSettings(ownership=1.0))


# -- a run -------------------------------------------------------------------------------------------------------------


def more(run: Run, iterations: int, **training: float) -> Run:
    settings = run.settings
    changed = settings.training.model_copy(update=training)
    return change_settings(run, settings.model_copy(update={"iterations": iterations, "training": changed}))


def test_a_run_goes_on_with_targets_and_without(tmp_path: Path) -> None:
    """A run of before, then with both, the same again, with one of them, with none."""
    run = create_run(tmp_path / "run", settings_for(SMALL, SHORT))
    none = {"ownership": 0.0, "score": 0.0}
    for iteration, training in enumerate((none, BOTH, BOTH, none | {"score": 1.0}, none), 1):
        run = more(run, iteration, **training)
        rows = train(run, workers=1)
        assert len(rows) == iteration
        on = {name for name, weight in training.items() if weight}
        assert {name for name in BOTH if f"{name}_loss" in rows[-1]} == on
        assert (run.checkpoints / f"{iteration:04}" / TARGETS).exists() == bool(on)
    figures = compared([run])
    assert figures["ownership_loss"] == [None]
    plot_runs([run], tmp_path / "it.svg")
    titles = re.findall(r"<!-- ([^-]*) -->", (tmp_path / "it.svg").read_text())
    assert {"ownership loss", "score loss", "total loss"} <= set(titles)


def test_a_run_with_targets_is_the_same_in_one_go_and_in_two(tmp_path: Path) -> None:
    settings = settings_for(SMALL, SHORT, {"iterations": 2, "training": BOTH})
    at_once = create_run(tmp_path / "at_once", settings)
    train(at_once, workers=1)
    in_two = create_run(tmp_path / "in_two", settings.model_copy(update={"iterations": 1}))
    train(in_two, workers=1)
    train(more(in_two, 2), workers=1)
    for file in ("model.safetensors", TARGETS, "optimiser.safetensors", "model.onnx"):
        first, second = ((run.checkpoints / "0002" / file).read_bytes() for run in (at_once, in_two))
        assert first == second, file


def test_the_lines_show_the_targets_that_are_on(tmp_path: Path, damier_: Damier) -> None:
    quick = ("--games", "4", "--sims", "2", "--iterations", "1", "--workers", "1", "--set", "network.channels=4")
    for setting, shown in (("training.ownership=0.1", True), ("training.ownership=0", False)):
        code, _, err = damier_("train", SMALL, "--out", tmp_path / setting, *quick, "--set", setting)
        assert code == 0, err
        assert (", ownership " in err) == shown
