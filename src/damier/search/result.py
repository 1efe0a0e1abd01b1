"""What every search returns, so that matches, analysis and the web page can treat all of them alike."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchResult:
    """A move and why. Values are by player number; `moves`, `policy` and `visits` go together."""

    move: int
    notation: str
    values: tuple[float, ...] | None = None
    moves: tuple[int, ...] = ()
    policy: tuple[float, ...] = ()
    visits: tuple[int, ...] = ()
    pv: tuple[int, ...] = ()
    nodes: int = 0
    sims: int = 0
    depth: int = 0
    seconds: float = 0.0
