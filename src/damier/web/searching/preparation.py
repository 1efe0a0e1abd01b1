"""The smallest search of a kind: it compiles the code of larger ones, and identifies searches that share code."""

from typing import Any

from damier.core.loading import load_class
from damier.core.spec import defaults, format_spec, split_spec
from damier.players import REGISTRY

LEAST = {"sims": 1, "nodes": 1, "depth": 1, "seconds": None, "level": 1, "iterations": 1}


def smallest(spec: str) -> str:
    """The same player with the smallest possible budget; a player without a budget is unchanged."""
    name, options = split_spec(spec)
    known = known_options(name)
    least = {option: value for option, value in LEAST.items() if option in known}
    kept = {option: value for option, value in options.items() if option not in least}
    return format_spec(name, kept | {option: value for option, value in least.items() if value is not None})


def known_options(name: str) -> dict[str, Any]:
    """The options of a player with their defaults; those of an external program are unknown."""
    return defaults(load_class(REGISTRY.get(name, name))) if name != "engine" else {}
