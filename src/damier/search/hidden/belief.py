"""Search over states of knowledge: the best move for all that a player knows, if the others follow a model.

    P(n | what I know)  is in proportion to the probabilities of chance and of the others on the way to position n
    value(knowledge)    = max over my moves of  the sum over what I may learn next of  P(it) value(it)

It is expectimax on belief states (Astrom, Optimal control of Markov processes with incomplete state information, 1965):
one move for all positions that look the same, and the exact posterior after each act. So it pays for information where
that is worth its price, and never counts on seeing what it will not see. Against the model nothing is better: it plays
a best response, which `sequences` computes for all of a player's information sets in one pass.

The model of the others is `uniform`, every move as likely as the others; a strategy file of `damier equilibrium`; or
any mapping from a player and what they know to the probabilities of their moves. A tiny part of uniform play is mixed
into a strategy, so that there is a posterior also after a move that the strategy never makes (the trembling hand of
Selten, 1975).
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.budget import check_memory
from damier.core.compile import kernel
from damier.core.errors import SpecError
from damier.core.files import user_path
from damier.core.game import Game
from damier.core.options import FileName
from damier.core.position import Position
from damier.core.protocol import CHANCE, Values
from damier.search.hidden import strategy_file
from damier.search.hidden.cfr import Cfr
from damier.search.hidden.response import best_value
from damier.search.hidden.sequences import SequenceForm, end_values, follow
from damier.search.hidden.strategy import known_to_mover
from damier.search.hidden.tree import END, MEMORY, FlatTree, build_tree
from damier.search.player import Player
from damier.search.result import SearchResult

UNIFORM = "uniform"
TREMBLE = 1e-9  # the part of uniform play in a strategy

Model = Mapping[tuple[int, tuple[int, ...]], Mapping[int, float]]
"""The probabilities of the moves, by player and what the player knows: a `Strategy`, or a dict."""


@dataclass(frozen=True)
class Belief(Player):
    """Searches over states of knowledge: the best move for all it knows, if the others follow a model."""

    others: FileName | Model = UNIFORM
    memory: int = MEMORY  # megabytes
    _kept: dict[Game, "Outlook"] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_memory(self.memory)

    def prepare(self, pos: Position) -> None:
        """Build the tree, which does not count as search time."""
        self._outlook(pos.game)

    def keeps_time(self, pos: Position, seconds: float) -> bool:
        """The tree and one pass over it, as for one iteration of `cfr`."""
        return pos.game in self._kept or Cfr(iterations=1, memory=self.memory).keeps_time(pos, seconds)

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        began = time.perf_counter()
        outlook = self._outlook(pos.game)
        scores = outlook.scores(outlook.set_at(pos), pos.player)
        moves = pos.moves()
        best = scores.index(max(scores))
        mine = scores[best]
        other = 0.0 - mine  # never -0.0
        values = {1: (mine,), 2: (mine, other) if pos.player == 0 else (other, mine)}.get(pos.game.num_players)
        return SearchResult(
            moves[best],
            pos.notation(moves[best]),
            values,
            moves=tuple(moves),
            policy=tuple(float(number == best) for number in range(len(moves))),
            scores=tuple(scores),
            pv=(moves[best],),
            nodes=outlook.tree.counts.nodes,
            seconds=time.perf_counter() - began,
        )

    def posterior(self, pos: Position) -> list[tuple[Position, float]]:
        """The positions that are possible for all that the player to move knows, and how likely each of them is."""
        outlook = self._outlook(pos.game)
        nodes, chances = outlook.belief(outlook.set_at(pos), pos.player)
        return [(outlook.tree.position(node), chance) for node, chance in zip(nodes, chances, strict=True)]

    def _outlook(self, game: Game) -> "Outlook":
        if game not in self._kept:
            self._kept[game] = Outlook(build_tree(game, self.memory), self._model(game))
        return self._kept[game]

    def _model(self, game: Game) -> Model | None:
        """The probabilities of the others' moves; None if all moves are as likely."""
        if not isinstance(self.others, str):
            return self.others
        return None if self.others == UNIFORM else strategy_file.read_strategy(user_path(self.others)).strategy(game)


class Outlook:
    """What every information set of a game is worth against a model of the others."""

    def __init__(self, tree: FlatTree, model: Model | None) -> None:
        self.tree, self.model = tree, model
        self.form = SequenceForm(tree)
        self._by_player: dict[int, tuple[Values, Values]] = {}

    @cached_property
    def _numbers(self) -> dict[tuple[int, tuple[int, ...]], int]:
        """The information sets, by player and what the player knows."""
        return {key: number for number, key in enumerate(_keys(self.tree))}

    def set_at(self, pos: Position) -> int:
        """The information set of the player to move."""
        number = self._numbers.get((pos.player, known_to_mover(pos)))
        if number is None:
            raise SpecError("belief.unknown", position=pos.described())
        return number

    def scores(self, number: int, player: int) -> list[float]:
        """What each move is worth in an information set, as a payoff, if the player goes on as well as possible."""
        reach, values = self._for(player)
        first, last = self.form.first[number : number + 2].tolist()
        total = float(reach[self._members(number)].sum()) * self.tree.game.unit_size
        return [value / total for value in values[first:last].tolist()]

    def belief(self, number: int, player: int) -> tuple[list[int], list[float]]:
        """The nodes of an information set, and how likely each of them is."""
        reach, _ = self._for(player)
        nodes = self._members(number)
        return nodes.tolist(), (reach[nodes] / reach[nodes].sum()).tolist()

    def _members(self, number: int) -> NDArray[np.int64]:
        nodes = self.tree.nodes
        return np.flatnonzero((nodes.player >= 0) & (nodes.link == number))

    def _for(self, player: int) -> tuple[Values, Values]:
        """By node: how likely chance and the others come there. By sequence: what it is worth to the player, in
        the game's unit."""
        if player not in self._by_player:
            strategy = _probabilities(self.tree, self.model, player)
            reach, values = np.zeros(self.tree.counts.nodes), np.zeros_like(strategy)
            spread(self.tree.nodes, self.form, strategy, player, reach)
            respond(self.form, strategy, np.zeros_like(strategy), player, values)
            self._by_player[player] = reach, values
        return self._by_player[player]


def _keys(tree: FlatTree) -> list[tuple[int, tuple[int, ...]]]:
    """The player of each information set, and what they know there."""
    known, starts = tree.sets.known.tolist(), tree.sets.start.tolist()
    players = tree.sets.player.tolist()
    return [
        (player, tuple(known[begin:end])) for player, begin, end in zip(players, starts[:-1], starts[1:], strict=True)
    ]


def _probabilities(tree: FlatTree, model: Model | None, me: int) -> Values:
    """The model's probability of each sequence of the others. SpecError if it has none for one of their information
    sets."""
    found = np.ones(tree.num_sequences)
    first = tree.sets.first + tree.game.num_players
    sizes = np.diff(first)
    found[first[0] :] = 1 / np.repeat(sizes, sizes)
    if model is None:
        return found
    for number, (key, begin, end) in enumerate(zip(_keys(tree), first[:-1], first[1:], strict=True)):
        if key[0] == me:
            continue
        moves = tree.sets.moves[tree.sets.first[number] : tree.sets.first[number + 1]].tolist()
        chances = np.array([model.get(key, {}).get(move, 0.0) for move in moves])
        if not (np.isfinite(chances).all() and (chances >= 0).all() and abs(chances.sum() - 1) < 1e-6):
            pos = tree.position(int(tree.sets.example[number]))
            raise SpecError("belief.chances", position=pos.seen_by(pos.player).described(), got=chances.tolist())
        found[begin:end] = (1 - TREMBLE) * chances + TREMBLE * found[begin:end]
    return found


# -- kernels -------------------------------------------------------------------------------------------------


@kernel
def spread(nodes: Any, form: Any, strategy: Values, player: int, reach: Values) -> None:
    """Write how likely chance and the others come to each node, whatever the player does. Children stand behind their
    parent."""
    reach[0] = 1.0
    for node in range(nodes.player.size):
        mover, link, child = nodes.player[node], nodes.link[node], nodes.child[node]
        if mover == END:
            continue
        if mover == CHANCE:
            for number in range(link):
                reach[child + number] = reach[node] * nodes.probability[child + number]
            continue
        first = form.first[link]
        for number in range(form.first[link + 1] - first):
            reach[child + number] = reach[node] * (1.0 if mover == player else strategy[first + number])


@kernel
def respond(form: Any, strategy: Values, plan: Values, player: int, values: Values) -> None:
    """Write the value of each sequence of a player who answers the others as well as possible."""
    for other in range(form.num_players):
        if other != player:
            follow(form, strategy, other, plan)
    end_values(form, plan, player, values)
    best_value(form, player, values)
