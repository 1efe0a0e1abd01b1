"""Where networks are found: those that come with damier, files, and runs of `damier train`."""

import re
from pathlib import Path
from typing import Any

from damier.core.errors import SpecError
from damier.core.files import is_file, is_folder, user_path
from damier.core.game import Game
from damier.search.guided.network import is_received

SHIPPED = Path(__file__).parent / "networks"
OF_A_RUN = "best.onnx"  # in the folder of a run: the network of the last accepted checkpoint


def find_network(net: str, game: Game) -> Path:
    """The file of a network: shipped and named like its game, an .onnx file, or the best one of a run."""
    shipped = shipped_networks()
    if not net:
        if has_network(game):
            return shipped[_file_name(game)]
        raise SpecError(
            f"no network for {game.name} comes with damier: say net=FILE.onnx or net=RUN; {_there_is(shipped)}"
        )
    if net in shipped:
        return shipped[net]
    if is_received(Path(net)):
        return Path(net)
    path = user_path(net)
    if is_folder(path):
        if not is_file(path / OF_A_RUN):
            raise SpecError(f"no network in {path}: expected {OF_A_RUN}, as `damier train` writes it")
        return path / OF_A_RUN
    if not is_file(path):
        raise SpecError(f"no network '{net}': expected a file, the folder of a run, or a name; {_there_is(shipped)}")
    return path


def has_network(game: Game) -> bool:
    """Whether a network for just this game comes with damier."""
    return _file_name(game) in shipped_networks()


def shipped_networks() -> dict[str, Path]:
    """The networks that come with damier, by name."""
    return {path.stem: path for path in sorted(SHIPPED.glob("*.onnx"))}


def _file_name(game: Game) -> str:
    """`othello-size-6` for `othello:size=6`."""
    return re.sub(r"\W+", "-", game.name)


def _there_is(shipped: dict[str, Any]) -> str:
    return f"there is {', '.join(shipped)}" if shipped else "there is none yet"
