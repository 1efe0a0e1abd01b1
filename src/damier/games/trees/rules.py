"""Explicit trees: any tree typed as text is a game like the others.

Nodes are numbered level by level, so that the children of a node are neighbours; a move is the number of a child,
from 0 on. On a tree of Max and Min the payoffs are the leaves' values, divided by a power of two that brings all of
them into [-1, 1]: so nothing is rounded, and `format_value` gives the author's own numbers back.

With letters for the players, a leaf says what each of them gets. Payoffs must add up to 0: where all leaves have the
same sum it is divided evenly, and else one player more, who never moves, takes what is left: the bank.
"""

import numpy as np

from damier.core.files import folder_of, is_file, user_path
from damier.core.messages import say
from damier.core.options import FileName
from damier.core.protocol import CHANCE, Moves, Record, Values
from damier.games.trees.notation import MAX, Node, TreeError, arc_names, one_line, parse_tree

FOLDER = folder_of(__file__)
ENDING = ".tree"


class ExplicitTree:
    """Explicit tree: a game tree typed as text, with max, min and chance nodes."""

    version = 1
    State = np.dtype([("node", np.int32), ("player", np.int8)])

    def __init__(self, file: FileName = "walk", text: str = "") -> None:
        self.file, self.text = file, one_line(text)
        self._root = parse_tree(text) if text else parse_tree(*_read(file))
        self._nodes = _by_level(self._root)
        self.first = np.zeros(len(self._nodes), np.int32)  # [node]: its first child
        self.count = np.array([len(node.children) for node in self._nodes], np.int32)
        self.first[1:] = 1 + np.cumsum(self.count)[:-1]
        self.first[0] = 1
        self.mover = np.array([MAX if node.is_leaf else node.player for node in self._nodes], np.int8)
        self.probability = np.array([node.probability or 0 for node in self._nodes], np.float64)
        self.payoffs, self.scale, self.shift = _payoffs(self._nodes)  # [node, player]; payoff * scale + shift = value
        self.num_players = self.payoffs.shape[1]
        self.uses_chance = bool((self.mover == CHANCE).any())
        self.least_payoff = float(self.payoffs.min())
        self.max_moves = max(1, int(self.count.max()))
        self.max_length = max(1, self._root.height)

    def setup(self, state: Record) -> None:
        state.node = 0
        state.player = self.mover[0]

    def moves(self, state: Record, out: Moves) -> int:
        for child in range(self.count[state.node]):
            out[child] = child
        return int(self.count[state.node])

    def chance(self, state: Record, out: Moves, probs: Values) -> int:
        for child in range(self.count[state.node]):
            out[child] = child
            probs[child] = self.probability[self.first[state.node] + child]
        return int(self.count[state.node])

    def play(self, state: Record, move: int) -> None:
        state.node = self.first[state.node] + move
        state.player = self.mover[state.node]

    def returns(self, state: Record, out: Values) -> None:
        out[:] = self.payoffs[state.node]

    def evaluate(self, state: Record, out: Values) -> None:
        """What the tree says of the node, in brackets or as a leaf; 0 where it says nothing."""
        out[:] = self.payoffs[state.node]

    # -- for people ----------------------------------------------------------------------------------------

    def format_value(self, value: float) -> str:
        """A payoff as the tree writes it."""
        return f"{value * self.scale + self.shift:.10g}"

    def format_move(self, state: Record, move: int) -> str:
        return arc_names(node_at(self, state).children)[move]

    def format_position(self, state: Record) -> str:
        """The way from the root, by the names of the arcs: `/a/2`."""
        names, node = list[str](), int(state.node)
        while node:
            parent = int(np.searchsorted(self.first[: len(self._nodes)] + self.count, node, "right"))
            names.append(arc_names(self._nodes[parent].children)[node - int(self.first[parent])])
            node = parent
        return "/" + "/".join(reversed(names))

    def parse_position(self, state: Record, text: str) -> None:
        self.setup(state)
        if not text.startswith("/"):
            raise ValueError(say("tree.no-way"))
        for name in text[1:].split("/") if text != "/" else ():
            names = arc_names(node_at(self, state).children)
            if name not in names:
                after = self.format_position(state)
                if not names:
                    raise ValueError(say("tree.way-after-leaf", after=after))
                raise ValueError(say("tree.other-way", after=after, arcs=" ".join(names)))
            self.play(state, names.index(name))

    def draw(self, state: Record) -> str:
        """The tree from here on, a node a line."""
        return "\n".join(_lines(node_at(self, state), "", ""))


def node_at(rules: ExplicitTree, state: Record) -> Node:
    """The node of a position, and the tree below it."""
    return rules._nodes[int(state.node)]


def root_of(rules: ExplicitTree) -> Node:
    """The whole tree."""
    return rules._nodes[0]


def _lines(node: Node, label: str, indent: str) -> list[str]:
    chance = f"{node.probability:.4g}: " if node.probability is not None and label else ""
    lines = [f"{indent}{label}{chance}{node}"]
    for name, child in zip(arc_names(node.children), node.children, strict=True):
        lines += _lines(child, f"{name}  ", indent + "   ")
    return lines


def _read(file: str) -> tuple[str, str]:
    """The text of a tree file, or of one that comes with damier, by its name; and what to call it."""
    path = user_path(file)
    if not is_file(path):
        path = FOLDER / f"{file}{ENDING}"
    if not is_file(path):
        known = sorted(shipped.stem for shipped in FOLDER.glob(f"*{ENDING}"))
        raise TreeError("tree.no-file", file=file, known=known)
    try:
        return path.read_text(encoding="utf-8"), file
    except (OSError, UnicodeDecodeError) as error:
        raise TreeError("file.unreadable", path=file, why=error) from None


def _by_level(root: Node) -> list[Node]:
    nodes = [root]
    for node in nodes:  # grows while it is visited
        nodes.extend(node.children)
    return nodes


def _payoffs(nodes: list[Node]) -> tuple[np.ndarray, float, float]:
    """A row for each node, 0 where nothing is said; the scale, a power of two; what was taken off each value."""
    size = len(nodes[-1].values)
    values = np.array([node.values or (0.0,) * size for node in nodes])
    shift = 0.0
    if size == 1:
        values = np.hstack([values, -values])
    else:
        is_told = np.array([bool(node.values) for node in nodes])
        sums = values.sum(axis=1)
        if np.ptp(sums[is_told]) <= 1e-9 * max(1.0, abs(values).max()):
            shift = float(sums[-1]) / size
            values[is_told] -= shift
        else:
            values = np.hstack([values, -sums[:, None]])
    largest = float(abs(values).max())
    if not np.isfinite(largest):
        raise TreeError("tree.infinite")
    scale = 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else 1.0
    return values / scale, float(scale), shift
