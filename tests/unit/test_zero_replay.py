"""The replay memory, its files when they are damaged, and the batches drawn from it."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import torch

import damier
from damier.zero.batches import Batches, encoded
from damier.zero.network import build_network
from damier.zero.replay import GameFile, Memory, pack_game, unpack_game
from damier.zero.samples import FinishedGame, Samples, concatenate
from damier.zero.settings import NetworkSettings, TrainingSettings
from damier.zero.training import Trainer, losses_of, num_steps, precision_of
from tests.random_samples import random_finished_game

GAME = damier.game("tictactoe")
GAMES = [random_finished_game(GAME, number) for number in range(6)]


def assert_same(first: FinishedGame, second: FinishedGame) -> None:
    assert (first.number, first.seed, first.moves, first.opening, first.returns) == (
        second.number,
        second.seed,
        second.moves,
        second.opening,
        second.returns,
    )
    for field in fields(Samples):
        ours, theirs = getattr(first.samples, field.name), getattr(second.samples, field.name)
        assert ours.dtype == theirs.dtype
        assert (ours == theirs).all()


@pytest.fixture
def file(tmp_path: Path) -> GameFile:
    """A file with all games."""
    file = GameFile(tmp_path / "00000.games", GAME)
    file.create([])
    for game in GAMES:
        file.append(game)
    return file


def test_games_come_back_as_they_were(file: GameFile) -> None:
    games, damage = file.read()
    assert damage is None
    for read, written in zip(games, GAMES, strict=True):
        assert_same(read, written)
    assert_same(unpack_game(pack_game(GAMES[0]), GAME), GAMES[0])


def test_a_file_may_break_off_anywhere(file: GameFile) -> None:
    data = file.path.read_bytes()
    last = len(pack_game(GAMES[-1]))
    for cut in (1, 5, last // 2, last, last + 7):
        file.path.write_bytes(data[:-cut])
        games, damage = file.read()
        assert len(games) == 5
        assert damage is not None
        assert "it breaks off at byte" in damage


def test_a_flipped_bit_anywhere_is_noticed(file: GameFile) -> None:
    data = file.path.read_bytes()
    rng = np.random.default_rng(0)
    for place in rng.integers(8, len(data), 50):
        broken = bytearray(data)
        broken[place] ^= 1 << int(rng.integers(8))
        file.path.write_bytes(broken)
        games, damage = file.read()
        assert damage is not None
        for read, written in zip(games, GAMES, strict=False):
            assert_same(read, written)


def test_games_of_another_game_are_refused(file: GameFile) -> None:
    with pytest.raises(damier.DamierError, match=r"holds games of tictactoe, not of connect4 as it is now"):
        GameFile(file.path, damier.game("connect4")).read()


def test_the_memory_goes_on_after_damage_and_says_so(tmp_path: Path) -> None:
    told: list[str] = []
    memory = Memory(tmp_path, GAME, 1000, told.append)
    memory.begin(0)
    for game in GAMES:
        memory.file(0).append(game)
    path = memory.file(0).path
    path.write_bytes(path.read_bytes()[:-3])
    assert [game.number for game in memory.begin(0)] == [0, 1, 2, 3, 4]
    assert len(told) == 1
    assert "it breaks off at byte" in told[0]
    assert "its first 5 games are kept, the damaged file is 00000.damaged" in told[0]
    memory.file(0).append(GAMES[5])
    assert [game.number for game in memory.begin(0)] == list(range(6))
    assert len(told) == 1


def test_the_memory_keeps_the_last_positions_and_forgets_files(tmp_path: Path) -> None:
    memory = Memory(tmp_path, GAME, 20, print)
    for iteration, game in enumerate(GAMES):
        memory.begin(iteration)
        memory.file(iteration).append(game)
        memory.add(iteration, [game])
    everything = concatenate([game.samples for game in GAMES])
    samples = memory.samples()
    assert len(samples) == 20
    assert (samples.states == everything.states[-20:]).all()
    assert (np.diff(samples.offsets) == np.diff(everything.offsets)[-20:]).all()
    assert (samples.probs == everything.probs[-samples.offsets[-1] :]).all()
    memory.forget()
    assert memory.stored()[-1] == 5
    assert 2 <= len(memory.stored()) <= 4
    again = Memory(tmp_path, GAME, 20, print)
    again.load(before=6)
    assert (again.samples().states == samples.states).all()


def test_a_mirrored_sample_is_that_of_the_mirrored_position() -> None:
    """Column c of a Connect 4 board turned over is column 6 - c; its planes and its policy likewise."""
    game = damier.game("connect4")
    samples = concatenate([random_finished_game(game, number).samples for number in range(3)])
    batches = Batches(game, samples, 0.5, symmetries=True)
    chosen = np.arange(len(samples))
    plain, turned = batches.at(chosen), batches.at(chosen, np.random.default_rng(0))
    mirrored = 0
    for row in range(len(samples)):
        legal = plain.is_legal[row]
        if (plain.actions[row] == turned.actions[row])[legal].all():
            assert (plain.planes[row] == turned.planes[row]).all()
        else:
            mirrored += 1
            assert (plain.planes[row][:, :, ::-1] == turned.planes[row]).all()
            assert (6 - plain.actions[row] == turned.actions[row])[legal].all()
    assert 0.3 < mirrored / len(samples) < 0.7
    expected = (samples.outcomes + samples.searched) / 2
    assert np.allclose(plain.values, expected)


def test_the_loss_is_over_legal_moves_and_full_searches() -> None:
    samples = concatenate([game.samples for game in GAMES])
    samples.weights[::2] = 0
    batch = Batches(GAME, samples, 0.0, symmetries=False).at(np.arange(len(samples)))
    network = build_network(GAME, NetworkSettings(kind="mlp", blocks=1, channels=16), seed=3).eval()
    found = losses_of(network, batch)
    policy, value, entropy = found["policy"], found["value"], found["entropy"]
    with torch.no_grad():
        logits, values = network(torch.from_numpy(encoded(GAME, samples.states)))
    policies, entropies = [], []
    for row in range(len(samples)):
        own = slice(samples.offsets[row], samples.offsets[row + 1])
        log_p = torch.log_softmax(logits[row, samples.actions[own]], 0).numpy()
        policies.append(-(samples.probs[own] * log_p).sum())
        entropies.append(-(np.exp(log_p) * log_p).sum())
    assert policy.item() == pytest.approx(np.mean(policies[1::2]), rel=1e-5)
    assert entropy.item() == pytest.approx(np.mean(entropies), rel=1e-5)
    assert value.item() == pytest.approx(((samples.outcomes - values.numpy()) ** 2).mean(), rel=1e-5)


@pytest.mark.parametrize("optimiser", ["adamw", "sgd"])
def test_a_network_learns_a_few_positions_by_heart(optimiser: str) -> None:
    samples = concatenate([game.samples for game in GAMES])
    batches = Batches(GAME, samples, 1.0, symmetries=False)
    torch.set_num_threads(1)  # threads wait for each other longer than this takes
    rate = 0.01 if optimiser == "adamw" else 0.1
    settings = TrainingSettings.model_validate(
        {"optimiser": optimiser, "learning_rate": rate, "warmup": 20, "weight_decay": 0, "batch": 64}
    )
    trainer = Trainer(build_network(GAME, NetworkSettings(kind="mlp", blocks=2, channels=64)), settings)
    assert trainer.learning_rate == pytest.approx(rate / 20)
    rng = np.random.default_rng(0)
    first = trainer.train(batches, 20, rng)
    assert trainer.learning_rate == rate
    last = [trainer.train(batches, 50, rng) for _ in range(8)][-1]
    assert last.value < 0.3 * first.value
    assert last.policy < first.policy - 0.1


def test_bfloat16_learns_alike() -> None:
    batches = Batches(GAME, concatenate([game.samples for game in GAMES]), 1.0, symmetries=False)
    torch.set_num_threads(1)
    lasts = []
    for precision in ("float32", "bfloat16"):
        settings = TrainingSettings.model_validate({"precision": precision, "batch": 64, "warmup": 20})
        trainer = Trainer(build_network(GAME, NetworkSettings(blocks=1, channels=8)), settings)
        trainer.train(batches, 80, np.random.default_rng(0))
        lasts.append(trainer.train(batches, 20, np.random.default_rng(1)))
        assert all(weights.dtype == torch.float32 for weights in trainer.network.parameters())
    exact, rounded = lasts
    assert exact != rounded
    assert rounded.policy == pytest.approx(exact.policy, rel=0.02)
    assert rounded.value == pytest.approx(exact.value, rel=0.1)


@pytest.mark.parametrize(
    ("kind", "has", "expected"),
    [
        ("tower", {"avx512_bf16": True}, torch.bfloat16),
        ("tower", {"amx_bf16": True, "avx512_bf16": False}, torch.bfloat16),
        ("tower", {"avx2": True}, torch.float32),
        ("mlp", {"avx512_bf16": True}, torch.float32),
    ],
)
def test_bfloat16_is_used_where_it_is_faster(
    kind: str, has: dict[str, bool], expected: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: has, raising=False)
    network = build_network(GAME, NetworkSettings.model_validate({"kind": kind, "blocks": 1, "channels": 8}))
    assert precision_of(network, TrainingSettings()) == expected
    assert precision_of(network, TrainingSettings(precision="float32")) == torch.float32


def test_the_learning_rate_falls_to_a_tenth_at_the_end() -> None:
    network = build_network(damier.game("tictactoe"), NetworkSettings(kind="mlp", blocks=1, channels=8))
    trainer = Trainer(network, TrainingSettings(learning_rate=0.01, warmup=0, cooldown=0.25))
    rates = []
    for trainer.progress in (0.0, 0.75, 0.875, 1.0):
        rates.append(trainer.learning_rate)
    assert rates == pytest.approx([0.01, 0.01, 0.0055, 0.001])


def test_the_weights_for_play_are_a_running_mean() -> None:
    batches = Batches(GAME, concatenate([game.samples for game in GAMES]), 1.0, symmetries=False)
    torch.set_num_threads(1)
    settings = TrainingSettings(average=5, batch=16, learning_rate=0.01)
    trainer = Trainer(build_network(GAME, NetworkSettings(kind="mlp", blocks=1, channels=8)), settings)
    expected = [weights.detach().clone() for weights in trainer.network.parameters()]
    rng = np.random.default_rng(0)
    for step in range(1, 101):
        trainer.train(batches, 1, rng)
        share = max(1 / 5, 10 / (10 + step))
        expected = [old + share * (new - old) for old, new in zip(expected, trainer.network.parameters(), strict=True)]
    for mean, weights in zip(trainer.playing.parameters(), expected, strict=True):
        assert torch.allclose(mean, weights, atol=1e-6)


def test_how_much_is_learnt_in_an_iteration() -> None:
    assert num_steps(TrainingSettings(reuse=4, batch=100), new=1000, remembered=5000) == 40
    assert num_steps(TrainingSettings(epochs=10, batch=100), new=1000, remembered=5050) == 510
