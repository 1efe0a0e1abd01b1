"""Which kind a class of your own is, by the methods it has."""

# A kind is known by any of its methods; the first kind that fits counts, since a game may have `evaluate` too.
KINDS = {
    "game": ("moves",),
    "player": ("choose", "search"),
    "evaluation": ("evaluate",),
    "rule": ("score",),
    "playout": ("move",),
}


def kind_of(cls: type) -> str | None:
    """`game`, `player`, `evaluation`, `rule` or `playout`; None for a class with no method of these kinds."""
    for kind, methods in KINDS.items():
        if any(callable(getattr(cls, method, None)) for method in methods):
            return kind
    return None
