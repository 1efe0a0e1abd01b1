"""A network as a file: ONNX, run by ONNX Runtime.

Its input `planes` is what `encode` writes, [batch, *encode_shape]. Its outputs are `policy`, one logit for each action,
and `values`, one number in [-1, 1] for each player, the player to move first, then those after them.

An exported network, and the best one of a run, has a card beside it, a TOML file of the same name with its checksum. A
network that does not match its card is never used.
"""

import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from damier.core.errors import DamierError
from damier.core.files import digest
from damier.core.game import Game

Floats = NDArray[np.float32]

FORMAT = "1"
CARD = ".toml"
_NAMES = ({"planes"}, {"policy", "values"})
_received: dict[str, bytes] = {}


class Evaluator(Protocol):
    """A network, or a stand-in for one."""

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [batch, num_actions] and values [batch, num_players] of a batch of positions."""


class Network:
    """A network made by `damier train`. It uses one thread by default, so many small searches share a machine well."""

    def __init__(self, path: str | Path, threads: int = 1) -> None:
        self.path = Path(path)
        self._session = _open(self.path, threads)
        inputs = {each.name: each.shape for each in self._session.get_inputs()}
        outputs = {each.name: each.shape for each in self._session.get_outputs()}
        if (set(inputs), set(outputs)) != _NAMES:
            found = f"{', '.join(inputs)} and {', '.join(outputs)}"
            raise DamierError("network.other-parts", path=self.path, got=found)
        self.metadata: dict[str, str] = self._session.get_modelmeta().custom_metadata_map
        if self.metadata.get("damier.format", FORMAT) != FORMAT:
            got = self.metadata["damier.format"]
            raise DamierError("network.format", path=self.path, expected=FORMAT, got=got)
        self.encode_shape = tuple(inputs["planes"][1:])
        self.num_actions = outputs["policy"][-1]
        self.num_players = outputs["values"][-1]
        # Whether its values include the winning margin, see `margin`: the search must count the ends of games alike.
        self.margin = self._number("damier.margin", 0.0, 0.0)
        self.margin_reach = self._number("damier.margin_reach", 1.0, 1e-9)

    def _number(self, key: str, usual: float, least: float) -> float:
        text = self.metadata.get(key, str(usual))
        try:
            number = float(text)
        except ValueError:
            number = -1.0
        if not least <= number <= 1:
            raise DamierError("network.metadata", path=self.path, name=key, got=text)
        return number

    def fits(self, game: Game) -> None:
        """Raise a DamierError if the network was made for another kind of game."""
        if not game.has("encode"):
            raise DamierError("network.no-encode", game=game.name)
        if self.margin and not game.has("evaluate"):
            raise DamierError("network.no-evaluate", path=self.path, game=game.name)
        mine = (self.encode_shape, self.num_actions, self.num_players)
        theirs = (tuple(game.encode_shape), game.num_actions, game.num_players)
        if mine != theirs:
            made_for = self.metadata.get("damier.game", "?")
            facts = {"made_for": made_for, "expected": _shown(theirs), "got": _shown(mine)}
            raise DamierError("network.other-game", path=self.path, game=game.name, **facts)

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        policy, values = self._session.run(["policy", "values"], {"planes": planes})
        return policy, values


def receive(networks: Mapping[str, bytes]) -> None:
    """Make these networks available by their paths without files: another computer has sent them."""
    _received.clear()
    _received.update(networks)


def is_received(path: str | Path) -> bool:
    return str(path) in _received


def read_network(path: Path) -> bytes:
    """The content of a network file. If it has a card, the content must match it.

    A run that is training replaces the two files one after the other, so if they differ they are read again.
    """
    for wait in (0.05, 0.2, 0.0):
        try:
            data = path.read_bytes()
        except OSError as error:
            raise DamierError("network.none-at", path=path, why=error.strerror) from None
        try:
            read_card(path, data)
        except DamierError:
            if not wait:
                raise
            time.sleep(wait)
        else:
            break
    return data


def read_card(network: Path, data: bytes) -> dict[str, Any]:
    """The card of a network with this content, empty if it has none. It is an error if it is about another network."""
    path = network.with_suffix(CARD)
    try:
        card = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise DamierError("network.card", path=path, why=error) from None
    if "sha256" not in card:
        return {}  # another file of the user, which only has the name of a card
    if card["sha256"] != digest(data):
        raise DamierError("network.altered", network=network, card=path.name)
    return card


def _open(path: Path, threads: int) -> Any:
    import onnxruntime  # late: it takes a tenth of a second, and most commands don't need it

    data = _received.get(str(path)) or read_network(path)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4  # it would write to the terminal; serious errors are raised
    try:
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's exceptions have no common base
        raise DamierError("network.damaged", path=path, why=" ".join(str(error).split())[:200]) from None


def _shown(facts: tuple[Any, ...]) -> str:
    return f"{'x'.join(map(str, facts[0]))}, {facts[1]} and {facts[2]}"
