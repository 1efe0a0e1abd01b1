"""Looking into a tree that a search grows: a node, its children and what the rule of selection thinks of each."""

import math
from typing import Any

import numpy as np

from damier.core.errors import DamierError
from damier.core.position import Position
from damier.search.guided.forest import mean_value
from damier.search.guided.gumbel import improved_logits, softmax
from damier.search.guided.search import GuidedSearch
from damier.search.guided.selection import GUMBEL
from damier.search.montecarlo.search import MonteCarlo
from damier.search.montecarlo.selection import PUCT, reference_node, score_of
from damier.search.montecarlo.tree import LOST, ROOT, WON
from damier.web.shown import show_board

Json = dict[str, Any]

MOST_CHILDREN = 40
PROVEN = {WON: "won", LOST: "lost"}


def look(pos: Position, search: MonteCarlo | GuidedSearch, path: list[str]) -> Json:
    """The node that these moves lead to, with its board and its children, the most visited first."""
    at, moves = pos, []
    for notation in path:
        moves.append(at.parse(notation))
        at = at.play(moves[-1])
    tree = _Grown(search, moves) if isinstance(search, MonteCarlo) else _Guided(search, moves)
    if tree.node < 0:
        raise DamierError("analysis.not-yet", path=" ".join(path))
    record = tree.nodes[tree.node]
    first, count = int(record.first_child), max(0, int(record.num_children))
    chosen = np.argsort(-tree.nodes["visits"][first : first + count], kind="stable")[:MOST_CHILDREN]
    return {
        "path": path,
        "visits": int(record.visits),
        "player": at.player,
        "is_over": at.is_over,
        "board": show_board(at),
        "children": [_row(tree, at, child) for child in (first + chosen).tolist()],
    }


def _row(tree: "_Grown | _Guided", at: Position, child: int) -> Json:
    record = tree.nodes[child]
    mean = tree.mean(child, at) if record.visits else None
    score, bonus = tree.judge(child, mean) if at.player >= 0 else (math.inf, math.inf)
    return {
        "notation": at.notation(int(record.move)),
        "n": int(record.visits),
        "q": mean,
        "p": float(record.prior),
        "score": score if math.isfinite(score) else None,
        "u": bonus if mean is not None and math.isfinite(bonus) else None,
        "proven": tree.proven(child, at),
        "has_children": int(record.num_children) > 0,
    }


class _Grown:
    """A Monte-Carlo tree."""

    def __init__(self, search: MonteCarlo, moves: list[int]) -> None:
        grower = search.growers[0]
        path = [ROOT]
        for move in moves:
            if path[-1] >= 0:
                path.append(grower._child(path[-1], move))
        self.tree, self.rule, self.nodes, self.node = grower.tree, grower.rule, grower.tree.nodes, path[-1]
        if self.node >= 0:
            self.reference = int(reference_node(self.tree, self.rule, np.array(path, np.int32), len(path) - 1))
            self.root_log = math.sqrt(math.log(max(1, int(self.nodes["visits"][self.node]))))

    def mean(self, child: int, _: Position) -> float:
        return float(self.nodes[child].total) / int(self.nodes[child].visits)

    def judge(self, child: int, mean: float | None) -> tuple[float, float]:
        """The rule's score, and what it adds to the mean on its own scale: means are in [-1, 1] for PUCT, else in
        [0, 1]."""
        score = float(score_of(self.tree, self.rule, self.node, child, self.root_log, self.reference))
        own = mean or 0.0
        return score, score - (own if self.rule.kind == PUCT else 0.5 + 0.5 * own)

    def proven(self, child: int, _: Position) -> str | None:
        return PROVEN.get(int(self.nodes[child].proven))


class _Guided:
    """A tree that a network guides. What is known of a node is known exactly."""

    def __init__(self, search: GuidedSearch, moves: list[int]) -> None:
        self.forest, self.nodes, self.guide = search.forest, search.forest.nodes, search.guide
        self.node = search._find(tuple(moves))
        children = search._children(self.node) if self.node >= 0 else self.nodes[:0]
        self.visits, self.policy = int(children["visits"].sum()), np.zeros(children.size)
        if children.size:
            improved_logits(self.forest, self.guide, self.node, self.policy)
            softmax(self.policy, children.size)

    def mean(self, child: int, at: Position) -> float:
        return float(mean_value(self.forest, child, max(0, at.player)))

    def judge(self, child: int, mean: float | None) -> tuple[float, float]:
        """PUCT's score and the part of it that is not the mean; of Gumbel's search how far a move is behind its due."""
        record = self.nodes[child]
        if self.guide.root == GUMBEL:
            share = self.policy[child - int(self.nodes[self.node].first_child)]
            behind = float(share) - int(record.visits) / (1 + self.visits)
            return behind, behind
        bonus = self.guide.c_puct * float(record.prior) * math.sqrt(max(1, self.visits)) / (1 + int(record.visits))
        return (mean or 0.0) + bonus, bonus

    def proven(self, child: int, at: Position) -> str | None:
        value = float(self.forest.first_values[child, at.player])
        # With a margin, a loss by little may be worth more than nothing: only with two players is there no doubt.
        is_certain = self.nodes[child].known and (not self.guide.margin or self.forest.totals.shape[1] == 2)
        return None if not is_certain or abs(value) <= self.guide.margin else "won" if value > 0 else "lost"
