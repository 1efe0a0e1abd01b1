"""Networks for games of any shape and any number of players, and their files for play."""

from typing import Any, Literal

import numpy as np
import onnxruntime
import pytest
import torch

import damier
from damier.core.protocol import Planes
from damier.zero.export import check_agreement, metadata, quantised, to_onnx
from damier.zero.network import PolicyValueNetwork, build_network
from damier.zero.settings import NetworkSettings
from tests.unit.arena_games import Most

KINDS: tuple[Literal["tower", "small", "mlp"], ...] = ("tower", "small", "mlp")


class Encoded(Most):
    """A game for three or four, as a network sees it: a list, a board or planes."""

    num_actions = 3

    def __init__(self, players: int = 3, turns: int = 2, dims: int = 1):
        super().__init__(players, turns)
        self.dims = dims
        self.encode_shape: tuple[int, ...] = ((4,), (2, 2), (1, 2, 2), (2, 1, 2, 1))[dims - 1]

    def encode(self, state: Any, out: Planes) -> None:
        out.reshape(4)[:] = state.sums


def network_of(game: damier.Game, kind: Literal["tower", "small", "mlp"], **settings: Any) -> PolicyValueNetwork:
    return build_network(game, NetworkSettings(kind=kind, blocks=2, channels=8, **settings), seed=1)


def random_planes(game: damier.Game, count: int) -> Any:
    return np.random.default_rng(0).random((count, *game.encode_shape), np.float32)


def shaken(network: PolicyValueNetwork, planes: Any) -> PolicyValueNetwork:
    """As after some training: weights far from 0, batch normalisation with a history."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weights in network.parameters():
            weights.add_(torch.randn(weights.shape, generator=generator), alpha=0.2)
        network.train()
        for _ in range(3):
            network(torch.from_numpy(planes))
    return network.eval()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dims", [1, 2, 3, 4])
def test_three_players_and_any_shape(kind: Literal["tower", "small", "mlp"], dims: int) -> None:
    game = damier.game(Encoded(3, 2, dims))
    logits, values = network_of(game, kind)(torch.from_numpy(random_planes(game, 5)))
    assert logits.shape == (5, 3)
    assert values.shape == (5, 3)
    assert values.abs().max() < 0.3, "an untrained network says that nobody is ahead"
    assert logits.abs().max() < 0.5, "... and that all moves are alike"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name",
    ["tictactoe", "connect4", Encoded(4, 2, 1), Encoded(3, 2, 4)],
    ids=["tictactoe", "connect4", "a row", "four dimensions"],
)
def test_the_onnx_file_says_what_the_network_says(kind: Literal["tower", "small", "mlp"], name: Any) -> None:
    game = damier.game(name)
    planes = random_planes(game, 16)
    network = shaken(network_of(game, kind), planes)
    written = to_onnx(network, game)
    assert check_agreement(network, written, planes) < 1e-5
    session = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    assert session.get_modelmeta().custom_metadata_map == metadata(game)
    one = session.run(["policy", "values"], {"planes": planes[:1]})
    assert one[0].shape == (1, game.num_actions)
    assert one[1].shape == (1, game.num_players)


def test_a_file_that_differs_from_its_network_is_refused() -> None:
    game = damier.game("tictactoe")
    planes = random_planes(game, 4)
    written = to_onnx(shaken(network_of(game, "mlp"), planes), game)
    with pytest.raises(
        damier.DamierError, match=r"the ONNX file and the network differ by .*; expected less than 0.001"
    ):
        check_agreement(network_of(game, "mlp"), written, planes)


def test_in_8_bits_it_says_nearly_the_same_and_keeps_its_name() -> None:
    game = damier.game("connect4")
    planes = random_planes(game, 64)
    network = shaken(network_of(game, "tower"), planes)
    small = quantised(to_onnx(network, game), planes)
    session = onnxruntime.InferenceSession(small, providers=["CPUExecutionProvider"])
    assert session.get_modelmeta().custom_metadata_map == metadata(game)
    policy, _ = session.run(["policy", "values"], {"planes": planes})
    with torch.no_grad():
        expected = network(torch.from_numpy(planes))[0].numpy()
    error = np.abs(policy - expected).mean() / expected.std()
    assert 0 < error < 0.2


def test_many_actions_are_planes_of_the_board() -> None:
    game = damier.game("blokus:players=2")
    network = network_of(game, "small")
    logits, values = network(torch.from_numpy(random_planes(game, 2)))
    assert logits.shape == (2, game.num_actions)
    assert values.shape == (2, 2)
    assert network.num_weights < 400_000
    planes = random_planes(game, 2)
    assert check_agreement(shaken(network, planes), to_onnx(network, game), planes) < 1e-5


def test_planes_where_there_are_none_are_refused() -> None:
    with pytest.raises(damier.SpecError, match="planes needs actions in whole planes of 42 cells, and connect4 has 7"):
        network_of(damier.game("connect4"), "tower", policy="planes")


def test_a_game_without_encode_is_refused() -> None:
    with pytest.raises(damier.SpecError, match="Most can't be learnt: it has no `encode`"):
        network_of(damier.game(Most()), "mlp")


def test_the_same_seed_gives_the_same_weights() -> None:
    game = damier.game("tictactoe")
    first, second = (network_of(game, "tower").state_dict() for _ in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)


POOLED = {"value": "pooled", "pooled_blocks": 1}


def test_pooled_heads_and_blocks_are_the_same_in_the_file_and_in_8_bits() -> None:
    game = damier.game("connect4")
    planes = random_planes(game, 64)
    network = shaken(network_of(game, "tower", **POOLED), planes)
    written = to_onnx(network, game)
    assert check_agreement(network, written, planes) < 1e-5
    session = onnxruntime.InferenceSession(quantised(written, planes), providers=["CPUExecutionProvider"])
    policy, values = session.run(["policy", "values"], {"planes": planes})
    with torch.no_grad():
        expected = network(torch.from_numpy(planes))
    for got, wanted in zip((policy, values), expected, strict=True):
        assert np.abs(got - wanted.numpy()).mean() / wanted.numpy().std() < 0.3


def test_a_pooled_network_has_the_same_weights_on_every_board() -> None:
    sizes = [
        {
            name: tuple(weights.shape)
            for name, weights in network_of(game, "tower", policy="planes", **POOLED).state_dict().items()
        }
        for game in (damier.game("blokus:board=tiny,size=5"), damier.game("blokus:board=tiny,size=9"))
    ]
    assert sizes[0] == sizes[1]


def test_a_pooled_block_sees_the_whole_board() -> None:
    """A change in one corner reaches the other, however small the convolutions."""
    game = damier.game("blokus:board=duo")
    planes = random_planes(game, 8)
    for pooled, is_seen in ((0, False), (1, True)):
        network = shaken(build_network(game, NetworkSettings(blocks=1, channels=4, pooled_blocks=pooled)), planes)
        changed = planes.copy()
        changed[:, :, 0, 0] += 3
        with torch.no_grad():
            first, second = (network.trunk(torch.from_numpy(each))[:, :, -1, -1] for each in (planes, changed))
        assert bool((first != second).any()) == is_seen


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"kind": "mlp", "value": "pooled"}, "value=pooled needs the cells of a board"),
        ({"kind": "small", "pooled_blocks": 1}, "pooled_blocks are blocks of a tower, got network.kind=small"),
        ({"blocks": 2, "pooled_blocks": 3}, "pooled_blocks to be at most network.blocks = 2, got 3"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(damier.SpecError, match=says):
        build_network(damier.game("tictactoe"), NetworkSettings(**settings))
