"""Looking into a Monte-Carlo tree: a node, its children and what the rule of selection thinks of each."""

import math
from typing import Any

import numpy as np

from damier.core.errors import DamierError
from damier.core.position import Position
from damier.search.montecarlo import MonteCarlo, Worker
from damier.search.selection import PUCT, reference_node, score_of
from damier.search.tree import LOST, ROOT, WON
from damier.web.shown import show_board

Json = dict[str, Any]

MOST_CHILDREN = 40
PROVEN = {WON: "won", LOST: "lost"}


def look(pos: Position, search: MonteCarlo, path: list[str]) -> Json:
    """The node that these moves lead to, with its board and its children, the most visited first."""
    worker = search.workers[0]
    nodes, at = [ROOT], pos
    for notation in path:
        move = at.parse(notation)
        child = worker._child(nodes[-1], move)
        if child < 0:
            raise DamierError(f"the tree has not grown to {' '.join(path)} yet")
        nodes.append(child)
        at = at.play(move)
    node = nodes[-1]
    return {
        "path": path,
        "visits": int(worker.tree.nodes["visits"][node]),
        "player": at.player,
        "is_over": at.is_over,
        "board": show_board(at),
        "children": _children(worker, at, nodes),
    }


def _children(worker: Worker, at: Position, nodes: list[int]) -> list[Json]:
    tree, rule = worker.tree, worker.rule
    node = nodes[-1]
    first, count = int(tree.nodes["first_child"][node]), int(tree.nodes["num_children"][node])
    if count <= 0:
        return []
    path = np.array(nodes, np.int32)
    reference = int(reference_node(tree, rule, path, len(nodes) - 1))
    root_log = math.sqrt(math.log(max(1, int(tree.nodes["visits"][node]))))
    visits = tree.nodes["visits"][first : first + count]
    chosen = np.argsort(-visits, kind="stable")[:MOST_CHILDREN]
    rows = []
    for child in (first + chosen).tolist():
        record = tree.nodes[child]
        times = int(record.visits)
        mean = float(record.total) / times if times else None
        score = float(score_of(tree, rule, node, child, root_log, reference)) if at.player >= 0 else math.inf
        rows.append(
            {
                "notation": at.notation(int(record.move)),
                "n": times,
                "q": mean,
                "p": float(record.prior),
                "score": score if math.isfinite(score) else None,
                "u": _bonus(rule, score, mean),
                "proven": PROVEN.get(int(record.proven)),
                "has_children": int(record.num_children) > 0,
            }
        )
    return rows


def _bonus(rule: Any, score: float, mean: float | None) -> float | None:
    """What the rule adds to the mean, on the rule's own scale: PUCT means are in [-1, 1], the others' in [0, 1]."""
    if mean is None or not math.isfinite(score):
        return None
    return score - (mean if rule.kind == PUCT else 0.5 + 0.5 * mean)
