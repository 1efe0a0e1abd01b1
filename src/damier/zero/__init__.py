"""AlphaZero: a network learns a game from nothing, by playing against itself."""

import importlib.util
import os

from damier.core.errors import DamierError

# Threads of torch that wait let others work: on busy cores a step of training took ten times as long without it. Read
# when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

_NEEDED = ("torch", "onnx", "safetensors")


def require_training() -> None:
    """One clear line where what only training needs is not installed."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise DamierError("train.missing", packages=missing)
