"""Information-set Monte-Carlo tree search: one tree over what players know, and a new deal in each simulation.

Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search, IEEE Transactions on Computational Intelligence
and AI in Games 4(2), 2012. Each simulation deals anew what the player to move can't know, and goes down through the
moves that are legal in this deal. Of these it takes the one with the highest

    x + c sqrt(log n' / n),    c = 0.7

where x is the mean payoff of the move in [0, 1], n its visits and n' how often it was *available*: how often its node
was visited in a deal that allows it. A rare move is not explored more often because it is rare.

- `observers=single` (SO-ISMCTS): the nodes are what the player to move at the root knows. Moves of the others that look
  the same to this player are one choice, and one of them is made at random (the paper's SO-ISMCTS + POM): the others
  are taken for weaker than they are.
- `observers=multiple` (MO-ISMCTS): each player chooses in a tree of their own, by what they know themselves.

How it deviates: a node is found by the hash of its owner's observation, not by the moves that lead to it, so two orders
of the same moves that the owner can't tell apart share a node. A tree has nodes only where somebody has a choice.
Whether two moves of another player look the same is found out when each is tried first and does not end the game. With
several observers each bound is blurred a little at random: two players who choose by exact bounds, neither seeing the
other's move, fall into step, and matching pennies looks like a win for one of them (Shafiei, Sturtevant and Schaeffer,
Comparing UCT versus CFR in simultaneous games, 2009). The best mean among the most visited moves is played, as in all
Monte-Carlo searches here. The tree is not kept from one move to the next.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from damier.core.bring import PartKind
from damier.core.budget import Budget, check_memory
from damier.core.errors import DamierError, SpecError
from damier.core.game import Game
from damier.core.position import Position
from damier.core.rng import below, new_rng
from damier.evaluations import EVALUATION
from damier.search.hidden.sets import NODE_BYTES, NONE, ROOT, InformationSets, View, forget
from damier.search.hidden.simulation import plant, simulate
from damier.search.montecarlo.grower import FIRST_CHUNK, MAX_NODES
from damier.search.montecarlo.playout import looks_back
from damier.search.montecarlo.search import DEFAULT_SIMS
from damier.search.montecarlo.strategy import PLAYOUT_POLICY, SELECTION_RULE, Strategy
from damier.search.montecarlo.uct import UCB1
from damier.search.pace import chunks, on_the_clock, warm_up
from damier.search.player import Player
from damier.search.result import SearchChild, SearchNode, SearchResult

OBSERVERS = ("single", "multiple")


@dataclass
class Kept:
    """What is kept from one search to the next: room for the tree, not the tree."""

    strategy: Any = None
    game: Game | None = None
    sets: Any = None
    view: Any = None


@dataclass(frozen=True)
class Ismcts(Player):
    """Information-set Monte-Carlo tree search, for games of hidden information."""

    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"observers": OBSERVERS}
    parts: ClassVar[Mapping[str, PartKind]] = {"playout": PLAYOUT_POLICY, "evaluation": EVALUATION}

    sims: int | None = None
    seconds: float | None = None
    observers: str = "single"
    c: float = 0.7
    cutoff: int = -1  # moves of a playout before it is cut and evaluated; -1: play to the end
    playout: Any = "uniform"
    evaluation: Any = "game"
    memory: int = 256  # megabytes
    _kept: Kept = field(default_factory=Kept, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_memory(self.memory)
        _ = self.budget
        if self.observers not in OBSERVERS:
            raise SpecError("spec.one-of", option="observers", known=OBSERVERS, got=self.observers)
        if not 0 <= self.c < math.inf:
            raise SpecError("number.at-least", what="c", least=0, got=self.c)
        if looks_back(PLAYOUT_POLICY.make(self.playout)):
            raise SpecError("search.looks-back", search="ismcts")
        self._kept.strategy = Strategy(
            SELECTION_RULE.make(UCB1(float(self.c))),
            PLAYOUT_POLICY.make(self.playout),
            EVALUATION.make(self.evaluation),
            cutoff=self.cutoff,
        )

    @cached_property
    def budget(self) -> Budget:
        is_default = self.sims is None and self.seconds is None
        return Budget(sims=DEFAULT_SIMS if is_default else self.sims, seconds=self.seconds)

    def prepare(self, pos: Position) -> None:
        """Make room for the tree and compile, which does not count as search time."""
        kept, game = self._kept, pos.game
        if not game.is_hidden or pos.is_open:
            raise SpecError("search.not-hidden", search="ismcts", game=game.name)
        if kept.game == game:
            return
        kept.strategy.check(game)
        most = max(2, self.memory * 2**20 // NODE_BYTES)
        sets = InformationSets(min(most, (self.budget.sims or MAX_NODES) + 1, MAX_NODES))
        view = View(game, self.observers == "single")
        game.prepare(simulate, sets, kept.strategy, view, 1, new_rng(0))
        game.prepare(plant, sets, view)
        forget(sets, view)
        if not pos.is_over:
            warm_up(pos)
        kept.game, kept.sets, kept.view = game, sets, view

    def search(self, pos: Position, seed: int = 0) -> SearchResult:
        """Search with what the player to move knows."""
        if pos.is_over or pos.is_chance:
            raise DamierError("search.nothing", position=pos.described())
        self.prepare(pos)
        kept, game, rng, sims = self._kept, pos.game, new_rng(seed), 0
        with on_the_clock(pos, self.budget) as began:
            forget(kept.sets, kept.view)
            kept.view.states[0] = pos.state
            game.run(plant, kept.sets, kept.view)
            budget = self.budget
            first = FIRST_CHUNK if budget.sims is None or budget.seconds is not None else budget.sims
            for chunk in chunks(budget.sims, budget.seconds, began, first):
                game.run(simulate, kept.sets, kept.strategy, kept.view, chunk, rng)
                sims += chunk
            return self._result(pos, sims, rng, began)

    def _result(self, pos: Position, sims: int, rng: Any, began: float) -> SearchResult:
        kept, moves = self._kept, pos.moves()
        known = {int(edge["move"]): edge for edge in self._edges(ROOT)}
        visits = [int(known[move]["visits"]) if move in known else 0 for move in moves]
        totals = [float(known[move]["total"]) if move in known else 0.0 for move in moves]
        scores = [total / max(1, count) for total, count in zip(totals, visits, strict=True)]
        # One extra visit means nothing if a budget does not divide evenly; moves without visits count 0.
        ranks = {i: (scores[i], visits[i]) for i in range(len(moves)) if visits[i] >= max(visits) - 1}
        best = [i for i, rank in ranks.items() if rank == max(ranks.values())]
        move = moves[best[below(rng, len(best))]]
        return SearchResult(
            move=move,
            notation=pos.notation(move),
            values=tuple((kept.view.root_total / sims).tolist()),
            moves=tuple(moves),
            policy=tuple(count / sum(visits) for count in visits),
            visits=tuple(visits),
            scores=tuple(scores),
            pv=(move,),  # what follows is in no single deal
            nodes=int(kept.sets.used[0]),
            depth=int(kept.view.deepest[0]),
            sims=sims,
            seconds=time.perf_counter() - began,
        )

    # -- looking inside ----------------------------------------------------------------------------------------

    def _edges(self, node: int) -> list[Any]:
        """The edges of a node, in the order in which they were tried."""
        sets, found = self._kept.sets, []
        number = int(sets.nodes["first"][node])
        while number != NONE:
            found.append(sets.edges[number])
            number = int(sets.marks["next"][number])
        return found[::-1]

    def node(self, path: Sequence[int]) -> SearchNode | None:
        """The node that these moves led to when they were made last: what is seen after a move depends on the deal."""
        kept, node = self._kept, ROOT
        if kept.sets is None or not kept.sets.used[0]:
            return None
        for move in path:
            leaders = [int(edge["leader"]) for edge in self._edges(node) if edge["move"] == move]
            node = int(kept.sets.marks["child"][leaders[0]]) if leaders else NONE
            if node == NONE:
                return None
        edges = self._edges(node)
        return SearchNode(int(kept.sets.nodes["visits"][node]), tuple(self._shown(edge, len(edges)) for edge in edges))

    def _shown(self, edge: Any, count: int) -> SearchChild:
        """A move; moves that look the same to the owner of the node show the same statistics."""
        number = int(edge["leader"])
        leader, child = self._kept.sets.edges[number], int(self._kept.sets.marks["child"][number])
        visits, available = int(leader["visits"]), int(leader["available"])
        mean = float(leader["total"]) / visits if visits else None
        bonus = self.c * math.sqrt(math.log(available) / visits) if visits else None
        return SearchChild(
            move=int(edge["move"]),
            visits=visits,
            mean=mean,
            prior=1 / count,
            score=None if mean is None or bonus is None else 0.5 + 0.5 * mean + bonus,
            bonus=bonus,
            proven=None,
            has_children=child != NONE and int(self._kept.sets.nodes["first"][child]) != NONE,
        )
