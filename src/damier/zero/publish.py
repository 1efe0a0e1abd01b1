"""Exporting a network: one file for play, and beside it a card that says where it comes from.

The card is TOML: the command that makes such a network again, the seed, the measured figures, all settings, and the
checksum of its network.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from damier.core.errors import SpecError
from damier.core.files import check_path, digest, locked, write_file
from damier.core.spec import build, split_spec
from damier.core.version import __version__
from damier.search.guided.network import CARD, Network
from damier.search.guided.zero import Zero
from damier.zero.batches import some_positions
from damier.zero.checkpoint import Checkpoint, chosen_checkpoint
from damier.zero.configuration import flat, settings_for, to_toml, toml_value
from damier.zero.export import quantised
from damier.zero.metrics import TARGET_CURVES
from damier.zero.replay import Memory
from damier.zero.run import Run
from damier.zero.settings import Settings

NETWORK = ".onnx"
STRENGTHS = ("beginner", "club", "strong")  # of the web page's opponents
_LOSSES = ("total_loss", "policy_loss", "value_loss", *TARGET_CURVES)


def publish(
    run: Run,
    out: Path,
    iteration: int | None = None,
    figures: Mapping[str, Any] | None = None,
    force: bool = False,
    int8: bool = False,
    recommended: Mapping[str, str] | None = None,
) -> Path:
    """Write the network that was accepted last, or that of an iteration, and its card; return the path of the card.

    With `int8` the network has 8-bit numbers, whose ranges are fitted to positions of the run's games. `recommended`
    are options of `zero` by the strength that they give; a network without any is not offered as an opponent.
    """
    if out.suffix != NETWORK:
        raise SpecError("file.ending", known=[NETWORK], got=out)
    check_path(out)
    if out.exists() and not force:
        raise SpecError("file.there", path=out)
    found = chosen_checkpoint(run, iteration)
    Network(found.onnx).fits(run.game)
    data = _quantised(run, found) if int8 else found.onnx.read_bytes()
    card = out.with_suffix(CARD)
    text = card_of(run, found, data, figures or {}, _checked(recommended or {}))
    check_path(out)
    with locked(out.parent):  # two exports at once must not mix the network of one with the card of the other
        # The card first: a network that does not match it is refused.
        write_file(card, text)
        write_file(out, data)
    return card


def _quantised(run: Run, found: Checkpoint) -> bytes:
    memory = Memory(run.replay, run.game, run.settings.training.memory, lambda _: None)
    memory.load(before=found.iteration)
    if not memory.parts:
        raise SpecError("run.no-games", path=run.folder)
    rng = np.random.default_rng(run.settings.seed)
    return quantised(found.onnx.read_bytes(), some_positions(run.game, memory.samples(), rng))


def _checked(recommended: Mapping[str, str]) -> Mapping[str, str]:
    for strength, options in recommended.items():
        if strength not in STRENGTHS:
            raise SpecError("train.strength", known=list(STRENGTHS), got=strength)
        _, given = split_spec(f"zero:{options}")
        build(Zero, "zero", given)
    return recommended


def card_of(
    run: Run, found: Checkpoint, data: bytes, figures: Mapping[str, Any], recommended: Mapping[str, str]
) -> str:
    row, rows = found.manifest["row"], [row for row in run.metrics.rows() if row["iteration"] <= found.iteration]
    facts = {
        "game": run.game.name,
        "command": training_command(run.settings),
        "seed": run.settings.seed,
        "damier": __version__,
        "sha256": digest(data),
        "bytes": len(data),
        "int8": data != found.onnx.read_bytes(),
    }
    measured: dict[str, Any] = {
        "iterations": found.iteration,
        "games": found.manifest["games"],
        "minutes": round(sum(row["seconds"] for row in rows) / 60, 1),
        **{name: round(row[name], 3) for name in _LOSSES if name in row},
        **figures,
    }
    settings = to_toml(for_others(run.settings)).replace("\n[", "\n[settings.")
    lines = [f"{key} = {toml_value(value)}" for key, value in facts.items()]
    for title, table in (("recommended", recommended), ("figures", measured)):
        if table:
            lines += ["", f"[{title}]", *(f"{key} = {toml_value(value)}" for key, value in table.items())]
    return "\n".join([*lines, "", "[settings]", settings])


def for_others(settings: Settings) -> Settings:
    """The settings without the place of the network to start from: elsewhere it is another one, so its name does."""
    network = settings.start.network
    if network is None:
        return settings
    return settings.model_copy(update={"start": settings.start.model_copy(update={"network": Path(network).name})})


def training_command(settings: Settings) -> str:
    """The `damier train` command with the settings that differ from the recipe of the game."""
    mine, recipe = (flat(each.model_dump(exclude={"start"})) for each in (settings, settings_for(settings.game)))
    differing = {key: value for key, value in mine.items() if value != recipe[key] and value is not None}
    changed = [f"--set {key}={str(value).lower()}" for key, value in differing.items()]
    start = for_others(settings).start.network
    return " ".join(["damier train", settings.game, *([f"--from {start}"] if start else []), *changed])
