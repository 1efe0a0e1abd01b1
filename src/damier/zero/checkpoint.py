"""Checkpoints: what a run needs to continue, and the network for play.

    checkpoints/0007/
      model.safetensors      the weights
      mean.safetensors       their running mean, if the run uses it
      heads.safetensors      the layers of further targets, if the run has any
      optimiser.safetensors  the state of the optimiser
      model.onnx             the network for play
      model-int8.onnx        the same in 8-bit numbers, if the run uses it
      manifest.json          checksums of all of them, the iteration, the row of figures; and its own checksum
      verdict.json           the decision of the gate, once there is one; and its checksum

A checkpoint is written under another name and renamed when it is complete; nothing in it changes afterwards. No file is
a pickle: reading a checkpoint runs no foreign code.
"""

import contextlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError

from damier.core.errors import DamierError, SpecError
from damier.core.files import digest, sync_folder, write_file, write_json, writing
from damier.core.game import Game
from damier.zero.run import Run
from damier.zero.training import HEADS, Trainer

MODEL, MEAN, OPTIMISER = "model.safetensors", "mean.safetensors", "optimiser.safetensors"
TARGETS = f"{HEADS}.safetensors"
ONNX, INT8 = "model.onnx", "model-int8.onnx"
MANIFEST, VERDICT = "manifest.json", "verdict.json"
_OWN = "sha256"  # the checksum of a document within itself


class DamagedError(DamierError):
    """A checkpoint that can't be trusted; the message says why."""


@dataclass(frozen=True)
class Checkpoint:
    folder: Path
    manifest: dict[str, Any]

    @property
    def iteration(self) -> int:
        return int(self.manifest["iteration"])

    @property
    def onnx(self) -> Path:
        return self.folder / ONNX

    @property
    def for_play(self) -> Path:
        """The network in the number format of the run's self-play."""
        return self.folder / INT8 if INT8 in self.manifest["files"] else self.onnx

    @property
    def verdict(self) -> dict[str, Any] | None:
        """The decision of the gate; None if there is none yet."""
        if not self.manifest["gated"]:
            return {"accepted": True}
        try:
            verdict = json.loads((self.folder / VERDICT).read_text())
            if _is_signed(verdict) and "accepted" in verdict:
                return _unsigned(verdict)
            return None
        except (OSError, ValueError):
            return None

    def decide(self, verdict: dict[str, Any]) -> None:
        write_json(self.folder / VERDICT, _signed(verdict))

    def restore(self, trainer: Trainer, game: Game) -> None:
        """Restore the weights and the optimiser's state."""
        if self.manifest["game"] != game.name:
            raise DamierError("checkpoint.other-game", path=self.folder, got=self.manifest["game"], game=game.name)
        try:
            trainer.network.load_state_dict(safetensors.torch.load_file(self.folder / MODEL))
            if trainer.mean is not None:  # a run that starts to average begins with the current weights
                stored = MEAN if MEAN in self.manifest["files"] else MODEL
                trainer.mean.load_state_dict(safetensors.torch.load_file(self.folder / stored))
            if trainer.heads and TARGETS in self.manifest["files"]:  # a target that is new begins anew
                trainer.heads.load_state_dict(safetensors.torch.load_file(self.folder / TARGETS), strict=False)
            _set_optimiser_state(trainer, safetensors.torch.load_file(self.folder / OPTIMISER))
        except (RuntimeError, KeyError, ValueError, SafetensorError) as error:
            raise DamierError("checkpoint.other-network", path=self.folder, why=str(error).splitlines()[0]) from None
        trainer.steps = int(self.manifest["steps"])


def save(folder: Path, trainer: Trainer, networks: dict[str, bytes], facts: dict[str, Any]) -> Checkpoint:
    """Write a checkpoint. `networks` are the files for play; `facts` go into the manifest with the checksums."""
    files = {
        MODEL: _stored(trainer.network),
        **({MEAN: _stored(trainer.mean)} if trainer.mean is not None else {}),
        **({TARGETS: _stored(trainer.heads)} if trainer.heads else {}),
        OPTIMISER: safetensors.torch.save(_optimiser_state(trainer)),
        **networks,
    }
    manifest = facts | {"steps": trainer.steps, "files": {name: digest(data) for name, data in files.items()}}
    beside = folder.with_name(f".{folder.name}.new")
    with writing(folder):
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        try:
            for name, data in files.items():
                write_file(beside / name, data)
            write_json(beside / MANIFEST, _signed(manifest))
            beside.rename(folder)
        except BaseException:
            with contextlib.suppress(OSError):
                shutil.rmtree(beside)
            raise
        sync_folder(folder.parent)
    return Checkpoint(folder, manifest)


def load(folder: Path) -> Checkpoint:
    """Load a checkpoint with intact files; raise a DamagedError otherwise."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        listed = dict(manifest["files"])
        for name in ("iteration", "steps", "game", "games", "gated", "row"):
            manifest[name]
        if not _is_signed(manifest):
            raise DamagedError("checkpoint.altered", file=MANIFEST)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedError("checkpoint.unreadable", file=MANIFEST, why=type(error).__name__) from None
    for name, expected in listed.items():
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            raise DamagedError("checkpoint.unreadable", file=name, why=error.strerror) from None
        if digest(data) != expected:
            raise DamagedError("checkpoint.altered", file=name)
    return Checkpoint(folder, manifest)


def chosen_checkpoint(run: Run, iteration: int | None = None) -> Checkpoint:
    """The checkpoint that was accepted last, or that of an iteration; an error if it can't be used."""
    folders = sorted(run.checkpoints.glob("[0-9][0-9][0-9][0-9]"), reverse=True)
    for folder in folders:
        if iteration is not None and int(folder.name) != iteration:
            continue
        try:
            found = load(folder)
        except DamagedError as error:
            if iteration is not None:
                raise DamierError("checkpoint.unusable", path=folder, why=error.message) from None
            continue
        if not found.iteration:
            break  # it has learnt nothing
        if iteration is not None or (found.verdict or {}).get("accepted"):
            return found
    if iteration is None:
        raise SpecError("run.no-network", path=run.folder)
    raise SpecError("run.no-checkpoint", path=run.folder, number=iteration)


def _signed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with its own checksum in it."""
    return document | {_OWN: _own_digest(document)}


def _is_signed(document: Any) -> bool:
    """Whether a document is intact. Those of earlier versions have no checksum."""
    return isinstance(document, dict) and document.get(_OWN, _own_digest(document)) == _own_digest(document)


def _unsigned(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != _OWN}


def _own_digest(document: dict[str, Any]) -> str:
    as_read = json.loads(json.dumps(_unsigned(document)))  # JSON has neither tuples nor numbers as keys
    return digest(json.dumps(as_read, sort_keys=True).encode())


def _stored(network: torch.nn.Module) -> bytes:
    return safetensors.torch.save({name: tensor.contiguous() for name, tensor in network.state_dict().items()})


def _optimiser_state(trainer: Trainer) -> dict[str, torch.Tensor]:
    """The state by the name of the weights: `exp_avg/trunk.0.weight`, ..."""
    return {
        f"{key}/{name}": value.contiguous()
        for name, weights in trainer.learnt.items()
        for key, value in trainer.optimiser.state.get(weights, {}).items()
        if isinstance(value, torch.Tensor)
    }


def _set_optimiser_state(trainer: Trainer, stored: dict[str, torch.Tensor]) -> None:
    by_name = trainer.learnt
    for entry, value in stored.items():
        key, _, name = entry.partition("/")
        if name.startswith(f"{HEADS}.") and name not in by_name:  # of a target that is off now
            continue
        if by_name[name].shape != value.shape and value.dim():
            raise ValueError(f"the optimiser's {entry} has the shape {tuple(value.shape)}")
        trainer.optimiser.state[by_name[name]][key] = value
