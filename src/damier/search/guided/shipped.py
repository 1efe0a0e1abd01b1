"""Finding networks: those that come with damier, files, and runs of `damier train`."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from damier.core.errors import DamierError, SpecError
from damier.core.files import is_file, is_folder, user_path
from damier.core.game import Game
from damier.core.messages import say
from damier.search.guided.network import is_received, read_card, read_network

SHIPPED = Path(__file__).parent / "networks"
OF_A_RUN = "best.onnx"  # in the folder of a run: the network of the last accepted checkpoint


def find_network(net: str, game: Game) -> Path:
    """The file of a network: shipped and named like its game, an .onnx file, or the best one of a run."""
    shipped = shipped_networks()
    if not net:
        if has_network(game):
            return shipped[_file_name(game)]
        raise SpecError("network.none-for", game=game.name, shipped=_there_is(shipped))
    if net in shipped:
        return shipped[net]
    if is_received(Path(net)):
        return Path(net)
    path = user_path(net)
    if is_folder(path):
        if not is_file(path / OF_A_RUN):
            raise SpecError("network.none-in-run", path=path, file=OF_A_RUN)
        return path / OF_A_RUN
    if not is_file(path):
        raise SpecError("network.unknown", name=net, shipped=_there_is(shipped))
    return path


def has_network(game: Game) -> bool:
    """Whether a network for exactly this game comes with damier."""
    return _file_name(game) in shipped_networks()


def recommended_options(game: Game) -> dict[str, str]:
    """By strength, the options with which the card of the game's own network recommends it.

    Empty if there is no such network, if it is damaged, or if searches without one are still as strong.
    """
    return dict(_recommended(shipped_networks()[_file_name(game)])) if has_network(game) else {}


@cache
def _recommended(network: Path) -> dict[str, str]:
    try:
        card = read_card(network, read_network(network))
    except DamierError:
        return {}
    return {strength: str(options) for strength, options in card.get("recommended", {}).items()}


def shipped_networks() -> dict[str, Path]:
    """The networks that come with damier, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.onnx"))}


def _file_name(game: Game) -> str:
    """`othello-size-6` for `othello:size=6`."""
    return re.sub(r"\W+", "-", game.name)


def _there_is(shipped: dict[str, Any]) -> str:
    return say("network.shipped", names=list(shipped)) if shipped else say("network.none-shipped")
