"""Players: searches, people, external programs and classes of your own.

To register a player, add a line here.
"""

from damier.core.loading import is_file_name, load_class
from damier.core.spec import build, split_spec, unknown
from damier.players.guests import seated
from damier.players.printing import printing_to_stderr
from damier.search.player import Player

__all__ = ["REGISTRY", "Player", "class_of", "player"]

REGISTRY = {
    "random": "damier.players.random:Random",
    "human": "damier.players.human:Human",
    "careful": "damier.players.careful:Careful",
    "perfect": "damier.players.perfect:Perfect",
    "flat": "damier.search.montecarlo.flat:Flat",
    "uct": "damier.search.montecarlo.uct:UCT",
    "tuned": "damier.search.montecarlo.tuned:UCBTuned",
    "rave": "damier.search.montecarlo.rave:Rave",
    "grave": "damier.search.montecarlo.rave:Grave",
    "puct": "damier.search.montecarlo.puct:Puct",
    "mcts": "damier.search.montecarlo.mcts:Mcts",
    "halving": "damier.search.montecarlo.halving:Halving",
    "shuss": "damier.search.montecarlo.halving:Shuss",
    "minimax": "damier.search.classical.minimax:Minimax",
    "negamax": "damier.search.classical.negamax:Negamax",
    "alphabeta": "damier.search.classical.alphabeta:AlphaBeta",
    "expectimax": "damier.search.classical.expectimax:Expectimax",
    "expectiminimax": "damier.search.classical.expectiminimax:Expectiminimax",
    "maxn": "damier.search.classical.multiplayer:MaxN",
    "paranoid": "damier.search.classical.multiplayer:Paranoid",
    "bestreply": "damier.search.classical.multiplayer:BestReply",
    "nested": "damier.search.lines.nested:Nested",
    "nrpa": "damier.search.lines.nrpa:Nrpa",
    "astar": "damier.search.lines.astar:AStar",
    "idastar": "damier.search.lines.idastar:IdaStar",
    "pimc": "damier.players.pimc:Pimc",
    "ismcts": "damier.search.hidden.ismcts:Ismcts",
    "cheat": "damier.players.cheat:Cheat",
    "zero": "damier.search.guided.zero:Zero",
    "cfr": "damier.search.hidden.cfr:Cfr",
    "belief": "damier.search.hidden.belief:Belief",
    "engine": "damier.players.external.program:ExternalPlayer",
}


def player(given: object) -> Player:
    """Make a player from a text name (`uct:sims=500`), `path/to/file.py:Class[:options]`, a class or an instance."""
    if not isinstance(given, str):
        return seated(given)
    name, options = split_spec(given)
    cls = class_of(name)
    with printing_to_stderr():
        return seated(build(cls, name, options), given)


def class_of(name: str) -> type:
    """The class behind the name of a player, without its options."""
    if is_file_name(name):
        with printing_to_stderr():
            return load_class(name)
    if name not in REGISTRY:
        raise unknown("player", name, REGISTRY, "damier players")
    return load_class(REGISTRY[name])
