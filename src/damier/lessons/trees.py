"""The tree of a lesson: a tree typed as text, or the positions of a game.

With one or two players a value is one number, Max's payoff; otherwise it is one number per player. In a tree typed as
text values are the author's numbers; in a game they are payoffs and evaluations in [-1, 1].
"""

import difflib
import re
from dataclasses import dataclass, field
from pathlib import Path

from damier.core.errors import DamierError, SpecError
from damier.core.files import is_file
from damier.core.messages import say
from damier.core.position import Position
from damier.core.spec import split_spec
from damier.games import REGISTRY
from damier.games import game as find_game
from damier.games.trees import notation
from damier.games.trees.notation import MAX, WORDS
from damier.games.trees.rules import ENDING, FOLDER, ExplicitTree, node_at, root_of
from damier.lessons.sources import Knowledge, Played, Source, Values, Written

ROOT = 0
NOBODY = -2
MAX_NODES = 3000
LARGEST = 1e9  # number in a tree: larger ones can't be read, and their differences can't be told
DEPTH = 2  # default depth of a lesson on a game


@dataclass
class TreeNode:
    """A node that a lesson shows."""

    id: int
    parent: int
    """NOBODY for the root."""
    index: int
    """Its index among its parent's children, from 0."""
    arc: str
    probability: float | None
    word: str
    """max, min, chance or a letter; empty for a leaf."""
    player: int
    values: Values
    """The value of a leaf, or an evaluation of an inner node."""
    board: str
    depth: int
    name: str
    """Its name in sentences: the moves from the root, or the last arc if all arcs have different names."""
    children: list[int] = field(default_factory=list)
    is_guess: bool = False
    """Whether it is a leaf only because of the depth limit."""
    knowledge: Knowledge | None = None
    """The information set, if something is hidden from the player to move."""

    @property
    def is_leaf(self) -> bool:
        return not self.word or self.is_guess


class Tree:
    """The nodes of a lesson, by number. It starts with the root; a lesson adds the nodes it needs."""

    def __init__(self, root: Source, name: str) -> None:
        self.name, self.most_nodes = name, MAX_NODES
        self.nodes: list[TreeNode] = []
        self.sources: list[Source] = []
        self._add(root, NOBODY, 0, "", None)

    def __getitem__(self, number: int) -> TreeNode:
        return self.nodes[number]

    def arcs(self, number: int) -> list[tuple[str, float | None]]:
        return self.sources[number].arcs

    def add(self, parent: int, index: int) -> TreeNode:
        """Add the child with this index."""
        arc, probability = self.arcs(parent)[index]
        return self._add(self.sources[parent].below(index), parent, index, arc, probability)

    def _add(self, source: Source, parent: int, index: int, arc: str, probability: float | None) -> TreeNode:
        if len(self.nodes) == self.most_nodes:
            raise DamierError("lesson.too-many-nodes", tree=self.name, most=self.most_nodes)
        node = TreeNode(
            id=len(self.nodes),
            parent=parent,
            index=index,
            arc=arc,
            probability=probability,
            word=source.word,
            player=source.player,
            values=source.values,
            board=source.board,
            depth=0 if parent == NOBODY else self[parent].depth + 1,
            name=say("lesson.root") if parent == NOBODY else arc if parent == ROOT else f"{self[parent].name} {arc}",
            knowledge=source.knowledge,
        )
        self.nodes.append(node)
        self.sources.append(source)
        if parent != NOBODY:
            self[parent].children.append(node.id)
        return node

    def grow(self, depth: int | None) -> None:
        """Add all nodes down to a depth, numbered in depth-first order from left to right."""
        self._grow(ROOT, depth)
        arcs = {node.arc for node in self.nodes}
        if len(arcs) == len(self.nodes):
            for node in self.nodes[1:]:
                node.name = node.arc

    def _grow(self, number: int, depth: int | None) -> None:
        if depth == 0:
            self[number].is_guess = bool(self[number].word)
            return
        for index in range(len(self.arcs(number))):
            self._grow(self.add(number, index).id, None if depth is None else depth - 1)


def value_for(values: Values, player: int) -> float:
    """A player's payoff; with two players, Min's is the negative of Max's."""
    if len(values) == 1:
        return values[0] if player == MAX else -values[0]
    return values[player]


def lesson_tree(where: object, moves: str = "") -> Tree:
    """The root of a lesson's tree: of a position, of a game, or of a tree, by name, as a file or as text."""
    if isinstance(where, notation.Node):
        return _play_written(where, "tree", moves)
    if isinstance(where, str) and _is_file(where):
        return _play_written(root_of(ExplicitTree(where)), where, moves)
    if isinstance(where, str) and _BEGINNING.match(where) and ".py:" not in where:
        rules = ExplicitTree(text=where)
        return _play_written(root_of(rules), rules.text, moves)
    if isinstance(where, str):
        _check_game(where)
    pos = (where if isinstance(where, Position) else find_game(where).start()).play_all(moves)
    if isinstance(pos.game.rules, ExplicitTree):
        return _written(node_at(pos.game.rules, pos.state), pos.game.name)
    begins = "" if pos.is_from_start else f" from {pos.origin.text()}"
    return Tree(Played(pos), _after(pos.game.name + begins, pos.line()))


def _after(name: str, moves: str) -> str:
    return say("lesson.after", tree=name, moves=moves) if moves else name


def tree_names() -> list[str]:
    """The trees that come with damier."""
    return sorted(path.stem for path in FOLDER.glob(f"*{ENDING}"))


# The start of a tree, even one with a wrong first word, whose place the error then gives.
_BEGINNING = re.compile(rf"(\s|,|\#[^\n]*\n)*(\w*\s*[(\[{{]|({'|'.join(WORDS)})\s*$)")


def _is_file(text: str) -> bool:
    return text in tree_names() or (text.endswith(ENDING) and "(" not in text) or is_file(Path(text))


def _check_game(text: str) -> None:
    """Refuse an unknown name; the hint considers names of example trees too."""
    name = split_spec(text)[0]
    if name not in REGISTRY and ".py" not in name:
        near = difflib.get_close_matches(name, [*tree_names(), *REGISTRY], 1)
        hint = say("spec.did-you-mean", near=near[0]) if near else say("lesson.there-are-trees", trees=tree_names())
        raise SpecError("lesson.unknown-tree", name=name, hint=hint)


def _play_written(root: notation.Node, name: str, moves: str) -> Tree:
    node: Source = Written(root, 0)
    for move in moves.replace(",", " ").split():
        node = node.below(arc_index(node, move, name))
    assert isinstance(node, Written)
    return _written(node.node, _after(name, moves))


def arc_index(source: Source, move: str, tree: str) -> int:
    """The index of the arc with this name."""
    names = [name for name, _ in source.arcs]
    if move in names:
        return names.index(move)
    if not names:
        raise SpecError("lesson.move-from-leaf", move=move, tree=tree)
    raise SpecError("lesson.illegal-move", move=move, tree=tree, legal=" ".join(names))


def _written(node: notation.Node, name: str) -> Tree:
    nodes = list(node.nodes())
    if not all(abs(value) <= LARGEST for each in nodes for value in each.values):
        raise SpecError("lesson.large-values", tree=name, most=LARGEST)
    num_values = next(len(each.values) for each in nodes if each.is_leaf)
    return Tree(Written(node, num_values), name)
