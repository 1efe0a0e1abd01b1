"""Plain searches on trees of plain Python objects, to compare the compiled ones with."""

from damier.core.position import Position
from damier.core.protocol import CHANCE
from damier.games.trees.notation import Node


def value(node: Node, depth: int) -> float:
    """Minimax and expectiminimax, for Max, in the author's own numbers."""
    if node.is_leaf or depth == 0:
        return node.values[0] if node.values else 0.0
    below = [value(child, depth - 1) for child in node.children]
    if node.player == CHANCE:
        return sum((child.probability or 0) * each for child, each in zip(node.children, below, strict=True))
    return max(below) if node.player == 0 else min(below)


def num_leaves(node: Node, depth: int) -> int:
    """How many nodes a search to this depth ends in."""
    return 1 if node.is_leaf or depth == 0 else sum(num_leaves(child, depth - 1) for child in node.children)


def max_n(node: Node) -> tuple[float, ...]:
    """What each player gets if everybody plays for himself and takes the first among equals."""
    if node.is_leaf:
        return node.values
    return max((max_n(child) for child in node.children), key=lambda values: values[node.player])


def paranoid(node: Node, me: int) -> float:
    """What I get if everybody plays against me."""
    if node.is_leaf:
        return node.values[me]
    below = [paranoid(child, me) for child in node.children]
    return max(below) if node.player == me else min(below)


def best_reply(pos: Position, me: int, may_choose: bool = True) -> float:
    """What I get if of all the others only one may choose in a round, and the rest make the move they like best."""
    if pos.returns is not None:
        return float(pos.game.format_value(pos.returns[me]))
    if pos.player == me:
        return max(best_reply(pos.play(move), me) for move in pos.moves())
    liked = max(pos.moves(), key=lambda move: pos.play(move).evaluate()[pos.player])
    below = [best_reply(pos.play(liked), me, may_choose)]
    if may_choose:
        below += [best_reply(pos.play(move), me, False) for move in pos.moves() if move != liked]
    return min(below)


def expectimax(node: Node, me: int) -> float:
    """What I get against others who play any move, each as likely as the others."""
    if node.is_leaf:
        return node.values[0] if me == 0 else -node.values[0]
    below = [expectimax(child, me) for child in node.children]
    if node.player == me:
        return max(below)
    if node.player == CHANCE:
        return sum((child.probability or 0) * each for child, each in zip(node.children, below, strict=True))
    return sum(each / len(below) for each in below)


class Walk:
    """An explicit tree that is being played."""

    def __init__(self, root: Node) -> None:
        self.node, self.path = root, ""

    @property
    def player(self) -> int:
        return self.node.player

    def moves(self) -> list[int]:
        return list(range(len(self.node.children)))

    def play(self, move: int) -> None:
        self.node, self.path = self.node.children[move], f"{self.path} {move}"

    def returns(self) -> tuple[float, ...]:
        """In units of 16, as the trees that are counted have them."""
        value = self.node.values[0] / 16
        return value, -value
