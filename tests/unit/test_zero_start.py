"""A run that starts from another network: what is taken, what is refused, what the card says."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import safetensors.torch
import torch

import damier
from damier.search.guided.shipped import shipped_networks
from damier.zero.batches import encoded
from damier.zero.configuration import settings_for
from damier.zero.export import quantised, to_onnx
from damier.zero.loop import train
from damier.zero.network import PolicyValueNetwork, build_network
from damier.zero.origin import modules_of, read_origin
from damier.zero.run import Run, create_run, open_run
from damier.zero.settings import NetworkSettings
from damier.zero.start import counterparts, played_at_random, take
from tests.unit.command import Damier
from tests.unit.test_zero_network import shaken

BOARD, LARGER = "blokus:board=tiny,size=5,pieces=3", "blokus:board=tiny,size=6,pieces=3,players=2,colours=4"
NETWORK = {"blocks": 2, "channels": 8, "policy": "planes", "value": "pooled", "pooled_blocks": 1}
SHORT: dict[str, Any] = {
    "iterations": 1,
    "network": NETWORK,
    "search": {"sims": 4},
    "selfplay": {"games": 4, "parallel": 4},
    "training": {"batch": 16, "memory": 1000},
}
NEURONS = ("--set", "network.kind=mlp", "--set", "network.blocks=1", "--set", "network.channels=16")
QUICK = ("--games", "4", "--sims", "2", "--iterations", "1", "--workers", "1")


def network_for(game: damier.Game, seed: int = 0, **changed: Any) -> PolicyValueNetwork:
    return build_network(game, NetworkSettings(**(NETWORK | changed)), seed).eval()


def trained_like(game: damier.Game) -> PolicyValueNetwork:
    """A network with weights far from 0, and normalisation with a history."""
    return shaken(network_for(game), encoded(game, played_at_random(game, 64)))


def answers(network: PolicyValueNetwork, planes: Any) -> list[Any]:
    with torch.no_grad():
        return [each.numpy() for each in network.eval()(torch.from_numpy(planes))]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of one iteration on the small board."""
    run = create_run(tmp_path_factory.mktemp("runs") / "small", settings_for(BOARD, SHORT))
    train(run, workers=1)
    return run


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A network of the small board as files in 32 and in 8 bits."""
    folder, game = tmp_path_factory.mktemp("files"), damier.game(BOARD)
    written = to_onnx(trained_like(game), game)
    small = quantised(written, encoded(game, played_at_random(game, 64)))
    paths = {"float": folder / "float.onnx", "int8": folder / "int8.onnx"}
    for name, data in (("float", written), ("int8", small)):
        paths[name].write_bytes(data)
    return paths


# -- what is taken -----------------------------------------------------------------------------------------------------


def test_of_a_run_of_the_same_game_every_weight_is_taken(run: Run) -> None:
    network = network_for(run.game, seed=9)
    taken = take(read_origin(str(run.folder)), network, "tower", run.game)
    stored = safetensors.torch.load_file(run.checkpoints / "0001" / "mean.safetensors")  # which plays
    assert all(torch.equal(stored[name], weights) for name, weights in network.state_dict().items())
    assert taken.layers == {"trunk": (6, 6), "policy": (2, 2), "value": (3, 3)}


@pytest.mark.parametrize(("numbers", "tolerance"), [("float", 1e-4), ("int8", 0.3)])
def test_from_a_file_it_says_what_the_file_says(files: dict[str, Path], numbers: str, tolerance: float) -> None:
    """Also where the normalisation is folded in, and also while it learns, on the positions it was fitted to."""
    game = damier.game(BOARD)
    planes = encoded(game, played_at_random(game, 256))
    network = network_for(game, seed=9)
    take(read_origin(str(files[numbers])), network, "tower", game)
    expected = answers(trained_like(game), planes)
    for got, wanted in zip(answers(network, planes), expected, strict=True):
        assert np.abs(got - wanted).mean() < tolerance * wanted.std()
    network.train()
    with torch.no_grad():
        learning = network(torch.from_numpy(planes))
    for got, wanted in zip(learning, expected, strict=True):
        assert np.abs(got.numpy() - wanted).mean() < 2 * tolerance * wanted.std()


def test_weights_in_8_bits_are_within_a_step_of_the_original(files: dict[str, Path]) -> None:
    ours, theirs = (read_origin(str(files[numbers])).layers for numbers in ("float", "int8"))
    assert list(ours) == list(theirs)
    for place, layer in ours.items():
        step = layer.weight.abs().max() / 63  # seven bits and a sign, `reduce_range`
        assert (layer.weight - theirs[place].weight).abs().max() <= step


def test_another_board_with_more_colours_takes_what_fits(files: dict[str, Path]) -> None:
    """Each plane of the first layer takes the weights of a plane with its name; the last layer of the value starts anew
    for other players only."""
    small, game = damier.game(BOARD), damier.game(LARGER)
    origin, network = read_origin(str(files["float"])), network_for(game, seed=9)
    taken = take(origin, network, "tower", game)
    assert taken.layers == {"trunk": (6, 6), "policy": (2, 2), "value": (3, 3)}
    first = modules_of(network, "tower")["trunk input"][0].weight
    theirs = origin.layers["trunk input"].weight
    for plane, name in enumerate(game.plane_names):
        if name in small.plane_names:
            assert torch.equal(first[:, plane], theirs[:, small.plane_names.index(name)])
        else:
            assert name.startswith("friend")
            assert not first[:, plane].any()
    assert taken.planes == (sum(not name.startswith("friend") for name in game.plane_names), len(game.plane_names))
    second = modules_of(network, "tower")["block 1 first"][0].weight
    assert torch.equal(second, origin.layers["block 1 first"].weight)


def test_a_layer_of_another_shape_and_those_after_it_in_a_head_start_anew(files: dict[str, Path]) -> None:
    game = damier.game(BOARD.replace("pieces=3", "pieces=2"))
    fresh, network = network_for(game, seed=9, value="dense"), network_for(game, seed=9, value="dense")
    taken = take(read_origin(str(files["float"])), network, "tower", game)
    assert taken.layers == {"trunk": (6, 6), "policy": (1, 2), "value": (1, 3)}
    ours, before = network.state_dict(), fresh.state_dict()
    for name in ("value.4.weight", "value.6.weight"):  # the dense layers
        assert torch.equal(ours[name], before[name])
    assert "1 of 3 of the value" in taken.message


def test_more_blocks_than_the_origin_has_start_anew(files: dict[str, Path]) -> None:
    game = damier.game(BOARD)
    network = network_for(game, blocks=3)
    assert take(read_origin(str(files["float"])), network, "tower", game).layers["trunk"] == (5, 8)


def test_planes_of_one_name_are_matched_in_order() -> None:
    assert counterparts(("a", "b", "b"), ("b", "c", "b", "b", "a")) == [1, None, 2, 1, 0]


def test_every_network_that_comes_with_damier_can_be_started_from() -> None:
    for name in shipped_networks():
        origin = read_origin(name)
        game = damier.game(origin.game)
        made = tomllib.loads(shipped_networks()[name].with_suffix(".toml").read_text())["settings"]["network"]
        network = build_network(game, NetworkSettings(**made)).eval()
        taken = take(origin, network, made["kind"], game)
        assert all(got == count for got, count in taken.layers.values()), name


# -- the command, the card, going on -----------------------------------------------------------------------------------


def test_the_run_says_where_it_starts_and_the_card_names_no_path(run: Run, tmp_path: Path, damier_: Damier) -> None:
    settings = [text for key, value in NETWORK.items() for text in ("--set", f"network.{key}={value}")]
    out = tmp_path / "larger"
    code, _, err = damier_("train", LARGER, "--from", run.folder, "--out", out, *QUICK, *settings)
    assert code == 0, err
    assert f"starting from a network of {run.game.name} (" in err
    assert "6 of 6 layers of the trunk" in err
    started = open_run(out)
    sha256 = started.settings.start.sha256
    assert started.settings.start.network == str(run.folder)
    assert started.settings.start.game == run.game.name
    assert sha256 is not None
    assert damier_("runs", "export", out, "--out", tmp_path / "it.onnx")[0] == 0
    text = (tmp_path / "it.toml").read_text()
    card = tomllib.loads(text)
    assert card["settings"]["start"] == {"network": "small", "game": run.game.name, "sha256": sha256}
    assert card["command"].startswith(f"damier train {LARGER} --from small --set")
    assert str(run.folder.parent) not in text
    code, _, err = damier_("train", "--resume", out, "--iterations", "2", "--workers", "1")
    assert code == 0, err
    assert "starting from" not in err, "it goes on from its own checkpoint"
    assert damier_("train", "--resume", out, "--from", run.folder, "--iterations", "2", "--workers", "1")[0] == 0
    code, _, err = damier_("train", "--resume", out, "--from", "blokus-board-duo", "--workers", "1")
    assert code == 2
    assert "start can't be changed in the middle of a run" in err


def test_a_run_starts_with_the_weights_it_was_given(run: Run, tmp_path: Path) -> None:
    started = create_run(tmp_path / "again", settings_for(BOARD, SHORT, {"start": {"network": str(run.folder)}}))
    train(started, workers=1)
    first = (started.checkpoints / "0000" / "model.safetensors").read_bytes()
    assert first == (run.checkpoints / "0001" / "mean.safetensors").read_bytes()


def refused(tmp_path: Path, damier_: Damier, *arguments: object) -> str:
    code, _, err = damier_("train", "tictactoe", "--out", tmp_path / "run", *QUICK, *arguments)
    assert code == 2
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "run").exists(), "nothing is left behind"
    return err


def test_another_kind_of_network_is_refused(run: Run, tmp_path: Path, damier_: Damier) -> None:
    err = refused(tmp_path, damier_, "--from", run.folder, *NEURONS)
    assert "is a network of the kind tower, and network.kind is mlp" in err


def test_a_network_of_which_nothing_fits_is_refused(run: Run, tmp_path: Path, damier_: Damier) -> None:
    err = refused(tmp_path, damier_, "--from", run.folder, "--set", "network.channels=5")
    assert "no layer of" in err
    assert "this run's 5x2x3x3; see network.channels" in err


@pytest.mark.parametrize("content", [b"", b"no network", None])
def test_a_file_that_is_no_network_of_damier_is_refused(tmp_path: Path, damier_: Damier, content: bytes | None) -> None:
    file = tmp_path / "other.onnx"
    if content is None:  # a network of somebody else
        node = onnx.helper.make_node("Relu", ["x"], ["y"])
        ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in "xy"]
        content = onnx.helper.make_model(onnx.helper.make_graph([node], "it", ends[:1], ends[1:])).SerializeToString()
    file.write_bytes(content)
    assert "other.onnx' is no network of damier: expected an .onnx file" in refused(tmp_path, damier_, "--from", file)


def test_a_missing_network_is_refused(tmp_path: Path, damier_: Damier) -> None:
    assert "nowhere.onnx': expected a file, the folder of a run" in refused(tmp_path, damier_, "--from", "nowhere.onnx")


def test_a_network_that_was_replaced_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    start = {"network": str(files["float"]), "sha256": "0" * 64}
    with pytest.raises(damier.DamierError, match=r"does not hold the network any more .* checksum 0000"):
        create_run(tmp_path / "run", settings_for(BOARD, SHORT, {"start": start}))
