"""The result of every search, in one form for matches, analysis and the web page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchResult:
    """A move and the reasons for it. Values are by player number; data by move is in the order of `moves`.

    A score is the value of a move for the player who makes it; the score of a move without visits is meaningless.
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
    move_values: tuple[tuple[float, ...], ...] = ()  # of each move, for every player
    first_values: tuple[tuple[float, ...], ...] = ()  # ... from the network alone, or the payoffs at the end
    deals: int = 0  # possible deals that were searched, by a search that averages over them
    best_in: tuple[int, ...] = ()  # in how many of these each move was best; several may be
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
    """A child of such a node. Values are for the player who moves into it."""

    move: int
    visits: int
    mean: float | None  # the mean payoff in [-1, 1]; None before the first visit
    prior: float  # the probability of the move, from chance, a network or a uniform policy
    score: float | None  # the selection rule's score; None if it is not finite
    bonus: float | None  # the part of the score that is not the mean
    proven: str | None  # "won" or "lost"
    has_children: bool
