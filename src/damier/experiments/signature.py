"""A fingerprint of the searches as one number: a change that keeps the number has changed no search.

After Stockfish's `bench`. A list of searches runs with a fixed seed, and the move, the main line and the counts of
nodes, simulations and visits of each are hashed. Only whole numbers count, because the last bit of a logarithm may
differ between processors.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from damier.games import game
from damier.players import player
from damier.search.result import SearchResult

SEARCHES = (
    ("connect4", "d d", "flat:sims=491"),
    ("connect4", "d d", "uct:sims=3000"),
    ("connect4", "d d", "uct:sims=1001,threads=2"),
    ("connect4", "d d", "uct:sims=1000,solver=true,cutoff=8"),
    ("connect4", "d d", "tuned:sims=2000"),
    ("connect4", "d d", "rave:sims=2000"),
    ("connect4", "d d", "grave:sims=2000"),
    ("connect4", "d d", "grave:sims=1000,widen=2,c=0.3"),
    ("connect4", "d d", "puct:sims=2000"),
    ("connect4", "d d", "halving:sims=1000"),
    ("connect4", "d d", "shuss:sims=1000"),
    ("connect4", "d d", "nested:level=2"),
    ("connect4", "d d", "alphabeta:nodes=20000"),
    ("connect4", "d d", "negamax:depth=5"),
    ("connect4", "d d", "minimax:depth=4"),
    ("connect4", "d d", "expectimax:depth=4"),
    ("connect4", "d d d d d d b b b c c e e", "perfect"),
    ("tictactoe", "b2", "uct:sims=500"),
    ("tictactoe", "b2", "alphabeta:depth=9"),
    ("tictactoe", "b2", "maxn:depth=6"),
    ("tictactoe", "b2", "paranoid:depth=6"),
    ("tictactoe", "b2", "bestreply:depth=6"),
    ("tictactoe", "b2", "careful"),
    ("tictactoe", "b2", "random"),
    ("pig:goal=10,turns=4", "", "uct:sims=500"),
    ("pig:goal=10,turns=4", "", "minimax:depth=6"),
    ("leftmove", "", "nested:level=2"),
    ("leftmove", "", "nrpa:level=2,iterations=20"),
    ("sliding", "", "astar"),
    ("sliding", "", "idastar"),
)
SEED = 1


@dataclass(frozen=True)
class Line:
    """One search: its position, player and counts, and the hash of its result."""

    game: str
    moves: str
    player: str
    notation: str
    nodes: int
    sims: int
    digest: str


def signature_lines() -> Iterator[Line]:
    """Run the searches, one after the other."""
    for name, moves, spec in SEARCHES:
        position = game(name).start().play_all(moves)
        result = player(spec).search(position, SEED)
        yield Line(name, moves, spec, result.notation, result.nodes, result.sims, _digest(result))


def signature(made: list[Line]) -> int:
    """One number for all lines."""
    return int(hashlib.sha256(" ".join(line.digest for line in made).encode()).hexdigest()[:8], 16)


def _digest(result: SearchResult) -> str:
    facts = (result.move, result.pv, result.visits, result.nodes, result.sims, result.depth)
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:8]
