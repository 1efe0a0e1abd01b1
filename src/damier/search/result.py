"""What every search returns, so that matches, analysis and the web page can treat all of them alike."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchResult:
    """A move and why. Values are by player number; what is by move goes with `moves`.

    A score is what a move is worth to the player who makes it; of a move without visits it means nothing.
    """

    move: int
    notation: str
    values: tuple[float, ...] | None = None
    moves: tuple[int, ...] = ()
    policy: tuple[float, ...] = ()
    visits: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    pv: tuple[int, ...] = ()
    priors: tuple[float, ...] = ()  # the network's probabilities, before the search
    move_values: tuple[tuple[float, ...], ...] = ()  # of each move for every player
    first_values: tuple[tuple[float, ...], ...] = ()  # ... by the network alone, or at the end the payoffs
    nodes: int = 0
    sims: int = 0
    depth: int = 0
    seconds: float = 0.0
