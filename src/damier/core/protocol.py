"""What a game is: everything it must have or may have, declared once.

A game is an ordinary class; it inherits from nothing of ours. For readers and the type checker, `Rules` declares what
every game has and `FullRules` what it may have. `CAPABILITIES` is the same as a table: name, signature, law, default
and what it unlocks. The laws of `damier check`, the kernels of `calls` and the page "What a game may have" are made
from it or checked against it.
"""

from typing import Annotated, Any, Protocol

import numpy as np

from damier.core.arguments import (
    CHANCE,
    REFEREE,
    FeatureRows,
    Moves,
    Observation,
    Owners,
    Permutation,
    Planes,
    Record,
    Rng,
    Values,
)
from damier.core.capability import Fact, Kind, compiled, declared, for_people, required
from damier.core.hidden_information import HiddenInformation
from damier.core.presentation import Presentation

__all__ = [
    "CAPABILITIES",
    "CHANCE",
    "FACTS",
    "FOR_PEOPLE",
    "OPTIONAL",
    "REFEREE",
    "REQUIRED",
    "FeatureRows",
    "FullRules",
    "Moves",
    "Observation",
    "Owners",
    "Planes",
    "Record",
    "Rng",
    "Rules",
    "Values",
    "fact_of",
]


class Rules(Protocol):
    """The rules of a game. Positions are records of the type `State`, changed in place."""

    State: Annotated[
        np.dtype[Any],
        Fact(
            "A structured NumPy type: one record of it is one position. Its whole-number field `player` says who moves "
            "next, 0 to num_players - 1, or CHANCE.",
            law="`state.player` is a player's number, or CHANCE where the game has `chance`",
            type="np.dtype",
        ),
    ]
    num_players: Annotated[int, Fact("How many players there are.")]
    max_moves: Annotated[int, Fact("No position has more legal moves than this.")]
    max_length: Annotated[
        int,
        Fact(
            "No game has more moves than this, chance included.",
            law="every game is over after at most max_length moves",
        ),
    ]

    @required(law="`setup` sets every field of the record, and gives the same first position every time")
    def setup(self, state: Record) -> None:
        """Set up the first position. Set every field, because the record may hold anything before."""

    @required(law="`moves` writes at most max_moves different whole numbers from 0, and changes nothing else")
    def moves(self, state: Record, out: Moves) -> int:
        """Write the legal moves, whole numbers from 0, and return how many; 0 means the game is over."""

    @required(law="`play` changes the record and nothing around it")
    def play(self, state: Record, move: int) -> None:
        """Make a legal move. Where chance moves, `move` is the outcome."""

    @required(law="payoffs are in [-1, 1], one per player, and add up to 0 with two or more players")
    def returns(self, state: Record, out: Values) -> None:
        """At the end of the game, write one payoff per player, by player number, in [-1, 1]. With two or more players
        they add up to 0: a sole winner among n gets 1 and the others -1/(n-1) each; winners who tie share."""


class FullRules(Rules, HiddenInformation, Presentation, Protocol):
    """What a game may have in addition. Each part unlocks something."""

    # -- chance and random moves -----------------------------------------------------------------------------

    @compiled(
        law="the probabilities of a chance node's outcomes are positive and add up to 1",
        default="chance never moves",
        unlocks="dice and cards, in every search",
    )
    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        """Where `state.player` is CHANCE: write the outcomes and their probabilities, and return how many."""

    uses_chance: Annotated[
        bool,
        Fact(
            "Whether chance ever moves with these options.",
            default="true if the game has `chance`",
            unlocks="searches that need a game without chance, if options turn chance off",
            value=lambda game: game.has("chance"),
        ),
    ]

    @compiled(
        law="`sample` draws every legal move equally often, and -1 at the end only",
        default="one of the moves that `moves` lists",
        unlocks="faster random games",
    )
    def sample(self, state: Record, rng: Rng) -> int:
        """Draw a legal move, all equally likely, without listing them; -1 if the game is over."""

    @compiled(
        law="weights of moves are finite and above 0",
        default="all moves look alike",
        unlocks="move ordering in alpha-beta; `widen` and heavy playouts in Monte-Carlo searches",
    )
    def weight(self, state: Record, move: int) -> float:
        """How promising a legal move looks: any number above 0. Searches try the moves with the highest weight
        first."""

    @compiled(
        law="`playout` draws legal moves, and -1 at the end only",
        default="heavy playouts draw moves by `weight`",
        unlocks="heavy playouts (`playout=heavy`)",
    )
    def playout(self, state: Record, rng: Rng) -> int:
        """Draw quickly, for random games, a move that a sensible player would make; -1 if the game is over."""

    # -- values ----------------------------------------------------------------------------------------------

    @compiled(
        law="heuristic values are in [-1, 1] and add up to 0 with two or more players",
        default="0 for every player",
        unlocks="searches that stop before the end: alpha-beta, cutoffs, margins",
    )
    def evaluate(self, state: Record, out: Values) -> None:
        """Write a heuristic value per player, by player number, in [-1, 1]."""

    @compiled(
        law="`noisy` is true or false, and changes nothing",
        default="no move is noisy",
        unlocks="quiescence search in alpha-beta",
    )
    def noisy(self, state: Record, move: int) -> bool:
        """Whether the evaluation can't be trusted yet after this move, for example after a capture."""

    least_payoff: Annotated[
        float,
        Fact(
            "No payoff and no heuristic value is below this number.",
            law="no payoff and no heuristic value is below `least_payoff`",
            default="-1",
            unlocks="pruning with several players and with chance",
            value=-1.0,
        ),
    ]

    @compiled(
        law="`features` writes a finite number for each player and each of feature_names, and each has a weight",
        default="the evaluation has no parts",
        unlocks="`damier tune`, and the parts of a value in `damier analyse`",
    )
    def features(self, state: Record, out: FeatureRows) -> None:
        """Write the parts of `evaluate`: in row p and column i, how much player p has of `feature_names[i]`."""

    feature_names: Annotated[
        tuple[str, ...],
        Fact("The names of the features.", default="none", unlocks="`features`", value=()),
    ]
    feature_weights: Annotated[
        Values,
        Fact("How much each feature weighs in `evaluate`.", default="none", unlocks="`features`", type="array"),
    ]

    @compiled(
        law="`score` is a finite number, and changes nothing",
        default="people read the payoff",
        unlocks="the score in `damier play`, on the web page and in experiments",
    )
    def score(self, state: Record) -> float:
        """The score of a one-player game as people count it."""

    # -- keys ------------------------------------------------------------------------------------------------

    @compiled(
        law="positions with equal keys have equal moves, and equal positions equal keys",
        default="a hash of the record's bytes",
        unlocks="tables that recognise more positions, or recognise them faster",
    )
    def key(self, state: Record) -> int:
        """A 64-bit hash of the position."""

    @compiled(
        law="positions with equal symmetric keys have the same mover, as many moves and the same bounds",
        default="`key`",
        unlocks="a solver that solves mirror images once",
    )
    def symmetric_key(self, state: Record) -> int:
        """In a two-player game: a hash that a position may share with its mirror images only."""

    # -- networks --------------------------------------------------------------------------------------------

    @compiled(
        law="`encode` fills the whole of an array of encode_shape with finite numbers",
        default="no network can play the game",
        unlocks="`damier train` and the player `zero`",
    )
    def encode(self, state: Record, out: Planes) -> None:
        """Write what a network sees into an array of shape `encode_shape`. Per-player planes start with the player to
        move; in a symmetric game nothing else may reveal the side."""

    encode_shape: Annotated[
        tuple[int, ...], Fact("The shape of what `encode` writes.", default="none", unlocks="`encode`")
    ]
    num_actions: Annotated[int, Fact("The length of a network's policy.", default="none", unlocks="`encode`")]
    plane_names: Annotated[
        tuple[str, ...],
        Fact(
            "What each plane of `encode` shows, in a few words that mean the same with all options; planes may share a "
            "name.",
            default="planes are known by their number",
            unlocks="`damier train --from` for a network that sees other planes",
            value=(),
        ),
    ]

    @compiled(
        law="policy indices are below num_actions, and different for different moves",
        default="the move itself",
        unlocks="networks for games whose moves are large or sparse numbers",
    )
    def action(self, state: Record, move: int) -> int:
        """The index of a move in a network's policy, below `num_actions`, as the player to move sees the board."""

    @for_people(
        law="a mirrored game has mirrored moves and encodings, and the same payoffs",
        default="training learns each mirrored position separately",
        unlocks="mirrored samples in training",
    )
    def symmetries(self) -> list[tuple[Permutation, Permutation]]:
        """Pairs (cells, actions) of permutations that leave the game the same, without the identity:
        `encoded.reshape(planes, -1)[:, cells]` and `policy[actions]` are the mirrored sample."""

    @compiled(
        law="at the end `owners` writes for each square a player or -1, mirrored as the encoding is",
        default="the squares belong to nobody",
        unlocks="ownership as a target of training (`training.ownership`)",
    )
    def owners(self, state: Record, end: Record, out: Owners) -> None:
        """Given a position of a game and the end of this game, write whose each square is at the end: 0 the player to
        move in `state`, 1 the next one and so on, -1 nobody. The squares are in the order in which `encode` shows
        `state`."""

    # -- solving ---------------------------------------------------------------------------------------------

    @compiled(
        law="`distance` is 0 at a won end, positive everywhere else, and falls by at most 1 a move",
        default="no A*",
        unlocks="A* and IDA*",
    )
    def distance(self, state: Record) -> int:
        """In a one-player game: a lower bound on the number of moves to a won end, which has a payoff above 0."""

    @compiled(
        law="`bounds` are in order, agree at the end with the sign of the payoff, and fit those of the moves",
        default="from -1 to 1: a win, a draw or a loss",
        unlocks="exact margins in `damier solve`",
    )
    def bounds(self, state: Record) -> tuple[int, int]:
        """In a two-player game: the lower and upper bound, as whole numbers, of player 0's margin with best play."""

    @compiled(
        law="where the bounds differ `candidates` are legal moves, and at least one",
        default="all legal moves",
        unlocks="a faster `damier solve`",
    )
    def candidates(self, state: Record, out: Moves) -> int:
        """In a two-player game: write moves that include a best one, the most promising first; return how many."""

    @compiled(
        law="`set_ending` and `ending` are each other's inverse, and moves lead to the same ending or an earlier one",
        default="no endgame database",
        unlocks="`damier endgame`",
    )
    def ending(self, state: Record) -> tuple[int, int, int]:
        """In a two-player game: the number of the position's ending, or -1; the number of the position in it; and how
        many moves are left before a rule ends the game that endings ignore."""

    @compiled(default="no endgame database", unlocks="`damier endgame`")
    def set_ending(self, state: Record, number: int, index: int) -> bool:
        """Set up the position with these two numbers; return False if there is none."""

    @for_people(default="no endgame database", unlocks="`damier endgame`")
    def endings(self, pieces: int) -> list[tuple[str, int]]:
        """The name and size of each ending with at most that many pieces. A move leads to the same ending or an earlier
        one. More pieces only add endings to the end of the list."""

    endings_key: Annotated[
        str,
        Fact(
            "A text that is the same for options with the same endings.",
            default="the game's name",
            unlocks="one database for several options",
            value=lambda game: game.name,
        ),
    ]


CAPABILITIES = declared(Rules, FullRules, HiddenInformation, Presentation)
"""Everything a game must have or may have, by name."""


def fact_of(owner: object, name: str) -> Any:
    """What rules, or a class, state; else the default."""
    stated = getattr(owner, name, None)
    return CAPABILITIES[name].value if stated is None else stated


def _signatures(kind: Kind) -> dict[str, str]:
    return {name: each.signature for name, each in CAPABILITIES.items() if each.kind is kind}


REQUIRED = _signatures(Kind.REQUIRED)
OPTIONAL = _signatures(Kind.COMPILED)
FOR_PEOPLE = _signatures(Kind.FOR_PEOPLE)
FACTS = _signatures(Kind.FACT)
