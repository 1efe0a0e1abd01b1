"""AlphaZero: a network learns a game from nothing, by playing against itself."""

import importlib.util
import os

from damier.core.errors import DamierError

# Waiting torch threads yield the processor: on busy cores a training step took ten times as long without this. It is
# read when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

_NEEDED = ("torch", "onnx", "safetensors")


def require_training() -> None:
    """Raise a one-line error if the packages for training are not installed."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise DamierError("train.missing", packages=missing)
