"""The view into a growing search tree: a node, its children and their terms in the selection rule."""

from typing import Any

from damier.core.errors import DamierError
from damier.core.position import Position
from damier.search.player import Player
from damier.search.result import SearchChild
from damier.web.views import show_board

Json = dict[str, Any]

MOST_CHILDREN = 40


def show_node(pos: Position, seat: Player, path: list[str]) -> Json:
    """The node after these moves, with its board and its children, most visited first."""
    at, moves = pos, []
    for notation in path:
        moves.append(at.parse(notation))
        at = at.play(moves[-1])
    node = seat.node(moves)
    if node is None:
        raise DamierError("analysis.not-yet", path=" ".join(path))
    most_visited = sorted(node.children, key=lambda child: -child.visits)[:MOST_CHILDREN]
    return {
        "path": path,
        "visits": node.visits,
        "player": at.player,
        "is_over": at.is_over,
        "board": show_board(at),
        "children": [_row(at, child) for child in most_visited],
    }


def _row(at: Position, child: SearchChild) -> Json:
    return {
        "notation": at.notation(child.move),
        "n": child.visits,
        "q": child.mean,
        "p": child.prior,
        "score": child.score,
        "u": child.bonus,
        "proven": child.proven,
        "has_children": child.has_children,
    }
