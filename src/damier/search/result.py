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


@dataclass(frozen=True)
class SearchNode:
    """A node of a search's tree: see `Player.node`."""

    visits: int
    children: tuple["SearchChild", ...]  # in the tree's own order


@dataclass(frozen=True)
class SearchChild:
    """A child of such a node. What it is worth is seen by the player who moves into it."""

    move: int
    visits: int
    mean: float | None  # the mean payoff in [-1, 1]; None before the first visit
    prior: float  # the probability of the move, by chance, a network or a uniform policy
    score: float | None  # what the selection rule says of it; None where it says nothing finite
    bonus: float | None  # the part of the score that is not the mean
    proven: str | None  # "won" or "lost"
    has_children: bool
