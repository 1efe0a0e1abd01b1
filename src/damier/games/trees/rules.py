"""Explicit trees: any tree typed as text is a game.

Nodes are numbered level by level, so the children of a node are neighbours. A move is the number of a child, from 0 on.
On a tree of Max and Min the payoffs are the leaves' values, divided by a power of two that brings all of them into [-1,
1]. This rounds nothing, and `format_value` returns the author's own numbers.

With letters for the players, a leaf says what each of them gets. Payoffs must add up to 0. If all leaves have the same
sum, it is divided evenly. Otherwise one more player, the bank, never moves and takes what is left.

A tree with information sets is a game of hidden information, `TreeWithSets`; `ExplicitTree(...)` makes one if the text
has any. At their turn players know the information set and nothing else: a set whose nodes were reached by different
moves of the same player is imperfect recall. Between their turns they know their last information set and their move
there.
"""

from itertools import groupby
from typing import Any, Self

import numpy as np

from damier.core.files import folder_of, is_file, user_path
from damier.core.knowledge import HIDDEN
from damier.core.messages import say
from damier.core.options import FileName
from damier.core.protocol import CHANCE, REFEREE, Moves, Observation, Record, Rng, Values
from damier.core.rng import uniform
from damier.games.trees.notation import MAX, Node, TreeError, arc_names, compact, parse_tree

FOLDER = folder_of(__file__)
ENDING = ".tree"


class ExplicitTree:
    """Explicit tree: a game tree typed as text, with max, min and chance nodes."""

    version = 1
    State = np.dtype([("node", np.int32), ("player", np.int8)])

    def __new__(cls, file: FileName = "walk", text: str = "") -> Self:
        """A tree with information sets is of a class of its own, because the class of a game says what is hidden."""
        has_sets = any(node.known_as for node in (parse_tree(text) if text else parse_tree(*_read(file))).nodes())
        chosen: Any = TreeWithSets if has_sets else cls
        return object.__new__(chosen)

    def __init__(self, file: FileName = "walk", text: str = "") -> None:
        self.file, self.text = file, compact(text)
        self._root = parse_tree(text) if text else parse_tree(*_read(file))
        self._nodes = _by_level(self._root)
        self.first = np.zeros(len(self._nodes), np.int32)  # [node]: its first child
        self.count = np.array([len(node.children) for node in self._nodes], np.int32)
        self.first[1:] = 1 + np.cumsum(self.count)[:-1]
        self.first[0] = 1
        self.mover = np.array([MAX if node.is_leaf else node.player for node in self._nodes], np.int8)
        self.probability = np.array([node.probability or 0 for node in self._nodes], np.float64)
        self.payoffs, self.scale, self.shift = _payoffs(self._nodes)  # [node, player]; payoff * scale + shift = value
        self.unit_size = self.scale  # the author's numbers
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
        """The number of the node, in brackets or as a leaf; 0 if it has none."""
        out[:] = self.payoffs[state.node]

    # -- for people ----------------------------------------------------------------------------------------

    def format_value(self, value: float) -> str:
        """A payoff as the tree writes it."""
        return f"{value * self.scale + self.shift:.10g}"

    def format_move(self, state: Record, move: int) -> str:
        return arc_names(node_at(self, state).children)[move]

    def format_position(self, state: Record) -> str:
        """The path from the root, by the names of the arcs: `/a/2`."""
        return self.format_position_of(int(state.node))

    def format_position_of(self, node: int) -> str:
        names = list[str]()
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
        """The tree from here on, one node per line."""
        return "\n".join(text for text, _ in _lines(node_at(self, state), "", ""))


class TreeWithSets(ExplicitTree):
    """A tree with information sets: a player can't tell the nodes of a set apart.

    For each observer, `members` lists the nodes before the end, with nodes that look the same side by side. A node is
    one of `num_alike[observer, node]` such nodes from `first_alike[observer, node]` on; `share` adds up along them the
    probabilities with which chance makes them.
    """

    max_observation = 2

    def __init__(self, file: FileName = "walk", text: str = "") -> None:
        super().__init__(file, text)
        self.set_of = _number_sets(self._nodes)  # [node]
        past = _pasts(self)
        self.last_set, self.last_move = past[:, :, 0].copy(), past[:, :, 1].copy()  # [node, player], or -1
        inner = [number for number, node in enumerate(self._nodes) if not node.is_leaf]
        shape = self.num_players, len(self._nodes)
        self.members = np.zeros((self.num_players, len(inner)), np.int32)
        self.share = np.zeros(self.members.shape, np.float64)
        self.first_alike, self.num_alike = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        reached = _reached_by_chance(self)
        for observer in range(self.num_players):
            looks = {number: self._look_of(number, observer) for number in inner}
            self.members[observer] = sorted(inner, key=lambda number: (looks[number], number))
            first = 0
            for _, group in groupby(self.members[observer].tolist(), key=looks.__getitem__):
                same = list(group)
                self.first_alike[observer, same], self.num_alike[observer, same] = first, len(same)
                self.share[observer, first : first + len(same)] = np.cumsum(reached[same])
                first += len(same)

    def _look_of(self, node: int, observer: int) -> tuple[int, ...]:
        """Who moves, and what the observer knows."""
        if self.mover[node] == observer:
            return observer, int(self.set_of[node])
        return int(self.mover[node]), int(self.last_set[node, observer]), int(self.last_move[node, observer])

    def observe(self, state: Record, player: int, out: Observation) -> int:
        """At one's turn the information set; otherwise one's last one and the move there."""
        if state.player == player:
            out[0] = self.set_of[state.node]
            return 1
        if self.last_set[state.node, player] < 0:
            return 0
        out[0] = self.last_set[state.node, player]
        out[1] = self.last_move[state.node, player]
        return 2

    def determinize(self, state: Record, observer: int, rng: Rng) -> None:
        """A node that looks the same, as often as chance makes it."""
        first = self.first_alike[observer, state.node]
        last = first + self.num_alike[observer, state.node] - 1
        draw = uniform(rng) * self.share[observer, last]
        while first < last and self.share[observer, first] <= draw:
            first += 1
        state.node = self.members[observer, first]

    # -- for people ----------------------------------------------------------------------------------------

    def format_seen(self, state: Record, move: int, observer: int) -> str:
        """The name of the arc, if all nodes that look the same afterwards are at the end of such an arc."""
        after = int(self.first[state.node]) + move
        names = {self.format_position_of(node).rpartition("/")[2] for node in alike(self, after, observer)}
        return HIDDEN if len(names) > 1 else names.pop()

    def format_known(self, state: Record, player: int) -> str:
        """The author's name of the information set, in braces."""
        name = node_at(self, state).known_as
        return f"{{{name}}}" if name else ""

    def draw(self, state: Record, observer: int) -> str:  # type: ignore[override]  # a hidden game takes an observer
        """For the referee, the tree from here on; for a player all of it, with a mark at every node where they may
        be."""
        if observer == REFEREE or node_at(self, state).is_leaf:
            return super().draw(state)
        here = {id(self._nodes[node]) for node in alike(self, int(state.node), observer)}
        return "\n".join(f"{text}   <--" if id(node) in here else text for text, node in _lines(self._nodes[0], "", ""))


def alike(rules: TreeWithSets, node: int, observer: int) -> list[int]:
    """The nodes that look the same to an observer; a leaf looks like no other node."""
    if rules._nodes[node].is_leaf:
        return [node]
    first = int(rules.first_alike[observer, node])
    return [int(each) for each in rules.members[observer, first : first + int(rules.num_alike[observer, node])]]


def node_at(rules: ExplicitTree, state: Record) -> Node:
    """The node of a position, and the tree below it."""
    return rules._nodes[int(state.node)]


def root_of(rules: ExplicitTree) -> Node:
    """The whole tree."""
    return rules._nodes[0]


def _lines(node: Node, label: str, indent: str) -> list[tuple[str, Node]]:
    chance = f"{node.probability:.4g}: " if node.probability is not None and label else ""
    lines = [(f"{indent}{label}{chance}{node}", node)]
    for name, child in zip(arc_names(node.children), node.children, strict=True):
        lines += _lines(child, f"{name}  ", indent + "   ")
    return lines


def _read(file: str) -> tuple[str, str]:
    """The text of a tree file, or of one that comes with damier, by its name; and its title."""
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


def _number_sets(nodes: list[Node]) -> np.ndarray:
    """The information set of each node, numbered from 0; -1 for chance and at the end."""
    numbers: dict[object, int] = {}
    return np.array(
        [
            -1 if node.is_leaf or node.player == CHANCE else numbers.setdefault(node.known_as or number, len(numbers))
            for number, node in enumerate(nodes)
        ],
        np.int32,
    )


def _pasts(rules: TreeWithSets) -> np.ndarray:
    """[node, player]: the player's last information set before the node, and the move made there; -1 if there is
    none."""
    past = np.full((len(rules._nodes), rules.num_players, 2), -1, np.int32)
    for number, node in enumerate(rules._nodes):
        for move in range(len(node.children)):
            child = int(rules.first[number]) + move
            past[child] = past[number]
            if node.player != CHANCE:
                past[child, node.player] = rules.set_of[number], move
    return past


def _reached_by_chance(rules: TreeWithSets) -> np.ndarray:
    """[node]: the product of the probabilities of chance on the way to it."""
    reached = np.ones(len(rules._nodes))
    for number, node in enumerate(rules._nodes):
        for child in range(int(rules.first[number]), int(rules.first[number]) + len(node.children)):
            reached[child] = reached[number] * (node.children[child - int(rules.first[number])].probability or 1.0)
    return reached


def _payoffs(nodes: list[Node]) -> tuple[np.ndarray, float, float]:
    """A row for each node, 0 where it has no number; the scale, a power of two; and the shift subtracted from each
    value."""
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
